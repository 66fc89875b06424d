"""The linear learner: each value of each cell has one weight, and a position's value is their sum."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nimtui.engine.ntuple import Tuples
from nimtui.learning import steps
from nimtui.learning.parameter import Parameter
from nimtui.learning.sight import Sight
from nimtui.learning.steps import Errors, Switch
from nimtui.learning.tuples import tuples

NAME = "linear"
ABOUT = "one weight for each value of each cell; learns what a sum of cells can say"
PARAMETERS = {
    **steps.PARAMETERS,
    "digits": Parameter("are numbers seen digit by digit, in binary?", choices=Switch),
}


class Linear(NamedTuple):
    """The learner's parameters."""

    step: float = 0.8
    last: float = 0.08
    over: int = 0
    trace: float = 0.8
    explore: float = 0.1
    average: float = 0.1
    errors: Errors = Errors.SQUARES
    mirror: Switch = Switch.ON
    digits: Switch = Switch.OFF


LEARNER = Linear
SCORES = np.float64
check = steps.check


def function(learner: Linear, sight: Sight, seed: int, plies: int) -> Tuples:
    """Return a function without knowledge, for games of at most so many plies: a tuple of one cell for each."""
    return tuples(sight, 0, 1, seed=seed, plies=plies, digits=steps.is_on(learner.digits))
