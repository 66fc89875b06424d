"""Nodes by depth, two trees, all positions: what a comparison searches beyond the agents' answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from nimtui.agents import Agent
from nimtui.arena.position_comparison import Kind, PositionComparison, compare_positions
from nimtui.games import Game, base
from nimtui.games.base import State
from nimtui.jobs import Job, Jobs, JobState
from nimtui.learning.atlas import Order, orders
from nimtui.progress import Progress
from nimtui.trees.compare import Comparison
from nimtui.trees.search import search_of
from nimtui.trees.settings import ALPHA_BETA, BEST_FIRST, DEFAULT, MCTS, MINIMAX, Settings
from nimtui.trees.two_trees import Path, Place, TwoTrees
from nimtui.ui.kit.conductor import Conductor
from nimtui.ui.kit.latest_job import LatestJob
from nimtui.ui.train.view import Atlas

if TYPE_CHECKING:
    from nimtui.ui.play.compare_setup import CompareSetup


T = TypeVar("T")


class Compared(Conductor):
    """What is compared: the game, the agents, and the position that is shown."""

    def __init__(self, jobs: Jobs) -> None:
        super().__init__(jobs)
        self.setup: CompareSetup | None = None
        self.game: Game | None = None
        self.agents: list[Agent] = []
        self.states: list[State] = []  # along the path, the first one is that of the setup

    @property
    def state(self) -> State | None:
        """The position that is compared now."""
        return self.states[-1] if self.states else None

    @property
    def over(self) -> bool:
        """Has the game ended here?"""
        return self.state is not None and base.outcome(self.state) != base.GOING_ON


class Part(Generic[T]):
    """A part of a comparison that works as a job, of which only the latest counts."""

    def __init__(self, conductor: Compared) -> None:
        self._conductor = conductor
        self._running: LatestJob[T] = LatestJob()
        self.pair = (0, 1)  # of the agents
        self.fault = ""

    @property
    def job(self) -> Job[T] | None:
        """The work while it runs."""
        return self._running.job


class Trees(Part[TwoTrees]):
    """Records the trees of two agents that search; knows which line is marked."""

    def __init__(self, conductor: Compared) -> None:
        super().__init__(conductor)
        self.grown: TwoTrees | None = None
        self.at: Path = ()

    def forget(self) -> None:
        """Drop the trees: another position is shown."""
        self._running.cancel()
        self.grown, self.at, self.fault = None, (), ""

    def find(self, marked: int) -> None:
        """Search with the first agent and with the marked one (the second, if the first is marked)."""
        conductor, pair = self._conductor, (0, max(1, marked))
        game, state, setup = conductor.game, conductor.state, conductor.setup
        if game is None or state is None or setup is None or conductor.over:
            return
        if pair == self.pair and (self.grown is not None or self.job is not None):
            return
        self.forget()
        self.pair = pair
        found = [getattr(agent, "settings", None) for agent in conductor.agents]
        asked = [found[place] if place < len(found) else None for place in pair]
        if not all(isinstance(each, Settings) for each in asked):
            self.fault = "Only minimax, alpha-beta and mcts have trees: a changes an agent"
            return
        settings = [replace(each, seed=setup.seed) for each in asked if each is not None]
        work = partial(_grown, game, state, settings)
        self._running.start(conductor.jobs, "search trees", work, self._ended)

    def _ended(self, job: Job[TwoTrees]) -> None:
        self.grown, self.fault = job.result, job.error_text or "Stopped"
        if self.grown is not None:
            parting = self.grown.parting()
            self.grown.reveal(parting)
            self.at = parting or next((place.path for place in self.grown.lines()), ())
        self._conductor.changed()

    # Walking.

    @property
    def place(self) -> Place | None:
        """The marked line."""
        if self.grown is None:
            return None
        return next((place for place in self.grown.lines() if place.path == self.at), None)

    def go(self, down: int) -> None:
        """Mark another line."""
        if self.grown is not None and (lines := [place.path for place in self.grown.lines()]):
            here = lines.index(self.at) if self.at in lines else 0
            self.at = lines[max(0, min(len(lines) - 1, here + down))]

    def fold(self, out: bool) -> None:
        """Unfold the marked line; or fold it, and if it is folded, mark the line above."""
        if self.grown is None:
            return
        if out:
            if self.at in self.grown.open or not self.grown.unfold(self.at):
                self.go(1)
        elif self.at in self.grown.open:
            self.grown.fold(self.at)
        elif len(self.at) > 1:
            self.at = self.at[:-1]

    def toggle(self) -> None:
        """Unfold or fold the marked line."""
        self.fold(self.grown is not None and self.at not in self.grown.open)


def _grown(game: Game, state: State, settings: Sequence[Settings], progress: Progress) -> TwoTrees:
    one, other = (search_of(game, state, each).run(progress).tree for each in settings)
    return TwoTrees(game, state, one, other)


MOST_DEPTHS, USUAL_DEPTHS = 10, 6


class ByDepth(Part[Any]):
    """Searches the position of a comparison with several settings, to depth 1, 2, 3 …"""

    comparison: Comparison | None = None

    def forget(self) -> None:
        """Drop what was found: another position is shown."""
        self._running.cancel()
        self.comparison = None

    def find(self) -> None:
        """Search, unless that is done or running."""
        conductor = self._conductor
        if self.job is not None or conductor.game is None or conductor.state is None or conductor.over:
            return
        if self.comparison is None:
            settings = [found for agent in conductor.agents if (found := getattr(agent, "settings", None)) is not None]
            by_depth = [each for each in settings if each.algorithm != MCTS]
            depth = max((each.depth for each in by_depth), default=USUAL_DEPTHS)
            depths = range(1, min(depth if depth > 0 else USUAL_DEPTHS, MOST_DEPTHS) + 1)
            self.comparison = Comparison(conductor.game, conductor.state, _entrants(by_depth), depths)
        self._running.start(conductor.jobs, "nodes by depth", self.comparison.run, self._ended)

    def _ended(self, job: Job[Any]) -> None:
        self._conductor.message = job.error_text
        self._conductor.changed()


def _entrants(own: list[Settings]) -> list[Settings]:
    """Return minimax, alpha-beta and best-first, and the agents' own searches that differ from these."""
    heuristic = own[0].heuristic if own else DEFAULT
    found = [
        Settings(MINIMAX, heuristic=heuristic),
        Settings(ALPHA_BETA, heuristic=heuristic),
        Settings(ALPHA_BETA, order=BEST_FIRST, heuristic=heuristic),
    ]
    for settings in own:
        same = replace(settings, depth=found[0].depth, time=0.0)
        if same not in found:
            found.append(same)
    return found


ORDER = (Kind.FIRST, Kind.SECOND, Kind.NEITHER, Kind.BOTH, Kind.NOTHING)  # of the list: where the two differ, first


@dataclass(frozen=True, eq=False)
class Found:
    """What the views show: the verdicts, the orders of the map, the names, the list."""

    compared: PositionComparison
    orders: list[Order]
    atlas: Atlas
    listed: list[int]  # all nodes, where the agents differ first


class Everywhere(Part[Found]):
    """Compares two agents on all positions. The result stays while game, agents and seed do."""

    _key: tuple[object, ...] = ()
    found: Found | None = None

    def find(self, marked: int) -> None:
        """Compare the first agent with the marked one (with the second, if the first is marked)."""
        conductor, pair = self._conductor, (0, max(1, marked))
        game, setup = conductor.game, conductor.setup
        if game is None or setup is None:
            return
        if len(conductor.agents) < 2:
            self.found, self._key, self.fault = None, (), "Two agents are needed here: a adds one"
            return
        agents = conductor.agents[pair[0]], conductor.agents[pair[1]]
        key = self._key_of(pair)
        if key == self._key and (self.found is not None or self.job is not None):
            return
        self._key, self.pair, self.found, self.fault = key, pair, None, ""
        work = partial(_found, game, agents, setup.seed)
        self._running.start(conductor.jobs, "compare on all positions", work, self._ended)

    def forget_others(self) -> None:
        """Drop the result, and the running work, unless game, agents and seed are still those of the comparison."""
        if self._key != self._key_of(self.pair):
            self._running.cancel()
            self._key, self.found, self.fault = (), None, ""

    def _key_of(self, pair: tuple[int, int]) -> tuple[object, ...]:
        conductor = self._conductor
        names = tuple(conductor.agents[place].name for place in pair if place < len(conductor.agents))
        return (conductor.game, *names, conductor.setup.seed if conductor.setup is not None else 0)

    def _ended(self, job: Job[Found]) -> None:
        self.found = job.result if job.state is JobState.DONE else None
        self.fault = job.error_text or ("" if self.found is not None else "Stopped. m starts again")
        if self.found is None:
            self._key = ()
        self._conductor.changed()


def _found(game: Game, agents: tuple[Agent, Agent], seed: int, progress: Progress) -> Found:
    compared = compare_positions(game, agents, seed, progress=progress)
    listed = [int(node) for kind in ORDER for node in compared.nodes(kind)]
    return Found(compared, orders(compared.known, game), Atlas(game, compared.known), listed)
