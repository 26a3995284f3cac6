"""Black Fleet, generated from the proto beside this file."""
