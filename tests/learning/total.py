"""A function of one number: the sum of all inputs, in Nim the matches that are left."""

from typing import NamedTuple

import numpy as np

from nimtui.learning import steps
from nimtui.learning.steps import Errors

NAME = "total"
ABOUT = "one weight for each sum of all inputs"
PARAMETERS = steps.PARAMETERS
LEARNER = steps.learner("Total", __name__, step=0.1, last=0.01, trace=0.5, explore=0.3, errors=Errors.ENTROPY)


class Sums(NamedTuple):
    weights: np.ndarray  # [sides, sums]
    at: np.ndarray  # [1]: the sum now
    path: np.ndarray  # [plies]: the sum at each noted ply


def function(learner, sight, seed, plies):
    sums = sum(sight.levels) - sight.inputs + 1
    return Sums(np.zeros((sight.sides, sums)), np.zeros(1, np.int64), np.zeros(plies, np.int64))


def clear(function):
    function.at[0] = 0


def shift(function, i, old, new):
    function.at[0] += new - old


def total(function, side):
    return function.weights[side, function.at[0]]


def note(function, ply):
    function.path[ply] = function.at[0]


def learn(function, side, ply, step):
    function.weights[side, function.path[ply]] += step
