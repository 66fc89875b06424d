"""Searches: the tree, the windows that cut it, the slider in time, searches side by side."""
