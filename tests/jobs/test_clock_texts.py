"""How long is left, in words; and what the compiler is waited for."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from nimtui.jobs import clock
from nimtui.jobs.clock import TRUSTED, Remaining, compiling_text, duration_text, remaining_text
from nimtui.jobs.job import Snapshot


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(9.9, "a few seconds"), (10, "about 10 s"), (89.9, "about 90 s"), (90, "about 2 min"), (149, "about 2 min"),
     (5399, "about 90 min"), (5400, "about 2 h"), (36_000, "about 10 h")],
)  # fmt: skip
def test_a_duration_in_plain_words(seconds: float, text: str) -> None:
    assert duration_text(seconds) == text and remaining_text(seconds) == f"{text} left"


def test_what_is_unknown_or_over_at_once_is_not_told() -> None:
    assert remaining_text(None) == remaining_text(1.99) == "" and remaining_text(2) == "a few seconds left"


def test_the_time_left_is_that_of_the_present_work_at_its_pace() -> None:
    left = Remaining()
    assert left.seen(Snapshot(10, 100, "games"), 1_000.0) is None
    assert left.seen(Snapshot(20, 100, "games"), 1_000.0 + TRUSTED - 0.01) is None
    assert left.seen(Snapshot(10, 100, "games"), 1_010.0) is None, "nothing was done"
    assert left.seen(Snapshot(30, 100, "games"), 1_010.0) == pytest.approx(70 * 10 / 20)
    assert left.seen(Snapshot(120, 100, "games"), 1_010.0) == 0.0
    assert left.seen(Snapshot(30, 90, "games"), 1_011.0) is None, "another amount is other work"
    assert left.seen(Snapshot(30, 0, "moves"), 1_020.0) is None and left.seen(Snapshot(60, 0, "moves"), 1_040.0) is None


def test_the_compiler_says_how_many_kernels_are_to_come(monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[object] = [None, None]
    monkeypatch.setattr(
        clock, "activity", SimpleNamespace(compiling=lambda: found[0], orders=lambda: found[1])
    )  # fmt: skip
    assert compiling_text() == ""
    found[0] = "first_moves"
    assert compiling_text() == "compiling the engine, once"
    for total, kernels in ((1, "1 kernel"), (3, "3 kernels")):
        found[1] = SimpleNamespace(done=1, total=total, seconds=3.6)
        assert compiling_text() == f"compiling the engine, once: 1 of {kernels}, 4 s"
