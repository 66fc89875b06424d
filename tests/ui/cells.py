"""A small terminal, to see what a test has sent it."""

from __future__ import annotations

import pyte
from textual.geometry import Size


class Terminal:
    """A terminal that shows what it is sent, erased cells with the ground that is set."""

    def __init__(self, size: Size) -> None:
        self._size = size
        self._screen = pyte.Screen(size.width, size.height)
        self._screen.reset_mode(pyte.modes.DECAWM)
        self._stream = pyte.Stream(self._screen)

    def gets(self, text: str) -> None:
        self._stream.feed(text)

    @property
    def seen(self) -> list[list[tuple[object, ...]]]:
        """What is seen of each cell."""
        return [[seen(self._screen.buffer[y][x]) for x in range(self._size.width)] for y in range(self._size.height)]


def seen(cell: pyte.screens.Char) -> tuple[object, ...]:
    """What is seen of a cell: a blank shows its text only if that is underlined, reversed or struck out."""
    lines = (cell.underscore, cell.reverse, cell.strikethrough)
    hidden = cell.data == " " and not any(lines)
    return (cell.data, cell.bg, *lines, *(() if hidden else (cell.fg, cell.bold, cell.italics)))
