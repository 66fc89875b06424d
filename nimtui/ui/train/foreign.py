"""The training of another nimtui on the Train screen: it is followed and steered there, not run here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nimtui.jobs import Job
from nimtui.jobs.work import State
from nimtui.ui.train.lane import Lane

if TYPE_CHECKING:
    from nimtui.learning.mirror import Mirror

ENDS = {"finished": State.FINISHED, "failed": State.FAILED}


class ForeignLane(Lane):
    """One learner that trains elsewhere."""

    run: Mirror

    @property
    def mirror(self) -> Mirror:
        return self.run

    @property
    def state(self) -> State:
        state, file = super().state, self.run.file
        if self.job is not None and self.job.state.ended:
            return state if file.is_on else ENDS.get(file.state, State.SAVED)
        return State.PAUSED if state is State.GOING and file.state == "paused" else state

    def has_begun(self, task: Any, job: Job[Any]) -> bool:
        return self.run.views.newest is not None

    @property
    def fault(self) -> str:
        return self.run.fault

    @property
    def rate(self) -> float | None:
        return self.run.file.rate

    @property
    def measured(self) -> bool:
        return True

    def pause(self) -> None:
        self.run.ask("pause")

    def unpause(self) -> None:
        if not self.run.stepping_on():
            self.run.ask("continue")

    def look_at(self, moves: range) -> None:
        self.run.look_at(moves.start, moves.stop)

    def keep(self) -> None:
        """Do nothing: its own program saves it."""

    def _look(self) -> None:
        """Do nothing: its own program makes the views."""
