"""The net learner: a neural network with one or two layers of hidden units, trained by backpropagation."""

from __future__ import annotations

import numpy as np

from nimtui.engine.network import Network
from nimtui.engine.rng import Stream
from nimtui.learning import steps
from nimtui.learning.learner import Learner
from nimtui.learning.parameter import Parameter
from nimtui.learning.sight import Sight
from nimtui.learning.steps import Errors

NAME = "net"
ABOUT = "a neural network with one or two layers of hidden units, which finds what it looks for by itself"
PARAMETERS = {
    "hidden": Parameter("number of hidden units", 1, 1_024),
    "second": Parameter("number of hidden units in a second layer; 0: one layer", 0, 1_024),
    **steps.PARAMETERS,
}
# Squared errors have the factor 1 − v², which is 0 where a network is sure and wrong: it stays there.
LEARNER = steps.learner("Net", __name__, {"hidden": 32, "second": 0}, step=0.02, errors=Errors.ENTROPY)
check = steps.check


def function(learner: Learner, sight: Sight, seed: int, plies: int) -> Network:
    """Return a network with small random weights, for games of at most so many plies.

    A weight is drawn evenly from ±√(6 / inputs), for max(0, x) units (K. He et al., ICCV 2015); those of the total from
    ±1 / units.
    """
    stream, levels, sides = Stream(seed, stream=1), max(sight.levels), sight.sides
    rows = sight.inputs * levels + 1
    weights = _drawn(stream, (sides, rows, learner.hidden), (6 / sight.inputs) ** 0.5)
    weights[:, -1] = 0
    middle = _drawn(stream, (sides, learner.hidden + 1, learner.second), (6 / learner.hidden) ** 0.5)
    middle[:, -1] = 0
    last = learner.second or learner.hidden
    out = _drawn(stream, (sides, last + 1), 1 / last)
    out[:, -1] = 0
    return Network(
        weights,
        middle,
        out,
        np.array(sight.images, np.int64),
        levels,
        np.zeros((sides, len(sight.images), learner.hidden)),
        np.zeros(sight.inputs, np.int16),
        np.zeros((plies, sight.inputs), np.int16),
        np.zeros((len(sight.images), learner.hidden)),
        np.zeros((len(sight.images), learner.second)),
    )


def _drawn(stream: Stream, shape: tuple[int, ...], most: float) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    numbers = [stream.share() for _ in range(int(np.prod(shape)))]
    return most * (2 * np.array(numbers).reshape(shape) - 1)
