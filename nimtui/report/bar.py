"""A bar for the progress of long work, of Rich: on a terminal and in a notebook."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.progress import Progress, ProgressColumn


class ProgressBar:
    """Appears at once; `close` removes it."""

    def __init__(self, columns: Sequence[ProgressColumn | str] = (), **more: Any) -> None:
        """Show these columns [default: those of Rich]; `more` goes to Rich."""
        from rich.progress import Progress

        self.rich: Progress = Progress(*columns, transient=True, **more)
        self._task: Any = None
        self._phase = ""
        self.rich.start()

    def show(self, done: float, total: float, what: str, **fields: Any) -> None:
        """Show how far it is; `fields` are for the columns. A total of 0 is unknown."""
        if self._task is None or what != self._phase:  # the time left and the total count for this phase only
            if self._task is not None:
                self.rich.remove_task(self._task)
            self._phase = what
            self._task = self.rich.add_task(what, total=None, completed=int(done), **fields)
        self.rich.update(self._task, completed=done, total=total or None, description=what, **fields)

    def close(self) -> None:
        self.rich.stop()
