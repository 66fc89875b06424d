"""The map of all positions: where cells are, what they say, what the cursor and the clock do."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from textual.app import ComposeResult

from nimtui.games import parse_game
from nimtui.learning.atlas import Order, orders
from nimtui.report import lines as ink
from nimtui.report.lines import Ink
from nimtui.store.settings import Settings
from nimtui.theory.truth import truth
from nimtui.ui.board import position_map_picture as picture
from nimtui.ui.board.position_map import MOST_NEW, PositionMap
from nimtui.ui.board.position_map_picture import (
    NOTHING,
    RIGHT,
    UNDECIDED,
    WRONG,
    Sheet,
    Verdicts,
    Window,
    fitting,
    spread,
)
from nimtui.ui.kit.terminal.glyphs import ASCII, UNICODE, Glyphs
from nimtui.ui.kit.widgets.canvas import Canvas
from nimtui.ui.kit.widgets.page import Page

GAMES = ["tower:16", "nim:7,5,3", "subtraction:21,3:misere", "tower:25", "adjacent:1,3,5", "connect:3x3x3"]
ROOMS = [(78, 9), (58, 5), (198, 30), (20, 4)]


def atlas(name: str) -> list[Order]:
    game = parse_game(name)
    return orders(truth(game), game)


def learned(name: str) -> Verdicts:
    """Everything is right."""
    return np.where(truth(parse_game(name)).values < 0, NOTHING, RIGHT).astype(np.int8)


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize(("columns", "rows"), ROOMS)
def test_every_position_is_in_one_cell_and_every_cell_in_one_place(name: str, columns: int, rows: int) -> None:
    for order in atlas(name):
        for sheet in (fitting(order, columns, rows), spread(order, columns, rows)):
            assert (sheet.starts[0], sheet.starts[-1]) == (0, len(order.nodes))
            sizes = np.diff(sheet.starts)
            assert sizes.min() >= 1 and sizes.max() <= sheet.each
            assert np.array_equal(np.sort(sheet.grid[sheet.grid >= 0]), np.arange(len(sheet.x)))
            assert all(sheet.cell_of(int(place)) == cell for cell, place in enumerate(sheet.starts[:-1]))


@pytest.mark.parametrize("name", GAMES)
def test_cells_of_several_positions_stay_within_one_group(name: str) -> None:
    for order in atlas(name):
        axis = order.across or order.down
        if axis is not None:
            sheet = fitting(order, 40, 7)
            ends = sheet.starts[1:] - 1
            assert np.array_equal(axis.of[sheet.starts[:-1]], axis.of[ends])


def test_the_383_positions_of_the_tower_are_seen_at_once_at_80_columns() -> None:
    for order in atlas("tower:16"):
        sheet = fitting(order, 78, 9)
        assert sheet.each == 1 and sheet.fits(78, 9)


def test_blocks_by_matches_left_have_the_end_of_the_game_at_the_left() -> None:
    [order, *_] = atlas("tower:16")
    sheet = fitting(order, 78, 9)
    assert order.across is not None and sheet.foot is not None
    assert [label for _, label in sheet.foot] == [str(left) for left in range(1, 17)]
    for (begin, _), (end, _) in zip(sheet.foot, sheet.foot[1:], strict=False):
        assert (sheet.grid[:, end - 1] < 0).all()  # a gap
        level = order.across.of[sheet.starts[:-1]][(sheet.x >= begin) & (sheet.x < end)]
        assert len(set(level.tolist())) == 1


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize(("columns", "rows"), [*ROOMS[:3], (38, 8), (116, 18), (194, 33)])
def test_the_labels_below_are_whole_and_apart_and_the_first_and_last_block_have_theirs(
    name: str, columns: int, rows: int
) -> None:
    for order in atlas(name):
        sheet = fitting(order, columns, rows, large=True)
        if sheet.foot is None:
            continue
        *_, foot = picture.paint(sheet, learned(name), Window(0, 0, sheet.height, sheet.width), columns, UNICODE)
        labels = {found.start(): found[0] for found in re.finditer(r"\S+", ink.plain_text(foot))}
        places = dict(sheet.foot)
        assert ink.width(foot) <= columns
        assert list(labels.values())[:: max(1, len(labels) - 1)] == list(places.values())[:: len(places) - 1]
        assert all(places[x] == label for x, label in list(labels.items())[:-1])


def test_rows_by_nim_sum_have_it_at_their_left() -> None:
    order = atlas("tower:16")[1]
    sheet = fitting(order, 78, 9)
    kinds = picture.cells(sheet, order, learned("tower:16"))
    lines = picture.paint(sheet, kinds, Window(0, 0, sheet.height, sheet.width), 78, UNICODE)
    rows = [ink.plain_text(line).split() for line in lines]
    assert [row[0] for row in rows] == list("01234567")
    assert rows[0][1] == "·" * 47 and rows[1][1] == "●" * 48


def test_cells_that_hold_several_say_what_is_true_of_them() -> None:
    nodes = np.arange(20, dtype=np.int32)
    order = Order("number", "by number", nodes)
    sheet = Sheet(4, np.arange(0, 21, 4), np.arange(5), np.zeros(5, np.int64))
    fours = [
        [NOTHING] * 4,
        [RIGHT, NOTHING, RIGHT, RIGHT],
        [RIGHT, WRONG, RIGHT, NOTHING],
        [RIGHT, WRONG, UNDECIDED, WRONG],
        [UNDECIDED, UNDECIDED, WRONG, RIGHT],
    ]
    verdicts = np.array(fours, np.int8).ravel()
    assert picture.cells(sheet, order, verdicts).tolist() == [NOTHING, RIGHT, picture.MOSTLY, WRONG, UNDECIDED]
    other = np.full(20, RIGHT, np.int8)
    other[4:12] = WRONG
    kinds = picture.cells(sheet, order, verdicts, other).tolist()
    assert kinds == [*[picture.OTHER_ALONE], picture.ALONE, picture.ALONE, picture.OTHER_ALONE, picture.OTHER_ALONE]


def test_every_sign_and_its_fresh_twin_can_be_told_apart() -> None:
    for signs in (UNICODE, ASCII):
        letters = picture.alphabet(signs)
        assert len(set(letters[:8])) == 8
        assert all(letters[kind] != letters[kind + picture.FRESH] for kind in (RIGHT, WRONG, UNDECIDED, picture.MOSTLY))
    assert "".join(picture.alphabet(ASCII)).isascii()


@pytest.mark.parametrize("columns", [198, 78, 58, 30, 12])
@pytest.mark.parametrize("signs", [UNICODE, ASCII])
def test_the_legend_is_one_line_with_counts(columns: int, signs: Glyphs) -> None:
    order = atlas("tower:16")[0]
    shown = picture.legend(learned("tower:16"), None, fitting(order, 78, 9), columns, signs)
    text = ink.plain_text(shown)
    assert ink.width(shown) <= columns
    if columns >= 30:
        assert "336" in text and "47" in text
    assert ("lost" in text) == (columns >= 58)
    if signs is ASCII:
        assert text.isascii()


@pytest.mark.parametrize("name", ["tower:25", "nim:5,5,5,5"])
def test_what_a_cell_stands_for_is_in_the_legend(name: str) -> None:
    order = atlas(name)[0]
    sheet = fitting(order, 78, 9)
    assert sheet.each > 1
    text = ink.plain_text(picture.legend(learned(name), None, sheet, 78, UNICODE))
    assert "◐ mostly right" in text
    title = ink.plain_text(picture.title(order, sheet, picture.Window(0, 0, sheet.height, sheet.width), 78, UNICODE))
    assert f"{len(order.nodes):,} positions by" in title and f"up to {sheet.each} per sign" in title


def test_what_is_right_in_one_of_two_maps_has_a_legend_in_half_of_80_columns() -> None:
    order = atlas("nim:7,5,3")[0]
    right = learned("nim:7,5,3")
    other = np.where(np.arange(len(right)) % 7 == 0, picture.WRONG, right).astype(np.int8)
    text = ink.plain_text(picture.legend(right, other, fitting(order, 38, 8), 38, UNICODE))
    assert text.endswith("+ here − there") and len(text) <= 38


class MapScreen(Page[None]):
    CSS = "PositionMap { height: 11; margin: 0 1; }"

    def __init__(self, game: str) -> None:
        super().__init__()
        self.name_of_game = game
        self.moved: list[int] = []
        self.picked: list[int] = []
        self.said: list[str] = []

    def compose(self) -> ComposeResult:
        yield PositionMap(self.moved.append, self.said.append)

    def on_mount(self) -> None:
        shown = self.query_one(PositionMap)
        shown.set_orders(atlas(self.name_of_game))
        shown.show(learned(self.name_of_game))
        shown.focus()

    def on_position_map_picked(self, event: PositionMap.Picked) -> None:
        self.picked.append(event.node)


def cells(shown: PositionMap) -> str:
    """The picture without its legend."""
    return shown.text().rpartition("\n")[0]


async def opened(app: Any, pilot: Any, game: str) -> tuple[MapScreen, PositionMap]:
    screen = MapScreen(game)
    await app.push_screen(screen)
    await pilot.pause()
    return screen, screen.query_one(PositionMap)


def under_cursor(shown: PositionMap) -> list[str]:
    return [run.text for line in shown.query_one(Canvas).lines for run in line if run.ink is Ink.CURSOR]


@pytest.mark.slow
@pytest.mark.parametrize("size", [(80, 24), (200, 60), (60, 20)])
@pytest.mark.parametrize("game", ["tower:16", "tower:25"])
async def test_it_fits_every_terminal(make_app: Callable[..., Any], size: tuple[int, int], game: str) -> None:
    app = make_app()
    async with app.run_test(size=size) as pilot:
        _, shown = await opened(app, pilot, game)
        for order in shown.orders:
            shown.set_order(order.name)
            lines = shown.text().split("\n")
            assert 2 <= len(lines) <= 11 and max(map(len, lines)) <= size[0] - 2
            assert "●" in shown.text() and "×" in lines[-1]
            await pilot.press("z")
            assert len(shown.text().split("\n")) <= 11
            await pilot.press("z")


@pytest.mark.slow
async def test_the_cursor_walks_by_cells_and_groups(make_app: Callable[..., Any]) -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        screen, shown = await opened(app, pilot, "tower:16")
        first = shown.orders[0].nodes
        await pilot.press(
            "home", "down", "down", "up", "end", "right", "home", "pagedown", "pagedown", "pageup", "left"
        )
        levels = [int(first[place]) for place in (0, 1, 2, 1, 382, 0, 4, 13, 4, 0)]
        assert screen.moved == levels
        assert len(under_cursor(shown)) == 1
        await pilot.press("enter")
        assert screen.picked == [int(first[0])]
        shown.goto(int(first[200]))
        assert screen.moved == levels and shown.node == first[200]


@pytest.mark.slow
async def test_a_click_moves_and_a_second_one_picks(make_app: Callable[..., Any]) -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        screen, shown = await opened(app, pilot, "tower:16")
        top = next(y for y, line in enumerate(shown.text().split("\n")) if line.startswith("●"))
        await pilot.click(PositionMap, offset=(0, top + 1))
        assert screen.moved == [int(shown.orders[0].nodes[1])] and screen.picked == []
        await pilot.click(PositionMap, offset=(0, top + 1))
        assert screen.picked == screen.moved
        await pilot.click(PositionMap, offset=(1, top))  # a gap
        assert len(screen.moved) == 1


@pytest.mark.slow
async def test_changes_are_marked_for_a_second(make_app: Callable[..., Any]) -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        _, shown = await opened(app, pilot, "tower:16")
        now = 100.0
        shown.clock = lambda: now
        verdicts = learned("tower:16")
        changed = np.flatnonzero(verdicts == RIGHT)[:3]
        verdicts[changed] = WRONG, UNDECIDED, WRONG
        shown.show(verdicts.copy())
        cells = shown.text().rpartition("\n")[0]
        assert (cells.count("╳"), cells.count("◎")) == (2, 1)
        now = 100.9
        verdicts[changed[0]] = RIGHT
        shown.show(verdicts.copy())
        assert shown.text().rpartition("\n")[0].count("◉") == 1
        now = 101.1
        shown.draw()
        cells = shown.text().rpartition("\n")[0]
        assert (cells.count("╳"), cells.count("×"), cells.count("○"), cells.count("◉")) == (0, 1, 1, 1)
        shown.set_order("nim-sum")  # another order is nothing new
        assert "◉" not in shown.text().rpartition("\n")[0]


@pytest.mark.slow
async def test_where_nearly_all_changes_few_are_marked(make_app: Callable[..., Any]) -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        _, shown = await opened(app, pilot, "tower:16")
        shown.show(np.where(learned("tower:16") == RIGHT, WRONG, NOTHING).astype(np.int8))
        assert shown.text().rpartition("\n")[0].count("╳") == MOST_NEW


@pytest.mark.slow
async def test_after_very_many_changes_the_next_picture_waits_and_then_comes(make_app: Callable[..., Any]) -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        _, shown = await opened(app, pilot, "tower:16")
        all_right = learned("tower:16")
        all_wrong = np.where(all_right == RIGHT, WRONG, NOTHING).astype(np.int8)
        now = 100.0
        shown.clock = lambda: now
        shown.show(all_wrong)
        shown.show(all_right)
        assert "╳" in cells(shown) and "● 336 right" in shown.text(), "the legend counts at once"
        now = 102.0
        shown._catch_up()  # its timer
        assert not re.search("[×╳]", cells(shown))
        shown.show(all_wrong, counts_only=True)
        assert not re.search("[×╳]", cells(shown)) and "● 0 right" in re.sub(" +", " ", shown.text())


@pytest.mark.slow
async def test_next_wrong_goes_round_then_takes_the_undecided(make_app: Callable[..., Any]) -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        _, shown = await opened(app, pilot, "tower:16")
        assert shown.next_wrong() is None
        verdicts, nodes = learned("tower:16"), shown.orders[0].nodes
        verdicts[nodes[[20, 300]]], verdicts[nodes[7]] = WRONG, UNDECIDED
        shown.show(verdicts)
        assert [shown.next_wrong() for _ in range(3)] == nodes[[20, 300, 20]].tolist()
        verdicts = np.where(verdicts == WRONG, RIGHT, verdicts)
        shown.show(verdicts)
        assert shown.next_wrong() == nodes[7]


async def test_two_learners_differ_by_sign(make_app: Callable[..., Any]) -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        _, shown = await opened(app, pilot, "tower:16")
        mine, other = learned("tower:16"), learned("tower:16")
        winnable = np.flatnonzero(mine == RIGHT)
        mine[winnable[:5]], other[winnable[5:12]] = WRONG, WRONG
        shown.show(mine, other)
        cells, _, legend = shown.text().rpartition("\n")
        assert (cells.count("+"), cells.count("−")) == (7, 5)
        assert "+   7" in legend and "−   5" in legend


@pytest.mark.slow
async def test_zoomed_in_the_cursor_stays_in_sight(make_app: Callable[..., Any]) -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        _, shown = await opened(app, pilot, "tower:25")
        await pilot.press("home", "z", "end")
        assert len(under_cursor(shown)) == 1
        assert shown.node == shown.orders[0].nodes[-1]
        await pilot.press("home")
        assert len(under_cursor(shown)) == 1
        assert "▶" in shown.text()


@pytest.mark.slow
async def test_ascii_alone_where_nothing_else_can_be_shown(make_app: Callable[..., Any]) -> None:
    app = make_app(Settings(glyphs="ascii"))
    async with app.run_test(size=(80, 24)) as pilot:
        _, shown = await opened(app, pilot, "connect:3x3x3")
        for order in shown.orders:
            shown.set_order(order.name)
            assert shown.text().isascii() and "#" in shown.text()


@pytest.mark.slow
async def test_a_map_of_many_positions_has_its_caption_on_few_lines(make_app: Callable[..., Any]) -> None:
    app = make_app(Settings(animation=False))
    async with app.run_test(size=(80, 9)) as pilot:
        _, shown = await opened(app, pilot, "tower:25")
        assert "positions by matches left" in shown.text() and "per sign" in shown.text()


@pytest.mark.slow
async def test_nothing_to_show_yet(make_app: Callable[..., Any]) -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        screen, shown = await opened(app, pilot, "tower:16")
        shown.set_orders([])
        await pilot.press("home", "down", "pagedown", "enter", "z")
        shown.set_orders(atlas("nim:7,5,3"))
        await pilot.press("end", "right", "enter")
        assert shown.text() == "" and screen.picked == [] and shown.next_wrong() is None


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize(("columns", "rows"), [(114, 16), (194, 32)])
def test_the_cells_of_a_large_map_use_its_room_and_each_has_its_place(name: str, columns: int, rows: int) -> None:
    for order in atlas(name):
        plain, large = fitting(order, columns, rows), fitting(order, columns, rows, large=True)
        assert large.fits(columns, rows) == plain.fits(columns, rows)
        assert large.apart.pitch >= plain.apart.pitch and large.each == plain.each
        assert np.array_equal(np.sort(large.grid[large.grid >= 0]), np.arange(len(large.x)))
        assert not (large.y % large.apart.rise).any()
        for cell in range(0, len(large.x), 7):
            assert large.cell_at(int(large.x[cell]), int(large.y[cell])) == cell


def test_383_positions_have_cells_of_three_columns_at_120_and_of_four_at_200() -> None:
    [order, *_] = atlas("tower:16")
    assert fitting(order, 116, 18, large=True).apart.pitch == 3
    far = fitting(order, 194, 33, large=True)
    assert far.apart[::2] == (4, 2) and far.height > 16
    x, y = int(far.x[20]), int(far.y[20])
    assert [far.cell_at(x + right, y) for right in (-1, 0, 1)] == [20, 20, 20]  # a click beside it is a click on it
    assert far.cell_at(x + 2, y) != 20 and far.cell_at(-1, 0) in (-1, 0) and far.cell_at(999, 999) == -1


def test_a_cursor_covers_the_columns_beside_it_where_cells_stand_far_apart() -> None:
    [order, *_] = atlas("tower:16")
    sheet = fitting(order, 194, 33, large=True)
    for cell in (0, 40, len(sheet.x) - 1):
        kinds = picture.cells(sheet, order, learned("tower:16"))
        kinds[cell] += picture.CURSOR
        lines = picture.paint(sheet, kinds, Window(0, 0, sheet.height, sheet.width), 194, UNICODE)
        [(y, under)] = [(y, run) for y, line in enumerate(lines) for run in line if run.ink is Ink.CURSOR]
        left = sum(len(run.text) for run in lines[y][: list(lines[y]).index(under)])
        assert (left, y) == (max(0, sheet.x[cell] - 1), sheet.y[cell])
        assert len(under.text) == (3 if sheet.x[cell] else 2) and under.text.strip() in UNICODE.verdicts


@pytest.mark.parametrize("columns", [60, 78, 160])
def test_with_another_learner_the_legend_counts_each_position_once(columns: int) -> None:
    """As in Compare: every count but 0 has its sign on the map, and the counts are those of the signs."""
    source = np.random.default_rng(4)
    order = atlas("tower:16")[0]
    for _ in range(40):
        one, other = (source.integers(0, 4, len(order.nodes)).astype(np.int8) for _ in range(2))
        lost = source.random(len(one)) < 0.2
        one[lost], other[lost] = 0, 0
        one[~lost], other[~lost] = np.maximum(one[~lost], 1), np.maximum(other[~lost], 1)
        sheet = fitting(order, 160, 60)
        assert sheet.each == 1
        kinds = picture.cells(sheet, order, one, other)
        text = ink.plain_text(picture.legend(one, other, sheet, columns, UNICODE))
        signs = picture.alphabet(UNICODE)
        drawn = [signs[kind] for kind in kinds.tolist()]
        told = dict(re.findall(r"(\S) +(\d+)", text))
        assert {sign: int(count) for sign, count in told.items() if int(count)} == {
            sign: drawn.count(sign) for sign in set(drawn) if sign in told or columns == 160
        }
