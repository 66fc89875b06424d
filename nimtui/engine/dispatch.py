"""Lets Numba find a game's rules as the interpreter does: by the class of the state.

Importing this module registers every word of `nimtui.games.base`, so that a kernel may call `play(state, move)` and
gets the very function that the interpreter runs, inlined.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any

from numba import types
from numba.extending import overload

from nimtui.engine import rng
from nimtui.engine.jit import helper
from nimtui.games import base

_compilable: set[FunctionType] = set()


def _with_helpers(rule: Callable[..., Any]) -> Callable[..., Any]:
    """Let a rule's own helpers be compiled too: the plain functions of its module that it names, and theirs."""
    if isinstance(rule, FunctionType):
        for name in rule.__code__.co_names:
            used = rule.__globals__.get(name)
            if isinstance(used, FunctionType) and used not in _compilable:
                _compilable.add(used)
                helper(_with_helpers(used))
    return rule


def _register(word: Callable[..., Any]) -> None:
    name = word.__name__

    # strict=False: the games' functions name their arguments as they like
    @overload(word, strict=False, jit_options={"forceinline": True})
    def chosen(state: Any, *rest: Any) -> Callable[..., Any] | None:
        if isinstance(state, types.NamedTuple | types.NamedUniTuple):
            return _with_helpers(base.rule(state.instance_class, name))
        return None


for _word in base.WORDS:
    _compilable.add(_word)  # type: ignore[arg-type]
    _register(_word)
for _function in (base.restore, rng.mix, rng.bits60, rng.below):
    helper(_function)
