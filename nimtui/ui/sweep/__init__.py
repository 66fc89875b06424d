"""Sweeps: heat maps of a learner's constants against each other, filled cell by cell."""
