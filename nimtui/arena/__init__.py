"""Matches, tournaments, ratings, and reviews of games."""

from nimtui.arena.play.match import MatchResult, Score, play_match

__all__ = ["MatchResult", "Score", "play_match"]
