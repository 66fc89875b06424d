"""Programs in other languages as players: sound ones, and those that fail in every way."""
