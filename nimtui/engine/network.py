"""A function that is a neural network: inputs, one or two layers of hidden units max(0, x), and their weighted sum.

Each value of each input but 0 has a weight to each unit. The sums of the units follow each change of an input, so a
move costs as much as it changes (Y. Nasu, "Efficiently updatable neural-network-based evaluation functions", 2018).
Learning is backpropagation (D. Rumelhart, G. Hinton and R. Williams, "Learning representations by back-propagating
errors", Nature 323, 1986). Mirror images share weights: the total is the mean over the images.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

WEIGHTS = ("weights", "middle", "out")


class Network(NamedTuple):
    """Weights, and the sums of the hidden units at the position."""

    weights: npt.NDArray[np.float64]  # [sides, inputs × levels + 1, hidden]: of each value; last the units' own
    middle: npt.NDArray[np.float64]  # [sides, hidden + 1, second]: of each unit to the second layer; last its own
    out: npt.NDArray[np.float64]  # [sides, units of the last layer + 1]: of each unit; last the total's own
    image: npt.NDArray[np.int64]  # [images, inputs]: where each image has an input
    levels: int  # of every input
    sums: npt.NDArray[np.float64]  # [sides, images, hidden]
    seen: npt.NDArray[np.int16]  # [inputs]: the values of the inputs
    path: npt.NDArray[np.int16]  # [plies, inputs]: the same at each noted ply
    lower: npt.NDArray[np.float64]  # [images, hidden]: scratch of `learn`, the units of the first layer …
    upper: npt.NDArray[np.float64]  # [images, second]: … and the sums of those of the second


def clear(function: Network) -> None:
    function.seen[:] = 0
    own = function.weights.shape[1] - 1
    for side in range(function.sums.shape[0]):
        for image in range(function.image.shape[0]):
            for unit in range(function.weights.shape[2]):
                function.sums[side, image, unit] = function.weights[side, own, unit]


def shift(function: Network, i: int, old: int, new: int) -> None:
    function.seen[i] = new
    for side in range(function.sums.shape[0]):
        for image in range(function.image.shape[0]):
            first = function.image[image, i] * function.levels
            if old:
                add(function, side, image, first + old, -1.0)
            if new:
                add(function, side, image, first + new, 1.0)


def add(function: Network, side: int, image: int, row: int, times: float) -> None:
    """Add a row of weights to the sums of the units."""
    for unit in range(function.weights.shape[2]):
        function.sums[side, image, unit] += times * function.weights[side, row, unit]


def total(function: Network, side: int) -> float:
    whole = 0.0
    units = function.out.shape[1] - 1
    for image in range(function.image.shape[0]):
        if function.middle.shape[2]:
            raise_second(function, side, image)
            for unit in range(units):
                whole += max(0.0, function.upper[image, unit]) * function.out[side, unit]
        else:
            for unit in range(units):
                whole += max(0.0, function.sums[side, image, unit]) * function.out[side, unit]
    return whole / function.image.shape[0] + function.out[side, units]


def raise_second(function: Network, side: int, image: int) -> None:
    """Fill in the sums of the second layer's units."""
    hidden, upper = function.sums.shape[2], function.upper[image]
    for second in range(upper.shape[0]):
        upper[second] = function.middle[side, hidden, second]
    for unit in range(hidden):
        value = function.sums[side, image, unit]
        if value > 0.0:
            for second in range(upper.shape[0]):
                upper[second] += value * function.middle[side, unit, second]


def note(function: Network, ply: int) -> None:
    for i in range(function.seen.shape[0]):
        function.path[ply, i] = function.seen[i]


def learn(function: Network, side: int, ply: int, step: float) -> None:
    # The sums are made anew: the weights have changed since the move. Afterwards they are wrong until `clear`.
    hidden, own = function.weights.shape[2], function.weights.shape[1] - 1
    by = step / function.image.shape[0]
    for image in range(function.image.shape[0]):
        sums = function.sums[side, image]
        for unit in range(hidden):
            sums[unit] = function.weights[side, own, unit]
        for i in range(function.path.shape[1]):
            if function.path[ply, i]:
                add(function, side, image, function.image[image, i] * function.levels + function.path[ply, i], 1.0)
    if function.middle.shape[2]:
        learn_second(function, side, by)
    else:
        for unit in range(hidden):
            back, active = by * function.out[side, unit], 0.0
            for image in range(function.image.shape[0]):
                active += max(0.0, function.sums[side, image, unit])
                function.sums[side, image, unit] = back if function.sums[side, image, unit] > 0.0 else 0.0
            function.out[side, unit] += by * active
    for image in range(function.image.shape[0]):
        for i in range(function.path.shape[1]):
            if function.path[ply, i]:
                row = function.image[image, i] * function.levels + function.path[ply, i]
                for unit in range(hidden):
                    function.weights[side, row, unit] += function.sums[side, image, unit]
        for unit in range(hidden):
            function.weights[side, own, unit] += function.sums[side, image, unit]
    function.out[side, function.out.shape[1] - 1] += step


def learn_second(function: Network, side: int, by: float) -> None:
    """Let the second layer and the total's weights learn; the sums of the first become steps of its units."""
    hidden, layer, out = function.sums.shape[2], function.middle[side], function.out[side]
    for image in range(function.image.shape[0]):
        raise_second(function, side, image)
        for unit in range(hidden):
            function.lower[image, unit] = max(0.0, function.sums[side, image, unit])
    for second in range(layer.shape[1]):
        active = 0.0
        for image in range(function.image.shape[0]):
            active += max(0.0, function.upper[image, second])
            function.upper[image, second] = by * out[second] if function.upper[image, second] > 0.0 else 0.0
        out[second] += by * active
    for image in range(function.image.shape[0]):
        steps, sums = function.upper[image], function.sums[side, image]
        for unit in range(hidden):
            back = 0.0
            for second in range(layer.shape[1]):
                back += steps[second] * layer[unit, second]
            sums[unit] = back if function.lower[image, unit] > 0.0 else 0.0
    for image in range(function.image.shape[0]):
        steps = function.upper[image]
        for second in range(layer.shape[1]):
            for unit in range(hidden):
                layer[unit, second] += steps[second] * function.lower[image, unit]
            layer[hidden, second] += steps[second]
