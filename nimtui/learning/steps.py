"""How learners with a function take their steps: the parameters that they share."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Mapping
from enum import Enum
from typing import TYPE_CHECKING, Any

from nimtui.errors import InputError
from nimtui.learning.parameter import Parameter, Value
from nimtui.report.values import Typed

if TYPE_CHECKING:
    from nimtui.engine.function_play import Pace


class Errors(Enum):
    """Whose gradient a step follows."""

    SQUARES = "squares"  # of the squared error
    ENTROPY = "entropy"  # of the cross-entropy: larger steps where the value is sure and wrong


class Switch(Enum):
    """Yes or no."""

    ON = "on"
    OFF = "off"


MOST_GAMES = 2**31 - 1
PARAMETERS: dict[str, Parameter] = {
    "step": Parameter("size of a step at first; tables that share a position share the step", 1e-7, 10, real=True),
    "last": Parameter("size of a step after `over` games and more; it falls geometrically", 1e-9, 10, real=True),
    "over": Parameter("games over which steps fall; 0: the goal of the run", 0, MOST_GAMES),
    "trace": Parameter("λ, how much of a later value reaches the positions before it", 0, 1, real=True),
    "discount": Parameter("γ, what is left of a value a ply earlier; below 1 early wins are better", 0, 1, real=True),
    "explore": Parameter("share of random moves while it learns, where no move wins at once", 0, 1, real=True),
    "average": Parameter(
        "share of the games, the last ones, over which the weights that play are averaged; 0: the newest play",
        0,
        1,
        real=True,
    ),
    "errors": Parameter("whose gradient a step follows", choices=Errors),
    "mirror": Parameter("do mirror images share weights?", choices=Switch),
}

DEFAULTS: dict[str, Value] = {
    "step": 0.01,
    "last": 0.001,
    "over": 0,
    "trace": 0.8,
    "discount": 1.0,
    "explore": 0.1,
    "average": 0.1,
    "errors": Errors.SQUARES,
    "mirror": Switch.ON,
}


def learner(name: str, module: str, own: Mapping[str, Value] | None = None, **defaults: Value) -> Any:
    """Return the NamedTuple of a learner's parameters: its own with their defaults, and all that functions share.

    `module` is the `__name__` of the learner's module; `defaults` are other defaults of shared parameters.
    """
    fields = {**(own or {}), **DEFAULTS, **defaults}
    return namedtuple(name, fields, defaults=tuple(fields.values()), module=module)


def check(learner: Any) -> None:
    """Raise InputError if steps grow."""
    if learner.last > learner.step:
        raise InputError(f"last must be at most step, {Typed(learner.step).text}, not {Typed(learner.last).text}")


def pace(learner: Any, over: int, parts: int = 1) -> Pace:
    """Return how a function learns; `over` games if the learner does not say.

    Where so many weights sum up to a value, each takes its part of a step, as is usual for tuples (W. Jaśkowski,
    "Mastering 2048 with delayed temporal coherence learning", 2018).
    """
    from nimtui.engine.function_play import Pace

    squares, over = learner.errors is Errors.SQUARES, learner.over or over
    first, last = learner.step / parts, learner.last / parts
    return Pace(first, last, over, learner.trace, learner.discount, learner.explore, squares)


def is_on(value: Value) -> bool:
    return value is Switch.ON
