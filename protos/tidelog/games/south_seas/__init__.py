"""Generated protos of Lost Seas."""
