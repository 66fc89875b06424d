"""Store data on disk: settings, files that are replaced atomically, and the database of tournaments and games.

Knows no game, agent or learner. Every failure is a `StoreError` with one line.
"""

from nimtui.store.errors import StoreError

__all__ = ["StoreError"]
