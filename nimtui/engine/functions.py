"""The vocabulary of functions: how self-play asks a function for the value of a position, and lets it learn.

A function is a NamedTuple of arrays: weights, and what it has of the position before it now. Functions named as the
words below are found through its class: by the interpreter here, by Numba through `nimtui.engine.dispatch`. It sees a
position as its inputs (`nimtui.games.base`), follows each change of one, and so never looks at the whole board.

The value of an afterstate, the position after a move, is tanh of the function's total: the expected result for the
player who made the move, from −1, lost, to 1, won. Each side, 0 or 1, may have weights of its own.

A function changes only its own arrays. Its module names in `WEIGHTS` those that `learn` moves along the gradient of
`total` [default: `weights` alone], and in `KNOWS` all that it learns [default: its weights]. No Numba in this module.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache
from typing import Any, TypeAlias

Function: TypeAlias = Any  # a NamedTuple of arrays, with `weights` among them


@cache
def word(kind: type, name: str) -> Callable[..., Any]:
    """Return the function `name` of this class. Raise KeyError if it has none."""
    own: Callable[..., Any] = vars(sys.modules[kind.__module__])[name]
    return own


def weights_of(function: Function) -> tuple[str, ...]:
    """Return the names of the arrays that `learn` moves along the gradient of `total`."""
    names: tuple[str, ...] = getattr(sys.modules[type(function).__module__], "WEIGHTS", ("weights",))
    return names


def known_of(function: Function) -> tuple[str, ...]:
    """Return the names of all arrays that it learns."""
    others: tuple[str, ...] = getattr(sys.modules[type(function).__module__], "KNOWS", ())
    return tuple(dict.fromkeys((*weights_of(function), *others)))


def clear(function: Function) -> None:
    """Stand before the position whose inputs are all 0."""
    word(function.__class__, "clear")(function)


def shift(function: Function, i: int, old: int, new: int) -> None:
    """Let input i change from its value `old` to `new`."""
    word(function.__class__, "shift")(function, i, old, new)


def total(function: Function, side: int) -> float:
    """Return the total of the position, by the weights of this side, which has just moved."""
    return word(function.__class__, "total")(function, side)


def note(function: Function, ply: int) -> None:
    """Keep what `learn` will need of the position, which is the afterstate of this ply."""
    word(function.__class__, "note")(function, ply)


def learn(function: Function, side: int, ply: int, step: float) -> None:
    """Add step × the gradient of `total` to the weights, at the position that was noted for this ply."""
    word(function.__class__, "learn")(function, side, ply, step)


WORDS = (clear, shift, total, note, learn)
