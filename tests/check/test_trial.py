"""Time limits within time limits, and lines of what a person's own code says."""

from __future__ import annotations

from contextlib import suppress
from time import monotonic

import pytest

from nimtui.check.trial import LONGEST, Overdue, Trial, at_most


def loop() -> None:
    while True:
        pass


def test_the_outer_time_runs_on_after_an_inner_limit_is_left() -> None:
    with pytest.raises(Overdue), at_most(0.2):
        for _ in range(3):
            with at_most(100):
                pass
        loop()


def test_an_inner_limit_that_is_reached_leaves_the_outer_one() -> None:
    reached = []
    with pytest.raises(Overdue), at_most(0.3):
        with suppress(Overdue), at_most(0.1):
            loop()
        reached.append("inner")
        loop()
    assert reached == ["inner"]


def test_an_outer_limit_ends_an_inner_one_that_is_longer_even_if_somebody_swallows_it() -> None:
    with pytest.raises(Overdue), at_most(0.1):
        with suppress(Overdue), at_most(100):
            loop()
        loop()


def test_a_limit_that_was_left_never_rings() -> None:
    with at_most(0.05):
        pass
    until = monotonic() + 0.2
    while monotonic() < until:
        pass


def test_an_example_is_one_line_of_some_hundred_signs() -> None:
    told: list[dict[str, object]] = []
    Trial(told.append, lambda doing, where: None).fail("name", "x\n" * 1_000_000)
    assert len(str(told[-1]["example"])) <= LONGEST and str(told[-1]["example"]).endswith("x x (1,999,999 characters)")
