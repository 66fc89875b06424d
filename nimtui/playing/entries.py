"""How people write games, positions, seeds, workers and agents, and how these texts are read."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from nimtui.errors import InputError, whole_number

if TYPE_CHECKING:
    from nimtui.games import Game

LARGEST_SEED = 2**63 - 1
MOST_WORKERS = 1_000
ALL = "all"  # workers: one per core
# The names of the presets whose games are called otherwise; the start screen needs them without loading a game.
USUAL = {
    "nim:1,3,5,7": "tower:16",
    "nim:1,3,5,7:misere": "tower:16:misere",
    "nim:1,3,5,7,9": "tower:25",
    "nim:1,3,5,7,9,11": "tower:36",
    "nim:21:max=3:misere": "subtraction:21,3:misere",
    "adjacent:1,3,5,7:max=2": "kayles:1,3,5,7",
    "connect:7x6x4": "connect4",
    "connect:4x4x4": "connect4:4x4",
}


def parse_game(text: str) -> Game:
    """Return the game of this name. Raises InputError if it is unknown or empty."""
    from nimtui.games import parse_game

    if not text.strip():
        raise InputError("enter a game, for example tower:16 or nim:3,5,4,2,6")
    return parse_game(text)


def presets() -> list[tuple[str, str]]:
    """Return the title and the name of each game that lists offer."""
    from nimtui.games import registry

    return [(preset.title, preset.game) for preset in registry.presets()]


def usual_name(game: str) -> str:
    """Return the common name of a game: 'tower:16' for 'nim:1,3,5,7'. Every screen names a game so."""
    return USUAL.get(game, game)


def parse_seed(text: str) -> int:
    """Return the seed. Raises InputError if it is invalid."""
    return whole_number(text, "the seed", 0, LARGEST_SEED)


def fresh_seed() -> int:
    """Return a random seed of few digits."""
    return int.from_bytes(os.urandom(3), "big")


def parse_workers(text: str) -> int | None:
    """Return the number of processes; None for 'all' and for '': one per core."""
    if text.strip().lower() in (ALL, ""):
        return None
    return whole_number(text, f"the number of workers, or {ALL},", 1, MOST_WORKERS)


def parse_position(text: str, game: Game) -> str | None:
    """Return the position's canonical name, None for the game's start. Raises InputError if it has no moves."""
    from nimtui.games import base

    if not text.strip():
        return None
    state = game.new(text)
    name = game.position_name(state)
    if base.outcome(state) != base.GOING_ON:
        raise InputError(f"the game is over at {name}: choose a position with a legal move")
    return None if name == game.position_name(game.start) else name


def how_written(seat: str, also: str = "") -> str:
    """Return what the named agent does and which options its name takes; for any other text, the allowed names.

    `also`: what else the field accepts.
    """
    from nimtui.agents import agent_forms

    word = seat.strip().lower().partition(":")[0]
    words = []
    for form, about in agent_forms():
        words.append(re.split(r"[\[:]", form)[0])
        if words[-1] == word:
            return about if form == word else f"{about} · {form}"
    return f"{also}one of {' · '.join(words)}"
