"""Heat maps: numbers, bands by sign, the best marked, what is not finished; on a screen and as text."""

from __future__ import annotations

import pytest

from nimtui.learning.sweep_report import Unit
from nimtui.report import lines as ink
from nimtui.report.lines import Ink
from nimtui.ui.kit.terminal.glyphs import ASCII, UNICODE, Glyphs
from nimtui.ui.sweep.heat import Grid, Reading, paint, text

GAMES = Grid(
    "margin",
    "loss",
    ("50", "90", "100"),
    ("11", "29"),
    (
        (Reading(None), Reading(None)),
        (Reading(1_000.0), Reading(100_000.0)),
        (Reading(10_000.0, done=False), Reading(done=False)),
    ),
    "win 29",
)


def row(lines: list[str], name: str) -> list[str]:
    [found] = [line.split() for line in lines if line.split()[:1] == [name]]
    return found


def test_numbers_shades_and_what_is_not_finished() -> None:
    lines = text([GAMES], Unit.GAMES, UNICODE)
    assert lines[0] == "win 29"
    assert row(lines, "margin") == ["margin", "11", "29"]
    assert row(lines, "50") == ["50", "never", "never"]
    assert row(lines, "90") == ["90", "▸", "1,000", "████", "100k", "····"]
    assert row(lines, "100") == [
        "100",
        "10k…",
        "▒▒▒▒",
        "…",
    ]  # shaded, but never the best
    assert lines[-2].startswith("games to perfect play   ▸ best   █ to 2,512") and lines[-1].endswith("… not finished")


def test_more_is_better_for_accuracy_and_never_rounded_up() -> None:
    cells = ((Reading(0.9), Reading(0.99999)),)
    lines = text([Grid("margin", "loss", ("50",), ("11", "29"), cells)], Unit.SHARE, ASCII)
    assert row(lines, "50") == ["50", "90.0", "%", "....", ">", ">99.9", "%", "####"]


def test_bands_are_common_to_all_grids() -> None:
    other = Grid("margin", "loss", ("50",), ("11",), ((Reading(10.0),),), "win 40")
    lines = text([GAMES, other], Unit.GAMES, ASCII)
    assert row(lines, "90")[2] == "++++" and "win 40" in lines  # 1,000 is no longer the best
    assert sum("> " in line for line in lines) == 2  # the best cell, and the legend


@pytest.mark.parametrize("signs", [UNICODE, ASCII])
@pytest.mark.parametrize(("columns", "rows"), [(78, 20), (40, 12), (20, 6), (200, 60), (3, 1)])
def test_it_stays_in_its_room(columns: int, rows: int, signs: Glyphs) -> None:
    lines = paint([GAMES, GAMES, GAMES], Unit.GAMES, columns, rows, signs)
    assert len(lines) <= rows and all(ink.width(shown) <= columns for shown in lines)
    if signs is ASCII:
        assert all(ink.plain_text(shown).isascii() for shown in lines)


def test_what_has_no_room_is_said() -> None:
    shown = [ink.plain_text(line) for line in paint([GAMES, GAMES, GAMES], Unit.GAMES, 60, 17, UNICODE)]
    assert "… 1 more" in shown
    broad = Grid("", "alpha", ("",), tuple(str(n) for n in range(20)), (tuple(Reading(5.0) for _ in range(20)),))
    assert "more" in text([broad], Unit.GAMES, UNICODE)[0]


def test_the_chosen_cell_is_reversed_and_seen() -> None:
    broad = Grid("", "alpha", ("",), tuple(str(n) for n in range(20)), (tuple(Reading(n + 5.0) for n in range(20)),))
    lines = paint([GAMES, broad], Unit.GAMES, 40, 9, UNICODE, chosen=(1, 0, 19))
    chosen = [run.text for shown in lines for run in shown if run.ink is Ink.CURSOR]
    assert [said.split() for said in chosen] == [["24"]]


def test_nothing_yet_and_one_result() -> None:
    nothing = Grid("margin", "loss", ("50",), ("11",), ((Reading(done=False),),))
    assert text([nothing], Unit.GAMES, UNICODE)[-1] == "no finished cell yet"
    assert text([], Unit.GAMES, UNICODE) == ["no finished cell yet"]
    one = Grid("margin", "loss", ("50",), ("11",), ((Reading(7.0),),))
    assert row(text([one], Unit.GAMES, UNICODE), "50") == ["50", "▸", "7", "████"]
    assert text([one], Unit.GAMES, UNICODE)[-1] == "games to perfect play   ▸ best"


def test_how_numbers_are_written() -> None:
    said = [Unit.GAMES.text(value) for value in (7, 933, 9_999, 10_000, 123_456, 1_350_000, 10**9)]
    assert said == ["7", "933", "9,999", "10k", "123k", "1.35M", "1G"]


def test_grids_stand_beside_each_other_where_they_do_not_fit_below() -> None:
    lines = [ink.plain_text(shown) for shown in paint([GAMES, GAMES, GAMES], Unit.GAMES, 120, 12, UNICODE)]
    assert lines[0].split() == ["win", "29"] * 3
    assert row(lines, "90")[1:4] == ["▸", "1,000", "████"] and row(lines, "90").count("1,000") == 3
    below = [ink.plain_text(shown) for shown in paint([GAMES, GAMES, GAMES], Unit.GAMES, 120, 40, UNICODE)]
    assert sum(shown.strip() == "win 29" for shown in below) == 3


def test_of_many_rows_those_around_the_chosen_one_are_shown() -> None:
    cells = tuple((Reading(n + 10.0),) for n in range(50))
    high = Grid("margin", "loss", tuple(f"m{n}" for n in range(50)), ("11",), cells)
    for at in (0, 25, 49):
        lines = paint([high], Unit.GAMES, 40, 14, UNICODE, chosen=(0, at, 0))
        chosen = [run.text.split()[-1] for shown in lines for run in shown if run.ink is Ink.CURSOR]
        assert chosen == [str(at + 10)] and len(lines) <= 14
        assert any("more rows" in ink.plain_text(shown) for shown in lines)


def test_while_nothing_is_final_shades_are_of_what_is_known() -> None:
    cells = ((Reading(10.0, done=False), Reading(1_000.0, done=False), Reading(done=False)),)
    lines = text([Grid("", "loss", ("",), ("1", "2", "3"), cells)], Unit.GAMES, UNICODE)
    assert lines[2].split() == ["10…", "████", "1,000…", "····", "…"]
    legend = " ".join(lines[3:])
    assert "best" not in legend and "█ to" in legend


def test_a_grid_more_is_worth_a_blank_line() -> None:
    cells = ((Reading(0.5),), (Reading(0.7),))
    grids = [Grid("a", "b", ("1", "2"), ("1",), cells, f"c={at}") for at in range(3)]
    pictures = [[ink.plain_text(line) for line in paint(grids, Unit.SHARE, 16, rows, UNICODE)] for rows in range(8, 40)]
    two = next(lines for lines in pictures if "c=1" in lines)
    assert "" not in two and "… 1 more" in two
    assert "" in pictures[-1] and "c=2" in pictures[-1]


@pytest.mark.parametrize(("columns", "rows"), [(70, 20), (90, 28), (130, 50)])
@pytest.mark.parametrize("count", [1, 3])
def test_large_cells_fill_the_room_and_say_the_same(columns: int, rows: int, count: int) -> None:
    grids = [GAMES] * count
    small = [ink.plain_text(shown) for shown in paint(grids, Unit.GAMES, columns, rows, UNICODE, (0, 1, 0))]
    lines = paint(grids, Unit.GAMES, columns, rows, UNICODE, (0, 1, 0), large=True)
    large = [ink.plain_text(shown) for shown in lines]
    assert len(large) <= rows and max(map(ink.width, lines)) <= columns
    assert sum(text.count("never") for text in large) == sum(text.count("never") for text in small) == 2 * count
    assert sum(text.count("1,000") for text in large) == count
    assert sum(run.ink is Ink.CURSOR for shown in lines for run in shown) == 1
    painted = [sum(text.count("█") for text in texts) for texts in (small, large)]
    assert painted[1] >= painted[0] and (count > 1 or painted[1] >= 8 * painted[0])


def test_cells_stay_small_where_large_ones_do_not_all_fit() -> None:
    small = paint([GAMES] * 4, Unit.GAMES, 40, 14, UNICODE)
    large = paint([GAMES] * 4, Unit.GAMES, 40, 14, UNICODE, large=True)
    assert [shown for shown in large if shown][:4] == [shown for shown in small if shown][:4]
