"""Paints why a function values a move so: what each cell adds, the tuples that say most, and the heaviest of all."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from math import tanh
from typing import NamedTuple

from nimtui.games import Game
from nimtui.games.notation import row_letter
from nimtui.learning.reasons import Pattern, Place, Reasons
from nimtui.report.blocks import Column, Inked, Table
from nimtui.report.cells import list_lines
from nimtui.report.lines import BLANK, Ink, Line, Run, beside, centred, cut, line, paragraphs
from nimtui.report.values import Count, Word
from nimtui.ui.kit.terminal.glyphs import Glyphs
from nimtui.ui.kit.widgets.panel import in_the_middle, painter
from nimtui.ui.train.position_panel import ShortScore

BOARDS = ("columns", "grid")  # kinds of boards whose patterns are pictures
NUMBER, STRENGTH = 6, 3  # columns of a cell: with a number, with one or two signs
STRONG, WEAK = 0.5, 0.1  # shares of the largest amount from which it has two signs, and one
GAP = 3  # columns between two boards
EMPTY, OTHER = "∙", "+"  # the first value of an empty cell, and others: in Connect Four one that can be filled now
NONE = "The marked move ends the game: its value is known."
WAITING = "What makes the function value the marked move so will stand here."


class ShownReasons(NamedTuple):
    """The reasons of a move, or the heaviest patterns of all."""

    game: Game
    places: Sequence[Place]
    games: int  # that the weights have learned from
    move: str = ""
    reasons: Reasons | None = None
    heaviest: Sequence[Pattern] = ()


@painter
def paint(columns: int, rows: int, signs: Glyphs, shown: ShownReasons | None) -> list[Line]:
    """Paint the reasons, or the heaviest patterns."""
    drawn = list[Line]()
    if shown is None:
        return in_the_middle(WAITING, columns, rows, signs)
    when = (f"after {Count(shown.games)} games", Ink.QUIET)
    if shown.heaviest:
        head = line(("The heaviest patterns", Ink.STRONG), "  ", when)
        says = "What each adds to the sum of the player who has just moved:"
        lines = [head, *paragraphs([says], columns, Ink.QUIET), BLANK]
        drawn = patterns(shown, shown.heaviest, columns, rows - len(lines) - 1, signs)
    elif shown.reasons is None:
        return in_the_middle(NONE, columns, rows, signs)
    else:
        head = line((f"Why {shown.move}: {ShortScore(tanh(shown.reasons.total))}", Ink.STRONG), " expected, ", when)
        lines = [head, *_cells(shown, shown.reasons, columns, signs)]
        own = [pattern for pattern in shown.reasons.patterns if pattern.weight]
        if drawn := patterns(shown, own, columns, rows - len(lines) - 3, signs):
            lines += [BLANK, line(("The tuples that say most:", Ink.QUIET))]
    lines += drawn
    if _has_boards(shown) and drawn:
        lines.append(line((signs.plain(f"{EMPTY} empty  {OTHER} empty, filled next"), Ink.QUIET)))
    return [cut(each, columns, signs.hidden) for each in lines[:rows]]


def _has_boards(shown: ShownReasons) -> bool:
    return shown.game.board_kind in BOARDS and all(len(place.cells) == 1 for place in shown.places)


def _cells(shown: ShownReasons, reasons: Reasons, columns: int, signs: Glyphs) -> list[Line]:
    """Paint what each input adds, as a board or a line for each."""
    adds, most = reasons.inputs.tolist(), max(map(abs, reasons.inputs.tolist()), default=0.0) or 1.0
    if not _has_boards(shown):
        pairs = zip(_names(shown), adds, strict=True)
        return paragraphs(["Its inputs add " + ", ".join(f"{name} {ShortScore(add)}" for name, add in pairs)], columns)
    cells = shown.game.cells(shown.game.start) or []
    wide = NUMBER if len(cells[0]) * NUMBER <= columns else STRENGTH
    at = {place.cells[0]: add for place, add in zip(shown.places, adds, strict=True)}

    def value(row: int, column: int) -> Inked:
        add = at.get((row, column), 0.0)
        if wide == NUMBER:
            text = str(ShortScore(add)) if abs(add) >= 0.005 else EMPTY
        else:
            sign = "+" if add > 0 else "−"
            text = EMPTY if abs(add) < WEAK * most else sign * (1 + (abs(add) >= STRONG * most))
        return Inked((signs.plain(text), Ink.QUIET if text == EMPTY else Ink.GOOD if add > 0 else Ink.BAD))

    across = [Column("", partial(value, column=column), width=wide - 1) for column in range(len(cells[0]))]
    board = [centred(row, columns) for row in list_lines(Table("", across, range(len(cells)), gap=1), columns)]
    return [line(("What each cell adds:", Ink.QUIET)), *board]


def _names(shown: ShownReasons) -> list[str]:
    """Return a name for each input: the row that it tells, else its number."""
    places = enumerate(shown.places, 1)
    return [row_letter(place.cells[0][0] % 26).upper() if place.cells else str(number) for number, place in places]


def patterns(shown: ShownReasons, all_of: Sequence[Pattern], columns: int, rows: int, signs: Glyphs) -> list[Line]:
    """Paint the first of these patterns, as many as fit: as boards side by side, or one below the other as texts."""
    if not _has_boards(shown):
        names = _names(shown)

        def values(pattern: Pattern) -> Word:
            return Word(" ".join(f"{names[i]}{value}" for i, value in sorted(pattern.values.items())))

        heads = [Column("", lambda pattern: ShortScore(pattern.weight), ink=_ink), Column("", values, left=True)]
        return list_lines(Table("", heads, all_of[: max(0, rows)], gap=2), columns, signs=signs)
    cells = shown.game.cells(shown.game.start) or []
    wide, tall = 2 * len(cells[0]) + 1, len(cells) + 1
    across, lines = max(1, (columns + GAP) // (wide + GAP)), list[Line]()
    for first in range(0, len(all_of), across):
        if len(lines) + tall + (first > 0) > rows:
            break
        boards = [_board(shown, pattern, wide, signs) for pattern in all_of[first : first + across]]
        lines += [*([BLANK] if lines else []), *beside(boards, [wide + GAP] * len(boards))]
    return lines


def _board(shown: ShownReasons, pattern: Pattern, wide: int, signs: Glyphs) -> list[Line]:
    """Paint what a tuple sees, and its weight below."""
    cells = shown.game.cells(shown.game.start) or []
    ground = Ink.BOARD if signs.grounds else None
    places = [(shown.places[i], value) for i, value in pattern.values.items()]
    seen = {place.cells[0]: (value, place.contents.get(value, 0)) for place, value in places}

    def run(cell: tuple[int, int]) -> Run:
        if cell not in seen:
            return Run("  ", Ink.QUIET)
        value, content = seen[cell]
        if content in (1, 2):
            return Run(f" {signs.discs[content - 1]}", (Ink.FIRST, Ink.SECOND)[content - 1], ground)
        return Run(f" {EMPTY if value == 0 else OTHER}", Ink.HEAT if ground else Ink.TEXT, ground)

    board = [line(*(run((row, at)) for at in range(len(each)))) for row, each in enumerate(cells)]
    return [*board, centred(line((signs.plain(str(ShortScore(pattern.weight))), _ink(pattern))), wide)]


def _ink(pattern: Pattern) -> Ink:
    return Ink.GOOD if pattern.weight > 0 else Ink.BAD
