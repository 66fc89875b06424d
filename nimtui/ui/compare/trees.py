"""The search trees of two agents of a comparison, recorded beside each other."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from nimtui.jobs import Job
from nimtui.trees.search import Search
from nimtui.trees.settings import Settings
from nimtui.trees.two_trees import Path, Place, TwoTrees
from nimtui.ui.kit.latest_job import LatestJob

if TYPE_CHECKING:
    from nimtui.games import Game
    from nimtui.games.base import State
    from nimtui.progress import Progress
    from nimtui.ui.compare.host import Host


@dataclass(frozen=True, eq=False)
class Grown:
    """Both trees, as texts need them."""

    trees: TwoTrees
    settings: tuple[Settings, Settings]


class Trees:
    """Records the trees of two agents that search, as a job; knows which line is marked."""

    def __init__(self, conductor: Host) -> None:
        self._conductor = conductor
        self._running: LatestJob[Grown] = LatestJob()
        self.pair = (0, 1)
        self.grown: Grown | None = None
        self.fault = ""
        self.at: Path = ()

    @property
    def job(self) -> Job[Grown] | None:
        """The searches while they run."""
        return self._running.job

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
        settings = tuple(replace(each, seed=setup.seed) for each in asked if each is not None)

        def work(progress: Progress) -> Grown:
            return _grown(game, state, (settings[0], settings[1]), progress)

        self._running.start(conductor.jobs, "search trees", work, self._ended)

    def _ended(self, job: Job[Grown]) -> None:
        self.grown, self.fault = job.result, job.error_text or "Stopped"
        if self.grown is not None:
            parting = self.grown.trees.parting()
            self.grown.trees.reveal(parting)
            self.at = parting or next((place.path for place in self.grown.trees.lines()), ())
        self._conductor.changed()

    # Walking.

    @property
    def place(self) -> Place | None:
        """The marked line."""
        if self.grown is None:
            return None
        return next((place for place in self.grown.trees.lines() if place.path == self.at), None)

    def go(self, down: int) -> None:
        """Mark another line."""
        if self.grown is not None and (lines := [place.path for place in self.grown.trees.lines()]):
            here = lines.index(self.at) if self.at in lines else 0
            self.at = lines[max(0, min(len(lines) - 1, here + down))]

    def fold(self, out: bool) -> None:
        """Unfold the marked line; or fold it, and if it is folded, mark the line above."""
        if self.grown is None:
            return
        if out:
            if self.at in self.grown.trees.open or not self.grown.trees.unfold(self.at):
                self.go(1)
        elif self.at in self.grown.trees.open:
            self.grown.trees.fold(self.at)
        elif len(self.at) > 1:
            self.at = self.at[:-1]

    def toggle(self) -> None:
        """Unfold or fold the marked line."""
        self.fold(self.grown is not None and self.at not in self.grown.trees.open)


def _grown(game: Game, state: State, settings: tuple[Settings, Settings], progress: Progress) -> Grown:
    one, other = (Search(game, state, each).run(progress).tree for each in settings)
    return Grown(TwoTrees(game, state, one, other), settings)
