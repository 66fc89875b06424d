"""Lines of text drawn by cell: few segments, so few bytes on the wire."""

from __future__ import annotations

from collections.abc import Iterable

from rich.cells import cell_len, set_cell_size
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from nimtui.report.lines import up_to_a_gap
from nimtui.signs import visible

Part = tuple[str, Style]


def strip(parts: Iterable[Part], width: int, rest: Style) -> Strip:
    """Return a line of `width` cells: the parts, then blanks in the style `rest`. Merges parts of one style."""
    segments: list[Segment] = []
    room = width
    for foreign, style in (*parts, (" " * width, rest)):
        text = visible(foreign)
        length = cell_len(text)
        if length > room:
            text, length = set_cell_size(text, room), room
        if not length:
            continue
        room -= length
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
