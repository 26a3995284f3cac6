"""The Tidelog API: generated protos and the client package."""
