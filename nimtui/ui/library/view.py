"""Painters of the Library's panels."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from functools import lru_cache

from nimtui.report.blocks import Column, Figure, Figures, Inked, Report, Sentence, Table, View
from nimtui.report.cells import cells
from nimtui.report.lines import BLANK, Ink, Line, Run, beside, clipped, cut, fit, is_gathering, justified, line, width
from nimtui.report.values import Word
from nimtui.ui.kit.terminal.glyphs import Glyphs
from nimtui.ui.kit.widgets.panel import fitted, in_the_middle, painter
from nimtui.ui.kit.widgets.virtual_list import Rows
from nimtui.ui.library.conductor import LibraryConductor
from nimtui.ui.library.details import Details
from nimtui.ui.library.shelf import KINDS, Item, Kind, Shelf, day

KIND, DAY, SIZE, NAME = 6, 7, 10, 33  # columns
WIDE, ROOMY = 90, 60  # columns from which a list shows everything at once, all but the names of files
BROAD = 50  # columns from which few lines show figures in two columns
LEAST_ROWS = 7  # lines of a picture
APART = 3  # columns between two pictures
LONG = {Kind.GAME: "Single games"}  # the games of a tournament are not listed here
BRIEF = {kind: "Tourn." if kind is Kind.TOURNAMENT else kind.many.capitalize() for kind in Kind}
EMPTY = (
    "Nothing is saved yet.",
    "",
    "Training runs, sweeps and tournaments are saved automatically. Ctrl+S on the Play screen saves a game.",
)
NO_PICTURE = "The curve and the map of a run, the last position of a game and the points of a tournament stand here."
SINGLE = (
    "No single games yet: Ctrl+S on the Play screen saves one.",
    "",
    "For the games of a tournament, open it and press Enter on a cell of its table.",
)


@painter
def tabs(columns: int, rows: int, signs: Glyphs, shelf: Shelf) -> list[Line]:
    """Draw the kinds, each with the number of its items where there is room."""

    def tab(at: int, full: bool) -> Run:
        kind = KINDS[at]
        before, right = signs.mark if kind is shelf.kind else (" ", " ")
        word = "All" if kind is None else LONG.get(kind, kind.many.capitalize()) if full else BRIEF[kind]
        number = f" {shelf.count(kind):,}" if full else ""
        return Run(f"{before}{word}{number}{right}", Ink.STRONG if kind is shelf.kind else Ink.QUIET, None, at)

    wide, narrow = (line(*(tab(at, full) for at in range(len(KINDS)))) for full in (True, False))
    tabs_line, right = wide if width(wide) <= columns else narrow, line((signs.keys("←→ 1–6"), Ink.QUIET))
    fits = width(tabs_line) + width(right) + 2 <= columns
    return [justified(tabs_line, right, columns) if fits else cut(tabs_line, columns, signs.hidden)]


def listing(conductor: LibraryConductor, now: datetime, take: Callable[[], None]) -> Rows:
    """List the items, under a line that names the columns and the order."""
    items, at, sort, marks = conductor.shown, conductor.at, conductor.shelf.sort, conductor.marks

    def empty(places: Sequence[int], columns: int, signs: Glyphs) -> list[Line]:
        return cells(Report([Sentence(text, ink=Ink.QUIET) for text in _empty(conductor)]), columns, signs=signs)

    def table(places: Sequence[int], columns: int, signs: Glyphs) -> Table:
        roomy, wide = columns >= ROOMY, columns >= WIDE

        def label(item: Item) -> Inked:
            sign, own = (signs.best, Ink.STRONG) if item.key in marks else (" ", ink(item))
            return Inked((f"{sign}{item.label:<{KIND}}", own))

        def what(item: Item) -> str:
            state = item.state and f"{' ' if item.kind is Kind.TOURNAMENT and not wide else ' · '}{item.state}"
            if item.kind is Kind.TOURNAMENT and not wide:  # its number has no column of its own
                return f"{item.place}{state}: {item.title}"
            return f"{signs.fault} {item.title}" if item.fault else item.title + state

        def ink(item: Item) -> Ink:
            return Ink.WHERE if item is items[at] else Ink.BAD if item.fault else Ink.TEXT

        def filled(item: Item, room: int) -> str:
            return fitted(signs.plain(what(item)), room, signs.hidden)

        heads = [
            Column("", label),
            Column("what", lambda item: Word(what(item)), "name", left=True, draw=filled, most=columns),
        ]
        if wide:
            longest = max(NAME, columns // 2 - 12)
            heads.append(Column("file or number", lambda item: Word(clipped(item.name, longest)), left=True))
        if roomy or sort == "size":
            heads.append(Column("size", lambda item: item.measure, "size", width=SIZE))
        if roomy or sort != "size":
            heads.append(Column("date", lambda item: Word(day(item.when, now)), "date", width=DAY))
        return Table("", heads, [items[place] for place in places], gap=1, ink=ink)

    def sort_by(column: str) -> None:
        conductor.turn(replace(conductor.shelf, sort=column))

    if not items:
        return Rows(0, 0, empty, conductor.go)
    return Rows.of_table(len(items), at, table, conductor.go, View(id(items[at]), sort), sort=sort_by, take=take)


def _empty(conductor: LibraryConductor) -> tuple[str, ...]:
    """Say why nothing is listed."""
    shelf = conductor.shelf
    if not conductor.looked:
        return ("Reading …",)
    if shelf.words:
        return f"No item contains all of: {shelf.words}", "", "Press esc to show all."
    if shelf.kind is Kind.GAME:
        return SINGLE
    return EMPTY if shelf.kind is None else (f"No {shelf.kind.many} yet.",)


@painter
def details(columns: int, rows: int, signs: Glyphs, conductor: LibraryConductor, pictured: bool = False) -> list[Line]:
    """Draw the details of the item under the cursor; `pictured`: with a picture below them, if there is room."""
    item, draw = conductor.item, _details.__wrapped__ if is_gathering() else _details
    return [] if item is None else draw(item.title, conductor.details, columns, rows, signs, pictured)


@painter
def picture(columns: int, rows: int, signs: Glyphs, conductor: LibraryConductor, whole: bool = True) -> list[Line]:
    """Draw the picture of the item under the cursor, in a box of its own; `whole`: and further ones beside it."""
    found = conductor.details
    if found is None or not (pictures := found.pictures):
        text = "" if conductor.item is None or found is None else NO_PICTURE
        return in_the_middle(text, columns, rows, signs)
    abreast = [[each] for each in pictures[:2]] + [pictures[2:]] * bool(pictures[2:])  # the others in one column
    shares = (4, 6, 5) if len(abreast) == 3 else (1,) * len(abreast)  # lists in the middle need the most
    widths, blocks = [columns * share // sum(shares) for share in shares], list[list[Line]]()
    for stacked, wide in zip(abreast if whole else abreast[:1], widths, strict=False):
        block: list[Line] = []
        for at, (title, drawn) in enumerate(stacked):
            head = [] if not blocks else [line((signs.plain(title), Ink.STRONG))]
            room = (rows - 1) * (at + 1) // len(stacked) - len(block)
            lines = [*head, *drawn(wide - APART, room - len(head), signs), *[BLANK] * room]
            block += [cut(each, wide - 1, signs.hidden) for each in lines[:room]]
        blocks.append(block)
    if pictures[1:] and not whole:
        blocks.append([line((f"reading {signs.hidden}", Ink.QUIET))])
    return [line((signs.plain(pictures[0][0]), Ink.TITLE)), *beside(blocks, widths[: len(blocks)])]


@lru_cache(maxsize=8)  # a key draws the same again
def _details(
    title: str, contents: Details | None, columns: int, rows: int, signs: Glyphs, pictured: bool
) -> list[Line]:
    lines = cells(Report([Sentence(title, ink=Ink.STRONG)]), columns, signs=signs)[:2]
    if contents is None:
        return [*lines, line((signs.hidden, Ink.QUIET))]
    for block in contents.report.blocks:
        if isinstance(block, Figures) and columns >= BROAD and rows < len(block.rows) + 3:
            lines += _in_pairs(block.rows, columns, signs)
        else:
            lines += cells(Report([block]), columns, rows - len(lines), signs=signs)
    room = rows - len(lines) - 2
    if pictured and contents.pictures and room >= LEAST_ROWS:
        title, drawn = contents.pictures[0]
        lines += [(), line((title, Ink.TITLE)), *drawn(columns, room, signs)]
    return [cut(one, columns, signs.hidden) for one in lines[:rows]]


def _in_pairs(figures: Sequence[Figure], columns: int, signs: Glyphs) -> list[Line]:
    """Return figures in two columns, a line each; the first one takes what the other leaves."""
    half = (len(figures) + 1) // 2
    first, second = (cells(Report([Figures(part)]), signs=signs) for part in (figures[:half], figures[half:]))
    wide = max(columns // 2, min(max(map(width, first)) + 2, columns - max(map(width, second))))
    return beside([[cut(each, wide - 1, signs.hidden) for each in first], second], [wide, columns - wide])


@painter
def message(columns: int, rows: int, signs: Glyphs, conductor: LibraryConductor) -> list[Line]:
    """Draw the last message, or the place in the list and the filter."""
    shelf, items = conductor.shelf, conductor.shown
    if conductor.message or not items:
        return [fit(line(conductor.message), columns, signs)]
    older = f" · {shelf.unlisted:,} older games are not listed" if shelf.unlisted else ""
    place = line((f"{conductor.at + 1:,} of {len(items):,}{older}", Ink.QUIET))
    right = line((f'only "{signs.plain(shelf.words)}": esc to show all', Ink.QUIET))
    return [justified(place, right, columns) if shelf.words else place]
