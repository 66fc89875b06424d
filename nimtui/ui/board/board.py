"""The board of any kind: it shows a position, has a cursor, and reports the chosen move.

A kind of board is a subclass that lays out and paints; the only widget in it is a canvas.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.message import Message
from textual.widget import Widget

from nimtui.games import Game
from nimtui.games.base import Move, State
from nimtui.games.tree import GameTree
from nimtui.report.lines import BLANK, Ink, Line, Run, aimed, line, paragraphs
from nimtui.theory.verdict import Outcome
from nimtui.ui.board import cursor as cursors
from nimtui.ui.board import small_board
from nimtui.ui.board.cursor import BANDS, NOBODY, Cell, Cursor, Owned, Step
from nimtui.ui.board.discs import NO_LABELS, SHORT, Discs, Labels
from nimtui.ui.board.grid import Grid
from nimtui.ui.board.heaps_cursor import HeapsCursor
from nimtui.ui.board.matches import Matches
from nimtui.ui.kit.contract.command import Command, Commanded
from nimtui.ui.kit.contract.shell import is_calm, shell
from nimtui.ui.kit.terminal.glyphs import Glyphs
from nimtui.ui.kit.widgets.panel import Canvas, entitle

NO_EXACT: Mapping[Move, Outcome] = MappingProxyType({})
LETTERED = " · W wins, D draws, L loses"
MOMENT = 0.3  # seconds in which what an answer changes is marked
MOVING = 2  # cells at most that are marked then, for the sake of the line
DIGITS = 9  # columns that one digit can name


def step(key: str, to: Step, name: str, group: str = "", display: str | None = None) -> Command[Board]:
    """Return the row of keys that move the cursor. The footer shows those of a group together, and no others."""
    return Command(
        key, f"step('{to.name}')", name, "", lambda b: b.step(to), lambda b: b.heeds(to), bool(group), display, group
    )


def arrows(group: str, **names: str) -> tuple[Command[Board], ...]:
    """Return the rows of arrow keys, key -> name, that the footer shows as one group."""
    return tuple(step(key, Step[key.upper()], name, group) for key, name in names.items())


def take(name: str, about: str) -> Command[Board]:
    """Return the row of Enter, which plays the marked move."""
    return Command("enter", "take", name, about, lambda board: board.take(), lambda board: not board.asleep)


class Board(Commanded, Horizontal, can_focus=True, place="board"):
    """A position, and a cursor on it while `live`: while a person may move."""

    CURSOR: ClassVar[type[Cursor]]
    BINDING_GROUP_TITLE = "Board"
    ROWS: ClassVar[Sequence[Command[Any]]] = (step("home", Step.FIRST, "First"), step("end", Step.LAST, "Last"))

    class Moved(Message):
        """The cursor has moved to another move."""

    @dataclass
    class Chosen(Message):
        """The person has chosen this move."""

        move: Move

    def __init__(self, game: Game, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self.game = game
        self.position: State = game.new()
        self.cursor = self.CURSOR(game, self.position)
        self.owned = NOBODY
        self.live = False
        self.asleep = False  # if a person has no move to make, its keys are off
        self.labels = NO_LABELS  # of columns
        self.paced = False  # are + and − for the pace of two watched agents?
        self._heated = ""  # what the heat on the pieces means
        self._seen = b""  # the board that the cursor knows
        self._moving: dict[Cell, int] = {}  # what the answer of a machine changed just now: it is marked for a moment

    def compose(self) -> ComposeResult:
        yield Canvas()

    # Called by the screen.

    def show(self, position: State, owned: Owned = NOBODY, live: bool = False, labels: Labels = NO_LABELS) -> None:
        """Show this position, whose board may have changed in place. The cursor goes to a legal move."""
        self.owned, self.live, self.labels = owned, live, labels
        if position is not self.position or position.board.tobytes() != self._seen:
            before = self.cursor.cells if self._seen else []
            self.position, self._seen = position, position.board.tobytes()
            self.cursor.look(position)
            self._moving = {}
            few = len(owned.last) <= MOVING and list(map(len, before)) == list(map(len, self.cursor.cells))
            if live and few and not is_calm(self):
                moving = {(row, at): before[row][at] for row, at in owned.last}
                if all(self.cursor.cells[row][at] != value for (row, at), value in moving.items()):
                    self._moving = moving  # else a move was taken back
                    self.set_timer(MOMENT, self._rest)
        self.draw()

    def _rest(self) -> None:
        """Show what moved in its place."""
        if self._moving:
            self._moving = {}
            self.draw()

    @property
    def cells(self) -> list[list[int]]:
        """The cells as they are drawn: what moves is where it was."""
        return [
            [self._moving.get((row, at), value) for at, value in enumerate(values)]
            for row, values in enumerate(self.cursor.cells)
        ]

    def warm(self, shares: Mapping[Move, float], what: str, exact: Mapping[Move, Outcome] = NO_EXACT) -> None:
        """Show on the pieces what an agent believes of legal moves, from 0 to 1; the title says `what` that is.

        Letters show the `exact` results of moves.
        """
        heat: dict[Cell, int] = {}
        for move, share in shares.items():
            cell = self.cursor.place_of(move)
            heat[cell] = max(heat.get(cell, 0), round(max(0.0, min(1.0, share)) * (BANDS - 1)))
        ends: dict[Cell, Outcome] = {}
        for move, outcome in exact.items():
            cell = self.cursor.place_of(move)
            ends[cell] = max(ends.get(cell, outcome), outcome, key=list(SHORT)[::-1].index)
        self._heated = what if heat else ""
        if (heat, ends) != (self.owned.heat, self.owned.exact):
            self.owned = replace(self.owned, heat=heat, exact=ends)
            self.draw()

    def point_at(self, move: Move) -> None:
        """Put the cursor on this legal move."""
        self.cursor.go_to(move)
        self.cursor.by_mouse = False
        self.draw()

    @property
    def marked(self) -> frozenset[Cell]:
        return frozenset(self._moving) or (self.cursor.marked if self.live else frozenset())

    # Drawing.

    def on_resize(self) -> None:
        self.draw()

    def draw(self) -> None:
        """Redraw the picture; only changes are sent."""
        if not self.is_mounted or not self.size.area:
            return
        if isinstance(self.parent, Widget):
            heat = f" · marks show {self._heated}" if self.owned.heat else ""
            entitle(self.parent, f"Board{LETTERED if self.owned.exact else ''}{heat}")
        lines = self.picture(shell(self).glyphs)
        self.query_one(Canvas).show(lines if self.live else [aimed(each, None) for each in lines])

    def picture(self, signs: Glyphs) -> Sequence[Line]:
        """Lay the picture out for this size, and return its lines."""
        raise NotImplementedError

    # What a person does.

    def heeds(self, to: Step) -> bool:
        """Return whether a key may move the cursor so."""
        return not (self.asleep or (self.paced and to in (Step.MORE, Step.LESS)))

    def step(self, to: Step) -> None:
        if self.live and self.cursor.press(to):
            self._moved()

    def take(self) -> None:
        """Report the marked move as chosen."""
        if self.live and (move := self.cursor.move) is not None:
            self.live = False  # a second Enter before this one is answered means nothing
            self.post_message(self.Chosen(move))

    def on_canvas_clicked(self, message: Canvas.Clicked) -> None:
        message.stop()
        if self.live and self.cursor.point(message.target):
            self.take()
        elif self.live:
            self._moved()

    def _moved(self) -> None:
        self.draw()
        self.post_message(self.Moved())


class RowsBoard(Board, place="rows-board"):
    """Shows heaps of matches, taken from the right."""

    CURSOR: ClassVar[type[Cursor]] = cursors.RowsCursor
    cursor: cursors.RunsCursor
    ROWS = (
        *arrows("row", up="Row above", down="Row below"),
        *arrows("count", left="Take one more", right="Take one fewer"),
        step("plus,equals_sign", Step.MORE, "Take one more"),
        step("minus", Step.LESS, "Take one fewer"),
        take("take", "Take the marked matches"),
    )

    def picture(self, signs: Glyphs) -> Sequence[Line]:
        picture = Matches([len(row) for row in self.cursor.cells], *self.size)
        row = self.cursor.row if self.live else None
        return picture.paint(self.cells, self.marked, self.owned, row, signs)


class RunsBoard(RowsBoard, place="runs-board"):
    """Shows rows of neighbours; a run is taken anywhere."""

    CURSOR = cursors.RunsCursor
    ROWS = (
        *arrows("move", up="Row above", down="Row below", left="Move left", right="Move right"),
        step("shift+right,plus,equals_sign", Step.MORE, "Longer run", "size", "+"),
        step("shift+left,minus", Step.LESS, "Shorter run", "size", "-"),
    )


class HeapsBoard(Board, place="heaps-board"):
    """Shows heaps that split where they stand."""

    CURSOR = HeapsCursor
    cursor: HeapsCursor
    ROWS = (
        *arrows("heap", up="Heap before", down="Next heap"),
        *arrows("count", left="Take more", right="Take fewer"),
        step("plus,equals_sign", Step.MORE, "Split further right", "split", "+"),
        step("minus", Step.LESS, "Split further left", "split", "-"),
        take("take", "Play the marked move"),
    )

    def picture(self, signs: Glyphs) -> Sequence[Line]:
        cursor = self.cursor
        picture = Matches([max(1, len(row)) for row in cursor.cells], *self.size, named=False)
        row = cursor.pieces[cursor.at].row if self.live and cursor.move is not None else None
        notes: dict[Cell, tuple[str, Ink]] = {}
        for at, piece in enumerate(cursor.pieces):
            matches = f" {piece.matches}" if picture.plan.offset(piece.matches - 1) >= 3 else ""
            ink = Ink.PICK if row is not None and at == cursor.at else Ink.STICK
            notes[piece.row, piece.first] = cursor.name_of(at) + matches, ink
        return picture.paint(self.cells, self.marked, NOBODY, row, signs, notes)


def _column(at: int) -> Command[ColumnsBoard]:
    """Return the row of the digit that marks a column."""
    digit = at + 1
    about = f"Column {digit}"
    return Command(str(digit), f"column({digit})", about, "", lambda b: b.mark(at), lambda b: b.has(at), show=False)


class ColumnsBoard(Board, place="columns-board"):
    """Shows columns into which discs are dropped."""

    CURSOR = cursors.ColumnsCursor
    cursor: cursors.ColumnsCursor
    ROWS = (
        *arrows("column", left="Column to the left", right="Column to the right"),
        *map(_column, range(DIGITS)),
        take("drop", "Drop a disc into the marked column"),
    )

    def mark(self, column: int) -> None:
        """Mark a column, if it is not full."""
        if self.live and self.cursor.aim((0, column)):
            self._moved()

    def has(self, column: int) -> bool:
        """Return whether a digit names this column now."""
        return not self.asleep and column < len(self.cursor.cells[0]) <= DIGITS

    def picture(self, signs: Glyphs) -> Sequence[Line]:
        cells = self.cursor.cells
        picture = Discs(len(cells[0]), len(cells), *self.size, signs, labelled=True)
        column = self.cursor.column if self.live else None
        return picture.paint(self.cells, self.marked, self.owned, column, self.labels)


class GridBoard(Board, place="grid-board"):
    """Shows cells in rows and columns, one of them marked."""

    CURSOR = cursors.GridCursor
    cursor: cursors.GridCursor
    ROWS = (
        *arrows("move", up="Cell above", down="Cell below", left="Cell to the left", right="Cell to the right"),
        step("plus,equals_sign", Step.MORE, "Next move"),
        step("minus", Step.LESS, "Previous move"),
        take("play", "Play the marked move"),
    )

    def picture(self, signs: Glyphs) -> Sequence[Line]:
        after = self.cursor.cells if self._moving else self.cursor.preview
        marked = {(row, column): after[row][column] for row, column in self.marked}
        at = self.cursor.at if self.live else None
        return Grid(self.cursor.cells, *self.size, signs).paint(self.cells, at, marked, self.owned)


class ListBoard(Board, place="list-board"):
    """Shows the position's name above a list of the legal moves."""

    CURSOR = cursors.ListCursor
    cursor: cursors.ListCursor
    ROWS = (
        *arrows("move", up="Line above", down="Line below", left="Previous move", right="Next move"),
        take("play", "Play the marked move"),
    )

    def picture(self, signs: Glyphs) -> Sequence[Line]:
        names = [signs.plain(self.game.move_name(move, self.position)) for move in self.cursor.moves]
        last = f" · last move {self.owned.move}" if self.owned.move else ""
        position = signs.plain(f"Position {self.game.position_name(self.position) or 'the start'}{last}")
        head = [BLANK, *paragraphs([position], self.size.width - 4, Ink.STRONG), BLANK]
        wide = max(map(len, names), default=1) + 3
        self.cursor.across = max(1, (self.size.width - 2) // wide)
        room, high = self.size.height - len(head), -(-len(names) // self.cursor.across)
        top = max(0, min(high - room, self.cursor.at // self.cursor.across - room // 2))  # the marked one is seen
        places = (divmod(at, self.cursor.across) for at in range(len(names)))
        runs = [Run(f" {name}".ljust(wide), Ink.STICK, None, at) for name, at in zip(names, places, strict=True)]
        if self.live and names:
            at = self.cursor.at
            runs[at] = runs[at]._replace(text=f"{signs.cursor}{names[at]}".ljust(wide), ink=Ink.PICK)
        lines = [line("  ", *runs[at : at + self.cursor.across]) for at in range(0, len(runs), self.cursor.across)]
        picture = [*(line("  ", *each) for each in head), *lines[top:], BLANK]
        if isinstance(self.position, GameTree):
            columns, rows = self.size.width - 2, self.size.height - len(picture)
            tree = small_board.drawing(self.game, self.position, NOBODY, columns, rows, signs)
            picture += [line("  ", *row) for row in tree]
        return picture


BOARDS: dict[str, type[Board]] = {
    "rows": RowsBoard,
    "runs": RunsBoard,
    "heaps": HeapsBoard,
    "columns": ColumnsBoard,
    "grid": GridBoard,
}


def new_board(game: Game, asleep: bool = False) -> Board:
    """Return a board of this game's kind; the list of moves if it has no picture. `asleep`: its keys are off."""
    board = BOARDS.get(game.board_kind, ListBoard)(game, id="board")
    board.asleep = asleep
    return board
