"""The learning curve as a picture: axes that do not jump, lines that can be told apart without colour, a legend."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest

from nimtui.report import lines as ink
from nimtui.report.lines import plain_text
from nimtui.ui.kit.terminal.glyphs import ASCII, UNICODE, Glyphs
from nimtui.ui.kit.widgets.curve import Axis, Series, paint, short
from tests.ui.drawn import as_drawn, limits

RISING = [(0, 0.2), (1, 0.2), (10, 0.4), (100, 0.6), (1_000, 0.8), (10_000, 1.0)]
FLAT = [(0, 0.5), (10_000, 0.5)]
ONE, TWO = Series("reward", RISING), Series("quality, margin 90", FLAT, 1)
DOTTED = Series("unbeaten", FLAT, dotted=True, aside=True)
THIRDS = [(1, 0.0), (10, 0.5), (100, 0.75), (1000, 1.0)]  # a third of the axis each
FALLING = [(1, 1.0), (100, 0.25), (1000, 0.25)]
DOTS = Series("perfect play", THIRDS[:3], 0, dotted=True, brief="perfect")
CROSSING = [Series("reward", THIRDS), Series("proof", FALLING, 1), DOTS]
BEYOND = Series("c", [(10, 2.0), (10, -1.0)], 1, dotted=True, told=False)  # values are cut at 0 and 100 %
MEETING = [Series("a", THIRDS), Series("b", [(1, 1.0), (1000, 1.0)], 1), BEYOND, Series("", [(100, 0.5)])]
BRIEF = [Series("reward, slow", THIRDS, brief="slow"), Series("perfect", THIRDS[:3], 0, dotted=True, brief="p")]


def painted(
    series: list[Series],
    columns: int = 60,
    rows: int = 12,
    signs: Glyphs = ASCII,
    games: int = 0,
    axis: Axis | None = None,
) -> list[str]:
    return [plain_text(shown) for shown in paint(series, games, columns, rows, signs, axis)]


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
        ("crossing, ASCII", CROSSING, 0, 34, 7, ASCII),
        ("crossing, dots", CROSSING, 0, 34, 7, UNICODE),
        ("meeting, ASCII", MEETING, 0, 34, 7, ASCII),
        ("meeting, dots", MEETING, 0, 34, 7, UNICODE),
        ("the smallest plot", CROSSING, 0, 8, 3, UNICODE),
        ("dotted lines of both", [replace(ONE, dotted=True), replace(TWO, dotted=True)], 0, 34, 7, UNICODE),
        ("points in the same place", [Series("q", [(10, 0.1), (10, 0.9), (11, 0.4)])], 0, 34, 9, UNICODE),
        (
            "one point of each", [Series("a", [(9, 0.3)], dotted=True), Series("b", [(9, 0.6)], 1, True)], 0, 30, 9,
            UNICODE,
        ),
        ("beyond the axis's first game", [Series("a", [(0, 0.0), (1, 1.0), (2, 0.0)], 1)], 0, 40, 9, UNICODE),
    ],
)  # fmt: skip
def test_curves(name: str, series: list[Series], games: int, columns: int, rows: int, signs: Glyphs) -> None:
    lines = paint(series, games, columns, rows, signs)
    assert len(lines) == rows and all(ink.width(shown) <= columns for shown in lines)
    as_drawn("curve", name, lines)


@pytest.mark.parametrize("signs", [UNICODE, ASCII])
def test_any_room_does_no_harm_and_a_picture_of_none_is_its_legend(signs: Glyphs) -> None:
    for columns, rows, lines in ((1, 1, 1), (7, 9, 1), (30, 2, 1), (8, 3, 3), (160, 30, 30), (7, 0, 0)):
        drawn = paint([ONE, TWO], 10, columns, rows, signs)
        assert len(drawn) == lines and all(ink.width(text) <= columns for text in drawn)
    assert any(plain_text(shown).startswith("  0 ") for shown in paint([ONE], 10, 60, 103, signs)), "101 lines high"
    series = [Series("q", THIRDS)]
    assert painted(series, 12, 1, signs)[0].endswith(" q 100 %")
    [narrow], [narrower] = painted(series, 9, 1, signs), painted(series, 7, 1, signs)
    assert narrow.split()[1:] == ["100", "%"] and narrower[:2] == narrow[:2]
    few = paint([ONE, Series("against perfect play", FLAT, dotted=True)], 0, 78, 10, signs)
    assert max(map(len, few[1:])) <= 4, "every change of ink costs some 25 bytes on the wire"


def test_the_right_edge_moves_by_half_decades() -> None:
    lasts = [Axis.to(games).last for games in (0, 1, 999, 1_000, 1_001, 3_162, 3_163, 10_000, 10**9, 10**9 + 1)]
    assert lasts == [3, 3, 3, 3, 3.5, 3.5, 4, 4, 9, 9.5]
    some, same, other = (painted([Series("reward", RISING[:3])], games=games)[1:] for games in (1_100, 3_000, 5_000))
    assert some == same != other
    assert [short(10**decade) for decade in (0, 3, 5, 6, 9)] == ["1", "1k", "100k", "1M", "1G"]


@pytest.mark.parametrize(
    ("columns", "first", "second", "row"),
    [
        (34, 999, 490, " 50 @@@@@@@@@@@@@@@@@@@@@@@@@@@2*1"),
        (34, 999, 621, " 50 @@@@@@@@@@@@@@@@@@@@@@@@@@1,2*"),  # '21' would be another number
        (14, 2, 2, " 50 1,2       "),
        (14, 0, 0, " 50 @1        "),  # there is no room at its left
    ],
)
def test_lines_end_in_their_numbers_apart_where_they_meet(columns: int, first: int, second: int, row: str) -> None:
    lines = [Series("a", [(0, 0.5), (first, 0.5)]), Series("b", [(0, 0.5), (second, 0.5)], 1)]
    assert painted(lines, columns, 7)[3] == row


def test_a_line_beyond_0_or_100_per_cent_ends_at_the_edge() -> None:
    lines = painted([Series("a", [(0, 0.5), (999, 1.5)]), Series("b", [(0, 0.5), (999, -0.5)], 1)], 34, 7)
    assert (lines[1][-1], lines[5][-1]) == ("1", "2")
    assert painted([Series("a", [(0, 0.5), (999, 1.5)]), Series("b", [], 1)], 34, 7)[1][-1] == "1"


@pytest.mark.parametrize(
    ("series", "signs", "columns", "legend"),
    [
        (CROSSING, UNICODE, 60, "1 ⠒⠒ reward 100 %   2 ⠂⠂ proof 25.0 %   ⠂⠄ perfect 75.0 %"),
        (CROSSING, UNICODE, 36, "1 ⠒⠒ 100 %   2 ⠂⠂ 25.0 %   ⠂⠄ 75.0 %"),
        (CROSSING, UNICODE, 35, "1 ⠒⠒ 100 %   2 ⠂⠂ 25.0 %"), (CROSSING, UNICODE, 23, "1 100 % 2 25.0 %"),
        (CROSSING, UNICODE, 14, "1 100 % 2 …"), (BRIEF, ASCII, 45, "** reward, slow 100 %   .. perfect 75.0 %"),
        (BRIEF, ASCII, 40, "** slow 100 %   .. perfect 75.0 %"), (BRIEF, ASCII, 32, "** slow 100 %   .. p 75.0 %"),
        (BRIEF, ASCII, 26, "** 100 %   .. 75.0 %"), (BRIEF, ASCII, 19, "** 100 %"),
        ([Series("a", THIRDS), Series("b", [], 1), Series("", FALLING, 1)], ASCII, 40, "1 ** a 100 %   2 oo b"),
    ],
)  # fmt: skip
def test_a_legend_has_brief_names_of_solid_lines_first_then_leaves_out_names_dotted_lines_and_strokes(
    series: list[Series], signs: Glyphs, columns: int, legend: str
) -> None:
    assert painted(series, columns, 2, signs)[0] == legend


@pytest.mark.parametrize("rows", range(4, 40))
def test_the_labels_at_the_left_are_the_finest_that_are_equally_far_apart(rows: int) -> None:
    """Two lines at least, in a plot that leaves at most two of its lines free."""
    lines = painted([Series("q", THIRDS)], 40, rows)
    labels = {at: int(text[:3]) for at, text in enumerate(lines[1:]) if text[:3].strip() and "q" not in text}
    [(_, step)] = {(after - at, labels[at] - labels[after]) for at, after in pairwise(labels)}
    plots = {25: 4, 50: 2, 20: 5, 10: 10}  # the parts of a plot, by their per cents
    fine = {
        per
        for per, parts in plots.items()
        for high in range(rows - 5, rows - 2)
        if high % parts == 0 and high >= 2 * parts
    }
    assert len(lines) == rows and step == min(fine, default=100) and {*labels.values()} >= {0, 100}


@pytest.mark.parametrize(
    ("games", "axis", "below"),
    [
        (1_000, None, "    1          10         100         1k"),
        (10**6, None, "    1    10    100   1k   10k  100k   1M"),
        (10**9, None, "    1  10  100 1k  10k    1M  10M     1G"),
        (5, Axis(4.0), "    1       10       100     1k      10k"),
    ],
)
def test_the_decades_stand_below_their_places(games: int, axis: Axis | None, below: str) -> None:
    assert painted([Series("q", [(0, 0.5)])], 40, 3, games=games, axis=axis)[-1].rstrip() == below


def test_what_a_curve_leaves_out_in_less_room() -> None:
    def legend(columns: int, rows: int) -> str:
        return painted(CROSSING, columns, rows, UNICODE)[0]

    def axis(columns: int, rows: int) -> str:
        return " ".join(painted([Series("q", FLAT)], columns, rows, games=10**rows)[-1].split())

    as_drawn("curve", "legends", limits(legend, range(1, 66), (1,)))
    as_drawn("curve", "axes", limits(axis, range(8, 60), (3, 6, 9)))
