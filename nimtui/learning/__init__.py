"""Learners that train by self-play, their tables, and measures of these tables.

Each learner has its own file. `opponents` runs it interpreted, `training` compiled; both give the same numbers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nimtui.learning.learner import Learner

__all__ = ["parse_learner"]


def parse_learner(text: str) -> Learner:
    """Return the learner of this name, e.g. 'reward:win=2'. Raises InputError with what is wrong and allowed."""
    from nimtui.learning import learner  # it imports the modules of this package, so it comes after them

    return learner.parse_learner(text)
