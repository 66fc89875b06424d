"""Let Numba find a game's rules and a learner's functions as the interpreter does: by the class of state or learner.

Importing this module registers every word of `nimtui.games.base`, `nimtui.engine.lessons` and
`nimtui.engine.functions`. A kernel may then call `play(state, move)` and gets the function that the interpreter runs,
inlined.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any

import numpy as np
from numba import types
from numba.extending import overload

from nimtui.engine import rng
from nimtui.engine.jit import VOCABULARIES, helper
from nimtui.engine.rng import GAMMA, below, bits60, mix
from nimtui.games import base

_compilable: set[FunctionType] = set()


def _with_helpers(rule: Callable[..., Any]) -> Callable[..., Any]:
    """Register a rule's helpers for compilation too: the plain functions of its module that it names, and theirs."""
    if isinstance(rule, FunctionType):
        for name in rule.__code__.co_names:
            used = rule.__globals__.get(name)
            if isinstance(used, FunctionType) and used not in _compilable:
                _compilable.add(used)
                helper(_with_helpers(used))
    return rule


def _register(word: Callable[..., Any], find: Callable[[type, str], Callable[..., Any]]) -> None:
    name = word.__name__

    # strict=False: the games' functions name their arguments as they like
    @overload(word, strict=False, jit_options={"forceinline": True})
    def chosen(owner: Any, *rest: Any) -> Callable[..., Any] | None:
        if isinstance(owner, types.NamedTuple | types.NamedUniTuple):
            return _with_helpers(find(owner.instance_class, name))
        return None


@overload(rng.draw_bits60, strict=False, jit_options={"forceinline": True})
def _draw_bits60(counter: Any) -> Callable[..., Any]:
    def draw(counter: Any) -> Any:
        counter[0] += GAMMA
        return bits60(mix(counter[0]))

    return draw


@overload(rng.draw_below, strict=False, jit_options={"forceinline": True})
def _draw_below(counter: Any, n: Any) -> Callable[..., Any]:
    def draw(counter: Any, n: Any) -> Any:
        counter[0] += GAMMA
        return below(mix(counter[0]), n)

    return draw


@overload(rng.draw_share, strict=False, jit_options={"forceinline": True})
def _draw_share(counter: Any) -> Callable[..., Any]:
    def draw(counter: Any) -> Any:
        counter[0] += GAMMA
        return np.int64(mix(counter[0]) >> np.uint64(11)) * 2.0**-53

    return draw


for _words, _find in VOCABULARIES:
    for _word in _words:
        _compilable.add(_word)
        _register(_word, _find)
_compilable.update((rng.draw_bits60, rng.draw_below, rng.draw_share))  # type: ignore[arg-type]
for _function in (base.restore, rng.mix, rng.bits60, rng.below, rng.drawn):
    helper(_function)
    _compilable.add(_function)  # type: ignore[arg-type]
