"""Plays what theory says."""

from __future__ import annotations

from nimtui.agents.exact import Exact
from nimtui.agents.options import Options
from nimtui.games import Game

NAMES = ("perfect",)
FORMS = (("perfect", "never gives away what it has; where it must lose, any move"),)
PRESETS = (("Perfect", "perfect"),)


class Perfect(Exact):
    """One of the moves that keep the outcome, each as likely as the others; where lost, that is any move."""

    name = "perfect"
    title = "Perfect"


def parse(word: str, text: str, game: Game) -> Perfect:
    Options(word, text)
    return Perfect(game)
