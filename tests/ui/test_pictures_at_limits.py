"""Pictures with everything that they can show, on both sides of the sizes at which their layout changes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import Any

import pytest

from nimtui.games import base, parse_game
from nimtui.report.lines import Ink, Line, line, plain_text
from nimtui.theory import Outcome
from nimtui.ui.board import small_board
from nimtui.ui.board.cursor import NOBODY, Owned
from nimtui.ui.board.discs import Discs
from nimtui.ui.board.grid import Grid
from nimtui.ui.board.matches import Matches
from nimtui.ui.kit.terminal.glyphs import ASCII, CONSOLE, SEXTANTS, UNICODE, Glyphs
from tests.ui.drawn import as_drawn, clicked, limits, outline

FLAT = replace(UNICODE, grounds=False)  # without colours for grounds
LETTERS = MappingProxyType({"flat": FLAT, "ascii": ASCII, "unicode": UNICODE, "sextants": SEXTANTS, "console": CONSOLE})
WIN, DRAW, LOSS = Outcome.WIN, Outcome.DRAW, Outcome.LOSS


# A row of cells with nothing marked twice, and one in which the last move, the next one and the winning line meet.
CELLS = [[0, 1, 2, 3, 4, 0, 0, -1], [0, 1, 2, 1, 3, 0, 5, -1]]
CHANGES = {(0, 5): 1, (1, 0): 2, (1, 4): -1, (1, 1): 2}
CELLS_OWNED = Owned(
    {(0, 7): 1, (1, 7): 0},
    frozenset({(0, 1), (0, 2)}),
    frozenset({(1, 2), (1, 3), (1, 7)}),
    heat={(0, 0): 3, (1, 5): 1, (0, 6): 4},
    exact={(0, 0): WIN, (1, 5): DRAW, (0, 3): LOSS},
)


@pytest.mark.parametrize(
    ("signs", "rooms"), [("unicode", (2, 3, 5, 6, 9, 13, 17)), ("flat", (3, 6, 8, 14)), ("ascii", (6, 14)),
                         ("sextants", (9,))]
)  # fmt: skip
def test_cells_with_all_their_marks(signs: str, rooms: Sequence[int]) -> None:
    for room in rooms:
        grid = Grid(CELLS, 150, room, LETTERS[signs])
        grid = Grid(CELLS, grid.width, room, LETTERS[signs])
        as_drawn("limits", f"cells {signs} {room}", clicked(grid.paint(CELLS, (0, 5), CHANGES, CELLS_OWNED)))
    narrow = Grid(CELLS, 9, 2, LETTERS[signs])
    for cursor in ((0, 0), (1, 5), (0, 7)):
        as_drawn("limits", f"cells {signs} around {cursor}", narrow.paint(CELLS, cursor, {cursor: 1}, CELLS_OWNED))


DISCS = [[0, 0, 0, 0, 0, 0, 2, 0], [0, 1, 2, 1, 2, 1, 2, 0]]
DISCS_OWNED = Owned({}, frozenset({(1, 3), (1, 4)}), frozenset({(1, 5), (1, 6)}), heat={(0, at): at for at in range(5)})
ENDINGS = {1: (WIN, 7), 2: (DRAW, None), 7: (LOSS, 12)}


@pytest.mark.parametrize(
    ("signs", "rooms"), [("unicode", (4, 5, 6, 7, 8, 9, 13, 14, 20)), ("flat", (5, 8, 9)), ("ascii", (5, 12)),
                         ("sextants", (7,)), ("console", (9,))]
)  # fmt: skip
def test_discs_with_all_their_marks(signs: str, rooms: Sequence[int]) -> None:
    for room in rooms:
        discs = Discs(8, 2, 150, room, LETTERS[signs], labelled=True)
        discs = Discs(8, 2, 8 * discs.pitch + 3, room, LETTERS[signs], labelled=True)
        as_drawn("limits", f"discs {signs} {room}", clicked(
            discs.paint(DISCS, frozenset({(1, 0), (1, 7)}), DISCS_OWNED, 7, ENDINGS)
        ))  # fmt: skip


STANDING = [[1, 2, 1, 0, 0], [1, 1, 0, 1, 2]]
TAKEN = frozenset({(0, 1), (1, 3), (1, 4)})
MATCHES_OWNED = Owned(
    {(0, 3): 0, (0, 4): 1, (1, 2): 1},
    last=frozenset({(0, 4)}),
    heat={(0, 0): 1, (0, 1): 4, (1, 0): 2},
    exact={(0, 0): WIN, (1, 1): LOSS},
)
NOTES = {(0, 2): ("n", Ink.QUIET), (1, 4): ("m", Ink.STRONG)}


@pytest.mark.parametrize(
    ("signs", "sizes"),
    [
        ("unicode", ((20, 2), (20, 3), (20, 5), (20, 24), (25, 24), (50, 24), (80, 24), (80, 19), (8, 5))),
        ("ascii", ((20, 5), (40, 24))),
    ],
)
def test_matches_with_all_their_marks(signs: str, sizes: Sequence[tuple[int, int]]) -> None:
    for columns, room in sizes:
        lines = Matches([5, 5], columns, room).paint(STANDING, TAKEN, MATCHES_OWNED, 1, LETTERS[signs], NOTES)
        as_drawn("limits", f"matches {signs} {columns} {room}", clicked(lines))
    standing = [[1] * 150 + [0] * 50, [1] * 40 + [0] * 5, [0] * 9]
    taken = Owned({(0, at): 1 for at in range(150, 200)} | {(1, 44): 0}, last=frozenset({(0, 199), (1, 44)}))
    marked = frozenset((0, at) for at in range(100, 150)) | {(1, 39)}
    for columns in (40, 60):
        lines = Matches([200, 45, 9], columns, 3).paint(standing, marked, taken, 0, LETTERS[signs])
        as_drawn("limits", f"numbers {signs} {columns}", clicked(lines))
    board = Matches([3] * 26, 20, 9)
    for row in (None, 3, 4, 5, 25):
        lines = board.paint([[1] * 3] * 26, frozenset(), NOBODY, row, LETTERS[signs])
        as_drawn("limits", f"scrolled {signs} {row}", [line(plain_text(shown)) for shown in lines])


@pytest.mark.parametrize(
    ("name", "signs", "cell_rows", "disc_rows", "bare_rows"),
    [("unicode", UNICODE, (4, 6, 7, 12, 19), (5, 6, 7, 8, 9, 11, 14, 15, 16), (2, 3, 6, 8, 11)),
     ("flat", FLAT, (7, 8, 20), (6, 7, 9, 11, 16), (3,)), ("ascii", ASCII, (8,), (12, 13, 17), (8,))],
)  # fmt: skip
def test_where_the_layout_of_a_board_changes(
    name: str, signs: Glyphs, cell_rows: Sequence[int], disc_rows: Sequence[int], bare_rows: Sequence[int]
) -> None:
    def cells(columns: int, room: int) -> str:
        grid = Grid([[0] * 4, [0] * 5, [0] * 3], columns, room, signs)
        return f"{grid.wide}×{grid.tall:g} {grid.gap[0]:g} {grid.width}×{grid.height}"

    def discs(columns: int, room: int, bare: bool = False) -> str:
        board = Discs(4, 3, columns, room, signs, labelled=not bare, bare=bare)
        return f"{board.pitch}×{board.tall:g} {board.height} {board.labels} {board.top}"

    as_drawn("limits", f"sizes of cells, {name}", limits(cells, range(1, 64), cell_rows))
    as_drawn("limits", f"sizes of discs, {name}", limits(discs, range(1, 36), disc_rows))
    as_drawn("limits", f"sizes of bare discs, {name}", limits(partial(discs, bare=True), range(1, 30), bare_rows))


@pytest.mark.parametrize(
    ("lengths", "rows"), [((1, 3, 5), (2, 3, 5, 6, 8, 9, 10, 11, 19, 20, 22)), ((21,), (1, 2, 3, 5, 19, 20)),
                          ((4, 4, 4, 4), (4, 6, 7, 11, 14)), ((9, 9), (100,))]
)  # fmt: skip
def test_where_the_layout_of_matches_changes(lengths: Sequence[int], rows: Sequence[int]) -> None:
    def matches(columns: int, room: int) -> str:
        return ",".join(map(str, Matches(lengths, columns, room).plan))

    wide = 190 if rows == (100,) else 80
    as_drawn("limits", f"sizes of matches, {lengths}", limits(matches, range(1, wide), rows))


def labelled(moves: Sequence[int]) -> tuple[str, Ink] | None:
    """An inner node has the moves to it as its text; one is pruned, and one has no text of its own."""
    return None if list(moves) == [1, 1] else ("" if list(moves) == [2] else f"<{len(moves)}>", Ink.STRONG)


@pytest.mark.parametrize(
    ("name", "text", "path", "label"),
    [
        ("plain", "tree:((3,-5),(6,9,7),(0,1))", (), None),
        ("at a leaf", "tree:((3,5),((2,4,8),9,7),(0,1))", (1, 0, 2), None),
        ("labelled", "tree:((300,5),((2,4),9,(7,1)),0)", (1, 2), labelled),
        ("wide nodes", "tree:((1,2),(3,4))", (1,), lambda moves: ("a long text" * (len(moves) < 2), Ink.KEY)),
    ],
)  # fmt: skip
def test_a_game_tree_in_each_room(name: str, text: str, path: Sequence[int], label: Any) -> None:
    game = parse_game(text)

    def drawn(columns: int, rows: int, signs: Glyphs = UNICODE) -> list[Line]:
        return small_board.tree(game, game.start, path, columns, rows, signs, label)

    as_drawn("limits", f"tree {name}", drawn(60, small_board.tree_height(game)))
    as_drawn("limits", f"tree {name}, low, ASCII", drawn(40, 4, ASCII))
    as_drawn(
        "limits",
        f"sizes of tree {name}",
        limits(lambda *size: outline(drawn(*size)), range(5, 30), (0, 1, 2, 3, 4, 5, 8)),
    )


@pytest.mark.parametrize("name", ["tower:9", "connect:4x3x3", "chomp:2x3", "grundy:5", "redblue:2,3"])
def test_how_low_boards_are_drawn_in_each_room(name: str) -> None:
    game = parse_game(name)
    move, height = base.legal_moves(game.start)[0], [small_board.height(game, room) for room in range(20)]
    owned = small_board.after(game, game.start, move, 1)

    def drawn(columns: int, rows: int) -> str:
        return outline(small_board.drawing(game, game.after(game.start, move), owned, columns, rows, UNICODE))

    texts = limits(drawn, (8, 17, 30), (0, 1, 2, 3, 4, 5, 6, 9, 13))
    as_drawn("limits", f"low boards of {name}", [line(" ".join(map(str, height))), *texts])
