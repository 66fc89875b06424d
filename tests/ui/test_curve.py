"""The learning curve as a picture: axes that do not jump, lines that can be told apart without colour."""

from __future__ import annotations

from itertools import pairwise

import pytest

from nimtui.report import lines as ink
from nimtui.ui.kit.terminal.glyphs import ASCII, UNICODE, Glyphs
from nimtui.ui.kit.widgets.curve import Axis, Series, paint, short
from tests.ui.drawn import as_drawn

RISING = [(0, 0.2), (1, 0.2), (10, 0.4), (100, 0.6), (1_000, 0.8), (10_000, 1.0)]
FLAT = [(0, 0.5), (10_000, 0.5)]
ONE, TWO = Series("reward", RISING), Series("quality, margin 90", FLAT, 1)
DOTTED = Series("unbeaten", FLAT, dotted=True, aside=True)


def picture(series: list[Series], games: int = 0, columns: int = 60, rows: int = 12) -> list[str]:
    return [ink.plain_text(shown) for shown in paint(series, games, columns, rows, ASCII)]


@pytest.mark.parametrize(
    ("name", "series", "games", "columns", "rows", "signs"),
    [
        ("rising", [ONE], 0, 60, 12, ASCII),
        ("two learners", [ONE, TWO], 12_345, 78, 10, UNICODE),
        ("two that are the same but at their ends", [ONE, Series("proof", RISING, 1)], 0, 60, 12, UNICODE),
        ("one learner, two lines", [Series("accuracy", RISING), DOTTED], 0, 60, 11, UNICODE),
        ("a dotted line in ASCII", [DOTTED], 0, 40, 8, ASCII),
        ("points of three numbers", [Series("q", [(0, 0.0, 0.5), (9, 1.0, 0.5)])], 900, 40, 8, UNICODE),
        ("no games yet", [Series("q", [])], 0, 60, 5, UNICODE),
        ("one point", [Series("q", [(1, 0.3)])], 0, 20, 5, UNICODE),
        ("nothing", [], 0, 20, 5, UNICODE),
        ("a thousand million", [Series("q", FLAT)], 10**9, 78, 5, ASCII),
        ("decades and a word", [Series("q", FLAT)], 3 * 10**4, 78, 5, ASCII),
    ],
)
def test_curves(name: str, series: list[Series], games: int, columns: int, rows: int, signs: Glyphs) -> None:
    lines = paint(series, games, columns, rows, signs)
    assert len(lines) == rows and all(ink.width(shown) <= columns for shown in lines)
    as_drawn("curve", name, lines)


@pytest.mark.parametrize(("columns", "rows"), [(1, 1), (7, 9), (30, 2), (8, 3), (160, 30)])
def test_any_room_does_no_harm(columns: int, rows: int) -> None:
    lines = paint([ONE, TWO], 10, columns, rows, UNICODE)
    assert len(lines) <= rows and all(ink.width(text) <= columns for text in lines)
    few = paint([ONE, Series("against perfect play", FLAT, dotted=True)], 0, 78, 10, UNICODE)
    assert max(map(len, few[1:])) <= 4, "every change of ink costs some 25 bytes on the wire"


def test_a_rising_line_rises_from_left_to_right_without_gaps() -> None:
    rows = picture([ONE])[1:-1]
    heights = []
    for column in range(4, 60):
        marked = [row for row, text in enumerate(rows) if column < len(text) and text[column] == "*"]
        assert marked == list(range(marked[0], marked[-1] + 1))
        heights.append((marked[0], marked[-1]))
    assert heights[-1][0] == 0  # 100 %
    assert all(after[0] <= before[0] and after[1] + 1 >= before[0] for before, after in pairwise(heights))


def test_0_50_and_100_per_cent_are_where_they_are_said_to_be() -> None:
    for value, label in ((0.0, "0"), (0.5, "50"), (1.0, "100")):
        lines = picture([Series("q", [(0, value), (1_000, value)])], rows=11)
        [text] = [text for text in lines if "****" in text and text is not lines[0]]
        assert text.split()[0] == label


def test_the_right_edge_moves_by_half_decades() -> None:
    lasts = [Axis.to(games).last for games in (0, 1, 999, 1_000, 1_001, 3_162, 3_163, 10_000, 10**9, 10**9 + 1)]
    assert lasts == [3, 3, 3, 3, 3.5, 3.5, 4, 4, 9, 9.5]
    curve = [Series("reward", RISING[:3])]
    assert picture(curve, 1_100)[1:] == picture(curve, 3_000)[1:] != picture(curve, 5_000)[1:]
    assert [short(10**decade) for decade in (0, 3, 5, 6, 9)] == ["1", "1k", "100k", "1M", "1G"]
