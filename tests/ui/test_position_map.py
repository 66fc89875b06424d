"""The map of all positions: where cells are, what they say, what the cursor and the clock do."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import cache
from itertools import product
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from textual.app import ComposeResult

from nimtui.games import parse_game
from nimtui.learning.atlas import Order, orders
from nimtui.learning.evaluate import population, sampled_standing
from nimtui.report import lines as ink
from nimtui.report.lines import Ink
from nimtui.store.settings import Settings
from nimtui.theory.truth import truth
from nimtui.ui.board import position_map_picture as picture
from nimtui.ui.board.position_map import MOST_NEW, WAITING, PositionMap
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
from nimtui.ui.kit.widgets.page import Page
from nimtui.ui.kit.widgets.panel import Canvas
from tests.ui.drawn import as_drawn, limits

GAMES = ["tower:16", "subtraction:21,3:misere", "adjacent:1,3,5", "connect:3x3x3"]
ROOMS = [(78, 9), (20, 4), (194, 33)]


@cache
def atlas(name: str) -> list[Order]:
    game = parse_game(name)
    return orders(truth(game), game)


def learned(name: str) -> Verdicts:
    """Everything is right."""
    return np.where(truth(parse_game(name)).values < 0, NOTHING, RIGHT).astype(np.int8)


def whole(sheet: Sheet) -> Window:
    return Window(0, 0, sheet.height, sheet.width)


@pytest.mark.parametrize("name", GAMES)
def test_every_position_is_in_one_cell_and_every_cell_in_one_place(name: str) -> None:
    for order in atlas(name):
        for columns, rows in ROOMS:
            plain, large = fitting(order, columns, rows), fitting(order, columns, rows, large=True)
            apart = picture.spacious(order, columns, rows)
            assert (apart.each, apart.fits(columns, rows)) == (large.each, large.fits(columns, rows))
            for sheet in (plain, large, spread(order, columns, rows)):
                assert (sheet.starts[0], sheet.starts[-1]) == (0, len(order.nodes))
                sizes = np.diff(sheet.starts)
                assert sizes.min() >= 1 and sizes.max() <= sheet.each
                assert np.array_equal(np.sort(sheet.grid[sheet.grid >= 0]), np.arange(len(sheet.x)))
                assert all(sheet.cell_of(int(place)) == cell for cell, place in [*enumerate(sheet.starts[:-1])][::9])
            assert large.fits(columns, rows) == plain.fits(columns, rows) and large.each == plain.each
            assert large.apart.pitch >= plain.apart.pitch and not (large.y % large.apart.rise).any()
            for cell in range(0, len(large.x), 17):
                assert large.cell_at(int(large.x[cell]), int(large.y[cell])) == cell
            if order.across is not None and plain.each == 1 and plain.height > plain.apart.rise:  # no fewer rows fit
                fewer = plain.height - plain.apart.rise + plain.footed
                assert not spread(order, columns, fewer, apart=plain.apart).fits(columns, fewer)
            if (axis := order.across or order.down) is not None:  # cells of several positions stay within one group
                assert np.array_equal(axis.of[plain.starts[:-1]], axis.of[plain.starts[1:] - 1])
            if large.foot is not None:
                *_, foot = picture.paint(large, learned(name), whole(large), columns, UNICODE)
                labels = {found.start(): found[0] for found in re.finditer(r"\S+", ink.plain_text(foot))}
                places = dict(large.foot)
                assert ink.width(foot) <= columns and all(places[x] == label for x, label in [*labels.items()][:-1])
                assert [*labels.values()][:: max(1, len(labels) - 1)] == [*places.values()][:: len(places) - 1]


def test_an_order_like_an_odometer_leaves_out_its_first_places_only_if_each_position_has_its_cell() -> None:
    order = atlas("tower:16")[2]
    one, four = spread(order, 78, 9), spread(order, 78, 9, 4)
    assert order.lead == 1 and (int(one.x[0]), int(four.x[0])) == (one.apart.pitch, 0)
    assert spread(replace(order, lead=0), 78, 9).x[0] == 0
    number = Order("number", "by number", np.arange(41, dtype=np.int32))
    assert fitting(number, 0, 3).each >= 41 > fitting(number, 1, 40).each, "all in one cell, without any room"


@pytest.mark.parametrize(
    ("name", "place", "columns", "rows", "large"),
    [("tower:16", 0, 78, 9, False), ("tower:16", 1, 78, 9, False), ("tower:16", 0, 116, 18, True),
     ("adjacent:1,3,5", 0, 58, 5, False), ("nim:5,5,5,5", 0, 78, 9, False)],
)  # fmt: skip
def test_maps_with_title_and_legend(name: str, place: int, columns: int, rows: int, large: bool) -> None:
    order = atlas(name)[place]
    sheet, verdicts = fitting(order, columns, rows, large=large), learned(name)
    kinds = picture.cells(sheet, order, verdicts)
    lines = picture.paint(sheet, kinds, whole(sheet), columns, UNICODE)
    title = picture.title(order, sheet, whole(sheet), columns, UNICODE)
    legend = picture.legend(verdicts, None, sheet, columns, UNICODE)
    as_drawn("map", f"{name}, {order.name}, {columns}", [title, *lines, legend])


@pytest.mark.parametrize(
    ("name", "order", "sheet", "columns", "rows"),
    [
        ("nim:3,2", 0, fitting, range(1, 28), (2, 3, 4)), ("nim:3,2", 1, fitting, range(1, 11), (3, 4, 6, 10)),
        ("nim:3,2", 2, fitting, range(1, 24), (1, 2, 4)), ("tower:9", 0, fitting, range(1, 50, 2), (2, 5)),
        ("nim:3,2", 0, picture.spacious, range(1, 76), (2, 9, 14)),
        ("nim:3,2", 1, picture.spacious, range(1, 30), (4, 12, 19)),
        ("nim:3,2", 2, picture.spacious, range(1, 34), (3, 14)),
        ("tower:9", 0, picture.spacious, range(1, 60, 2), (3, 7)),
    ],
)  # fmt: skip
def test_how_cells_lie_in_each_room(name: str, order: int, sheet: Any, columns: range, rows: tuple[int, ...]) -> None:
    def lies(wide: int, high: int) -> str:
        found = sheet(atlas(name)[order], wide, high)
        return f"{found.each} {','.join(map(str, found.apart))} {found.width}×{found.height}"

    as_drawn("map", f"each, apart, size: {name} {order}, {sheet.__name__}", limits(lies, columns, rows))


MANY = np.array([NOTHING, RIGHT, WRONG, UNDECIDED, 4, 5, 6, 3, 2, 1, 0], np.int8)  # of nim:3,2 with its 11 positions


@pytest.mark.parametrize("signs", [UNICODE, replace(UNICODE, grounds=False), ASCII])
def test_each_kind_of_cell_at_each_size(signs: Glyphs) -> None:
    order, more = atlas("nim:3,2")[0], np.array([0, 8, 16, 8, 16, 32, 24, 48, 40, 32, 0], np.int8)
    for columns, rows in ((60, 20), (43, 9), (26, 5), (14, 4), (9, 4), (6, 6)):
        sheet = picture.spacious(order, columns, rows)
        kinds = np.resize(MANY + more, len(sheet.x)).astype(np.int8)
        lines = picture.paint(sheet, kinds, whole(sheet), columns, signs)
        name = f"{signs.name}{'' if signs.grounds else ' without grounds'}, {columns} × {rows}"
        as_drawn("map", f"kinds of cells, {name}", lines)
    far, (rows_of, *_) = fitting(order, 40, 12, large=True), atlas("nim:3,2")[1:]
    tall = fitting(rows_of, 40, 12, large=True)
    windows = [(far, Window(2, 3, 7, 9)), (tall, Window(1, 2, 9, 12)), (far, Window(0, 0, 12, 8))]
    for at, (sheet, window) in enumerate(windows):
        lines = picture.paint(sheet, np.resize(MANY, len(sheet.x)), window, 20, signs)
        as_drawn("map", f"window {at}, {signs.name}{'' if signs.grounds else ' without grounds'}", lines)
    verdicts = np.where(MANY > 3, RIGHT, MANY).astype(np.int8)
    as_drawn(
        "map",
        f"still, {signs.name}{'' if signs.grounds else ' without grounds'}",
        picture.still(order, verdicts, 30, 9, signs),
    )
    for rows in range(4, 14):
        sheet = picture.spacious(order, 60, rows - 1)
        lines = picture.paint(sheet, picture.cells(sheet, order, verdicts), whole(sheet), 60, signs)
        assert picture.still(order, verdicts, 60, rows, signs)[:-1] == lines


FEW = np.repeat(MANY[:4], (33, 200, 100, 50))
UNMET = np.arange(len(FEW)) % 3 == 0


@pytest.mark.parametrize(
    ("name", "columns", "more"),
    [
        ("of one learner", range(15, 85), {}),
        ("of two", range(22, 100), {"other": np.roll(FEW, 31)}),
        ("of those not met", range(22, 105), {"unmet": UNMET}),
        ("of two, with those not met", range(29, 110), {"other": np.roll(FEW, 31), "unmet": UNMET}),
        ("of a difference", range(16, 60), {"fresh": "", "names": picture.DIFFERENCE}),
        ("all right", range(4, 50), {"verdicts": np.where(FEW >= 0, RIGHT, 0)}),
    ],
)
def test_what_a_legend_leaves_out_in_less_room(name: str, columns: range, more: dict[str, Any]) -> None:
    given = {"verdicts": FEW, "other": None, "sheet": fitting(atlas("tower:16")[0], 38, 7), "signs": UNICODE} | more

    def legend(columns: int, _: int) -> str:
        return ink.plain_text(picture.legend(columns=columns, **given))

    [texts] = limits(legend, columns, (1,))
    as_drawn("map", f"legend {name}", map(ink.line, ink.plain_text(texts).split(" | ")))


def test_a_window_moves_only_for_a_place_that_it_does_not_show() -> None:
    def start(first: int, size: int, place: int, whole: int) -> int:
        return first if place in range(first, first + size) else min(max(0, place - size // 2), whole - size)

    sheet = fitting(atlas("nim:3,2")[0], 40, 12, large=True)
    for window in (Window(0, 0, 3, 9), Window(2, 5, 4, 10)):
        for x, y in product(range(sheet.width), range(sheet.height)):
            starts = start(window.y, window.height, y, sheet.height), start(window.x, window.width, x, sheet.width)
            assert window.around(x, y, sheet) == (*starts, *window[2:])


def test_cells_that_hold_several_say_what_is_true_of_them() -> None:
    order = Order("number", "by number", np.arange(28, dtype=np.int32))
    sheet = Sheet(4, np.arange(0, 29, 4), np.arange(7), np.zeros(7, np.int64))
    fours = [
        [NOTHING] * 4, [RIGHT, NOTHING, RIGHT, RIGHT], [RIGHT, WRONG, RIGHT, NOTHING], [RIGHT, WRONG, UNDECIDED, WRONG],
        [UNDECIDED, UNDECIDED, WRONG, RIGHT], [RIGHT, UNDECIDED, UNDECIDED, RIGHT], [RIGHT, UNDECIDED, WRONG, NOTHING],
    ]  # fmt: skip
    verdicts = np.array(fours, np.int8).ravel()
    told = [NOTHING, RIGHT, picture.MOSTLY, WRONG, UNDECIDED, UNDECIDED, WRONG]
    assert picture.cells(sheet, order, verdicts).tolist() == told
    other = np.full(28, RIGHT, np.int8)
    other[4:12] = WRONG
    alone, there = picture.ALONE, picture.OTHER_ALONE
    assert picture.cells(sheet, order, verdicts, other).tolist() == [there, alone, alone, *[there] * 4]


def test_a_legend_explains_all_its_signs_before_it_counts_those_of_no_position() -> None:
    verdicts, sheet = np.repeat(np.array([RIGHT, WRONG], np.int8), 1_000), fitting(atlas("nim:5,5,5,5")[0], 78, 9)
    unmet = np.arange(2_000) % 10 > 2
    for columns in (78, 200):
        text = ink.plain_text(picture.legend(verdicts, None, sheet, columns, UNICODE, unmet=unmet))
        assert all(words in text for words in (" right", " wrong", "never met", "◐ • mostly right"))
        assert len(text) <= columns
        assert [int(number) for number in re.findall(r"\d+", text) if int(number)] == [300, 300, 700, 700]
        assert ("undecided" in text) == ("◉ ╳ new" in text) == (columns == 200)
    early = np.repeat(np.array([RIGHT, WRONG], np.int8), (1_950, 50))  # without room for all words two have theirs
    text = ink.plain_text(picture.legend(early, None, sheet, 66, UNICODE, unmet=unmet))
    assert text.startswith("● 585 right × 15 wrong • 1,365 ∗    35 never met")
    verdicts[:4], verdicts[4] = UNDECIDED, NOTHING  # in a legend of numbers alone the unmet stay, too
    text = ink.plain_text(picture.legend(verdicts, None, sheet, 70, UNICODE, unmet=unmet))
    assert "never met" in text and sum(map(int, re.findall(r"\d+", text))) == 2_000
    verdicts, unmet = np.resize(verdicts, 134_289), np.ones(134_289, np.bool_)
    verdicts[:12_000], unmet[9:200] = NOTHING, False
    text = ink.plain_text(picture.legend(verdicts, None, sheet, 76, UNICODE, unmet=unmet)).replace(",", "")
    assert "never met" in text and sum(map(int, re.findall(r"\d+", text))) == 134_289


def test_signs_differ_and_the_legend_is_one_line_with_counts() -> None:
    for signs in (UNICODE, ASCII):
        letters = picture.alphabet(signs)
        assert len(set(letters[:8])) == 8
        assert all(letters[kind] != letters[kind + picture.FRESH] for kind in (RIGHT, WRONG, UNDECIDED, picture.MOSTLY))
    assert "".join(picture.alphabet(ASCII)).isascii()
    sheet = fitting(atlas("tower:16")[0], 78, 9)
    other = np.where(np.arange(383) % 7 == 0, WRONG, learned("tower:16")).astype(np.int8)
    for columns in (198, 58, 38, 12):
        alone = picture.legend(learned("tower:16"), None, sheet, columns, ASCII)
        both = picture.legend(learned("tower:16"), other, sheet, columns, UNICODE)
        as_drawn("map", f"legend: {columns}", [alone, both])
    sheet = fitting(atlas("tower:16")[0], 38, 7)
    assert sheet.each > 1
    mixed = np.repeat(np.array([WRONG, UNDECIDED, RIGHT, NOTHING], np.int8), (100, 50, 200, 33))
    both = ink.plain_text(picture.legend(mixed, np.roll(mixed, 31), sheet, 38, UNICODE))
    assert all(word in both for word in ("◐most", "+here", "−there")) and len(both) <= 38


@pytest.mark.parametrize("size", [(228, 44), (194, 33), (116, 18)])
def test_a_map_with_room_fills_it_with_tiles(size: tuple[int, int]) -> None:
    order, (columns, rows) = atlas("tower:16")[0], size
    sheet = picture.spacious(order, columns, rows)
    assert sheet.fits(columns, rows) and sheet.width >= 0.85 * columns and sheet.height >= 0.75 * rows
    lowest = picture.flat(order, fitting(order, columns, rows, large=True), columns)
    assert lowest.height <= sheet.height and lowest.apart.pitch == sheet.apart.pitch


@pytest.mark.parametrize("signs", [UNICODE, replace(UNICODE, grounds=False), ASCII])
def test_a_cell_is_a_tile_that_a_click_and_the_cursor_take_whole(signs: Glyphs) -> None:
    far = fitting(atlas("tower:16")[0], 194, 33, large=True)
    assert far.apart[::2] == (5, 2) and far.height > 16
    x, y = int(far.x[20]), int(far.y[20])
    assert {far.cell_at(x + right, y + down) for right in (0, 1, 2, 3) for down in (0, 1)} == {20}
    assert far.cell_at(x + 4, y) != 20 and far.cell_at(-1, 0) == -1 and far.cell_at(999, 999) == -1
    for cell in (0, 40, len(far.x) - 1):
        kinds = picture.cells(far, atlas("tower:16")[0], learned("tower:16"))
        kinds[cell] += picture.CURSOR
        lines = picture.paint(far, kinds, whole(far), 194, signs)
        [(y, under)] = [(y, run) for y, line in enumerate(lines) for run in line if run.ink is Ink.CURSOR]
        left = sum(len(run.text) for run in lines[y][: list(lines[y]).index(under)])
        assert (left, y) == (far.x[cell], far.y[cell])
        assert len(under.text) == far.apart.tile and under.text.strip() in signs.verdicts
        half = [run for line in lines for run in line if run.ink is Ink.WHERE]
        assert len(half) == (signs.grounds and kinds[cell] % picture.FRESH != NOTHING)


def test_each_tile_has_the_ground_of_its_verdict_and_its_sign() -> None:
    grounds = {NOTHING: None, RIGHT: Ink.RIGHT, WRONG: Ink.WRONG, UNDECIDED: Ink.EATEN}
    order = atlas("tower:16")[0]
    for columns, rows in ((116, 18), (194, 33), (230, 60)):
        sheet = fitting(order, columns, rows, large=True)
        assert sheet.fits(columns, rows) and sheet.apart.tile > 1
        kinds = picture.cells(sheet, order, learned("tower:16"))
        lines = picture.paint(sheet, kinds, whole(sheet), columns, UNICODE)
        assert all(ink.width(line) <= columns for line in lines) and len(lines) <= rows
        signed = [(run.text.strip(), run.ground) for line in lines[:-1] for run in line if run.text.strip(" ▀")]
        assert Counter(signed) == Counter((UNICODE.verdicts[kind], grounds[int(kind)]) for kind in kinds)


def test_with_another_learner_the_legend_counts_each_position_once() -> None:
    """As in Compare: every count but 0 has its sign on the map, and the counts are those of the signs."""
    source, order = np.random.default_rng(4), atlas("tower:16")[0]
    sheet, signs = fitting(order, 160, 60), picture.alphabet(UNICODE)
    for columns in (60, 78, 160) * 4:
        lost = source.random(len(order.nodes)) < 0.2
        one, other = (np.where(lost, 0, source.integers(1, 4, len(lost))).astype(np.int8) for _ in range(2))
        drawn = [signs[kind] for kind in picture.cells(sheet, order, one, other).tolist()]
        text = ink.plain_text(picture.legend(one, other, sheet, columns, UNICODE))
        told = {sign: int(count) for sign, count in re.findall(r"(\S) +(\d+)", text) if int(count)}
        assert told == {sign: drawn.count(sign) for sign in set(drawn) if sign in told or columns == 160}


def test_the_map_of_a_difference_counts_where_both_are_right_one_alone_or_neither() -> None:
    source, order = np.random.default_rng(4), atlas("tower:16")[0]
    sheet, lost = fitting(order, 160, 60), source.random(len(order.nodes)) < 0.2
    one, other = (np.where(lost, NOTHING, source.integers(1, 4, len(lost))).astype(np.int8) for _ in range(2))
    mine, yours = one == RIGHT, other == RIGHT
    counts = [int(which.sum()) for which in (mine & yours, mine & ~yours, yours & ~mine, ~mine & ~yours & ~lost, lost)]
    shown: list[Any] = []
    PositionMap.show_difference(SimpleNamespace(show=lambda *what, **more: shown.extend(what)), one, other)  # type: ignore[arg-type]
    verdicts = shown[0], shown[1]
    text = ink.plain_text(picture.legend(*verdicts, sheet, 160, UNICODE, names=picture.DIFFERENCE))
    names = ("both", "only the first", "only the second", "neither", "lost")
    for name, count, sign in zip(names, counts, "●+−×·", strict=True):
        assert re.search(rf"{re.escape(sign)} +{count} {name}", text), (name, text)
    drawn = Counter(picture.cells(sheet, order, *verdicts).tolist())
    kinds = (RIGHT, picture.ALONE, picture.OTHER_ALONE, WRONG, NOTHING)
    assert [drawn[kind] for kind in kinds] == counts, "on the map, too: undecided is not right"


class MapScreen(Page[None]):
    CSS = "PositionMap { height: 11; margin: 0 1; }"

    def __init__(self, game: str) -> None:
        super().__init__()
        self.name_of_game = game
        self.moved: list[int] = []
        self.picked: list[int] = []

    def compose(self) -> ComposeResult:
        yield PositionMap(self.moved.append, lambda text: None)

    def on_mount(self) -> None:
        shown = self.query_one(PositionMap)
        shown.set_orders(atlas(self.name_of_game))
        shown.show(learned(self.name_of_game))
        shown.focus()

    def on_position_map_picked(self, event: PositionMap.Picked) -> None:
        self.picked.append(event.node)


@asynccontextmanager
async def opened(app: Any, game: str = "tower:16", size: tuple[int, int] = (80, 24)) -> AsyncIterator[Any]:
    async with app.run_test(size=size) as pilot:
        screen = MapScreen(game)
        await app.push_screen(screen)
        await pilot.pause()
        yield pilot, screen, screen.query_one(PositionMap)


def cells(shown: PositionMap) -> str:
    """The picture without its legend."""
    return shown.text().rpartition("\n")[0]


def under_cursor(shown: PositionMap) -> list[str]:
    return [run.text for line in shown.query_one(Canvas).lines for run in line if run.ink is Ink.CURSOR]


@pytest.mark.slow
async def test_it_fits_every_terminal_and_zoomed_in_the_cursor_stays_in_sight(make_app: Callable[..., Any]) -> None:
    async with opened(make_app(Settings(animation=False)), "tower:25") as (pilot, _, shown):
        for size in ((80, 24), (200, 60), (60, 20)):
            await pilot.resize_terminal(*size)
            for order in shown.orders:
                shown.set_order(order.name)
                lines = shown.text().split("\n")
                assert 2 <= len(lines) <= 11 and max(map(len, lines)) <= size[0] - 2
                assert "●" in shown.text() and "●" in lines[-1]
                await pilot.press("home", "z", "end")
                assert len(under_cursor(shown)) == 1 and len(shown.text().split("\n")) <= 11
                assert shown.node == order.nodes[-1]
                await pilot.press("z")
        await pilot.resize_terminal(80, 9)
        shown.set_order(shown.orders[0].name)
        assert "positions by matches left" in shown.text() and "per sign" in shown.text()


@pytest.mark.slow
async def test_keys_and_clicks_walk_by_cells_and_groups_and_pick(make_app: Callable[..., Any]) -> None:
    async with opened(make_app()) as (pilot, screen, shown):
        first = shown.orders[0].nodes
        for keys in ("home down down up end right", "home pagedown pagedown pageup left"):
            await pilot.press(*keys.split())
        levels = [int(first[place]) for place in (0, 1, 2, 1, 382, 0, 4, 13, 4, 0)]
        assert screen.moved == levels and len(under_cursor(shown)) == 1
        await pilot.press("enter")
        assert screen.picked == [int(first[0])]
        shown.goto(int(first[200]))
        assert screen.moved == levels and shown.node == first[200]
        top = next(y for y, line in enumerate(shown.text().split("\n")) if line.startswith("●"))
        for picked in (1, 2):
            await pilot.click(PositionMap, offset=(0, top + 1))
            assert screen.moved == [*levels, int(first[1])] and len(screen.picked) == picked
        await pilot.click(PositionMap, offset=(1, top))  # a gap
        assert len(screen.moved) == len(levels) + 1
        shown.set_orders([])
        await pilot.press("home", "down", "pagedown", "enter", "z")
        shown.set_orders(atlas("nim:7,5,3"))
        await pilot.press("end", "right", "enter")
        assert " ".join(shown.text().split()) == WAITING and len(screen.picked) == 2 and shown.next_wrong() is None


@pytest.mark.slow
async def test_changes_are_marked_for_a_second_the_next_wrong_is_found_and_two_learners_differ_by_sign(
    make_app: Callable[..., Any],
) -> None:
    async with opened(make_app()) as (_, _, shown):
        now = 100.0
        shown.clock = lambda: now
        verdicts = learned("tower:16")
        changed = np.flatnonzero(verdicts == RIGHT)[:3]
        verdicts[changed] = WRONG, UNDECIDED, WRONG
        shown.show(verdicts.copy())
        assert (cells(shown).count("╳"), cells(shown).count("◎")) == (2, 1)
        now, verdicts[changed[0]] = 100.9, RIGHT
        shown.show(verdicts.copy())
        assert cells(shown).count("◉") == 1
        now = 101.1
        shown.draw()
        assert [cells(shown).count(sign) for sign in "╳×○◉"] == [0, 1, 1, 1]
        shown.set_order("nim-sum")  # another order is nothing new
        assert "◉" not in cells(shown)
        all_right, now = learned("tower:16"), 200.0
        shown.show(all_right)
        now = 300.0
        all_wrong = np.where(all_right == RIGHT, WRONG, NOTHING).astype(np.int8)
        shown.show(all_wrong)
        assert cells(shown).count("╳") == MOST_NEW
        shown.show(all_right)
        assert "╳" in cells(shown) and "● 336 right" in shown.text(), "the legend counts at once"
        now = 302.0
        shown._catch_up()  # its timer
        assert not re.search("[×╳]", cells(shown))
        shown.show(all_wrong, counts_only=True)
        assert not re.search("[×╳]", cells(shown)) and "● 0 right" in re.sub(" +", " ", shown.text())
        shown.show(learned("tower:16"))
        shown.set_order(shown.orders[0].name)
        assert shown.next_wrong() is None
        verdicts, nodes = learned("tower:16"), shown.orders[0].nodes
        verdicts[nodes[[20, 300]]], verdicts[nodes[7]] = WRONG, UNDECIDED
        shown.show(verdicts)
        assert [shown.next_wrong() for _ in range(3)] == nodes[[20, 300, 20]].tolist()
        shown.show(np.where(verdicts == WRONG, RIGHT, verdicts))
        assert shown.next_wrong() == nodes[7]
        mine, other = learned("tower:16"), learned("tower:16")
        winnable = np.flatnonzero(mine == RIGHT)
        mine[winnable[:5]], other[winnable[5:12]] = WRONG, WRONG
        shown.show(mine, other)
        assert (cells(shown).count("+"), cells(shown).count("−")) == (7, 5)
        assert "+   7" in shown.text() and "−   5" in shown.text()


@pytest.mark.parametrize("name", ["redblue:5,5", "nim:3,2"])
def test_only_a_game_with_lost_positions_has_their_sign_in_the_legend(name: str) -> None:
    order, exact = atlas(name)[0], truth(parse_game(name))
    verdicts = sampled_standing(exact, np.zeros(len(exact.keeps), np.int64)).verdicts
    text = ink.plain_text(picture.legend(verdicts, None, fitting(order, 78, 9), 200, UNICODE))
    assert (" lost" in text) == name.startswith("nim") and " undecided" in text
    assert population(parse_game(name)) == ("over positions not lost" if " lost" in text else "over all positions")
