"""The value agent: looks one ply ahead in the exact values of all positions."""

from __future__ import annotations

from nimtui.agents.perfect import Exact
from nimtui.agents.registry import Options
from nimtui.games import Game

NAMES = ("value",)
FORMS = (("value", "plays the move with the best exact value: won, drawn or lost"),)
PRESETS = (("Exact values", "value"),)


class Value(Exact):
    """Plays a random move among those of the highest exact value (the subtraction tournament: the first).

    Such a move keeps the outcome, so this agent plays as Perfect does.
    """

    name = "value"
    title = "Exact values"


def parse(word: str, text: str, game: Game) -> Value:
    Options(word, text)
    return Value(game)
