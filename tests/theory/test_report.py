"""Values of a solved position in its document and as words; tests/cli/transcripts/solving.txt has what is printed."""

from __future__ import annotations

import pytest

from nimtui.theory import report
from nimtui.theory.answers import MoveValue
from nimtui.theory.verdict import Outcome


@pytest.mark.parametrize(
    ("value", "text", "whole"),
    [
        (1_000_000 - 5, "wins in 5", "wins in 5 plies"),
        (-(1_000_000 - 1), "loses in 1", "loses in 1 ply"),
        (-2, "−2", "−2"),
        (0, "0", "0"),
    ],
)
def test_a_decided_value_is_a_count_of_plies(value: int, text: str, whole: str) -> None:
    decided = report.Decided(value)
    assert (decided.text, decided.whole) == (text, whole)
    assert report.bounded(decided, "upper").text == f"≤ {text}" and report.bounded(decided, "lower").text == f"≥ {text}"
    assert report.bounded(decided, "exact").text == report.bounded(decided, None).text == text


def test_the_exact_value_beside_a_move() -> None:
    win, loss = MoveValue(0, Outcome.WIN, True, 7), MoveValue(1, Outcome.LOSS, False, 2)
    draw = MoveValue(2, Outcome.DRAW, True, None)
    assert [report.truth(move).text for move in (win, loss)] == ["wins in 7", "loses in 2"]
    assert report.truth(draw).text == "draws" and report.truth(None).text not in ("wins", "loses", "draws")
    assert report.truth_keys(win) == {"optimal": True, "outcome": "win", "remoteness": 7}
    assert report.truth_keys(None) == {"optimal": None, "outcome": None, "remoteness": None}
    assert [report.verdict(move, {0: win, 1: loss}) for move in (win, loss, None)] == ["best", "mistake", "unknown"]
    assert report.verdict(win, {0: win, 2: draw}) == "all equal" and report.verdict(win, None) == "unknown"
