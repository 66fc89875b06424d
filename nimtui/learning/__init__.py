"""Learners that play against themselves, their tables, and how good those are.

One file a learner; `interpreted` runs it interpreted, `training` compiled, both with the same numbers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nimtui.learning.learner import Learner

__all__ = ["parse_learner"]


def parse_learner(text: str) -> Learner:
    """The learner of this name, e.g. 'reward:win=2'. InputError with what is wrong and allowed."""
    from nimtui.learning import learner  # it looks through this package, so it comes after it

    return learner.parse_learner(text)
