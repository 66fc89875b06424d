"""Two pages about the heaps of a game: their values in rows as long as the period, and their misère quotient."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import accumulate
from typing import Any, ClassVar

import numpy as np
from textual.app import ComposeResult

from nimtui.jobs import Job
from nimtui.progress import SILENT, Progress
from nimtui.report.lines import Ink, Line, Run, line, paragraphs
from nimtui.theory.quotient import FEW_WORDS, extended, quotients
from nimtui.theory.sequence import MOST, MOST_MISERE_SPLITS, MOST_UNLIMITED, OneHeap
from nimtui.theory.sequence_report import OUTCOMES, across, kind, not_closed, sentences
from nimtui.ui.kit.contract.command import Command, family
from nimtui.ui.kit.terminal.glyphs import Glyphs
from nimtui.ui.kit.widgets.page import Page
from nimtui.ui.kit.widgets.panel import Paint, Panel

FIRST_HEAPS = 250
FACTOR = 10  # so many times more heaps are computed next
LEAST_WIDTH = 2
FIRST_ALPHABET, MOST_ALPHABET = 12, 40
FAR = MOST  # more lines than there are
DIFFERS = "*"


class Values:
    """The values of heaps 0 to `to` as a page shows them: numbers, of which only the visible ones become text."""

    def __init__(self, heap: OneHeap, to: int, progress: Progress = SILENT) -> None:
        """Raises InputError if the values are out of reach."""
        sequence = heap.values(to, progress)
        self.heap, self.to, self.sequence = heap, to, sequence
        self.numbers = np.array(sequence.values if sequence.grundy is None else sequence.grundy)
        self.sentences = sentences(sequence, to)
        self.cell = (1 if sequence.grundy is None else len(str(self.numbers.max()))) + 2
        self.period = 0 if sequence.period is None else sequence.period.length

    def text(self, heap: int) -> str:
        """Return the value of a heap: its Grundy value, else the letter of its outcome."""
        number = int(self.numbers[heap])
        return OUTCOMES[number] if self.sequence.grundy is None else str(number)

    def differs(self, heap: int, step: int) -> bool:
        """Return whether the value of a heap so many matches larger is another one."""
        return bool(step and heap + step <= self.to and self.numbers[heap] != self.numbers[heap + step])

    def next(self, wanted: str, after: int) -> int | None:
        """Return the next heap with this value, from the start again after the last one; None if no heap has it."""
        if self.sequence.grundy is None:
            return None
        places = np.flatnonzero(self.numbers == int(wanted))
        return int(places[np.searchsorted(places, after, "right") % len(places)]) if len(places) else None


class SequencePage(Page[None], place="sequence"):
    """Shows the values of heaps 0, 1, 2, … in rows. With the period as the width, equal columns show it."""

    BINDING_GROUP_TITLE = "Sequence"
    HELP = (
        "Shows the value of each heap, in rows as long as the period: then every column repeats one value. The keys "
        "left and right make rows shorter or longer, p takes the period again. A star follows a value that differs "
        "from the one a period further on; without a period, from the one below it in rows whose length you chose."
        "\n\nType a number to search for this value; Enter goes to the next heap that has it. + computes ten times as "
        "many heaps, up to 8,388,608 where the game has a sparse space; escape stops it. m switches between normal and "
        "misère play, Q shows the misère quotient.\n\nThe command nimtui sequence prints the same, and names the proof."
    )

    def __init__(self, heap: OneHeap) -> None:
        super().__init__()
        self.wanted = ""
        self._top, self._width = 0, 0
        self._job: Job[Values] | None = None  # which computes more values
        self._open(heap)

    def content(self) -> ComposeResult:
        yield Panel(id="known", classes="box").headed("What is known")
        yield Panel(id="values", classes="box -focus").headed(self.heap.title)

    def _open(self, heap: OneHeap) -> None:
        """Show the values that are there at once: misère play with splits is slow."""
        self._take(Values(heap, MOST_MISERE_SPLITS if heap.misere and heap.splits else FIRST_HEAPS))

    def _take(self, values: Values) -> None:
        self.values, self.heap, self.to, self.at = values, values.heap, values.to, -1

    def draw(self) -> None:
        self.fill("known", lambda columns, rows, glyphs: paragraphs(self.values.sentences, columns)[:rows])
        self.query_one("#values", Panel).headed(self.heap.title).fill(self._paint)

    def tick(self) -> None:
        if self._job is not None:
            self.draw()

    def _paint(self, columns: int, rows: int, glyphs: Glyphs) -> list[Line]:
        label = len(str(self.to)) + 2
        wide = self._wide(columns - label)
        starts = range(0, self.to + 1, wide)
        self._top = max(0, min(self._top, len(starts) - rows + 1))
        some = starts[self._top : self._top + rows - 1]
        return [line((self._head(wide), Ink.QUIET)), *(self._row(start, wide, label) for start in some)]

    def _head(self, wide: int) -> str:
        """Return how long rows are, what is searched, and how far the next values are."""
        parts = [f"{wide} in a row{' = the period' if wide == self.values.period else ''}"]
        if self.wanted:
            parts.append(f"search {self.wanted}, Enter the next")
        if self._job is not None:
            parts.append(f"computing: {self._job.snapshot.far} {self._job.snapshot.what}, escape stops")
        return " · ".join(parts)

    def _wide(self, room: int) -> int:
        """Return the values of a row: those that were chosen, else the period if it fits."""
        most = max(LEAST_WIDTH, room // self.values.cell)
        self._width = min(self._width, most)
        return self._width or across(self.values.sequence, room, self.values.cell)

    def _row(self, start: int, wide: int, label: int) -> Line:
        runs = [Run(f"{start:>{label - 2}}  ", Ink.QUIET)]
        for number in range(start, min(start + wide, self.to + 1)):
            text, differs = self.values.text(number), self.values.differs(number, self.values.period or self._width)
            ink = Ink.CURSOR if number == self.at else Ink.PICK if text == self.wanted else Ink.TEXT
            runs.append(Run(text + (DIFFERS if differs else ""), Ink.WRONG if differs and ink is Ink.TEXT else ink))
            runs.append(Run(" " * (self.values.cell - len(text) - differs), Ink.TEXT))
        return line(*runs)

    def _room(self) -> int:
        return self.query_one("#values", Panel).size.width - len(str(self.to)) - 2

    def _rows(self) -> int:
        return max(2, self.query_one("#values", Panel).size.height - 1)

    def go(self, by: int) -> None:
        self._top += by
        self.draw()

    def page(self, by: int) -> None:
        self.go(by * (self._rows() - 1))

    def widen(self, by: int) -> None:
        self._width = max(LEAST_WIDTH, self._wide(self._room()) + by)
        self.draw()

    def align(self) -> None:
        """Take the period as the width."""
        self._width = 0
        self.draw()

    def type(self, digit: int) -> None:
        self.wanted = (self.wanted + str(digit))[-6:]
        self.at = -1
        self.draw()

    def unsearch(self) -> None:
        self.wanted, self.at = "", -1
        self.draw()

    def find(self) -> None:
        """Go to the next heap with the wanted value, from the start again after the last one."""
        heap = self.values.next(self.wanted, self.at)
        if heap is None:
            self.notify(f"no heap up to {self.to:,} has the value {self.wanted}")
            return
        self.at, rows = heap, self._rows()
        line_of = self.at // self._wide(self._room())
        if not self._top <= line_of < self._top + rows:
            self._top = line_of - rows // 2
        self.draw()

    def more(self) -> None:
        """Compute ten times as many heaps, in a job."""
        most = MOST_UNLIMITED if self.heap.rule is None else MOST
        if self.to == most or self._job is not None:
            these = f"these are all: at most {most:,} heaps"
            self.notify(these if self._job is None else "more heaps are on their way")
            return
        heap, to = self.heap, min(most, FACTOR * self.to)

        def ended(values: Values | str) -> None:
            self._job = None
            if isinstance(values, Values):
                self._take(values)
            elif values:
                self.notify(values)
            self.draw()

        self._job = self.fetch("values of heaps", lambda progress: Values(heap, to, progress), ended, ended)
        self.draw()

    def stop(self) -> None:
        """Stop computing more heaps."""
        if self._job is not None:
            self._job.cancel()

    def turn(self) -> None:
        """Switch between normal and misère play."""
        self._open(self.heap.turned())
        self.draw()

    def open_quotient(self) -> None:
        self.app.push_screen(QuotientPage(self.heap))

    ROWS: ClassVar[tuple[Command[SequencePage], ...]] = (
        *family("go", go, ("up,k", "Row above", "", -1), ("down,j", "Row below", "", 1), group="rows"),
        *family("page", page, ("pageup", "Page up", "", -1), ("pagedown,space", "Page down", "", 1)),
        *family("go", go, ("home", "First", "", -FAR), ("end", "Last", "", FAR)),
        *family("widen", widen, ("left", "Shorter rows", "", -1), ("right", "Longer rows", "", 1), group="width"),
        Command("p", "align", "period", "Rows as long as the period", align),
        *family("type", type, *((str(digit), "Search", "", digit) for digit in range(10))),
        Command("enter", "find", "next", "Go to the next heap with this value", find, lambda page: bool(page.wanted)),
        Command("escape", "unsearch", "end search", "", unsearch, lambda page: bool(page.wanted)),
        Command("escape", "stop", "stop", "Stop computing", stop, lambda page: page._job is not None),
        Command("plus,equals_sign", "more", "more heaps", "Compute ten times as many heaps", more),
        Command("m", "turn", "misère", "Switch between normal and misère play", turn, lambda page: page._job is None),
        Command(
            "Q", "quotient", "quotient", "Show the misère quotient", open_quotient, lambda p: p.heap.rule is not None
        ),
        Command("escape,P,backspace", "dismiss(None)", "back"),
    )


class QuotientPage(Page[None], place="quotient"):
    """Shows the misère quotient of heaps up to N, and the element of a sum to which a person adds heaps."""

    BINDING_GROUP_TITLE = "Quotient"
    HELP = (
        "The misère quotient decides all sums of heaps up to the largest one: each sum is one element, and the player "
        "to move loses those of the P-portion. It was verified for all sums.\n\nMark a heap with up and down; Enter "
        "adds it to the sum, backspace takes the last one away. Left and right change the largest heap: the order "
        "grows when a heap brings in a new generator.\n\nSource: T. Plambeck and A. Siegel, Misère quotients for "
        "impartial games (2008)."
    )

    def __init__(self, heap: OneHeap) -> None:
        super().__init__()
        assert heap.rule is not None
        self.rule, self.sum, self.at = heap.rule, list[int](), 1
        self.quotients = quotients(heap.rule, FIRST_ALPHABET, words=FEW_WORDS)
        self.largest = len(self.quotients) - 1

    @property
    def quotient(self) -> Any:
        return self.quotients[self.largest]

    def content(self) -> ComposeResult:
        yield Panel(id="known", classes="box").headed("Quotient")
        yield Panel(id="heaps", classes="box -focus").headed("Heaps")
        yield Panel(id="sum", classes="box").headed("Sum")

    def panels(self) -> Iterable[tuple[str, Paint]]:
        return ("known", self._known), ("heaps", self._heaps), ("sum", self._sum)

    def _known(self, columns: int, rows: int, glyphs: Glyphs) -> list[Line]:
        quotient = self.quotient
        head = line((f"Misère quotient of {self.rule.title}, heaps up to {self.largest}", Ink.TITLE))
        if not quotient.closed:
            return [head, *paragraphs([not_closed(quotient)], columns)][:rows]
        texts = [
            f"Order {quotient.order} · {kind(quotient)}",
            f"Lost: {', '.join(quotient.p_portion)}",
            f"Relations: {', '.join(quotient.presentation) or 'none'}",
        ]
        return [head, *paragraphs(texts, columns)][:rows]

    def _heaps(self, columns: int, rows: int, glyphs: Glyphs) -> list[Line]:
        quotient, lines = self.quotient, list[Line]()
        if not quotient.closed:
            return lines
        wide = max(len(quotient.name(element)) for element in quotient.heaps) + 6
        per = max(rows, -(-self.largest // max(1, columns // (wide + 4))))
        for row in range(per):
            runs: list[Run] = []
            for heap in range(row + 1, self.largest + 1, per):
                here, element = heap == self.at, quotient.name(quotient.heaps[heap])
                lost = " P" if quotient.lost([heap]) else ""
                text = f"{glyphs.cursor if here else ' '}{heap:>3} {element}{lost}"
                runs.append(Run(f"{text:<{wide + 3}}", Ink.PICK if here else Ink.GOOD if lost else Ink.TEXT))
            lines.append(line(*runs))
        top = max(0, min(len(lines) - rows, (self.at - 1) % per - rows // 2))
        return lines[top : top + rows]

    def _sum(self, columns: int, rows: int, glyphs: Glyphs) -> list[Line]:
        quotient = self.quotient
        if not quotient.closed:
            return []
        lines = [line("no heaps: 1, the player to move wins")]
        for heaps in accumulate([[heap] for heap in self.sum]):
            element, lost = (quotient.element(heaps), Ink.STRONG), quotient.lost(heaps)
            ends = f": the player to move {'loses' if lost else 'wins'}", Ink.GOOD if lost else Ink.TEXT
            lines.append(line(f"+ {heaps[-1]} = ", element, ends))
        return lines[-rows:]

    def go(self, by: int) -> None:
        self.at = max(1, min(self.largest, self.at + by))
        self.draw()

    def change(self, by: int) -> None:
        """Change the largest heap, as far as quotients are known or can be computed."""
        largest = self.largest + by
        if largest == len(self.quotients) and largest <= MOST_ALPHABET and self.quotient.closed:
            self.quotients.append(extended(self.rule, self.quotient, words=FEW_WORDS))
        if 1 <= largest < len(self.quotients):
            self.largest = largest
            self.sum = [heap for heap in self.sum if heap <= largest]
            self.at = min(self.at, largest)
        self.draw()

    def add(self) -> None:
        if self.quotient.closed:
            self.sum.append(self.at)
            self.draw()

    def drop(self) -> None:
        self.sum.pop()
        self.draw()

    ROWS: ClassVar[tuple[Command[QuotientPage], ...]] = (
        *family("go", go, ("up,k", "Heap before", "", -1), ("down,j", "Next heap", "", 1), group="heap"),
        *family(
            "change", change, ("left", "Smaller largest heap", "", -1), ("right", "Larger", "", 1), group="largest"
        ),
        Command("enter", "add", "add", "Add the marked heap to the sum", add),
        Command("backspace", "drop", "drop", "Take the last heap away", drop, lambda page: bool(page.sum)),
        Command("escape,Q", "dismiss(None)", "back"),
    )
