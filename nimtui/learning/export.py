"""Writes tables and learning curves as CSV and JSON, line by line, so that large ones need little memory.

CSV has one line per move of each position, JSON one document with one entry per position. Optimal moves are included
if the game can be solved.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import TextIO

from nimtui.foreign.sheet import Sheet
from nimtui.games.base import Move, State
from nimtui.learning.graph_table import on_graph, why_untrainable
from nimtui.learning.report import Known, about, entry
from nimtui.learning.table import Row, Table
from nimtui.learning.training import Point, Training
from nimtui.progress import SILENT, Progress
from nimtui.theory import answers
from nimtui.theory.truth import truth

EVERY = 500  # positions between two reports
TABLE_COLUMNS = ("position", "move", "score", "visits", "best", "optimal")
WORDS = {True: "true", False: "false", None: ""}


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
    Sheet(out, Point._fields).rows(_curve(training, progress))


def curve_json(training: Training, out: TextIO, progress: Progress = SILENT) -> None:
    """Write the curve as one document."""
    keys = {**about(training.table), "curve": [point._asdict() for point in _curve(training, progress)]}
    out.write(json.dumps(keys, ensure_ascii=False) + "\n")


def _curve(training: Training, progress: Progress) -> list[Point]:
    training.prepare(progress)
    return training.curve_to(training.standing())
