"""Paints what a learner thought of one position over time: the move it would have played, its score, and the verdict.

The pictures are those of the learning run that were taken while this screen showed it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from nimtui.learning.atlas import VALUES
from nimtui.learning.evaluate import NOTHING as LOST
from nimtui.learning.evaluate import RIGHT, UNDECIDED, WRONG
from nimtui.report.blocks import Column, Inked, Table, View
from nimtui.report.cells import table_lines
from nimtui.report.lines import BLANK, Ink, Line, cut, line, paragraphs
from nimtui.report.values import NOTHING, Count, Word
from nimtui.ui.kit.terminal.glyphs import Glyphs
from nimtui.ui.kit.widgets.panel import painter
from nimtui.ui.train.position_panel import LONGEST_BAR, SHORTEST_BAR, ShortScore, called, sign_of

WAITING = "What it thought of a position earlier will stand here."


class Picture(NamedTuple):
    """What a learner thought of a position at one moment."""

    games: int
    move: str  # the best-scored ones, at most so many names as fit a column
    score: float
    verdict: int  # see `learning.evaluate`


class ShownPast(NamedTuple):
    """A position over time."""

    position: str
    worth: int  # exact, for the player to move: 1 won, 0 drawn, −1 lost
    pictures: Sequence[Picture]  # in order; the last is of now

    @property
    def text(self) -> str:
        """Say since when it has been right or wrong without a break."""
        last = self.pictures[-1].verdict
        if last == LOST:
            return "Lost: every move loses."
        since = len(self.pictures) - 1
        while since and self.pictures[since - 1].verdict == last:
            since -= 1
        word = {RIGHT: "right", WRONG: "wrong", UNDECIDED: "undecided"}[last]
        if not since:
            return f"It has been {word} in every picture."
        first, before = self.pictures[since].games, self.pictures[since - 1].games
        return f"It has been {word} since game {Count(first)}; after game {Count(before)} it was not."


def verdict_of(scores: np.ndarray, keeps: np.ndarray, worth: int) -> int:
    """Return the verdict on scores of the moves of a position."""
    if worth < 0:
        return LOST
    best = keeps[scores == scores.max()]
    return RIGHT if best.all() else UNDECIDED if best.any() else WRONG


def few(number: int, most: int, changes: Sequence[int]) -> list[int]:
    """Return at most so many places of a sequence: the ends, the newest changes, and others evenly between."""
    if number <= most:
        return list(range(number))
    chosen = {0, number - 1, *changes[-(most - 2) :]} if most > 2 else {number - 1}
    while len(chosen) < most:
        chosen.add(max(range(number), key=lambda place: min(abs(place - other) for other in chosen)))
    return sorted(chosen)


@painter
def paint(columns: int, rows: int, signs: Glyphs, shown: ShownPast | None) -> list[Line]:
    """Paint a strip of verdicts, from the first picture to now, and below it the moves with their scores."""
    if shown is None or not shown.pictures:
        return paragraphs([WAITING], columns, Ink.QUIET)
    pictures = shown.pictures
    head = line(called(shown.position, signs), f" is {VALUES[shown.worth + 1]}")
    strip = tuple(sign_of(each.verdict, signs) for each in pictures[-columns:])
    lines = [head, strip, *paragraphs([signs.plain(shown.text)], columns, Ink.QUIET), BLANK]
    changes = [at for at in range(1, len(pictures)) if pictures[at][1:2] != pictures[at - 1][1:2]]
    places = few(len(pictures), max(1, rows - len(lines) - 1), changes)
    most = max(1.0, *(abs(each.score) for each in pictures))  # a function's values are from −1 to 1

    def bar(at: int, cells: int) -> Line:
        score, half = pictures[at].score, (cells - 1) // 2
        text, zero = signs.signed_bar(score / most, half), (signs.stem, Ink.FRAME)
        blank = " " * (half - len(text) if score < 0 else half)
        return line(blank, (text, Ink.QUIET), zero) if score < 0 else line(blank, zero, (text, Ink.BAR))

    heads = [
        Column("games", lambda at: Count(pictures[at].games)),
        Column("", lambda at: Inked(sign_of(pictures[at].verdict, signs))),
        Column("best", lambda at: Word(signs.plain(pictures[at].move)), left=True),
        Column("score", lambda at: ShortScore(pictures[at].score)),
        Column("", lambda _: NOTHING, left=True, draw=bar, most=2 * LONGEST_BAR + 1, width=SHORTEST_BAR - 1),
    ]
    table = table_lines(Table("", heads, places, lambda at: at, gap=2), columns, rows - len(lines), View(), signs)
    return [cut(each, columns, signs.hidden) for each in (*lines, *table)[:rows]]
