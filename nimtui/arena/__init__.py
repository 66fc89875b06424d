"""Matches, tournaments, ratings, and reviews of games."""
