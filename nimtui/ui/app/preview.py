"""The picture of the start screen: a table of scores that learns the tower, as the tour shows it.

`preview.txt` holds the real verdicts of that training (`python -m tests.preview`), because the start screen loads
neither the engine nor numpy. It is shown once, game by game, and then stands still: an idle screen sends nothing.
"""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import NamedTuple

from textual.timer import Timer

from nimtui.report.lines import BLANK, Ink, Line, inked, line
from nimtui.ui.kit.glyphs import Glyphs
from nimtui.ui.kit.panel import Panel
from nimtui.ui.kit.shell import shell

PAUSE = 0.7  # seconds per frame
INKS = (Ink.QUIET, Ink.RIGHT, Ink.WRONG, Ink.OPEN)  # lost, right, wrong, undecided
WORDS = ("lost", "right", "wrong", "undecided")


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
        app = shell(self)
        if self._timer is not None or not self.size.area or self._at == len(frames()) - 1:
            return
        if app.slow or app.link_is_slow or not app.settings.animation:
            self._at = len(frames()) - 1
        else:
            self._timer = self.set_timer(PAUSE, self._next)
        self.draw()

    def _next(self) -> None:
        self._timer = None
        if self.screen.is_current:
            self._at += 1
            self.play()
            self.draw()

    def on_resize(self) -> None:
        self.play()

    def _painted(self, columns: int, rows: int, signs: Glyphs) -> list[Line]:
        shown = frames()[self._at]
        letters = str.maketrans({str(at): sign for at, sign in enumerate(signs.verdicts)})
        title = line(("A table of scores learns the tower: every position, the end of the game first", Ink.TITLE))
        picture = [
            inked(row.translate(letters), [int(digit) if digit != " " else 0 for digit in row], INKS)
            for row in shown.rows
        ]
        after = f"after {shown.games:,} games  {shown.right} of {shown.of} right"
        legend = [
            part
            for at, word in enumerate(WORDS)
            for part in ((f"   {signs.verdicts[at]}", INKS[at]), (f" {word}", Ink.QUIET))
        ]
        return [title, *picture, BLANK, line((after, Ink.STRONG), *legend)][: rows + 1]


@cache
def frames() -> tuple[Frame, ...]:
    """Return all frames."""
    text = (resources.files("nimtui.ui.app") / "preview.txt").read_text("utf-8")
    found = []
    for frame in text.split("\n\n"):
        head, *rows = frame.strip("\n").split("\n")
        games, right, of = map(int, head.split())
        found.append(Frame(games, right, of, tuple(rows)))
    return tuple(found)
