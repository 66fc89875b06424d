"""Two pages about the heaps of a game: their values in rows as long as the period, and their misère quotient."""

from __future__ import annotations

from itertools import accumulate
from typing import Any, ClassVar

from textual.app import ComposeResult

from nimtui.report.lines import Ink, Line, Run, line, paragraphs
from nimtui.theory.quotient import FEW_WORDS, quotients
from nimtui.theory.quotient_report import kind, not_closed
from nimtui.theory.sequence import MOST_MISERE_SPLITS, OneHeap
from nimtui.theory.sequence_report import across, sentences, signs
from nimtui.ui.kit.contract.command import Command, family
from nimtui.ui.kit.terminal.glyphs import Glyphs
from nimtui.ui.kit.widgets.page import Page
from nimtui.ui.kit.widgets.panel import Panel

FIRST_HEAPS, MOST_HEAPS = 250, 1_000  # a second of work; the command `nimtui sequence` goes further
LEAST_WIDTH = 2
FIRST_ALPHABET, MOST_ALPHABET = 12, 40
FAR = 100_000  # more lines than there are
DIFFERS = "*"


class SequencePage(Page[None], place="sequence"):
    """Shows the values of heaps 0, 1, 2, … in rows. With the period as the width, equal columns show it."""

    BINDING_GROUP_TITLE = "Sequence"
    HELP = (
        "Shows the value of each heap, in rows as long as the period: then every column repeats one value. The keys "
        "left and right make rows shorter or longer, p takes the period again. A star follows a value that differs "
        "from the one a period further on.\n\nType a number to search for this value; Enter goes to the next heap "
        "that has it. + doubles the heaps, m switches between normal and misère play, Q shows the misère quotient.\n\n"
        "The command nimtui sequence goes further, and names the proof."
    )

    def __init__(self, heap: OneHeap) -> None:
        super().__init__()
        self.heap, self.to, self.wanted, self.at = heap, FIRST_HEAPS, "", -1
        self._top, self._width = 0, 0
        self._compute(heap, self.to)

    def content(self) -> ComposeResult:
        yield Panel(id="known", classes="box").headed("What is known")
        yield Panel(id="values", classes="box -focus").headed(self.heap.title)

    def _compute(self, heap: OneHeap, to: int) -> None:
        """Take the values of these heaps; of misère play with splits, which are slow, only the first ones."""
        self.to = min(to, MOST_MISERE_SPLITS) if heap.misere and heap.splits else to
        self.heap, self.sequence, self.at = heap, heap.values(self.to), -1
        self.texts = signs(self.sequence)
        self.cell = max(map(len, self.texts)) + 2

    def draw(self) -> None:
        self.query_one("#known", Panel).fill(
            lambda columns, rows, glyphs: paragraphs(sentences(self.sequence, self.to), columns)[:rows]
        )
        self.query_one("#values", Panel).headed(self.heap.title).fill(self._paint)

    def _paint(self, columns: int, rows: int, glyphs: Glyphs) -> list[Line]:
        label = len(str(self.to)) + 2
        wide = self._wide(columns - label)
        starts = range(0, len(self.texts), wide)
        self._top = max(0, min(self._top, len(starts) - rows + 1))
        search = f" · search {self.wanted}, Enter the next" if self.wanted else ""
        head = line((f"{wide} in a row{' = the period' if wide == self._period else ''}{search}", Ink.QUIET))
        some = starts[self._top : self._top + rows - 1]
        return [head, *(self._row(start, wide, label) for start in some)]

    def _wide(self, room: int) -> int:
        """Return the values of a row: those that were chosen, else the period if it fits."""
        most = max(LEAST_WIDTH, room // self.cell)
        self._width = min(self._width, most)
        return self._width or across(self.sequence, room, self.cell)

    @property
    def _period(self) -> int:
        return 0 if self.sequence.period is None else self.sequence.period.length

    def _row(self, start: int, wide: int, label: int) -> Line:
        runs = [Run(f"{start:>{label - 2}}  ", Ink.QUIET)]
        for number in range(start, min(start + wide, len(self.texts))):
            text, later = self.texts[number], number + self._period
            differs = self._period and later < len(self.texts) and text != self.texts[later]
            ink = Ink.CURSOR if number == self.at else Ink.PICK if text == self.wanted else Ink.TEXT
            runs.append(Run(text + (DIFFERS if differs else ""), Ink.WRONG if differs and ink is Ink.TEXT else ink))
            runs.append(Run(" " * (self.cell - len(text) - bool(differs)), Ink.TEXT))
        return line(*runs)

    def _room(self) -> int:
        return self.query_one("#values", Panel).size.width - len(str(self.to)) - 2

    def go(self, by: int) -> None:
        self._top += by
        self.draw()

    def widen(self, by: int) -> None:
        most = max(LEAST_WIDTH, self._room() // self.cell)
        self._width = max(LEAST_WIDTH, min(most, self._wide(self._room()) + by))
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
        places = [number for number, text in enumerate(self.texts) if text == self.wanted]
        if not places:
            self.notify(f"no heap up to {self.to:,} has the value {self.wanted}")
            return
        self.at = next((number for number in places if number > self.at), places[0])
        rows = max(2, self.query_one("#values", Panel).size.height - 1)
        line_of = self.at // self._wide(self._room())
        if not self._top <= line_of < self._top + rows:
            self._top = line_of - rows // 2
        self.draw()

    def more(self) -> None:
        """Show twice as many heaps."""
        if 2 * self.to > MOST_HEAPS or self.to == MOST_MISERE_SPLITS:
            self.notify(f"nimtui sequence {self.heap.name} --to N goes further")
            return
        self._compute(self.heap, 2 * self.to)
        self.draw()

    def turn(self) -> None:
        """Switch between normal and misère play."""
        self._compute(self.heap.turned(), FIRST_HEAPS)
        self.draw()

    def open_quotient(self) -> None:
        self.app.push_screen(QuotientPage(self.heap))

    ROWS: ClassVar[tuple[Command[SequencePage], ...]] = (
        *family("go", go, ("up,k", "Row above", "", -1), ("down,j", "Row below", "", 1), group="rows"),
        *family("go", go, ("pageup", "Page up", "", -10), ("pagedown,space", "Page down", "", 10)),
        *family("go", go, ("home", "First", "", -FAR), ("end", "Last", "", FAR)),
        *family("widen", widen, ("left", "Shorter rows", "", -1), ("right", "Longer rows", "", 1), group="width"),
        Command("p", "align", "period", "Rows as long as the period", align),
        *family("type", type, *((str(digit), "Search", "", digit) for digit in range(10))),
        Command("enter", "find", "next", "Go to the next heap with this value", find, lambda page: bool(page.wanted)),
        Command("escape", "unsearch", "end search", "", unsearch, lambda page: bool(page.wanted)),
        Command("plus,equals_sign", "more", "more heaps", "Show twice as many heaps", more),
        Command("m", "turn", "misère", "Switch between normal and misère play", turn),
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
        self.heap, self.rule, self.sum, self.at = heap, heap.rule, list[int](), 1
        self.quotients = quotients(heap.rule, FIRST_ALPHABET, words=FEW_WORDS)
        self.largest = len(self.quotients) - 1

    @property
    def quotient(self) -> Any:
        return self.quotients[self.largest]

    def content(self) -> ComposeResult:
        yield Panel(id="known", classes="box").headed("Quotient")
        yield Panel(id="heaps", classes="box -focus").headed("Heaps")
        yield Panel(id="sum", classes="box").headed("Sum")

    def draw(self) -> None:
        for name, paint in (("known", self._known), ("heaps", self._heaps), ("sum", self._sum)):
            self.query_one(f"#{name}", Panel).fill(paint)

    def _known(self, columns: int, rows: int, glyphs: Glyphs) -> list[Line]:
        quotient = self.quotient
        head = line((f"Misère quotient of {self.heap.rule.title}, heaps up to {self.largest}", Ink.TITLE))  # type: ignore[union-attr]
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
        wide = max(map(len, (quotient.name(element) for element in quotient.heaps)), default=1) + 6
        each = max(1, columns // (wide + 4))
        per = max(rows, -(-self.largest // each))
        if not quotient.closed:
            return lines
        for row in range(per):
            runs: list[Run] = []
            for heap in range(row + 1, self.largest + 1, per):
                here, element = heap == self.at, quotient.name(quotient.heaps[heap])
                lost = " P" if quotient.lost([heap]) else ""
                text = f"{glyphs.cursor if here else ' '}{heap:>3} {element}{lost}"
                runs.append(Run(f"{text:<{wide + 3}}", Ink.PICK if here else Ink.GOOD if lost else Ink.TEXT))
            lines.append(line(*runs))
        top = max(0, min(len(lines) - rows, (self.at - 1) % per - rows // 2)) if per else 0
        return lines[top : top + rows]

    def _sum(self, columns: int, rows: int, glyphs: Glyphs) -> list[Line]:
        quotient = self.quotient
        if not quotient.closed:
            return []
        lines = [line("no heaps: 1, the player to move wins")]
        for heaps in accumulate([[heap] for heap in self.sum]):
            element, lost = quotient.element(heaps), quotient.lost(heaps)
            verb = "loses" if lost else "wins"
            lines.append(
                line(
                    f"+ {heaps[-1]} = ",
                    (element, Ink.STRONG),
                    (f": the player to move {verb}", Ink.GOOD if lost else Ink.TEXT),
                )
            )
        return lines[-rows:]

    def go(self, by: int) -> None:
        self.at = max(1, min(self.largest, self.at + by))
        self.draw()

    def change(self, by: int) -> None:
        """Change the largest heap, as far as quotients are known or can be computed."""
        largest = self.largest + by
        if largest == len(self.quotients) and largest <= MOST_ALPHABET and self.quotient.closed:
            self.quotients = quotients(self.rule, largest, words=FEW_WORDS)
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
