"""Curves, sign by sign and ink by ink: where points lie on the axes, where lines meet, what the legend leaves out."""

from __future__ import annotations

import pytest

from nimtui.report.lines import plain_text
from nimtui.ui.kit.terminal.glyphs import ASCII, UNICODE, Glyphs
from nimtui.ui.kit.widgets.curve import Axis, Series, paint
from tests.ui.drawn import as_drawn

RISING = [(1, 0.0), (10, 0.5), (100, 0.75), (1000, 1.0)]  # a third of the axis each
FALLING = [(1, 1.0), (100, 0.25), (1000, 0.25)]
DOTS = Series("perfect play", RISING[:3], 0, dotted=True, brief="perfect")
CROSSING = (Series("reward", RISING), Series("proof", FALLING, 1), DOTS)
BEYOND = Series("c", [(10, 2.0), (10, -1.0)], 1, dotted=True, told=False)  # values are cut at 0 and 100 %
MEETING = (Series("a", RISING), Series("b", [(1, 1.0), (1000, 1.0)], 1), BEYOND, Series("", [(100, 0.5)]))


@pytest.mark.parametrize("signs", [ASCII, UNICODE], ids=["ASCII", "dots"])
@pytest.mark.parametrize(("name", "series"), [("crossing", CROSSING), ("meeting", MEETING)])
def test_each_point_of_a_line_is_in_its_place_and_ink(name: str, series: tuple[Series, ...], signs: Glyphs) -> None:
    as_drawn("curve", f"{name}, {'ASCII' if signs is ASCII else 'dots'}", paint(series, 0, 34, 7, signs))


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
    lines = Series("a", [(0, 0.5), (first, 0.5)]), Series("b", [(0, 0.5), (second, 0.5)], 1)
    assert plain_text(paint(lines, 0, columns, 7, ASCII)[3]) == row


def test_a_line_beyond_0_or_100_per_cent_ends_at_the_edge() -> None:
    beyond = Series("a", [(0, 0.5), (999, 1.5)]), Series("b", [(0, 0.5), (999, -0.5)], 1)
    lines = [plain_text(line) for line in paint(beyond, 0, 34, 7, ASCII)]
    assert (lines[1][-1], lines[5][-1]) == ("1", "2")


@pytest.mark.parametrize(
    ("columns", "legend"),
    [
        (60, "1 ⠒⠒ reward 100 %   2 ⠂⠂ proof 25.0 %   ⠂⠄ perfect 75.0 %"),
        (36, "1 ⠒⠒ 100 %   2 ⠂⠂ 25.0 %   ⠂⠄ 75.0 %"),
        (35, "1 ⠒⠒ 100 %   2 ⠂⠂ 25.0 %"),
        (23, "1 100 % 2 25.0 %"),
        (14, "1 100 % 2 …"),
    ],
)
def test_a_legend_leaves_out_names_then_dotted_lines_then_strokes(columns: int, legend: str) -> None:
    assert plain_text(paint(CROSSING, 0, columns, 2, UNICODE)[0]) == legend


BRIEF = (Series("reward, slow", RISING, brief="slow"), Series("perfect", RISING[:3], 0, dotted=True, brief="p"))


@pytest.mark.parametrize(
    ("columns", "legend"),
    [
        (45, "** reward, slow 100 %   .. perfect 75.0 %"),
        (40, "** slow 100 %   .. perfect 75.0 %"),
        (32, "** slow 100 %   .. p 75.0 %"),
        (26, "** 100 %   .. 75.0 %"),
        (19, "** 100 %"),
    ],
)
def test_a_legend_has_brief_names_first_of_solid_lines_then_of_dotted_ones(columns: int, legend: str) -> None:
    assert plain_text(paint(BRIEF, 0, columns, 2, ASCII)[0]) == legend
    told = paint((Series("a", RISING), Series("b", [], 1), Series("", FALLING, 1)), 0, 40, 9, ASCII)
    assert plain_text(told[0]) == "1 ** a 100 %   2 oo b"


@pytest.mark.parametrize("rows", range(3, 40))
def test_the_labels_at_the_left_are_equally_far_apart_in_equal_steps(rows: int) -> None:
    lines = [plain_text(line) for line in paint([Series("q", RISING)], 0, 40, rows, ASCII)]
    labels = {at: int(text[:3]) for at, text in enumerate(lines[1:]) if text[:3].strip() and "q" not in text}
    steps = {(after - at, labels[at] - labels[after]) for at, after in zip([*labels], [*labels][1:], strict=False)}
    assert len(lines) == rows and len(steps) <= 1 and (rows == 3 or {*labels.values()} >= {0, 100})


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
    assert plain_text(paint([Series("q", [(0, 0.5)])], games, 40, 3, ASCII, axis)[-1]).rstrip() == below


@pytest.mark.parametrize("signs", [UNICODE, ASCII])
def test_a_picture_of_no_room_is_its_legend(signs: Glyphs) -> None:
    series = [Series("q", RISING)]
    for columns, rows, lines in ((7, 9, 1), (30, 2, 1), (8, 3, 3), (7, 0, 0)):
        assert len(paint(series, 0, columns, rows, signs)) == lines
    assert plain_text(paint(series, 0, 12, 1, signs)[0]).endswith(" q 100 %")
    assert plain_text(paint(series, 0, 9, 1, signs)[0]).split()[1:] == ["100", "%"]
    assert plain_text(paint(series, 0, 7, 1, signs)[0])[:2] == plain_text(paint(series, 0, 9, 1, signs)[0])[:2]
