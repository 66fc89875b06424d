"""Painters of the Library's panels."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from textwrap import wrap

from nimtui.report.lines import Ink, Line, Run, cut, fit, justified, line, paragraphs, width
from nimtui.ui.kit.glyphs import Glyphs
from nimtui.ui.kit.lines import fitted
from nimtui.ui.kit.panel import Paint
from nimtui.ui.kit.typing_line import TypingLine
from nimtui.ui.kit.virtual_list import Rows
from nimtui.ui.library.compare import Compared
from nimtui.ui.library.conductor import LibraryConductor
from nimtui.ui.library.details import LEAST_ROWS
from nimtui.ui.library.shelf import KINDS, Item, Kind, Shelf, day

KIND, DAY, SIZE, NAME = 7, 7, 11, 34  # columns
WIDE, ROOMY = 90, 60  # columns from which a list shows everything at once, all but the names of files
FIGURE = 10  # columns of a figure's label
LONG = {Kind.GAME: "Single games"}  # the games of a tournament are not listed here
BRIEF = {kind: "Tourn." if kind is Kind.TOURNAMENT else kind.many.capitalize() for kind in Kind}
ASKS = {"filter": "Show only", "name": "New name", "file": "Import file", "versions": "Compare versions"}
NOTHING = (
    "Nothing is saved yet.",
    "",
    "Training runs, sweeps and tournaments are saved automatically. Ctrl+S on the Play screen saves a game.",
)
SINGLE = (
    "No single games yet: Ctrl+S on the Play screen saves one.",
    "",
    "For the games of a tournament, open it and press Enter on a cell of its table.",
)


def tabs(shelf: Shelf) -> Paint:
    """Draw the kinds with the number of items of each."""

    def paint(columns: int, rows: int, signs: Glyphs) -> list[Line]:
        choices = [line(*_tabs(shelf, signs, full, counted)) for full, counted in ((True, True), (False, False))]
        fits = next((found for found in choices if width(found) <= columns), choices[-1])
        keys = line((signs.keys("←→ 1–6"), Ink.QUIET))
        if width(fits) + width(keys) + 2 <= columns:
            return [justified(fits, keys, columns)]
        return [cut(fits, columns, signs.hidden)]

    return paint


def _tabs(shelf: Shelf, signs: Glyphs, full: bool, counted: bool) -> Iterator[Run]:
    for kind in KINDS:
        here = kind is shelf.kind
        left, right = signs.mark if here else (" ", " ")
        word = "All" if kind is None else LONG.get(kind, kind.many.capitalize()) if full else BRIEF[kind]
        number = f" {shelf.count(kind):,}" if counted else ""
        yield Run(f"{left}{word}{number}{right}", Ink.STRONG if here else Ink.QUIET)


def listing(conductor: LibraryConductor, now: datetime, take: Callable[[], None]) -> Rows:
    """List the items, under a line that names the columns and the order."""
    shown, at, shelf, marks = conductor.shown, conductor.at, conductor.shelf, conductor.marks

    def paint(places: range, columns: int, signs: Glyphs) -> list[Line]:
        if not shown:
            return _empty(conductor, columns, signs)
        things = (
            _row(shown[place], place == at, shown[place].key in marks, shelf.sort, now, columns, signs)
            for place in places
        )
        return [_head(shelf.sort, columns, signs), *things]

    return Rows(len(shown), at, paint, conductor.go, take)


def _empty(conductor: LibraryConductor, columns: int, signs: Glyphs) -> list[Line]:
    if not conductor.looked:
        return [line(("Reading …", Ink.QUIET))]
    if conductor.shelf.words:
        found = paragraphs([signs.plain(f"No item contains all of: {conductor.shelf.words}")], columns)
        return [*found, (), *paragraphs(["Press esc to show all."], columns, Ink.QUIET)]
    if conductor.shelf.kind is Kind.GAME:
        return paragraphs(SINGLE, columns, Ink.QUIET)
    if conductor.shelf.kind is not None:
        return [line((f"No {conductor.shelf.kind.many} yet.", Ink.QUIET))]
    return [line((part, Ink.QUIET)) for text in NOTHING for part in wrap(text, max(10, columns - 1)) or [""]]


def _wides(sort: str, columns: int) -> tuple[int, int, int, int]:
    """Return the widths of title, file name, size and date; in little room only what the list is sorted by."""
    if columns >= WIDE:
        return columns - 1 - KIND - NAME - SIZE - DAY - 2, NAME, SIZE, DAY
    if columns >= ROOMY:
        return columns - 1 - KIND - SIZE - DAY - 1, 0, SIZE, DAY
    last = SIZE if sort == "size" else DAY
    return columns - 1 - KIND - last - 1, 0, SIZE * (sort == "size"), DAY * (sort != "size")


def _head(sort: str, columns: int, signs: Glyphs) -> Line:
    title, name, size, date = _wides(sort, columns)

    def word(text: str, by: str) -> str:
        return f"{text} {signs.down}" if by == sort else text

    parts = [" " + " " * KIND + fitted(word("what", "name"), title, signs.hidden)]
    if name:
        parts.append(fitted(" file or number", name, signs.hidden))
    if size:
        parts.append(f"{word('size', 'size'):>{size}}")
    if date:
        parts.append(f"{word('date', 'date'):>{date}}")
    return line(("".join(parts), Ink.COLUMN))


def _row(item: Item, here: bool, marked: bool, sort: str, now: datetime, columns: int, signs: Glyphs) -> Line:
    title, name, size, date = _wides(sort, columns)
    sign = signs.cursor if here else signs.best if marked else " "
    what = f"{signs.fault} {item.title}" if item.fault else item.title
    if not name and item.kind is Kind.TOURNAMENT:  # its number has no column of its own
        what = f"{item.place}{f' {item.state}' * bool(item.state)}: {what}"
    elif item.state:
        what = f"{what} · {item.state}"
    cells = [fitted(f"{item.label:<{KIND}}{signs.plain(what)}", KIND + title, signs.hidden)]
    if name:
        cells.append(" " + fitted(signs.plain(item.name), name - 1, signs.hidden))
    if size:
        cells.append(f"{signs.plain(item.measure):>{size}}")
    if date:
        cells.append(f"{day(item.when, now):>{date}}")
    ink = Ink.STRONG if here else Ink.BAD if item.fault else Ink.TEXT
    return line((sign, Ink.STRONG if here or marked else Ink.TEXT), ("".join(cells), ink))


def details(conductor: LibraryConductor, pictured: bool = False) -> Paint:
    """Draw the details of the item under the cursor; `pictured`: with a picture below them, if there is room."""
    item, found = conductor.item, conductor.details

    def paint(columns: int, rows: int, signs: Glyphs) -> list[Line]:
        if item is None:
            return []
        heads = wrap(signs.plain(item.title), columns)[:2]
        lines = [line((text, Ink.STRONG)) for text in heads]
        if found is None:
            return [*lines, line((signs.hidden, Ink.QUIET))]
        if found.fault:
            fault = f"{signs.fault} {signs.plain(found.fault)}"
            lines += [line((part, Ink.BAD)) for part in wrap(fault, columns)]
        if columns >= 2 * FIGURE + 30:  # two columns of figures
            lines += _beside(found.figures, columns, rows - len(lines) - min(3, len(found.lines)), signs)
        else:
            for what, value in found.figures:
                lines += _figure(what, value, columns, signs)
        for text in found.lines:
            first, *more = wrap(signs.plain(text), columns, drop_whitespace=False) or [""]
            lines += [line((part, Ink.TEXT)) for part in (first, *map(str.lstrip, more))]
        room = rows - len(lines) - 2
        if pictured and found.picture is not None and room >= LEAST_ROWS:
            lines += [(), line((found.pictured, Ink.TITLE)), *found.picture(columns, room, signs)]
        return [cut(one, columns, signs.hidden) for one in lines[:rows]]

    return paint


def _figure(what: str, value: str, columns: int, signs: Glyphs) -> list[Line]:
    parts = wrap(signs.plain(value), max(8, columns - FIGURE))[:2] or [""]
    first = line((f"{what:<{FIGURE}}", Ink.QUIET), (parts[0], Ink.TEXT))
    return [first, *(line((" " * FIGURE, Ink.TEXT), (part, Ink.TEXT)) for part in parts[1:])]


def _beside(figures: Sequence[tuple[str, str]], columns: int, rows: int, signs: Glyphs) -> list[Line]:
    """Draw the figures in two columns, a line each."""
    half = (len(figures) + 1) // 2
    if rows >= len(figures):
        return [line for what, value in figures for line in _figure(what, value, columns, signs)]
    wide = columns // 2
    lines = []
    for at in range(half):
        runs: list[Run] = []
        for what, value in figures[at : at + half + 1 : half]:
            runs.append(Run(f"{what:<{FIGURE}}", Ink.QUIET))
            runs.append(Run(fitted(signs.plain(value), wide - FIGURE - 1, signs.hidden) + " ", Ink.TEXT))
        lines.append(line(*runs))
    return lines


def message(conductor: LibraryConductor, typing: TypingLine, asked: str) -> Paint:
    """Draw the line being typed, the last message, or the place in the list."""

    def paint(columns: int, rows: int, signs: Glyphs) -> list[Line]:
        if typing.open:
            return [typing.line(ASKS[asked], columns, signs)]
        if conductor.message:
            return [fit(line(conductor.message), columns, signs)]
        return [_seen(conductor, columns, signs)]

    return paint


def _seen(conductor: LibraryConductor, columns: int, signs: Glyphs) -> Line:
    """Return '3 of 34' and the filter."""
    shelf, shown = conductor.shelf, conductor.shown
    if not shown:
        return ()
    older = f" · {shelf.unlisted:,} older games are not listed" if shelf.unlisted else ""
    left = line((f"{conductor.at + 1:,} of {len(shown):,}{older}", Ink.QUIET))
    right = line((f'only "{signs.plain(shelf.words)}": esc to show all' if shelf.words else "", Ink.QUIET))
    return justified(left, right, columns) if shelf.words else left


def compared(found: Compared, top: int) -> Paint:
    """Draw two columns, from row `top` on, and the sentences below."""

    def paint(columns: int, rows: int, signs: Glyphs) -> list[Line]:
        first = min(30, max(10, *(len(what) + 2 for what, _, _ in found.rows)), columns // 3)
        wide = (columns - first - 2) // 2
        below = [part for text in found.lines for part in wrap(signs.plain(text), columns)]
        room = max(1, rows - len(below) - 2)
        lines = [line((" " * first, Ink.COLUMN), *_pair(found.heads, wide, signs, Ink.COLUMN))]
        for at, (what, left, right) in list(enumerate(found.rows))[top : top + room]:
            differ = at == found.marked
            ink = Ink.BAD if differ else Ink.TEXT
            label = fitted(f"{signs.cursor if differ else ''}{signs.plain(what)}", first, signs.hidden)
            lines.append(line((label, Ink.STRONG if differ else Ink.QUIET), *_pair((left, right), wide, signs, ink)))
        return [*lines, (), *(line((text, Ink.TEXT)) for text in below)][:rows]

    return paint


def _pair(pair: tuple[str, str], wide: int, signs: Glyphs, ink: Ink) -> list[Run]:
    return [Run(fitted(signs.plain(text), wide, signs.hidden) + "  ", ink) for text in pair]


def room_below(found: Compared, columns: int, rows: int) -> int:
    """Return how many rows of a comparison are hidden at most in so many lines."""
    below = sum(len(wrap(text, columns)) for text in found.lines)
    return max(0, len(found.rows) - max(1, rows - below - 2))
