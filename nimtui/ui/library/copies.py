"""What Ctrl+Y copies in the Library."""

from __future__ import annotations

import io
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from nimtui.arena.tournament_files import CSV, TEXT
from nimtui.progress import SILENT
from nimtui.store.database import Database
from nimtui.store.rows import short_id
from nimtui.ui.kit.clipboard import LARGEST, Copy, command
from nimtui.ui.library.actions import filler
from nimtui.ui.library.shelf import Item, Kind


class _Full(Exception):
    """Enough was written."""


class _Start(io.StringIO):
    """Takes a little more than can be copied, then raises _Full: a table may have a hundred megabytes."""

    def write(self, text: str, /) -> int:
        written = super().write(text)
        if self.tell() > LARGEST + 1:
            raise _Full
        return written


def of_item(item: Item, database: Callable[[], Database]) -> list[Copy]:
    """Return what an item offers: its content as text, its file, and the command that shows it."""
    place, kind = item.place, item.kind
    if isinstance(place, int) and kind is Kind.GAME:
        return [_content("game", item, TEXT, database), command("games", "show", short_id(place))]
    if isinstance(place, int):
        return [_content("standings", item, CSV, database), command("tournaments", "show", place)]
    show = command("sweep", resume=place) if kind is Kind.SWEEP else command("table", place)
    content = [] if item.fault else [_content("cells" if kind is Kind.SWEEP else "table", item, CSV, database)]
    return [*content, Copy("file", str(place)), show]


def _content(what: str, item: Item, ending: str, database: Callable[[], Database]) -> Copy:
    def lines() -> list[str]:
        text = _Start(newline="")
        with suppress(_Full):
            filler(item, Path(f"copy{ending}"), database, SILENT)(text)
        return text.getvalue().splitlines()

    return Copy(what, lines=lines)
