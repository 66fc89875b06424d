"""Paints the lines of a search tree, and the windows on a line as bars."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from nimtui.engine.windows import CUT, INFINITY, LEAF, OPEN, TABLE, TERMINAL
from nimtui.report.lines import Ink, Line, Run, cut, line
from nimtui.theory.report import VERBS, truth
from nimtui.trees.move_values import JudgedMove
from nimtui.trees.replay import Frame
from nimtui.trees.report import TreeValue
from nimtui.trees.settings import DEFAULT
from nimtui.ui.kit.glyphs import ASCII, Glyphs
from nimtui.ui.search import sentences as search_words
from nimtui.ui.search.outline import GrowthSource, Outline, WindowSource

KINDS = {LEAF: "limit", TERMINAL: "end", TABLE: "table", OPEN: "open"}
VALUE, WINDOW, NODES, NOTE = 9, 15, 8, 10
LONG_NOTE = 16  # with the plies to the end: "★ loses in 12 ✗"
DECIDED_VALUE, DECIDED_WINDOW = 14, 18  # widths for values of decided games: "≤ loses in 10", "(loss 10, win 9)"
BRIEF_VALUE = 10  # "≤ loss 10"
LEAST_NAME = 11  # columns for moves
ROOM_FOR_NODES, ROOM_FOR_PLIES = 62, 68  # columns from which the nodes, and the plies to the end, are shown
VISITS, MEAN, BOUND = 8, 8, 8
INDENT = 2
ROOMY = 14  # columns for moves: from here on each ply is indented by two
WIDEST = 40  # columns for moves: the numbers stay near them
BAR_NAME = 5  # columns for a move
LEAST_BAR = 6
WIDEST_INTERVAL = 8  # columns for most windows as numbers: the bars keep their length


def lettered(text: str, signs: Glyphs) -> str:
    """Return the text with α and β, in ASCII with a and b: 'alpha' has no room in a column."""
    return signs.plain(text.replace("α", "a").replace("β", "b") if signs is ASCII else text)


class Row(NamedTuple):
    """A painted line without the mark, and its column for the mark. It can be marked without another look at it."""

    shown: Line
    indent: int

    def line(self, marked: bool, signs: Glyphs) -> Line:
        if not marked or not self.shown or len(self.shown[0].text) <= self.indent:
            return self.shown
        first, *others = self.shown
        text = first.text[: self.indent] + signs.mark[0] + first.text[self.indent + 1 :]
        return (Run(text, first.ink), *others)


def _name(depth: int, sign: str, name: str, wide: int) -> tuple[str, int]:
    """Return a move with its indent, and the indent; moves too deep for the room share the largest one."""
    unit = INDENT if wide >= ROOMY else 1
    indent = min(depth * unit, max(0, wide - len(name) - 3, wide - 7))
    return f"{' ' * indent} {sign} {name}".ljust(wide), indent


class WindowRows:
    """Paints moves with value, window and nodes; numbers are those of the player at the root."""

    def __init__(self, outline: Outline, source: WindowSource) -> None:
        self.outline, self.source, self.tree = outline, source, source.tree
        self.truths: Mapping[int, JudgedMove] = {}  # of the root's moves
        self.frames: Mapping[int, Frame] = {}  # the nodes being searched at the shown event
        self.principal = frozenset(self.tree.principal)
        self._words = self.tree.settings.heuristic == DEFAULT
        self._window = DECIDED_WINDOW if self._words else WINDOW

    def _brief(self, columns: int) -> bool:
        """Must values be brief, so that the notes have room?"""
        return self._words and columns < LEAST_NAME + DECIDED_VALUE + DECIDED_WINDOW + NOTE

    def _wide(self, columns: int) -> tuple[int, int, bool]:
        """Return the columns for names and for values, and whether there is room for the nodes."""
        nodes = columns >= ROOM_FOR_NODES
        note = LONG_NOTE if columns >= ROOM_FOR_PLIES else NOTE
        value = BRIEF_VALUE if self._brief(columns) else DECIDED_VALUE if self._words else VALUE
        return max(LEAST_NAME, min(WIDEST, columns - value - self._window - note - NODES * nodes)), value, nodes

    def head(self, columns: int, signs: Glyphs) -> str:
        wide, value, nodes = self._wide(columns)
        text = f"{'  move':<{wide}}{'value':>{value}}{lettered('window (α, β)', signs):>{self._window}}"
        return text + (f"{'nodes':>{NODES}}" if nodes else "")

    def row(self, place: int, columns: int, signs: Glyphs) -> Row:
        shown, depth = int(self.outline.lines[place]), int(self.outline.depths[place])
        if shown < 0:
            text = search_words.why_cut(self.tree, ~shown)
            sign = signs.scissors if self.tree.kind(~shown) == CUT else signs.hidden
            lead, indent = _name(depth, sign, "", self._wide(columns)[0])
            return Row(cut(line((signs.plain(f"{lead.rstrip()} {text}"), Ink.OPEN)), columns, signs.hidden), indent)
        (wide, value_wide, room), brief = self._wide(columns), self._brief(columns)
        tree, source = self.tree, self.source
        open_now = not source.returned(shown)
        sign = signs.unfolded if self.outline.is_open(place) else signs.folded if source.parents(shown) else " "
        name, indent = _name(depth, sign, search_words.move_name(tree, shown), wide)
        low, high = search_words.window(tree, shown)
        value = search_words.value(tree, shown, brief)
        frame = self.frames.get(shown)
        if open_now and not source.growing:
            best = frame.best if frame is not None else None
            told_value = TreeValue(None if best is None else search_words.for_root(best, source.ply(shown)))
            value = "…" if best is None else told_value.short if brief else told_value.text
            if frame is not None:
                low, high = (-frame.beta, -frame.alpha) if source.ply(shown) % 2 else (frame.alpha, frame.beta)
        told = search_words.interval(low, high)
        numbers = f"{signs.plain(value):>{value_wide}}{signs.plain(told):>{self._window}}"  # ASCII is longer
        if room:
            told_nodes = search_words.count(tree.below(shown) + 1) if not open_now or source.growing else ""
            numbers += f"{told_nodes:>{NODES}}"
        best_line = not open_now and source.at is None and shown in self.principal
        ink = Ink.FRESH if open_now else Ink.TEXT
        painted = line(
            (name, ink),
            (signs.plain(numbers), ink if not closed(low, high) else Ink.WRONG),
            *self._note(shown, best_line, columns >= ROOM_FOR_PLIES, signs),
        )
        return Row(cut(painted, columns, signs.hidden), indent)

    def _note(self, node: int, best: bool, plies: bool, signs: Glyphs) -> list[Run]:
        star = Run(f" {signs.best}" if best else "  ", Ink.GOOD)
        kind = self.tree.kind(node)
        if kind == OPEN and self.source.growing:
            return [star, Run(" active", Ink.FRESH)]
        if node and not int(self.tree.parent[node]) and (judged := self.truths.get(self.tree.move(node))) is not None:
            return [star, Run(" "), truth_run(judged, plies, signs)]
        if kind == CUT and self.source.returned(node):
            return [star, Run(f" {signs.scissors}", Ink.OPEN)]
        return [star, Run(f" {KINDS[kind]}" if kind in KINDS and self.source.returned(node) else "", Ink.QUIET)]


def closed(low: int, high: int) -> bool:
    return low >= high and low > -INFINITY


def truth_run(judged: JudgedMove, plies: bool, signs: Glyphs) -> Run:
    """Return the exact result of a root move, with the plies to the end, and whether the search is wrong about it."""
    ink = Ink.WRONG if judged.wrong else Ink.RIGHT if judged.truth.optimal else Ink.QUIET
    result = truth(judged.truth).text if plies else VERBS[judged.truth.outcome]
    return Run(f"{result} {signs.wrong}" if judged.wrong else result, ink)


class GrowthRows:
    """Paints moves with visits, mean and bound, for the player who makes the move, at the root for who is to move."""

    def __init__(self, outline: Outline, source: GrowthSource) -> None:
        self.outline, self.source, self.replay = outline, source, source.tree
        self.truths: Mapping[int, JudgedMove] = {}
        self.path: frozenset[int] = frozenset()  # the nodes of the shown simulation
        self._principal: tuple[int, frozenset[int]] = (-1, frozenset())

    def _wide(self, columns: int) -> int:
        return max(
            12, min(WIDEST, columns - VISITS - MEAN - BOUND - (LONG_NOTE if columns >= ROOM_FOR_PLIES else NOTE))
        )

    def head(self, columns: int, signs: Glyphs) -> str:
        return f"{'  move':<{self._wide(columns)}}{'visits':>{VISITS}}{'mean':>{MEAN}}{'bound':>{BOUND}}"

    @property
    def principal(self) -> frozenset[int]:
        if self._principal[0] != self.replay.at:
            self._principal = (self.replay.at, frozenset(self.replay.principal))
        return self._principal[1]

    def name_of(self, node: int) -> str:
        game, tree = self.replay.search.game, self.replay.tree
        if not node:
            return "root"
        return game.move_name(int(tree.move[node]), self.replay.state(int(tree.parent[node])))

    def row(self, place: int, columns: int, signs: Glyphs) -> Row:
        shown, depth = int(self.outline.lines[place]), int(self.outline.depths[place])
        replay, wide = self.replay, self._wide(columns)
        if shown < 0:
            untried = sum(not replay.visits[child] for child in replay.children(~shown))
            text = f"{untried} move{'s' * (untried > 1)} not tried yet"
            lead, indent = _name(depth, signs.hidden, "", wide)
            return Row(cut(line((f"{lead.rstrip()} {text}", Ink.QUIET)), columns, signs.hidden), indent)
        sign = signs.unfolded if self.outline.is_open(place) else signs.folded if self.source.parents(shown) else " "
        name, indent = _name(depth, sign, self.name_of(shown), wide)
        mean, proven = replay.mean(shown), replay.proven(shown)
        bound = ""
        if shown:
            value = replay.branch(shown).bound
            bound = "" if value is None else f"{value:+.3f}"
        numbers = (
            f"{int(replay.visits[shown]):>{VISITS},}{'' if mean is None else f'{mean:+.3f}':>{MEAN}}{bound:>{BOUND}}"
        )
        ink = Ink.FRESH if shown in self.path else Ink.TEXT
        star = Run(f" {signs.best}" if shown in self.principal else "  ", Ink.GOOD)
        note: list[Run] = []
        if depth == 1 and (judged := self.truths.get(int(replay.tree.move[shown]))) is not None:
            note = [Run(" "), truth_run(judged, columns >= ROOM_FOR_PLIES, signs)]
        elif proven is not None:
            note = [Run({1: " proven win", 0: " proven draw", -1: " proven loss"}[proven], Ink.RIGHT)]
        elif not shown:
            note = [Run(" to move", Ink.QUIET)]
        named = (name, ink)
        painted = line(named, (signs.plain(numbers.replace("-", "−")), ink), star, *note)
        return Row(cut(painted, columns, signs.hidden), indent)


# The windows.


@dataclass(frozen=True, slots=True)
class Interval:
    """The window of a position; numbers are those of the player at the root."""

    name: str  # the move to the position
    alpha: int
    beta: int

    @property
    def closed(self) -> bool:
        return self.alpha >= self.beta


Rows: TypeAlias = WindowRows | GrowthRows  # paint the lines of an outline


def ends_of(shown: Sequence[Interval]) -> list[int]:
    """Return the finite ends of these windows, ascending: the scale of bars as long as the tree grows."""
    return sorted({end for found in shown for end in (found.alpha, found.beta) if abs(end) < INFINITY})


def bars(
    shown: Sequence[Interval], scale: Sequence[int], said: str, columns: int, rows: int, signs: Glyphs
) -> list[Line]:
    """Paint the windows on the line to a node as bars: a head, then the last ones that fit.

    `scale` has all values, ascending: each has its own place on every bar.
    """
    if not shown or rows < 2:
        return []
    seen = shown[-(rows - 1) :]
    told = [signs.plain(search_words.interval(found.alpha, found.beta)) for found in seen]
    widest = max(WIDEST_INTERVAL, *map(len, told))
    room = max(LEAST_BAR, columns - BAR_NAME - 2 - widest)
    lines = [cut(line((signs.plain(said), Ink.TITLE)), columns, signs.hidden)]
    for found, text in zip(seen, told, strict=True):
        last = found is seen[-1]
        ink = Ink.BAD if found.closed else Ink.STRONG if last else Ink.QUIET
        bar = _bar(found, scale, room, signs)
        name = signs.plain(found.name)[:BAR_NAME].ljust(BAR_NAME)
        end = " closed" if found.closed and columns >= BAR_NAME + room + widest + 9 else ""
        lines.append(cut(line((f"{name} {bar} {text}{end}", ink)), columns, signs.hidden))
    return lines


def _bar(found: Interval, scale: Sequence[int], columns: int, signs: Glyphs) -> str:
    """Return one bar. Values have places in their order; infinity lies beyond them."""

    def place(end: int) -> int:
        if abs(end) >= INFINITY:
            return 0 if end < 0 else columns - 1
        return 1 + round(bisect_left(scale, end) * (columns - 3) / max(1, len(scale) - 1))

    low, high = place(found.alpha), place(found.beta)
    cells = [" "] * columns
    if found.closed:
        cells[min(low, high)] = signs.wrong
        return "".join(cells)
    for at in range(low, high + 1):
        cells[at] = signs.rule
    cells[low] = signs.ends[0] if found.alpha > -INFINITY else signs.endless[0]
    cells[high] = signs.ends[1] if found.beta < INFINITY else signs.endless[1]
    return "".join(cells)
