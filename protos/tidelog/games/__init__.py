"""Generated protos of the games: what their moves, events, views and options look like."""
