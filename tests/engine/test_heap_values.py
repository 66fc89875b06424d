"""Grundy values of heaps over the few rare ones: which values a mask leaves rare, by counting digits."""

from __future__ import annotations

import numpy as np

from nimtui.engine import heap_values


def test_the_best_mask_leaves_the_fewest_values_rare() -> None:
    dice = np.random.default_rng(4)
    for most in (1, 2, 4, 9, 30):
        values = dice.integers(0, most, 40).astype(np.int32)
        masks = range(1 << int(values.max()).bit_length())
        rare = [sum((int(value) & mask).bit_count() % 2 == 0 for value in values) for mask in masks]
        assert heap_values.best_mask(values) == rare.index(min(rare))
    for mask in (0, 1, 6, 0xFFFF, 0xA5C3):
        for value in (0, 1, 2, 7, 0x8421, 0x8420, 0x1234, 0xFFFF):
            assert heap_values.is_rare(value, mask) == ((value & mask).bit_count() % 2 == 0)
