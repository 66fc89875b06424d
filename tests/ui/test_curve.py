"""The learning curve as a picture: axes that do not jump, lines that can be told apart without colour."""

from __future__ import annotations

from itertools import pairwise

import pytest

from nimtui.report import lines as ink
from nimtui.report.lines import Ink
from nimtui.ui.kit.terminal.glyphs import ASCII, UNICODE, Glyphs
from nimtui.ui.kit.widgets.curve import Axis, Series, paint, short

RISING = [(0, 0.2), (1, 0.2), (10, 0.4), (100, 0.6), (1_000, 0.8), (10_000, 1.0)]
FLAT = [(0, 0.5), (10_000, 0.5)]
SIZES = [(20, 5), (40, 8), (78, 10), (160, 30)]


def picture(
    series: list[Series], games: int = 0, columns: int = 60, rows: int = 12, signs: Glyphs = ASCII
) -> list[str]:
    return [ink.plain_text(shown) for shown in paint(series, games, columns, rows, signs)]


@pytest.mark.parametrize(("columns", "rows"), SIZES)
@pytest.mark.parametrize("signs", [UNICODE, ASCII])
def test_it_fills_its_room_and_no_more(columns: int, rows: int, signs: Glyphs) -> None:
    series = [
        Series("reward", RISING),
        Series("quality, margin 90", FLAT, 1),
        Series("against perfect play", RISING, 0, dotted=True),
        Series("against perfect play", FLAT, 1, dotted=True),
    ]
    for shown in (series, series[:1], [Series("reward", [])], [Series("reward", [(1, 0.3)])], []):
        lines = paint(shown, 12_345, columns, rows, signs)
        assert len(lines) == rows
        assert all(ink.width(text) <= columns for text in lines)
        if signs is ASCII:
            assert all(ink.plain_text(text).isascii() for text in lines)


@pytest.mark.parametrize(("columns", "rows"), [(1, 1), (7, 9), (30, 2), (8, 3)])
def test_tiny_rooms_do_no_harm(columns: int, rows: int) -> None:
    lines = paint([Series("reward", RISING)], 10, columns, rows, UNICODE)
    assert len(lines) <= rows and all(ink.width(text) <= columns for text in lines)


def test_a_rising_line_rises_from_left_to_right_without_gaps() -> None:
    rows = picture([Series("reward", RISING)])[1:-1]
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


def test_theory_is_a_line_at_100_per_cent() -> None:
    lines = picture([Series("q", [])], signs=UNICODE)
    assert lines[1] == "100 " + "┈" * 56
    assert lines[0] == "no games yet"


def test_the_right_edge_moves_by_half_decades() -> None:
    lasts = [Axis.to(games).last for games in (0, 1, 999, 1_000, 1_001, 3_162, 3_163, 10_000, 10**9, 10**9 + 1)]
    assert lasts == [3, 3, 3, 3, 3.5, 3.5, 4, 4, 9, 9.5]
    curve = [Series("reward", RISING[:3])]
    assert picture(curve, 1_100)[1:] == picture(curve, 3_000)[1:]
    assert picture(curve, 1_100)[1:] != picture(curve, 5_000)[1:]


def test_decades_below_the_plot() -> None:
    assert picture([Series("q", RISING)], 10**4)[-1].split() == ["0", "10", "100", "1k", "10k"]
    assert picture([Series("q", FLAT)], 10**9, 78)[-1].split()[-3:] == ["10M", "100M", "1G"]
    assert picture([Series("q", FLAT)], 3 * 10**4, 78)[-1].split()[-2:] == ["10k", "games"]
    assert [short(10**decade) for decade in (0, 3, 5, 6, 9)] == ["1", "1k", "100k", "1M", "1G"]


def test_solid_and_dotted_lines_are_told_apart_without_colour() -> None:
    solid, dotted = (picture([Series("q", FLAT, dotted=dots)], signs=UNICODE, rows=11) for dots in (False, True))
    assert "⠒⠒ q 50.0 %" in solid[0] and "⠂⠄ q 50.0 %" in dotted[0]
    [row] = [text[4:] for text in solid if text.startswith(" 50")]
    assert set(row.rstrip()) <= set("⣀⠤⠒⠉") and len(set(row)) == 1
    dots = sum(bin(ord(sign) - 0x2800).count("1") for text in dotted[1:-1] for sign in text if "⠀" < sign <= "⣿")
    assert 112 / 3 - 1 <= dots <= 112 / 3 + 1


def test_two_learners_end_in_their_numbers_and_share_cells_in_an_ink_of_their_own() -> None:
    lines = paint([Series("reward", RISING), Series("proof", RISING, 1)], 0, 60, 12, UNICODE)
    assert ink.plain_text(lines[0]) == "1 ⠒⠒ reward 100 %   2 ⠂⠂ proof 100 %"
    assert ink.plain_text(lines[1]).rstrip()[-3:] == "1,2"  # not the number 21
    inks = {run.ink for text in lines[2:-1] for run in text}
    assert Ink.STRONG in inks and Ink.ONE not in inks  # they are the same everywhere but at their ends
    apart = paint([Series("reward", RISING), Series("proof", [(0, 1.0), (9, 1.0)], 1)], 0, 60, 12, ASCII)
    assert {run.ink for text in apart[1:-1] for run in text} >= {Ink.ONE, Ink.TWO}


def test_two_curves_differ_in_stroke_and_in_ink() -> None:
    first, second = (
        {
            sign
            for text in paint([Series("q", FLAT, learner)], 0, 60, 11, UNICODE)[2:-1]
            for sign in ink.plain_text(text)
        }
        for learner in (0, 1)
    )
    assert len(first) == len(second) and len(first - second) == len(second - first) == 1
    accuracy, unbeaten = Series("accuracy", FLAT), Series("unbeaten", RISING, dotted=True, aside=True)
    lines = paint([accuracy, unbeaten], 0, 60, 11, UNICODE)
    assert ink.plain_text(lines[0]) == "⠒⠒ accuracy 50.0 %   ⠂⠄ unbeaten 100 %"  # no numbers: it is one learner
    assert {run.ink for text in lines[2:-1] for run in text} >= {Ink.ONE, Ink.TWO}


def test_points_of_more_than_two_numbers_are_taken_by_their_first_two() -> None:
    whole = [(games, value, 0.0) for games, value in RISING]
    assert picture([Series("q", whole)]) == picture([Series("q", RISING)])  # type: ignore[arg-type]


def test_rows_have_few_runs() -> None:
    """Every change of ink costs some 25 bytes on the wire."""
    series = [Series("reward", RISING), Series("against perfect play", FLAT, 0, dotted=True)]
    lines = paint(series, 0, 78, 10, UNICODE)
    assert max(len(text) for text in lines[1:]) <= 4
