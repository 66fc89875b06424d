"""Agents against each other, and games looked back on."""

from nimtui.arena.match import GameResult, MatchResult, Score, play_match
from nimtui.arena.review import Judgement, review

__all__ = ["GameResult", "Judgement", "MatchResult", "Score", "play_match", "review"]
