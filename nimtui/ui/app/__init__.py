"""The app itself: modes and commands, start, settings, help and leaving, keys in their turn, faults, the terminal."""
