"""The n-tuple learner: many small tables, each for the values of a few cells, sum up to the value of a position.

Sources: M. Thill, P. Koch and W. Konen, "Reinforcement learning with n-tuples on the game Connect-4" (PPSN 2012);
M. Thill, "Near-Perfect Connect-4 after Five Minutes" (2026).
"""

from __future__ import annotations

from nimtui.engine.ntuple import Tuples
from nimtui.learning import steps
from nimtui.learning.learner import Learner
from nimtui.learning.parameter import Parameter, Value
from nimtui.learning.sight import Sight
from nimtui.learning.steps import Switch
from nimtui.learning.tuples import Draw, tuples

NAME = "ntuple"
ABOUT = "tables for a few cells each sum up to the value of a position; learns games that no table of positions holds"
PARAMETERS = {
    "tuples": Parameter("number of tuples", 1, 10_000),
    "length": Parameter("cells of a tuple; 0: 8, or fewer where each has many values", 0, 16),
    "draw": Parameter("how the cells of a tuple are drawn", choices=Draw),
    "digits": Parameter("are numbers seen digit by digit, in binary?", choices=Switch),
    "adapt": Parameter("has each weight a rate of its own, by temporal coherence?", choices=Switch),
    **steps.PARAMETERS,
}
OWN: dict[str, Value] = {"tuples": 200, "length": 0, "draw": Draw.WALK, "digits": Switch.OFF, "adapt": Switch.OFF}
LEARNER = steps.learner("NTuple", __name__, OWN, step=0.8, last=0.012, discount=0.98)
check = steps.check


def function(learner: Learner, sight: Sight, seed: int, plies: int) -> Tuples:
    """Return a function without knowledge, for games of at most so many plies."""
    digits, adapt = steps.is_on(learner.digits), steps.is_on(learner.adapt)
    return tuples(sight, learner.tuples, learner.length, learner.draw, seed, plies, digits, adapt)
