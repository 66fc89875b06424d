"""The n-tuple learner: many small tables, each for the values of a few cells, sum up to the value of a position.

Sources: M. Thill, P. Koch and W. Konen, "Reinforcement learning with n-tuples on the game Connect-4" (PPSN 2012);
M. Thill, "Near-Perfect Connect-4 after Five Minutes" (2026).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nimtui.engine.ntuple import Tuples
from nimtui.learning import steps
from nimtui.learning.parameter import Parameter
from nimtui.learning.sight import Sight
from nimtui.learning.steps import Errors, Switch
from nimtui.learning.tuples import Draw, tuples

NAME = "ntuple"
ABOUT = "tables for a few cells each sum up to the value of a position; learns games that no table of positions holds"
PARAMETERS = {
    "tuples": Parameter("number of tuples", 1, 10_000),
    "length": Parameter("cells of a tuple; 0: 8, or fewer where each has many values", 0, 16),
    "draw": Parameter("how the cells of a tuple are drawn", choices=Draw),
    **steps.PARAMETERS,
    "digits": Parameter("are numbers seen digit by digit, in binary?", choices=Switch),
    "adapt": Parameter("has each weight a rate of its own, by temporal coherence?", choices=Switch),
}


class NTuple(NamedTuple):
    """The learner's parameters."""

    tuples: int = 200
    length: int = 0
    draw: Draw = Draw.WALK
    step: float = 0.8
    last: float = 0.012
    over: int = 0
    trace: float = 0.8
    explore: float = 0.1
    average: float = 0.1
    errors: Errors = Errors.SQUARES
    mirror: Switch = Switch.ON
    digits: Switch = Switch.OFF
    adapt: Switch = Switch.OFF


LEARNER = NTuple
SCORES = np.float64
check = steps.check


def function(learner: NTuple, sight: Sight, seed: int, plies: int) -> Tuples:
    """Return a function without knowledge, for games of at most so many plies."""
    digits, adapt = steps.is_on(learner.digits), steps.is_on(learner.adapt)
    return tuples(sight, learner.tuples, learner.length, learner.draw, seed, plies, digits, adapt)
