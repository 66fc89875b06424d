"""Messages that are shown for a while over a screen: always plain text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.notifications import SeverityLevel

if TYPE_CHECKING:
    from textual.app import App

    from nimtui.ui.glyphs import Glyphs

    Base = App[None]
else:
    Base = object


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
