"""All positions of a table one below the other: best move, its score, the verdict, how often it was played."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.message import Message

from nimtui.ui.glyphs import Glyphs
from nimtui.ui.shell import shell
from nimtui.ui.widgets.canvas import Canvas
from nimtui.ui.widgets.ink import Ink, Line, Run, cut, line
from nimtui.ui.widgets.position_panel import VERDICT_INKS, count, number

SORTS = ("position", "verdict", "score", "played")
BY_VERDICT = np.array([3, 2, 0, 1])  # wrong ones first, then undecided, right, nothing to win


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """What the list shows, an entry a position: [nodes] each."""

    best: npt.NDArray[Any]  # the edge of the (first) best move
    score: npt.NDArray[Any]  # its score
    played: npt.NDArray[Any]  # how often the position was played from
    verdict: npt.NDArray[np.int8]


def rows_of(
    scores: npt.NDArray[Any], visits: npt.NDArray[Any], verdicts: npt.NDArray[np.int8], ptr: npt.NDArray[np.int64]
) -> Rows:
    """The rows of a table whose scores and visits are given an edge each."""
    most = np.maximum.reduceat(scores, ptr[:-1])
    best = np.flatnonzero(scores == np.repeat(most, np.diff(ptr)))
    first = best[np.searchsorted(best, ptr[:-1])]
    return Rows(first, most, np.add.reduceat(visits.astype(np.int64), ptr[:-1]), verdicts)


def order_of(rows: Rows, sort: str) -> npt.NDArray[np.int64]:
    """All nodes in this order; equal ones in the order of their numbers."""
    if sort == "verdict":
        return np.argsort(BY_VERDICT[rows.verdict], kind="stable")
    if sort == "score":
        return np.argsort(-rows.score.astype(np.float64), kind="stable")
    if sort == "played":
        return np.argsort(-rows.played, kind="stable")
    return np.arange(len(rows.best))


class PositionList(Vertical, can_focus=True):
    """Shows `Rows`; only the lines that are seen are made. Names are asked for as they are needed."""

    BINDING_GROUP_TITLE = "List of positions"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "step(-1)", "Up", show=False),
        Binding("down,j", "step(1)", "Down", show=False),
        Binding("pageup", "page(-1)", "Page up", show=False),
        Binding("pagedown", "page(1)", "Page down", show=False),
        Binding("home", "edge(0)", "First", show=False),
        Binding("end", "edge(-1)", "Last", show=False),
        Binding("s", "sort", "sort", tooltip="Sort by position, verdict, score or how often it was played"),
    ]

    @dataclass
    class Moved(Message):
        """Another position is marked."""

        list: PositionList
        node: int

        @property
        def control(self) -> PositionList:
            return self.list

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self.rows: Rows | None = None
        self.sort = SORTS[0]
        self.node = 0
        self._name_of: Callable[[int], str] = str
        self._move_of: Callable[[int, int], str] = lambda node, edge: str(edge)
        self._order = np.zeros(0, np.int64)
        self._place = np.zeros(0, np.int64)  # [nodes]: the line of each
        self._top = 0

    def compose(self) -> ComposeResult:
        yield Canvas()

    # What the screen tells it.

    def show(self, rows: Rows | None, name: Callable[[int], str], move: Callable[[int, int], str]) -> None:
        """Show these; `name` says what a node is called, `move` what an edge of it is. Lines stay where they are."""
        fresh = rows is not None and (self.rows is None or len(self.rows.best) != len(rows.best))
        self.rows, self._name_of, self._move_of = rows, name, move
        if fresh:
            self._sorted()
        self.draw()

    def sort_again(self) -> None:
        """Put the lines in order as the numbers are now."""
        self._sorted()
        self.draw()

    def goto(self, node: int) -> None:
        """Mark this position; no message is sent."""
        self.node = node
        self.draw()

    def text(self) -> str:
        """What it shows, as plain text."""
        return self.query_one(Canvas).text()

    # Drawing.

    def on_resize(self) -> None:
        self.draw()

    def _sorted(self) -> None:
        if self.rows is not None:
            self._order = order_of(self.rows, self.sort)
            self._place = np.empty(len(self._order), np.int64)
            self._place[self._order] = np.arange(len(self._order))

    def draw(self) -> None:
        if not self.is_mounted or not self.size.area or not self.display:
            return
        canvas, rows = self.query_one(Canvas), self.rows
        if rows is None or not len(self._order):
            canvas.show([])
            return
        room = self._room
        at = int(self._place[self.node]) if 0 <= self.node < len(self._place) else 0
        if not self._top <= at < self._top + room:
            self._top = at - room // 2
        self._top = max(0, min(self._top, len(self._order) - room))
        nodes = self._order[self._top : self._top + room].tolist()
        canvas.show(self._lines(rows, nodes, self.size.width, shell(self).glyphs))

    @property
    def _room(self) -> int:
        """Lines for positions."""
        return max(1, self.size.height - 1)

    def _lines(self, rows: Rows, nodes: list[int], columns: int, signs: Glyphs) -> list[Line]:
        names = [signs.plain(self._name_of(node)) or "-" for node in nodes]
        wide = max(9, min(columns - 27, max(map(len, names))))
        lines = [cut(self._head(wide, signs), columns, signs.hidden)]
        for node, name in zip(nodes, names, strict=True):
            here = node == self.node
            verdict = int(rows.verdict[node])
            move = self._move_of(node, int(rows.best[node]))
            score = rows.score[node].item()
            lines.append(
                cut(
                    line(
                        (f"{signs.cursor if here else ' '}{name:<{wide}} ", Ink.STRONG if here else Ink.TEXT),
                        (signs.verdicts[verdict], VERDICT_INKS[verdict]),
                        Run(
                            f" {move:<5} {signs.plain(number(score)):>9} {count(int(rows.played[node])):>6}",
                            Ink.STRONG if here else Ink.TEXT,
                        ),
                    ),
                    columns,
                    signs.hidden,
                )
            )
        return lines

    def _head(self, wide: int, signs: Glyphs) -> Line:
        def title(text: str, sort: str) -> Run:
            return Run(text, Ink.STRONG if sort == self.sort else Ink.TITLE)

        by = signs.down
        named = {sort: (f"{by}{sort}" if sort == self.sort else sort) for sort in SORTS}
        verdict = by if self.sort == "verdict" else " "
        return line(
            title(f" {named['position']:<{wide}}"[: wide + 1] + " ", "position"),
            title(verdict, "verdict"),
            title(" best  ", ""),
            title(f"{named['score']:>9} ", "score"),
            title(f"{named['played']:>6}"[-7:], "played"),
        )

    # What a person does.

    def _go(self, place: int) -> None:
        if not len(self._order):
            return
        node = int(self._order[max(0, min(len(self._order) - 1, place))])
        if node != self.node:
            self.node = node
            self.draw()
            self.post_message(self.Moved(self, node))

    def action_step(self, by: int) -> None:
        if 0 <= self.node < len(self._place):
            self._go(int(self._place[self.node]) + by)

    def action_page(self, by: int) -> None:
        self.action_step(by * max(1, self._room - 1))

    def action_edge(self, place: int) -> None:
        self._go(place if place >= 0 else len(self._order) - 1)

    def action_sort(self) -> None:
        self.sort = SORTS[(SORTS.index(self.sort) + 1) % len(SORTS)]
        self.sort_again()

    def on_click(self, event: events.Click) -> None:
        at = event.screen_y - self.content_region.y - 1
        if 0 <= at < self._room:
            self._go(self._top + at)
