"""Tests of the protos and of the client package."""
