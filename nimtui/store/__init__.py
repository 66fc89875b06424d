"""Store data on disk: settings, files that are replaced atomically, and the database of tournaments and games.

Knows no game, agent or learner. Every failure is a `StoreError` with one line.
"""

from __future__ import annotations

from nimtui.process import shelf
from nimtui.store.errors import StoreError

__all__ = ["StoreError"]


def _keep(text: str) -> str | None:
    from nimtui.store import files

    return files.keep_text(text)


def _find(name: str) -> str | None:
    from nimtui.store import files

    return files.find_text(name)


shelf.slots.update(keep=_keep, find=_find)
