"""What is kept on disk: paths, settings, and files of arrays that are replaced whole or not at all.

Knows no game, agent or learner. Whatever goes wrong is one `StoreError` of one line.
"""

from nimtui.store.errors import StoreError

__all__ = ["StoreError"]
