"""The base of results: one report, whose document is the JSON of the command of the same name."""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, Any

from nimtui.report import blocks
from nimtui.report.cells import cells
from nimtui.report.document import document, read_back
from nimtui.report.lines import plain_text
from nimtui.report.tables import html_of, markdown


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
