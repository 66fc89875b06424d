"""How much of its room a screen uses, by its tiles of 20 × 6 cells, and a board of its box.

A tile is empty if it holds nothing but blanks on the screen's own grounds, frame lines and signs that carry no value.
Of a board, the share of its box is that of the rectangle around its pieces, in the direction that limits them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import asynccontextmanager
from typing import Any, NamedTuple, TypeAlias

import pytest
from rich.cells import cell_len
from textual.color import Color
from textual.geometry import Region

from nimtui.jobs.job import JobState
from nimtui.ui.board.board import Board
from nimtui.ui.kit.widgets.panel import framed
from tests import gallery, pictures
from tests.pictures import Scene, Size, Step, game, make_app, then, until
from tests.ui.playing import CALM, moves, session, settled
from tests.ui.sheets import parse_style_sheets_once
from tests.ui.test_replay import replay_of

Cell: TypeAlias = tuple[str, str | None]
"""A sign, and the colour of its ground; None: the terminal's."""

WIDE, HIGH = 20, 6  # cells of a tile
LINES = {chr(code) for code in range(0x2500, 0x2580)} - set("┃╱╲╳")  # of frames and tables; a match is none
EMPTY_SIGNS = LINES | set(" \u00a0⠀┈·…▏▕▁▔")  # of values that are not there, too
GROUNDS = ("background", "surface", "panel")  # the screen's own


class Room(NamedTuple):
    """What a screen makes of its room, as shares from 0 to 1."""

    empty: float  # of all tiles
    board: float = 1.0  # of the board's box, by the pieces
    box: float = 1.0  # of the screen, by the board's box


def tiles(columns: int, rows: int) -> Iterator[Region]:
    """Yield the tiles of a screen, line by line; those at its edges are cut."""
    for y in range(0, rows, HIGH):
        for x in range(0, columns, WIDE):
            yield Region(x, y, min(WIDE, columns - x), min(HIGH, rows - y))


def says(cell: Cell, grounds: set[str | None]) -> bool:
    """Return whether a cell carries a value, by its sign or by a ground of its own."""
    sign, ground = cell
    return sign not in EMPTY_SIGNS or ground not in grounds


def empty_tiles(cells: Sequence[Sequence[Cell]], grounds: set[str | None]) -> float:
    """Return the share of empty tiles."""
    full = [
        any(says(cell, grounds) for line in cells[tile.y : tile.bottom] for cell in line[tile.x : tile.right])
        for tile in tiles(len(cells[0]), len(cells))
    ]
    return full.count(False) / len(full)


def filled(cells: Sequence[Sequence[Cell]], box: Region, grounds: set[str | None]) -> float:
    """Return the share of a board's box that its pieces take, in the direction that limits. Letters are labels."""
    places = [
        (x, y)
        for y in range(box.y, box.bottom)
        for x in range(box.x, box.right)
        if says(cells[y][x], grounds) and not cells[y][x][0].isalnum()
    ]
    if not places or not box.area:
        return 0.0
    across, down = ({place[at] for place in places} for at in (0, 1))
    return max((max(across) + 1 - min(across)) / box.width, (max(down) + 1 - min(down)) / box.height)


def cells_of(app: Any) -> list[list[Cell]]:
    """Return the cells of what an app shows now; the second cell of a wide sign is a blank."""
    lines = []
    for strip in app.screen._compositor.render_strips(app.size):
        line: list[Cell] = []
        for text, style, _ in strip:
            back = style and (style.color if style.reverse else style.bgcolor)
            ground = back.get_truecolor().hex if back else None
            for sign in text:
                line += [(sign, ground), (" ", ground)][: cell_len(sign)]
        lines.append(line)
    return lines


def room_of(app: Any) -> Room:
    """Measure what an app shows now."""
    cells = cells_of(app)
    grounds = {None, *(Color.parse(app.theme_variables[name]).rich_color.get_truecolor().hex for name in GROUNDS)}
    board = next((each for each in app.screen.query(Board) if each.region.area), None)
    if board is None:
        return Room(empty_tiles(cells, grounds))
    box = next((each for each in board.ancestors_with_self if framed(each)), board) if board.parent else board
    share = filled(cells, box.content_region, grounds)
    return Room(empty_tiles(cells, grounds), share, box.region.area / app.size.area)


def drawn(*lines: str, ground: str = "#000000") -> list[list[Cell]]:
    return [[(sign, ground) for sign in line] for line in lines]


def test_tiles_that_carry_no_value_are_empty_and_pieces_are_measured_in_the_direction_that_limits() -> None:
    assert len([*tiles(200, 60)]) == 100
    assert [*tiles(50, 8)][-1] == Region(40, 6, 10, 2), "the tiles at the edges are cut"
    wide, own = ["╭" + "─" * 38 + "╮", *["│" + " " * 37 + "┈│"] * 5], {"#000000", None}
    assert empty_tiles(drawn(*wide), own) == 1
    wide[3] = "│ a" + " " * 36 + "│"
    assert empty_tiles(drawn(*wide), own) == 0.5
    assert empty_tiles(drawn(*[" " * 40] * 6, ground="#223344"), own) == 0
    box = drawn("          ", "  A ┃ ┃   ", "    ┃     ", "          ")  # with a label beside the pieces
    assert filled(box, Region(0, 0, 10, 4), own) == pytest.approx(0.5)
    assert filled(drawn("  "), Region(0, 0, 2, 1), own) == 0


@asynccontextmanager
async def replay(size: Size) -> Any:
    """A saved game in the middle."""
    app = make_app(CALM)
    async with app.run_test(size=size) as pilot:
        app.show_game(replay_of(title="game 3").kept, 3)
        await until(pilot, lambda: bool(app.screen.query("Board")))
        yield pilot


def finished(size: Size) -> Scene:
    """A game that was lost to perfect play, and judged."""

    async def lose(pilot: Any) -> None:
        while not session(pilot).over:
            await settled(pilot)
            await pilot.press("enter")

    return game("tower:16", "me", "perfect", size, lose, lambda pilot: bool(session(pilot).judged()))


def watched(size: Size) -> Scene:
    """A game of two machines, paused."""
    steps: list[Step] = [lambda pilot: len(moves(pilot)) > 3, "space"]
    return game("tower:16", "mc:playouts=300", "mcts:simulations=500", size, *steps)


SCENES = {"replay": replay, "finished": finished, "watched": watched, "positions": pictures.positions}
SMALL, MIDDLE, LARGE = (80, 24), (200, 60), (240, 70)


async def check(name: str, most: dict[Size, float], box: float = 0.0) -> None:
    """Draw a screen once, and hold in each size how many tiles are empty, and how large the board and its box are."""
    with pictures.new_home():
        first = next(iter(most))
        async with then(SCENES[name](first) if name in SCENES else gallery.scene(name, first)) as pilot:
            for size, empty in most.items():
                await pilot.resize_terminal(*size)
                await until(pilot, lambda: all(job.state is JobState.PAUSED for job in pilot.app.jobs.running()))
                await until(pilot, lambda empty=empty: room_of(pilot.app).empty <= empty)  # what is read in a thread
                room = room_of(pilot.app)
                assert not box or (room.board >= 0.6 and room.box >= box), (name, size, room)


@pytest.fixture(scope="module", autouse=True)
def parsed_once() -> Iterator[None]:
    """A style sheet is parsed once for all apps."""
    with pytest.MonkeyPatch.context() as patch:
        parse_style_sheets_once(patch.setattr)
        yield


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "most"),
    [
        ("start", (0.05, 0.36)),
        ("settings", (0.25, 0.36)),
        ("new-game", (0.05, 0.31, 0.45)),
        ("palette", (0.4, 0.28)),
        ("tournament", (0.05, 0.25, 0.25)),
        ("pairing", (0.05, 0.25, 0.25)),
        ("compare", (0.05, 0.25, 0.25)),
        ("two-learners", (0.05, 0.15, 0.25)),
        ("sweep", (0.4, 0.25, 0.25)),
        ("positions", (0.3, 0.25, 0.25)),
    ],
)
async def test_a_screen_uses_its_room(name: str, most: Sequence[float]) -> None:
    await check(name, dict(zip((SMALL, MIDDLE, LARGE), most, strict=False)))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "size", "box"),
    [
        ("play", LARGE, 0.4),
        ("finished", LARGE, 0.4),
        ("watched", MIDDLE, 0.4),
        ("replay", LARGE, 0.25),
        ("review", MIDDLE, 0.25),
        ("search", LARGE, 0.25),  # its board is a picture in a panel
    ],
)
async def test_a_game_fills_a_large_screen_around_a_board_that_fills_its_box(name: str, size: Size, box: float) -> None:
    await check(name, {size: 0.25}, box)
