"""The table in place of a tree: the intervals of flat Monte Carlo."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nimtui.report.lines import Ink, Line, Run, cut, line, paragraphs
from nimtui.theory.report import truth
from nimtui.ui.kit.glyphs import Glyphs
from nimtui.ui.kit.panel import Paint

if TYPE_CHECKING:
    from nimtui.ui.search.conductor import SearchConductor

NAME, CHANCE, TRUTH = 6, 7, 14
LEAST_ROOM = 12
LEAST_APART = 7  # cells from the left end to 1/2, where both have a label


def _chance(value: float | None) -> float:
    """Return an expected result, −1 to 1, as the share of games won."""
    return (1 + (value or 0.0)) / 2


def intervals(conductor: SearchConductor) -> Paint:
    """Paint the interval of every move's chance to win in flat Monte Carlo, and the move's exact value."""
    decision, game, state = conductor.flat, conductor.game, conductor.state
    truths = {each.move: each for each in conductor.truths or ()}

    def lines(columns: int, rows: int, signs: Glyphs) -> list[Line]:
        if decision is None or game is None or state is None:
            return []
        thoughts = decision.thoughts
        chances = [(_chance(each.low), _chance(each.high)) for each in thoughts]
        low, high = min(0.5, *(each[0] for each in chances)), max(0.5, *(each[1] for each in chances))
        room = max(LEAST_ROOM, columns - NAME - CHANCE - TRUTH - 3)
        holding = sum(a <= 0.5 <= b for a, b in chances)

        def place(chance: float) -> int:
            return round((chance - low) / (high - low) * (room - 1)) if high > low else 0

        half = place(0.5)
        ends = f"{low:.2f}" + "1/2".rjust(half + 1 - 4) if half >= LEAST_APART else "1/2".rjust(half + 1)
        head = f"{'move':<{NAME}}{'wins':>{CHANCE}}  {ends}"
        shown = [line((head.ljust(NAME + CHANCE + room - 2) + f"{high:.2f}  truth", Ink.COLUMN))]
        why = paragraphs([signs.plain(decision.note)] if decision.note else [], columns)
        told = f"{holding} of {len(chances)} intervals contain 1/2 (95 % for all moves together)."
        mark = truths.get(decision.move)
        name = game.move_name(decision.move, state)
        best = [game.move_name(each.move, state) for each in truths.values() if each.optimal]
        end = [line((told, Ink.STRONG)), *why]
        if mark is not None:
            verdict = "right" if mark.optimal else f"a mistake; right: {', '.join(best[:4])}"
            end.append(line((f"Flat Monte Carlo plays {name}: {verdict}.", Ink.RIGHT if mark.optimal else Ink.WRONG)))
        space = max(1, rows - 2 - len(end))
        order = sorted(zip(thoughts, chances, strict=True), key=lambda pair: -_chance(pair[0].value))
        for thought, (a, b) in order[: space if len(order) <= space else space - 1]:
            cells = [" "] * room
            for at in range(place(a), place(b) + 1):
                cells[at] = signs.rule
            cells[place(a)], cells[place(b)] = signs.ends
            cells[half] = signs.stem if cells[half] == " " else "+"
            cells[place(_chance(thought.value))] = signs.discs[0]
            here = thought.move == decision.move
            exact = truths.get(thought.move)
            ink = Ink.STRONG if here else Ink.TEXT
            said = "" if exact is None else truth(exact).text
            sign = f" {signs.best}" if here else "  "
            shown.append(
                line(
                    (f"{game.move_name(thought.move, state):<{NAME}}{_chance(thought.value):>{CHANCE}.3f}  ", ink),
                    ("".join(cells), ink),
                    (sign, Ink.GOOD),
                    Run(f" {said}", Ink.RIGHT if exact is not None and exact.optimal else Ink.QUIET),
                )
            )
        if len(order) > space:
            shown.append(line((f"{signs.hidden} {len(order) - space + 1} more", Ink.QUIET)))
        return [cut(each, columns, signs.hidden) for each in [*shown, (), *end]][:rows]

    return lines
