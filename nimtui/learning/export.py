"""Writes tables and learning curves as CSV and JSON, line by line, so that large ones need little memory.

Optimal moves are included if the game can be solved.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import TextIO

from nimtui.errors import InputError
from nimtui.games.base import Move, State
from nimtui.learning.graph_table import on_graph, why_untrainable
from nimtui.learning.report import Entry, about, entry_keys
from nimtui.learning.table import Row, Table
from nimtui.learning.training import Training
from nimtui.progress import SILENT, Progress
from nimtui.report.document import Sheet
from nimtui.theory import answers
from nimtui.theory.truth import truth

EVERY = 500  # positions between two reports
TABLE_COLUMNS = ("position", "move", "score", "visits", "best", "optimal")
WORDS = {True: "true", False: "false", None: ""}


def positions(table: Table, progress: Progress = SILENT) -> Iterator[Entry]:
    """Yield the positions that have a row, by number. Raises InputError if the game's rules have changed."""
    if why_untrainable(table.game) is not None:
        return _each(table, lambda row, state: _solved(table, state), progress)
    solution = truth(table.game, progress)
    on_graph(table, solution.graph)  # InputError if the rules have changed
    graph = solution.graph
    nodes = graph.node_of[table.numbers]

    def optimal(row: int, state: State) -> tuple[Move, ...] | None:
        if nodes[row] < 0:
            return _solved(table, state)
        here = slice(graph.ptr[nodes[row]], graph.ptr[nodes[row] + 1])
        return tuple(graph.move[here][solution.keeps[here]].tolist())

    return _each(table, optimal, progress)


def one(table: Table, state: State, progress: Progress = SILENT) -> Entry:
    """Return the same for one position, whether or not the table has a row for it."""
    row = Row(state, table.scores(state), table.visits_of(state))
    return Entry(row, table.best_moves(state), _solved(table, state, progress))


def _solved(table: Table, state: State, progress: Progress = SILENT) -> tuple[Move, ...] | None:
    answer = answers.known_answer(table.game, state, progress)
    return None if answer is None else answer.best_moves


def _each(
    table: Table, optimal: Callable[[int, State], tuple[Move, ...] | None], progress: Progress
) -> Iterator[Entry]:
    for number, row in enumerate(table.rows()):
        if number % EVERY == 0:
            progress.report(number, len(table.numbers), "positions")
        most = max(row.scores.values())
        best = tuple(move for move, score in row.scores.items() if score == most)
        yield Entry(row, best, optimal(number, row.state))


def write(source: Table | Training, as_json: bool, out: TextIO, progress: Progress = SILENT) -> None:
    """Write a table, or the learning curve of a training.

    CSV has one line per move of each position, or per point. JSON is one document, for a table that of `nimtui table
    FILE --json`.
    """
    if isinstance(source, Table):
        check_rows(source)
        (_table_json if as_json else _table_csv)(source, out, progress)
        return
    source.prepare(progress)
    curve = source.curve_to(None if source.truth is None else source.standing())
    if as_json:
        keys = {**about(source.table), "curve": [point._asdict() for point in curve]}
        out.write(json.dumps(keys, ensure_ascii=False) + "\n")
    else:
        Sheet(out, curve[-1]._fields).rows(curve)


def check_rows(table: Table) -> None:
    """Raise InputError if the table has no rows because its game has too many positions."""
    if table.function is not None and not len(table.numbers):
        raise InputError(f"{table.game.name} has too many positions to list: nimtui table FILE -p POSITION shows one")


def _table_csv(table: Table, out: TextIO, progress: Progress) -> None:
    sheet = Sheet(out, TABLE_COLUMNS)
    for position in positions(table, progress):
        keys = entry_keys(table, position)
        visits, best, optimal = keys["visits"], keys["best_moves"], keys["optimal_moves"]
        for move, score in keys["scores"].items():
            keeps = WORDS[None if optimal is None else move in optimal]
            sheet.row((keys["position"], move, score, visits[move], WORDS[move in best], keeps))


def _table_json(table: Table, out: TextIO, progress: Progress) -> None:
    head = json.dumps(about(table), ensure_ascii=False)
    out.write(f'{head[:-1]}, "positions": [')
    for number, position in enumerate(positions(table, progress)):
        out.write(f"{',' if number else ''}\n{json.dumps(entry_keys(table, position), ensure_ascii=False)}")
    out.write("\n]}\n")
