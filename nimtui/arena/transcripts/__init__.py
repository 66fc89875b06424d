"""Games as text, written, read and imported."""
