"""Values of a solved position in its document and as words; tests/cli/transcripts/solving.txt has what is printed."""

from __future__ import annotations

import pytest

from nimtui.games import parse_game
from nimtui.games.place import Place
from nimtui.report.blocks import Report
from nimtui.report.document import document
from nimtui.theory import connect, report
from nimtui.theory.answers import MoveValue, answer
from nimtui.theory.verdict import Outcome


def solved(name: str, position: str | None, words: str) -> Report:
    game = parse_game(name)
    state = game.new(position)
    end = connect.ending(game, state) if name.startswith("connect") else None
    return report.solved(Place(game, state, position), answer(game, state), end, words)


@pytest.mark.parametrize(
    ("name", "position", "score", "scores", "line", "ending"),
    [
        ("connect:3x2x3", "1122", 1, {"3": 1}, ("3",), "at once"),
        ("connect:3x2x2", "", 2, {"1": 2, "2": 2, "3": 2}, ("1", "1", "2"), "double threat"),
    ],
)
def test_scores_of_a_connect_position_in_its_document(
    name: str, position: str, score: int, scores: dict[str, int], line: tuple[str, ...], ending: str
) -> None:
    facts = document(solved(name, position, "Words."))
    assert (facts["score"], facts["scores"], facts["line"], facts["ending"]) == (score, scores, line, ending)
    assert facts["grundy"] is None and facts["remoteness"] == len(line) and facts["outcome"] == "win"


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
