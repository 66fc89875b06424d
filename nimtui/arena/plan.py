"""What a tournament is: who plays whom, which games, how often, from which openings. Plain values, to keep and send."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, product
from typing import Any, NamedTuple

from nimtui.agents import parse_agent
from nimtui.arena.limits import UNLIMITED, Limits
from nimtui.arena.openings import FROM_THE_START, Openings, parse_openings
from nimtui.arena.sprt import Sprt, parse_sprt
from nimtui.errors import InputError, reading, unknown
from nimtui.games import parse_game

ROUND_ROBIN, GAUNTLET, ORDERED = "round-robin", "gauntlet", "ordered"
PAIRS = {
    ROUND_ROBIN: "everybody against everybody, seats alternating",
    GAUNTLET: "the first agent against each of the others, seats alternating",
    ORDERED: "every ordered pair, self-play included: the first one always begins",
}
ONE_SIDED = "one-sided"  # a match without change of seats: the first agent begins every game; not offered for choosing
MOST_AGENTS, MOST_GAMES, MOST_IN_ALL = 100, 10_000_000, 100_000_000


class Pairing(NamedTuple):
    """Two entrants who play some games of one game against each other. All three are places in their plan."""

    game: int
    first: int
    second: int


@dataclass(frozen=True)
class Plan:
    """A tournament as it was asked for. All names are canonical ones; equal plans are the same tournament."""

    games: tuple[str, ...]
    agents: tuple[str, ...]
    pairs: str = ROUND_ROBIN
    number: int = 100  # games a pairing
    openings: Openings = FROM_THE_START
    seed: int = 0
    sprt: Sprt | None = None
    limits: Limits = UNLIMITED

    @cached_property
    def pairings(self) -> tuple[Pairing, ...]:
        """All pairings, in the order of their numbers."""
        entrants = range(len(self.agents))
        if self.pairs == ORDERED:
            pairs: list[tuple[int, int]] = list(product(entrants, entrants))
        elif self.pairs in (GAUNTLET, ONE_SIDED):
            pairs = [(0, other) for other in entrants[1:]]
        else:
            pairs = list(combinations(entrants, 2))
        return tuple(Pairing(game, *pair) for game in range(len(self.games)) for pair in pairs)

    @property
    def alternate(self) -> bool:
        """Do the two of a pairing change seats after every game? Then games 2k and 2k + 1 have the same opening."""
        return self.pairs not in (ORDERED, ONE_SIDED)

    @property
    def total(self) -> int:
        """How many games there are, if none is left out."""
        return self.number * len(self.pairings)

    def opener(self, number: int) -> int:
        """Who begins this game of a pairing: 0 its first entrant, 1 its second."""
        return number % 2 if self.alternate else 0

    def document(self) -> dict[str, Any]:
        """The plan as plain values, from which `from_document` makes an equal one."""
        return {
            "games": list(self.games),
            "agents": list(self.agents),
            "pairs": self.pairs,
            "number": self.number,
            "openings": self.openings.name,
            "seed": self.seed,
            "sprt": self.sprt.name if self.sprt is not None else None,
            **self.limits.document(),
        }

    @classmethod
    def from_document(cls, keys: Mapping[str, Any]) -> Plan:
        """The plan that was kept. InputError where it is none, or a game or an agent of it is not known here.

        One agent may be entered twice: so it is kept where a match was of an agent against itself.
        """
        with reading(str(dict(keys)), "a tournament"):
            return plan(
                keys["games"],
                keys["agents"],
                keys["pairs"],
                keys["number"],
                keys["openings"],
                keys["seed"],
                keys["sprt"],
                Limits.from_document(keys),
                twins=True,
            )


def plan(
    games: Sequence[str],
    agents: Sequence[str],
    pairs: str = ROUND_ROBIN,
    number: int = 100,
    openings: str = "start",
    seed: int = 0,
    sprt: str | None = None,
    limits: Limits = UNLIMITED,
    twins: bool = False,
) -> Plan:
    """A plan from what people type. InputError where it cannot be: one agent cannot play a game, or is entered twice
    without being allowed to.
    """
    if pairs not in PAIRS and pairs != ONE_SIDED:
        raise unknown("kind of pairing", pairs, PAIRS)
    if not games:
        raise InputError("a tournament needs a game, e.g. tower:16")
    least = 1 if pairs == ORDERED else 2
    if not least <= len(agents) <= MOST_AGENTS:
        raise InputError(f"a {pairs} tournament has from {least} to {MOST_AGENTS} agents, not {len(agents)}")
    if not 1 <= number <= MOST_GAMES:
        raise InputError(f"a pairing has from 1 to {MOST_GAMES:,} games, not {number:,}")
    boards = [parse_game(name) for name in games]
    canonical = tuple(game.name for game in boards)
    if twice := _twice(canonical):
        raise InputError(f"the game {twice} is given twice")
    names = tuple(parse_agent(name, boards[0]).name for name in agents)
    for game in boards[1:]:
        for name in agents:
            parse_agent(name, game)
    if not twins and (twice := _twice(names)):
        raise InputError(f"the agent {twice} is entered twice: one game's result would count for both")
    if sprt is not None and pairs in (ORDERED, ONE_SIDED):
        raise InputError("a sequential test needs seats that alternate: round-robin or gauntlet, not ordered")
    made = Plan(
        canonical,
        names,
        pairs,
        number,
        parse_openings(openings),
        seed,
        parse_sprt(sprt) if sprt is not None else None,
        limits,
    )
    if made.total > MOST_IN_ALL:
        raise InputError(f"{made.total:,} games in all are too many, at most {MOST_IN_ALL:,}: fewer a pairing")
    for game in boards:
        made.openings.check(game)
    return made


def _twice(names: Sequence[str]) -> str:
    """A name that stands there twice; '' if none does."""
    return next((name for place, name in enumerate(names) if name in names[:place]), "")
