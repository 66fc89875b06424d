"""How boards are laid out and painted: what is seen at each size, and that a click finds what was drawn there."""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby, product
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nimtui.games import Game, base, parse_game
from nimtui.report import lines as ink
from nimtui.ui.board import position_map_picture, small_board
from nimtui.ui.board.cursor import NOBODY, Cell, Owned
from nimtui.ui.board.discs import Discs, winning_cells
from nimtui.ui.board.grid import Grid
from nimtui.ui.board.matches import Matches, Plan, is_tower, plan
from nimtui.ui.board.position_map_picture import Window
from nimtui.ui.kit.terminal.glyphs import ASCII, UNICODE, Glyphs
from tests.games import wythoff
from tests.ui.drawn import as_drawn, targets
from tests.ui.playing import played

NOTHING: frozenset[Cell] = frozenset()
FLAT = replace(UNICODE, grounds=False)  # without colours for grounds


def text(shown: list[ink.Line]) -> list[str]:
    """The lines; cells that are full of a piece's colour as blocks."""
    plates = (None, ink.Ink.BOARD, ink.Ink.EATEN)
    blocks = [
        "".join("█" * len(run.text) if run.text.isspace() and run.ground not in plates else run.text for run in line)
        for line in shown
    ]
    return [line.rstrip() for line in blocks]


def picture(rows: list[int], columns: int = 45, room: int = 17, signs: Glyphs = UNICODE) -> list[str]:
    return text(Matches(rows, columns, room).paint([[1] * matches for matches in rows], NOTHING, NOBODY, 0, signs))


def test_a_tower_is_a_centred_pyramid_of_matches_two_lines_high() -> None:
    assert " / ".join(" ".join(line.split()) for line in picture([1, 3, 5]) if line) == (
        "● / ▸A ┃ / ● ● ● / B ┃ ┃ ┃ / ● ● ● ● ● / C ┃ ┃ ┃ ┃ ┃"
    )
    assert picture([2, 1], 12, 5) == ["    ●     ●", " ▸A ┃     ┃", "", "    ●", "  B ┃"]
    heads = [line for line in picture([1, 3, 5, 7]) if "●" in line]
    assert len({(line.index("●") + line.rindex("●")) / 2 for line in heads}) == 1
    rows = [line for line in picture([7, 5, 3]) if "┃" in line]  # other rows start at the left
    assert len({line.index("┃") for line in rows}) == 1
    towers = {(1, 3): True, (1, 3, 5, 7): True, (1,): False, (7, 5, 3): False, (1, 3, 6): False}
    assert {lengths: is_tower(lengths) for lengths in towers} == towers


@pytest.mark.parametrize(
    ("lengths", "columns", "room", "expected"),
    [
        ((1, 3, 5, 7), 30, 7, Plan(1, 1, 3, 0, 7)),
        ((1, 3, 5, 7), 45, 17, Plan(2, 2, 6, 0, 7)),
        ((1, 3, 5, 7), 120, 50, Plan(11, 2, 18, 0, 7)),
        ((1, 3, 5, 7), 120, 28, Plan(5, 1, 15, 0, 7)),
        ((3,) * 6, 80, 30, Plan(4, 1, 12, 0, 3)),  # 6 × 4 matches and 5 lines between them
        ((3,) * 7, 80, 30, Plan(3, 1, 8, 0, 3)),
        ((21,), 28, 1, Plan(1, 1, 1, 5, 21)),
        ((21,), 26, 1, Plan(1, 1, 1, 10, 21)),
        ((60,), 45, 17, Plan(2, 1, 2, 0, 20)),
        ((255,) * 26, 45, 17, Plan(0, 0, 1, 0, 255)),
        ((2,), 3, 4, Plan(1, 1, 2, 0, 1)),  # hardly any room
        ((2, 2), 4, 1, Plan(0, 0, 1, 0, 2)),
    ],
)
def test_matches_grow_with_the_room(lengths: tuple[int, ...], columns: int, room: int, expected: Plan) -> None:
    assert plan(lengths, columns, room) == expected
    assert [Plan(*tall_step, 0, 1).by_area for tall_step in ((3, 1, 4), (2, 1, 4), (3, 1, 3))] == [True, False, False]


@pytest.mark.parametrize("columns", [26, 28, 32, 38, 45, 60, 120])
def test_the_21_matches_are_one_line(columns: int) -> None:
    """At 80 columns they have 45; at 60 columns they have 60, or 26 beside the explanation."""
    assert {line.count("┃") for line in picture([21], columns) if "┃" in line} == {21}
    groups = {26: [10, 10, 1], 28: [5, 5, 5, 5, 1]}  # that can be counted
    if columns in groups:
        [row] = [line for line in picture([21], columns, 1) if "┃" in line]
        assert [len(group) for group in row.split()[1:]] == groups[columns]


def test_rows_wrap_into_lines_that_are_equally_long_and_many_scroll_with_the_cursor() -> None:
    assert [line.count("┃") for line in picture([60]) if "┃" in line] == [20, 20, 20]
    assert sum(line.count("┃") for line in picture([255])) == 255
    board, cells = Matches([3] * 26, 45, 17), [[1] * 3] * 26
    top, bottom = (text(board.paint(cells, NOTHING, NOBODY, row, UNICODE)) for row in (0, 25))
    assert top[0].split()[0] == "▸A" and bottom[-1].split()[0] == "▸Z"
    assert top[-1].endswith("↓") and bottom[0].endswith("↑") and not top[0].endswith("↑")
    assert len(top[-1]) == len(bottom[0]) == 45, "in the last column"
    assert [board.scroll(row) for row in (0, 8, 9, 25)] == [0, 0, 1, 9]


@pytest.mark.slow
@given(st.lists(st.integers(1, 60), min_size=1, max_size=26), st.integers(25, 200), st.integers(8, 60), st.data())
def test_a_click_on_a_match_finds_that_match_and_no_picture_is_too_large(
    rows: list[int], columns: int, room: int, data: st.DataObject
) -> None:
    board = Matches(rows, columns, room)
    row = data.draw(st.integers(0, len(rows) - 1))
    cell = (row, data.draw(st.integers(0, rows[row] - 1)))
    shown = board.paint([[1] * n for n in rows], frozenset({cell}), NOBODY, row, UNICODE)
    assert len(shown) <= room and max(map(ink.width, shown)) <= columns
    x, y = board.place(cell)
    if board.plan.tall and 0 <= (y := y - board.scroll(row)) < room:
        assert targets(shown)[y][x] == cell
        assert board.plan.by_area or ink.plain_text(shown[y])[x] == UNICODE.chosen


# Discs.


@pytest.mark.parametrize(
    ("wide", "room", "tall"), [(45, 17, 2.5), (45, 12, 1), (120, 50, 7.5), (20, 12, 1), (38, 15, 2), (89, 51, 6)]
)
@pytest.mark.parametrize("signs", [UNICODE, FLAT, ASCII])
def test_discs_grow_with_the_room_and_differ_without_colour(wide: int, room: int, tall: float, signs: Glyphs) -> None:
    discs = Discs(7, 6, wide, room, signs)
    assert discs.tall == tall or (signs is not UNICODE and 1 <= discs.tall <= tall)
    assert discs.pitch * 7 <= wide and discs.height <= room

    def column(cell: int, landing: frozenset[Cell], last: frozenset[Cell], winning: frozenset[Cell]) -> str:
        cells = [[0] * 7] * 5 + [[cell] * 7]
        lines = discs.paint(cells, landing, Owned({}, winning, last), None)
        assert len(lines) <= room and all(ink.width(line) <= wide for line in lines)
        return "\n".join(text(lines))

    here = frozenset({(5, 0)})
    kinds = [(cell, NOTHING, *marks) for cell in (1, 2) for marks in ((NOTHING,) * 2, (here, NOTHING), (NOTHING, here))]
    shown = [column(*kind) for kind in [*kinds, (0, here, NOTHING, NOTHING), (0, NOTHING, NOTHING, NOTHING)]]
    assert len(set(shown)) == 8
    assert signs is not ASCII or tall < 3 or shown[2].count("*") > shown[5].count("*"), "a winning ring has a hole, too"
    assert "".join(shown).isascii() == (signs is ASCII)


@pytest.mark.parametrize("k", [2, 3, 4])
def test_all_lines_that_win_are_marked(k: int) -> None:
    draw = Random(k)
    for _ in range(120):
        board = [[draw.choice((0, 1, 1, 2)) for _ in range(5)] for _ in range(4)]
        row, column = last = draw.choice([(y, x) for y in range(4) for x in range(5) if board[y][x]])
        marked = set[Cell]()
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
            line = [(row + at * down, column + at * right) for at in range(-4, 5)]
            inside = [(y, x) for y, x in line if 0 <= y < 4 and 0 <= x < 5]
            alike = [[*cells] for _, cells in groupby(inside, lambda cell, board=board: board[cell[0]][cell[1]])]
            [own] = [cells for cells in alike if last in cells]
            marked |= {*own} if len(own) >= k else set()
        assert winning_cells(board, last, k) == marked


# Boards of cells.


def drawn(
    game: Game, columns: int, room: int, signs: Glyphs = UNICODE, cursor: Any = None, marked: Any = None, **owned: Any
) -> list[ink.Line]:
    cells = game.cells(game.start) or []
    painted = Grid(cells, columns, room, signs).paint(cells, cursor, marked or {}, Owned({}, **owned))
    assert len(painted) <= room and all(ink.width(line) <= columns for line in painted)
    return painted


@pytest.mark.parametrize("size", [(60, 30), (40, 14), (30, 12), (20, 8)])
def test_a_click_finds_the_cell_that_is_drawn_there(size: tuple[int, int]) -> None:
    game = parse_game("noughts")
    for cell in ((0, 0), (1, 2), (2, 1)):
        shown = drawn(game, *size, FLAT, cell, {cell: 1})
        y, x = next((y, line.index("▸")) for y, line in enumerate(map(ink.plain_text, shown)) if "▸" in line)
        found = targets(drawn(game, *size, FLAT, cell))
        assert found[y][x] == cell
        assert {target for line in found for target in line} == {None, *product(range(3), repeat=2)}


@pytest.mark.parametrize("signs", [UNICODE, FLAT, ASCII])
def test_every_mark_of_a_cell_is_a_sign_of_its_own(signs: Glyphs) -> None:
    game, cell, here = parse_game("noughts"), (1, 1), frozenset({(1, 1)})
    kinds = [{}, {"cursor": cell, "marked": {cell: 1}}, {"marked": {cell: 1}}, {"last": here}, {"winning": here}]
    for size in ((60, 30), (40, 14), (30, 6), (20, 4)):
        shown = {"\n".join(map(ink.plain_text, drawn(game, *size, signs, **kind))) for kind in kinds}
        assert len(shown) == len(kinds)


def test_a_frame_surrounds_only_the_squares_that_are_left() -> None:
    game = parse_game("chomp:4x5")
    cells = game.cells(game.new("4,1,1,0,0")) or []
    lines = [ink.plain_text(line).strip() for line in Grid(cells, 22, 13, FLAT).paint(cells, None, {}, NOBODY)]
    assert [line for line in lines if line] == [
        "1   2   3   4", "┌───┬───┬───┬───┐", "A │█!█│███│███│███│", "├───┼───┴───┴───┘", "B │███│", "├───┤", "C │███│",
        "└───┘", "D", "E",
    ]  # fmt: skip


# Small boards.


@pytest.mark.parametrize(
    "place", ["noughts:3x3x3 xo./.x./...", "chomp:3x4 3,2,1,0", "kayles:1,4 1/1011", "connect:3x3x3 12", "nim:1,2 0,2",
              "octal:0.77:5,3 5,1,1", "redblue:4,3 2,3", "tree:((3,5),2) 1"],
)  # fmt: skip
def test_each_kind_of_board_is_drawn_and_small_with_a_move_marked(place: str) -> None:
    name, position = place.split()
    game = parse_game(name)
    state = game.new(position)
    move = base.legal_moves(state)[-1]
    for what, marked in (("", None), (", marked", move)):
        lines = small_board.drawing(game, state, NOBODY, 34, 7, UNICODE, move=marked)
        as_drawn("boards", f"{name}{what}", lines)


def test_small_boards_of_every_kind() -> None:
    sizes = {"tower:16": {3: 0, 8: 4, 16: 8, 99: 12}, "connect4": {5: 0, 9: 6}, "chomp:2x3": {3: 0, 4: 4}}
    for name, by_room in sizes.items():
        assert {room: small_board.height(parse_game(name), room) for room in by_room} == by_room
    session = played("connect:3x2x2", "1 2", ("me", "me"))
    as_drawn("play", "a small board", small_board.drawing(session.game, session.state, NOBODY, 20, 3, UNICODE, move=2))
    rows = played("nim:1,2", "b1", ("me", "me"))
    lines = small_board.drawing(rows.game, rows.state, NOBODY, 20, 2, UNICODE, move=0)
    assert [line.split() for line in text(lines)] == [["A", "╳"], ["B", "┃", "∙"]]
    assert small_board.drawing(rows.game, rows.state, NOBODY, 20, 0, UNICODE) == []
    grid = parse_game("noughts")
    high = small_board.height(grid, 10)
    lines = small_board.drawing(grid, grid.start, NOBODY, 40, high, UNICODE, move=4)
    assert len(lines) == high and any("▸◌◂" in ink.plain_text(line) for line in lines)
    assert small_board.height(grid, 3) == 0
    bare = Game(wythoff, wythoff.parse("wythoff", ["2,3"]))  # without a picture
    assert small_board.drawing(bare, bare.new(), NOBODY, 40, 9, UNICODE) == [] and small_board.height(bare, 9) == 0
    replayed = small_board.replayed(rows.game, [0, 1, 1, 9])
    assert replayed.names == ["a1", "b1", "b1"] and replayed.marks.by == {(0, 0): 0, (1, 1): 1, (1, 0): 0}
    assert replayed.marks.last == {(1, 0)} and replayed.marks.move == "b1"
    assert small_board.replayed(rows.game, [0, 0, 1]).names == ["a1"]  # the second one is not legal


# The map of all positions.


@pytest.mark.parametrize(
    ("x", "y", "each", "columns", "title"),
    [
        (0, 0, 2, 60, "1,234 positions by matches left; up to 2 per sign ↓▶"),
        (5, 3, 2, 60, "1,234 positions by matches left; up to 2 per sign ◀↑↓▶"),
        (10, 10, 1, 60, "1,234 positions by matches left ◀↑"),
        (0, 0, 2, 51, "1,234 positions by matches; up to 2 per sign ↓▶"),
        (0, 0, 2, 46, "1,234 by matches, 2 per sign ↓▶"),
        (0, 0, 2, 30, "1,234 positions by matches ↓▶"),
        (0, 0, 2, 9, "matches ↓▶"),
    ],
)
def test_the_title_of_a_map_says_what_fits_and_where_it_continues(
    x: int, y: int, each: int, columns: int, title: str
) -> None:
    order: Any = SimpleNamespace(nodes=range(1234), about="by matches left", name="matches")
    sheet: Any = SimpleNamespace(each=each, width=30, height=20)
    window = Window(y=y, x=x, height=10, width=20)
    assert ink.plain_text(position_map_picture.title(order, sheet, window, columns, UNICODE)) == title


def test_the_window_of_a_map_stays_where_it_shows_the_place_and_else_has_it_in_its_middle() -> None:
    sheet: Any = SimpleNamespace(width=30, height=20)
    window = Window(y=2, x=4, height=10, width=20)
    places = {(4, 2): (4, 2), (23, 11): (4, 2), (3, 2): (0, 2), (24, 2): (10, 2), (4, 1): (4, 0), (4, 12): (4, 7),
              (29, 19): (10, 10)}  # fmt: skip
    found = {place: window.around(*place, sheet) for place in places}
    assert {place: (each.x, each.y) for place, each in found.items()} == places
