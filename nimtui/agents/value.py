"""Looks one move ahead in the exact values of all positions."""

from __future__ import annotations

from nimtui.agents.exact import Exact
from nimtui.agents.options import Options
from nimtui.games import Game

NAMES = ("value",)
FORMS = (("value", "the best of what each move is worth, won, drawn or lost, by the exact values"),)
PRESETS = (("Exact values", "value"),)


class Value(Exact):
    """A move of the highest exact value, each such move as likely as the others (original 002: the first).

    That is a move which keeps the outcome: it plays as Perfect does.
    """

    name = "value"
    title = "Exact values"


def parse(word: str, text: str, game: Game) -> Value:
    Options(word, text)
    return Value(game)
