"""Hints and explanations of a position, from theory, in words: at once, or as a job if that takes long.

`Analysis` is a tree search without end of the position on the board, and the exact values beside it where they are
known. A move keeps what was found of its subtree. Memory is bounded: the search ends when its tree is full.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from math import inf
from threading import Lock
from time import perf_counter

from nimtui import theory
from nimtui.agents import Thinking, parse_agent
from nimtui.agents.mcts import thinking_of
from nimtui.arena.review.review import start
from nimtui.engine.rng import Stream
from nimtui.games import Game, base
from nimtui.games.base import Move, State
from nimtui.games.connect import Connect
from nimtui.games.rule_text import named
from nimtui.jobs.conductor import Conductor
from nimtui.playing.sentences import inside
from nimtui.playing.session import Session
from nimtui.progress import SILENT, Aloud, Progress
from nimtui.report.values import Bytes, Ending, Score, Share
from nimtui.theory import Outcome, connect, plain
from nimtui.theory.answers import MoveValue, known_moves, move_values
from nimtui.theory.claims import OPPONENT, YOU, Player
from nimtui.theory.explanation import Depth, Explanation
from nimtui.trees.mcts import MonteCarloSearch
from nimtui.trees.result import pace

WHY = "why"  # the errand
PLAYOUTS = 1000  # per move, for a hint in a position that is too large to solve


@dataclass(frozen=True, slots=True)
class Hint:
    """Holds a good move, and the reason in one line."""

    move: Move
    text: str


def hint(game: Game, state: State, progress: Progress = SILENT) -> Hint:
    """Return the best move and why; if the position is too large to solve, the move that wins most random games.

    The best move wins soonest or holds out longest, if the remoteness is quickly known.
    """
    try:
        why = plain.explained(game, state, progress)
        return Hint(why.move, " ".join(why.sentences()))
    except theory.Unsolvable:
        pass
    agent = parse_agent(f"mcts:simulations={PLAYOUTS}" if game.pays else f"mc:playouts={PLAYOUTS}", game)
    agent.prepare(progress)
    decision = agent.decide(state, Stream(0), progress)
    value = next(thought.value for thought in decision.thoughts if thought.move == decision.move) or 0.0
    share = Share((value + 1) / 2).text
    name = start(named(game, state, decision.move))
    if game.pays:
        worth = Score(value * int(base.largest_payoff(state)))
        return Hint(decision.move, f"{name} looks best: {worth} on average in a tree search. Not solved exactly.")
    # a draw counts as half
    seen = f"it won {share} of" if theory.never_drawn(state) else f"it scored {share} in"
    return Hint(decision.move, f"{name} looks best: {seen} {PLAYOUTS:,} random games. Not solved exactly.")


def explained(
    game: Game, state: State, progress: Progress = SILENT, mover: Player = YOU, other: Player = OPPONENT
) -> Explanation | str:
    """Return the explanation of this position, or in one line why there is none.

    `mover` and `other` name the player to move and the other one.
    """
    try:
        why = theory.explain(game, state, progress)
        plies = theory.remoteness(game, state, progress, quick=True)
        end = connect.ending(game, state, progress) if isinstance(state, Connect) else None
        words = () if why.over else tuple(plain.explained(game, state, progress).sentences(mover, other))
        values = () if why.over else tuple(move_values(game, state, progress, quick=True))
        return replace(why, remoteness=plies, ending=end, plain=words, values=values)
    except theory.Unsolvable as fault:
        return str(fault)


class Explaining:
    """Holds the explanation of one position, at once or by an errand."""

    def __init__(self, conductor: Conductor) -> None:
        self._conductor = conductor
        self.on = False
        self.depth = Depth.PLAIN  # stays from move to move
        self.explanation: Explanation | str | None = None  # None until it is ready; a text says why there is none

    def scores(self, session: Session) -> Mapping[Move, int]:
        """Return the exact scores of a connect game's columns on the board, as far as they are solved."""
        if isinstance(self.explanation, Explanation):
            moves = base.legal_moves(session.state)
            return dict(zip(moves, (score for _, score in self.explanation.scores), strict=False))
        return self._conductor.thoughts(WHY) or {}

    def explain(self, session: Session) -> None:
        """Drop the explanation, and explain the position on the board if explaining is on."""
        self._conductor.drop(WHY)
        self.explanation = None
        if not self.on:
            return
        game, state = session.game, base.copy(session.state)
        mover, other = _players(session)

        def explain(progress: Progress) -> Explanation | str:
            return explained(game, state, progress, mover, other)

        if session.over or (theory.is_instant(game, state) and not isinstance(state, Connect)):  # its line takes longer
            self.explanation = explain(SILENT)
        elif (reason := theory.why_unsolvable(game, state)) is not None:
            self.explanation = reason
        else:
            wrong = "cannot explain this position"
            self._conductor.errand(WHY, explain, self._explained, lambda why: self._explained(f"{wrong}: {why}"))

    @property
    def explains(self) -> bool:
        """Return whether an unfinished position is explained now."""
        return isinstance(self.explanation, Explanation) and not self.explanation.over

    def next(self, session: Session, close: bool = False) -> None:
        """Explain, go deeper, or after the last depth stop explaining; `close`: stop at once."""
        deeper = self.depth.deeper if self.explains and not close else None
        if deeper is None:
            self.on, self.depth = not self.on, Depth.PLAIN
            self.explain(session)
        else:
            self.depth = deeper

    def _explained(self, why: Explanation | str) -> None:
        self.explanation = why


def _players(session: Session) -> tuple[Player, Player]:
    """Return how sentences call the player to move and the other one: a person who may move is 'you'."""
    if session.person_may_move:
        return YOU, OPPONENT
    turn = session.record.turn
    mover, other = (Player(inside(session.called(seat))) for seat in (turn, 1 - turn))
    return mover, other


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
    latest: tuple[Place, MonteCarloSearch] | None = None

    def at(self, place: Place, game: Game, state: State) -> MonteCarloSearch:
        """Return the search of a place: the same one, its subtree after some moves, or a new one."""
        latest, self.latest = self.latest, None
        if latest is not None and replace(place, moves=place.moves[: latest[0].ply]) == latest[0]:
            before, search = latest
            for at, move in enumerate(place.moves[before.ply :]):
                search = search.after(move, Stream(place.ply, at))
        else:
            stream = Stream(place.ply)
            prove = not game.pays
            search = MonteCarloSearch(game, state, 0, C, proven=prove, stream=stream, time=inf, timed_bytes=TREE_BYTES)
        self.latest = place, search
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
        remoteness = value.remoteness or 0
        return -remoteness if value.outcome is Outcome.LOSS else remoteness

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
