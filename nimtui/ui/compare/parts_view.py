"""Nodes by depth, two trees and all positions, as the Compare screen shows them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from nimtui.arena.compare.comparison import NAMES, Kind
from nimtui.arena.compare.comparison_report import by_distance
from nimtui.games.notation import plural
from nimtui.learning.evaluate import NOTHING, WORDS
from nimtui.report.blocks import Column, Inked, Table, View
from nimtui.report.cells import table_lines
from nimtui.report.lines import BLANK, Ink, Line, Run, fit, line, paragraphs, width
from nimtui.report.values import NOTHING as NO_VALUE
from nimtui.report.values import Count, Duration, Pace, Ratio, Result, Score, Share, Value, Word
from nimtui.theory.report import Decided, bounded
from nimtui.trees.compare import Comparison, Place, branching, cost_of_order
from nimtui.trees.report import TreeValue, best_move, number, parts_of_memory
from nimtui.trees.result import Result as Searched
from nimtui.trees.settings import ALPHA_BETA, BEST_FIRST, MCTS, MINIMAX, NATURAL, Settings
from nimtui.ui.board.position_map_picture import INKS
from nimtui.ui.compare.work import ByDepth, CompareWork, Everywhere, Trees
from nimtui.ui.kit.contract.keymap import key_of
from nimtui.ui.kit.terminal.glyphs import Glyphs
from nimtui.ui.kit.widgets.panel import Paint, in_the_middle, of_line, painter
from nimtui.ui.kit.widgets.virtual_list import Rows

SEARCHES = {MINIMAX: "minimax", ALPHA_BETA: "alpha-beta", MCTS: "tree search"}
SEARCH_INKS = (Ink.QUIET, Ink.BAR, Ink.ONE, Ink.TWO)
LONGEST_BAR, LEAST_BAR = 60, 6
BESIDE = 160  # the columns from which on memory stands beside the other costs


def named(settings: Settings) -> str:
    """Return what sets the settings apart: 'alpha-beta', 'best-first table'."""
    if settings.order != NATURAL:
        return f"{settings.order}{' table' * bool(settings.table)}"
    return SEARCHES[settings.algorithm] + " table" * bool(settings.table)


@painter
def by_depth(columns: int, rows: int, signs: Glyphs, searches: ByDepth) -> list[Line]:
    """Paint the costs of several searches: a head, then one line per depth and search, the deepest last.

    Memory and nodes per second stand beside, or below for the deepest searches if the screen is narrow.
    """
    compared, job = searches.result, searches.job
    if compared is None:
        return []
    done, beside = list(compared.rows), columns >= BESIDE
    last = [row for row in done if row.settings.depth == done[-1].settings.depth]
    below = [] if beside or not done else table_lines(_table(last, _effort()), columns, len(last) + 2, signs=signs)
    end = _conclusions(last, columns)
    if job is not None:
        end = [line(f"comparing: {job.snapshot.far}, esc to stop")]
    room = max(1, rows - 2 - len(below) - len(end))
    hidden = len(done) - room + 1 if len(done) > room else 0
    lines = table_lines(_table(done[hidden:], _costs(compared, beside, signs)), columns, signs=signs)
    if hidden:
        lines.insert(1, line((f"{signs.hidden} {plural(hidden, 'row', 'rows')} of smaller depths", Ink.QUIET)))
    return [fit(each, columns, signs) for each in [*lines, BLANK, *below, *end]][:rows]


def _table(rows: Sequence[Searched], columns: Sequence[Column]) -> Table:
    """Return a row for each search, with the depth at the first one of each."""
    firsts = {row.settings.depth: row for row in reversed(rows)}
    depth = Column("depth", lambda row: Word(f"{row.settings.depth}" if firsts[row.settings.depth] is row else ""))
    return Table("", [depth, Column("", lambda row: Word(named(row.settings)), left=True), *columns], rows, gap=2)


def _costs(compared: Comparison, beside: bool, signs: Glyphs) -> list[Column]:
    most = max((row.nodes for row in compared.rows), default=1)

    def bar(row: Searched, room: int) -> Line:
        entrant = compared.rows.index(row) % len(compared.entrants)
        return line((signs.signed_bar(row.nodes / most, room), SEARCH_INKS[entrant % len(SEARCH_INKS)]))

    return [
        number("nodes", Count, "nodes"),
        number("leaves", Count, "leaves", 3),
        number("cutoffs", Count, "cutoffs", 3),
        number("hits", Count, "table_hits", 3),
        Column("branching", lambda row: Word(f"{branching(row.nodes, row.settings.depth):.1f}"), rank=2),
        number("time", Duration, "seconds", 2),
        *(_effort() if beside else []),
        Column("value", lambda row: NO_VALUE if row.value is None else TreeValue(row.value, row.settings.pays)),
        Column("plays", lambda row: Word(best_move(compared.game, compared.state, row, ""))),
        Column("", lambda row: NO_VALUE, left=True, rank=1, width=LEAST_BAR, draw=bar, most=LONGEST_BAR),
    ]


def _effort() -> list[Column]:
    """Return nodes per second, the bytes of the kept tree, the stack, and the table."""
    return [number("nodes/s", Pace, "nodes_per_second"), *parts_of_memory("kept tree", "plies", "entries")]


def _conclusions(last: Sequence[Searched], columns: int) -> list[Line]:
    """Return what the deepest searches show: which one saves how many nodes, and what best-first order costs."""
    if len(last) < 2:
        return [BLANK]
    least = min(last[1:], key=lambda row: row.nodes)
    times = last[0].nodes / max(1, least.nodes)
    saved = f"{named(least.settings)}: {Ratio(times)} fewer nodes than {named(last[0].settings)}"
    ratio = line((saved, Ink.STRONG)) if times >= 1.05 else BLANK
    pruned = [row for row in last if row.settings.algorithm == ALPHA_BETA]
    plain = next((row for row in pruned if row.settings.order == NATURAL and not row.settings.table), None)
    ordered = next((row for row in pruned if row.settings.order == BEST_FIRST), None)
    why = [cost_of_order(ordered, plain)] if ordered is not None and plain is not None else []
    return [ratio, *paragraphs(why, columns)]


TREE_INKS = (Ink.ONE, Ink.TWO)
NAME, DEEPEST = 14, 20  # columns of a move with its signs, and of the largest indent
ROOM_FOR_GUIDES, ROOM_FOR_BARS = 76, 100  # columns from which a tree has guide lines; and bars beside its sizes
TREES = "The search trees of both agents stand here: {} searches them."
SIGNS = (
    "{} and {} mark moves that only one tree has, {} a move that is best in one tree only, "
    "{} a value that contradicts the other one. n goes to where the best lines part."
)


@painter
def trees(
    columns: int, rows: int, signs: Glyphs, shown: Trees, conductor: CompareWork, walked: bool = True
) -> list[Line]:
    """Paint the visible places, the marked one in sight; if they are not `walked`, from the first move on."""
    grown = shown.result
    if grown is None:
        job = shown.job
        if job is None and not shown.fault:
            return in_the_middle(TREES.format(key_of("compare.trees", "s")), columns, rows, signs)
        text = shown.fault if job is None else f"searching: {Count(job.snapshot.done)} {job.snapshot.what}"
        return [fit(line((text, Ink.QUIET)), columns, signs)]
    names = [f"{at + 1} {conductor.agents[at].name}   " for at in shown.pair]
    legend = (
        f"{''.join(signs.alone)} in one tree only  {signs.mostly[0]} best in one only  {signs.fault} contradicted",
        Ink.QUIET,
    )
    title = fit(line("   ", *zip(names, TREE_INKS, strict=True), *([] if walked else [legend])), columns, signs)

    def name(place: Place) -> Inked:
        ink = Ink.WHERE if place.path == shown.at else Ink.TEXT
        fold = signs.unfolded if place.path in grown.open else signs.folded if grown.children(place.path) else " "
        lead = (signs.stem + " " if columns >= ROOM_FOR_GUIDES else " ") * (len(place.path) - 1)
        return Inked(mark_of(place, signs), (lead[:DEEPEST], Ink.FRAME), (f"{fold} {grown.name(place.path)}", ink))

    heads, places = [Column("  move", name, left=True, width=NAME)], grown.lines()
    for at, means in enumerate(grown.means):
        heads += _half(at, f"{shown.pair[at] + 1} ", means, grown.game.pays, signs)
        if columns >= ROOM_FOR_BARS:
            heads.append(_sizes(at, places, signs))
    table = Table("", heads, places, lambda place: place.path, gap=1)
    return [title, *table_lines(table, columns, rows - 1, View(shown.at if walked else None, sign=signs.cursor), signs)]


def _half(at: int, number: str, means: bool, pays: bool, signs: Glyphs) -> list[Column]:
    """Return the columns of one tree: its best move, the value, and the size of the subtree."""

    def figures(place: Place) -> Sequence[Value]:
        half = place.halves[at]
        if half is None:
            return NO_VALUE, NO_VALUE, NO_VALUE
        ink = TREE_INKS[at] if half.best else Ink.TEXT
        value = NO_VALUE if half.value is None else Result(half.value) if means else Decided(half.value, pays)
        text = bounded(value, half.bound).text
        return Inked((signs.best * half.best, Ink.STRONG)), Inked((text, ink)), Inked((f"{half.size:,}", ink))

    value, size = ("mean", "visits") if means else ("value", "nodes")
    return [
        Column("", lambda place: figures(place)[0], width=2),
        Column(number + value, lambda place: figures(place)[1], width=9, head_ink=TREE_INKS[at]),
        Column(size, lambda place: figures(place)[2], width=8, head_ink=TREE_INKS[at]),
    ]


def _sizes(at: int, places: Sequence[Place], signs: Glyphs) -> Column:
    """Return the column of one tree that draws the sizes of its subtrees as bars."""
    sizes = {place.path: half.size for place in places if (half := place.halves[at]) is not None}
    most = max(sizes.values(), default=1)

    def bar(place: Place, room: int) -> Line:
        return line((signs.signed_bar(sizes.get(place.path, 0) / most, room - 1), TREE_INKS[at]))

    return Column("", lambda place: NO_VALUE, left=True, width=LEAST_BAR, draw=bar, most=LONGEST_BAR // 2)


def mark_of(place: Place, signs: Glyphs) -> tuple[str, Ink]:
    """Return the sign of how the trees differ at a place."""
    if place.only is not None:
        return signs.alone[place.only], TREE_INKS[place.only]
    if place.parts:
        return signs.mostly[0], Ink.OPEN
    return (signs.fault, Ink.WRONG) if place.opposed else (" ", Ink.TEXT)


@painter
def differences(columns: int, rows: int, signs: Glyphs, shown: Trees, conductor: CompareWork) -> list[Line]:
    """Paint where the best lines part, the line to the marked place, and what the signs mean."""
    trees, game = shown.result, conductor.game
    if trees is None or game is None:
        return []
    if parting := trees.parting():
        before = " ".join(game.line_names(parting[:-1], trees.root))
        other = trees.best(parting[:-1], 1)
        first, second = trees.name(parting), "" if other is None else trees.name((*parting[:-1], other))
        after = f"After {before}, tree" if before else "Tree"
        where = f"{after} {shown.pair[0] + 1} prefers {first}, tree {shown.pair[1] + 1} {second}."
    else:
        where = "The best lines agree as far as both trees go."
    path = f"Line: {' '.join(game.line_names(shown.at, trees.root))}"
    meaning = SIGNS.format(*signs.alone, signs.mostly[0], signs.fault)
    return paragraphs([signs.plain(text) for text in (where, path, meaning)], columns)[:rows]


KINDS = {Kind.FIRST: Ink.ONE, Kind.SECOND: Ink.TWO, Kind.NEITHER: Ink.WRONG, Kind.BOTH: Ink.RIGHT}
BAR = 10
LEAST_TABLE = 3  # lines: its head, and two distances


def waiting(shown: Everywhere) -> Paint:
    """Paint what stands in place of the map while there is none."""
    if shown.job is None:
        return of_line(shown.fault, ink=Ink.QUIET)
    done = shown.job.snapshot
    return of_line(f"{f'{done.far} ' * bool(done.total)}{done.what or 'solving the game'}", ink=Ink.QUIET)


@painter
def counts(columns: int, rows: int, signs: Glyphs, shown: Everywhere, node: int) -> list[Line]:
    """Paint how often each agent is right, who is right on the marked position, and the shares by distance."""
    if shown.result is None:
        return []
    both = shown.result.compared
    lines, mostly = [], both.positions - both.counts[Kind.NOTHING]
    for at, ink in enumerate((Ink.ONE, Ink.TWO)):
        agent = f"{both.agents[at]} (of {mostly:,}{' not lost' * (not both.game.pays)})"
        right = f"right on {Share(both.share(at)).text}  "
        lines.append(line((f"{signs.alone[at]} {shown.pair[at] + 1} ", ink), right, (agent, Ink.QUIET)))
    names = (*NAMES[: Kind.NOTHING], "lost")
    kinds = [kind for kind in Kind if kind is not Kind.NOTHING or not both.game.pays]
    parts = [Run(f"{names[kind]} {both.counts[kind]:,}  ", KINDS.get(kind, Ink.QUIET)) for kind in kinds]
    lines.append(line(*(parts if width(line(*parts)) <= columns else parts[:-1])))  # the map counts the lost ones
    if node >= 0:
        name, distance = shown.result.atlas.name(node) or "the start", int(both.distances[node])
        plies = "a draw" if distance < 0 else f"{plural(distance, 'ply', 'plies')} of perfect play to the end"
        if both.game.pays:
            plies = f"worth {Score(int(both.solution.values[node]))}"
        lines.append(line((f"{name}: {NAMES[int(both.kinds[node])]}, {plies}", Ink.STRONG)))
    lines = [fit(each, columns, signs) for each in lines]
    if rows - len(lines) >= LEAST_TABLE and both.by_distance():
        table = by_distance(both, "plies", lambda share: signs.bar(share, BAR))
        lines += table_lines(table, columns, rows - len(lines), signs=signs)
    return lines[:rows]


def rows(shown: Everywhere, at: int, go: Callable[[int], None], take: Callable[[], None]) -> Rows | None:
    """Return the list of all positions: name, distance to the end, who is right, both verdicts."""
    if shown.result is None:
        return None
    compared, listed, atlas = shown.result.compared, shown.result.listed, shown.result.atlas

    def table(places: Sequence[int], columns: int, signs: Glyphs) -> Table:
        def distance(place: int) -> Word:
            if compared.game.pays:
                return Word(Score(int(compared.solution.values[listed[place]])).text)
            plies = int(compared.distances[listed[place]])
            return Word("draw" if plies < 0 else str(plies))

        def right(place: int) -> Inked:
            kind = Kind(int(compared.kinds[listed[place]]))
            return Inked((NAMES[kind], KINDS.get(kind, Ink.QUIET)))

        def verdict(place: int, agent: int) -> Inked:
            verdict = int(compared.verdicts[agent][listed[place]])
            return Inked((f"{signs.verdicts[verdict]} {WORDS[verdict] * (verdict != NOTHING)}", INKS[verdict]))

        one, other = (str(agent + 1) for agent in shown.pair)
        heads = [
            Column("position", lambda place: Word(atlas.name(listed[place]) or "the start"), left=True),
            Column("worth" if compared.game.pays else "plies", distance),
            Column("right", right, left=True),
            Column(one, lambda place: verdict(place, 0), left=True),
            Column(other, lambda place: verdict(place, 1), left=True),
        ]
        return Table("", heads, places, lambda place: place, gap=2)

    return Rows.of_table(len(listed), at, table, go, View(at), take=take, of=shown.result)
