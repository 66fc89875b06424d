"""A recorded training as a moving picture: the map of the positions after more and more games."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from importlib import resources
from itertools import chain
from typing import NamedTuple

from textual.timer import Timer

from nimtui.report.lines import BLANK, Ink, Line, inked, line, width
from nimtui.report.values import Named
from nimtui.ui.kit.contract.shell import is_calm
from nimtui.ui.kit.terminal.glyphs import Glyphs
from nimtui.ui.kit.widgets.panel import Panel

PAUSE = 0.7  # seconds per frame
INKS = (Ink.QUIET, Ink.RIGHT, Ink.WRONG, Ink.OPEN)  # lost, right, wrong, undecided
WORDS = ("right", "wrong", "undecided")  # in each position the moves differ in their result
TILES = "·▒█▓"  # the same as areas: what is wrong stands out, whatever the colours
LARGEST, HIGHEST = 6, 3  # columns and lines of a position, with what is free beside and below it
PARTS = (1, 2, 3)  # of the map below each other, so that positions are about as wide as they are high


class Frame(NamedTuple):
    """The map after so many games."""

    games: int
    right: int
    of: int
    rows: tuple[str, ...]  # a digit per position: its verdict


class Preview(Panel):
    """Shows the frames one after the other, the last one for good."""

    _at = 0
    _timer: Timer | None = None

    def on_mount(self) -> None:
        self.fill(self._painted)

    def play(self) -> None:
        """Show the next frame, unless the picture is hidden; the last one at once if nothing shall move."""
        if self._timer is not None or not self.size.area or self._at == len(frames()) - 1:
            return
        if is_calm(self):
            self._at = len(frames()) - 1
        else:
            self._timer = self.set_timer(PAUSE, self._next)
        self.draw()

    def _next(self) -> None:
        self._timer = None
        if self.screen in self.app.screen_stack:  # below a dialog, too
            self._at += 1
            self.play()
            self.draw()

    def on_resize(self) -> None:
        self.play()

    def _painted(self, columns: int, rows: int, signs: Glyphs) -> list[Line]:
        frame = frames()[self._at]
        title = line(
            ("Example: learning Connect Four from nothing; positions solved exactly, the first moves left", Ink.TITLE)
        )
        maps = [_folded(frame.rows, parts) for parts in PARTS]
        rooms = [
            (columns // len(parts[0][0]), (rows - 2 - len(parts) * (len(parts) > 1)) // sum(map(len, parts)))
            for parts in maps
        ]
        at = max(range(len(maps)), key=lambda at: min(rooms[at][0], 2 * rooms[at][1]))
        folded, across, down = maps[at], min(LARGEST, rooms[at][0]), min(HIGHEST, rooms[at][1])
        large = across > 1
        marks = TILES if large and signs.parts else signs.verdicts
        after = f"after {Named(frame.games, 'game', 'games')}  {frame.right} of {frame.of} right"
        legend = [((f"   {marks[at]}", INKS[at]), (f" {word}", Ink.QUIET)) for at, word in enumerate(WORDS, 1)]
        down = max(1, down) if large else 1
        picture = list[Line]()
        for number, part in enumerate(folded, 1):
            head = f"part {number} of {len(folded)}: {'later' if number > 1 else 'the first'} moves"
            picture += [line((head, Ink.QUIET))] * (len(folded) > 1)
            picture += (row for digits in part for row in _positions(digits, marks, max(1, across), down))
        gap = [BLANK] * (picture[-1] != BLANK and len(picture) + 3 <= rows)
        lines = [*picture, *gap, line((after, Ink.STRONG), *chain(*legend))]
        left, above = large * (columns - max(map(width, picture))) // 2, large * max(0, rows - 1 - len(lines)) // 2
        return [title, *[BLANK] * above, *(line(" " * left, *each) for each in lines)][: rows + 1]


def _folded(rows: Sequence[str], parts: int) -> list[list[str]]:
    """Return the rows of each of so many parts of a map, the left one first."""
    wide = -(-max(map(len, rows)) // parts)
    return [[row[at : at + wide].ljust(wide) for row in rows] for at in range(0, parts * wide, wide)]


def _positions(digits: str, marks: Sequence[str], across: int, down: int) -> Iterator[Line]:
    """Yield a row of the map: each position so many columns wide and lines high, the last ones free."""
    letters = str.maketrans({str(at): sign for at, sign in enumerate(marks)})
    spread = "".join((digit * max(1, across - 1)).ljust(across) for digit in digits)
    row = inked(spread.translate(letters), [int(digit) if digit != " " else 0 for digit in spread], INKS)
    yield from [row] * max(1, down - 1)
    yield from [BLANK] * (down > 1)


@cache
def frames() -> tuple[Frame, ...]:
    """Return all frames."""
    text = (resources.files("nimtui.ui.board") / "preview.txt").read_text("utf-8")
    frames = []
    for frame in text.split("\n\n"):
        head, *rows = frame.strip("\n").split("\n")
        games, right, of = map(int, head.split())
        frames.append(Frame(games, right, of, tuple(rows)))
    return tuple(frames)
