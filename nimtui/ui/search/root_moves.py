"""The moves of the root side by side: the value of each, the work that the search spent on it, its exact result."""

from __future__ import annotations

from nimtui.report.blocks import Column, Table
from nimtui.report.cells import table_lines
from nimtui.report.lines import Ink, Line, line
from nimtui.report.values import NOTHING, Count, Result, Value, Word
from nimtui.theory.report import bounded
from nimtui.trees.report import TreeValue
from nimtui.trees.result import MoveResult
from nimtui.trees.settings import MCTS
from nimtui.ui.kit.glyphs import Glyphs
from nimtui.ui.kit.panel import Paint
from nimtui.ui.search import view as search_view
from nimtui.ui.search.conductor import SearchConductor
from nimtui.ui.search.rows import truth_run

UNKNOWN = Word("…")


def root_moves(conductor: SearchConductor) -> Paint:
    """Paint a line per move of the root: its value for the player to move, a bar of its nodes or visits, the truth.

    Windows depend on the order in which moves are searched, so that order stays; moves of a tree search are sorted by
    their visits.
    """
    found, game, state = conductor.found, conductor.game, conductor.state
    believed = conductor.standing if found is None or found.result is None else found.result
    if believed is None or game is None or state is None:
        return lambda columns, rows, signs: [line(("Moves of the root", Ink.TITLE))]
    growing = believed.settings.algorithm == MCTS
    judged = {each.truth.move: each for each in search_view.judgements(conductor)}
    names = {each.move: game.move_name(each.move, state) for each in believed.moves}
    counts = {each.move: (each.visits or 0) if growing else each.nodes for each in believed.moves}
    best, unit, most = believed.best_move, "visits" if growing else "nodes", max(1, *counts.values())

    def paint(columns: int, rows: int, signs: Glyphs) -> list[Line]:
        def ink(each: MoveResult) -> Ink:
            return Ink.STRONG if each.move == best else Ink.TEXT

        def bar(each: MoveResult, room: int) -> str:
            return signs.bar(counts[each.move] / most, room)

        runs = {move: truth_run(each, True, signs) for move, each in judged.items()}
        table = Table(
            "",
            [
                Column("move", lambda each: Word(names[each.move]), left=True, ink=ink),
                Column("mean" if growing else "value", _value, ink=ink),
                Column(unit, lambda each: Count(counts[each.move]), ink=ink),
                Column("", lambda each: NOTHING, rank=1, left=True, ink=lambda each: Ink.BAR, draw=bar),
                Column("", lambda each: Word(signs.best if each.move == best else ""), ink=lambda each: Ink.GOOD),
                Column(
                    "truth",
                    lambda each: Word(runs[each.move].text if each.move in runs else ""),
                    left=True,
                    ink=lambda each: runs[each.move].ink if each.move in runs else Ink.TEXT,
                ),
            ],
            believed.moves,
            gap=2,
            rank=(lambda each: each.visits or 0) if growing else None,
        )
        title = line((f"Moves of the root: where the search spent its {unit}", Ink.TITLE))
        return [title, *table_lines(table, columns, rows - 1, signs=signs)]

    return paint


def _value(found: MoveResult) -> Value:
    """Return '−4', '≤ −2', 'wins in 7', a mean '+0.250'; '…' before there is one."""
    if found.visits is not None:
        return UNKNOWN if found.mean is None else Result(found.mean)
    return UNKNOWN if found.value is None else bounded(TreeValue(found.value), found.bound)
