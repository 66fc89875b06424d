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
CLAUSE_END = re.compile(r"[;,.] | \(| · ")


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


def whole_clauses(text: str, width: int) -> str:
    """Return the clauses of the text that fit in `width` cells; the whole text if not even one fits."""
    if cell_len(text) <= width:
        return text
    heads = [text[: match.start()] for match in CLAUSE_END.finditer(text)]
    fit = [head for head in heads if cell_len(head) <= width and head.count("(") == head.count(")")]
    return fit[-1] if fit else text


def fitted(text: str, width: int, hidden: str) -> str:
    """Return the text in exactly `width` cells: padded with spaces, or cut with the sign `hidden` at its end."""
    text = visible(text)
    if cell_len(text) <= width:
        return set_cell_size(text, width)
    return set_cell_size(text, width - 1) + hidden if width > 0 else ""
