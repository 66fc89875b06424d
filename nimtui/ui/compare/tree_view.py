"""Painter of two search trees beside each other: one line per place, with what each tree says of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nimtui.report.lines import Ink, Line, Run, cut, fit, line, paragraphs
from nimtui.theory.report import bounded
from nimtui.trees.report import worth
from nimtui.trees.settings import MCTS, Settings
from nimtui.ui.kit.glyphs import Glyphs
from nimtui.ui.kit.lines import fitted
from nimtui.ui.kit.panel import Paint

if TYPE_CHECKING:
    from nimtui.trees.two_trees import Half, Place
    from nimtui.ui.compare.conductor import CompareConductor
    from nimtui.ui.compare.trees import Grown, Trees

NAME = 12
WIDE, WIDTHS, NARROW = (24, 12), (14, 11), (11, 8)  # of a value and of a size
INKS = (Ink.ONE, Ink.TWO)
SAID = (
    "{} and {} mark moves that only one tree has, {} a move that is best in one tree only, "
    "{} a value that contradicts the other one. n goes to where the best lines part."
)


def trees(shown: Trees, conductor: CompareConductor) -> Paint:
    """Paint the visible places, the marked one in sight."""

    def lines(columns: int, rows: int, signs: Glyphs) -> list[Line]:
        grown = shown.grown
        if grown is None:
            job = shown.job
            told = shown.fault if job is None else f"searching: {job.snapshot.done:,.0f} {job.snapshot.what}"
            return [fit(line((told, Ink.QUIET)), columns, signs)]
        names = [conductor.agents[place].name for place in shown.pair]
        fit_in = (widths for widths in (WIDE, WIDTHS) if columns >= 2 * (sum(widths) + 3) + NAME + 2)
        widths = next(fit_in, NARROW)
        each = sum(widths) + 3
        name = max(NAME, min(40, columns - 2 * each - 2))
        heads = [Run("   move".ljust(name + 2), Ink.COLUMN)]
        for at, agent in enumerate(names):
            text = fitted(signs.plain(f" {shown.pair[at] + 1} {agent}"), each - 1, signs.hidden)
            heads.append(Run(f"{text} ", INKS[at]))
        unit = Run(" " * (name + 2) + "".join(_units(settings, widths) for settings in grown.settings), Ink.COLUMN)
        places = grown.trees.lines()
        here = next((at for at, place in enumerate(places) if place.path == shown.at), 0)
        room = max(1, rows - 2)
        top = max(0, min(here - room // 2, len(places) - room))
        told_lines = [line(*heads), line(unit)]
        for place in places[top : top + room]:
            told_lines.append(_row(grown, place, place.path == shown.at, name, widths, signs))
        return [cut(told_line, columns, signs.hidden) for told_line in told_lines]

    return lines


def _units(settings: Settings, widths: tuple[int, int]) -> str:
    value, size = ("mean", "visits") if settings.algorithm == MCTS else ("value", "nodes")
    return f"  {value:>{widths[0]}}{size:>{widths[1]}} "


def _row(grown: Grown, place: Place, marked: bool, name: int, widths: tuple[int, int], signs: Glyphs) -> Line:
    trees = grown.trees
    move = trees.name(place.path)
    fold = signs.unfolded if place.path in trees.open else signs.folded if trees.children(place.path) else " "
    sign, ink = mark_of(place, signs)
    text = f"{' ' * min(len(place.path) - 1, name - len(move) - 4)}{fold} {move}".ljust(name)
    start = Run(signs.cursor if marked else " ", Ink.KEY)
    runs = [start, Run(sign, ink), Run(text, Ink.STRONG if marked else Ink.TEXT)]
    for half, settings, colour in zip(place.halves, grown.settings, INKS, strict=True):
        runs += _half(half, settings, colour, widths, signs)
    return line(*runs)


def mark_of(place: Place, signs: Glyphs) -> tuple[str, Ink]:
    """Return the sign of how the trees differ at a place."""
    if place.only is not None:
        return signs.alone[place.only], INKS[place.only]
    if place.parts:
        return signs.mostly[0], Ink.OPEN
    return (signs.fault, Ink.WRONG) if place.opposed else (" ", Ink.TEXT)


def _half(half: Half | None, settings: Settings, ink: Ink, widths: tuple[int, int], signs: Glyphs) -> list[Run]:
    value, size = widths
    if half is None:
        return [Run(" " * (value + size + 3))]
    text = signs.plain("" if half.value is None else bounded(worth(settings, half.value), half.bound).text)
    star = signs.best if half.best else " "
    numbers = f"{text:>{value}}{half.size:>{size},} "
    return [Run(f" {star}", Ink.STRONG), Run(numbers, ink if half.best else Ink.TEXT)]


def told(shown: Trees, conductor: CompareConductor) -> Paint:
    """Paint where the best lines part, the line to the marked place, and what the signs mean."""

    def lines(columns: int, rows: int, signs: Glyphs) -> list[Line]:
        grown, game = shown.grown, conductor.game
        if grown is None or game is None:
            return []
        trees, texts = grown.trees, []
        parting = trees.parting()
        if parting:
            before = " ".join(game.line_names(parting[:-1], trees.root))
            other = next((place for place in trees.children(parting[:-1]) if _best(place, 1)), None)
            first, second = trees.name(parting), "" if other is None else trees.name(other.path)
            after = f"After {before}, tree" if before else "Tree"
            texts.append(f"{after} {shown.pair[0] + 1} prefers {first}, tree {shown.pair[1] + 1} {second}.")
        else:
            texts.append("The best lines agree as far as both trees go.")
        said = SAID.format(*signs.alone, signs.mostly[0], signs.fault)
        texts.append(f"Line: {' '.join(game.line_names(shown.at, trees.root))}")
        return paragraphs([signs.plain(text) for text in (*texts, said)], columns)[:rows]

    return lines


def _best(place: Place, at: int) -> bool:
    half = place.halves[at]
    return half is not None and half.best
