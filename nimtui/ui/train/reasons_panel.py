"""Paints why a function values a move so: what each cell adds, the tuples or hidden units that say most, and the
heaviest of all. In the same place: what a learner thought of one position over time.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from functools import partial
from itertools import chain, islice
from math import tanh
from typing import NamedTuple

import numpy as np

from nimtui.games import Game
from nimtui.games.notation import plural
from nimtui.learning.atlas import VALUES
from nimtui.learning.compiled import ALONE
from nimtui.learning.evaluate import NOTHING as LOST
from nimtui.learning.evaluate import RIGHT, UNDECIDED, WRONG
from nimtui.learning.reasons import Account, Pattern, Place, Reasons, Unit, has_pictures, names
from nimtui.learning.summary import known
from nimtui.learning.sweep_report import Rough
from nimtui.report.blocks import Column, Inked, Table, View
from nimtui.report.cells import list_lines, table_lines
from nimtui.report.lines import BLANK, Ink, Line, Run, beside, centred, cut, fitting, line, paragraphs, width
from nimtui.report.values import NOTHING, Count, Word
from nimtui.ui.kit.terminal.glyphs import Glyphs
from nimtui.ui.kit.widgets.panel import in_the_middle, painter
from nimtui.ui.train.position_panel import LONGEST_BAR, SHORTEST_BAR, ShortScore, called, shortened, sign_of

NUMBER, STRENGTH = 6, 3  # columns of a cell: with a number, with one or two signs
STRONG, WEAK = 0.5, 0.1  # shares of the largest amount from which it has two signs, and one
MILD = 0.25  # the same from which a weight of a unit has a sign
GAP = 3  # columns between two boards
MOST_NAME, MOST_PARTS = 3, 6  # lines of a pattern's name; parts of a sum in a sentence
TIMES = "Its weight; times met"
EMPTY, OTHER = "∙", "+"  # the first value of an empty cell, and others: in Connect Four one that can be filled now
NONE = "The marked move ends the game: its value is known."
WAITING = "Why the function gives the marked move its value will stand here."
NOTHING_EARLIER = "What it thought of a position earlier will stand here."


class ShownReasons(NamedTuple):
    """The reasons of a move, or the heaviest patterns of all."""

    game: Game
    places: Sequence[Place]
    account: Account
    move: str = ""

    @property
    def cells(self) -> list[list[int]]:
        """The cells of the start, where patterns are pictures of the board; else none."""
        return (self.game.cells(self.game.start) or []) if has_pictures(self.game, self.places) else []

    @property
    def since(self) -> str:
        """From which game on patterns are counted; '' from the first one on."""
        return f" after game {Count(self.account.uncounted)}" if self.account.uncounted else ""


@painter
def paint(columns: int, rows: int, signs: Glyphs, shown: ShownReasons | None) -> list[Line]:
    """Paint the reasons, or the heaviest patterns."""
    if shown is None:
        return in_the_middle(WAITING, columns, rows, signs)
    when = f" after {plural(shown.account.games, 'game', 'games')}", f" · {Rough(shown.account.games)} games"
    if shown.account.units:
        single = shown.account.units[0].number < 0
        titles = ["The weight of every cell", "Weights"] if single else ["The hidden units", "Units"]
        cell = f"in each cell the weight of a disc of {signs.discs[0]}, then of {signs.discs[1]}:"
        reading = cell if shown.cells else "for each row the weights of 1, 2, 3 … in it:"
        says = f"{'' if single else 'the largest first, '}{reading}"
        lines = [_head(columns, when, titles), *_said(says, columns), BLANK]
        lines += units(shown, shown.account.units, columns, rows - len(lines), signs)
    elif shown.account.heaviest:
        lines = [_head(columns, when, ["The heaviest patterns", "Heaviest patterns", "Patterns"])]
        texts = ["What each adds to the sum of who has moved:"]
        if _counted(shown.account.heaviest):
            most = f"{texts[0][:-1]}, and how often its games met it"
            texts = [f"{text}{shown.since}:" for text in (most, "What each adds for who has moved; times met", TIMES)]
        lines += _said(fitting(columns, *texts), columns)
        lines += patterns(shown, shown.account.heaviest, columns, rows - len(lines), signs)
    elif shown.account.reasons is None:
        return in_the_middle(NONE, columns, rows, signs)
    else:
        why = f"Why {shown.move}: {ShortScore(tanh(shown.account.reasons.total))}"
        titles = [f"{why} expected,", why, f"Why {shown.move}"]
        lines = [_head(columns, when, titles), *_sum(shown, shown.account.reasons, columns, rows - 1, signs)]
    plain = (tuple(run._replace(text=signs.plain(run.text)) for run in each) for each in lines[:rows])
    return [cut(each, columns, signs.hidden) for each in plain]


def _head(columns: int, whens: Sequence[str], titles: Sequence[str]) -> Line:
    """Return the first of these titles that has room beside its games, which are not cut."""
    heads = [line((title, Ink.STRONG), (when, Ink.QUIET)) for when in whens for title in titles]
    return next((head for head in heads if width(head) <= columns), heads[-1])


def _said(text: str, columns: int) -> list[Line]:
    return paragraphs([f"{text[0].upper()}{text[1:]}"], columns, Ink.QUIET)


def _sum(shown: ShownReasons, reasons: Reasons, columns: int, rows: int, signs: Glyphs) -> list[Line]:
    """Paint what each cell adds, and below it or beside it what says most; where no picture fits a line."""
    cells = _cells(shown, reasons, columns, signs)
    below = rows - len(cells) - 3  # lines, with two of a heading
    own, since = [pattern for pattern in reasons.patterns if pattern.weight], ""
    draw = partial(units, shown, reasons.units) if reasons.units else partial(patterns, shown, own)
    if reasons.units:
        heading = "The hidden units that say most, each with what is missing without it:"
        brief = [f"unit {unit.number + 1} {ShortScore(unit.size)}" for unit in reasons.units[:MOST_PARTS]]
        brief = [f"Most is said by {', '.join(brief)}"]
    else:
        nothing, since = len(reasons.patterns) - len(own), shown.since if _counted(own) else ""
        heading = f"The tuples that say most, of {len(reasons.patterns)} with mirror images"
        heading += f"; {nothing} have learned nothing here" * bool(nothing) + f"; met{since}" * bool(since) + ":"
        called = ((each, name) for each in own if (name := _name(shown, each, signs)))
        brief = [
            f"The heaviest pattern with a name: {ShortScore(each.weight)} {name}, {_times(shown, each)}".rstrip(", ")
            for each, name in islice(called, 1)
        ]
    if drawn := draw(columns, below, signs):
        return [*cells, BLANK, *_said(heading, columns), *drawn]
    across = len(shown.cells[0]) if shown.cells else columns
    for wide in (NUMBER * across, STRENGTH * across):
        room = columns - wide - GAP
        drawn = draw(room, rows - 1, signs) if room > 0 else []
        if drawn and max(map(width, drawn)) < room + GAP:  # of a name the last word may be cut
            titles = (heading, f"Says most, met{since}:") if since else (heading,)
            title = fitting(room, *titles, "What says most:")
            return beside([_cells(shown, reasons, wide, signs), [line((title, Ink.QUIET)), *drawn]], [wide + GAP, room])
    return [*cells, BLANK, *paragraphs(brief, columns, Ink.QUIET)] if below > -2 else cells


def _times(shown: ShownReasons, pattern: Pattern) -> str:
    """Return how often a pattern was met; '' if that was not counted. Of many games only some were counted."""
    if pattern.met is None:
        return ""
    if shown.account.games <= ALONE:
        return f"met {Rough(pattern.met)}"
    return f"met ~{Rough(shortened(pattern.met))}" if pattern.met else "met rarely"


def _counted(all_of: Sequence[Pattern]) -> bool:
    return any(pattern.met is not None for pattern in all_of)


def _cells(shown: ShownReasons, reasons: Reasons, columns: int, signs: Glyphs) -> list[Line]:
    """Paint what each input adds, as a board or a line for each."""
    adds, most = reasons.inputs.tolist(), max(map(abs, reasons.inputs.tolist()), default=0.0) or 1.0
    if not (cells := shown.cells):
        pairs = zip(names(shown.places), adds, strict=True)
        return paragraphs(["Its inputs add " + ", ".join(f"{name} {ShortScore(add)}" for name, add in pairs)], columns)
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

    signed = wide == STRENGTH
    across = [Column("", partial(value, column=at), left=signed, width=wide - 1) for at in range(len(cells[0]))]
    board = [centred(row, columns) for row in list_lines(Table("", across, range(len(cells)), gap=1), columns)]
    meaning = [line(("two signs: much", Ink.QUIET))] * signed
    return [line(("What each cell adds:", Ink.QUIET)), *board, *meaning]


def _name(shown: ShownReasons, pattern: Pattern, signs: Glyphs) -> str:
    """Return what a person calls a pattern, and whose it is; '' if it has no name."""
    name = known(shown.game, pattern.values, pattern.side)
    return "" if name is None else name.said(signs.discs)


def _mover(shown: ShownReasons, side: int, signs: Glyphs) -> list[Run]:
    """Return who has just moved, where each side has weights of its own."""
    disc = Run(signs.discs[side], (Ink.FIRST, Ink.SECOND)[side], Ink.BOARD if signs.grounds else None)
    return [disc, Run(" moved", Ink.TEXT)] if hasattr(shown.game.module, "side") else []


def _arranged(
    tiles: Iterable[Sequence[Line]], wide: int, columns: int, rows: int, least: int = sys.maxsize
) -> list[Line]:
    """Put pictures of this width side by side and one row of them below the other, as many as fit.

    Those of the first row may be cut to so many lines at `least`.
    """
    across, lines, rest = max(1, (columns + GAP) // (wide + GAP)), list[Line](), iter(tiles)
    while some := list(islice(rest, across)):
        if not lines and rows >= least:
            some = [each[:rows] for each in some]
        if len(lines) + max(map(len, some)) + bool(lines) > rows:
            break
        lines += [*([BLANK] if lines else []), *beside(some, [wide + GAP] * len(some))]
    return lines


def patterns(shown: ShownReasons, all_of: Sequence[Pattern], columns: int, rows: int, signs: Glyphs) -> list[Line]:
    """Paint the first of these patterns, as many as fit: as boards side by side, or one below the other as texts."""
    if not (cells := shown.cells):
        rows_of = names(shown.places)

        def values(pattern: Pattern) -> Word:
            return Word(" ".join(f"{rows_of[i]}{value}" for i, value in sorted(pattern.values.items())))

        heads = [
            Column("", lambda pattern: ShortScore(pattern.weight), ink=_ink),
            Column("", values, left=True),
            Column("", lambda pattern: Word(_times(shown, pattern)), left=True),
            Column("", lambda pattern: Word(_name(shown, pattern, signs)), left=True),
        ]
        return list_lines(Table("", heads, all_of[: max(0, rows)], gap=2), columns, signs=signs)
    foot = line("+0.00  ", *_mover(shown, 0, signs))  # what stands below each picture
    wide = max(2 * len(cells[0]) + 1, width(foot))
    tiles = (_board(shown, pattern, wide, signs) for pattern in all_of)
    drawn = _arranged(tiles, wide, columns, rows - 1, len(cells) + 1 + _counted(all_of))
    meanings = f"{EMPTY} empty  {OTHER} empty, filled next", f"{OTHER} filled next"
    return [*drawn, line((signs.plain(fitting(columns, *meanings)), Ink.QUIET))] if drawn else []


def _board(shown: ShownReasons, pattern: Pattern, wide: int, signs: Glyphs) -> list[Line]:
    """Paint what a tuple sees; below it its weight, and its name if it has one."""
    ground = Ink.BOARD if signs.grounds else None
    places = [(shown.places[i], value) for i, value in pattern.values.items()]
    seen = {place.cells[0]: (value, place.contents.get(value, 0)) for place, value in places}

    def run(cell: tuple[int, int]) -> Run:
        if cell not in seen:
            return Run("  ", Ink.QUIET)
        value, content = seen[cell]
        if content in (1, 2):
            return Run(f" {signs.discs[content - 1]}", (Ink.FIRST, Ink.SECOND)[content - 1], ground)
        return Run(signs.plain(f" {EMPTY if value == 0 else OTHER}"), Ink.HEAT if ground else Ink.TEXT, ground)

    board = [line(*(run((row, at)) for at in range(len(each)))) for row, each in enumerate(shown.cells)]
    weight = line(
        (signs.plain(str(ShortScore(pattern.weight))), _ink(pattern)), "  ", *_mover(shown, pattern.side, signs)
    )
    met = [centred(line((_times(shown, pattern), Ink.QUIET)), wide)] * (pattern.met is not None)
    text = _name(shown, pattern, signs)
    name = paragraphs([text] if text else [], wide + GAP - 1, Ink.STRONG)[:MOST_NAME]
    return [*board, centred(weight, wide), *met, *name]


def _ink(pattern: Pattern) -> Ink:
    return Ink.GOOD if pattern.weight > 0 else Ink.BAD


# Hidden units.


def units(shown: ShownReasons, all_of: Sequence[Unit], columns: int, rows: int, signs: Glyphs) -> list[Line]:
    """Paint the first of these units, as many as fit: what a value of each input adds to a unit, + or −."""
    values = all_of[0].weights.shape[1] if all_of else 0
    cells, whole = shown.cells, all_of is shown.account.units
    wide = STRENGTH * len(cells[0]) - 1 if cells else max(map(len, names(shown.places)), default=0) + values
    foot = line("unit 99  ", *_mover(shown, 0, signs)) if whole else line("unit 99 +0.00")
    wide = max(wide, width(foot))
    return _arranged((_unit(shown, unit, whole, signs) for unit in all_of), wide, columns, rows)


def _unit(shown: ShownReasons, unit: Unit, whole: bool, signs: Glyphs) -> list[Line]:
    """Paint the weights of a unit, and below them which it is, and what it adds; of the whole net whose it is."""
    most = float(np.abs(unit.weights).max()) or 1.0

    def run(weight: float) -> Run:
        if abs(weight) < MILD * most:
            return Run(signs.plain(EMPTY), Ink.QUIET)
        return Run(signs.plain("+" if weight > 0 else "−"), Ink.GOOD if weight > 0 else Ink.BAD)

    if cells := shown.cells:
        of_disc = {
            (*place.cells[0], content): float(unit.weights[i, value])
            for i, place in enumerate(shown.places)
            for value, content in place.contents.items()
        }

        def cell(row: int, column: int) -> Line:
            return line(*(run(of_disc.get((row, column, disc), 0.0)) for disc in (1, 2)), " ")

        picture = [tuple(chain(*(cell(row, at) for at in range(len(each))))) for row, each in enumerate(cells)]
    else:
        levels = [max(place.contents, default=unit.weights.shape[1] - 1) for place in shown.places]
        rows = zip(names(shown.places), levels, unit.weights, strict=True)
        picture = [line(f"{name} ", *map(run, weights[1 : last + 1].tolist())) for name, last, weights in rows]
    if not whole:
        return [*picture, line(f"unit {unit.number + 1} ", (signs.plain(str(ShortScore(unit.size))), Ink.STRONG))]
    number = "" if unit.number < 0 else f"unit {unit.number + 1}  "
    return [*picture, line((number, Ink.STRONG), *_mover(shown, unit.side, signs))]


class Picture(NamedTuple):
    """What a learner thought of a position at one moment."""

    games: int
    move: str  # the best-scored ones, at most so many names as fit a column
    score: float
    verdict: int  # see `learning.evaluate`


class ShownPast(NamedTuple):
    """A position over time."""

    position: str
    worth: int  # exact, for the player to move: 1 won, 0 drawn, −1 lost
    pictures: Sequence[Picture]  # in order; the last is of now

    @property
    def text(self) -> str:
        """Say since when it has been right or wrong without a break."""
        last = self.pictures[-1].verdict
        if last == LOST:
            return "Lost: every move loses."
        since = len(self.pictures) - 1
        while since and self.pictures[since - 1].verdict == last:
            since -= 1
        word = {RIGHT: "right", WRONG: "wrong", UNDECIDED: "undecided"}[last]
        if not since:
            return f"It has been {word} in every picture."
        first, before = self.pictures[since].games, self.pictures[since - 1].games
        return f"It has been {word} since game {Count(first)}; after game {Count(before)} it was not."


def verdict_of(scores: np.ndarray, keeps: np.ndarray, worth: int) -> int:
    """Return the verdict on scores of the moves of a position."""
    if worth < 0:
        return LOST
    best = keeps[scores == scores.max()]
    return RIGHT if best.all() else UNDECIDED if best.any() else WRONG


def few(number: int, most: int, changes: Sequence[int]) -> list[int]:
    """Return at most so many places of a sequence: the ends, the newest changes, and others evenly between."""
    if number <= most:
        return list(range(number))
    chosen = {0, number - 1, *changes[-(most - 2) :]} if most > 2 else {number - 1}
    while len(chosen) < most:
        chosen.add(max(range(number), key=lambda place: min(abs(place - other) for other in chosen)))
    return sorted(chosen)


@painter
def paint_past(columns: int, rows: int, signs: Glyphs, shown: ShownPast | None) -> list[Line]:
    """Paint a strip of verdicts, from the first picture to now, and below it the moves with their scores."""
    if shown is None or not shown.pictures:
        return paragraphs([NOTHING_EARLIER], columns, Ink.QUIET)
    pictures = shown.pictures
    head = line(called(shown.position, signs), f" is {VALUES[shown.worth + 1]}")
    strip = tuple(sign_of(each.verdict, signs) for each in pictures[-columns:])
    lines = [head, strip, *paragraphs([signs.plain(shown.text)], columns, Ink.QUIET), BLANK]
    changes = [at for at in range(1, len(pictures)) if pictures[at][1:2] != pictures[at - 1][1:2]]
    places = few(len(pictures), max(1, rows - len(lines) - 1), changes)
    most = max(1.0, *(abs(each.score) for each in pictures))  # a function's values are from −1 to 1

    def bar(at: int, cells: int) -> Line:
        score, half = pictures[at].score, (cells - 1) // 2
        text, zero = signs.signed_bar(score / most, half), (signs.stem, Ink.FRAME)
        blank = " " * (half - len(text) if score < 0 else half)
        return line(blank, (text, Ink.QUIET), zero) if score < 0 else line(blank, zero, (text, Ink.BAR))

    heads = [
        Column("games", lambda at: Count(pictures[at].games)),
        Column("", lambda at: Inked(sign_of(pictures[at].verdict, signs))),
        Column("best", lambda at: Word(signs.plain(pictures[at].move)), left=True),
        Column("score", lambda at: ShortScore(pictures[at].score)),
        Column("", lambda _: NOTHING, left=True, draw=bar, most=2 * LONGEST_BAR + 1, width=SHORTEST_BAR - 1),
    ]
    table = table_lines(Table("", heads, places, lambda at: at, gap=2), columns, rows - len(lines), View(), signs)
    return [cut(each, columns, signs.hidden) for each in (*lines, *table)[:rows]]
