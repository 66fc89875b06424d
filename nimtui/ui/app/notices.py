"""Shows notifications over a screen, always as plain text."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual.notifications import SeverityLevel

from nimtui.store import paths

if TYPE_CHECKING:
    from textual.app import App

    from nimtui.ui.kit.glyphs import Glyphs

    Base = App[None]
else:
    Base = object


SHOWN = 3  # lines of a message about many files


class PlainNotices(Base):
    """Shows notifications as plain text: names and paths in them may contain markup or escapes."""

    glyphs: Glyphs

    def notify(
        self,
        message: str,
        *,
        title: str = "",
        severity: SeverityLevel = "information",
        timeout: float | None = None,
        markup: bool = False,
    ) -> None:
        """Show a notification, without reading markup in it."""
        said, heading = self.glyphs.plain(message), self.glyphs.plain(title)
        super().notify(said, title=heading, severity=severity, timeout=timeout, markup=False)


def left_out(lines: Sequence[str]) -> str:
    """Return one message about files that cannot be used, with paths relative to the home folder."""
    home = f"{paths.home()}{os.sep}"
    shown = [line.replace(home, "") for line in lines[:SHOWN]]
    if more := len(lines) - len(shown):
        shown.append(f"and {more} more: nimtui games list names all")
    return "\n".join(shown)
