"""The platform's API, generated from the protos beside it."""
