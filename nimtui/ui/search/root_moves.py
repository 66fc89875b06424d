"""The moves of the root side by side: the value of each, the work that the search spent on it, its exact result."""

from __future__ import annotations

from nimtui.report.lines import Ink, Line, Run, cut, line
from nimtui.trees.move_values import JudgedMove
from nimtui.trees.result import MoveResult
from nimtui.trees.settings import MCTS
from nimtui.ui.kit.glyphs import Glyphs
from nimtui.ui.kit.panel import Paint
from nimtui.ui.search import sentences as search_words
from nimtui.ui.search import view as search_view
from nimtui.ui.search.conductor import SearchConductor
from nimtui.ui.search.rows import truth_runs

COUNT, GAP, TRUTH = 9, 2, 18  # columns of a count, between cells, of "★ loses in 12 ✗"
LEAST_BAR, LONGEST_BAR = 6, 60
PLAIN_BOUNDS = {"upper": "≤ ", "lower": "≥ "}


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
    moves = sorted(believed.moves, key=lambda each: -(each.visits or 0)) if growing else list(believed.moves)
    names = {each.move: game.move_name(each.move, state) for each in moves}
    counts = {each.move: (each.visits or 0) if growing else each.nodes for each in moves}
    best, unit = believed.best_move, "visits" if growing else "nodes"

    def paint(columns: int, rows: int, signs: Glyphs) -> list[Line]:
        values = {each.move: signs.plain(_value(each)) for each in moves}
        wide = max(4, *map(len, names.values()))
        value = max(5, *map(len, values.values()))
        bar = max(LEAST_BAR, min(LONGEST_BAR, columns - wide - value - COUNT - TRUTH - 2 * GAP))
        most = max(1, *counts.values())
        head = f"{'move':<{wide}}{'mean' if growing else 'value':>{GAP + value}}{unit:>{COUNT}}"
        shown = [
            line((f"Moves of the root: where the search spent its {unit}", Ink.TITLE)),
            cut(line((f"{head}{'':<{bar + GAP}}   truth", Ink.COLUMN)), columns, signs.hidden),
        ]
        room = rows - len(shown)
        for each in moves if len(moves) <= room else moves[: max(0, room - 1)]:
            move, ink = each.move, Ink.STRONG if each.move == best else Ink.TEXT
            text = f"{names[move]:<{wide}}{values[move]:>{GAP + value}}{counts[move]:>{COUNT},}{'':<{GAP}}"
            told = (text, ink), (signs.bar(counts[move] / most, bar), Ink.BAR)
            shown.append(cut(line(*told, *_end(move == best, judged.get(move), signs)), columns, signs.hidden))
        if len(moves) > room:
            shown.append(line((f"{signs.hidden} {len(moves) - room + 1} more", Ink.QUIET)))
        return shown[:rows]

    return paint


def _value(found: MoveResult) -> str:
    """Return '−4', '≤ −2', 'wins in 7', a mean '+0.250'; '…' before there is one."""
    if found.visits is not None:
        return "…" if found.mean is None else f"{found.mean:+.3f}".replace("-", "−")
    if found.value is None:
        return "…"
    return PLAIN_BOUNDS.get(found.bound or "", "") + search_words.worth(found.value)


def _end(best: bool, judged: JudgedMove | None, signs: Glyphs) -> list[Run]:
    star = Run(f" {signs.best}" if best else "  ", Ink.GOOD)
    return [star, *(truth_runs(judged, True, signs) if judged is not None else [])]
