"""Paints one position of a table: board, and for every move its score, plays, verdict and history."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import copysign, log1p

from nimtui.games import Game
from nimtui.games.base import Move, State
from nimtui.learning.evaluate import NOTHING, UNDECIDED, WORDS
from nimtui.report.lines import Ink, Line, Run, cut, line, width
from nimtui.ui.board import small_board
from nimtui.ui.kit.glyphs import Glyphs

LEVELS = {"unicode": "▁▂▃▄▅▆▇█", "ascii": "_.-~+*%#"}
CELLS = 7  # columns of the history of a score
LONGEST_BAR, SHORTEST_BAR = 20, 4
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


def number(score: float) -> str:
    """Return '+37,266', '0' or '−3'; '+0.53' for a fraction."""
    if isinstance(score, float) and not score.is_integer():
        return f"{score:+.2f}".replace("-", "−")
    whole = int(score)
    return f"{whole:+,}".replace("-", "−") if whole else "0"


def count(visits: int) -> str:
    """Return a count in at most five columns: '412', '37 k', '1.2 M'."""
    for size, unit in ((1_000_000_000, "G"), (1_000_000, "M"), (10_000, "k")):
        if visits >= size:
            small = unit != "k" and visits < 10 * size
            return f"{visits / size:.1f} {unit}" if small else f"{visits // (1000 if unit == 'k' else size)} {unit}"
    return f"{visits:,}"


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
    room = max(0, rows - 1)
    if not room or not shown.moves:
        return []
    more = len(shown.moves) > room > 2
    room -= more
    first = max(0, min(shown.marked - room // 2, len(shown.moves) - room))
    seen = shown.moves[first : first + room]
    names = max(4, *(len(scored.name) for scored in shown.moves))
    scores = max(6, *(len(number(scored.score)) for scored in shown.moves))
    most = max((abs(scored.score) for scored in shown.moves), default=0) or 1
    fixed = 1 + names + 1 + scores + 1 + 6 + 2
    history = columns - fixed - CELLS - 1 >= SHORTEST_BAR
    wide = min(LONGEST_BAR, columns - fixed - (CELLS + 1) * history)
    wide = wide if wide >= 2 else 0
    spare = columns - fixed - (CELLS + 1) - (len("right?") - 1)
    judged, wide = ("right?", min(LONGEST_BAR, spare)) if spare >= SHORTEST_BAR else (signs.right, wide)
    head = f" {'move':<{names}} {'score':>{scores}} {' ' * wide}{'played':>6} {judged}"
    lines = [cut(line((head + (" history" if history else ""), Ink.COLUMN)), columns, signs.hidden)]
    for at, scored in enumerate(seen, first):
        here = at == shown.marked
        text = f"{signs.cursor if here else ' '}{scored.name:<{names}} {signs.plain(number(scored.score)):>{scores}} "
        share = copysign(log1p(abs(scored.score)) / log1p(most), scored.score)
        bar = signs.signed_bar(share, wide).ljust(wide) if wide else ""
        mark = signs.right if scored.keeps else signs.verdicts[0]
        parts = [
            Run(text, Ink.STRONG if here else Ink.TEXT),
            Run(bar, Ink.QUIET if scored.score < 0 else Ink.BAR),
            Run(f"{count(scored.visits):>6}", Ink.TEXT if scored.visits else Ink.QUIET),
            Run(f" {mark:<{len(judged)}}", Ink.RIGHT if scored.keeps else Ink.QUIET),
        ]
        if history:
            parts.append(Run(f" {spark(scored.history, signs)}", Ink.QUIET))
        lines.append(cut(line(*parts), columns, signs.hidden))
    if more:
        lines.append(line((f" {signs.hidden} {len(shown.moves) - len(seen)} more", Ink.QUIET)))
    return lines
