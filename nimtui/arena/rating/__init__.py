"""Ratings as statistics: strengths, intervals, goodness of fit, sequential tests. Knows no agent and no game."""
