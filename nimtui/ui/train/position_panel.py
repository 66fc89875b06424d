"""Paints one position of a table: board, and for every move its score, plays, verdict and history."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import copysign, log1p

from nimtui.games import Game
from nimtui.games.base import Move, State
from nimtui.learning.evaluate import NOTHING, UNDECIDED, WORDS
from nimtui.report.blocks import Column, Table, View
from nimtui.report.cells import table_lines
from nimtui.report.lines import Ink, Line, Run, cut, line, width
from nimtui.report.values import NOTHING as BLANK
from nimtui.report.values import Count, Score, Word, nearest
from nimtui.ui.board import small_board
from nimtui.ui.kit.glyphs import Glyphs

LEVELS = {"unicode": "▁▂▃▄▅▆▇█", "ascii": "_.-~+*%#"}
CELLS = 7  # columns of the history of a score
LONGEST_BAR, SHORTEST_BAR = 20, 4
BROAD = 39  # columns with room for "right?", beside all else
SOME_RIGHT = "only some of its best moves are right"
VERDICT_INKS = (Ink.QUIET, Ink.RIGHT, Ink.WRONG, Ink.OPEN)


@dataclass(frozen=True, slots=True)
class ScoredMove:
    """A move of the position as the table rates it."""

    move: Move
    name: str
    score: float
    visits: int
    keeps: bool  # does the move keep the exact value of the position?
    history: Sequence[float]  # of the score; the last one is the current score


@dataclass(frozen=True, slots=True)
class ShownPosition:
    """A position and its moves, best first."""

    game: Game
    state: State
    name: str
    verdict: int  # see `learning.evaluate`: lost, right, wrong, undecided
    worth: int  # exact, for the player to move: 1 won, 0 drawn, −1 lost
    moves: Sequence[ScoredMove]
    marked: int  # the index of the marked move
    drawn: bool | None = False  # see `learning.table_policy.draws`

    @property
    def claims(self) -> Sequence[str]:
        """What the table does here when it plays, from long to short."""
        if self.verdict == NOTHING:
            return ("lost: every move loses",)
        word, some = WORDS[self.verdict], self.verdict == UNDECIDED
        if self.drawn is False or all(scored.keeps for scored in self.moves):
            return (f"undecided: {SOME_RIGHT}", word) if some else (f"the table plays it {word}",)
        long, short = (SOME_RIGHT, word) if some else (f"its best move is {word}", f"best {word}")
        if self.drawn is None:
            return long, short
        draws = "it draws at random"
        return f"{long}; no score is above 0, so {draws}", f"{long}; {draws}", f"{short}; it draws"


class ShortScore(Score):
    """A score in a narrow panel: '+37,266', '0', '−3'; '+0.53' for a fraction."""

    def size(self, value: float) -> str:
        return super().size(value) if float(value).is_integer() else f"{nearest(value, 2):,.2f}"


class Plays(Count):
    """A count in at most five columns: '412', '37 k', '1.2 M'."""

    def size(self, value: float) -> str:
        for size, unit in ((1_000_000_000, "G"), (1_000_000, "M")):
            if value >= size:
                return f"{value / size:.1f} {unit}" if value < 10 * size else f"{int(value / size)} {unit}"
        return f"{int(value / 1000)} k" if value >= 10_000 else super().size(value)


def spark(values: Sequence[float], signs: Glyphs, cells: int = CELLS) -> str:
    """Return the history of a score, one sign per value, scaled from the lowest to the highest; a line if all equal."""
    levels = LEVELS[signs.name]
    low, high = min(values), max(values)
    if high == low:
        return (signs.rule * len(values)).rjust(cells)
    return "".join(levels[round((value - low) / (high - low) * (len(levels) - 1))] for value in values).rjust(cells)


def paint(shown: ShownPosition | None, columns: int, rows: int, signs: Glyphs) -> list[Line]:
    """Paint the name and verdict, the board if there is room, then one line per move around the marked one."""
    if shown is None:
        return []
    sign = Run(signs.verdicts[shown.verdict], VERDICT_INKS[shown.verdict])
    left, right = signs.mark
    head = line((f"{left}{signs.plain(shown.name) or '-'}{right}", Ink.STRONG), " ", sign, " ")
    said = next((text for text in shown.claims if width(head) + len(text) <= columns), shown.claims[-1])
    head = (*head, Run(said, Ink.QUIET))
    least = min(5, 1 + len(shown.moves))
    high = small_board.height(shown.game, rows - 1 - least)
    if rows >= 20 and high:
        high += 2  # a little air
    move = shown.moves[shown.marked].move if shown.moves else None
    board = small_board.paint(shown.game, shown.state, move, columns, high, signs)
    room = rows - 1 - len(board)
    board += [()] * (high - len(board))
    return [cut(head, columns, signs.hidden), *board, *_moves(shown, columns, rows - 1 - high if high else room, signs)]


def _moves(shown: ShownPosition, columns: int, rows: int, signs: Glyphs) -> list[Line]:
    """Paint the heads of the columns and as many moves as fit, the marked one among them."""
    if rows < 2 or not shown.moves:
        return []
    marked = shown.moves[shown.marked]
    most = max(abs(scored.score) for scored in shown.moves) or 1

    def name(scored: ScoredMove) -> Word:
        return Word(f"{signs.cursor if scored is marked else ' '}{scored.name}")

    def bar(scored: ScoredMove, cells: int) -> str:
        share = copysign(log1p(abs(scored.score)) / log1p(most), scored.score)
        return signs.signed_bar(share, cells).ljust(cells)

    def right(scored: ScoredMove) -> Word:
        return Word(signs.right if scored.keeps else signs.verdicts[0])

    heads = [
        Column(" move", name, left=True),
        Column("score", lambda scored: ShortScore(scored.score), width=6),
        Column("", lambda _: BLANK, left=True, draw=bar, most=LONGEST_BAR, width=SHORTEST_BAR - 1, ink=_bar_ink),
        Column("played", lambda scored: Plays(scored.visits)),
        Column("right?" if columns >= BROAD else signs.right, right, left=True, ink=_right_ink),
        Column("history", lambda scored: Word(spark(scored.history, signs)), rank=1, ink=lambda _: Ink.QUIET),
    ]
    table = Table("", heads, shown.moves, lambda scored: scored.move, gap=1)
    lines = table_lines(table, columns, rows, View(marked.move), signs)[:rows]
    return [cut(each, columns, signs.hidden) for each in lines]


def _bar_ink(scored: ScoredMove) -> Ink:
    return Ink.QUIET if scored.score < 0 else Ink.BAR


def _right_ink(scored: ScoredMove) -> Ink:
    return Ink.RIGHT if scored.keeps else Ink.QUIET
