"""Grundy values of heaps over the few rare ones: each call, its steps and its mask, by all moves."""

from __future__ import annotations

from itertools import count
from random import Random

import numpy as np
import pytest

from nimtui.engine import heap_values
from nimtui.engine.heap_values import AT, RARE, SPARSE, VALUES, WIDE, best_mask, fill, grundy_values, lost_values
from tests.games.refusal import refusal
from tests.stops import Noted


def rare_of(values: list[int], mask: int) -> list[int]:
    return [place for place, value in enumerate(values) if (int(value) & mask).bit_count() % 2 == 0]


def plain(digits: list[int], unequal: bool, mask: int, to: int) -> tuple[list[int], list[int]]:
    """The values by all moves, and the steps up to each heap over the rare ones of a mask."""
    values, steps = [0], [0]
    for heap in range(1, to + 1):
        takes = [(heap - take, digit) for take, digit in enumerate(digits[: heap + 1])]
        after = {values[rest] for rest, digit in takes if digit & (2 if rest else 1)}
        splits, few = [rest for rest, digit in takes if digit & 4], rare_of(values, mask)
        pairs = [(one, rest - one) for one in range(1, heap // 2 + 1) for rest in splits if 2 * one <= rest]
        pairs = [(one, other) for one, other in pairs if not (unequal and one == other)]
        every = after | {values[one] ^ values[other] for one, other in pairs}
        seen = after | {values[one] ^ values[other] for one, other in pairs if one in few or other in few}
        common = next(n for n in count() if n not in seen and rare_of([n], mask) == [])
        missing, tried = {*range(common)} - seen, 0
        for first in range(1, heap // 2 + 1):
            here = [values[one] ^ values[other] for one, other in pairs if one == first and missing]
            tried, missing = tried + len(here), missing - {*here}
        values.append(next(n for n in count() if n not in every))
        steps.append(steps[-1] + len(takes) + len(splits) * (len(few) - 1) + tried)  # heap 0 is never left
    return values, steps


@pytest.mark.parametrize("unequal", [False, True])
def test_any_mask_gives_the_values_of_all_moves_in_calls_of_any_size(unequal: bool) -> None:
    dice, to = Random(5), 24
    for mask in (1, 2, 3, 5, 6, 7, 9):
        digits = [dice.choice((0, 4)), *dice.choices(range(8), k=3)]
        values, steps = plain(digits, unequal, mask, to)
        (filled, rare), seen, at = (
            np.zeros((2, to + 2), np.int32),
            np.zeros(2 * VALUES, np.int32),
            np.array([1, 0, 0, 0]),
        )
        while (first := int(at[AT])) <= to:
            last, few, some = dice.randint(first, to), dice.randint(1, 9), int(at[RARE]) + dice.randint(1, 3)
            fill(filled, np.array(digits), unequal, mask, rare, seen, at, last, some, few)
            ends = (n for n in count(first) if n > last or steps[n - 1] - steps[first - 1] >= few)
            end = min([next(ends), *(place + 1 for place in rare_of(values, mask)[some : some + 1])])
            places = rare_of(values[:end], mask)[1:]
            assert (at.tolist(), filled[:end].tolist()) == ([end, len(places), steps[end - 1], 0], values[:end])
            assert rare[: len(places)].tolist() == places


def test_a_value_of_half_of_the_numbers_is_told() -> None:
    half = 1 << 15
    values, rare, seen = np.arange(half + 1, dtype=np.int32), np.zeros(9, np.int32), np.zeros(4 * half, np.int32)
    digits, at = 3 * np.arange(half + 1).clip(0, 1), np.array([half - 1, 0, 0, 0])
    fill(values, digits, False, half | 1, rare, seen, at, half, 9, 10**9)
    assert at.tolist() == [half, 0, half, 1] and values[half] == half


def test_it_asks_after_each_stretch_whether_the_values_are_enough_and_gives_up_after_a_minute(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    digits, asked, noted = np.array([0, 3, 3, 3]), list[int](), Noted()  # one to three are taken from a row: n mod 4
    monkeypatch.setattr(heap_values, "STEPS", 1)  # one heap a call
    values, mask = grundy_values(digits, False, 199, lambda values: bool(asked.append(len(values))), noted)
    assert (values.tolist(), mask, asked) == ([n % 4 for n in range(200)], 0, [67, 199])
    assert noted.lines == [(heap + 1, 199, "heaps") for heap in range(1, 200)]
    assert len(grundy_values(digits, False, 199, lambda values: len(values) > 66)[0]) == 67
    assert grundy_values(np.array([0, 1, 1, 1]), False, 3)[1] == 0  # only the first of its values is even
    line = "no sparse space and no period was found: the heaps up to {0} take a minute. Try --to {0}"
    monkeypatch.setattr(heap_values, "MOST_STEPS", 2 + 3 + 4)  # of the first three heaps
    assert refusal(grundy_values, digits, False, 199) == line.format(4)
    monkeypatch.setattr(heap_values, "fill", lambda *arguments: arguments[6].__setitem__(WIDE, 1))
    assert refusal(grundy_values, digits, False, 199) == line.format(0)


def test_a_space_is_sparse_if_one_heap_in_four_is_rare() -> None:
    digits, limits = np.array([0, 7, 7]), list[bool]()  # Kayles
    values = grundy_values(digits, False, 150)[0]
    for to in range(150):
        few = len(rare_of(values[: to + 1].tolist(), mask := best_mask(values[: to + 1]))) - 1
        if abs(4 * few - to - 1) <= 4:
            limits.append(4 * few == to + 1)
            assert grundy_values(digits, False, to)[1] == (mask if 4 * few <= to + 1 else 0)
    assert any(limits) and not all(limits) and SPARSE == 4


def test_misere_heaps_without_splits_are_lost_if_every_move_leaves_a_heap_that_is_won() -> None:
    dice, noted = Random(3), Noted()
    for _ in range(9):
        digits, lost = [0, *dice.choices(range(4), k=4)], list[int]()
        for heap in range(30):
            takes = [take for take, digit in enumerate(digits[: heap + 1]) if take and digit & 1 + (take < heap)]
            after = [lost[heap - take] for take in takes]
            lost.append(bool(after) and 1 not in after)
        assert lost_values(np.array(digits), 29, noted).tolist() == lost and noted.lines[-1] == (30, 30, "heaps")


def test_the_best_mask_leaves_the_fewest_values_rare() -> None:
    dice = np.random.default_rng(4)
    for most in (1, 2, 4, 9, 30):
        values = dice.integers(0, most, 40).astype(np.int32)
        masks = range(1 << int(values.max()).bit_length())
        rare = [len(rare_of(values.tolist(), mask)) for mask in masks]
        assert best_mask(values) == rare.index(min(rare))
    for mask in (0, 1, 6, 0xFFFF, 0xA5C3):
        for value in (0, 1, 2, 7, 0x8421, 0x8420, 0x1234, 0xFFFF):
            assert heap_values.is_rare(value, mask) == ((value & mask).bit_count() % 2 == 0)
