"""Painter of the nodes by depth: searches of one position, their costs depth by depth, and a sentence on the order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from nimtui.report.blocks import Column, Table
from nimtui.report.cells import table_lines
from nimtui.report.lines import BLANK, Ink, Line, fit, line, paragraphs
from nimtui.report.values import NOTHING, Bytes, Count, Pace, Word, known
from nimtui.trees.report import TreeValue, number, table_size
from nimtui.trees.settings import ALPHA_BETA, BEST_FIRST, MCTS, MINIMAX, NATURAL, Settings
from nimtui.ui.kit.glyphs import Glyphs
from nimtui.ui.kit.panel import Paint

if TYPE_CHECKING:
    from nimtui.trees.compare import Comparison, Row
    from nimtui.ui.compare.depths import ByDepth

NAMES = {MINIMAX: "minimax", ALPHA_BETA: "alpha-beta", MCTS: "tree search"}
INKS = (Ink.QUIET, Ink.BAR, Ink.ONE, Ink.TWO)
LONGEST_BAR, LEAST_BAR = 60, 6
BESIDE = 160  # the columns from which on memory stands beside the other costs


def named(settings: Settings) -> str:
    """Return what sets the settings apart: 'alpha-beta', 'best-first table'."""
    if settings.order != NATURAL:
        return f"{settings.order}{' table' * bool(settings.table)}"
    return NAMES[settings.algorithm] + " table" * bool(settings.table)


def by_depth(searches: ByDepth) -> Paint:
    """Paint the costs of several searches: a head, then one line per depth and search, the deepest last.

    Memory and nodes per second stand beside, or below for the deepest searches if the screen is narrow.
    """
    compared, job = searches.comparison, searches.job

    def lines(columns: int, rows: int, signs: Glyphs) -> list[Line]:
        if compared is None:
            return []
        done, beside = list(compared.rows), columns >= BESIDE
        last = [row for row in done if row.depth in (done[-1].depth, None)]
        below = [] if beside or not done else table_lines(_table(last, _effort()), columns, len(last) + 2, signs=signs)
        end = [line((_sum(done), Ink.STRONG)), *paragraphs(_why(done), columns)]
        if job is not None:
            end = [line((f"comparing: {job.snapshot.done:.0f} of {job.snapshot.total:.0f}, esc to stop", Ink.TEXT))]
        room = max(1, rows - 2 - len(below) - len(end))
        hidden = len(done) - room + 1 if len(done) > room else 0
        table = _table(done[hidden:], _costs(compared, beside, signs))
        shown = table_lines(table, columns, signs=signs)
        if hidden:
            shown.insert(1, line((f"{signs.hidden} {hidden} rows of smaller depths", Ink.QUIET)))
        return [fit(each, columns, signs) for each in [*shown, BLANK, *below, *end]][:rows]

    return lines


def _table(rows: Sequence[Row], columns: Sequence[Column]) -> Table:
    """Return a row for each search, with the depth at the first one of each."""
    firsts = {row.depth: row for row in reversed(rows)}
    depth = Column(
        "depth", lambda row: Word(f"{row.depth}" if row.depth is not None and firsts[row.depth] is row else "")
    )
    return Table("", [depth, Column("", lambda row: Word(named(row.settings)), left=True), *columns], rows, gap=2)


def _costs(compared: Comparison, beside: bool, signs: Glyphs) -> list[Column]:
    most = max((row.nodes for row in compared.rows), default=1)

    def ink(row: Row) -> Ink:
        same = [each for each in compared.entrants if replace(each, depth=row.settings.depth) == row.settings]
        return INKS[(compared.entrants.index(same[0]) if same else 0) % len(INKS)]

    def move(row: Row) -> Word:
        return Word("" if row.best_move is None else compared.game.move_name(row.best_move, compared.state))

    def bar(row: Row, room: int) -> str:
        return signs.signed_bar(row.nodes / most, room)

    return [
        number("nodes", Count, "nodes"),
        number("leaves", Count, "leaves", 3),
        number("cutoffs", Count, "cutoffs", 3),
        number("hits", Count, "table_hits", 3),
        Column("branching", lambda row: Word("" if row.branching is None else f"{row.branching:.1f}"), rank=2),
        Column("seconds", lambda row: Word(f"{row.seconds:.4f}"), rank=2),
        *(_effort() if beside else []),
        Column("value", lambda row: known(TreeValue, row.value)),
        Column("plays", move),
        Column("", lambda row: NOTHING, left=True, rank=1, width=LEAST_BAR, ink=ink, draw=bar, most=LONGEST_BAR),
    ]


def _effort() -> list[Column]:
    """Return nodes per second, the bytes of the kept tree, the stack, and the table."""
    return [
        number("nodes/s", Pace, "nodes_per_second"),
        number("kept tree", Bytes, "space.tree_bytes"),
        number("plies", Count, "space.stack_plies"),
        number("stack", Bytes, "space.stack_bytes"),
        number("entries", Count, "space.table_used"),
        number("table", table_size, "space.table_bytes"),
    ]


def _sum(done: list[Row]) -> str:
    """Return a sentence on the deepest searches."""
    last = [row for row in done if row.depth == done[-1].depth] if done else []
    if len(last) < 2:
        return ""
    least = min(last[1:], key=lambda row: row.nodes)
    times = last[0].nodes / max(1, least.nodes)
    return f"{named(least.settings)}: {times:.1f} × fewer nodes than {named(last[0].settings)}"


def _why(done: list[Row]) -> list[str]:
    """Return a sentence on the cost of best-first order, as a list; empty without such a search to the last depth."""
    from nimtui.trees.compare import cost_of_order

    last = [row for row in done if row.depth == done[-1].depth and row.settings.algorithm == ALPHA_BETA]
    plain = next((row for row in last if row.settings.order == NATURAL and not row.settings.table), None)
    ordered = next((row for row in last if row.settings.order == BEST_FIRST), None)
    return [cost_of_order(ordered, plain)] if ordered is not None and plain is not None else []
