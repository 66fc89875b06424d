"""The training of another nimtui on the Train screen: it is followed and steered there, not run here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nimtui.jobs import Job
from nimtui.ui.train.lane import Lane

if TYPE_CHECKING:
    from nimtui.learning.mirror import Mirror


class ForeignLane(Lane):
    """One learner that trains elsewhere."""

    run: Mirror

    def has_begun(self, task: Any, job: Job[Any]) -> bool:
        return self.run.views.newest is not None

    @property
    def fault(self) -> str:
        return self.run.fault

    @property
    def rate(self) -> float | None:
        return self.run.remote.file.rate

    @property
    def measured(self) -> bool:
        return True

    def unpause(self) -> None:
        if not self.run.stepping_on():
            super().unpause()

    def look_at(self, moves: range) -> None:
        self.run.look_at(moves.start, moves.stop)

    def keep(self) -> None:
        """Do nothing: its own program saves it."""

    def _look(self) -> None:
        """Do nothing: its own program makes the views."""
