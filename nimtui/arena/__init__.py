"""Matches, tournaments, ratings, and reviews of games."""

from nimtui.arena.play.match import MatchResult, Score, play_match
from nimtui.arena.review.review import Judgement, review

__all__ = ["Judgement", "MatchResult", "Score", "play_match", "review"]
