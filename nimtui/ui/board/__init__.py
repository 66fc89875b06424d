"""What a position looks like, and where a cursor stands on it."""
