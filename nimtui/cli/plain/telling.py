"""Puts what is known of a position into lines: why it is won or lost, a search, a training, a review."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nimtui.cli import output
from nimtui.games.notation import plural
from nimtui.report.values import Share

if TYPE_CHECKING:
    from nimtui.games import Game
    from nimtui.games.base import Move, State
    from nimtui.learning.run import Run
    from nimtui.theory.answers import MoveValue
    from nimtui.theory.explanation import Explanation, Row
    from nimtui.trees import MoveResult, Result

BOUNDS = {"upper": "at most ", "lower": "at least "}
DECIDED_BOUNDS = {"upper": "at best ", "lower": "at least "}


def why(explanation: Explanation) -> list[str]:
    """Return the reason in plain words, each row with its value, and the sentences that explain the outcome."""
    from nimtui.theory.explanation import sentences, signed

    told = [" ".join(explanation.plain)] if explanation.plain else []
    if not explanation.over and explanation.nim_sum is not None and len(explanation.rows) > 1:
        told += [_row(row) for row in explanation.rows]
        odd = [str(1 << bit) for bit, digit in enumerate(reversed(explanation.digits)) if digit]
        columns = f" Odd columns: {', '.join(reversed(odd))}." if odd else ""
        told.append(f"Nim-sum: {explanation.nim_sum}, binary {_digits(explanation.digits)}.{columns}")
    if explanation.scores:
        columns = ", ".join(f"column {name} {signed(score)}" for name, score in explanation.scores)
        told.append(f"Scores: {columns}.")
    return [*told, " ".join(sentences(explanation))]


def terms(explanation: Explanation) -> list[str]:
    """Return a line for each term that the explanation uses."""
    from nimtui import glossary

    return [f"{term}: {meaning}" for term, meaning in glossary.meanings(explanation.terms, explanation.meaning)]


def _row(row: Row) -> str:
    said = f"{row.label}: {plural(row.matches, 'match', 'matches')}"
    if len(row.runs) > 1:
        said += f" in runs of {', '.join(map(str, row.runs))}"
    counts = f", value {row.grundy}" if row.grundy != row.matches else ""
    return f"{said}{counts}, binary {_digits(row.digits)}."


def _digits(digits: tuple[int, ...]) -> str:
    return "".join(map(str, digits))


def search(game: Game, state: State, result: Result, truths: dict[Move, MoveValue] | None) -> list[str]:
    """Return the move that a search plays, the best line, and a line for each move of the root."""
    from nimtui.cli.search_report import value_text

    if result.best_move is None:
        return ["Stopped before the first move was searched."]
    early = "" if result.finished else " so far"
    line = " ".join(game.line_names(result.principal_variation, state))
    value = value_text(result, result.value)
    return [
        f"{result.settings.name} plays {game.move_name(result.best_move, state)}{early}:"
        f" {value if _is_decided(value) else f'value {value}'}.",
        *([f"Best line: {line}."] if line else []),
        *(_searched(game, state, found, result, truths) for found in result.moves),
        *(["Best moves and mistakes are those of perfect play."] if _tells(truths) else []),
        f"Searched {plural(result.nodes, 'node', 'nodes')} in {output.seconds(result.seconds)}.",
    ]


def _searched(game: Game, state: State, found: MoveResult, result: Result, truths: dict[Move, MoveValue] | None) -> str:
    from nimtui.arena.review_text import start
    from nimtui.cli.search_report import value_text
    from nimtui.games.doing import named

    value = value_text(result, found.value)
    bounds = DECIDED_BOUNDS if _is_decided(value) else BOUNDS
    value = f"{bounds.get(found.bound or '', '')}{value}"
    if found.visits is not None:
        said = [plural(found.visits, "visit", "visits"), *([f"mean {value}"] if found.visits else [])]
    else:
        said = ["not searched" if found.value is None else value, plural(found.nodes, "node", "nodes")]
    if truths is not None and _tells(truths):
        said.append("a best move" if truths[found.move].optimal else "a mistake")
    return f"{start(named(game, state, found.move))}: {', '.join(said)}."


def _is_decided(value: str) -> bool:
    """Return whether a value is the end of the game: 'wins in 7'."""
    return value[:1].isalpha()


def _tells(truths: dict[Move, MoveValue] | None) -> bool:
    """Return whether some of the moves are mistakes."""
    return truths is not None and not all(exact.optimal for exact in truths.values())


def training(run: Run) -> list[str]:
    """Return the learning curve and the standing of a run, in sentences."""
    from nimtui.cli import train_report
    from nimtui.documents import training

    keys = training.document(run)
    curve = [
        f"After {plural(point.games, 'game', 'games')}: accuracy {Share(point.accuracy).text}, against perfect play"
        f" {Share(point.unbeaten).text}."
        for point in train_report.points(run.training, keys)
    ]
    reached = [f"{line[:1].upper()}{line[1:]}." for line in train_report.reached(run.training, keys)]
    return [
        f"Trained the learner {keys['learner']} on {plural(keys['games'], 'game', 'games')} of {keys['game']}, seed"
        f" {keys['seed']}.",
        *curve,
        *reached,
    ]
