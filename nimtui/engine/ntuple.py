"""A function of n-tuples: each looks up the values of its inputs in a table of its own, and the total is their sum.

Sources: W. Bledsoe and I. Browning, "Pattern recognition and reading by machine" (1959); S. Lucas, "Learning to play
Othello with n-tuple systems" (2008); for Connect Four M. Thill, P. Koch and W. Konen (PPSN 2012). The rates of single
weights are those of temporal coherence: D. Beal and M. Smith, "Temporal coherence and prediction decay in TD learning"
(IJCAI 1999), as S. Bagheri et al. use them.

A slot is a tuple as it looks at the position, or at one of its mirror images; these share weights.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

KNOWS = ("weights", "moved", "went")  # the arrays that it learns; the others say where it stands


class Tuples(NamedTuple):
    """Tables of weights, and where in them the position stands."""

    weights: npt.NDArray[np.float32]  # [sides, all entries of all tuples]
    first: npt.NDArray[np.int32]  # [slots]: the first entry of a slot's tuple
    ptr: npt.NDArray[np.int64]  # [inputs + 1]: input i is in the places ptr[i] … ptr[i + 1] − 1
    slot: npt.NDArray[np.int32]  # [places]: of which slot
    entry: npt.NDArray[np.int32]  # [places, levels]: what a value of the input adds to the slot's entry
    at: npt.NDArray[np.int32]  # [slots]: the entry of each slot now
    path: npt.NDArray[np.int32]  # [plies, slots]: the entries at each noted ply
    moved: npt.NDArray[np.float32]  # [sides, entries], or [1, 1]: the sum of a weight's steps …
    went: npt.NDArray[np.float32]  # … and of their sizes; [1, 1] without rates of its own


def clear(function: Tuples) -> None:
    for slot in range(function.first.shape[0]):
        function.at[slot] = function.first[slot]


def shift(function: Tuples, i: int, old: int, new: int) -> None:
    for place in range(function.ptr[i], function.ptr[i + 1]):
        function.at[function.slot[place]] += function.entry[place, new] - function.entry[place, old]


def total(function: Tuples, side: int) -> float:
    # Four sums that do not wait for each other, in 64 bits: rounded to 32, that of a mirror image has the same bits.
    weights, at = function.weights[side], function.at
    slots = at.shape[0]
    a = b = c = d = np.float64(0.0)
    whole = slots - slots % 4
    for slot in range(0, whole, 4):
        a += weights[at[slot]]
        b += weights[at[slot + 1]]
        c += weights[at[slot + 2]]
        d += weights[at[slot + 3]]
    for slot in range(whole, slots):
        a += weights[at[slot]]
    return np.float32((a + b) + (c + d))  # type: ignore[return-value]


def note(function: Tuples, ply: int) -> None:
    for slot in range(function.at.shape[0]):
        function.path[ply, slot] = function.at[slot]


def learn(function: Tuples, side: int, ply: int, step: float) -> None:
    weights, by = function.weights, np.float32(step)
    if function.moved.shape[1] == 1:
        for slot in range(function.at.shape[0]):
            weights[side, function.path[ply, slot]] += by
        return
    size = abs(by)
    for slot in range(function.at.shape[0]):
        entry = function.path[ply, slot]
        moved, went = function.moved[side, entry], function.went[side, entry]
        weights[side, entry] += by * (abs(moved) / went if went > 0 else np.float32(1.0))
        function.moved[side, entry] = moved + by
        function.went[side, entry] = went + size
