"""Defines the fields that several forms share: a game, a seed, the workers; and reads their texts."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from nimtui.errors import InputError, whole_number
from nimtui.ui.kit.draft import Entry, Offer

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
    from nimtui.games.presets import PRESETS

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


def parse_count(text: str, what: str, most: int) -> int:
    """Return a whole number from 1, with or without thousands separators. Raises InputError if invalid."""
    return whole_number(text, what, 1, most)


def parse_workers(text: str) -> int | None:
    """Return the number of processes; None for 'all' and for '': one per core."""
    if text.strip().lower() in (ALL, ""):
        return None
    return parse_count(text, f"the number of workers, or {ALL},", MOST_WORKERS)


def game_entry(
    hint: str,
    offered: Callable[[], Iterable[tuple[str, str]]] = presets,
    why_not: Callable[[Game], str | None] = lambda game: None,
    placeholder: str = "for example tower:16 or nim:7,5,3",
) -> Entry:
    """Return the field of a game. `offered`: titles and names of games; `why_not`: why a game is not allowed."""

    def meaning(draft: Any, text: str) -> str:
        game = parse_game(text)
        if (fault := why_not(game)) is not None:
            raise InputError(fault)
        return game.title

    return Entry(
        "game",
        "Game",
        meaning,
        hint,
        lambda draft: (Offer(game, title, game) for title, game in offered()),
        placeholder,
    )


def positions(game: Game) -> Iterator[Offer]:
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
            yield Offer(name, name, f"after {ply} moves")


def position_example(game: Game) -> str:
    """Return a position of a game as a person writes it; '' if its positions have no names."""
    return next((offer.value for offer in positions(game)), "")


def game_of(draft: Any) -> Game | None:
    """Return the game that stands in the field `game`; None while it is invalid."""
    with suppress(InputError):
        return parse_game(draft.text("game"))
    return None


def position_entry(meaning: Callable[[Any, str], str], more: str = "") -> Entry:
    """Return the field of a position of the game that stands in the field `game`."""

    def hint(draft: Any) -> str:
        game = game_of(draft)
        example = position_example(game) if game is not None else ""
        return f"optional: a position{f' such as {example}' if example else ''} [default: the start]{more}"

    def offers(draft: Any) -> Iterable[Offer]:
        game = game_of(draft)
        yield Offer("", "the start", "of the game")
        yield from positions(game) if game is not None else ()

    return Entry("position", "Position", meaning, hint, offers, "the start")


def seed_entry(meaning: str, hint: str) -> Entry:
    """Return the field of a seed."""

    def check(draft: Any, text: str) -> str:
        parse_seed(text)
        return meaning

    def offers(draft: Any) -> Iterable[Offer]:
        yield Offer("0", "0", "default")
        yield from (Offer(seed, seed, "new random seed") for seed in (str(fresh_seed()), str(fresh_seed())))

    return Entry("seed", "Seed", check, hint, offers, "a whole number")


def workers_entry() -> Entry:
    """Return the field of the number of processes."""
    return Entry(
        "workers",
        "Workers",
        lambda draft, text: "one process per core" if parse_workers(text) is None else "processes",
        f"the number of processes, or {ALL}: one per core",
        (Offer(ALL, ALL, "one per core"), Offer("1", "1", "leaves the other cores free")),
        ALL,
    )


def workers_text(workers: int | None) -> str:
    """Return a number of processes as it is typed."""
    return ALL if workers is None else str(workers)
