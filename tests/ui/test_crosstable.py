"""Standings and crosstable as pictures: what fits, what is left out, what stands in a cell. No app is needed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from nimtui.arena.play.entrants import initials, labels
from nimtui.arena.play.plan import ORDERED
from nimtui.arena.standings.standings import Standings
from nimtui.report.lines import Ink, plain_text, width
from nimtui.ui.kit.terminal.glyphs import ASCII, UNICODE, Glyphs
from nimtui.ui.tournament import crosstable
from nimtui.ui.tournament.crosstable import SORTS, Place, Share, Table
from tests.ui.tournaments import AGENTS, standings


def table(found: Standings, place: Place | None = None) -> Table:
    return Table.of(found, place or Place())


def text(found: Table, columns: int, rows: int = 40, signs: Glyphs = UNICODE) -> list[str]:
    return [plain_text(line) for line in crosstable.paint(found, columns, rows, signs)]


def cells(line: str, number: int) -> list[str]:
    """The crosstable's cells of a line."""
    return line.split()[-number:]


def test_labels_say_what_tells_agents_apart() -> None:
    assert labels(AGENTS[:7]) == (
        "perfect",
        "mc perfect-opponent",
        "mcts 500",
        "value",
        "mc",
        "random",
        "mcts 10k",
    )
    same = ("mcts:simulations=500,c=1.0", "mcts:simulations=500,c=2.0", "reward:games=5000000,seed=0")
    assert labels(same) == ("mcts c=1.0", "mcts c=2.0", "reward 5M")
    assert labels(("mc:playouts=600", "mc", "mc:playouts=1300")) == ("mc 600", "mc 1k", "mc 1300")
    assert labels(("mc", "mc:playouts=20,policy=perfect-opponent")) == ("mc 1k", "mc 20 perfect-opponent")


@pytest.mark.parametrize("number", [2, 6, 12, 26, 27, 100])
def test_initials_are_short_and_all_different(number: int) -> None:
    names = tuple(f"agent {at}" for at in range(number))
    found = initials(names)
    assert len(set(found)) == number and max(map(len, found)) <= 3
    assert found[:3] == (("A", "A2", "A3") if number <= 26 else ("1", "2", "3"))[:number]
    assert initials(("mcts 500", "perfect", "mc 600", "mc 1k", "mc 1300", "value")) == ("M", "P", "M2", "M3", "M4", "V")
    assert initials(labels(AGENTS[:6]))[0] == "P"


def test_at_80_columns_six_agents_have_bars_elo_mistakes_and_all_cells() -> None:
    head, *rows = text(table(standings()), 78)
    for word in ("agent", "↓score", "Elo", "±95 %", "mistakes"):
        assert word in head
    assert "█" in rows[0] and "≥ +412" in rows[0] and "0 %" in rows[0]
    assert "+400 ±60" in rows[1] and "5.0 %" in rows[1]
    assert "+300 ±60" in rows[2]
    assert cells(rows[1], 6) == ["0", "·", "75", "75", "75", "75"]
    assert cells(rows[5], 6) == ["0", "25", "25", "25", "25", "·"]


@pytest.mark.parametrize("signs", [UNICODE, ASCII], ids=["unicode", "ascii"])
@pytest.mark.parametrize(
    ("number", "columns"),
    [(2, 58), (6, 58), (2, 78), (6, 78), (12, 78), (6, 118), (12, 118), (6, 198), (12, 198)],
)
def test_lines_fit_and_say_every_cell(number: int, columns: int, signs: Glyphs) -> None:
    lines = crosstable.paint(table(standings(number)), columns, 40, signs)
    assert len(lines) == number + 1 and max(map(width, lines)) <= columns
    for at, line in enumerate(lines[1:]):
        own = ["100" if at == 0 else "0" if other == 0 else "75" if at < other else "25" for other in range(number)]
        own[at] = signs.verdicts[0]
        assert cells(plain_text(line), number) == own
    if signs is ASCII:
        assert all(plain_text(line).isascii() for line in lines)


def test_where_the_cells_do_not_fit_they_move_with_the_cursor() -> None:
    found = standings(12)
    names = labels(found.plan.agents)
    letters = initials(names)
    order = list(range(12))
    place = Place().on(order)
    seen = set()
    for _ in range(12):
        head, *rows = text(table(found, place), 58, 6)
        assert len(rows) == 5 and len(head) <= 58 and "Elo" in head
        assert letters[place.cursor[1]] in head
        assert any(f" {letters[place.cursor[0]]} " in row for row in rows)
        seen |= set(head.split())
        place = place.moved(order, 1, 1)
    assert seen >= {letters[0], letters[11]} and place.cursor == (11, 11)
    assert text(table(found, place), 58, 6)[1].startswith("↑")
    assert text(table(found, Place().on(order)), 58, 11)[-1].startswith("10↓m")  # no digit makes room for it


def test_wide_terminals_show_intervals_points_and_whiskers() -> None:
    head, *rows = text(table(standings()), 198)
    assert "points" in head and "95 %" in head
    assert "300/500" in rows[1] and "55.0–65.0" in rows[1]
    assert "├" in rows[1] and "┼" in rows[1] and "┤" in rows[1]
    bar = rows[1][rows[1].index("█") : rows[1].index("┤") + 1]
    assert abs(len(bar) / 60 - 0.65) < 0.03  # of 60 cells the interval's end is at 65 %


def test_a_whisker_too_narrow_is_a_plain_bar_and_nothing_played_is_empty() -> None:
    assert crosstable.whisker(0.5, 0.499, 0.501, 10, UNICODE) == "█████     "
    assert crosstable.whisker(0.5, 0.25, 0.75, 8, ASCII) == "##[-+-] "
    assert crosstable.whisker(0.0, 0.0, 1.0, 6, UNICODE) == "      "


def test_cells_say_the_row_moving_first_or_who_is_stronger() -> None:
    found = standings(3, pairs=ORDERED)
    assert cells(text(table(found, Place(share=Share.FIRST)), 78)[2], 3) == ["0", "50", "75"]
    assert cells(text(table(found, Place(share=Share.STRONGER)), 78)[1], 3) == ["·", ">99", ">99"]
    assert crosstable.against(found, 1, 2) == (150.0, 200)
    assert crosstable.against(found, 1, 2, both=False) == (75.0, 100)


def test_rows_are_sorted_as_asked_and_the_cursor_stays_on_its_agents() -> None:
    found = standings()
    names = labels(found.plan.agents)
    place = Place().moved([0, 1, 2, 3, 4, 5], 1, 0)
    assert place.cursor == (1, 1) and place.on([5, 4, 3, 2, 1, 0]).cursor == (1, 1)
    assert Place(sort="mistakes").order(found, names) == [0, 1, 2, 3, 4, 5]
    by_name = Place(sort="name").order(found, names)
    assert [names[at] for at in by_name] == sorted(names)
    for _ in SORTS:
        place = place.next_sort()
    assert place.sort == SORTS[0]
    assert "↓agent" in text(table(found, Place(sort="name")), 78)[0]


def test_the_marked_cell_is_reversed_and_its_column_named() -> None:
    lines = crosstable.paint(table(standings(), Place((2, 3), chosen=True)), 78, 40, UNICODE)
    marked = [(at, run.text) for at, line in enumerate(lines) for run in line if run.ink is Ink.CURSOR]
    assert marked == [(3, " 75")]


@pytest.mark.parametrize("columns", [58, 78, 198])
@pytest.mark.parametrize("cursor", [(2, 3), (11, 11)])
def test_every_cell_is_found_where_it_is_painted(columns: int, cursor: tuple[int, int]) -> None:
    found = table(standings(12), Place(cursor, chosen=True))
    lines = crosstable.paint(found, columns, 9, UNICODE)
    [(y, x)] = [
        (y, sum(width((run,)) for run in line[:at]))
        for y, line in enumerate(lines)
        for at, run in enumerate(line)
        if run.ink is Ink.CURSOR
    ]
    assert crosstable.cell_at(found, columns, 9, UNICODE, x + 2, y) == cursor
    assert crosstable.cell_at(found, columns, 9, UNICODE, x + 2, y - 1) == (cursor[0] - 1, cursor[1])
    assert crosstable.cell_at(found, columns, 9, UNICODE, 3, y) is None
    assert crosstable.cell_at(found, columns, 9, UNICODE, x, 0) is None


def test_faults_have_a_column_as_soon_as_there_are_some_and_unknown_mistakes_none() -> None:
    assert "faults" not in text(table(standings()), 78)[0]
    head, *rows = text(table(standings(faults=3)), 78)
    assert "faults" in head and " 3 " in rows[5]
    assert "mistakes" not in text(table(standings(judged=False)), 198)[0]


def test_an_elo_says_what_is_known() -> None:
    rating = standings().rows[1].rating
    assert (rating.brief.text, rating.error.text) == ("+400", "±60")
    assert rating.line == "+400 ±60"
    assert replace(rating, elo=-900.0, at_most=-300.0).line == "≤ −300"
    assert replace(rating, at_least=300.0).line == "≥ +300"
    assert replace(rating, elo=float("nan")).line == replace(rating, by_seat=True).line == "?"
