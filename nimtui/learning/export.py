"""Writes tables and learning curves as CSV and JSON, line by line, so that large ones need little memory.

CSV has one line per move of each position, JSON one document with one entry per position. Optimal moves are included
if the game can be solved.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, TextIO

from nimtui.foreign.sheet import Sheet
from nimtui.games.base import Move, State
from nimtui.learning.evaluate import Standing
from nimtui.learning.graph_table import on_graph, why_untrainable
from nimtui.learning.table import Row, Table
from nimtui.learning.training import Point, Training
from nimtui.progress import SILENT, Progress
from nimtui.theory import answers
from nimtui.theory.truth import truth

EVERY = 500  # positions between two reports
TABLE_COLUMNS = ("position", "move", "score", "visits", "best", "optimal")
CURVE_COLUMNS = ("games", "accuracy", "unbeaten")
WORDS = {True: "true", False: "false", None: ""}


class Known(NamedTuple):
    """A position of a table, and its best moves."""

    row: Row
    best: tuple[Move, ...]  # by the table: the moves of the highest score
    optimal: tuple[Move, ...] | None  # the moves that keep the outcome, all if the position is lost; None: unknown


def positions(table: Table, progress: Progress = SILENT) -> Iterator[Known]:
    """Yield the positions that have a row, by number. Raises InputError if the game's rules have changed."""
    if why_untrainable(table.game) is not None:
        return _each(table, lambda row, state: _solved(table, state), progress)
    known = truth(table.game, progress)
    on_graph(table, known.graph)  # InputError if the rules have changed
    graph = known.graph
    nodes = graph.node_of[table.numbers]

    def optimal(row: int, state: State) -> tuple[Move, ...] | None:
        if nodes[row] < 0:
            return _solved(table, state)
        here = slice(graph.ptr[nodes[row]], graph.ptr[nodes[row] + 1])
        return tuple(graph.move[here][known.keeps[here]].tolist())

    return _each(table, optimal, progress)


def one(table: Table, state: State, progress: Progress = SILENT) -> Known:
    """Return the same for one position, whether or not the table has a row for it."""
    row = Row(state, table.scores(state), table.visits_of(state))
    return Known(row, table.best_moves(state), _solved(table, state, progress))


def _solved(table: Table, state: State, progress: Progress = SILENT) -> tuple[Move, ...] | None:
    found = answers.known(table.game, state, progress)
    return None if found is None else found.best_moves


def _each(
    table: Table, optimal: Callable[[int, State], tuple[Move, ...] | None], progress: Progress
) -> Iterator[Known]:
    for number, row in enumerate(table.rows()):
        if number % EVERY == 0:
            progress.report(number, len(table.numbers), "positions")
        most = max(row.scores.values())
        best = tuple(move for move, score in row.scores.items() if score == most)
        yield Known(row, best, optimal(number, row.state))


def entry(table: Table, known: Known) -> dict[str, Any]:
    """Return the JSON entry of one position, with moves by name."""
    game, state = table.game, known.row.state
    names = {move: game.move_name(move, state) for move in known.row.scores}
    return {
        "position": game.position_name(state),
        "scores": {names[move]: score for move, score in known.row.scores.items()},
        "visits": {names[move]: count for move, count in known.row.visits.items()},
        "best_moves": [names[move] for move in known.best],
        "optimal_moves": None if known.optimal is None else [names[move] for move in known.optimal],
    }


def table_csv(table: Table, out: TextIO, progress: Progress = SILENT) -> None:
    """Write one line per move of each position."""
    game, sheet = table.game, Sheet(out, TABLE_COLUMNS)
    for known in positions(table, progress):
        state, visits = known.row.state, known.row.visits
        position, best, optimal = game.position_name(state), set(known.best), set(known.optimal or ())
        sheet.rows(
            (
                position,
                game.move_name(move, state),
                score,
                visits[move],
                WORDS[move in best],
                WORDS[None if known.optimal is None else move in optimal],
            )
            for move, score in known.row.scores.items()
        )


def table_json(table: Table, out: TextIO, progress: Progress = SILENT) -> None:
    """Write one document, the same as `nimtui table FILE --json`."""
    head = json.dumps(about(table), ensure_ascii=False)
    out.write(f'{head[:-1]}, "positions": [')
    for number, known in enumerate(positions(table, progress)):
        out.write(f"{',' if number else ''}\n{json.dumps(entry(table, known), ensure_ascii=False)}")
    out.write("\n]}\n")


def curve_csv(training: Training, out: TextIO, progress: Progress = SILENT) -> None:
    """Write one line per point."""
    sheet = Sheet(out, CURVE_COLUMNS)
    curve = with_end(training, _end(training, progress))
    sheet.rows(tuple(getattr(point, name) for name in CURVE_COLUMNS) for point in curve)


def curve_json(training: Training, out: TextIO, progress: Progress = SILENT) -> None:
    """Write the curve as one document."""
    keys = {
        **about(training.table),
        "curve": [point._asdict() for point in with_end(training, _end(training, progress))],
    }
    out.write(json.dumps(keys, ensure_ascii=False) + "\n")


def _end(training: Training, progress: Progress) -> Standing:
    training.prepare(progress)
    return training.standing()


def with_end(training: Training, now: Standing) -> list[Point]:
    """Return the curve with a last point for the current games, which may be between the fixed points."""
    end = Point(training.games, now.accuracy, now.unbeaten)
    return training.curve if training.curve and training.curve[-1].games == end.games else [*training.curve, end]


def about(table: Table) -> dict[str, Any]:
    """Return the JSON head of a table: game, learner, seed and games."""
    return {"game": table.game.name, "learner": table.learner, "seed": table.seed, "games": table.games}
