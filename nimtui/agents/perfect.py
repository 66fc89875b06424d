"""The perfect agent: plays by theory."""

from __future__ import annotations

from nimtui.agents.exact import Exact
from nimtui.agents.options import Options
from nimtui.games import Game

NAMES = ("perfect",)
FORMS = (("perfect", "never worsens the outcome; plays any move in a lost position"),)
PRESETS = (("Perfect", "perfect"),)


class Perfect(Exact):
    """Plays a random move among those that keep the outcome; in a lost position that is any move."""

    name = "perfect"
    title = "Perfect"


def parse(word: str, text: str, game: Game) -> Perfect:
    Options(word, text)
    return Perfect(game)
