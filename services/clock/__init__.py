"""The clock service: proposes what time brings about; engine hosts judge it."""
