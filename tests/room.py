"""Counts how much of its room each screen uses, in six sizes: `python -m tests.room [NAME ...]`.

A screen has tiles of 20 × 6 cells (fewer at the right and lower edge). A tile is empty if it holds nothing but blanks
on the screen's own grounds, frame lines and signs that carry no value. Of a board, the share of its box is that of the
rectangle around its pieces, in the direction that limits them. The table shows the empty tiles in percent, with a board
also its share of its box and, on Play, the box's share of the screen.
"""

from __future__ import annotations

import argparse
import asyncio
import io
from collections.abc import Iterator, Sequence
from contextlib import asynccontextmanager, nullcontext, redirect_stdout
from typing import Any, NamedTuple, TypeAlias

from rich.cells import cell_len
from textual.color import Color
from textual.geometry import Region

from nimtui.cli.app import run
from nimtui.jobs.job import JobState
from nimtui.store import paths
from nimtui.ui.board.board import Board
from nimtui.ui.kit.widgets.panel import framed
from tests import gallery, pictures
from tests.pictures import Scene, Size, Step, game, make_app, then, until
from tests.ui.playing import CALM, moves, session, settled
from tests.ui.shelving import goto, pressed
from tests.ui.test_replay import replay_of

Cell: TypeAlias = tuple[str, str | None]
"""A sign, and the colour of its ground; None: the terminal's."""

SIZES = ("60x20", "80x24", "120x36", "160x48", "200x60", "240x70")
WIDE, HIGH = 20, 6  # cells of a tile
LINES = {chr(code) for code in range(0x2500, 0x2580)} - set("┃╱╲╳")  # of frames and tables; a match is none
EMPTY_SIGNS = LINES | set(" \u00a0⠀┈·…▏▕▁▔")  # of values that are not there, too
GROUNDS = ("background", "surface", "panel")  # the screen's own


class Room(NamedTuple):
    """What a screen makes of its room, as shares from 0 to 1."""

    empty: float  # of all tiles
    board: float | None = None  # of the board's box, by the pieces; None: no board
    box: float | None = None  # of the screen, by the board's box


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
    all_tiles = [*tiles(len(cells[0]), len(cells))]
    empty = [
        tile
        for tile in all_tiles
        if not any(says(cell, grounds) for line in cells[tile.y : tile.bottom] for cell in line[tile.x : tile.right])
    ]
    return len(empty) / len(all_tiles)


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
                line += [(sign, ground), (" ", ground)][: 1 if sign.isascii() else cell_len(sign)]
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
    return Room(
        empty_tiles(cells, grounds), filled(cells, box.content_region, grounds), box.region.area / app.size.area
    )


@asynccontextmanager
async def replay(size: Size) -> Any:
    """A saved game in the middle."""
    app = make_app(CALM)
    async with app.run_test(size=size) as pilot:
        app.show_game(replay_of(title="game 3").kept, 3)
        await until(pilot, lambda: bool(app.screen.query("Board")))
        yield pilot


def library_comparison(size: Size) -> Scene:
    """Two saved runs of one game beside each other."""
    with redirect_stdout(io.StringIO()):
        run(["train", "tower:16", "--games", "3000", "--save", str(paths.runs() / "reward.npz"), "--json"])

    async def chosen(pilot: Any) -> None:
        await goto(pilot, "run", "reward")
        await pressed(pilot, "space")
        await goto(pilot, "run", "quality")

    return then(pictures.library(size), chosen, "c", lambda pilot: bool(pilot.app.screen.query("#compared")))


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


MORE = {
    "start-used": gallery.after,
    "finished": finished,
    "watched": watched,
    "replay": replay,
    "library-comparison": library_comparison,
    "positions": pictures.positions,
}
USED = ("start-used", "library", "library-comparison")  # with something of every kind saved
NAMES = (*gallery.SCENES, *MORE, *gallery.FORMS)


async def measured(name: str, sizes: Sequence[str], most: Sequence[float] = ()) -> list[Room]:
    """Draw a screen, once, and measure it in each size; wait until at most so much of it is empty, if that is given."""
    first, *_ = scaled = [(int(columns), int(rows)) for columns, _, rows in (size.partition("x") for size in sizes)]
    async with MORE[name](first) if name in MORE else gallery.scene(name, first) as pilot:
        rooms: list[Room] = []

        def fits(at: int) -> bool:
            rooms[at:] = [room_of(pilot.app)]
            return not most or rooms[at].empty <= most[at]

        for at, size in enumerate(scaled):
            await pilot.resize_terminal(*size)
            await until(pilot, lambda: all(job.state is JobState.PAUSED for job in pilot.app.jobs.running()))
            await until(pilot, lambda at=at: fits(at))  # what is read in a thread may not be there yet
        return rooms


def shown(room: Room) -> str:
    """Return the figures of one screen in one size, in percent."""
    board = "" if room.board is None else f" {room.board:.0%}/{room.box:.0%}"
    return f"{room.empty:.0%}{board}"


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.room", description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(NAMES), choices=[*NAMES, []])
    parser.add_argument("--sizes", default=",".join(SIZES), metavar="SIZES", help=f"[default: {','.join(SIZES)}]")
    asked = parser.parse_args(arguments)
    sizes = asked.sizes.split(",")
    print(f"{'empty tiles, board/box':<24}" + "".join(f"{size:>14}" for size in sizes))
    for name in asked.names or NAMES:
        with pictures.new_home() as home, pictures.library_of(home) if name in USED else nullcontext():
            rooms = asyncio.run(measured(name, sizes))
        print(f"{name:<24}" + "".join(f"{shown(room):>14}" for room in rooms), flush=True)


if __name__ == "__main__":
    main()
