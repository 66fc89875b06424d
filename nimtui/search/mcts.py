"""Monte Carlo tree search of one position: run in chunks, looked at and stopped at any time, and continued.

The tree stays as it grew: `nimtui.search.mcts_replay` shows it after any simulation.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from nimtui.engine import memory
from nimtui.engine.own_rules import spot_check
from nimtui.engine.pace import SECONDS, Pace
from nimtui.engine.plies import MOST_PLIES, endless
from nimtui.engine.rng import Stream
from nimtui.errors import InputError
from nimtui.games import Game, base
from nimtui.games.base import Move, State
from nimtui.progress import SILENT, Progress
from nimtui.search.settings import LOGS, POLICIES

if TYPE_CHECKING:
    from nimtui.engine.mcts import Growth, Opponent, Tree

FIRST_CHUNK = 40_000  # plies before the first report
PARENT, ROOT = LOGS  # whose count the bound takes the logarithm of
UNIFORM, PERFECT_OPPONENT = POLICIES

NODE_BYTES = 6 * 4 + 2 * 8 + 1  # as `engine.mcts.Tree` has them
PROOF_BYTES = 1 + 4
SIMULATION_BYTES = 4 + 1 + 8 + 4 + 2 * 8  # of `Growth`, the path and the roots

TIMED_BYTES = 1 << 29  # that the nodes of a search with a time and no number of simulations may take
MOST_IN_TIME = 20_000_000  # simulations of such a search

MOST_SPARE, MOST_SPARE_BYTES = 2, 64_000_000
_spare: list[tuple[Tree, Growth]] = []  # left by searches that were released
_loaded: set[type] = set()  # the games whose kernel is there


@dataclass(frozen=True, slots=True)
class MoveReport:
    """What the search found out about one move of the root, for the player who makes it."""

    move: Move
    visits: int
    mean: float | None  # of the results, −1 to 1; None where it was never tried
    ucb: float | None  # mean + c·√(ln N / n)
    proven: int | None  # 1, 0, −1: what it is worth for certain

    @property
    def value(self) -> float | None:
        """What is proven of it, else the mean."""
        return self.mean if self.proven is None else float(self.proven)


class MonteCarloSearch:
    """The search and its tree. InputError, before anything is allocated, where it cannot be.

    One move is played: a proven win; else the most visited of those not proven lost; of equals the one with the higher
    mean, then the first. `results` of nodes are for the player whose move led there.
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
        most_bytes: int = memory.MOST_BYTES,
        time: float = 0.0,
    ) -> None:
        """`simulations` may be 0 where there is a time, in seconds: then there are as many as it allows."""
        open_ended = not simulations
        simulations = simulations or MOST_IN_TIME
        if base.outcome(state) != base.GOING_ON:
            raise InputError(f"the game is over at {game.position_name(state)}, there is nothing to search")
        if not open_ended and (fault := why_not(state, simulations, policy, proven, most_bytes)) is not None:
            raise InputError(fault)
        if open_ended and (fault := why_not(state, 1, policy, proven, most_bytes)) is not None:
            raise InputError(fault)
        self._nodes = most_nodes(state, simulations)
        if open_ended:
            self._nodes = min(self._nodes, most_nodes(state, 1) + TIMED_BYTES // NODE_BYTES)
        self.time = time
        self.game, self.state = game, base.copy(state)
        self.simulations, self.c, self.log, self.policy, self.proven = simulations, c, log, policy, proven
        self.stream = stream or Stream(0)
        self.seconds = 0.0
        self.against: Opponent | None = None
        self._whole: Tree | None = None
        self._growth: Growth | None = None
        self._at: npt.NDArray[np.int64] | None = None
        self._scratch: tuple[State, npt.NDArray[np.int32]] | None = None  # where the simulation at hand is
        self._spent = 0.0  # seconds in the kernel
        self._full = False  # is there no more room for nodes?

    # Searching.

    def run(self, progress: Progress = SILENT) -> MonteCarloSearch:
        """Simulate to the end. Cancelled between two chunks it is valid as far as it came, and may go on."""
        from nimtui.engine import mcts

        spot_check(self.state)
        if self.against is None:
            self.against = mcts.opponent()
            if self.policy == PERFECT_OPPONENT:
                self.against = perfect_opponent(self.game, self.state, progress)
        options = mcts.Options(self.c, self.log == ROOT, self.policy == PERFECT_OPPONENT, self.proven)
        if self._whole is None or self._growth is None:
            self._whole, self._growth = self._room()
        if self._at is None or self._scratch is None:
            self._at = mcts.at_first()
            self._scratch = base.copy(self.state), np.empty(self.simulations + 2, np.int32)
        at, (scratch, path) = self._at, self._scratch
        begin = (scratch, self.state.board, self._whole, self._growth, self.against, options)
        end = (at, path, self.stream.counter)
        if type(self.state) not in _loaded:
            mcts.grow(*begin, mcts.roots(1), *end, self.done, 0)  # compiled, or loaded, before the clock runs
            _loaded.add(type(self.state))
        pace, width = Pace((mcts.grow, type(self.state)), FIRST_CHUNK), int(base.size(self.state))
        roots = mcts.roots(self.simulations if not self.time else 1)
        began = perf_counter()
        try:
            while not self.finished:
                plies, until, chunk_began = pace.begin(), self.simulations, perf_counter()
                if self.time:
                    plies = 1 + int(plies * min(1.0, (self.time - self._spent) / SECONDS))
                    until = min(until, self.done + min(plies, (self._nodes - int(at[mcts.SIZE])) // width))
                    self._full = until == self.done
                    roots = mcts.roots(until)
                ended = bool(mcts.grow(*begin, roots, *end, until, plies))
                pace.end(0 if ended or self.done == until else plies)
                self._spent += perf_counter() - chunk_began
                if at[mcts.PLY] == MOST_PLIES:
                    raise endless(self.game.name)
                self._tell(progress)
        finally:
            self.seconds += perf_counter() - began
        return self

    def _tell(self, progress: Progress) -> None:
        """Report how far it is: in simulations, or where there may be any number of them in seconds."""
        if self.time:
            progress.report(self.time if self.finished else min(self._spent, self.time), self.time, "simulations")
        else:
            progress.report(self.simulations if self.settled else self.done, self.simulations, "simulations")

    def _room(self) -> tuple[Tree, Growth]:
        """Memory for the tree: what another search left behind, where that suffices, is quicker than new memory."""
        from nimtui.engine import mcts

        nodes = self._nodes
        with suppress(IndexError):
            tree, growth = _spare.pop()
            if not self.proven and len(tree.parent) >= nodes and len(growth.leaf) >= self.simulations:
                for column in tree:
                    column[0] = 0  # the root
                return tree, growth
        return mcts.tree(nodes, self.proven), mcts.growth(self.simulations)

    def release(self) -> None:
        """Leave the memory to the next search: of this one nothing may be asked any more, nor of its replays."""
        whole, growth = self._whole, self._growth
        self._whole = self._growth = None
        self._at = self._scratch = None
        if whole is None or growth is None or self.proven or len(_spare) >= MOST_SPARE:
            return
        if self.bytes_needed <= MOST_SPARE_BYTES:
            _spare.append((whole, growth))

    # What it has found.

    @property
    def done(self) -> int:
        """How many simulations there have been."""
        return 0 if self._at is None else int(self._at[1])

    @property
    def _size(self) -> int:
        """How many nodes there are, visited or not."""
        return 1 if self._at is None else int(self._at[0])

    @property
    def settled(self) -> bool:
        """Is the root proven? Then the search has ended, however many simulations it might have had."""
        return self.proven and self._whole is not None and bool(self._whole.proof[0])

    @property
    def finished(self) -> bool:
        return self.settled or self.done == self.simulations or self._full or self._late

    @property
    def _late(self) -> bool:
        """Is its time up? It looks at one move at least."""
        return self.time > 0 and self._spent >= self.time and self.done > 0

    @property
    def tree(self) -> Tree:
        """All nodes there are; those never visited have 0 visits and no mean."""
        from nimtui.engine import mcts

        whole = self._whole if self._whole is not None else mcts.tree(1, self.proven)
        return mcts.Tree._make(column[: self._size] for column in whole)

    @property
    def growth(self) -> Growth:
        """What each simulation did."""
        from nimtui.engine import mcts

        whole = self._growth if self._growth is not None else mcts.growth(0)
        return mcts.Growth._make(column[: self.done] for column in whole)

    @property
    def nodes(self) -> int:
        """The nodes that were visited, and the root."""
        return int(np.count_nonzero(self.tree.visits[1:])) + 1

    @property
    def leaves(self) -> int:
        """The visited nodes of which no move was tried."""
        return self.survey[0]

    @property
    def survey(self) -> tuple[int, list[int]]:
        """The leaves; and for every move of the root how many nodes were visited from the position after it on."""
        from nimtui.engine import mcts

        tree = self.tree
        below = np.empty(len(tree.parent), np.int64)
        leaves = int(mcts.survey(tree, below)[1])
        counts = [int(below[child]) for child in children(tree, 0)]
        return leaves, counts or [0] * int(base.count(self.state))

    @property
    def bytes_needed(self) -> int:
        """The most memory it can take."""
        node = NODE_BYTES + (PROOF_BYTES if self.proven else 0)
        return self._nodes * node + self.simulations * SIMULATION_BYTES

    @property
    def peak_bytes(self) -> int:
        """What tree and growth take, without what was set aside and never used."""
        node = NODE_BYTES + (PROOF_BYTES if self.proven else 0)
        return self._size * node + self.done * SIMULATION_BYTES

    @property
    def moves(self) -> list[MoveReport]:
        """Every move of the root, in the order of the moves."""
        tree = self.tree
        if not children(tree, 0):
            return [MoveReport(move, 0, None, None, None) for move in base.legal_moves(self.state)]
        return [self._report(tree, child) for child in children(tree, 0)]

    @property
    def best(self) -> MoveReport:
        """The move it plays."""
        return max(self.moves, key=lambda found: (*rank(found.proven, found.visits), found.mean or 0.0))

    @property
    def value(self) -> float:
        """What the best move is worth to the player to move: −1 to 1; 0 before the first simulation."""
        return self.best.value or 0.0

    @property
    def principal_variation(self) -> list[Move]:
        """The best move, the best answer to it, and so on, as long as anything is known of them."""
        tree, node, line = self.tree, 0, []
        while children(tree, node):
            node = max(children(tree, node), key=lambda child: (*_rank(tree, child), -child))
            if not tree.visits[node]:
                break
            line.append(int(tree.move[node]))
        return line

    def _report(self, tree: Tree, child: int) -> MoveReport:
        visits = int(tree.visits[child])
        proven = proof_of(tree, child)
        if not visits:
            return MoveReport(int(tree.move[child]), 0, None, None, proven)
        mean = int(tree.total[child]) / visits
        bonus = self.c * float(np.sqrt(np.log(int(tree.visits[0])) / visits))
        return MoveReport(int(tree.move[child]), visits, mean, mean + bonus if proven is None else proven, proven)


def children(tree: Tree, node: int) -> range:
    """The children of a node, those not visited too; none where they are still being added by a search that runs."""
    first, width = int(tree.first[node]), int(tree.width[node])
    return range(first, first + width) if width and first + width <= len(tree.parent) else range(0)


def proof_of(tree: Tree, node: int) -> int | None:
    """What is proven of a node, for the player whose move led there: 1, 0, −1; None where nothing is."""
    if len(tree.proof) <= node or not tree.visits[node] or not tree.proof[node]:
        return None
    return {base.WON: 1, base.LOST: -1}.get(int(tree.proof[node]), 0)


def _rank(tree: Tree, child: int) -> tuple[int, int, float]:
    visits = int(tree.visits[child])
    return (*rank(proof_of(tree, child), visits), float(tree.mean[child]) if visits else 0.0)


def rank(proven: int | None, visits: int) -> tuple[int, int]:
    """A proven win before all, a proven loss behind all, else by visits."""
    return (0 if proven is None else proven, visits)


def most_nodes(state: State, simulations: int) -> int:
    """No search of so many simulations can need more: each adds the children of one node at most."""
    return 1 + simulations * int(base.size(state))


def bytes_needed(state: State, simulations: int, proven: bool = False) -> int:
    """The most a search of so many simulations can take."""
    node = NODE_BYTES + (PROOF_BYTES if proven else 0)
    return most_nodes(state, simulations) * node + simulations * SIMULATION_BYTES


def why_not(
    state: State, simulations: int, policy: str = UNIFORM, proven: bool = False, most_bytes: int = memory.MOST_BYTES
) -> str | None:
    """Why there cannot be such a search, in one line; None if there can. Allocates nothing."""
    needed = bytes_needed(state, simulations, proven)
    if needed > most_bytes:
        room = most_bytes // bytes_needed(state, 1, proven)
        return (
            f"{simulations:,} simulations could need {memory.in_units(needed)} ({needed:,} bytes) for their tree, "
            f"more than the {memory.in_units(most_bytes)} allowed: at most {room:,} fit"
        )
    if policy == PERFECT_OPPONENT and (fault := memory.why_no_graph(state)) is not None:
        return f"no perfect opponent for the playouts: {fault}"
    return None


def perfect_opponent(game: Game, state: State, progress: Progress = SILENT) -> Opponent:
    """Who plays perfectly in the playouts of a search from this position."""
    from nimtui.engine import exact, graph, mcts
    from nimtui.theory.truth import truth, truth_from

    known = truth(game, progress)
    if graph.node_at(known.graph, state) < 0:  # a position that play from the start cannot come to
        known = truth_from(graph.build(state, progress), progress)
    return mcts.opponent(known.graph, exact.perfect(known.graph, known.values))
