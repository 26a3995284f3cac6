"""The public API as JSON and server-sent events, and the browser client that lives on nothing else."""
