"""The review of one game: the value after each move, mistakes, what decided it, and how it is told."""
