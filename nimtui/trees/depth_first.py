"""Minimax and alpha-beta: the iterations of a search, each run in chunks, and their result.

The size of a search is estimated from a few random games. Source: Knuth, "Estimating the Efficiency of Backtrack
Programs", 1975.
"""

from __future__ import annotations

import math
from dataclasses import replace
from math import inf
from time import perf_counter
from typing import TYPE_CHECKING, Self

from nimtui.engine import limits, windows
from nimtui.engine.limits import Pace
from nimtui.engine.own_rules import spot_check
from nimtui.engine.rng import Stream
from nimtui.engine.windows import DECIDED, ENTRY_BYTES, EXACT, INFINITY, LONGEST, LOWER, UPPER, WIN, record_bytes
from nimtui.errors import InputError
from nimtui.games import Game, base
from nimtui.games.base import Move, State
from nimtui.progress import SILENT, Progress
from nimtui.report.values import Bytes
from nimtui.trees.result import Iteration, MoveResult, Result, Space, Standing, best_first
from nimtui.trees.settings import ALPHA_BETA, BEST_FIRST, DEFAULT, FLAT, KILLER, NATURAL, ORIGINAL, TO_THE_END, Settings
from nimtui.trees.tree import Tree

if TYPE_CHECKING:
    from nimtui.engine.alpha_beta import Options, Order, Record, Roots, Stack, Table
    from nimtui.learning.saved_tables import LearnedValues

GAMES = 60
MOST_NODES = 1e13  # a day and more
ENOUGH = 1e60  # the estimate stops at this size


def tree_nodes(state: State, depth: int, games: int = GAMES, seed: int = 0) -> float:
    """Estimate the nodes of the whole tree down to this ply, the root included.

    The estimate is the mean over some random games. Each counts as if all moves had as many answers as those it met.
    In trees that consist mostly of few long games, as in Nim, it is often ten times too low or more.
    """
    stream, total = Stream(seed), 0.0
    at = base.copy(state)
    for _ in range(games):
        base.restore(at, state.board)
        width = nodes = 1.0
        for _ in range(depth):
            if base.outcome(at) != base.GOING_ON or nodes > ENOUGH:
                break
            moves = int(base.count(at))
            width *= moves
            nodes += width
            base.play(at, base.nth(at, stream.below(moves)))
        total += nodes
    return total / games


def why_endless(game: Game, state: State, depth: int, cutting: bool) -> str | None:
    """Return why such a search would take too long, in one line; None if it may end.

    With the best pruning the search visits the square root of all nodes.
    """
    if int(base.count(state)) ** min(depth, 1000) <= MOST_NODES:
        return None
    nodes = tree_nodes(state, depth)
    if cutting:
        nodes = math.sqrt(nodes)
    if nodes <= MOST_NODES:
        return None
    return (
        f"{game.name} has too many positions for that depth, about 10^{round(math.log10(nodes))} "
        f"{'nodes even with the best pruning' if cutting else 'nodes'}: give a smaller depth, or a table"
    )


FIRST_CHUNK = 2_000  # nodes
LINE_CHUNK = 100_000  # nodes before the first report of the search for the best line
BEST_LINE = "finding the best line"  # what a finished search reports that it does
FOR_THE_LINE = 0.1  # share of a search's time for finding the best line beyond its first move
REMEMBERED = 1 << 16  # positions whose best moves the next iteration knows, without a table
BOUNDS = {EXACT: "exact", LOWER: "lower", UPPER: "upper"}
FLAT_WIN = 1000


class DepthFirst:
    """A depth-first search. Raises InputError if it is impossible, before anything is allocated.

    `record` stores the first `most_nodes` nodes of the last iteration.
    """

    def __init__(
        self,
        game: Game,
        state: State,
        settings: Settings,
        record: bool,
        most_nodes: int,
        values: LearnedValues | None = None,
    ) -> None:
        if base.outcome(state) != base.GOING_ON:
            raise InputError(f"the game is over at {game.position_name(state) or 'this position'}: nothing to search")
        self.game, self.state = game, base.copy(state)
        self.settings = replace(settings, largest=int(base.largest_payoff(state)))
        self.most_nodes = most_nodes if record else 0
        self._iterates = settings.deepens
        self._plies = LONGEST if settings.depth == TO_THE_END else settings.depth
        self._refuse()
        self.seconds = 0.0
        self.finished = False
        self._spent = 0.0  # seconds in the kernel
        self._iterations: list[Iteration] = []
        self._moves: tuple[MoveResult, ...] = ()  # of the last finished iteration
        self._exact = False
        self._line: tuple[Move, ...] = ()
        self._recorded_line: tuple[Move, ...] = ()  # of the last finished iteration
        self._before = [0] * 5  # counts of the previous iterations
        self._board = self.state.board.copy()  # the current position of the search
        self._by = None if values is None else values.evaluation()
        self._stack: Stack | None = None
        self._roots: Roots | None = None
        self._record: Record | None = None
        self._order: Order | None = None
        self._table: Table | None = None
        self._frames = self._listed = 0  # the most in the previous iterations
        self._filled: int | None = None  # entries of the table when the search was finished
        self._started = 0.0  # when the clock was started last
        self.trees = 0  # the iterations begun: each records a new tree

    def _refuse(self) -> None:
        settings, state = self.settings, self.state
        if settings.table and int(base.key(state)) < 0:
            raise InputError(f"positions of {self.game.name} have no numbers: no table is possible, use table=0")
        if self.bytes_needed > limits.MOST_BYTES:
            raise InputError(
                f"the search would need {Bytes(self.bytes_needed)} ({self.bytes_needed:,} bytes), more than "
                f"the {Bytes(limits.MOST_BYTES)} allowed: {self.most_nodes:,} recorded nodes of "
                f"{record_bytes(int(base.size(state)))} bytes, {settings.table:,} table entries of {ENTRY_BYTES}"
            )
        if not self._iterates and not settings.table:
            fault = why_endless(self.game, state, self._plies, settings.algorithm == ALPHA_BETA)
            if fault is not None:
                raise InputError(fault)

    @property
    def bytes_needed(self) -> int:
        size = int(base.size(self.state))
        needed = self.most_nodes * record_bytes(size) + self._entries * ENTRY_BYTES + windows.stack_bytes(self._plies)
        return needed + (windows.order_bytes(self._plies, size) if self.settings.order != NATURAL else 0)

    @property
    def _entries(self) -> int:
        if self.settings.order == BEST_FIRST and not self.settings.table and int(base.key(self.state)) >= 0:
            return REMEMBERED
        return self.settings.table

    # Searching.

    def run(self, progress: Progress = SILENT) -> Self:
        from nimtui.engine import alpha_beta

        spot_check(self.state)
        while not self.finished:
            self._started = perf_counter()
            try:
                if self._stack is None:
                    self._begin()
                assert self._stack is not None and self._roots is not None
                scratch = base.with_board(self.state, self._board)
                arguments = (self._stack, self._options, self._roots, self._record, self._order, self._table, self._by)
                alpha_beta.search(scratch, *arguments, 0)  # compiled, or loaded, before the clock runs
                self._started = perf_counter()
                if self._chunks(scratch, arguments, progress):
                    self._end()
                else:
                    self.finished = True  # the time is up
            finally:
                self.seconds += perf_counter() - self._started
            if self.finished:
                self._filled = self._filled_now  # before the search for the line fills more
                self._line = self._principal_variation(progress)
        return self

    @property
    def complete(self) -> bool:
        """Has the last iteration searched every game to its end? Then more depth changes nothing."""
        from nimtui.engine.alpha_beta import GUESSED

        return self._stack is not None and not self._stack.at[GUESSED]

    def deepen(self) -> None:
        """Let a finished search that deepens search one ply deeper, with the table and the move order that it has."""
        from nimtui.engine import alpha_beta

        assert self._iterates and self.finished
        self._before, self._stack = self._sums, None
        self.finished, self._filled, self._line = False, None, ()
        self.settings = replace(self.settings, depth=self._iterations[-1].depth + 1)
        self._plies = self.settings.depth
        if self._order is not None:
            killers = self._order.killers
            self._order = alpha_beta.order(self._plies, int(base.size(self.state)), base.legal_moves(self.state))
            self._order.killers[: len(killers)] = killers

    def _chunks(self, scratch: State, arguments: tuple[object, ...], progress: Progress) -> bool:
        """Search this iteration to its end; return False if the time is up before."""
        from nimtui.engine import alpha_beta
        from nimtui.engine.alpha_beta import GUESSED, NODES

        assert self._stack is not None
        at = self._stack.at
        pace, done = Pace((alpha_beta.search, type(scratch)), FIRST_CHUNK), False
        what = f"nodes, depth {self._options.depth}" if self._iterates else "nodes"
        while not done:
            most = (1 - FOR_THE_LINE) * self.settings.time  # the last part of the time is for the best line
            if (remaining := most - self._spent if most else inf) <= 0:
                return False
            chunk_started, wanted = perf_counter(), pace.begin(min(remaining, progress.seconds_left()))
            done = bool(alpha_beta.search(scratch, *arguments, int(at[NODES]) + wanted))
            if self._options.endless and at[GUESSED]:
                raise InputError(f"{self.game.name} lasts more than {LONGEST:,} moves: give a depth")
            pace.end(0 if done else wanted)
            self._spent += perf_counter() - chunk_started
            self.seconds += perf_counter() - self._started
            try:
                progress.report(self.nodes, 0, what)
            finally:
                self._started = perf_counter()  # a pause is no time of search
        return True

    @property
    def _options(self) -> Options:
        from nimtui.engine.alpha_beta import Options

        settings = self.settings
        heuristic = FLAT if self.game.pays else settings.heuristic  # payoffs have no code of plies
        win, step = {DEFAULT: (WIN, 1), FLAT: (FLAT_WIN, 0), ORIGINAL: (0, 0)}[heuristic]
        depth = len(self._iterations) + 1 if self._iterates else self._plies
        endless, prunes = settings.depth == TO_THE_END and not self._iterates, settings.algorithm == ALPHA_BETA
        orders = settings.order == KILLER, settings.order == BEST_FIRST
        return Options(depth, endless, prunes, win, step, *orders, settings.table > 0)

    def _begin(self) -> None:
        """Prepare the next iteration; it reuses the move order and the table of the previous one."""
        from nimtui.engine import alpha_beta

        self.trees += 1
        size = int(base.size(self.state))
        self._stack, self._roots = alpha_beta.stack(self._plies), alpha_beta.roots(size)
        if self.most_nodes and self._record is None:
            self._record = alpha_beta.record(self.most_nodes, size)
        elif self._record is not None:
            alpha_beta.enter_root(self._record)
        if self._entries and self._table is None:
            self._table = alpha_beta.table(self._entries)
        if self.settings.order != NATURAL:
            if self._order is None:
                self._order = alpha_beta.order(self._plies, size, base.legal_moves(self.state))
            if self.settings.order == BEST_FIRST and self._moves:
                self._order.moves[: len(self._moves)] = best_first(self._moves, self._iterations[-1].best_move)

    def _end(self) -> None:
        """Store the result of an iteration, and decide whether it was the last."""
        from nimtui.engine.alpha_beta import GUESSED, NODES

        assert self._stack is not None
        self._moves = self._believed()
        stack, depth = self._stack, self._options.depth
        value, move = int(stack.best[0]), int(stack.best_move[0])
        decided = not self.game.pays and self.settings.heuristic == DEFAULT and abs(value) > DECIDED
        sure = self.game.pays or self.settings.heuristic != ORIGINAL
        self._exact = decided or (int(stack.at[GUESSED]) == 0 and sure)
        ended = int(stack.at[GUESSED]) == 0 or decided
        seconds = self.seconds + perf_counter() - self._started
        self._iterations.append(Iteration(depth, int(stack.at[NODES]), value, move, seconds))
        self.finished = ended or depth >= self._plies
        if self._record is not None and (self.finished or self.settings.time):
            tree = self.tree
            self._recorded_line = tree.line(tree.principal[-1])
        self._frames, self._listed = self._deepest
        if not self.finished:
            self._before, self._stack = self._sums, None

    # Results.

    @property
    def _counts(self) -> list[int]:
        """Of this iteration: nodes, leaves, cutoffs, moves skipped by these, table hits."""
        from nimtui.engine.alpha_beta import CUTOFFS, HITS, LEAVES, NODES, SKIPPED

        if self._stack is None:
            return [0] * 5
        return [int(self._stack.at[place]) for place in (NODES, LEAVES, CUTOFFS, SKIPPED, HITS)]

    @property
    def _sums(self) -> list[int]:
        """The same counts of all iterations together."""
        return [before + now for before, now in zip(self._before, self._counts, strict=True)]

    @property
    def nodes(self) -> int:
        return self._sums[0]

    def _believed(self) -> tuple[MoveResult, ...]:
        """Return the results of this iteration for the root's moves."""
        moves = base.legal_moves(self.state)
        if self._roots is None:
            return tuple(MoveResult(move, None) for move in moves)
        roots, results = self._roots, []
        for move in moves:
            bound = BOUNDS.get(int(roots.bound[move]))
            value = int(roots.value[move]) if bound else None
            results.append(MoveResult(move, value, bound, int(max(0, roots.ended[move] - roots.begun[move]))))
        return tuple(results)

    @property
    def standing(self) -> Standing:
        value, best = self._best
        depth = TO_THE_END if self._options.endless else min(self._options.depth, self._plies)
        moves = self._moves or self._believed()
        return Standing(self.settings, self.nodes, 0, self._spent, depth, best, value, self._exact, moves)

    @property
    def _best(self) -> tuple[int | None, Move | None]:
        """The value and the best move of the last finished iteration, else of the first one so far."""
        if self._iterations:
            return self._iterations[-1].value, self._iterations[-1].best_move
        if self._stack is not None and self._stack.best[0] > -INFINITY:
            return int(self._stack.best[0]), int(self._stack.best_move[0])
        return None, None

    @property
    def result(self) -> Result:
        nodes, leaves, cutoffs, skipped, hits = self._sums
        value, best = self._best
        moves = self._moves or self._believed()
        if best is None and self.finished:
            best = moves[0].move  # there was no time even for the first move
        depth = self._iterations[-1].depth if self._iterations else None
        endless = self.settings.depth == TO_THE_END and not self._iterates
        return Result(
            self.settings,
            self.finished,
            nodes,
            leaves,
            cutoffs,
            skipped,
            hits,
            value=value,
            exact=self._exact,
            best_move=best,
            principal_variation=self._line or self._remembered(best),
            seconds=self.seconds,
            space=self.space,
            moves=moves,
            depth=TO_THE_END if endless and depth is not None else depth,
            iterations=tuple(self._iterations),
            searching=self._searching,
        )

    def _remembered(self, best: Move | None) -> tuple[Move, ...]:
        """Return the line of the last finished iteration, as far as the table still knows it.

        The line ends early where the slot of a position now holds another one.
        """
        from nimtui.engine import alpha_beta

        if best is None or self._table is None or not self._iterations:
            return () if best is None else (best,)
        at, moves = base.copy(self.state), [best]
        base.play(at, best)
        while base.outcome(at) == base.GOING_ON and len(moves) < self._iterations[-1].depth:
            move = int(alpha_beta.remembered(self._table, int(base.key(at))))
            if move < 0 or not base.legal(at, move):
                break
            moves.append(move)
            base.play(at, move)
        return tuple(moves)

    @property
    def _searching(self) -> Move | None:
        """The root's move whose subtree is being searched; None if it is between two of them."""
        from nimtui.engine.alpha_beta import PLY

        stack = self._stack
        return None if self.finished or stack is None or stack.at[PLY] <= 0 else int(stack.move[0])

    @property
    def space(self) -> Space:
        """The memory that the search used so far."""
        visited = max([self._counts[0], *(done.nodes for done in self._iterations)])
        frames, listed = self._deepest
        stack = windows.used_bytes(frames, self._order is not None, listed)
        space = Space(visited, record_bytes(int(base.size(self.state))), min(self.most_nodes, visited), frames, stack)
        if self._table is None:
            return space
        filled = self._filled_now if self._filled is None else self._filled
        entries = len(self._table.key)
        return replace(space, table_used=filled, table_entries=entries, table_bytes=entries * ENTRY_BYTES)

    @property
    def _deepest(self) -> tuple[int, int]:
        """The most frames on the stack, and the most listed moves of the move order, in any iteration."""
        from nimtui.engine.alpha_beta import DEEPEST, LISTED

        if self._stack is None:
            return self._frames, self._listed
        at = self._stack.at
        listed = 0 if self._order is None else max(int(at[LISTED]), int(self._order.first[1]))
        return max(self._frames, int(at[DEEPEST]) + 1), max(self._listed, listed)

    @property
    def _filled_now(self) -> int | None:
        """The used entries of the table; None without one."""
        from nimtui.engine import alpha_beta

        return None if self._table is None else alpha_beta.used(self._table)

    @property
    def tree(self) -> Tree:
        """The recorded nodes of the last iteration, finished or not."""
        if self._record is None or self._stack is None:
            raise InputError("this search recorded no tree")
        return Tree(self.game, self.state, self.settings, self._record, self._stack)

    def _principal_variation(self, progress: Progress) -> tuple[Move, ...]:
        """Return the best moves of both players: from the tree, then by further search.

        The further search goes to the depth of the last iteration, or to the end of the game. Its window holds only the
        value, so it costs less than the original search.
        """
        if not self._iterations:
            return ()
        last, at = self._iterations[-1], base.copy(self.state)
        until = perf_counter() + FOR_THE_LINE * self.settings.time if self.settings.time else inf
        moves, value = list(self._recorded_line or (last.best_move,)), last.value
        for move in moves:
            base.play(at, move)
            value = -value if self.game.pays else windows.a_ply_later(value)
        while base.outcome(at) == base.GOING_ON and len(moves) < last.depth:
            best = self._first_worth(at, value, last.depth - len(moves), until, progress)
            if best is None:
                break
            moves.append(best)
            base.play(at, best)
            value = -value if self.game.pays else windows.a_ply_later(value)
        return tuple(moves)

    def _first_worth(self, state: State, value: int, depth: int, until: float, progress: Progress) -> Move | None:
        """Return the first move whose value is the known value of the position; None if the time is up."""
        from nimtui.engine import alpha_beta
        from nimtui.engine.alpha_beta import NODES

        stack = alpha_beta.stack(depth, value - 1, value + 1)
        options = self._options._replace(depth=depth, windows=True)
        roots, at, done = alpha_beta.roots(int(base.size(state))), base.copy(state), False
        pace = Pace((DepthFirst._first_worth, type(state)), LINE_CHUNK)
        while not done:
            if perf_counter() >= until:
                return None
            nodes = int(stack.at[NODES]) + pace.begin()
            done = bool(alpha_beta.search(at, stack, options, roots, None, None, self._table, self._by, nodes))
            pace.end(0 if done else pace.units)
            progress.report(self.nodes, 0, BEST_LINE)
        return int(stack.best_move[0]) if int(stack.best[0]) == value else None
