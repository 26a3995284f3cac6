"""Lost Seas, generated from the proto beside this file."""
