"""Painter of the nodes by depth: searches of one position, their costs depth by depth, and a sentence on the order."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from nimtui.engine.memory import in_units
from nimtui.report.lines import Ink, Line, Run, cut, line, paragraphs
from nimtui.trees.effort import UNKNOWN, pace_text
from nimtui.trees.settings import ALPHA_BETA, BEST_FIRST, MCTS, MINIMAX, NATURAL, Settings
from nimtui.ui.kit.glyphs import Glyphs
from nimtui.ui.kit.panel import Paint
from nimtui.ui.search import sentences as search_words

if TYPE_CHECKING:
    from nimtui.trees.compare import Row
    from nimtui.ui.compare.depths import ByDepth

NAMES = {MINIMAX: "minimax", ALPHA_BETA: "alpha-beta", MCTS: "tree search"}
INKS = (Ink.QUIET, Ink.BAR, Ink.ONE, Ink.TWO)
LONGEST_BAR, LEAST_BAR = 60, 6
VALUE = 12  # columns
TIMED, COUNTED, BESIDE = 78, 110, 160  # the columns from which on a comparison shows more
EFFORT_TITLES = f"{'nodes/s':>9}{'kept tree':>10}{'plies':>6}{'stack':>11}{'entries':>9}{'table':>9}"


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
        done = list(compared.rows)
        wide = max(len(named(settings)) for settings in compared.entrants) + 1
        more, most, beside = columns >= TIMED, columns >= COUNTED, columns >= BESIDE
        titles = f"{'depth':<6}{'':<{wide}}{'nodes':>12}"
        titles += f"{'leaves':>12}{'cutoffs':>10}{'hits':>9}" * most
        titles += (
            f"{'branching':>11}{'seconds':>9}" * more + EFFORT_TITLES * beside + f"{'value':>{VALUE}}{'plays':>6}  "
        )
        bar = min(LONGEST_BAR, columns - len(titles))
        largest = max((row.nodes for row in done), default=1)
        told: list[Line] = []
        depth: int | None = -9
        for row in done:
            told.append(_row(row, row.depth != depth, wide, columns, bar, largest, signs))
            depth = row.depth
        below = [] if beside or not done else _memory(done, wide)
        end = [line((_sum(done), Ink.STRONG)), *paragraphs(_why(done), columns)]
        if job is not None:
            end = [line((f"comparing: {job.snapshot.done:.0f} of {job.snapshot.total:.0f}, esc to stop", Ink.TEXT))]
        room = max(1, rows - 2 - len(below) - len(end))
        if len(told) > room:
            hidden = line((f"{signs.hidden} {len(told) - room + 1} rows of smaller depths", Ink.QUIET))
            told = [hidden, *told[len(told) - room + 1 :]]
        shown = [line((titles, Ink.COLUMN)), *told, (), *below, *end]
        return [cut(_plain(each, signs), columns, signs.hidden) for each in shown][:rows]

    def _row(row: Row, first: bool, wide: int, columns: int, bar: int, largest: int, signs: Glyphs) -> Line:
        assert compared is not None
        state = compared.state
        same = [each for each in compared.entrants if replace(each, depth=row.settings.depth) == row.settings]
        ink = INKS[(compared.entrants.index(same[0]) if same else 0) % len(INKS)]
        depth = "" if not first else "" if row.depth is None else f"{row.depth}"
        text = f"{depth:<6}{named(row.settings):<{wide}}{row.nodes:>12,}"
        if columns >= COUNTED:
            text += f"{row.leaves:>12,}{row.cutoffs:>10,}{row.table_hits:>9,}"
        if columns >= TIMED:
            text += f"{'' if row.branching is None else f'{row.branching:.1f}':>11}{row.seconds:>9.4f}"
        text += _effort(row) if columns >= BESIDE else ""
        value = "" if row.value is None else search_words.worth(row.value)
        best = "" if row.best_move is None else compared.game.move_name(row.best_move, state)
        drawn = [Run(signs.signed_bar(row.nodes / largest, bar), ink)] if bar >= LEAST_BAR else []
        return line(Run(f"{text}{value:>{VALUE}}{best:>6}  "), *drawn)

    return lines


def _memory(done: list[Row], wide: int) -> list[Line]:
    """Return the pace and the memory of the deepest searches: a head, and one line per search."""
    last = [row for row in done if row.depth in (done[-1].depth, None)]
    told = "" if done[-1].depth is None else f"{done[-1].depth}"
    head = line((f"{'depth':<6}{'':<{wide}}{EFFORT_TITLES}", Ink.COLUMN))
    rows = [
        line(f"{told if at == 0 else '':<6}{named(row.settings):<{wide}}{_effort(row)}") for at, row in enumerate(last)
    ]
    return [head, *rows]


def _effort(row: Row) -> str:
    """Return nodes per second, the bytes of the kept tree, the stack, and the table."""
    space, table = row.space, row.space.table_used is not None
    text = f"{pace_text(row.nodes_per_second):>9}{in_units(space.tree_bytes):>10}"
    text += f"{space.stack_plies:>6,}{in_units(space.stack_bytes):>11}"
    used = f"{space.table_used:,}" if space.table_used is not None else UNKNOWN
    return text + f"{used:>9}{in_units(space.table_bytes) if table else UNKNOWN:>9}"


def _plain(shown: Line, signs: Glyphs) -> Line:
    return tuple(Run(signs.plain(run.text.replace("█", signs.full)), run.ink) for run in shown)


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
