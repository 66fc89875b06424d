"""The fields that several forms have: a game, a seed, a number of games, the workers; and how their texts are read."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from nimtui.errors import InputError, whole_number
from nimtui.ui.kit.draft import Entry, Offer

if TYPE_CHECKING:
    from nimtui.games import Game

LARGEST_SEED = 2**63 - 1
MOST_WORKERS = 1_000
ALL = "all"  # workers: one a core


def parse_game(text: str) -> Game:
    """Return the game of this name. InputError also where nothing is named yet."""
    from nimtui.games import parse_game

    if not text.strip():
        raise InputError("name a game, for instance tower:16 or nim:3,5,4,2,6")
    return parse_game(text)


def presets() -> list[tuple[str, str]]:
    """Return the games offered for choosing: what people call them, and their names."""
    from nimtui.games.presets import PRESETS

    return [(preset.title, preset.game) for preset in PRESETS]


def parse_seed(text: str) -> int:
    """Return the seed. InputError where it is none."""
    return whole_number(text, "the seed", 0, LARGEST_SEED)


def fresh_seed() -> int:
    """Return a seed of few digits that was not used before, as far as chance goes."""
    return int.from_bytes(os.urandom(3), "big")


def parse_count(text: str, what: str, most: int) -> int:
    """Return a whole number from 1, thousands grouped or not. InputError where it is none."""
    return whole_number(text.strip().replace(",", ""), what, 1, most)


def parse_workers(text: str) -> int | None:
    """Return how many processes; None for 'all' and for nothing: one a core."""
    if text.strip().lower() in (ALL, ""):
        return None
    return parse_count(text, f"the number of workers, or {ALL},", MOST_WORKERS)


def game_entry(
    hint: str,
    offered: Callable[[], Iterable[tuple[str, str]]] = presets,
    why_not: Callable[[Game], str | None] = lambda game: None,
    placeholder: str = "for instance tower:16 or nim:7,5,3",
) -> Entry:
    """Return the field of a game. `offered`: how people call games, and their names; `why_not`: what is against one."""

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


def seed_entry(meaning: str, hint: str) -> Entry:
    """Return the field of a seed."""

    def check(draft: Any, text: str) -> str:
        parse_seed(text)
        return meaning

    def offers(draft: Any) -> Iterable[Offer]:
        yield Offer("0", "0", "the usual one")
        yield from (Offer(seed, seed, "drawn anew") for seed in (str(fresh_seed()), str(fresh_seed())))

    return Entry("seed", "Seed", check, hint, offers, "a whole number")


def workers_entry() -> Entry:
    """Return the field of the number of processes."""
    return Entry(
        "workers",
        "Workers",
        lambda draft, text: "one process a core" if parse_workers(text) is None else "processes",
        f"how many processes share the work, or {ALL}: one a core",
        (Offer(ALL, ALL, "one a core"), Offer("1", "1", "the others stay free")),
        ALL,
    )


def workers_text(workers: int | None) -> str:
    """Return a number of processes as it is typed."""
    return ALL if workers is None else str(workers)
