"""Matches, tournaments, ratings, and reviews of games."""

from nimtui.arena.match import GameResult, MatchResult, Score, play_match
from nimtui.arena.review import Judgement, review

__all__ = ["GameResult", "Judgement", "MatchResult", "Score", "play_match", "review"]
