"""Paints a board with columns and, above each, the value of a move by a function beside the exact one, as two bars."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from nimtui.games import Game
from nimtui.games.base import Move, State
from nimtui.report.lines import Ink, Line, Run, centred, fitting, line
from nimtui.report.values import Mean
from nimtui.theory import Outcome
from nimtui.ui.board.cursor import NOBODY
from nimtui.ui.board.discs import ENDS, SHORT, Discs
from nimtui.ui.kit.terminal.glyphs import Glyphs

LEVELS = {"unicode": "▁▂▃▄▅▆▇█", "ascii": "_.-~+*%#"}
PITCH = 5  # columns of the terminal for each of the board, at least: those of a value and a blank
LEAST_BAR, MOST_BAR = 2, 6  # lines
BELOW = 2  # lines: columns and results, values
MEANINGS = (
    "left: the function, right: exact; full is won",
    "left: the function, right: exact",
    "left learned, right exact",
)


@dataclass(frozen=True, slots=True)
class ScoredMove:
    """A move of the position as the table rates it."""

    move: Move
    name: str
    score: float
    visits: int
    keeps: bool  # does the move keep the exact value of the position?
    history: Sequence[float]  # of the score; the last one is the current score
    exact: Outcome | None = None  # for the player who makes it, where the score is an expected result
    plies: int | None = None  # to the end of the game, by perfect play; None: unknown, or a draw


def paint(
    game: Game, state: State, rated: Sequence[ScoredMove], at: int, columns: int, rows: int, signs: Glyphs
) -> list[Line]:
    """Return the picture, with move `at` marked.

    There is none without room, where the board has no columns, or scores are no expected results.
    """
    cells = game.cells(state)
    moves = {scored.move: scored for scored in rated if scored.exact is not None}
    if game.board_kind != "columns" or not cells or not moves:
        return []
    wide, high = len(cells[0]), len(cells)
    if rows < LEAST_BAR + high + BELOW or wide * PITCH > columns:
        return []
    marked = rated[at].move
    landing = frozenset(game.touched(state, marked))
    picture = Discs(wide, high, columns, rows - LEAST_BAR - BELOW, signs, bare=True, least=PITCH)
    pitch, margin = picture.pitch, picture.left
    board = picture.paint(cells, landing, NOBODY, None)[picture.first :][: picture.deep]
    bars = min(MOST_BAR, (rows - len(board) - BELOW) // 2 * 2)
    places = [moves.get(move) for move in range(wide)]

    def across(texts: list[tuple[str, Ink]]) -> Line:
        return line(Run(" " * margin), *(Run(text.center(pitch), ink) for text, ink in texts))

    lines = [_bars(places, at, bars, pitch, margin, signs) for at in range(bars - 1, -1, -1)] + board
    lines.append(across([_result(scored, at, at == marked, pitch, signs) for at, scored in enumerate(places)]))
    lines.append(
        across([(_value(scored), Ink.STRONG if at == marked else Ink.TEXT) for at, scored in enumerate(places)])
    )
    return [*lines, centred(line((signs.plain(fitting(columns, *MEANINGS)), Ink.QUIET)), columns)][:rows]


def _bars(places: list[ScoredMove | None], at: int, bars: int, pitch: int, margin: int, signs: Glyphs) -> Line:
    """Return line `at` of the bars, counted from below."""
    half = (pitch - 1) // 2
    runs = [Run(" " * margin)]
    for scored in places:
        if scored is None or scored.exact is None:
            runs.append(Run(" " * pitch))
            continue
        levels = LEVELS[signs.name]
        height = round((scored.score + 1) / 2 * bars * len(levels)) - at * len(levels)
        level = min(len(levels), max(height, at == 0))
        own = levels[level - 1] if level > 0 else " "
        exact = signs.less if (scored.exact.worth + 1) / 2 * bars > at else " "
        runs += [Run(own * half, Ink.BAR), Run(exact * half, ENDS[scored.exact]), Run(" " * (pitch - 2 * half))]
    return line(*runs)


def _result(scored: ScoredMove | None, at: int, marked: bool, pitch: int, signs: Glyphs) -> tuple[str, Ink]:
    """Return the name of a column and the exact result of its move."""
    if scored is None or scored.exact is None:
        return "", Ink.QUIET
    plain = f"{scored.name} {SHORT[scored.exact]}"
    text = f"{plain}{scored.plies or ''}"
    text = text if len(text) < pitch else plain
    return (f"{signs.cursor}{text}" if marked and len(text) < pitch else text), ENDS[scored.exact]


def _value(scored: ScoredMove | None) -> str:
    """Return a value in four columns: '+.12'."""
    text = "" if scored is None else Mean(scored.score).text.replace("0.", ".", 1)
    return text.removesuffix("0") if len(text) == PITCH else text
