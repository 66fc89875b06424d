"""Nodes by depth: minimax, alpha-beta, best-first and the compared searches on one position, depth by depth."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from nimtui.trees.compare import Comparison
from nimtui.trees.settings import ALPHA_BETA, BEST_FIRST, DEFAULT, MCTS, MINIMAX, Settings

if TYPE_CHECKING:
    from nimtui.jobs import Job
    from nimtui.ui.compare.host import Host

MOST_DEPTHS, USUAL_DEPTHS = 10, 6


class ByDepth:
    """Searches the position of a comparison with several settings, to depth 1, 2, 3 …, as a job."""

    def __init__(self, conductor: Host) -> None:
        self._conductor = conductor
        self.comparison: Comparison | None = None
        self.comparing: Job[Any] | None = None

    @property
    def job(self) -> Job[Any] | None:
        """The comparison while it runs."""
        return self.comparing

    def forget(self) -> None:
        """Drop what was found: another position is shown."""
        self.comparison = self.comparing = None

    def find(self) -> None:
        """Search, unless that is done or running."""
        conductor = self._conductor
        if self.comparing is not None or conductor.game is None or conductor.state is None or conductor.over:
            return
        if self.comparison is None:
            settings = [found for agent in conductor.agents if (found := getattr(agent, "settings", None)) is not None]
            by_depth = [each for each in settings if each.algorithm != MCTS]
            depth = max((each.depth for each in by_depth), default=USUAL_DEPTHS)
            depths = range(1, min(depth if depth > 0 else USUAL_DEPTHS, MOST_DEPTHS) + 1)
            self.comparison = Comparison(conductor.game, conductor.state, _entrants(by_depth), depths)
        self.comparing = job = conductor.jobs.start("nodes by depth", self.comparison.run)
        job.add_done_callback(self._ended)

    def _ended(self, job: Job[Any]) -> None:
        if job is self.comparing:
            self.comparing = None
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
