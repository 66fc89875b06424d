"""Lists positions: verdict, best move, its score, and how often they were played; of many the most played first."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, TypeAlias

import numpy as np
import numpy.typing as npt
from textual.message import Message

from nimtui.jobs.conductor import LatestJob
from nimtui.learning.evaluate import WORDS
from nimtui.learning.sweep_report import Rough
from nimtui.learning.views import Numbers
from nimtui.progress import SILENT, Progress
from nimtui.report.blocks import Column, Inked, Table, View
from nimtui.report.values import Word
from nimtui.ui.kit.contract.command import Command
from nimtui.ui.kit.contract.shell import shell
from nimtui.ui.kit.terminal.glyphs import Glyphs
from nimtui.ui.kit.widgets.virtual_list import Rows, VirtualList
from nimtui.ui.train.position_panel import START, ShortScore, sign_of

LARGE = 100_000  # from this many positions on, a job sorts
MOST_NAMED = 5_000  # positions that are sorted by name
DIGITS = re.compile(r"(\d+)")
Sorted: TypeAlias = tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], str]  # the nodes, the line of each, and of when
SORTS = ("position", "verdict", "score", "played")
BY_VERDICT = np.array([3, 2, 0, 1])  # wrong first, then undecided, right, lost


@dataclass(frozen=True, eq=False)
class Scores:
    """The numbers of the list: of one position, or of all [nodes] for sorting."""

    scores: npt.NDArray[Any]  # [edges]
    visits: npt.NDArray[Any]  # [edges]
    verdict: npt.NDArray[np.int8]  # [nodes]
    ptr: npt.NDArray[np.int64]  # [nodes + 1]: the edges of node n are ptr[n] … ptr[n + 1] − 1
    counted: bool = True  # are these all positions, whose visits are counted?

    def __len__(self) -> int:
        return len(self.verdict)

    def best(self, node: int) -> tuple[int, float, int]:
        """Return the edge of the first best move of a position, its score, and the plays from the position."""
        first, end = self.ptr[node : node + 2].tolist()
        edge = first + int(np.argmax(self.scores[first:end]))
        return edge, self.scores[edge].item(), int(self.visits[first:end].sum(dtype=np.int64))

    @cached_property
    def numbers(self) -> Numbers:
        """The best score of each position, and the number of plays from it."""
        starts = self.ptr[:-1]
        return Numbers(np.maximum.reduceat(self.scores, starts), np.add.reduceat(self.visits, starts, dtype=np.int64))


def by_name(number: int, name_of: Callable[[int], str]) -> npt.NDArray[np.int64]:
    """Return so many nodes sorted by name, digits by their number; by node if naming all takes long."""
    if number > MOST_NAMED:
        return np.arange(number)

    def key(node: int) -> list[tuple[int, str]]:
        return [(len(part) * part.isdigit(), part) for part in DIGITS.split(name_of(node))]

    return np.array(sorted(range(number), key=key), np.int64)


def order_of(
    scores: Scores, sort: str, nodes: npt.NDArray[np.int64], numbers: Numbers | None = None
) -> npt.NDArray[np.int64]:
    """Return all nodes in this order, by newer `numbers` if known; equal ones as in `nodes`, the order of positions."""
    if sort == "verdict":
        return nodes[np.argsort(BY_VERDICT[scores.verdict[nodes]], kind="stable")]
    if sort == "score":
        return nodes[np.argsort(-(numbers or scores.numbers).best[nodes].astype(np.float64), kind="stable")]
    if sort == "played":
        return nodes[np.argsort(-(numbers or scores.numbers).plays[nodes], kind="stable")]
    return nodes


class PositionList(VirtualList, place="position-list"):
    """Shows `Scores`. Computes names only for visible lines."""

    BINDING_GROUP_TITLE = "List of positions"

    @dataclass
    class Moved(Message):
        """The person marked another position."""

        node: int

    heading, empty = "All positions", "The list of positions will stand here."

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self.scores: Scores | None = None
        self.sort = SORTS[0]
        self.node = 0
        self._name_of: Callable[[int], str] = str
        self._move_of: Callable[[int, int], str] = lambda node, edge: str(edge)
        self._by_name = self._order = np.zeros(0, np.int64)
        self._place = np.zeros(0, np.int64)  # [nodes]: the line of each
        self._sorting: LatestJob[Sorted] = LatestJob()
        self._when = ""  # of which save the order is, if not of now
        self.ask: Callable[[], Numbers | None] | None = None  # another program for its numbers, if it works on them

    def on_unmount(self) -> None:
        self._sorting.cancel()

    @property
    def order(self) -> list[int]:
        """The nodes as they are listed; empty if none were."""
        return [int(node) for node in self._order]

    @property
    def nodes(self) -> list[int]:
        """The visible nodes."""
        places = self.places_shown if self.display else ()
        return [int(self._order[place]) for place in places if place < len(self._order)]

    # Input from the screen.

    def tell(
        self, scores: Scores | None, node: int, name: Callable[[int], str], move: Callable[[int, int], str]
    ) -> None:
        """Show these scores with this node marked; `name` names a node, `move` an edge of a node."""
        fresh = scores is not None and (self.scores is None or len(self.scores) != len(scores))
        self.scores, self.node, self._name_of, self._move_of = scores, node, name, move
        if fresh and scores is not None:
            self._sorting.cancel()
            self._by_name = by_name(len(scores), name)
            if len(scores) > MOST_NAMED and scores.counted:  # numbers of nodes say nothing: the most met first
                self.sort = "played"
            if len(scores) >= LARGE or self.ask is not None:  # until they are sorted
                self._order = self._place = np.arange(len(scores))
            self._sort()
        self._list()

    # Drawing.

    def _sort(self) -> None:
        """Sort the lines; many of them in a job."""
        scores, sort, nodes, ask = self.scores, self.sort, self._by_name, self.ask
        if scores is None:
            return

        def work(progress: Progress) -> Sorted:
            numbers = None if ask is None else ask()
            order = order_of(scores, sort, nodes, numbers)
            return order, np.argsort(order), numbers.text if numbers is not None and sort in SORTS[2:] else ""

        if len(scores) < LARGE and ask is None:
            self._order, self._place, self._when = work(SILENT)
        elif ask is not None or sort != SORTS[0] or len(self._order) != len(scores) or self._order[0]:
            self._sorting.start(shell(self).jobs, "sorting", work, self._sorted)

    def _sorted(self, lines: Sorted) -> None:
        if self.scores is not None and len(lines[0]) == len(self.scores):
            self._order, self._place, self._when = lines
            self._list()

    def _list(self) -> None:
        scores = self.scores
        name = "All positions" if scores is None or scores.counted else "Positions on the map"
        self.heading = name + self._when
        if scores is None or not len(self._order):
            self.put(None)
            return

        def table(places: Sequence[int], columns: int, signs: Glyphs) -> Table:
            return self._table(scores, self._order[list(places)].tolist(), signs)

        def texts(places: Sequence[int]) -> list[str]:
            heads = ((node, WORDS[int(scores.verdict[node])]) for node in self._order[list(places)].tolist())
            return [f"{self._name_of(node)} {self._move_of(node, scores.best(node)[0])} {word}" for node, word in heads]

        at = int(self._place[self.node]) if 0 <= self.node < len(self._place) else 0
        view = View(self.node, self.sort)
        rows = Rows.of_table(len(self._order), at, table, self._mark, view, sort=self.sort_by)
        self.put(replace(rows, texts=texts, of=self._order))

    def _table(self, scores: Scores, nodes: list[int], signs: Glyphs) -> Table:
        best, wide = {node: scores.best(node) for node in nodes}, 6 if scores.scores.dtype.kind == "f" else 9
        heads = [
            Column("position", lambda node: Word(self._name_of(node) or START), "position", left=True, width=9),
            Column("", lambda node: Inked(sign_of(int(scores.verdict[node]), signs)), "verdict"),
            Column("best", lambda node: Word(self._move_of(node, best[node][0])), left=True, width=5),
            Column("score", lambda node: ShortScore(best[node][1]), "score", width=wide),
            *([Column("played", lambda node: Rough(best[node][2]), "played", width=6)] if scores.counted else []),
        ]
        return Table("", heads, nodes, lambda node: node, gap=1)

    # Keys.

    def _mark(self, place: int) -> None:
        node = int(self._order[place])
        if node != self.node:
            self.node = node
            self._list()
            self.post_message(self.Moved(node))

    def sort_otherwise(self) -> None:
        sorts = SORTS if self.scores is None or self.scores.counted else SORTS[:-1]
        self.sort_by(sorts[(sorts.index(self.sort) + 1) % len(sorts)])

    def sort_by(self, column: str) -> None:
        """Sort the lines by this column, and by the current numbers."""
        self.sort = column
        self._sort()
        self._list()

    ROWS: ClassVar[tuple[Command[PositionList], ...]] = (
        Command("s", "sort", "sort", "Sort by position, verdict, score or plays", sort_otherwise),
    )
