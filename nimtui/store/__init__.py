"""What is kept on disk: settings, files that are replaced whole or not at all, the database of tournaments and games.

Knows no game, agent or learner. Whatever goes wrong is one `StoreError` of one line.
"""

from nimtui.store.errors import StoreError

__all__ = ["StoreError"]
