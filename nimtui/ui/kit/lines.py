"""Lines of text drawn by cell: few segments, so few bytes on the wire."""

from __future__ import annotations

import re
from collections.abc import Iterable

from rich.cells import cell_len, set_cell_size
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from nimtui.foreign.signs import visible

Part = tuple[str, Style]
CLAUSE, WORD = re.compile(r"[.;:,] | · | – "), re.compile(r"\s+")  # where a line may be cut, the better place first
CLAUSES, WORDS = 0.6, 0.4  # of the room, which a line cut there fills at least
IN_NUMBER = re.compile(r"[\d.,]\d|\d[.,]")


def strip(parts: Iterable[Part], width: int, rest: Style) -> Strip:
    """Return a line of `width` cells: the parts, then blanks in the style `rest`. Merges parts of one style."""
    segments: list[Segment] = []
    left = width
    for foreign, style in (*parts, (" " * width, rest)):
        text = visible(foreign)
        length = cell_len(text)
        if length > left:
            text, length = set_cell_size(text, left), left
        if not length:
            continue
        left -= length
        if segments and segments[-1].style == style:
            text = segments.pop().text + text
        segments.append(Segment(text, style))
    return Strip(segments, width)


def fitted(text: str, width: int, hidden: str) -> str:
    """Return the text in exactly `width` cells, padded with spaces; or cut after a word, with the sign `hidden`."""
    text = visible(text)
    if cell_len(text) > width > 0:
        text = text[: up_to_a_gap(text, width - 1)] + hidden
    return set_cell_size(text, max(0, width))


def up_to_a_gap(text: str, room: int) -> int:
    """Return how many characters of the text are shown in `room` cells: up to a clause or a word.

    A long word that would leave most of the room empty is cut, but never within a number.
    """
    most = next(at for at in range(min(len(text), room), -1, -1) if cell_len(text[:at]) <= room)
    for gap, least in ((CLAUSE, CLAUSES * most), (WORD, WORDS * most)):
        gaps = [found for found in gap.finditer(text, 0, most + 2) if found.start() <= most and found.end() >= least]
        if gaps:
            return min(gaps[-1].end(), most)
    return next((at for at in range(most, 0, -1) if not IN_NUMBER.fullmatch(text[at - 1 : at + 1])), 0)
