"""What a game may cost: the memory of its graph, estimated before any of it is allocated, and the number of its moves.

A person's own rules may never end a game. A `Pace` adapts the work of one kernel call, so that Ctrl+C is heard between
two calls, however slow the rules are. No Numba here.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Hashable, Sequence
from math import inf
from time import perf_counter
from typing import Any

from nimtui.errors import InputError
from nimtui.games import base
from nimtui.games.base import State
from nimtui.progress import SILENT, Progress
from nimtui.report.values import Bytes

MOST_BYTES = 2 << 30
MOST_FOLLOWING = 5_000_000  # positions that may follow one whose game is too large from its start


def moves_about(state: State) -> float:
    """Return the mean number of moves of a position, estimated as half of this one's."""
    return (int(base.count(state)) + 1) / 2


def bytes_per_position(state: State) -> int:
    """Return the approximate bytes of a graph per position, estimated from the number of first moves."""
    a_position = 4 + 4 + 4 + 2 * 8 * len(state.board) + 8 * 4
    a_move = 4 + 4 + 4
    return int(a_position + a_move * moves_about(state))


def bytes_needed(state: State) -> int:
    """Return the approximate bytes of a graph of all positions."""
    return int(base.positions(state)) * bytes_per_position(state)


def room_from(state: State, most_bytes: int = MOST_BYTES) -> int:
    """Return for how many of the positions that follow this one there is room; 0 if it has no numbers or too many."""
    if base.positions(state) == 0:
        return 0
    room = most_bytes - 4 * int(base.positions(state))  # a node for every number
    return max(0, min(MOST_FOLLOWING, room // bytes_per_position(state)))


def why_no_graph(state: State, most_bytes: int = MOST_BYTES) -> str | None:
    """Return why this game cannot have a graph, in one line, or None if it can."""
    if base.positions(state) == 0:
        return "it has too many positions to number them"
    needed = bytes_needed(state)
    if needed > most_bytes:
        return (
            f"its {base.positions(state):,} positions would need about {Bytes(needed)} "
            f"({needed:,} bytes), more than the {Bytes(most_bytes)} allowed"
        )
    return None


MOST_PLIES = 10_000  # for games of unknown length; the longest built-in game has 26 × 255
MOST_GRAPH_PLIES = 1_000_000  # for a game on a graph, which always ends; one game then takes some 10 ms


def name_of(state: State) -> str:
    """Return the name of the game that a state belongs to."""
    return str(sys.modules[type(state).__module__].name(state))


def endless(name: str) -> InputError:
    """Return the error for a game that has not ended after MOST_PLIES moves."""
    return InputError(f"no end after {MOST_PLIES:,} moves: {name} may be endless")


def check_longest(plies: int) -> None:
    """Raise InputError if the games of a graph can be too long for one kernel call."""
    if plies > MOST_GRAPH_PLIES:
        raise InputError(
            f"a game can take {plies:,} moves, and such games are not played compiled: "
            f"at most {MOST_GRAPH_PLIES:,} moves are allowed"
        )


SECONDS = 0.02  # duration that a chunk should have
GROWTH = 4.0  # a chunk is at most so many times as large as the one before
RESERVE = 20.0  # a chunk may take so many times longer than expected and still ends in the time left
CAREFUL = 16  # the first chunk of a kind of work is so many times smaller than usual

_learned: dict[Hashable, int] = {}  # for each kind of work: the units that last took about SECONDS


class Pace:
    """The size of the next chunk, in units of the work, learned from earlier chunks.

    `kind` names the work and the class of its states: rules that were slow start with small chunks the next time.
    `first` is the first chunk of rules that were quick, `most` the largest chunk.
    """

    def __init__(self, kind: Hashable, first: int, most: int = 1 << 62) -> None:
        self._kind, self._most = kind, most
        self.units = min(first, most, _learned.get(kind, 1 + first // CAREFUL))
        self._began = perf_counter()

    def begin(self, seconds_left: float = inf) -> int:
        """Start the clock of a chunk; return how many units it may have with so many seconds left."""
        self._began = perf_counter()
        if seconds_left == inf:
            return self.units
        return max(1, int(self.units * min(1.0, max(0.0, seconds_left) / (RESERVE * SECONDS))))

    def end(self, done: int) -> None:
        """Stop the clock of a chunk that had so many units."""
        duration = max(perf_counter() - self._began, 1e-6)
        if done < self.units and (not done or duration < SECONDS):
            return  # the work ended early: this time says little
        self.units = min(self._most, 1 + int(done * min(GROWTH, SECONDS / duration)))
        _learned[self._kind] = self.units


def in_chunks(
    kernel: Callable[..., object],
    arguments: Sequence[Any],
    total: int,
    progress: Progress = SILENT,
    what: str = "",
    chunk: int = 20_000,
) -> None:
    """Call `kernel(*arguments, first, last)` for stretches that together cover 0 … total − 1; report after each.

    Its pace is that of all its calls with a first argument of the same class: of a state, a learner or a function.
    """
    pace, done = Pace((kernel, type(arguments[0])), chunk), 0
    while done < total:
        last = min(total, done + pace.begin())
        kernel(*arguments, done, last)
        pace.end(last - done)
        done = last
        progress.report(done, total, what)
