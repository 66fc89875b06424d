"""What goes over the wire to the terminal: only the cells that have changed, as many at a time as the link takes.

Textual sends a region again whenever it is refreshed, even where it looks the same: a dialog that opens is sent three
times, a Tab key costs the whole screen. Here updates are drawn into a picture. It knows which cells the terminal shows,
and sends the others; what changes twice before it is sent is sent once, and a text that was scrolled is moved. That
needs Textual's own kinds of updates, which are private (`textual_parts`): a test compares both ways of drawing.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import TypeAlias

from rich.cells import cell_len
from rich.color import ColorSystem
from textual.geometry import Size
from textual.strip import Strip

from nimtui.signs import visible
from nimtui.ui.kit.terminal.pen import JUMP, PLAIN, Abilities, Look, Pen, Text, look
from nimtui.ui.kit.terminal.textual_parts import ChopsUpdate, CompositorUpdate, LayoutUpdate

Row: TypeAlias = Sequence[Hashable]  # of cells

LEAST = 3  # lines that moved by the same number
FEW = 4  # as often may a line appear to tell where it went
SAVED = 60  # cells: fewer to send are not worth it


def scrolled(shown: Sequence[Row], wanted: Sequence[Row], changed: Sequence[int]) -> tuple[int, int, int] | None:
    """Return the top line, the bottom line and by how many lines to scroll up what lies between (down if negative).

    None where that does not save much. `changed` are the lines that may differ, in order.
    """
    if len(changed) <= LEAST:
        return None
    places: dict[Row, list[int]] = defaultdict(list)
    for y in changed:
        places[tuple(shown[y])].append(y)
    moved = [(y, before - y) for y in changed for before in _few(places.get(tuple(wanted[y]), ()))]
    votes = Counter(by for _, by in moved if by).most_common(1)
    if not votes or votes[0][1] < LEAST:
        return None
    by = votes[0][0]
    ends = [end for y, one in moved if one == by for end in (y, y + by)]
    top, bottom = min(ends), max(ends)
    saved = 0
    for y in range(top, bottom + 1):
        after = shown[y + by] if top <= y + by <= bottom else ()
        saved += _different(shown[y], wanted[y]) - _different(after, wanted[y])
    return (top, bottom, by) if saved >= SAVED else None


def _few(places: Sequence[int]) -> Sequence[int]:
    return places if len(places) <= FEW else ()


def _different(shown: Row, wanted: Row) -> int:
    """Return how many cells have to be sent."""
    return sum(one != other for one, other in zip(shown, wanted, strict=False)) if shown else len(wanted)


Cell: TypeAlias = tuple[str, Look]
Span: TypeAlias = tuple[int, int, int]  # a row, its first and its last (exclusive) column
Piece: TypeAlias = tuple[int, int, Strip]  # x, y and what is written from there on

NOTHING: Cell = ("", PLAIN)  # unknown: differs from every cell that is drawn
AFTER = "\0"  # begins the second cell of a wide sign
STYLE = 11  # about how many bytes: to change the colour of the text
LONGEST = 40  # cells that are sent together where room is short


class Picture:
    """The cells that the terminal should show, and those that it shows."""

    def __init__(self, system: ColorSystem = ColorSystem.TRUECOLOR, abilities: Abilities | None = None) -> None:
        self._system, self._abilities = system, abilities or Abilities()
        self._size = Size(0, 0)
        self._wanted: list[list[Cell]] = []
        self._shown: list[list[Cell]] = []
        self._changed: dict[int, None] = {}  # rows that may differ, in the order in which they changed
        self._urgent: dict[int, None] = {}  # those to be sent first
        self._marked: dict[int, tuple[int, int]] = {}  # row -> the first and last (exclusive) column
        self.hovered: Span | None = None  # what is underlined

    @property
    def pending(self) -> bool:
        """Whether cells may have to be sent."""
        return bool(self._changed or self._urgent)

    @property
    def urgent(self) -> bool:
        """Whether cells have to be sent before others."""
        return bool(self._urgent)

    def forget(self) -> None:
        """Forget the cells, also those not sent yet: another program may have drawn on the terminal."""
        self.resized(Size(0, 0))

    def resized(self, size: Size) -> None:
        """Forget the cells, because a resized terminal may show anything."""
        if size != self._size:
            self._size = size
            self._wanted, self._shown = ([[NOTHING] * size.width for _ in range(size.height)] for _ in range(2))
            self._changed, self._urgent, self._marked, self.hovered = {}, {}, {}, None

    def draw(self, x: int, y: int, strip: Strip, urgent: bool = False) -> None:
        """Draw a strip. What is `urgent` is sent before the rest."""
        if not 0 <= y < len(self._wanted):
            return
        row, drawn = self._wanted[y], cells(strip, self._system)[: max(0, self._size.width - x)]
        if row[x : x + len(drawn)] == drawn:
            return
        row[x : x + len(drawn)] = drawn
        if urgent:
            self._hasten([y])
        elif y not in self._urgent:
            self._changed[y] = None

    def mark(self, spans: dict[int, tuple[int, int]]) -> None:
        """Show these spans reversed, by row, each from its first to its last (exclusive) column; and no others."""
        self._hasten(y for y in self._marked.keys() | spans.keys() if self._marked.get(y) != spans.get(y))
        self._marked = spans

    def _hasten(self, rows: Iterable[int]) -> None:
        """Send these rows before the rest."""
        for y in rows:
            if 0 <= y < len(self._wanted):
                self._changed.pop(y, None)
                self._urgent[y] = None

    def hover(self, span: Span | None) -> bool:
        """Underline the text of this span and of no other; return whether that changes anything."""
        before, self.hovered = self.hovered, span
        if before == span:
            return False
        self._hasten(one[0] for one in (before, span) if one is not None)
        return True

    @property
    def marked_text(self) -> str:
        """The text of the marked spans, a line each, without blanks at its end."""
        return "\n".join(
            "".join(_drawn(self._wanted[y], x) for x in range(begin, min(end, self._size.width))).rstrip()
            for y, (begin, end) in sorted(self._marked.items())
            if 0 <= y < len(self._wanted)
        )

    def _row(self, y: int) -> list[Cell]:
        """Return the cells that a row should show, the marked ones reversed, the hovered ones underlined."""
        begin, end = self._marked.get(y, (0, 0))
        row = self._wanted[y]
        if self.hovered is not None and self.hovered[0] == y:
            _, first, last = self.hovered
            while first < last and row[first][0] == " ":
                first += 1
            while first < last and row[last - 1][0] == " ":
                last -= 1
            row = [*row[:first], *((sign, look.underlined) for sign, look in row[first:last]), *row[last:]]
        if begin >= end:
            return row
        return [*row[:begin], *((sign, look.reversed) for sign, look in row[begin:end]), *row[end:]]

    def frame(self, room: float) -> str:
        """Return what the terminal has to be sent next, of about so many bytes, and count it as shown."""
        pen = Pen(self._abilities, self._size.width)
        if self._urgent and self._abilities.scrolls:
            self._scroll(pen)
        longest = LONGEST if room < self._size.area else self._size.width
        for rows in (self._urgent, self._changed):
            while rows:
                y = next(iter(rows))
                while spans := list(self._differences(y, longest)):  # drawing a wide sign may undo its neighbours
                    for begin, end in spans:
                        if pen.bytes >= room:
                            return pen.frame()
                        self._send(y, begin, end, pen)
                del rows[y]
        return pen.frame()

    def _scroll(self, pen: Pen) -> None:
        """Move lines that the terminal shows already to where they are wanted, if that saves much."""
        moved = scrolled(self._shown, [self._row(y) for y in range(self._size.height)], sorted(self._urgent))
        if moved is None:
            return
        top, bottom, by = moved
        pen.scroll(top, bottom, by)
        part, blank = self._shown[top : bottom + 1], [[NOTHING] * self._size.width for _ in range(abs(by))]
        self._shown[top : bottom + 1] = part[by:] + blank if by > 0 else blank + part[:by]
        self._hasten(range(top, bottom + 1))

    def _differences(self, y: int, longest: int) -> Iterator[tuple[int, int]]:
        """Yield the spans of a row that differ from what the terminal shows, each at most so long."""
        shown, wanted = self._shown[y], self._row(y)
        if shown == wanted:
            return
        begin = end = -1
        for x, cell in enumerate(wanted):
            if shown[x] == cell or cell is NOTHING:
                continue
            if begin >= 0 and (_jumps(wanted[end - 1 : x + 1]) or x - begin >= longest):
                yield begin, end
                begin = x
            elif begin < 0:
                begin = x
            end = x + 1
        if begin >= 0:
            yield begin, end

    def _send(self, y: int, begin: int, end: int, pen: Pen) -> None:
        """Draw the cells of a span, and note them as shown. Wide signs are drawn whole."""
        wanted, shown = self._row(y), self._shown[y]
        if _is_second(wanted, begin):
            begin -= 1
        if end < len(wanted) and _is_second(wanted, end):
            end += 1
        if begin and shown[begin][0][:1] == AFTER:
            shown[begin - 1], pen.fixed = NOTHING, True  # a wide sign loses its second half
        if end < len(shown) and shown[end][0][:1] == AFTER:
            shown[end], pen.fixed = NOTHING, True
        shown[begin:end] = wanted[begin:end]
        x = begin
        while x < end:
            first, (sign, worn) = x, wanted[x]
            text, blank = [], sign == " "
            while x < end and wanted[x][1] is worn and (wanted[x][0] == " ") is blank:
                text.append(_drawn(wanted, x))
                x += 1
            pen.write(Text(first, y, "".join(text), worn, x - first, x == end))


def _is_second(row: list[Cell], x: int) -> bool:
    """Return whether a cell is the second half of the wide sign in the cell before it."""
    return x > 0 and row[x][0][:1] == AFTER and row[x - 1][0] == row[x][0][1:]


def _drawn(row: list[Cell], x: int) -> str:
    """Return what is written for a cell: a sign, nothing for its second half, a space for a lonely half or nothing."""
    sign = row[x][0]
    if sign.isascii() and sign[:1] != AFTER:
        return sign or " "
    if sign[:1] == AFTER:
        return "" if _is_second(row, x) else " "
    return sign if cell_len(sign) < 2 or (x + 1 < len(row) and _is_second(row, x + 1)) else " "


def _jumps(between: list[Cell]) -> bool:
    """Return whether to jump from the first of these cells to the last takes less than to send those between again."""
    if len(between) - 2 > JUMP:
        return True
    again = sum(len(sign.encode()) for sign, _ in between[1:-1])
    looks = [look for sign, look in between if sign != " "] or [PLAIN]
    again += STYLE * sum(one is not other for one, other in pairwise(looks))
    return again > JUMP + STYLE * (looks[0] is not looks[-1])


def cells(strip: Strip, system: ColorSystem) -> list[Cell]:
    """Return the cells of a strip. The second cell of a wide sign differs whenever the sign differs."""
    cells: list[Cell] = []
    for text, style, _ in strip:
        own, blank = look(style, system)
        if text.isascii() or len(text) == cell_len(text):
            cells += [(sign, blank if sign == " " else own) for sign in text]
            continue
        for sign in text:
            width = cell_len(sign)
            if width:
                worn = blank if sign == " " else own
                cells += [(sign, worn)] + [(AFTER + sign, worn)] * (width - 1)
            elif cells:  # it changes the sign before it
                for place in (-2, -1) if cells[-1][0][:1] == AFTER else (-1,):
                    before, worn = cells[place]
                    cells[place] = (before + sign, worn)
    return cells


def pieces(update: CompositorUpdate) -> Iterator[Piece] | None:
    """Return what an update writes, or None for an unknown kind of update."""
    if isinstance(update, LayoutUpdate):
        return _of_layout(update)
    return _of_chops(update) if isinstance(update, ChopsUpdate) else None


def _of_layout(update: LayoutUpdate) -> Iterator[Piece]:
    for y, line in enumerate(update.strips, update.region.y):
        yield update.region.x, y, Strip.join(line)


def _of_chops(update: ChopsUpdate) -> Iterator[Piece]:
    for y, left, right in update.spans:
        for end, (x, strip) in zip(update.chop_ends[y], update.chops[y].items(), strict=False):
            if strip is not None and x <= right and end > left:
                yield x, y, strip if left <= x and end <= right else strip.crop(0, min(end, right) - x)


def sound(strip: Strip) -> Strip:
    """Return the strip without control characters. The last gate: every text should have passed `visible`.

    Its cells stay where they are: a sign without a width is left out, any other becomes a question mark.
    """
    if all(_is_sound(segment.text) for segment in strip):
        return strip
    segments = [
        segment if _is_sound(segment.text) else segment._replace(text="".join(map(_harmless, segment.text)))
        for segment in strip
    ]
    return Strip(segments, strip.cell_length)


def _is_sound(text: str) -> bool:
    return text.isprintable() or visible(text) == text


def _harmless(sign: str) -> str:
    return sign if visible(sign) == sign else "?" * cell_len(sign)
