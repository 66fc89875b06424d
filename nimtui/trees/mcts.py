"""Monte Carlo tree search of one position: it runs in chunks and may be read, stopped and continued at any time.

The tree records its growth: `nimtui.trees.mcts_replay` shows it after any simulation.
"""

from __future__ import annotations

from contextlib import suppress
from math import inf
from time import perf_counter
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import numpy.typing as npt

from nimtui.engine import limits
from nimtui.engine.limits import MOST_PLIES, Pace, endless
from nimtui.engine.own_rules import spot_check
from nimtui.engine.rng import Stream
from nimtui.errors import InputError
from nimtui.games import Game, base
from nimtui.games.base import Move, State
from nimtui.progress import SILENT, Progress
from nimtui.report.values import Bytes
from nimtui.trees.result import MoveResult, Space
from nimtui.trees.settings import LOGS, PERFECT_OPPONENT, UNIFORM

if TYPE_CHECKING:
    from nimtui.engine.function_play import Evaluation
    from nimtui.engine.mcts import Growth, Opponent, Tree
    from nimtui.learning.saved_tables import LearnedValues

NODE_BYTES = 6 * 4 + 2 * 8 + 1  # of `engine.mcts.Tree`
PROOF_BYTES = 1 + 4
VALUED_BYTES, VALUED_RESULT_BYTES = 4, 7  # more for the sum of a node, and for a result, if results are real numbers
STEP_BYTES = 4  # of a node on the path from the root
SIMULATION_BYTES = 4 + 1 + 8 + STEP_BYTES + 2 * 8  # of `Growth`, the path and the roots

FIRST_CHUNK = 40_000  # plies before the first report
PARENT, ROOT = LOGS  # the node whose visits the bound's logarithm counts

COLUMNS = 9  # of `Tree`; the others are only of a search that proves
TIMED_BYTES = 1 << 29  # most memory of the nodes of a search limited only by time
MOST_IN_TIME = 20_000_000  # simulations of such a search

MOST_SPARE, MOST_SPARE_BYTES = 2, 64_000_000
_spare: list[tuple[Tree, Growth]] = []  # the memory of released searches
_loaded: set[tuple[type, type | None]] = set()  # the games whose kernel is loaded, each with a function or none


class MonteCarloSearch:
    """A search and its tree. Raises InputError if it is impossible, before anything is allocated.

    It plays a proven win, else the most visited move that is not proven lost. Of equal moves it plays the one with the
    higher mean, then the first. `results` of nodes are for the player whose move led there.
    """

    def __init__(
        self,
        game: Game,
        state: State,
        simulations: int = 500,
        c: float = 1.0,
        log: str = PARENT,
        policy: str = UNIFORM,
        proven: bool = False,
        stream: Stream | None = None,
        most_bytes: int = limits.MOST_BYTES,
        time: float = 0.0,
        timed_bytes: int = 0,
        values: LearnedValues | None = None,
    ) -> None:
        """With a `time` in seconds, `simulations` may be 0: then as many as the time and `timed_bytes` of nodes allow
        [0: the default].

        The time may be infinite. `values` value new leaves instead of playouts.
        """
        open_ended = not simulations
        simulations = simulations or MOST_IN_TIME
        if base.outcome(state) != base.GOING_ON:
            raise InputError(f"the game is over at {game.position_name(state)}: nothing to search")
        self.largest, self.values = int(base.largest_payoff(state)) or None, values
        least = 1 if open_ended else simulations
        if (fault := why_not(state, least, policy, proven, most_bytes, self.real)) is not None:
            raise InputError(fault)
        self._nodes = most_nodes(state, simulations)
        self.most_bytes = most_bytes
        if open_ended:
            in_time = (timed_bytes or TIMED_BYTES) // node_bytes(proven, self.real)
            self._nodes = min(self._nodes, most_nodes(state, 1) + in_time)
        self.time = time
        self.game, self.state = game, base.copy(state)
        self.simulations, self.c, self.log, self.policy, self.proven = simulations, c, log, policy, proven
        self.stream = stream or Stream(0)
        self._by: Evaluation | None = None
        self.seconds = 0.0
        self.against: Opponent | None = None
        self._whole: Tree | None = None
        self._growth: Growth | None = None
        self._at: npt.NDArray[np.int64] | None = None
        self._scratch: tuple[State, npt.NDArray[np.int32]] | None = None  # the current simulation
        self._since = 0.0  # when the clock was started last
        self.spent = 0.0  # seconds of all chunks in the kernel so far
        self.full = False  # is there no room for more nodes?

    # Searching.

    def run(self, progress: Progress = SILENT, until: int | None = None) -> Self:
        """Run all simulations, or `until` there were so many. If cancelled between two chunks, the search is valid
        and may continue.
        """
        from nimtui.engine import mcts

        spot_check(self.state)
        if self.against is None:
            self.against = mcts.opponent()
            if self.policy == PERFECT_OPPONENT:
                self.against = perfect_opponent(self.game, self.state, progress)
        if self.values is not None and self._by is None:
            self._by = self.values.evaluation()
        options = mcts.Options(self.c * self.scale, self.log == ROOT, self.policy == PERFECT_OPPONENT, self.proven)
        if self._whole is None or self._growth is None:
            self._whole, self._growth = self._room()
        if self._at is None or self._scratch is None:
            self._at = mcts.at_first()
            self._scratch = base.copy(self.state), np.empty(len(self._growth.leaf) + 2, np.int32)
        at, (scratch, path) = self._at, self._scratch
        players = self.against, self._by, self.largest and True
        begin = (scratch, self.state.board, self._whole, self._growth, *players, options)
        end = (at, path, self.stream.counter)
        kind = type(self.state), None if self._by is None else type(self._by.function)
        if kind not in _loaded:
            mcts.grow(*begin, mcts.roots(1), *end, self.done, 0)  # compiled, or loaded, before the clock runs
            _loaded.add(kind)
        pace, width = Pace((mcts.grow, *kind), FIRST_CHUNK), int(base.size(self.state))
        roots = mcts.roots(self.simulations if not self.time else 1)
        last = self.simulations if until is None else min(until, self.simulations)
        self._since = perf_counter()
        try:
            while not self.finished and self.done < last:
                remaining = min(progress.seconds_left(), self.time - self.spent if self.time else inf)
                plies, stop, chunk_started = pace.begin(remaining), last, perf_counter()
                if self.time:
                    stop = min(stop, self.done + min(plies, (self._nodes - int(at[mcts.SIZE])) // width))
                    self.full = stop == self.done
                    roots = mcts.roots(stop)
                ended = bool(mcts.grow(*begin, roots, *end, stop, plies))
                pace.end(0 if ended or self.done == stop else plies)
                self.spent += perf_counter() - chunk_started
                if at[mcts.PLY] == MOST_PLIES:
                    raise endless(self.game.name)
                self._tell(progress)
        finally:
            self.seconds += perf_counter() - self._since
        return self

    def extend(self, simulations: int) -> None:
        """Let the search run to so many simulations in all, however long they take. Not while it runs.

        It grows the tree of a search that had so many from the start. Raises InputError if they do not fit into memory.
        """
        size = (simulations, self.policy, self.proven, self.most_bytes, self.real)
        if (fault := why_not(self.state, *size)) is not None:
            raise InputError(fault)
        self.time, self.full, self.simulations = 0.0, False, max(simulations, self.done)
        self._nodes = most_nodes(self.state, self.simulations)
        if self._whole is None or self._growth is None or self._scratch is None:
            return
        ahead = min(2 * self.simulations, self.most_simulations)  # so that a thousand more seldom copies anything
        if len(self._whole.parent) < self._nodes:
            tree, used = type(self._whole), self._size
            columns: list[npt.NDArray[Any]] = list(self._whole)
            self._whole = None  # one column at a time: two whole trees might not fit
            try:
                for place in reversed(range(len(columns) if self.proven else COLUMNS)):
                    columns[place] = longer(columns[place], most_nodes(self.state, ahead), used)
            finally:
                self._whole = tree._make(columns)
        if len(self._growth.leaf) < self.simulations:
            self._growth = type(self._growth)(*(longer(column, ahead, self.done) for column in self._growth))
            scratch, path = self._scratch
            self._scratch = scratch, longer(path, ahead + 2, len(path))

    def prove(self, progress: Progress = SILENT) -> None:
        """Search until the root is proven, or until no more simulations fit into memory."""
        self.run(progress)
        while not self.settled and self.done < self.most_simulations:
            self.extend(min(2 * self.done, self.most_simulations))
            self.run(progress)

    @property
    def most_simulations(self) -> int:
        """The simulations that surely fit into memory."""
        return most_simulations(self.state, self.proven, self.most_bytes, self.real)

    def _tell(self, progress: Progress) -> None:
        """Report the progress: in simulations, or in seconds if there is a time limit. A pause is no time of search."""
        self.seconds += perf_counter() - self._since
        try:
            if self.time == inf:
                progress.report(self.done, 0, "simulations")
            elif self.time:
                progress.report(self.time if self.finished else min(self.spent, self.time), self.time, "simulations")
            else:
                progress.report(self.simulations if self.settled else self.done, self.simulations, "simulations")
        finally:
            self._since = perf_counter()

    def _room(self) -> tuple[Tree, Growth]:
        """Return memory for the tree; the memory of a released search, if large enough, is faster than new memory."""
        from nimtui.engine import mcts

        nodes = self._nodes
        spare = None
        with suppress(IndexError):  # there is none
            spare = _spare.pop()
        if spare is not None and not self.proven and not self.real:
            tree, growth = spare
            if len(tree.parent) >= nodes and len(growth.leaf) >= self.simulations:
                for column in tree:
                    column[0] = 0  # the root
                return spare
        return mcts.tree(nodes, self.proven, self.real), mcts.growth(self.simulations, self.real)

    def release(self) -> None:
        """Give the memory to the next search; after this, neither the search nor its replays may be used."""
        whole, growth = self._whole, self._growth
        self._whole = self._growth = None
        self._at = self._scratch = None
        if whole is None or growth is None or self.proven or self.real or len(_spare) >= MOST_SPARE:
            return
        if self.bytes_needed <= MOST_SPARE_BYTES:
            _spare.append((whole, growth))

    def after(self, move: Move, stream: Stream) -> MonteCarloSearch:
        """Return a search of the position after a move, which continues with what this search found below it.

        Results of all nodes below stay equal. The new root has the visits of its moves: its own first playout belongs
        to the position before. Needs room for both trees; this search stays valid. Raises InputError if the move ends
        the game.
        """
        from nimtui.engine import mcts

        state = base.copy(self.state)
        base.play(state, move)
        open_ended = 0 if self.time else self.simulations
        how = (self.c, self.log, self.policy, self.proven, stream)
        search = MonteCarloSearch(self.game, state, open_ended, *how, time=self.time, values=self.values)
        search.simulations, search._nodes = self.simulations, self._nodes
        tree, growth = self.columns, self.growth
        root = next((child for child in children(tree, 0) if int(tree.move[child]) == move), None)
        if root is None or not tree.visits[root]:
            return search
        search._whole = mcts.tree(self._nodes, self.proven, self.real)
        search._growth = mcts.growth(self.simulations, self.real)
        scratch = np.empty(len(tree.parent), np.int32), np.empty(self.done + 1, np.int32)
        arguments = (tree, growth, root, search._whole, search._growth, *scratch, self.proven)
        search._at = mcts.at_first()
        search._at[mcts.SIZE], search._at[mcts.DONE] = mcts.copy_subtree(*arguments)
        assert self._at is not None  # since it has visited the move
        search._at[mcts.DEEPEST] = self._at[mcts.DEEPEST] - 1
        search._scratch = base.copy(state), np.empty(self.simulations + 2, np.int32)
        return search

    # Results.

    @property
    def real(self) -> bool:
        """Are results real numbers: estimates of a function, or payoffs?"""
        return self.valued or self.largest is not None

    @property
    def scale(self) -> int:
        """The largest payoff, by which the exploration is multiplied; 1 in a game without payoffs."""
        return self.largest or 1

    @property
    def valued(self) -> bool:
        """Does a function value the leaves?"""
        return self.values is not None

    @property
    def done(self) -> int:
        """The number of simulations so far."""
        return 0 if self._at is None else int(self._at[1])

    @property
    def deepest(self) -> int:
        """The depth of the deepest leaf so far."""
        return 0 if self._at is None else int(self._at[4])

    @property
    def _size(self) -> int:
        """The number of nodes, visited or not."""
        return 1 if self._at is None else int(self._at[0])

    @property
    def settled(self) -> bool:
        """Is the root proven? Then the search has ended, even before its last simulation."""
        return self.proven and self._whole is not None and bool(self._whole.proof[0])

    @property
    def finished(self) -> bool:
        late = self.done > 0 and 0 < self.time <= self.spent  # there is at least one simulation
        return self.settled or self.done == self.simulations or self.full or late

    @property
    def columns(self) -> Tree:
        """All nodes of the tree; unvisited nodes have 0 visits and no mean."""
        from nimtui.engine import mcts

        whole = self._whole if self._whole is not None else mcts.tree(1, self.proven, self.real)
        return mcts.Tree._make(column[: self._size] for column in whole)

    @property
    def growth(self) -> Growth:
        """The record of each simulation."""
        from nimtui.engine import mcts

        whole = self._growth if self._growth is not None else mcts.growth(0, self.real)
        return mcts.Growth._make(column[: self.done] for column in whole)

    @property
    def nodes(self) -> int:
        """The number of visited nodes, including the root."""
        return int(np.count_nonzero(self.columns.visits[1:])) + 1

    @property
    def survey(self) -> tuple[int, list[int]]:
        """The number of leaves; and for every move of the root the visited nodes of its subtree."""
        from nimtui.engine import mcts

        tree = self.columns
        below = np.empty(len(tree.parent), np.int64)
        leaves = int(mcts.survey(tree, below)[1])
        counts = [int(below[child]) for child in children(tree, 0)]
        return leaves, counts or [0] * int(base.count(self.state))

    @property
    def bytes_needed(self) -> int:
        """The most memory the search can take, in bytes."""
        return self._nodes * node_bytes(self.proven, self.real) + self.simulations * simulation_bytes(self.real)

    @property
    def space(self) -> Space:
        """The memory that the search used so far. The tree has nodes for untried moves, too."""
        node = node_bytes(self.proven, self.real)
        simulations = self.done * (simulation_bytes(self.real) - STEP_BYTES)
        path = STEP_BYTES * (self.deepest + 1) if self.done else 0
        return Space(self._size, node, self._size, self.deepest, path, simulation_bytes=simulations)

    @property
    def moves(self) -> list[MoveResult]:
        """Every move of the root, in the order of the moves."""
        tree = self.columns
        if not children(tree, 0):
            return [MoveResult(move, None, visits=0) for move in base.legal_moves(self.state)]
        return [report(tree, child, self.c * self.scale) for child in children(tree, 0)]

    @property
    def best(self) -> MoveResult:
        """The move that the search plays."""
        return max(self.moves, key=lambda result: rank(result.proven, result.visits or 0, result.mean))

    @property
    def value(self) -> float:
        """The value of the best move for the player to move, −1 to 1 or in payoffs; 0 before the first simulation."""
        return self.best.value or 0.0

    @property
    def principal_variation(self) -> list[Move]:
        """The best move, the best answer to it, and so on, as far as moves were visited."""
        return principal_variation(self.columns)


# What the nodes say: the results of moves, their rank, the best line.


def report(tree: Tree, child: int, c: float) -> MoveResult:
    """Return the results for the move that leads to this child of the root; `c` is the weight of exploration."""
    move, visits, proven = int(tree.move[child]), int(tree.visits[child]), proof_of(tree, child)
    if not visits:
        return MoveResult(move, None, visits=0)
    mean = float(tree.total[child]) / visits
    if proven is not None:
        return MoveResult(move, float(proven), visits=visits, mean=mean, ucb=proven, proven=proven)
    bonus = c * float(np.sqrt(np.log(int(tree.visits[0])) / visits))
    return MoveResult(move, mean, visits=visits, mean=mean, ucb=mean + bonus)


def principal_variation(tree: Tree) -> list[Move]:
    """Return the best move, the best answer to it, and so on, as far as moves were visited."""
    node, line = 0, []
    while below := [child for child in children(tree, node) if tree.visits[child]]:
        node = max(below, key=lambda at: rank(proof_of(tree, at), int(tree.visits[at]), float(tree.mean[at])))
        line.append(int(tree.move[node]))
    return line


def children(tree: Tree, node: int) -> range:
    """Return the children of a node, visited or not; none while a running search still adds them."""
    first, width = int(tree.first[node]), int(tree.width[node])
    return range(first, first + width) if first + width <= len(tree.parent) else range(0)


def proof_of(tree: Tree, node: int) -> int | None:
    """Return the proven value of a node for the player whose move led there: 1, 0, −1; None if unproven."""
    if len(tree.proof) <= node or not tree.visits[node] or not tree.proof[node]:
        return None
    return {base.WON: 1, base.LOST: -1}.get(int(tree.proof[node]), 0)


def rank(proven: int | None, visits: int, mean: float | None) -> tuple[int, int, float]:
    """Return the sort key of a move: proven wins first, proven losses last, else by visits, then by mean."""
    return 0 if proven is None else proven, visits, mean or 0.0


def longer(column: npt.NDArray[Any], size: int, used: int) -> npt.NDArray[Any]:
    """Return a copy of the used entries, with room for `size`."""
    copy = np.empty(size, column.dtype)
    copy[:used] = column[:used]
    return copy


def perfect_opponent(game: Game, state: State, progress: Progress = SILENT) -> Opponent:
    """Return the perfect player for the playouts of a search from this position."""
    from nimtui.engine import exact, graph, mcts
    from nimtui.theory.truth import truth, truth_from

    solution = truth(game, progress)
    if graph.node_at(solution.graph, state) < 0:  # the position is unreachable from the start
        solution = truth_from(graph.build(state, progress), progress)
    return mcts.opponent(solution.graph, exact.perfect(solution.graph, solution.values))


# The memory of a search, known before it allocates any.


def most_nodes(state: State, simulations: int) -> int:
    """Return the most nodes of this many simulations: each adds at most the children of one node."""
    return 1 + simulations * int(base.size(state))


def node_bytes(proven: bool, valued: bool) -> int:
    """Return the bytes of a node."""
    return NODE_BYTES + (PROOF_BYTES if proven else 0) + (VALUED_BYTES if valued else 0)


def simulation_bytes(valued: bool) -> int:
    """Return the bytes of a simulation."""
    return SIMULATION_BYTES + (VALUED_RESULT_BYTES if valued else 0)


def bytes_needed(state: State, simulations: int, proven: bool = False, valued: bool = False) -> int:
    """Return the most memory of a search of this many simulations, in bytes."""
    return most_nodes(state, simulations) * node_bytes(proven, valued) + simulations * simulation_bytes(valued)


def why_not(state: State, simulations: int, policy: str, proven: bool, most_bytes: int, valued: bool) -> str | None:
    """Return why such a search is impossible, in one line; None if it is possible. Allocates nothing."""
    needed = bytes_needed(state, simulations, proven, valued)
    if needed > most_bytes:
        room = most_simulations(state, proven, most_bytes, valued)
        return (
            f"{simulations:,} simulations could need {Bytes(needed)} ({needed:,} bytes) for their tree, "
            f"more than the {Bytes(most_bytes)} allowed: at most {room:,} fit"
        )
    if base.largest_payoff(state) and (proven or policy == PERFECT_OPPONENT):
        option = "proven=yes" if proven else f"policy={policy}"
        return f"this game ends with a number: mcts has no {option} for it"
    if policy == PERFECT_OPPONENT and (fault := limits.why_no_graph(state)) is not None:
        return f"no perfect opponent for the playouts: {fault}"
    return None


def most_simulations(state: State, proven: bool, most_bytes: int, valued: bool = False) -> int:
    """Return how many simulations surely fit into so many bytes."""
    none, one = (bytes_needed(state, simulations, proven, valued) for simulations in (0, 1))
    return (most_bytes - none) // (one - none)
