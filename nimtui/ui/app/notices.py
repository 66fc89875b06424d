"""Messages that are shown for a while over a screen: always plain text."""

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
    """What an app shows so may repeat a name or a path, which may look like markup or hold an escape."""

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
        """Show a message for a while; nothing in it is read as markup."""
        said, heading = self.glyphs.plain(message), self.glyphs.plain(title)
        super().notify(said, title=heading, severity=severity, timeout=timeout, markup=False)


def left_out(lines: Sequence[str]) -> str:
    """Return one message for the lines about files that are left out, the files named from the home folder."""
    home = f"{paths.home()}{os.sep}"
    shown = [line.replace(home, "") for line in lines[:SHOWN]]
    if more := len(lines) - len(shown):
        shown.append(f"and {more} more: nimtui games list names them all")
    return "\n".join(shown)
