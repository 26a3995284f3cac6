"""Generated protos of Black Fleet."""
