"""Matches, tournaments, ratings, and reviews of games."""

from nimtui.arena.match import MatchResult, Score, play_match
from nimtui.arena.review import Judgement, review

__all__ = ["Judgement", "MatchResult", "Score", "play_match", "review"]
