"""Runs the search of the screen, and more of it; solves the position. Knows no widgets."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from time import sleep

from nimtui.agents import Decision, parse_agent
from nimtui.engine import activity
from nimtui.engine.rng import Stream
from nimtui.errors import InputError
from nimtui.games import Game
from nimtui.games.base import State
from nimtui.jobs import Job, JobState
from nimtui.jobs.processes import cores
from nimtui.jobs.work import Work
from nimtui.playing.setup import parse_game
from nimtui.progress import SILENT, Cancelled, Progress, Task
from nimtui.theory.answers import SOON, MoveValue, Until, move_values
from nimtui.trees import more as more_of
from nimtui.trees import search_of
from nimtui.trees.depth_first import tree_nodes
from nimtui.trees.result import Result, Search, Standing
from nimtui.trees.settings import ALPHA_BETA, MINIMAX, NATURAL, Settings
from nimtui.trees.tree import RecordedTree, Replay, Tree
from nimtui.ui.kit.forms.kept import write_new
from nimtui.ui.search.setup import SearchSetup, parse_settings

MOST_MINIMAX = 60_000_000.0  # estimated nodes up to which minimax is counted for comparison
LOOK = 0.25  # seconds between two thoughts of flat Monte Carlo
MOST_KEYED = 2_000_000  # nodes up to which equal positions are searched for


@dataclass
class Found:
    """What a search found: a result and a tree with its replay, or the numbers of flat Monte Carlo.

    The job makes all of it, so that the screen calls no kernel, which might need to be compiled first.
    """

    result: Result | None = None
    tree: RecordedTree | None = None
    replay: Replay | None = None  # of minimax and alpha-beta; an MCTS tree is its own replay
    flat: Decision | None = None


@dataclass
class Searching(Task):
    """A search as a task, or flat Monte Carlo, which has no search. Nothing of it is saved."""

    search: Search | None
    rest: Callable[[Progress], Found]  # all that is left, or some more
    found: Found | None = None  # of flat Monte Carlo, at its end

    @property
    def done(self) -> int:
        return 0 if self.search is None else self.search.nodes

    @property
    def finished(self) -> bool:
        return self.found is not None if self.search is None else self.search.finished

    def work(self, progress: Progress = SILENT) -> Found:
        return self.rest(progress)


class SearchWork(Work[Searching]):
    """Runs one search after another. Calls `changed` in the event loop for everything new."""

    setup: SearchSetup | None = None
    game: Game | None = None
    root: State | None = None  # the position that is searched
    found: Found | None = None
    truths: list[MoveValue] | None = None
    truth_fault = ""
    minimax_nodes: int | None = None  # of the same search without pruning
    fault = ""
    standing: Standing | None = None  # how far the search had come when it was last looked at
    lineage = 0  # the number of the search; a deeper one of the same position has the same

    @property
    def search(self) -> Search | None:
        return None if self.task is None else self.task.search

    # The search.

    def start(self, setup: SearchSetup) -> None:
        """Start this search. Raises InputError with one line if it is invalid; then the previous search stays."""
        setup = setup.validate()
        game = parse_game(setup.game)
        root = game.new(setup.position)
        search = None if setup.flat else search_of(game, root, parse_settings(setup.search))
        self.drop("opening the tree", "truth", "minimax")
        self.setup, self.game, self.root = setup, game, root
        self.found, self.truths, self.truth_fault, self.fault = None, None, "", ""
        self.minimax_nodes, self.standing = None, None
        self.lineage += 1
        self.kind = f"search {setup.search}"
        if search is None:
            self.begin(Searching(None, lambda progress: _flat(setup, game, root, progress)))
            assert self.job is not None
            self.job.watch_thinking(LOOK)
        else:
            self.begin(Searching(search, partial(_searched, search, search.run)))
            if cores() > len(self.jobs.running()):  # one is free
                self._solve()

    def after_end(self) -> None:
        job = self.job
        assert job is not None and self.task is not None
        if job.state is JobState.DONE:
            self.found = self.task.found = job.result
            self._look_beside()
        elif job.state is JobState.FAILED:
            self.fault = job.error_text
        elif self.found is None:  # stopped by the person: show what it found
            self._open()

    def _open(self) -> None:
        """Make the tree of the paused or stopped search ready for replay, while the search stands still."""
        search, job = self.search, self.job
        if search is None or job is None:
            return

        def opened(found: Found) -> None:
            self.found = self.found or (None if self.running else found)

        def wrong(why: str) -> None:
            self.fault = self.fault or why

        self.errand("opening the tree", partial(_opened_still, search, job), opened, wrong, aside=True)

    @property
    def stopped(self) -> bool:
        """Can the search be continued?"""
        return self.search is not None and self.state.stopped

    @property
    def flat(self) -> Decision | None:
        """What flat Monte Carlo has found, or thinks so far."""
        if self.found is not None or self.search is not None:
            return None if self.found is None else self.found.flat
        thinking = self.job.thinking if self.job is not None and self.on else None
        return None if thinking is None or thinking.move is None else Decision(thinking.move, thinking.thoughts)

    @contextmanager
    def still(self, tries: int = 1) -> Iterator[bool]:
        """Hold the search while its tree is read; gives False if it does not stand still soon. A key tries longer."""
        job = self.job
        if job is None or not self.on:
            yield True
            return
        for further in reversed(range(tries)):
            with job.still() as still:
                if still or not further:
                    yield still
                    return

    def pause(self) -> None:
        """Pause the search, and make its tree ready for replay."""
        super().pause()
        self._open()
        self.changed()

    def unpause(self) -> None:
        self.found = None
        self.drop("opening the tree")
        super().unpause()
        self.changed()

    # More of it.

    def go_on(self) -> None:
        """Continue a stopped search."""
        if self.search is not None:
            self._continue(self.search.run)

    def simulate(self, more: int) -> None:
        """Run so many more simulations. Raises InputError with one line if that is impossible."""
        search = self.search
        assert search is not None
        if (fault := more_of.why_no_simulations(search)) is not None:
            raise InputError(fault)
        self._continue(lambda progress: more_of.simulations(search, more, progress))

    def prove(self) -> None:
        """Search until the root is proven. Raises InputError with one line if that is impossible."""
        search = self.search
        assert search is not None
        if (fault := more_of.why_no_proof(search) or more_of.why_no_simulations(search)) is not None:
            raise InputError(fault)
        self._continue(lambda progress: more_of.proof(search, progress))

    def deepen(self) -> None:
        """Search one ply deeper. Raises InputError with one line if that is impossible."""
        assert self.search is not None
        if not self.search.finished:
            raise InputError(f"this search is not finished: press {'space' if self.paused else 'c'} to continue")
        self.minimax_nodes = None
        deeper = more_of.deeper(self.search)
        self._continue(deeper.run, deeper)

    @property
    def limit(self) -> str:
        """Return which limit ended the search, or ends its record, in one line; '' if none did."""
        return "" if self.search is None or self.found is None else more_of.limit(self.search)

    def _continue(self, work: Callable[[Progress], object], search: Search | None = None) -> None:
        """Do more of the search, or of a deeper one in its place."""
        search, before = search or self.search, self.job
        assert search is not None and before is not None
        self.found = None
        self.drop("opening the tree")

        def run(progress: Progress) -> Found:
            before.join()
            return _searched(search, work, progress)

        self.begin(Searching(search, run))

    @property
    def working(self) -> bool:
        """Is any job running?"""
        return self.on or self.on_errand()

    def export(self, path: Path) -> None:
        """Write the tree to a new file; the extension says how."""
        from nimtui.trees.export import tree_text

        if self.found is not None and (tree := self.found.tree) is not None:
            self.write(path, lambda progress: write_new(path, tree_text(tree, path.suffix.lower())))

    # Exact values, and the size of minimax.

    def _solve(self) -> None:
        """Compute the exact value of every move, once."""
        game, root = self.game, self.root
        if game is None or root is None or self.on_errand("truth") or self.truths is not None or self.truth_fault:
            return

        def solved(truths: list[MoveValue]) -> None:
            self.truths = truths

        def wrong(why: str) -> None:
            self.truth_fault = why

        self.errand("truth", partial(move_values, game, root, seconds=SOON), solved, wrong, aside=True)

    def _look_beside(self) -> None:
        """Compute the exact value of every move, and the nodes of the search without pruning."""
        self._solve()
        game, root, result = self.game, self.root, self.found.result if self.found is not None else None
        if game is None or root is None or self.minimax_nodes is not None:
            return

        def counted(nodes: int) -> None:
            self.minimax_nodes = nodes

        if result is not None and result.finished and result.settings.algorithm == ALPHA_BETA:
            plain = replace(result.settings, algorithm=MINIMAX, time=0.0, order=NATURAL, table=0, deepening=False)
            if result.settings.time and result.depth is not None:
                plain = replace(plain, depth=result.depth)
            self.errand("minimax", partial(_count, game, root, plain), counted, aside=True)


def _searched(search: Search, work: Callable[[Progress], object], progress: Progress) -> Found:
    with activity.interpreting(not search.settings.time):
        work(progress)
    return _opened(search)


def _opened_still(search: Search, job: Job[Found], progress: Progress) -> Found:
    while True:
        progress.report(0, 0)
        with job.still() as still:
            if still:
                return _opened(search)
        sleep(LOOK / 10)  # it still works on its last chunk, or compiles


def _opened(search: Search) -> Found:
    """Return what a search found, with the tree ready for walking and replay."""
    tree = search.tree
    if not isinstance(tree, Tree):
        return Found(search.result, tree)
    if len(tree) <= MOST_KEYED:
        _ = tree.keys
    return Found(search.result, tree, Replay(tree))


def _flat(setup: SearchSetup, game: Game, state: State, progress: Progress) -> Found:
    return Found(flat=parse_agent(setup.search, game).decide(state, Stream(0), progress))


def _count(game: Game, state: State, plain: Settings, progress: Progress) -> int:
    """Return the nodes of the whole tree. Raises Cancelled if it would be too large."""
    if tree_nodes(state, plain.depth if plain.depth > 0 else 1000) > MOST_MINIMAX:
        raise Cancelled
    return search_of(game, state, plain, record=False).run(Until(progress, SOON)).result.nodes
