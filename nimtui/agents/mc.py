"""Flat Monte Carlo: plays many random games after each move, and the move that won most of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from math import sqrt
from time import perf_counter
from typing import TYPE_CHECKING, Any

from nimtui.agents.agent import Decision, Loading, StopsItself, Terse, Thinking, Thought, moves_of
from nimtui.agents.registry import Options, canonical
from nimtui.engine.own_rules import spot_check
from nimtui.engine.rng import Pick, Stream
from nimtui.errors import InputError
from nimtui.games import Game, heaps
from nimtui.games.base import Move, State
from nimtui.learning.graph_table import why_untrainable
from nimtui.progress import SILENT, Progress, Relay, Within
from nimtui.report.values import Seconds
from nimtui.theory.truth import truth
from nimtui.trees.result import pace

if TYPE_CHECKING:
    from nimtui.engine.exact import Perfect
    from nimtui.engine.graph import Graph
    from nimtui.engine.playouts import Tally

NAMES = ("mc",)
FORMS = (
    (
        "mc[:playouts=1000,time=SECONDS,policy=random|perfect-opponent|perfect-both,pick=uniform-move|row-then-count]",
        "flat Monte Carlo: plays the move that won most of its random playouts; with time=, plays them until it is up",
    ),
)
PRESETS = (
    ("Flat Monte Carlo, 1,000 playouts a move", "mc"),
    ("Flat Monte Carlo, half a second a move", "mc:time=0.5"),
    ("Flat Monte Carlo against a perfect opponent", "mc:policy=perfect-opponent"),
    ("Flat Monte Carlo with perfect playouts", "mc:policy=perfect-both"),
)

PLAYOUTS = 1000
MOST_PLAYOUTS = 1_000_000_000
BLIND = (
    "Every move wins exactly half of its random games here. While two rows of two or more matches are left, both "
    "players win random play equally often. Any difference is chance: in 95 of 100 cases all intervals contain this "
    "half."
)
EXACT = (
    "Both players are perfect in the playouts, so every playout ends with the exact result of its move. One playout "
    "says as much as a thousand: this agent looks values up and estimates nothing."
)

CONFIDENCE = 0.95


class Policy(Enum):
    """Who plays perfectly in the playouts: nobody, the opponent of the player whose move is rated, or both.

    The others move at random. With both, every playout ends with the exact value of the move, however the players
    choose among equally good moves: each of their moves keeps the value. So one playout suffices.
    """

    RANDOM = "random"
    PERFECT_OPPONENT = "perfect-opponent"
    PERFECT_BOTH = "perfect-both"


@dataclass
class FlatMonteCarlo(Loading, Terse, StopsItself):
    """Plays the move with the highest mean result of `playouts` playouts, at random among equals.

    With a `time` in seconds, each move gets equally many playouts, as many as the time allows but at most `playouts`.
    """

    game: Game
    playouts: int = PLAYOUTS
    policy: Policy = Policy.RANDOM
    pick: Pick = Pick.UNIFORM_MOVE
    time: float = 0.0  # seconds a move; 0: no limit
    _table: tuple[Graph, Perfect] | None = field(default=None, repr=False)

    @property
    def name(self) -> str:
        options: dict[str, tuple[object, object]] = {
            "playouts": (self.playouts, usual_playouts(self.time)),
            "time": (self.time, 0.0),
            "policy": (self.policy, Policy.RANDOM),
            "pick": (self.pick, Pick.UNIFORM_MOVE),
        }
        return canonical("mc", options)

    @property
    def title(self) -> str:
        parts = [f"{self.playouts:,} playouts a move"] * (self.playouts != usual_playouts(self.time) or not self.time)
        if self.time:
            parts.append(f"{Seconds(self.time)} a move")
        if self.policy is not Policy.RANDOM:
            parts.append("perfect opponent" if self.policy is Policy.PERFECT_OPPONENT else "perfect playouts")
        if self.pick is Pick.ROW_THEN_COUNT:
            parts.append("row, then count")
        return f"Flat Monte Carlo ({', '.join(parts)})"

    def _load(self, progress: Progress) -> None:
        """Load the engine, compiled for this game. For perfect playouts, compute the best moves."""
        if self.policy is Policy.RANDOM:
            from nimtui.engine.playouts import count_playouts

            count_playouts(self.game.start, 1, Stream(0), self.pick)
        else:
            from nimtui.engine.exact import perfect

            solution = truth(self.game, progress)
            self._table = solution.graph, perfect(solution.graph, solution.values)

    def decide(self, state: State, stream: Stream, progress: Progress = SILENT) -> Decision:
        began = perf_counter()
        self.prepare(progress)
        tallies = self._tallies(state, stream, _Aloud(progress))
        move = _best_of(tallies, stream)
        deviations = joint_deviations(len(tallies))
        thoughts = tuple(thought_of(tally, deviations) for tally in tallies)
        return Decision(move, thoughts, self._note(state), perf_counter() - began)

    def _note(self, state: State) -> str:
        if self.policy is Policy.PERFECT_BOTH:
            return EXACT
        return BLIND if self.policy is Policy.RANDOM and sees_nothing(state) else ""

    def choose(self, state: State, stream: Stream, progress: Progress = SILENT) -> Move:
        return _best_of(self._tallies(state, stream, progress), stream)

    def _tallies(self, state: State, stream: Stream, progress: Progress) -> list[Tally]:
        """Return the results of the playouts after each move."""
        moves_of(state)
        spot_check(state)
        self.prepare(progress)
        if self.time:
            progress = Within(progress, self.time)
        if self.policy is not Policy.RANDOM:
            return self._against_perfect(state, stream, progress)
        from nimtui.engine.playouts import flat_monte_carlo

        return flat_monte_carlo(state, self.playouts, stream, self.pick, progress)

    def _against_perfect(self, state: State, stream: Stream, progress: Progress) -> list[Tally]:
        from nimtui.engine import exact, graph

        assert self._table is not None
        positions, player = self._table
        node = graph.node_at(positions, state)
        if node < 0:  # a position that cannot be reached from the start
            positions = graph.build(state, progress)
            player, node = exact.perfect(positions, exact.values(positions)), positions.start
        both = self.policy is Policy.PERFECT_BOTH
        return exact.against_perfect(positions, player, node, self.playouts, stream, progress, both)


def usual_playouts(time: float) -> int:
    """Return the default number of playouts a move: with a time, as many as it allows."""
    return MOST_PLAYOUTS if time else PLAYOUTS


class _Aloud(Relay):
    """Turns the tallies that the playouts offer into what the agent believes."""

    def __init__(self, progress: Progress) -> None:
        super().__init__(progress)
        self._began = perf_counter()

    def think(self, thinking: Callable[[], Any]) -> None:
        self._progress.think(lambda: thinking_of(thinking(), perf_counter() - self._began))


def thinking_of(tallies: list[Tally], seconds: float) -> Thinking:
    """Return what the playouts so far say of the moves."""
    deviations, done = joint_deviations(len(tallies)), sum(tally.playouts for tally in tallies)
    best = max(_tried(tallies), key=lambda tally: tally.value)
    thoughts = tuple(thought_of(tally, deviations) for tally in tallies)
    return Thinking(thoughts, best.move, (), done, "playouts", pace(done, seconds), seconds)


def _tried(tallies: list[Tally]) -> list[Tally]:
    """Return the tallies of the moves with playouts, or all if no move has any."""
    return [tally for tally in tallies if tally.playouts] or tallies


def _best_of(tallies: list[Tally], stream: Stream) -> Move:
    """Return a move of the highest value, at random among equals."""
    tried = _tried(tallies)
    best = max(tally.value for tally in tried)
    return stream.choose([tally.move for tally in tried if tally.value == best])


def thought_of(tally: Tally, deviations: float) -> Thought:
    """Return the rating of a move by its playouts, empty without playouts."""
    if not tally.playouts:
        return Thought(tally.move)
    return Thought(tally.move, tally.value, tally.wins, tally.losses, tally.draws, *interval(tally, deviations))


def joint_deviations(moves: int) -> float:
    """Return the half-width, in standard deviations, of intervals that hold for all moves together with 95 %.

    Source: Bonferroni.
    """
    from statistics import NormalDist

    return NormalDist().inv_cdf(1 - (1 - CONFIDENCE) / (2 * moves))


def interval(tally: Tally, deviations: float) -> tuple[float, float]:
    """Return the bounds of the expected result, −1 to 1, by Wilson's score interval. A draw counts as half a win.

    Source: Wilson 1927. Draws make the interval wider than necessary, never narrower.
    """
    games = tally.playouts
    share, square = (1 + tally.value) / 2, deviations**2
    middle = (share + square / (2 * games)) / (1 + square / games)
    half = deviations / (1 + square / games) * sqrt(share * (1 - share) / games + square / (4 * games**2))
    low, high = 2 * max(0.0, middle - half) - 1, 2 * min(1.0, middle + half) - 1
    return min(low, tally.value), max(high, tally.value)  # rounding must not leave the value outside


def sees_nothing(state: State) -> bool:
    """Return whether every move of this position wins with probability exactly 1/2 in random play after it.

    This holds in Nim, normal and misère, uniformly or row first. Any number may be taken, and two rows must have two or
    more matches: every move then leaves such a row. Proof: with one such row left among rows of one, reducing it to 1
    or to 0 gives v or 1 − v, which average 1/2, and every other move keeps 1/2. With more such rows, by induction. A
    single such row decides the game: playouts then rate the moves that leave none correctly.
    """
    if not isinstance(state, heaps.Heaps):
        return False
    rows = heaps.rows_of(state)
    return sum(matches > 1 for matches in rows) >= 2 and max(rows) <= state.limit


def parse(word: str, text: str, game: Game) -> FlatMonteCarlo:
    options = Options(word, text, ("playouts", "time", "policy", "pick"))
    time = options.seconds("time")
    agent = FlatMonteCarlo(
        game,
        options.whole("playouts", usual_playouts(time), 1, MOST_PLAYOUTS),
        options.choice("policy", Policy.RANDOM),
        options.choice("pick", Pick.UNIFORM_MOVE),
        time,
    )
    if game.pays:
        raise InputError(f"{word} counts won and lost games, and {game.name} ends with a number: use mcts")
    if agent.policy is not Policy.RANDOM:
        if agent.pick is not Pick.UNIFORM_MOVE:
            raise InputError(f"policy={agent.policy.value} draws moves uniformly: leave out pick={agent.pick.value}")
        if (fault := why_untrainable(game)) is not None:
            raise InputError(f"policy={agent.policy.value} is not possible here: {fault}")
    return agent
