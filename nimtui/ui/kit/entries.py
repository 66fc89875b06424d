"""The fields that several forms share: a game, a position, a seed, the workers; and how their texts are read."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from nimtui.errors import InputError, whole_number
from nimtui.report.values import Count
from nimtui.ui.kit.draft import Choice, Field

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
    from nimtui.games.registry import PRESETS

    return [(preset.title, preset.game) for preset in PRESETS]


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


def offered(*words: str, default: str = "") -> tuple[Choice, ...]:
    """Return suggestions that say nothing more, but which one is the default."""
    return tuple(Choice(word, word, "default" if word == default else "") for word in words)


def game_field(
    hint: str,
    games: Callable[[], Iterable[tuple[str, str]]] = presets,
    why_not: Callable[[Game], str | None] = lambda game: None,
    placeholder: str = "for example tower:16 or nim:7,5,3",
) -> Field[str]:
    """Return the field of a game. `games`: titles and names to offer; `why_not`: why a game is not allowed."""

    def read(draft: Any, text: str) -> str:
        if (fault := why_not(parse_game(text))) is not None:
            raise InputError(fault)
        return text.strip()

    def offers(draft: Any) -> Iterator[Choice]:
        yield from (Choice(game, title, game) for title, game in games())

    return Field("game", "Game", read, lambda draft, game: parse_game(game).title, hint, offers, placeholder)


def positions(game: Game) -> Iterator[Choice]:
    """Yield up to four positions of a game, each two random moves after the one before, if its positions have names."""
    from nimtui.engine.rng import Stream
    from nimtui.games import Record
    from nimtui.games.base import legal_moves

    record, stream = Record(game), Stream(1)
    for ply in range(1, 9 if hasattr(game.module, "parse_position") else 0):
        if moves := legal_moves(record.state):
            record.push(stream.choose(moves))
        if record.over:
            return
        if ply % 2 == 0:
            name = game.position_name(record.state)
            yield Choice(name, name, f"after {ply} moves")


def position_example(game: Game) -> str:
    """Return a position of a game as a person writes it; '' if its positions have no names."""
    return next((offer.value for offer in positions(game)), "")


def game_of(draft: Any) -> Game | None:
    """Return the game that stands in the field `game`, for the other fields; None while it is invalid."""
    try:
        return parse_game(draft.text("game"))
    except InputError:
        return None


def position_field(use: str, more: str = "") -> Field[str | None]:
    """Return the field of a position of the game in the field `game`. `use`: what the form does with a position."""

    def read(draft: Any, text: str) -> str | None:
        game = game_of(draft)
        return parse_position(text, game) if game is not None else None

    def meaning(draft: Any, position: str | None) -> str:
        if game_of(draft) is None:
            return ""  # the position means nothing without a game
        return use if position is not None else "the start of the game"

    def hint(draft: Any) -> str:
        game = game_of(draft)
        example = position_example(game) if game is not None else ""
        return f"optional: a position{f' such as {example}' if example else ''} [default: the start]{more}"

    def offers(draft: Any) -> Iterator[Choice]:
        yield Choice("", "the start", "of the game")
        if (game := game_of(draft)) is not None:
            yield from positions(game)

    def written(setup: Any) -> str:
        return setup.position or ""

    return Field("position", "Position", read, meaning, hint, offers, "the start", written=written)


def seed_field(meaning: str, hint: str) -> Field[int]:
    """Return the field of a seed."""

    def offers(draft: Any) -> Iterator[Choice]:
        yield Choice("0", "0", "default")
        yield from (Choice(seed, seed, "new random seed") for seed in (str(fresh_seed()), str(fresh_seed())))

    return Field("seed", "Seed", lambda draft, text: parse_seed(text), meaning, hint, offers, "a whole number")


def number_field(
    name: str,
    label: str,
    most: int,
    what: str,
    meaning: str | Callable[[Any, int], str],
    hint: str,
    offers: Sequence[Choice],
    placeholder: str,
) -> Field[int]:
    """Return the field of a number from 1 to `most`. `what` it is called in an error."""

    def read(draft: Any, text: str) -> int:
        return whole_number(text, what, 1, most)

    def written(setup: Any) -> str:
        return Count(getattr(setup, name)).text

    return Field(name, label, read, meaning, hint, offers, placeholder, written=written)


WORKERS: Field[int | None] = Field(
    "workers",
    "Workers",
    lambda draft, text: parse_workers(text),
    lambda draft, workers: "one process per core" if workers is None else "processes",
    f"the number of processes, or {ALL}: one per core",
    (Choice(ALL, ALL, "one per core"), Choice("1", "1", "leaves the other cores free")),
    ALL,
    written=lambda setup: ALL if setup.workers is None else str(setup.workers),
)
