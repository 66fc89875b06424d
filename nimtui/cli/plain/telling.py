"""Puts what is known of a game into lines: its rules, its board, why a position is won, a search."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from nimtui.api import board_text
from nimtui.report.blocks import Figure, Figures, Report
from nimtui.report.cells import spoken
from nimtui.report.values import Count, Score

if TYPE_CHECKING:
    from nimtui.games import Game
    from nimtui.games.base import Move, State
    from nimtui.games.place import Place
    from nimtui.theory.answers import MoveValue
    from nimtui.theory.explanation import Explanation
    from nimtui.trees import Result

SIGNS = {1: "X", 2: "O", 3: "a piece", 4: "a poisoned piece"}
SEVERAL = {**SIGNS, 3: "pieces", 4: "poisoned pieces"}
UNSAID = "Cells that are not named are empty."


def title(game: Game) -> str:
    """Return the game's title as a sentence."""
    return f"{game.title.replace(' · ', ': ')}."


def board(game: Game, state: State) -> list[str]:
    """Return the board in sentences: 'Row 2: column 4 O.'; each run of equal signs is said once, an empty cell not."""
    cells, columns = game.cells(state), game.board_kind == "columns"
    if cells is None or not (columns or game.board_kind == "grid"):
        return board_text.lines(game, state)
    names = [str(len(cells) - at) if columns else chr(ord("A") + at) for at in range(len(cells))]
    rows = [(name, ", ".join(_runs(row))) for name, row in zip(names, cells, strict=True)]
    return [f"Row {name}: {signs}." for name, signs in rows if signs] or ["The board is empty."]


def _runs(row: Sequence[int]) -> Iterator[str]:
    """Yield the runs of a row: 'column 1 X', 'columns 2 to 4 a piece'."""
    for number, run in groupby(enumerate(row, 1), key=lambda cell: cell[1]):
        first, *_, last = [place for place, _ in run] * 2
        if number > 0:
            if first == last:
                yield f"column {first} {SIGNS.get(number, number)}"
            else:
                yield f"columns {first} to {last} {SEVERAL.get(number, number)}"


def rules(game: Game) -> list[str]:
    """Return the rules in sentences, whose the signs on the board are, and how moves are typed."""
    from nimtui.games import base, rule_text

    start, lines = game.start, [rule_text.rules(game)]
    cells, moves = game.cells(start) or [], base.legal_moves(start)
    if game.board_kind == "columns":
        lines.append(f"The board has {len(cells[0])} columns and {len(cells)} rows. Row 1 is the lowest.")
    if game.board_kind in ("columns", "grid"):
        states = [start, *(game.after(start, move) for move in moves[:1])]
        marked = any(cell in (1, 2) for state in states for row in game.cells(state) or () for cell in row)
        sign = "disc" if game.board_kind == "columns" else "mark"
        lines.append(f"X is the first player's {sign}, O the second player's. {UNSAID}" if marked else UNSAID)
    if game.board_kind not in ("rows", "runs", "columns"):
        lines.append("'moves' lists the legal moves.")
    typed = rule_text.notation(game)
    if not typed and moves:
        typed = f"A move is typed as {game.move_name(moves[len(moves) // 2], start)}, for example."
    return [*lines, *([typed] if typed else [])]


def why(explanation: Explanation) -> list[str]:
    """Return the reason in plain words, each row with its value, and the sentences that explain the outcome."""
    from nimtui.theory.explanation import sentences
    from nimtui.theory.report import reason

    lines = [" ".join(explanation.plain)] if explanation.plain else []
    lines += spoken(Report(reason(explanation)))
    if explanation.scores:
        columns = ", ".join(f"column {name} {Score(score)}" for name, score in explanation.scores)
        lines.append(f"Scores: {columns}.")
    return [*lines, " ".join(sentences(explanation))]


def terms(explanation: Explanation) -> list[str]:
    """Return a line for each term that the explanation uses."""
    from nimtui import glossary

    return [f"{term}: {meaning}" for term, meaning in glossary.meanings(explanation.terms, explanation.meaning)]


def search(place: Place, result: Result, truths: dict[Move, MoveValue] | None) -> list[str]:
    """Return the move that a search plays, the best line, a line for each move of the root, and its effort."""
    from nimtui.trees.report import NOTHING_FOUND, findings

    if result.best_move is None:
        return [f"{NOTHING_FOUND.capitalize()}."]
    effort = Figures([Figure("nodes", Count(result.nodes))])
    return [" ".join(text.split()) for text in spoken(Report([*findings(place, result, truths), effort]))]
