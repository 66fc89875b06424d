"""Agents side by side: on one position, with growing effort, and on all positions of a game."""
