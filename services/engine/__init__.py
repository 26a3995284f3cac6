"""The engine host: decides the commands of one game's matches and appends their events. The only writer of logs."""
