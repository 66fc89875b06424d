"""A call of the library: its progress, Ctrl+C, which ends it with the results so far, and the base of its results."""

from __future__ import annotations

import signal
from collections.abc import Callable
from copy import deepcopy
from typing import TYPE_CHECKING, Any, TypeAlias

from nimtui.process.interrupting import Stoppable
from nimtui.progress import Cancelled
from nimtui.report import blocks
from nimtui.report.bar import ProgressBar
from nimtui.report.cells import cells
from nimtui.report.document import document, read_back
from nimtui.report.lines import plain_text
from nimtui.report.tables import html_of, markdown

Watch: TypeAlias = bool | Callable[[float, float, str], object] | None
"""How a call reports: True shows a bar; a function is called with done, total (0: unknown) and what is counted."""


class Watcher(Stoppable):
    """`with Watcher("train", progress) as watcher: work(watcher)`.

    Whatever the function of `progress` or `look`, called beside it, raises stops the work, and is raised again at the
    end of the block.
    """

    def __init__(self, what: str, progress: Watch = None, look: Callable[[], object] = lambda: None) -> None:
        super().__init__(what, (signal.SIGINT,))
        self._bar: ProgressBar | None = None
        self._shown = progress is True
        self._tell = progress if callable(progress) else None
        self._fault: Exception | None = None
        self.look = look

    def show(self, done: float, total: float, what: str) -> None:
        if self._fault is not None:
            return
        try:
            self.look()
            if self._shown:
                self._bar = self._bar or ProgressBar()
                self._bar.show(done, total, what or self.what)
            elif self._tell is not None:
                self._tell(done, total, what or self.what)
        except Exception as fault:
            self._fault = fault
            raise Cancelled(self.what) from fault

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()

    def __exit__(self, kind: object, *more: object) -> None:
        super().__exit__(kind, *more)
        if self._fault is not None:
            raise self._fault
        if kind is Cancelled:  # nothing is there to return
            raise KeyboardInterrupt from None


class Report:
    """A result: each key of its document is an attribute, too. Its text, also in a Python shell, is the command's."""

    def __init__(self, report: blocks.Report | dict[str, Any], **more: Any) -> None:
        """Take a report, and `more` keys that only the command knows otherwise."""
        self._report = report if isinstance(report, blocks.Report) else blocks.Report(())
        self._keys = read_back({**(document(report) if isinstance(report, blocks.Report) else report), **more})

    def __str__(self) -> str:
        return "\n".join(plain_text(line).rstrip() for line in cells(self._report))

    __repr__ = __str__

    def _repr_html_(self) -> str:
        """Return the result for a notebook."""
        return html_of(self._report)

    def to_markdown(self) -> str:
        """Return the text of the result as Markdown: headings, sentences and whole tables."""
        return markdown(self._report)

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON document of the command as plain values, which the caller may change."""
        return deepcopy(self._keys)

    if not TYPE_CHECKING:  # a subclass declares the keys that it promises

        def __getattr__(self, name: str) -> Any:
            """Return the value of a key of the document, which the caller may change."""
            if name.startswith("_") or name not in self._keys:
                raise AttributeError(f"{type(self).__name__} has no attribute {name!r}")
            return deepcopy(self._keys[name])

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self._keys})
