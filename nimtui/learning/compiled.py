"""Compiled self-play, on a table laid out along its game's graph or with a function. Loads the engine when used.

`GameSteps` are what one game of self-play taught a function, move by move: the numbers of the engine's own step. How
often a function meets positions in games against itself, and in training the entries of its tuples, is counted here.
"""

from __future__ import annotations

from collections.abc import Callable
from time import thread_time
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from nimtui.engine import functions
from nimtui.engine.lessons import ENDS, Memory
from nimtui.engine.ntuple import Tuples
from nimtui.engine.policy import best_of
from nimtui.engine.rng import Counter, Stream
from nimtui.games import base
from nimtui.games.base import Move, State
from nimtui.learning.estimator import Estimator
from nimtui.learning.graph_table import why_untrainable
from nimtui.learning.learner import MOST, Learner, Scores, constants, notes
from nimtui.learning.table import Table
from nimtui.progress import SILENT, Progress
from nimtui.theory.truth import Truth

if TYPE_CHECKING:
    from nimtui.engine import self_play
    from nimtui.engine.function_play import Pace, Room
    from nimtui.engine.graph import Graph
    from nimtui.learning.sample import SampledTruth

Rates: TypeAlias = tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]  # of tuples: `moved` and `went`


class MoveStep(NamedTuple):
    """A move of the game, and what its afterstate learned. All values are for the player who made the move."""

    state: State  # before the move
    move: Move
    by_chance: bool  # was it a random move?
    best: float  # the value of the best move there was
    value: float  # of the afterstate, when the game was played
    later: float  # the same after the game
    target: float  # G, what it should be worth; the true value of a move that ends the game
    step: float  # what is added to the total, times the gradient; 0 for a move that ends the game
    rates: tuple[float, float] | None  # the least and the largest own rate of its weights; None without such rates

    @property
    def error(self) -> float:
        return self.target - self.value


class GameSteps(NamedTuple):
    """A game, first move first. It learned from its end back to its start."""

    number: int  # counted from 1, over all games of the table
    pace: Pace
    size: float  # α, the size of a step in this game
    moves: list[MoveStep]
    outcome: int  # for the player who moved last


def steps_before(function: Any) -> Rates | None:
    """Return copies of what the rates of single weights follow from; None if it has no such rates."""
    if not isinstance(function, Tuples) or function.moved.shape[1] == 1:
        return None
    return function.moved.copy(), function.went.copy()


def steps_of(estimator: Estimator, pace: Pace, number: int, plies: int, before: Rates | None) -> GameSteps:
    """Return what the estimator's last game taught it, which had this many plies and started with such rates."""
    from nimtui.engine import function_play

    room, state = estimator.room, base.copy(estimator.game.start)
    states = list[State]()
    for move in room.moves[:plies].tolist():
        states.append(base.copy(state))
        base.play(state, move)
    later = np.zeros((plies, estimator.game.size))
    rates = _rates(estimator, plies, before)
    with estimator.alone:  # by the weights that learn, whichever play
        boards = np.array([state.board for state in states])
        function_play.board_values(estimator.function, estimator.state, boards, room, later)
    size = function_play.size_of(pace, number - 1)
    columns = (room.random, room.best, room.values, room.targets, room.steps)
    moves = [
        MoveStep(before, move, chance, best, value, float(later[ply, move]), target, step, rates[ply])
        for ply, (before, move, chance, best, value, target, step) in enumerate(
            zip(states, room.moves[:plies].tolist(), *(column[:plies].tolist() for column in columns), strict=True)
        )
    ]
    return GameSteps(number, pace, size, moves, base.outcome(state))


def _rates(estimator: Estimator, plies: int, before: Rates | None) -> list[tuple[float, float] | None]:
    """Return the least and the largest rate of each ply's weights as it learned; the steps are taken again for it."""
    function, room = estimator.function, estimator.room
    ranges: list[tuple[float, float] | None] = [None] * plies
    if before is None:
        return ranges
    again = function._replace(weights=function.weights.copy(), moved=before[0].copy(), went=before[1].copy())
    for ply in range(plies - 2, -1, -1):
        side, entries = room.sides[ply], function.path[ply]
        moved, went = abs(again.moved[side, entries]), again.went[side, entries]
        rates = np.divide(moved, went, out=np.ones_like(moved), where=went > 0)
        ranges[ply] = float(rates.min()), float(rates.max())
        functions.learn(again, side, ply, room.steps[ply])
    return ranges


GAMES, SEED = 1_000, 1
ALONE = 1_000  # the first games of a training, each counted; later one of so many …
RARELY = 10  # … or of so many times as many where positions can be listed: that takes below 1 % of the time


def times_met(
    estimator: Estimator, truth: Truth, games: int = GAMES, progress: Progress = SILENT
) -> npt.NDArray[np.int64]:
    """Return how often each position is met in so many games of the function against itself, [nodes].

    As in training, a share of the moves is random where no move wins at once (`explore`). Mirror images share weights,
    but count apart.
    """
    nodes = {board.tobytes(): node for node, board in enumerate(truth.graph.boards.astype(np.int64))}
    met, stream = np.zeros(len(nodes), np.int64), Stream(SEED)
    states = [estimator.game.new() for _ in range(games)]
    while states:
        progress.report(games - len(states), games, "its own games")
        for state in states:
            if (node := nodes.get(state.board.tobytes())) is not None:
                met[node] += 1
        values = estimator.all_values(np.stack([state.board for state in states]))
        for state, row in zip(states, values, strict=True):
            best = np.flatnonzero(row == row.max()).tolist()
            random = row.max() < 1 and stream.share() < estimator.learner.explore
            base.play(state, base.nth(state, stream.below(base.count(state))) if random else stream.choose(best))
        states = [state for state in states if base.outcome(state) == base.GOING_ON]
    return met


class EntryCounts:
    """How often the games of a training looked up each entry of a function's tuples, from one game on.

    Each of the first games is counted. Later one in so many counts for all of them: counting each would cost pace.
    """

    def __init__(self, function: Tuples, after: int, small: bool) -> None:
        self.after = after  # games of training that are not counted
        self.every = ALONE * RARELY if small else ALONE
        self.times: npt.NDArray[np.float32] = np.zeros(function.weights.shape, np.float32)  # [sides, entries]

    @classmethod
    def of(cls, estimator: Estimator, after: int, small: bool) -> EntryCounts | None:
        """Return counts of the tuples of a function that has learned from so many games; None if it has none."""
        return cls(estimator.function, after, small) if isinstance(estimator.function, Tuples) else None

    def next(self, games: int) -> int:
        """Return the number of the next game to count after so many games."""
        return games + 1 if games < ALONE else (games // self.every + 1) * self.every

    def add(self, function: Tuples, room: Room, games: int, plies: int) -> None:
        """Count what the last game looked up: the one of this number, with so many plies. Its end looks up nothing."""
        sides = room.sides[: plies - 1].reshape(-1, 1)
        places = sides * self.times.shape[1] + function.path[: plies - 1]
        np.add.at(self.times.reshape(-1), places.reshape(-1), np.float32(1 if games <= ALONE else self.every))


TRIED = 5  # games at a time that promise a speed
LEAST_EVERY, PATTERNS_A_GAME = 100, 5_000  # so averaging takes less than 1 % of the time
OUTCOMES = {edge: outcome for outcome, edge in ENDS.items()}  # for the player of the last move
NO_NODES: npt.NDArray[np.int64] = np.zeros(0, np.int64)


class Episode(NamedTuple):
    """One game of self-play, with the scores of its moves before and after."""

    number: int  # counted from 1, over all games of the table
    nodes: npt.NDArray[np.int32]  # [plies]
    edges: npt.NDArray[np.int32]  # [plies]
    before: npt.NDArray[np.float64]  # [plies]: the scores of these edges before the game
    after: npt.NDArray[np.float64]  # [plies]: the same after the game
    outcome: int  # for the player who moved last


class Compiled:
    """Plays self-play games, which change the table and advance the random generator."""

    def __init__(
        self, graph: Graph, learner: Learner, table: Table, counter: Counter, progress: Progress = SILENT
    ) -> None:
        from nimtui.engine import self_play

        notes_per_node = notes(learner)
        numbers = np.zeros(len(graph.order) * notes_per_node, np.int32)
        links = np.zeros(len(graph.to) if notes_per_node > 1 else 0, np.int32)
        self._graph, self._table, self._counter = graph, table, counter
        self._learner = constants(learner)
        self._memory = Memory(table.cells, table.visits, table.marks, numbers, links)
        self._room = self_play.scratch(graph)
        self._watched: self_play.Watched | None = None
        if notes_per_node:
            self_play.make_notes(self._learner, graph, self._memory, progress)

    def refresh(self) -> Scores:
        """Return the table's scores, which are always those after the last game."""
        return self._table.cells

    @property
    def done(self) -> tuple[int, int]:
        """The finished games and their plies; correct however `play` and `watch` ended."""
        games, plies = self._room.done.tolist()
        return games, plies

    def play(self, games: int) -> None:
        """Play this many games."""
        from nimtui.engine import self_play

        self_play.self_play(self._learner, self._graph, self._memory, games, self._counter, self._room)

    def watch(self, games: int, choices: npt.NDArray[np.int64] = NO_NODES) -> tuple[int, bool]:
        """Play this many games, or only up to the first that changes a best-scored move of one of these nodes.

        Return the plies of the last game, for `episode`, and whether it made such a change.
        """
        from nimtui.engine import self_play

        if self._watched is None or len(self._watched.nodes) != len(choices):
            scores = self._memory.scores.copy() if len(choices) else self._memory.scores[:0].copy()
            self._watched = self_play.Watched(choices, np.zeros(len(choices), np.int64), scores)
        played = self_play.watched_play(
            self._learner, self._graph, self._memory, games, self._counter, self._room, self._watched
        )
        last, changed = played
        return int(last), bool(changed)

    @property
    def scores_before(self) -> Scores:
        """A copy of all scores before the last game that `watch` played, if it had nodes to watch."""
        assert self._watched is not None
        return self._watched.scores.copy()

    def episode(self, number: int, plies: int) -> Episode:
        """Return the last game, which `watch` played and which had this many plies."""
        room = self._room
        nodes, edges, before = room.nodes[:plies], room.edges[:plies], room.before[:plies]
        outcome, after = OUTCOMES[int(self._graph.to[edges[-1]])], self._table.cells[edges].astype(np.float64)
        return Episode(number, nodes.copy(), edges.copy(), before.copy(), after, outcome)


class OneByOne:
    """Plays games one by one for those who watch, and notes what was before the last."""

    _graph: Graph | None
    _table: Table
    _scores_before: Scores = np.zeros(0)

    def watch(self, games: int, choices: npt.NDArray[np.int64] = NO_NODES) -> tuple[int, bool]:
        """Play this many games, or only up to the first that changes a best-scored move of one of these nodes.

        Return the plies of the last game, for `episode`, and whether it made such a change.
        """
        if not len(choices):
            self.play(max(0, games - 1))
        plies, changed = 0, False
        for _ in range(games if len(choices) else min(1, games)):
            self._scores_before, earlier = self.refresh().copy(), self.done[1]
            self.play_alone()
            plies = self.done[1] - earlier
            if changed := self._changed(self.refresh(), choices):
                break
        return plies, changed

    def _changed(self, scores: Scores, choices: npt.NDArray[np.int64]) -> bool:
        """Return whether the best-scored moves of one of these nodes are others than before the last game."""
        if self._graph is None or not len(choices):
            return False
        edges = best_of(self._graph, scores) != best_of(self._graph, self._scores_before)
        return bool(np.logical_or.reduceat(edges, self._graph.ptr[:-1])[choices].any())

    @property
    def scores_before(self) -> Scores:
        """A copy of all scores before the last game that `watch` played."""
        return self._scores_before.copy()

    @property
    def done(self) -> tuple[int, int]:
        """The finished games and their plies; correct however `play` and `watch` ended."""
        raise NotImplementedError

    def play(self, games: int) -> None:
        """Play this many games."""
        raise NotImplementedError

    def play_alone(self) -> None:
        """Play one game."""
        self.play(1)

    def refresh(self) -> Scores:
        """Return the table's scores now."""
        return self._table.cells


class SelfPlay(OneByOne):
    """Plays games of an estimator against itself, as `learning.compiled.Compiled` does those of a table.

    Where the game has a graph, the table has the value of every move and how often each was played.
    """

    def __init__(
        self,
        counter: Counter,
        table: Table,
        graph: Graph | None,
        over: Callable[[], int],
        among: tuple[SampledTruth, npt.NDArray[np.int32]] | None = None,
        counts: EntryCounts | None = None,
    ) -> None:
        """Play the function of this table, with steps that fall over so many games.

        Without a graph it counts how often it plays each move of the positions `among` those of a sample, [edges].
        It adds to the counts, if any, what its tuples look up.
        """
        from nimtui.engine import function_play

        assert table.function is not None
        self.estimator = table.function
        self._counter, self._graph, self._table = counter, graph, table
        self._over = over
        self._before = table.games - self.done[0]
        self._every = MOST  # games between two looks at the weights to average them
        if why_untrainable(table.game) is not None:
            self._every = max(LEAST_EVERY, self.estimator.patterns // PATTERNS_A_GAME)
            self.estimator.get_ready()
        self._visits = function_play.NO_VISITS
        if graph is not None:
            self._visits = function_play.visits_of(graph, table.visits)
        elif among is not None:
            self._visits = function_play.visits_among(among[0].graph, among[1])
        self._counts = counts
        self._last = 0  # plies of the last game that `watch` played …
        self._rates: Rates | None = None  # … and the rates before it
        self._none = function_play.NO_VISITS

    @property
    def done(self) -> tuple[int, int]:
        """The finished games and their plies; correct however `play` and `watch` ended."""
        games, plies = self.estimator.room.done.tolist()
        return games, plies

    def play(self, games: int) -> None:
        """Play this many games. The table's scores are those before, until `refresh`."""
        from nimtui.engine import function_play

        own = self.estimator
        start, pace = own.game.start.board, own.pace(self._over())
        before = self._before + self.done[0]
        last = before + games
        with own.alone:
            while True:  # at least once: 0 games compile the kernel, or load it
                until, counted = min(last, (before // self._every + 1) * self._every), last + 1
                if self._counts is not None:
                    counted = self._counts.next(before)
                    until = min(until, max(before + 1, counted - 1))  # so that a counted game is played alone
                plies = self.done[1]
                function_play.self_play(
                    own.function, own.state, start, pace, until - before, before, self._counter, own.room, self._visits
                )
                if self._counts is not None and until == counted:
                    self._counts.add(own.function, own.room, counted, self.done[1] - plies)
                if until > before:
                    self._average(until)
                before = until
                if before == last:
                    break

    def _average(self, games: int) -> None:
        """Average the weights, if it is time, over the last games: a fixed share of them.

        It starts when there are some weights to be averaged. Where positions can be listed the newest weights play, so
        that a single game shows what it changes.
        """
        window = self.estimator.learner.average * games
        if games % self._every == 0 and window > 2 * self._every:
            self.estimator.average(self._every / window)

    def speed(self, seconds: float) -> float:
        """Return the games per second of processor time of a copy, after a third of so many seconds of them."""
        from nimtui.engine import function_play

        own = self.estimator.copy()
        counter, games, timed, began, since = self._counter.copy(), 0, 0, thread_time(), None
        while (now := thread_time() - began) < seconds or games == timed:
            if since is None and now > seconds / 3:
                since, timed = now, games
            pace, start = own.pace(0), own.game.start.board
            function_play.self_play(own.function, own.state, start, pace, TRIED, games, counter, own.room, self._none)
            games += TRIED
        return (games - timed) / (thread_time() - began - (since or 0.0))

    def refresh(self) -> Scores:
        """Fill the table with the value of every move now, and return its scores."""
        if self._graph is not None:
            self.estimator.fill(self._graph, self._table.cells)
        return self._table.cells

    def play_alone(self) -> None:
        self._rates, earlier = steps_before(self.estimator.function), self.done[1]
        self.play(1)
        self._last = self.done[1] - earlier

    def episode(self, number: int, plies: int) -> Episode | None:
        """Return the last game, which `watch` played and which had this many plies; None without a graph."""
        if self._graph is None:
            return None
        nodes, edges = self._visits.nodes[:plies].copy(), self._visits.edges[:plies].copy()
        outcome = OUTCOMES[int(self._graph.to[edges[-1]])]
        return Episode(number, nodes, edges, self._scores_before[edges], self._table.cells[edges], outcome)

    def game_steps(self, number: int) -> GameSteps:
        """Return what the last game taught, which `watch` played."""
        return steps_of(self.estimator, self.estimator.pace(self._over()), number, self._last, self._rates)
