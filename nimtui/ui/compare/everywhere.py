"""Two agents of a comparison on all positions of the game: the verdicts, and the orders of the map."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from nimtui.arena.position_comparison import Kind, PositionComparison, compare_positions
from nimtui.jobs import Job, JobState
from nimtui.learning.atlas import Order, orders
from nimtui.ui.kit.latest_job import LatestJob
from nimtui.ui.train.view import Atlas

if TYPE_CHECKING:
    from nimtui.agents import Agent
    from nimtui.games import Game
    from nimtui.progress import Progress
    from nimtui.ui.compare.host import Host

ORDER = (Kind.FIRST, Kind.SECOND, Kind.NEITHER, Kind.BOTH, Kind.NOTHING)  # of the list: where the two differ, first


@dataclass(frozen=True, eq=False)
class Found:
    """What the views show: the verdicts, the orders of the map, the names, the list."""

    compared: PositionComparison
    orders: list[Order]
    atlas: Atlas
    listed: list[int]  # all nodes, where the agents differ first


class Everywhere:
    """Compares two agents on all positions, as a job. The result stays while game, agents and seed do."""

    def __init__(self, conductor: Host) -> None:
        self._conductor = conductor
        self._running: LatestJob[Found] = LatestJob()
        self._key: tuple[object, ...] = ()
        self.pair = (0, 1)
        self.found: Found | None = None
        self.fault = ""

    @property
    def job(self) -> Job[Found] | None:
        """The comparison while it runs."""
        return self._running.job

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
        seed = setup.seed

        def work(progress: Progress) -> Found:
            return _found(game, agents, seed, progress)

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
