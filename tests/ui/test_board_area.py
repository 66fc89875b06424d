"""Boards fill their room by area: at every size all is inside, every piece can be found, and clicks hit pieces."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import product
from typing import Any, TypeAlias
from unicodedata import name

import numpy as np
import pytest

from nimtui.games import parse_game
from nimtui.jobs.live_games import LiveGame
from nimtui.playing import sentences
from nimtui.report.lines import Ink, Line, Run, width
from nimtui.theory import Outcome
from nimtui.ui.app.driver import CellSize
from nimtui.ui.board.board import Board, ColumnsBoard
from nimtui.ui.board.cursor import NOBODY, Cell, Owned
from nimtui.ui.board.discs import Discs
from nimtui.ui.board.grid import Grid
from nimtui.ui.board.matches import Matches
from nimtui.ui.board.raster import Box, Raster
from nimtui.ui.kit.terminal.glyphs import ASCII, CONSOLE, SEXTANTS, UNICODE, Glyphs
from nimtui.ui.kit.widgets.panel import Canvas
from nimtui.ui.tournament.pages import LookingOn
from nimtui.ui.tournament.setup import TournamentSetup
from tests.examples import few
from tests.ui.conftest import screen_text
from tests.ui.drawn import targets
from tests.ui.playing import moves, playing, said, session, settled, until
from tests.ui.tournaments import finished, tournament

# The room that Play gives its board at 60×20, 80×24, 120×36, 160×48, 200×60 and 240×70, and rooms between.
ROOMS = [(60, 13), (43, 16), (42, 26), (48, 38), (88, 50), (128, 60), (70, 20), (55, 55), (200, 30)]
LARGE = [(88, 50), (128, 60)]
FLAT, TALL = replace(UNICODE, grounds=False), replace(SEXTANTS, ratio=2.4)
SETS = [UNICODE, FLAT, TALL, CONSOLE, ASCII]
QUADRANTS = " ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█"
DOWN, SEXTANT = 6, "BLOCK SEXTANT-"  # parts of a cell, of which two are a third and three are a half of it
NOTHING: frozenset[Cell] = frozenset()


@cache
def inked(sign: str) -> np.ndarray[Any, Any]:
    """Which twelfths of its cell a sign fills, [6, 2]."""
    bits, places = QUADRANTS.find(sign), name(sign).removeprefix(SEXTANT)
    if places.isdecimal():
        filled = [str(at // 4 * 2 + at % 2 + 1) in places for at in range(2 * DOWN)]
    else:
        filled = [bits < 0 or bool(bits >> (at // DOWN * 2 + at % 2) & 1) for at in range(2 * DOWN)]
    return np.array(filled).reshape(DOWN, 2)


def pixels(lines: Sequence[Line], columns: int) -> np.ndarray[Any, Any]:
    """What a terminal shows, in twelfths of cells: the ink of each, [6 × rows, 2 × columns]."""
    shown = np.full((DOWN * len(lines), 2 * columns), "", dtype=object)
    for y, line in enumerate(lines):
        x = 0
        for run in line:
            if run.text:
                there = np.hstack([inked(sign) for sign in run.text])
                place = shown[DOWN * y : DOWN * (y + 1), x : x + there.shape[1]]
                place[:] = run.ground or ""
                place[there] = run.ink
                x += there.shape[1]
    return shown


def parts(there: np.ndarray[Any, Any]) -> int:
    """How many connected areas there are: neighbours share a side or a corner."""
    areas: dict[int, set[int]] = {}  # by the number of each stretch of a line, all stretches of its area
    above: list[tuple[int, int, int]] = []
    for row in there:
        ends, here = np.flatnonzero(np.diff(row, prepend=False, append=False)).tolist(), []
        for start, end in zip(ends[::2], ends[1::2], strict=True):
            number = len(areas)
            area = {number}.union(*(areas[other] for first, last, other in above if first <= end and start <= last))
            areas |= dict.fromkeys(area, area)
            here.append((start, end, number))
        above = here
    return len({id(area) for area in areas.values()})


def inside(lines: Sequence[Line], columns: int, room: int, signs: Glyphs) -> None:
    assert len(lines) <= room and all(width(line) <= columns for line in lines)
    assert signs is not ASCII or all(run.text.isascii() for line in lines for run in line)


def share(there: np.ndarray[Any, Any], columns: int, room: int) -> float:
    """The share of the room that the bounding box of these pixels has, in the direction that limits."""
    places = np.argwhere(there)
    tall, wide = places.max(axis=0) - places.min(axis=0) + 1
    return float(max(tall / (DOWN * room), wide / (2 * columns)))


def pictured(shapes: Sequence[tuple[int, ...]]) -> list[tuple[Glyphs, tuple[int, int], tuple[int, ...]]]:
    """All signs in all rooms, each pair with a shape in turn; every shape where it has to fill a large room."""
    every = list(product(SETS, ROOMS, shapes))
    in_turn = [case for at, case in enumerate(every) if at % len(shapes) == at // len(shapes) % len(shapes)]
    large = [case for case in every if case[0] is UNICODE and case[1] in LARGE and case not in in_turn]
    return few(in_turn + large, every)


@pytest.mark.slow
def test_discs_fill_their_room_and_can_be_counted() -> None:
    for signs, (columns, room), (wide, tall) in pictured([(7, 6), (4, 4), (9, 7)]):
        picture = Discs(wide, tall, columns, room, signs)
        cells = [[0] * wide for _ in range(tall)]
        for y, x in ((tall - 1, 0), (tall - 1, 2), (tall - 3, 1), (0, wide - 1)):
            cells[y][x] = 1
        lines = picture.paint(cells, NOTHING, NOBODY, None)
        inside(lines, columns, room, signs)
        board = pixels(lines, columns)
        if picture.tall > 1 and signs is not ASCII:
            assert parts(board == Ink.FIRST) == 4
            if signs.grounds:
                holes = (board == "") & (np.cumsum(board == Ink.BOARD, axis=1) > 0)
                assert (board == Ink.BOARD).sum() > holes[:, : 2 * columns].sum() / 9
        if (columns, room) in LARGE and signs is UNICODE:
            assert share(board == Ink.BOARD, columns, room) >= 0.6


@pytest.mark.slow
def test_matches_fill_their_room_and_can_be_counted() -> None:
    for signs, (columns, room), lengths in pictured([(1, 3, 5, 7), (3, 4, 5), (21,), (9, 9), (2,) * 8, (63,)]):
        picture = Matches(lengths, columns, room)
        lines = picture.paint([[1] * length for length in lengths], NOTHING, NOBODY, None, signs)
        inside(lines, columns, room, signs)
        shown = pixels(lines, columns)
        if picture.plan.by_area and signs is not ASCII:
            assert parts(shown == Ink.HEAD) == sum(lengths)
            assert parts(shown == Ink.WOOD) == sum(lengths)
        if (columns, room) in LARGE and signs is UNICODE:
            assert share((shown == Ink.HEAD) | (shown == Ink.WOOD) | (shown == Ink.STICK), columns, room) >= 0.6


@pytest.mark.slow
def test_a_grid_fills_its_room_and_its_marks_can_be_counted() -> None:
    for signs, (columns, room), (wide, tall) in pictured([(3, 3), (7, 6), (5, 4)]):
        for number, ink in ((1, Ink.FIRST), (2, Ink.SECOND), (3, Ink.PIECE)):
            cells = [[number if (row + column) % 2 else 0 for column in range(wide)] for row in range(tall)]
            picture = Grid(cells, columns, room, signs)
            lines = picture.paint(cells, None, {}, NOBODY)
            inside(lines, columns, room, signs)
            shown = pixels(lines, columns)
            if picture.large and signs is not ASCII:
                assert parts(shown == ink) == wide * tall // 2
            if (columns, room) in LARGE and signs is UNICODE:
                assert share((shown == Ink.BOARD) | (shown == ink), columns, room) >= 0.6


@pytest.mark.parametrize(("columns", "room"), ROOMS)
def test_a_click_on_any_part_of_a_piece_finds_it(columns: int, room: int) -> None:
    signs = UNICODE
    for cell in ((0, 0), (2, 3), (5, 6), (3, 1)):
        cells = [[int((row, column) == cell) for column in range(7)] for row in range(6)]
        discs, grid = Discs(7, 6, columns, room, signs), Grid(cells, columns, room, signs)
        for picture, lines in (
            (discs, discs.paint(cells, NOTHING, NOBODY, None)),
            (grid, grid.paint(cells, None, {}, NOBODY)),
        ):
            places = np.argwhere(pixels(lines, columns) == Ink.FIRST) // (DOWN, 2)
            assert len(places)
            found = targets(lines)
            assert {found[y][x] for y, x in places} == {(0, cell[1]) if picture is discs else cell}
    rows = Matches((1, 3, 5, 7), columns, room)
    for cell in ((0, 0), (2, 1), (3, 6)):
        standing = [[int((row, at) == cell) for at in range(length)] for row, length in enumerate((1, 3, 5, 7))]
        lines = rows.paint(standing, NOTHING, NOBODY, None, signs)
        found = targets(lines)
        assert all(found[y][x] == cell for y, x in np.argwhere(pixels(lines, columns) == Ink.WOOD) // (DOWN, 2))


def test_discs_are_round_whatever_the_shape_of_a_cell() -> None:
    for base, ratio in product((UNICODE, SEXTANTS), (1.8, 2.0, 2.4)):
        signs = replace(base, ratio=ratio)
        lines = Discs(7, 6, 128, 60, signs).paint([[0] * 7] * 5 + [[1] + [0] * 6], NOTHING, NOBODY, None)
        places = np.argwhere(pixels(lines, 128) == Ink.FIRST)
        tall, wide = places.max(axis=0) - places.min(axis=0) + 1
        assert tall / DOWN * ratio / (wide / 2) == pytest.approx(1, abs=0.1)


@pytest.mark.parametrize("signs", [UNICODE, SEXTANTS])
def test_a_shape_is_symmetrical_and_what_is_outside_is_dropped(signs: Glyphs) -> None:
    painter = Raster(6, 3, signs)
    Box(0, 0, 6, 3).fill(painter, Ink.FIRST, lambda x, y: x * x + y * y <= 1)
    shown = pixels(painter.lines(), 6) == Ink.FIRST
    assert (shown == shown[::-1]).all() and (shown == shown[:, ::-1]).all() and shown.any() and not shown.all()
    painter.fill(-10, -10, 3, 3, Ink.SECOND)
    painter.fill(4, 2, 9, 9, Ink.SECOND)
    painter.write(5, 0, "abc", Ink.PICK)
    painter.write(0, 9, "abc", Ink.PICK)
    after = pixels(painter.lines(), 6)
    assert (after == Ink.SECOND).sum() == 4 * DOWN and (after == Ink.PICK).sum() == 2 * DOWN


@pytest.mark.parametrize("signs", [UNICODE, SEXTANTS, CONSOLE])
def test_every_block_fills_the_pixels_that_are_drawn(signs: Glyphs) -> None:
    across, down = signs.pixels
    cells = np.array([[y * down // DOWN * across + x * across // 2 for x in range(2)] for y in range(DOWN)])
    for bits in range(1 << across * down):
        painter = Raster(1, 1, signs)
        for at in range(across * down):
            painter.fill(
                at % across / across,
                at // across / down,
                1 / across,
                1 / down,
                Ink.FIRST if bits >> at & 1 else Ink.TEXT,
            )
        assert ((pixels(painter.lines(), 1) == Ink.FIRST) == (bits >> cells & 1)).all(), bits


def test_there_is_a_picture_in_hardly_any_room() -> None:
    for columns, room, lengths in product(range(12), range(8), ((1,), (1, 3, 5, 7), (40,), (2, 30, 1))):
        Matches(lengths, columns, room)  # while a layout is under way
    for columns, room in ((0, 0), (1, 0), (0, 3), (2, 2), (5, 1)):
        cells = [[1, 2], [0, 3]]
        for lines in (
            Discs(2, 2, columns, room, UNICODE).paint([[0, 1], [1, 2]], NOTHING, NOBODY, 0),
            Grid(cells, columns, room, UNICODE).paint(cells, (0, 0), {(0, 0): 1}, NOBODY),
            Matches((1, 2), columns, room).paint(cells, NOTHING, NOBODY, 0, UNICODE),
        ):
            inside(lines, columns, room, UNICODE)


def test_a_cell_has_one_ink_on_the_ground_of_another() -> None:
    for signs, expected in (
        (UNICODE, (Run("▀▀", Ink.FIRST, Ink.BOARD), Run(" a", Ink.FIRST, Ink.BOARD))),
        (FLAT, (Run("▀▀", Ink.FIRST), Run("a", Ink.PICK))),
        (CONSOLE, (Run("▀▀", Ink.FIRST), Run("a", Ink.PICK))),
    ):
        painter = Raster(4, 1, signs)
        painter.fill(0, 0, 4, 1, Ink.BOARD)
        painter.fill(0, 0, 2, 0.5, Ink.FIRST)
        painter.write(3, 0, "a", Ink.PICK)
        [line] = painter.lines()
        assert line[0]._replace(text=line[0].text.rstrip()) == expected[0]
        assert line[-1].text == "a" and line[-1].ink is Ink.PICK


@pytest.mark.parametrize(
    ("game", "key", "expected", "size"),
    [("noughts", "up", "a2", (200, 60)), ("chomp:4x5", "up", "b2", (200, 60)), ("tower:16", "down", "b1", (80, 24)),
     *(pytest.param("connect4", "right", "5", size, marks=pytest.mark.slow) for size in ((200, 60), (80, 24)))],
)  # fmt: skip
async def test_keys_move_the_mark_a_click_moves_it_back_and_a_second_one_plays_the_piece(
    make_app: Any, game: str, key: str, expected: str, size: tuple[int, int]
) -> None:
    async with playing(make_app, game, second="me", size=size) as pilot:
        board = pilot.app.screen.query_one(Board)
        before = board.cursor.move
        await pilot.press(key)
        wanted = board.cursor.move
        assert session(pilot).game.move_name(wanted) == expected
        where = middle(board, next(iter(sorted(board.cursor.marked))))
        board.cursor.go_to(before)
        await pilot.click(Board, offset=where)
        assert board.cursor.move == wanted and not moves(pilot)
        doing = sentences.doing(session(pilot).game, session(pilot).state, wanted)
        await until(pilot, lambda: doing in said(pilot, "prompt"))
        await pilot.click(Board, offset=where)
        await settled(pilot)
        assert moves(pilot) == [expected]


def middle(board: Board, cell: Cell) -> tuple[int, int]:
    """Where a click hits this cell, or its column: the middle of all places that mean it."""
    wanted = (0, cell[1]) if isinstance(board, ColumnsBoard) else cell
    found = targets(board.query_one(Canvas).lines)
    places = sorted((x, y) for y, row in enumerate(found) for x, target in enumerate(row) if target == wanted)
    return places[len(places) // 2]


def test_owned_cells_of_chocolate_are_shaded_in_one_piece() -> None:
    game = parse_game("chomp:4x5")
    cells = game.cells(game.new("4,4,2,2,0")) or []
    gone = {(row, column): 0 for row in range(5) for column in range(4) if cells[row][column] < 0}
    lines = Grid(cells, 88, 50, UNICODE).paint(cells, None, {}, Owned(gone))
    shown = pixels(lines, 88)
    assert parts(shown == Ink.EATEN) == 1
    assert parts(shown == Ink.PIECE) == 12
    assert parts(shown == Ink.BAD) == 2  # the sign on the poisoned piece


def test_heat_is_seen_without_colours_and_grows_with_its_band() -> None:
    for signs in (UNICODE, FLAT):
        empty = [[0] * 5 for _ in range(4)]
        hot = Owned({}, heat={(0, at): at for at in range(5)})
        shown = pixels(Discs(5, 4, 88, 50, signs).paint(empty, NOTHING, hot, None), 88)
        high = [int((shown == Ink.BAR)[:, x : x + 2].sum()) for x in [2 * at for at in columns_of(shown)]]
        assert high[:1] != [0] and sorted(high) == high
        shown = pixels(Grid(empty, 88, 50, signs).paint(empty, None, {}, hot), 88)
        assert parts(shown == Ink.HEAT) == 4
    lines = Matches((5,), 88, 50).paint([[1] * 5], NOTHING, hot, None, UNICODE)
    assert "".join(run.text for line in lines for run in line if run.ink is Ink.BAR).split() == [
        shade * 3 for shade in UNICODE.shades
    ]


def columns_of(shown: np.ndarray[Any, Any]) -> list[int]:
    """The columns of cells in which something is drawn as a bar."""
    return sorted({int(x) // 2 for _, x in np.argwhere(shown == Ink.BAR)})


def test_at_80x24_the_cursor_repaints_few_cells() -> None:
    discs, grid = Discs(7, 6, 43, 16, UNICODE), Grid([[0] * 3] * 3, 43, 16, UNICODE)
    empty = [[0] * 7] * 6
    falling = [discs.paint(empty, frozenset({(5, at)}), NOBODY, at) for at in (3, 4)]
    marking = [grid.paint([[0] * 3] * 3, (1, at), {(1, at): 1}, NOBODY) for at in (1, 2)]
    for before, after in (falling, marking):
        assert 0 < repainted(before, after) <= 8
    assert sum(run.text.count("◌") for line in marking[-1] for run in line) == 1
    assert [at for at, line in enumerate(falling[-1]) if any(run.ink is Ink.PICK for run in line)][1] > 10


def repainted(*pictures: Sequence[Line]) -> int:
    """How many cells look different in two pictures of 43 columns."""
    one, other = (pixels(lines, 43) for lines in pictures)
    return int((one != other).reshape(len(one) // DOWN, DOWN, 43, 2).any(axis=(1, 3)).sum())


Names: TypeAlias = dict[str, Any]


@pytest.mark.parametrize(
    ("game", "shares", "heat", "exact"),
    [
        ("tower:16", {"a1": 1.0, "d2": 0.5, "d7": 0.0}, {(0, 0): 4, (3, 5): 2, (3, 0): 0}, {"d1": "LOSS", "d2": "WIN"}),
        ("connect4", {"4": 1.0, "5": 0.26}, {(0, 3): 4, (0, 4): 1}, {}),
        ("chomp:4x5", {"b2": 0.7, "e4": -0.5}, {(1, 1): 3, (4, 3): 0}, {"b2": "WIN", "a2": "LOSS"}),
        ("noughts", {"a1": 0.5}, {(0, 0): 2}, {"b2": "DRAW", "a1": "LOSS"}),
    ],
)
async def test_what_an_agent_believes_and_exact_results_lie_on_the_pieces_and_the_title_says_what_they_are(
    make_app: Any, game: str, shares: Names, heat: dict[Cell, int], exact: Names
) -> None:
    async with playing(make_app, game, second="me", size=(120, 36)) as pilot:
        board = pilot.app.screen.query_one(Board)
        before, without = board.query_one(Canvas).lines, letters(board)

        def moves_of(names: Names) -> Names:
            return {session(pilot).game.parse_move(name, session(pilot).state): value for name, value in names.items()}

        board.warm(moves_of(shares), "visits")
        assert board.owned.heat == heat and board.query_one(Canvas).lines != before
        assert "Board · marks show visits" in screen_text(pilot.app)
        board.warm({}, "", {move: Outcome[end] for move, end in moves_of(exact).items()})
        assert sorted(letters(board)) == sorted([*without, *(end[0] for end in exact.values())])
        assert ("W wins, D draws, L loses" in screen_text(pilot.app)) is bool(exact)
        board.warm({}, "")
        assert board.query_one(Canvas).lines == before and "marks show" not in screen_text(pilot.app)


def letters(board: Board) -> list[str]:
    """The letters of outcomes on the board."""
    return [sign for line in board.query_one(Canvas).lines for run in line for sign in run.text if sign in "WDL"]


@pytest.mark.slow
async def test_the_shape_of_a_cell_that_the_terminal_tells_changes_the_board(make_app: Any) -> None:
    async with playing(make_app, "connect4", second="me", size=(200, 60)) as pilot:
        board = pilot.app.screen.query_one(Board).query_one(Canvas)
        usual = board.lines
        for size, changes in (((10, 24), True), ((1, 99), False)):  # the second one is no cell's
            pilot.app.post_message(CellSize(*size))
            await settled(pilot)
            await until(pilot, lambda changes=changes: (board.lines != usual) is changes)


@pytest.mark.slow
async def test_a_watched_game_shows_whose_mark_is_whose(make_app: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = TournamentSetup(("noughts",), ("perfect", "random"), number=4, seed=1)
    async with tournament(make_app, plan) as pilot:
        conductor = await finished(pilot)
        going = [LiveGame(0, 0, (4, 0, 8))]
        monkeypatch.setattr(LookingOn, "_going", property(lambda self: tuple(going)))
        pilot.app.push_screen(LookingOn(conductor))
        await until(pilot, lambda: "╳ perfect – ○ random" in screen_text(pilot.app))
        assert "3 plies" in screen_text(pilot.app)
