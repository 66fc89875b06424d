"""Analyses the position on the board: a tree search without end, and the exact values beside it where they are known.

A move keeps what was found of its subtree. Memory is bounded: the search ends when its tree is full.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from math import inf
from threading import Lock
from time import perf_counter

from nimtui import theory
from nimtui.agents import Thinking
from nimtui.agents.mcts import thinking_of
from nimtui.engine.rng import Stream
from nimtui.games import Game, base
from nimtui.games.base import Move, State
from nimtui.jobs.conductor import Conductor
from nimtui.playing.session import Session
from nimtui.progress import Aloud, Progress
from nimtui.report.values import Bytes, Ending, Score
from nimtui.theory import Outcome
from nimtui.theory.answers import MoveValue, known_moves
from nimtui.trees.mcts import MonteCarloSearch
from nimtui.trees.result import pace

SEARCHING, SOLVING = "analysis", "exact values"  # the errands
BEAT = 0.02  # seconds between two looks whether the search before has stopped
C = 1.0  # the weight of exploration
TREE_BYTES = 1 << 29  # most memory of the nodes
STATES = {Outcome.WIN: "won", Outcome.DRAW: "drawn", Outcome.LOSS: "lost"}


@dataclass(frozen=True, slots=True)
class Place:
    """A position on the way of a game: a search of an earlier place of the same way leads to it."""

    game: str
    start: str | None
    moves: tuple[Move, ...]

    @property
    def ply(self) -> int:
        return len(self.moves)


@dataclass
class GrowingSearch:
    """The search of the latest place, used by one thread at a time."""

    lock: Lock = field(default_factory=Lock)
    place: Place | None = None
    search: MonteCarloSearch | None = None

    def at(self, place: Place, game: Game, state: State) -> MonteCarloSearch:
        """Return the search of a place: the same one, its subtree after some moves, or a new one."""
        search, before = self.search, self.place
        self.search = self.place = None
        if search is not None and before is not None and replace(place, moves=place.moves[: before.ply]) == before:
            for at, move in enumerate(place.moves[before.ply :]):
                search = search.after(move, Stream(place.ply, at))
        else:
            stream = Stream(place.ply)
            prove = not game.pays
            search = MonteCarloSearch(game, state, 0, C, proven=prove, stream=stream, time=inf, timed_bytes=TREE_BYTES)
        self.search, self.place = search, place
        return search


class Analysis:
    """Analyses while `on`, whenever no agent is to move. All calls are in the event loop."""

    def __init__(self, conductor: Conductor) -> None:
        self._conductor = conductor
        self.on = False
        self.truths: Mapping[Move, MoveValue] = {}  # the exact values of the moves; {} while they are unknown
        self.note = ""  # why the search has ended
        self._last: Thinking | None = None
        self._growing = GrowingSearch()

    @property
    def running(self) -> bool:
        """Whether there may be news."""
        return self._conductor.on_errand(SEARCHING, SOLVING)

    @property
    def scores(self) -> Mapping[Move, int]:
        """The exact scores of the columns of a connect game that are solved so far, while others are not."""
        return self._conductor.thoughts(SOLVING) or {}

    @property
    def thinking(self) -> Thinking | None:
        """What the search believes so far of the position on the board; None before its first look."""
        self._last = self._conductor.thoughts(SEARCHING) or self._last
        return self._last

    def toggle(self, session: Session) -> None:
        """Start or end the analysis, and show that."""
        if not self.stop() and can_analyse(session):
            self.on = True
            self.follow(session)
        self._conductor.changed()

    def stop(self) -> bool:
        """End the analysis and free its memory. Return False if there was none."""
        was, self.on = self.on, False
        self._pause()
        self._growing = GrowingSearch()
        return was

    def follow(self, session: Session) -> None:
        """Analyse the position on the board. Rest while an agent is to move, and at the end."""
        self._pause()
        if not self.on or not can_analyse(session):
            return
        game, state, record = session.game, base.copy(session.state), session.record
        place, growing = Place(game.name, session.position, tuple(record.moves)), self._growing
        search = partial(_grow, growing, place, game, state)
        self._conductor.errand(SEARCHING, search, self._ended, self._failed, aside=True)
        if theory.why_unsolvable(game, state) is None:
            self._conductor.errand(SOLVING, partial(known_moves, game, state), self._solved, aside=True)

    def _pause(self) -> None:
        self._conductor.drop(SEARCHING, SOLVING)
        self._last, self.truths, self.note = None, {}, ""

    def _ended(self, last: tuple[str, Thinking]) -> None:
        self.note, self._last = last

    def _failed(self, why: str) -> None:
        self.note = f"The analysis failed: {why}."

    def _solved(self, truths: Mapping[Move, MoveValue] | None) -> None:
        self.truths = truths or {}


def can_analyse(session: Session) -> bool:
    """Return whether the position on the board waits for a person, or the game is held."""
    return not session.over and session.waiting_for is None


def verdict(truths: Mapping[Move, MoveValue]) -> str:
    """Return the exact value of a position, from those of its moves: 'won in 5 plies'; '' if they are unknown."""
    best = best_by(truths, None)
    if best is not None and truths[best].payoff is not None:
        return f"worth {Score(truths[best].payoff)}"
    return "" if best is None else Ending(STATES[truths[best].outcome], truths[best].remoteness).spoken


def best_by(truths: Mapping[Move, MoveValue], preferred: Move | None) -> Move | None:
    """Return the best move by the exact values: the one that wins soonest or loses latest, of equals the preferred."""

    def plies(value: MoveValue) -> int:
        return (value.remoteness or 0) * (-1 if value.outcome is Outcome.LOSS else 1)

    optimal = [value for value in truths.values() if value.optimal]
    return min(optimal, key=lambda value: (plies(value), value.move != preferred)).move if optimal else preferred


def _grow(growing: GrowingSearch, place: Place, game: Game, state: State, progress: Progress) -> tuple[str, Thinking]:
    """Search until the root is proven or the tree is full; return which, and what it believes.

    Waits for the search before.
    """
    while not growing.lock.acquire(timeout=BEAT):
        progress.report(0, 0)
    try:
        search = growing.at(place, game, state)
        before, began = search.done, perf_counter()

        def thinking() -> Thinking:
            seconds = perf_counter() - began
            return replace(thinking_of(search, seconds), per_second=pace(search.done - before, seconds))

        aloud = Aloud(progress, thinking)
        aloud.report(0, 0)
        search.run(aloud)
        last = thinking()
    finally:
        growing.lock.release()
    if search.settled:
        word = {1.0: "won", -1.0: "lost"}.get(search.value, "drawn")
        return f"Proven {word}: the search has ended.", last
    return f"The tree is full ({Bytes(TREE_BYTES)}): the search has ended.", last
