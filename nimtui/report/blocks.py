"""A report: what a result says, as blocks of values. Nothing here knows a screen, a pipe or JSON."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from nimtui.report.lines import Ink, Line, Run, line, plain_text
from nimtui.report.values import Value


class Inked(Value):
    """Words in an ink of their own, or in several: a verdict, a name behind its mark."""

    __slots__ = ("line",)

    def __init__(self, *parts: Run | tuple[str, Ink]) -> None:
        self.line = line(*parts)

    @property
    def text(self) -> str:
        return plain_text(self.line)


@dataclass(frozen=True, slots=True)
class Heading:
    """The name of what follows."""

    text: str


@dataclass(frozen=True, slots=True)
class Sentence:
    """One or more sentences, and the facts that they are made from, which a document keeps instead of them."""

    text: str
    facts: Mapping[str, Any] = field(default_factory=dict)
    ink: Ink = Ink.TEXT


@dataclass(frozen=True, slots=True)
class Facts:
    """Keys of a document that nobody else sees."""

    keys: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Gap:
    """An empty line, where there is room for one."""


@dataclass(frozen=True, slots=True)
class Words:
    """Lines that stay as they are: a board, a drawing in signs. `spoken` is said instead of them."""

    lines: Sequence[str]
    spoken: str = ""
    key: str = ""
    ink: Ink = Ink.TEXT


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure: its label, its value, its key in a document ('': none), and what explains it."""

    label: str
    value: Value
    key: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Figures:
    """Figures below each other; `right` aligns the values to the right, so that their digits stand in columns."""

    rows: Sequence[Figure]
    right: bool = False
    width: int = 0  # of the labels, at least: values stand where those of the report before did


@dataclass(frozen=True, slots=True)
class Column:
    """One column. `value` is asked for the rows that are shown, not for all: a table may have millions.

    `rank` 0 is always shown, the others from the lowest up, as far as there is room. `key` is its name in a document
    ('': none keeps it); without a `head` of its own only documents have it (None). `width` keeps it steady while rows
    scroll. A column that is `joined` stays with the one before it. `brief` is the head of a narrow column. `spoken` is
    said before its values, the head by default. `draw` draws a value in the cells that are left, at most `most`; with a
    `width` the head is cut to them. Without an `ink` a column has that of the row.
    """

    head: str | None
    value: Callable[[Any], Value]
    key: str = ""
    rank: int = 0
    left: bool = False
    width: int = 0
    joined: bool = False
    brief: str = ""
    spoken: str | None = None
    ink: Ink | Callable[[Any], Ink] | None = None
    head_ink: Ink = Ink.COLUMN
    draw: Callable[[Any, int], str | Line] | None = None
    most: int = 60


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of a result, and what the columns say of each. `name` tells what a row stands for: a cursor marks that.

    `rank` puts the highest row first, where a person reads; a document keeps the order of `rows`. Where nothing limits
    the columns, as in a pipe, it takes at most `wide` of them (0: as many as it needs). `ink` is that of a row.
    """

    key: str
    columns: Sequence[Column]
    rows: Sequence[Any]
    name: Callable[[Any], Hashable] = id
    gap: int = 3
    rank: Callable[[Any], Any] | None = None
    wide: int = 0
    ink: Callable[[Any], Ink] | None = None

    @property
    def shown(self) -> list[Column]:
        """The columns that a person sees: those with a head."""
        return [column for column in self.columns if column.head is not None]

    @property
    def ranked(self) -> Sequence[Any]:
        """The rows in the order in which a person reads them."""
        return self.rows if self.rank is None else sorted(self.rows, key=self.rank, reverse=True)


@dataclass(frozen=True, slots=True)
class Group:
    """Blocks whose keys are one value of the document: a document within it."""

    key: str
    blocks: Sequence[Block]


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture that is drawn by hand from the figures of a table: documents and speech take the table."""

    table: Table
    draw: Callable[[int, int | None], Sequence[Any]]


Block: TypeAlias = Heading | Sentence | Facts | Gap | Words | Figures | Table | Group | Picture


@dataclass(frozen=True, slots=True)
class Report:
    """A result, told once."""

    blocks: Sequence[Block]


@dataclass(frozen=True, slots=True)
class View:
    """How a person looks at a table: belongs to the screen. A key changes it and not the report."""

    cursor: Hashable | None = None
    sorted_by: str = ""
    sign: str = ""  # of the cursor, before the first column; '': none
    down: str = ""  # before the head of the column by which the rows are sorted
    clicked: bool = False  # does a click act on a row, or on the head of a column with a key?
