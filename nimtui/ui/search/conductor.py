"""Runs the search of the screen as a job: starts, pauses, stops it; solves the position."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from nimtui.games import Game
from nimtui.games.base import State
from nimtui.jobs import Job, Jobs, JobState
from nimtui.progress import Cancelled, Progress
from nimtui.search.search import Search
from nimtui.search.settings import ALPHA_BETA, MINIMAX, NATURAL, Settings
from nimtui.ui.kit.conductor import Conductor
from nimtui.ui.kit.entries import parse_game
from nimtui.ui.search.setup import SearchSetup, parse_settings

if TYPE_CHECKING:
    from nimtui.agents.agent import Decision
    from nimtui.search.recorded import RecordedTree
    from nimtui.search.replay import Replay
    from nimtui.search.result import Result
    from nimtui.theory.answers import MoveValue

MOST_MINIMAX = 60_000_000.0  # estimated nodes up to which minimax is counted for comparison
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


class SearchConductor(Conductor):
    """Runs one search after another. Calls `changed` in the event loop for everything new."""

    def __init__(self, jobs: Jobs) -> None:
        super().__init__(jobs)
        self.setup: SearchSetup | None = None
        self.game: Game | None = None
        self.state: State | None = None
        self.search: Search | None = None
        self.found: Found | None = None
        self.truths: list[MoveValue] | None = None
        self.truth_fault = ""
        self.minimax_nodes: int | None = None  # of the same search without pruning
        self.fault = ""
        self.stopped = False
        self._job: Job[Found] | None = None
        self._beside: list[Job[Any]] = []

    # The search.

    def start(self, setup: SearchSetup) -> None:
        """Start this search. Raises InputError with one line if it is invalid; then the previous search stays."""
        setup = setup.validate()
        game = parse_game(setup.game)
        state = game.new(setup.position)
        search = None if setup.flat else Search(game, state, parse_settings(setup.search))
        self.stop_all()
        self.setup, self.game, self.state, self.search = setup, game, state, search
        self.found, self.truths, self.truth_fault, self.fault = None, None, "", ""
        self.minimax_nodes, self.stopped = None, False
        if search is None:
            self._job = self.jobs.start(f"search {setup.search}", lambda progress: _flat(setup, game, state, progress))
        else:
            self._job = self.jobs.start(f"search {setup.search}", lambda progress: _searched(search, progress))
        self._job.add_done_callback(self._ended)
        self.changed()

    def _ended(self, job: Job[Found]) -> None:
        if job is not self._job:
            return
        search = self.search
        if job.state is JobState.DONE:
            self.found = job.result
            self._look_beside()
        elif job.state is JobState.FAILED:
            self.fault = job.error_text
        elif search is not None and self.found is None:  # stopped by the person: show what it found
            self.stopped = True
            self._job = self.jobs.start("opening the tree", lambda _: _opened(search))
            self._job.add_done_callback(self._ended)
        self.changed()

    @property
    def job(self) -> Job[Found] | None:
        """The search while it runs or is paused."""
        return self._job if self._job is not None and not self._job.state.ended else None

    @property
    def paused(self) -> bool:
        return self.job is not None and self.job.state is JobState.PAUSED

    def pause_or_go_on(self) -> None:
        if self.job is not None:
            (self.job.resume if self.paused else self.job.pause)()
            self.changed()

    def stop(self) -> bool:
        """Stop the running job; return True if there was one."""
        if self.job is None or self.stopped:
            return False
        self.job.cancel()
        return True

    def stop_all(self) -> None:
        for job in (self._job, *self._beside):
            if job is not None and not job.state.ended:
                job.cancel()
        self._beside = []
        self._job = None

    @property
    def working(self) -> bool:
        """Is any job running?"""
        return any(job is not None and not job.state.ended for job in (self._job, *self._beside))

    @property
    def kept_jobs(self) -> list[Job[Any]]:
        """The jobs that no person started: quitting may drop them without a question."""
        return self._beside

    # Exact values, and the size of minimax.

    def _look_beside(self) -> None:
        """Compute the exact value of every move, and the nodes of the search without pruning."""
        from nimtui.theory.answers import SOON, move_values

        game, state, result = self.game, self.state, self.found.result if self.found is not None else None
        if game is None or state is None:
            return
        truth = self.jobs.start("truth", lambda progress: move_values(game, state, progress, SOON))
        truth.add_done_callback(self._truth_found)
        self._beside = [truth]
        if result is not None and result.settings.algorithm == ALPHA_BETA:
            plain = replace(result.settings, algorithm=MINIMAX, time=0.0, order=NATURAL, table=0, deepening=False)
            if result.settings.time and result.depth is not None:
                plain = replace(plain, depth=result.depth)
            counted = self.jobs.start("minimax", lambda progress: _count(game, state, plain, progress))
            counted.add_done_callback(self._counted)
            self._beside.append(counted)

    def _truth_found(self, job: Job[list[MoveValue]]) -> None:
        if job in self._beside:
            self.truths = job.result
            self.truth_fault = job.error_text
            self.changed()

    def _counted(self, job: Job[int]) -> None:
        if job in self._beside:
            self.minimax_nodes = job.result
            self.changed()


def _searched(search: Search, progress: Progress) -> Found:
    search.run(progress)
    return _opened(search)


def _opened(search: Search) -> Found:
    """Return what a search found, with the tree ready for walking and replay."""
    from nimtui.search.replay import Replay
    from nimtui.search.tree import Tree

    tree = search.tree
    if not isinstance(tree, Tree):
        return Found(search.result, tree)
    if len(tree) <= MOST_KEYED:
        _ = tree.keys
    return Found(search.result, tree, Replay(tree))


def _flat(setup: SearchSetup, game: Game, state: State, progress: Progress) -> Found:
    from nimtui.agents import parse_agent
    from nimtui.engine.rng import Stream

    return Found(flat=parse_agent(setup.search, game).decide(state, Stream(0), progress))


def _count(game: Game, state: State, plain: Settings, progress: Progress) -> int:
    """Return the nodes of the whole tree. Raises Cancelled if it would be too large."""
    from nimtui.search.estimate import tree_nodes
    from nimtui.theory.answers import SOON, Until

    if tree_nodes(state, plain.depth if plain.depth > 0 else 1000) > MOST_MINIMAX:
        raise Cancelled
    return Search(game, state, plain, record=False).run(Until(progress, SOON)).result.nodes
