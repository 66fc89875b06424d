"""The linear learner: each value of each cell has one weight, and a position's value is their sum."""

from __future__ import annotations

from nimtui.engine.ntuple import Tuples
from nimtui.learning import steps
from nimtui.learning.learner import Learner
from nimtui.learning.parameter import Parameter
from nimtui.learning.sight import Sight
from nimtui.learning.steps import Switch
from nimtui.learning.tuples import tuples

NAME = "linear"
ABOUT = "one weight for each value of each cell; learns what a sum of cells can say"
PARAMETERS = {"digits": Parameter("are numbers seen digit by digit, in binary?", choices=Switch), **steps.PARAMETERS}
LEARNER = steps.learner("Linear", __name__, {"digits": Switch.OFF}, step=0.8, last=0.08)
check = steps.check


def function(learner: Learner, sight: Sight, seed: int, plies: int) -> Tuples:
    """Return a function without knowledge, for games of at most so many plies: a tuple of one cell for each."""
    return tuples(sight, 0, 1, seed=seed, plies=plies, digits=steps.is_on(learner.digits))
