"""The map of all positions: one cell each, with the verdict on the table's best move there, and a cursor.

Cells that changed within the last second have another sign, if they are few. With much room cells stand further apart.
If not all cells fit, each stands for several positions. Zoomed in, each cell is one position and the map scrolls.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import monotonic
from typing import ClassVar

import numpy as np
import numpy.typing as npt
from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.geometry import Offset
from textual.message import Message
from textual.widget import Widget

from nimtui.learning.atlas import Order
from nimtui.learning.evaluate import UNDECIDED, WRONG
from nimtui.report.lines import Line, plain_text
from nimtui.ui.board import position_map_picture as picture
from nimtui.ui.board.position_map_picture import Sheet, Verdicts, Window, fitting, spread
from nimtui.ui.kit.contract.command import Command, Commanded, family
from nimtui.ui.kit.contract.shell import shell
from nimtui.ui.kit.widgets.panel import Canvas, entitle, framed, in_the_middle

NEW = 1.0  # seconds for which a change is marked
MOST_NEW = 24  # marked cells; if more change, nearly all do, and marks would only cost bytes
RATE = 200  # lines of cells per second: a change costs some 40 bytes, so the next picture waits after many …
LONGEST_WAIT = 1.0  # … but never longer than this, in seconds
WAITING = "The map of positions will stand here: which are played right, and which wrong."
PICK = "Follow the marked move, or open the position"
FADING = 0.25  # seconds between two checks for marks to remove


class PositionMap(Commanded, Vertical, can_focus=True, place="map"):
    """Shows the verdict of each position. Call `set_orders` first."""

    BINDING_GROUP_TITLE = "Map of positions"
    picks = True  # does Enter choose the marked position?

    @dataclass
    class Picked(Message):
        """The person chose this position."""

        node: int

    def __init__(
        self,
        moved: Callable[[int], object],
        notice: Callable[[str], object],
        *,
        id: str | None = None,
        classes: str | None = None,
    ) -> None:
        """Call `moved` with the cursor's node at once, so that the panels are drawn together with the map."""
        super().__init__(id=id, classes=classes)
        self._moved, self._notice = moved, notice
        self.orders: Sequence[Order] = ()
        self.order: Order | None = None
        self.verdicts: Verdicts | None = None
        self.other: Verdicts | None = None
        self.unmet: npt.NDArray[np.bool_] | None = None  # [nodes]: met by no own game; None: unknown
        self.marked: npt.NDArray[np.bool_] | None = None  # [nodes]: marked for good; None: marks what just changed
        self.heading = ""  # what stands before the title in a frame
        self.names = picture.OWN  # of its signs
        self.node = -1  # under the cursor; −1 for none
        self.zoomed = False
        self.clock: Callable[[], float] = monotonic
        self._place_of = np.zeros(0, np.int32)  # [nodes]: the place of each node in the order
        self._sheet: Sheet | None = None
        self._titled = False
        self._window = Window(0, 0, 0, 0)
        self._kinds: Verdicts | None = None  # the cells as drawn last
        self._drawn = np.zeros(0, np.int8)  # the same with cursor and marks
        self._changed = np.zeros(0)  # [cells]: when each changed
        self._fading = False
        self._busy_until = 0.0  # by the clock: until then a slow line sends the last picture
        self._waiting = False  # is a timer set for the next picture?

    def compose(self) -> ComposeResult:
        yield Canvas()

    # Input from the screen.

    def set_orders(self, orders: Sequence[Order], node: int = -1) -> None:
        """Show another game by its first order, without verdicts, with the cursor on `node`."""
        self.orders, self.verdicts, self.other = list(orders), None, None
        self.node = node
        self._use(self.orders[0] if orders else None)

    def set_order(self, name: str) -> None:
        """Sort the positions by the order of this name. Raises KeyError if there is none."""
        self._use({order.name: order for order in self.orders}[name])

    def show(
        self,
        verdicts: Verdicts,
        other: Verdicts | None = None,
        *,
        counts_only: bool = False,
        unmet: npt.NDArray[np.bool_] | None = None,
    ) -> None:
        """Show these verdicts, [nodes]; with another learner's, mark where only one of the two is right; else which
        positions no game of the learner met (`unmet`, [nodes]).

        The legend counts them at once. If very many cells have just changed, the picture follows within a second; with
        `counts_only`, it waits for the next call.
        """
        if (other is None) != (self.other is None):
            self._kinds = None
        self.verdicts, self.other, self.unmet = verdicts, other, unmet
        wait = self._busy_until - self.clock()
        if self._kinds is None or (wait <= 0 and not counts_only):
            self.draw()
            return
        if self._sheet is not None and self.order is not None:
            self.query_one(Canvas).show(self._lines(self._sheet, self.order, verdicts))
        if not counts_only and not self._waiting:
            self._waiting = True
            self.set_timer(wait, self._catch_up)

    def show_difference(self, mine: Verdicts, yours: Verdicts, *, counts_only: bool = False) -> None:
        """Show where only one of two learners is right, where both are, and where neither: undecided is not right."""
        self.heading, self.names = "Difference", picture.DIFFERENCE
        self.show(np.where(mine == UNDECIDED, WRONG, mine).astype(np.int8), yours, counts_only=counts_only)

    def settle(self) -> None:
        """Do not mark changes in the next picture."""
        self._kinds = None

    def goto(self, node: int) -> None:
        """Put the cursor on this position without a message."""
        if node != self.node:
            self.node = node
            self.draw()

    def next_wrong(self, times: npt.NDArray[np.int64] | None = None, again: bool = False) -> int | None:
        """Move the cursor to the next wrong position; if none is wrong, to the next undecided one.

        The next in this order, or the next less often met if `times` says how often each was met, [nodes]. The search
        wraps around; `again` starts it with the one most met. Return the node, or None if there is none.
        """
        if self.verdicts is None:
            return None
        wanted = self.verdicts == WRONG
        return self.next_of(wanted if wanted.any() else self.verdicts == UNDECIDED, times, again)

    def next_of(
        self, wanted: npt.NDArray[np.bool_], times: npt.NDArray[np.int64] | None = None, again: bool = False
    ) -> int | None:
        """Move the cursor to the next `wanted` position, [nodes], as `next_wrong` does; None if there is none."""
        if self.order is None or not wanted.any():
            return None
        if times is not None:
            nodes = np.flatnonzero(wanted).astype(np.int32)
            nodes = nodes[np.argsort(-times[nodes], kind="stable")]
            at = np.flatnonzero(nodes == self.node)
            after = int(at[0]) + 1 if len(at) and not again else 0
        else:
            nodes = self.order.nodes[wanted[self.order.nodes]]
            here = int(self._place_of[self.node]) if self.node >= 0 else -1
            after = int(np.searchsorted(self._place_of[nodes], here, side="right"))
        self.goto(int(nodes[after % len(nodes)]))
        return self.node

    @property
    def whole(self) -> bool:
        """Are all positions visible, each in its own cell?"""
        sheet, window = self._sheet, self._window
        return sheet is not None and sheet.each == 1 and (window.height, window.width) == (sheet.height, sheet.width)

    def text(self) -> str:
        """Return the map as plain text."""
        return self.query_one(Canvas).text()

    # Drawing.

    def on_resize(self) -> None:
        self._lay_out()
        self.draw()

    def _use(self, order: Order | None) -> None:
        self.order = order
        if order is not None:
            self._place_of = np.empty(len(order.nodes), np.int32)
            self._place_of[order.nodes] = np.arange(len(order.nodes))
        self._lay_out()
        self.draw()

    def _lay_out(self) -> None:
        """Make a sheet for this room, with a title if that costs no cells."""
        self._kinds = self._sheet = None
        columns, rows = self.size
        if self.order is None or columns < 4 or rows < 2:
            return
        in_box = framed(self._box)
        make = spread if self.zoomed else picture.spacious if in_box else fitting
        bare, titled = (make(self.order, columns, rows - lines) for lines in (1, 2))
        whole = bare.fits(columns, rows - 1)
        same = titled.each == bare.each or bare.each > 1  # the title must say how many positions a sign stands for
        self._titled = not in_box and rows >= 6 and same and titled.fits(columns, rows - 2) == whole
        self._sheet = sheet = titled if self._titled else bare
        height = max(1, rows - 1 - self._titled - sheet.footed)
        self._window = Window(0, 0, min(height, sheet.height), min(columns - sheet.margin, sheet.width))

    @property
    def _box(self) -> Widget:
        """The widget whose frame has the map's title: the map, or what the map is in."""
        return next((widget for widget in (self, self.parent) if isinstance(widget, Widget) and framed(widget)), self)

    def pitch_in(self, columns: int, rows: int) -> int:
        """Return the columns from one cell to the next, if the whole map and its legend have this room in a frame."""
        return 0 if self.order is None else fitting(self.order, columns, rows - 1, large=True).apart.pitch

    def lines_in(self, columns: int, rows: int) -> int:
        """Return how few of these lines the whole map and its legend need in a frame."""
        if self.order is None:
            return rows
        sheet = picture.flat(self.order, fitting(self.order, columns, rows - 1, large=True), columns)
        return min(rows, sheet.height + sheet.footed + 1)

    def draw(self) -> None:
        """Update the picture; send only what changed."""
        if not self.is_mounted:
            return
        canvas = self.query_one(Canvas)
        if self._sheet is None and self.size.area:
            self._lay_out()
        sheet, order = self._sheet, self.order
        if sheet is None or order is None or self.verdicts is None:
            canvas.show(in_the_middle(WAITING, self.size.width, self.size.height, shell(self).glyphs))
            if framed(self._box):
                entitle(self._box, self.heading or "Positions")
            return
        kinds = picture.cells(sheet, order, self.verdicts, self.other)
        if self.unmet is not None:  # a cell of several positions is met if one of them is
            kinds = kinds + picture.UNMET * (1 - picture.with_any(sheet, order, ~self.unmet))
        self._drawn = kinds + picture.FRESH * self._fresh(kinds)
        if self.node >= 0:
            cell = self._cell(sheet)
            self._drawn[cell] += picture.CURSOR
            self._window = self._window.around(int(sheet.x[cell]), int(sheet.y[cell]), sheet)
        canvas.show(self._lines(sheet, order, self.verdicts))

    def _lines(self, sheet: Sheet, order: Order, verdicts: Verdicts) -> list[Line]:
        columns, box, signs = self.size.width, self._box, shell(self).glyphs
        lines = picture.paint(sheet, self._drawn, self._window, columns, signs)
        if framed(box):
            title = plain_text(picture.title(order, sheet, self._window, columns, signs))
            entitle(box, f"{self.heading}: {title}" if self.heading else title)
        elif self._titled:
            lines.insert(0, picture.title(order, sheet, self._window, columns, signs))
        fresh = "new" if self.marked is None else "changed"
        lines.append(picture.legend(verdicts, self.other, sheet, columns, signs, fresh, self.names, self.unmet))
        return lines

    def _fresh(self, kinds: Verdicts) -> Verdicts:
        """Return 1 for each cell that changed within the last second and is marked, [cells]."""
        if self.marked is not None:
            assert self._sheet is not None and self.order is not None
            return picture.with_any(self._sheet, self.order, self.marked)
        now = self.clock()
        if self._kinds is None:
            self._changed = np.full(len(kinds), -np.inf)
        else:
            news = kinds != self._kinds
            rise = 1 if self._sheet is None else self._sheet.apart.rise
            self._busy_until = now + min(LONGEST_WAIT, news.sum() * rise / RATE)
            self._changed[news] = -np.inf
            room = MOST_NEW - int((self._changed > now - NEW).sum())
            self._changed[np.flatnonzero(news)[: max(0, room)]] = now
        self._kinds = kinds
        fresh = self._changed > now - NEW
        if fresh.any() and not self._fading:
            self._fading = True
            self.set_timer(NEW + 0.01 if (self._changed[fresh] == now).all() else FADING, self._fade)
        return fresh.astype(np.int8)

    def _catch_up(self) -> None:
        self._waiting = False
        self.draw()

    def _fade(self) -> None:
        self._fading = False
        self.draw()

    # Keys.

    def step(self, across: int, down: int) -> None:
        sheet = self._sheet
        if sheet is None or self.verdicts is None:
            return
        if self.node < 0:
            self._go(0)
            return
        x, y = int(sheet.x[self._cell(sheet)]), int(sheet.y[self._cell(sheet)])
        row = sheet.grid[y]
        if across:
            further = row[x + 1 :] if across > 0 else row[:x][::-1]
            cells = further[further >= 0]
        else:
            rows = sheet.grid[y + 1 :] if down > 0 else sheet.grid[:y][::-1]
            row = next((line for line in rows if (line >= 0).any()), row[:0])
            places = np.flatnonzero(row >= 0)
            cells = row[places[np.argsort(np.abs(places - x), kind="stable")]]
        if len(cells):
            self._stand(int(cells[0]))

    def edge(self, last: bool) -> None:
        if self.order is not None and self.verdicts is not None:
            self._go(len(self.order.nodes) - 1 if last else 0)

    def page(self, step: int) -> None:
        """Go to the first cell of the previous or next group; without groups, a page up or down."""
        sheet = self._sheet
        if sheet is None or self.verdicts is None:
            return
        if len(sheet.groups) < 2:
            for _ in range(max(1, self._window.height - 1)):
                self.step(0, step)
            return
        cell = self._cell(sheet) if self.node >= 0 else 0
        group = int(np.searchsorted(sheet.groups, cell, side="right")) - 1
        back = step < 0 and cell > sheet.groups[group]
        self._stand(int(sheet.groups[max(0, min(len(sheet.groups) - 1, group + (0 if back else step)))]))

    def _cell(self, sheet: Sheet) -> int:
        """Return the cell under the cursor."""
        return sheet.cell_of(int(self._place_of[self.node]))

    def pick(self) -> None:
        if self.node >= 0:
            self.post_message(self.Picked(self.node))

    def zoom(self) -> None:
        if self.whole and not self.zoomed:
            self._notice("Every position has its own sign already")
            return
        self.zoomed = not self.zoomed
        self._lay_out()
        self.draw()

    def target_at(self, at: Offset) -> int | None:
        """Return the cell of positions at this place of the screen."""
        if (sheet := self._sheet) is None or self.verdicts is None:
            return None
        x, y = at - self.content_region.offset
        cell = sheet.cell_at(x - sheet.margin + self._window.x, y - self._titled + self._window.y)
        return cell if cell >= 0 else None

    def on_click(self, event: events.Click) -> None:
        cell, sheet = self.target_at(event.screen_offset), self._sheet
        if cell is None or sheet is None:
            return
        if self.node >= 0 and cell == self._cell(sheet):
            self.pick()
        else:
            self._stand(cell)

    def _stand(self, cell: int) -> None:
        """Put the cursor on a cell: on its first wrong position, else its first undecided one, else its first."""
        assert self._sheet is not None and self.order is not None and self.verdicts is not None
        first, end = self._sheet.starts[cell : cell + 2].tolist()
        placed = self.verdicts[self.order.nodes[first:end]]
        worst = next((verdict for verdict in (WRONG, UNDECIDED) if (placed == verdict).any()), placed[0])
        self._go(first + int(np.argmax(placed == worst)))

    def _go(self, place: int) -> None:
        assert self.order is not None
        node = int(self.order.nodes[place])
        if node != self.node:
            self.goto(node)
            self._moved(node)

    ROWS: ClassVar[tuple[Command[PositionMap], ...]] = (
        *family("step", step, ("up", "Up", "", 0, -1), ("down", "Down", "", 0, 1)),
        *family("step", step, ("left", "Left", "", -1, 0), ("right", "Right", "", 1, 0)),
        *family("edge", edge, ("home", "First position", "", False), ("end", "Last position", "", True)),
        *family("page", page, ("pageup", "Previous group", "", -1), ("pagedown", "Next group", "", 1)),
        Command("enter", "pick", PICK, "", pick, lambda m: m.picks, show=False),
        Command("z", "zoom", "Zoom: one position per cell, or the whole map", "", zoom, show=False),
    )
