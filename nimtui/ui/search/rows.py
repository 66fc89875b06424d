"""Paints the lines of a search tree, and the windows on a line as bars."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from math import log
from typing import NamedTuple, TypeAlias

from nimtui.engine.windows import CUT, INFINITY, LEAF, OPEN, TABLE, TERMINAL
from nimtui.games.base import largest_payoff
from nimtui.report.lines import Ink, Line, Run, cut, fit, line, width
from nimtui.report.values import Count, Named, Result, known
from nimtui.theory.report import VERBS, Decided, bounded, truth
from nimtui.trees import report as search_words
from nimtui.trees.report import JudgedMove, TreeValue
from nimtui.trees.settings import DEFAULT
from nimtui.trees.tree import Frame
from nimtui.ui.kit.terminal.glyphs import Glyphs
from nimtui.ui.kit.widgets.panel import painter
from nimtui.ui.search.outline import GrowthSource, Outline, WindowSource

RESULTS = {1: "win", 0: "draw", -1: "loss"}
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
WIDEST = 30  # columns for moves: the numbers stay near them
SHORTEST, LONGEST = 8, 40  # columns of the bars of work behind the notes, where there is room
BAR_NAME = 5  # columns for a move
LEAST_BAR = 6
ROOM_FOR_GUIDES = 64  # columns from which a tree has guide lines
WIDEST_INTERVAL = 8  # columns for most windows as numbers: the bars keep their length


def lettered(text: str, signs: Glyphs) -> str:
    """Return the text with α and β, in ASCII with a and b: 'alpha' has no room in a column."""
    return signs.plain(text.replace("α", "a").replace("β", "b") if signs.is_ascii else text)


class Row(NamedTuple):
    """A painted line without the mark. It can be marked without another look at the tree."""

    lead: str  # blanks, or the guide lines of the nodes above
    name: Run  # after a place for the mark
    rest: Line

    def line(self, marked: bool, columns: int, signs: Glyphs) -> Line:
        name = Run(signs.mark[0] + self.name.text[1:], Ink.WHERE) if marked else self.name
        return cut(line((self.lead, Ink.FRAME), name, *self.rest), columns, signs.hidden)


def _name(depth: int, sign: str, name: str, wide: int) -> tuple[str, int]:
    """Return a move with its indent, and the indent; moves too deep for the room share the largest one."""
    unit = INDENT if wide >= ROOMY else 1
    indent = min(depth * unit, max(0, wide - len(name) - 3, wide - 7))
    return f"{' ' * indent} {sign} {name}".ljust(wide), indent


class TreeRows:
    """Paints the lines of an outline: what both kinds of trees have in common."""

    source: WindowSource | GrowthSource

    def __init__(self, outline: Outline) -> None:
        self.outline = outline
        self.truths: Mapping[int, JudgedMove] = {}  # of the root's moves

    def row(self, place: int, columns: int, signs: Glyphs) -> Row:
        node, depth = int(self.outline.lines[place]), int(self.outline.depths[place])
        if node < 0:
            sign, text, ink = self._unsearched(~node, signs)
            name, indent = _name(depth, sign, "", self._wide(columns))
            name, runs = signs.plain(f"{name.rstrip()} {text}"), list[Run]()
        else:
            folded = signs.folded if self.source.parents(node) else " "
            sign = signs.unfolded if self.outline.is_open(place) else folded
            name, indent = _name(depth, sign, self.source.tree.name(node), self._wide(columns))
            ink, runs = self._runs(node, columns, signs)
            if room := self._bar(columns):
                share = log(max(1, self.size(node))) / log(max(2, self.size(0)))
                gap = self._end(columns) - len(name) - width(tuple(runs))
                runs += [Run(" " * gap), Run(signs.bar(share, room), Ink.BAR)]
        unit, guided = indent // max(1, depth) or 1, columns >= ROOM_FOR_GUIDES
        lead = (signs.stem if guided and at and not at % unit else " " for at in range(indent))
        return Row("".join(lead), Run(name[indent:], ink), line(*runs))

    def numbers(self, columns: int) -> list[tuple[str, int]]:
        """Return the heads and the widths of the numbers behind a move."""
        raise NotImplementedError

    def size(self, node: int) -> int:
        """Return how much of the search went into a node: searched nodes or visits."""
        raise NotImplementedError

    def _bar(self, columns: int) -> int:
        """Return the columns of a bar of a node's work, on a log scale; 0 if there is no room for it."""
        room = columns - self._end(columns)
        return min(LONGEST, room) if room >= SHORTEST else 0

    def _end(self, columns: int) -> int:
        """Return the columns for names, numbers and notes, behind which the bars start."""
        return self._wide(columns) + sum(width for _, width in self.numbers(columns)) + LONG_NOTE + INDENT

    def head(self, columns: int, signs: Glyphs) -> str:
        heads = (f"{lettered(head, signs):>{width}}" for head, width in self.numbers(columns))
        text = f"{'  move':<{self._wide(columns)}}{''.join(heads)}"
        return f"{text:<{self._end(columns)}}effort (log)" if self._bar(columns) else text

    def _wide(self, columns: int) -> int:
        """Return the columns for names."""
        beside = sum(width for _, width in self.numbers(columns))
        return max(LEAST_NAME, min(WIDEST, columns - beside - self._note(columns)))

    def _note(self, columns: int) -> int:
        """Return the columns for the exact result behind a move."""
        return LONG_NOTE if columns >= ROOM_FOR_PLIES else NOTE

    def _numbers(self, texts: Sequence[str], columns: int, signs: Glyphs) -> str:
        placed = zip(texts, self.numbers(columns), strict=False)  # a narrow screen shows the first of them
        return "".join(f"{signs.plain(text):>{width}}" for text, (_, width) in placed)

    def _unsearched(self, node: int, signs: Glyphs) -> tuple[str, str, Ink]:
        """Return a sign and a text for the moves of a node that were not searched."""
        raise NotImplementedError

    def _runs(self, node: int, columns: int, signs: Glyphs) -> tuple[Ink, list[Run]]:
        """Return the ink of a node's move, and what stands behind the move."""
        raise NotImplementedError

    def _truth(self, node: int, columns: int, signs: Glyphs) -> list[Run]:
        """Return the exact result of a move of the root; [] for other nodes, or while it is unknown."""
        tree = self.source.tree
        judged = self.truths.get(tree.move(node)) if node and not tree.parent[node] else None
        return [] if judged is None else [Run(" "), truth_run(judged, columns >= ROOM_FOR_PLIES, signs)]


class WindowRows(TreeRows):
    """Paints moves with value, window and nodes; numbers are those of the player at the root."""

    def __init__(self, outline: Outline) -> None:
        super().__init__(outline)
        assert isinstance(outline.source, WindowSource)
        self.source: WindowSource = outline.source
        self.tree = self.source.tree
        self.frames: Mapping[int, Frame] = {}  # the nodes being searched at the shown event
        self.principal = frozenset(self.tree.principal)
        self._words = self.tree.settings.heuristic == DEFAULT
        game = self.tree.game
        self._most = -int(largest_payoff(game.start)) if game.pays else 0  # the widest number

    def _brief(self, columns: int) -> bool:
        """Must values be brief, so that the notes have room?"""
        return self._words and columns < LEAST_NAME + DECIDED_VALUE + DECIDED_WINDOW + NOTE

    def numbers(self, columns: int) -> list[tuple[str, int]]:
        value = BRIEF_VALUE if self._brief(columns) else DECIDED_VALUE if self._words else VALUE
        window = DECIDED_WINDOW if self._words else WINDOW
        if most := self._most:
            value = max(VALUE, len(bounded(TreeValue(most, pays=True), "upper").text) + 1)
            window = max(WINDOW, len(search_words.interval(most, most, pays=True)) + 1)
        heads, room = [("value", value)], columns - LEAST_NAME - value - self._note(columns)
        if not most or window <= room:
            heads.append(("window (α, β)", window))
        if columns >= ROOM_FOR_NODES and (not most or window + NODES <= room):
            heads.append(("nodes", NODES))
        return heads

    def _note(self, columns: int) -> int:
        return max(super()._note(columns), len(str(Decided(self._most, pays=True))) + 4)

    def size(self, node: int) -> int:
        return self.tree.below(node) + 1 if self.source.growing or self.source.returned(node) else 0

    def _unsearched(self, node: int, signs: Glyphs) -> tuple[str, str, Ink]:
        sign = signs.scissors if self.tree.kind(node) == CUT else signs.hidden
        return sign, search_words.why_cut(self.tree, node), Ink.OPEN

    def _runs(self, node: int, columns: int, signs: Glyphs) -> tuple[Ink, list[Run]]:
        tree, source, brief = self.tree, self.source, self._brief(columns)
        open_now = not source.returned(node)
        low, high = search_words.window(tree, node)
        value = search_words.value(tree, node, brief)
        frame = self.frames.get(node)
        if open_now and not source.growing:
            best, ply = frame.best if frame is not None else None, int(tree.plies[node])
            so_far = TreeValue(None if best is None else search_words.for_root(best, ply), tree.game.pays)
            value = "…" if best is None else so_far.short if brief else so_far.text
            if frame is not None:
                low, high = search_words.window_for_root(frame.alpha, frame.beta, ply)
        nodes = search_words.count(tree.below(node) + 1) if not open_now or source.growing else ""
        numbers = self._numbers([value, search_words.interval(low, high, tree.game.pays), nodes], columns, signs)
        ink = Ink.FRESH if open_now else Ink.TEXT
        best_line = not open_now and source.at is None and node in self.principal
        star = Run(f" {signs.best}" if best_line else "  ", Ink.GOOD)
        kind = tree.kind(node)
        note = [Run(" active", Ink.FRESH)] if kind == OPEN and source.growing else self._truth(node, columns, signs)
        if not note and not open_now and kind == CUT:
            note = [Run(f" {signs.scissors}", Ink.OPEN)]
        elif not note and not open_now and kind in KINDS:
            note = [Run(f" {KINDS[kind]}", Ink.QUIET)]
        return ink, [Run(numbers, Ink.WRONG if closed(low, high) else ink), star, *note]


def closed(low: int, high: int) -> bool:
    return low >= high and low > -INFINITY


def truth_run(judged: JudgedMove, plies: bool, signs: Glyphs) -> Run:
    """Return the exact result of a root move, with the plies to the end, and whether the search is wrong about it."""
    ink = Ink.WRONG if judged.wrong else Ink.RIGHT if judged.truth.optimal else Ink.QUIET
    result = truth(judged.truth).text if plies or judged.truth.payoff is not None else VERBS[judged.truth.outcome]
    return Run(f"{result} {signs.wrong}" if judged.wrong else result, ink)


class GrowthRows(TreeRows):
    """Paints moves with visits, mean and bound, for the player who makes the move, at the root for who is to move."""

    def __init__(self, outline: Outline) -> None:
        super().__init__(outline)
        assert isinstance(outline.source, GrowthSource)
        self.source: GrowthSource = outline.source
        self.replay = self.source.tree
        self.path: frozenset[int] = frozenset()  # the nodes of the shown simulation
        self._principal: tuple[int, frozenset[int]] = (-1, frozenset())

    def numbers(self, columns: int) -> list[tuple[str, int]]:
        return [("visits", VISITS), ("mean", MEAN), ("bound", BOUND)]

    @property
    def principal(self) -> frozenset[int]:
        if self._principal[0] != self.replay.at:
            self._principal = (self.replay.at, frozenset(self.replay.principal))
        return self._principal[1]

    def size(self, node: int) -> int:
        return int(self.replay.visits[node])

    def _unsearched(self, node: int, signs: Glyphs) -> tuple[str, str, Ink]:
        untried = sum(not self.replay.visits[child] for child in self.replay.children(node))
        return signs.hidden, f"{Named(untried, 'move', 'moves')} not tried yet", Ink.QUIET

    def _runs(self, node: int, columns: int, signs: Glyphs) -> tuple[Ink, list[Run]]:
        replay, proven = self.replay, self.replay.proven(node)
        mean, bound = known(Result, replay.mean(node)), known(Result, replay.branch(node).bound if node else None)
        numbers = self._numbers([Count(replay.visits[node]).text, mean.text, bound.text], columns, signs)
        ink = Ink.FRESH if node in self.path else Ink.TEXT
        star = Run(f" {signs.best}" if node in self.principal else "  ", Ink.GOOD)
        note = self._truth(node, columns, signs)
        if not note and proven is not None:
            note = [Run(f" proven {RESULTS[proven]}", Ink.RIGHT)]
        elif not node:
            note = [Run(" to move", Ink.QUIET)]
        return ink, [Run(numbers, ink), star, *note]


# The windows.


class Interval(NamedTuple):
    """The window of a position; numbers are those of the player at the root."""

    name: str  # the move to the position
    alpha: int
    beta: int
    pays: bool = False  # of a game with payoffs


Rows: TypeAlias = WindowRows | GrowthRows  # paint the lines of an outline


def ends_of(windows: Sequence[Interval]) -> list[int]:
    """Return the finite ends of these windows, ascending: the scale of bars as long as the tree grows."""
    return sorted({end for window in windows for end in (window.alpha, window.beta) if abs(end) < INFINITY})


@painter
def bars(columns: int, rows: int, signs: Glyphs, windows: Sequence[Interval], scale: Sequence[int]) -> list[Line]:
    """Paint the windows on the line to a node as bars: a head, then the last ones that fit.

    `scale` has all values, ascending: each has its own place on every bar.
    """
    if not windows or rows < 2:
        return []
    last = windows[-(rows - 1) :]
    texts = [signs.plain(search_words.interval(*window[1:])) for window in last]
    widest = max(WIDEST_INTERVAL, *map(len, texts))
    room = max(LEAST_BAR, columns - BAR_NAME - 2 - widest)
    lines = [fit(line((lettered("Windows (α, β) on this line", signs), Ink.TITLE)), columns, signs)]
    for window, text in zip(last, texts, strict=True):
        shut = closed(window.alpha, window.beta)
        ink = Ink.BAD if shut else Ink.STRONG if window is last[-1] else Ink.QUIET
        name = signs.plain(window.name)[:BAR_NAME].ljust(BAR_NAME)
        end = " closed" if shut and columns >= BAR_NAME + room + widest + 9 else ""
        lines.append(cut(line((f"{name} {_bar(window, scale, room, signs)} {text}{end}", ink)), columns, signs.hidden))
    return lines


def _bar(window: Interval, scale: Sequence[int], columns: int, signs: Glyphs) -> str:
    """Return one bar. Values have places in their order; infinity lies beyond them."""

    def place(end: int) -> int:
        if abs(end) >= INFINITY:
            return 0 if end < 0 else columns - 1
        return 1 + round(bisect_left(scale, end) * (columns - 3) / max(1, len(scale) - 1))

    low, high = place(window.alpha), place(window.beta)
    if closed(window.alpha, window.beta):
        return f"{' ' * min(low, high)}{signs.wrong}".ljust(columns)
    start = signs.ends[0] if window.alpha > -INFINITY else signs.endless[0]
    end = signs.ends[1] if window.beta < INFINITY else signs.endless[1]
    return f"{' ' * low}{start * (low < high)}{signs.rule * (high - low - 1)}{end}".ljust(columns)
