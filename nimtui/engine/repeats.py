"""Find at what distances the end of a sequence repeats. No Numba here: `heap_values` compiles it for long sequences."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt


def shared(values: npt.NDArray[Any], many: npt.NDArray[np.int64]) -> None:
    """Fill `many` [len(values)]: at distance d, how many values at the end equal those d places before them.

    The Z-function of the reversed sequence, in linear time (D. Gusfield, "Algorithms on Strings, Trees and Sequences").
    """
    last = values.shape[0] - 1
    first = 0
    right = 0
    for distance in range(1, last + 1):
        same = min(right - distance, many[distance - first]) if distance < right else 0
        while distance + same <= last and values[last - same] == values[last - distance - same]:
            same += 1
        many[distance] = same
        if distance + same > right:
            first = distance
            right = distance + same
