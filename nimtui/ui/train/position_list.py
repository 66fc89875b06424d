"""All positions of a table one below the other: best move, its score, the verdict, how often it was played."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, TypeAlias

import numpy as np
import numpy.typing as npt
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.message import Message

from nimtui.jobs import Job
from nimtui.progress import SILENT, Progress
from nimtui.ui.kit.canvas import Canvas
from nimtui.ui.kit.errand import Errand
from nimtui.ui.kit.glyphs import Glyphs
from nimtui.ui.kit.ink import Ink, Line, Run, cut, line
from nimtui.ui.kit.shell import shell
from nimtui.ui.train.position_panel import VERDICT_INKS, count, number

LARGE = 100_000  # positions that are sorted in a job
Sorted: TypeAlias = tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]  # the nodes in order, and each one's line
SORTS = ("position", "verdict", "score", "played")
BY_VERDICT = np.array([3, 2, 0, 1])  # wrong ones first, then undecided, right, nothing to win


@dataclass(frozen=True, eq=False)
class Rows:
    """What the list shows of a table: one position at a time, or all [nodes] to sort them by."""

    scores: npt.NDArray[Any]  # [edges]
    visits: npt.NDArray[Any]  # [edges]
    verdict: npt.NDArray[np.int8]  # [nodes]
    ptr: npt.NDArray[np.int64]  # [nodes + 1]: the edges of node n are ptr[n] … ptr[n + 1] − 1

    def __len__(self) -> int:
        return len(self.verdict)

    def best(self, node: int) -> tuple[int, float, int]:
        """The edge of the (first) best move of a position, its score, how often the position was played from."""
        first, end = self.ptr[node : node + 2].tolist()
        edge = first + int(np.argmax(self.scores[first:end]))
        return edge, self.scores[edge].item(), int(self.visits[first:end].sum(dtype=np.int64))

    @cached_property
    def score(self) -> npt.NDArray[Any]:
        """The best score of each position."""
        return np.maximum.reduceat(self.scores, self.ptr[:-1])

    @cached_property
    def played(self) -> npt.NDArray[np.int64]:
        """How often each position was played from."""
        return np.asarray(np.add.reduceat(self.visits, self.ptr[:-1], dtype=np.int64))


def order_of(rows: Rows, sort: str) -> npt.NDArray[np.int64]:
    """All nodes in this order; equal ones in the order of their numbers."""
    if sort == "verdict":
        return np.argsort(BY_VERDICT[rows.verdict], kind="stable")
    if sort == "score":
        return np.argsort(-rows.score.astype(np.float64), kind="stable")
    if sort == "played":
        return np.argsort(-rows.played, kind="stable")
    return np.arange(len(rows))


def _placed(order: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """[nodes]: the line of each."""
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    return place


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
        self._sorting: Errand[Sorted] = Errand()

    def on_unmount(self) -> None:
        self._sorting.cancel()

    def compose(self) -> ComposeResult:
        yield Canvas()

    # What the screen tells it.

    def show(self, rows: Rows | None, name: Callable[[int], str], move: Callable[[int, int], str]) -> None:
        """Show these; `name` says what a node is called, `move` what an edge of it is. Lines stay where they are."""
        fresh = rows is not None and (self.rows is None or len(self.rows) != len(rows))
        self.rows, self._name_of, self._move_of = rows, name, move
        if fresh and rows is not None:
            self._sorting.cancel()
            if len(rows) >= LARGE:  # until they are sorted
                self._put((np.arange(len(rows)), np.arange(len(rows))))
            self._sort()
        self.draw()

    def sort_again(self) -> None:
        """Put the lines in order as the numbers are now."""
        self._sort()
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

    def _sort(self) -> None:
        """Put them in order, a large number beside what else is done."""
        rows, sort = self.rows, self.sort
        if rows is None:
            return

        def work(progress: Progress) -> Sorted:
            order = order_of(rows, sort)
            return order, _placed(order)

        if len(rows) < LARGE:
            self._put(work(SILENT))
        elif sort != SORTS[0] or len(self._order) != len(rows) or self._order[0]:
            self._sorting.start(shell(self).jobs, "sorting", work, self._sorted)

    def _sorted(self, job: Job[Sorted]) -> None:
        if job.result is not None and self.rows is not None and len(job.result[0]) == len(self.rows):
            self._put(job.result)
            self.draw()

    def _put(self, found: Sorted) -> None:
        self._order, self._place = found

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
            edge, score, played = rows.best(node)
            move = self._move_of(node, edge)
            lines.append(
                cut(
                    line(
                        (f"{signs.cursor if here else ' '}{name:<{wide}} ", Ink.STRONG if here else Ink.TEXT),
                        (signs.verdicts[verdict], VERDICT_INKS[verdict]),
                        Run(
                            f" {move:<5} {signs.plain(number(score)):>9} {count(played):>6}",
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
