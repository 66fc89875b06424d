"""Nodes by depth, two trees and all positions, as the Compare screen shows them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from nimtui.arena.position_comparison import NAMES, Kind
from nimtui.arena.position_report import by_distance
from nimtui.games.notation import plural
from nimtui.learning.evaluate import NOTHING, WORDS
from nimtui.report.blocks import Column, Table
from nimtui.report.cells import table_lines
from nimtui.report.lines import BLANK, Ink, Line, Run, cut, fit, line, paragraphs, width
from nimtui.report.values import NOTHING as NO_VALUE
from nimtui.report.values import Count, Duration, Pace, Ratio, Result, Share, Word, known
from nimtui.theory.report import Decided, bounded
from nimtui.trees.compare import Comparison, branching, cost_of_order
from nimtui.trees.report import TreeValue, best_move, number, parts_of_memory
from nimtui.trees.result import Result as Searched
from nimtui.trees.settings import ALPHA_BETA, BEST_FIRST, MCTS, MINIMAX, NATURAL, Settings
from nimtui.ui.board.position_map_picture import INKS
from nimtui.ui.kit.glyphs import Glyphs
from nimtui.ui.kit.lines import fitted
from nimtui.ui.kit.panel import Paint
from nimtui.ui.kit.virtual_list import Rows

if TYPE_CHECKING:
    from nimtui.trees.compare import Comparison
    from nimtui.trees.two_trees import Half, Place, TwoTrees
    from nimtui.ui.compare.work import ByDepth, CompareWork, Everywhere, Trees


SEARCHES = {MINIMAX: "minimax", ALPHA_BETA: "alpha-beta", MCTS: "tree search"}
SEARCH_INKS = (Ink.QUIET, Ink.BAR, Ink.ONE, Ink.TWO)
LONGEST_BAR, LEAST_BAR = 60, 6
BESIDE = 160  # the columns from which on memory stands beside the other costs


def named(settings: Settings) -> str:
    """Return what sets the settings apart: 'alpha-beta', 'best-first table'."""
    if settings.order != NATURAL:
        return f"{settings.order}{' table' * bool(settings.table)}"
    return SEARCHES[settings.algorithm] + " table" * bool(settings.table)


def by_depth(searches: ByDepth) -> Paint:
    """Paint the costs of several searches: a head, then one line per depth and search, the deepest last.

    Memory and nodes per second stand beside, or below for the deepest searches if the screen is narrow.
    """
    compared, job = searches.comparison, searches.job

    def lines(columns: int, rows: int, signs: Glyphs) -> list[Line]:
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
        shown = table_lines(_table(done[hidden:], _costs(compared, beside, signs)), columns, signs=signs)
        if hidden:
            shown.insert(1, line((f"{signs.hidden} {hidden} rows of smaller depths", Ink.QUIET)))
        return [fit(each, columns, signs) for each in [*shown, BLANK, *below, *end]][:rows]

    return lines


def _table(rows: Sequence[Searched], columns: Sequence[Column]) -> Table:
    """Return a row for each search, with the depth at the first one of each."""
    firsts = {row.settings.depth: row for row in reversed(rows)}
    depth = Column("depth", lambda row: Word(f"{row.settings.depth}" if firsts[row.settings.depth] is row else ""))
    return Table("", [depth, Column("", lambda row: Word(named(row.settings)), left=True), *columns], rows, gap=2)


def _costs(compared: Comparison, beside: bool, signs: Glyphs) -> list[Column]:
    most = max((row.nodes for row in compared.rows), default=1)

    def ink(row: Searched) -> Ink:
        return SEARCH_INKS[compared.rows.index(row) % len(compared.entrants) % len(SEARCH_INKS)]

    def bar(row: Searched, room: int) -> str:
        return signs.signed_bar(row.nodes / most, room)

    return [
        number("nodes", Count, "nodes"),
        number("leaves", Count, "leaves", 3),
        number("cutoffs", Count, "cutoffs", 3),
        number("hits", Count, "table_hits", 3),
        Column("branching", lambda row: Word(f"{branching(row.nodes, row.settings.depth):.1f}"), rank=2),
        number("time", Duration, "seconds", 2),
        *(_effort() if beside else []),
        Column("value", lambda row: known(TreeValue, row.value)),
        Column("plays", lambda row: Word(best_move(compared.game, compared.state, row, ""))),
        Column("", lambda row: NO_VALUE, left=True, rank=1, width=LEAST_BAR, ink=ink, draw=bar, most=LONGEST_BAR),
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
    told = line((saved, Ink.STRONG)) if times >= 1.05 else BLANK
    pruned = [row for row in last if row.settings.algorithm == ALPHA_BETA]
    plain = next((row for row in pruned if row.settings.order == NATURAL and not row.settings.table), None)
    ordered = next((row for row in pruned if row.settings.order == BEST_FIRST), None)
    why = [cost_of_order(ordered, plain)] if ordered is not None and plain is not None else []
    return [told, *paragraphs(why, columns)]


NAME = 12
WIDE, WIDTHS, NARROW = (24, 12), (14, 11), (11, 8)  # of a value and of a size
TREE_INKS = (Ink.ONE, Ink.TWO)
SAID = (
    "{} and {} mark moves that only one tree has, {} a move that is best in one tree only, "
    "{} a value that contradicts the other one. n goes to where the best lines part."
)


def trees(shown: Trees, conductor: CompareWork) -> Paint:
    """Paint the visible places, the marked one in sight."""

    def lines(columns: int, rows: int, signs: Glyphs) -> list[Line]:
        grown = shown.grown
        if grown is None:
            job = shown.job
            told = shown.fault if job is None else f"searching: {Count(job.snapshot.done)} {job.snapshot.what}"
            return [fit(line((told, Ink.QUIET)), columns, signs)]
        names = [conductor.agents[place].name for place in shown.pair]
        fit_in = (widths for widths in (WIDE, WIDTHS) if columns >= 2 * (sum(widths) + 3) + NAME + 2)
        widths = next(fit_in, NARROW)
        each = sum(widths) + 3
        name = max(NAME, min(40, columns - 2 * each - 2))
        heads = [Run("   move".ljust(name + 2), Ink.COLUMN)]
        for at, agent in enumerate(names):
            text = fitted(signs.plain(f" {shown.pair[at] + 1} {agent}"), each - 1, signs.hidden)
            heads.append(Run(f"{text} ", TREE_INKS[at]))
        units = [("mean", "visits") if means else ("value", "nodes") for means in grown.means]
        unit = "".join(f"  {value:>{widths[0]}}{size:>{widths[1]}} " for value, size in units)
        places = grown.lines()
        here = next((at for at, place in enumerate(places) if place.path == shown.at), 0)
        room = max(1, rows - 2)
        top = max(0, min(here - room // 2, len(places) - room))
        told_lines = [line(*heads), line((" " * (name + 2) + unit, Ink.COLUMN))]
        for place in places[top : top + room]:
            told_lines.append(_row(grown, place, place.path == shown.at, name, widths, signs))
        return [cut(told_line, columns, signs.hidden) for told_line in told_lines]

    return lines


def _row(trees: TwoTrees, place: Place, marked: bool, name: int, widths: tuple[int, int], signs: Glyphs) -> Line:
    move = trees.name(place.path)
    fold = signs.unfolded if place.path in trees.open else signs.folded if trees.children(place.path) else " "
    sign, ink = mark_of(place, signs)
    text = f"{' ' * min(len(place.path) - 1, name - len(move) - 4)}{fold} {move}".ljust(name)
    start = Run(signs.cursor if marked else " ", Ink.KEY)
    runs = [start, Run(sign, ink), Run(text, Ink.STRONG if marked else Ink.TEXT)]
    for half, means, colour in zip(place.halves, trees.means, TREE_INKS, strict=True):
        runs += _half(half, means, colour, widths, signs)
    return line(*runs)


def mark_of(place: Place, signs: Glyphs) -> tuple[str, Ink]:
    """Return the sign of how the trees differ at a place."""
    if place.only is not None:
        return signs.alone[place.only], TREE_INKS[place.only]
    if place.parts:
        return signs.mostly[0], Ink.OPEN
    return (signs.fault, Ink.WRONG) if place.opposed else (" ", Ink.TEXT)


def _half(half: Half | None, means: bool, ink: Ink, widths: tuple[int, int], signs: Glyphs) -> list[Run]:
    value, size = widths
    if half is None:
        return [Run(" " * (value + size + 3))]
    found = Result(half.value) if means else Decided(half.value)
    text = signs.plain("" if half.value is None else bounded(found, half.bound).text)
    star = signs.best if half.best else " "
    numbers = f"{text:>{value}}{half.size:>{size},} "
    return [Run(f" {star}", Ink.STRONG), Run(numbers, ink if half.best else Ink.TEXT)]


def told(shown: Trees, conductor: CompareWork) -> Paint:
    """Paint where the best lines part, the line to the marked place, and what the signs mean."""

    def lines(columns: int, rows: int, signs: Glyphs) -> list[Line]:
        trees, game = shown.grown, conductor.game
        if trees is None or game is None:
            return []
        texts = []
        parting = trees.parting()
        if parting:
            before = " ".join(game.line_names(parting[:-1], trees.root))
            other = trees.best(parting[:-1], 1)
            first, second = trees.name(parting), "" if other is None else trees.name((*parting[:-1], other))
            after = f"After {before}, tree" if before else "Tree"
            texts.append(f"{after} {shown.pair[0] + 1} prefers {first}, tree {shown.pair[1] + 1} {second}.")
        else:
            texts.append("The best lines agree as far as both trees go.")
        said = SAID.format(*signs.alone, signs.mostly[0], signs.fault)
        texts.append(f"Line: {' '.join(game.line_names(shown.at, trees.root))}")
        return paragraphs([signs.plain(text) for text in (*texts, said)], columns)[:rows]

    return lines


KINDS = {Kind.FIRST: Ink.ONE, Kind.SECOND: Ink.TWO, Kind.NEITHER: Ink.WRONG, Kind.BOTH: Ink.RIGHT}
BAR = 10
LEAST_TABLE = 3  # lines: its head, and two distances
DISTANCE = 6


def waiting(shown: Everywhere) -> Paint:
    """Paint what stands in place of the map while there is none."""

    def lines(columns: int, rows: int, signs: Glyphs) -> list[Line]:
        job = shown.job
        if job is None:
            return [fit(line((shown.fault, Ink.QUIET)), columns, signs)]
        done = job.snapshot
        many = f"{done.far} " if done.total else ""
        return [fit(line((f"{many}{done.what or 'solving the game'}", Ink.QUIET)), columns, signs)]

    return lines


def counts(shown: Everywhere, node: int) -> Paint:
    """Paint how often each agent is right, who is right on the marked position, and the shares by distance."""

    def lines(columns: int, rows: int, signs: Glyphs) -> list[Line]:
        if shown.found is None:
            return []
        found = shown.found.compared
        there = found.positions - found.counts[Kind.NOTHING]
        told = []
        for at, ink in enumerate((Ink.ONE, Ink.TWO)):
            agent = f"{found.agents[at]} (of {there:,} not lost)"
            right = f"right on {Share(found.share(at)).text}  "
            told.append(line((f"{signs.alone[at]} {shown.pair[at] + 1} ", ink), right, (agent, Ink.QUIET)))
        names = (*NAMES[: Kind.NOTHING], "lost")
        parts = [Run(f"{names[kind]} {found.counts[kind]:,}  ", KINDS.get(kind, Ink.QUIET)) for kind in Kind]
        told.append(line(*(parts if width(line(*parts)) <= columns else parts[:-1])))  # the map counts the lost ones
        if node >= 0:
            name = shown.found.atlas.name(node) or "the start"
            distance = int(found.distances[node])
            plies = "a draw" if distance < 0 else f"{plural(distance, 'ply', 'plies')} of perfect play to the end"
            told.append(line((f"{name}: {NAMES[int(found.kinds[node])]}, {plies}", Ink.STRONG)))
        told = [fit(each, columns, signs) for each in told]
        if rows - len(told) >= LEAST_TABLE:
            table = by_distance(found, "plies", lambda share: signs.bar(share, BAR))
            told += table_lines(table, columns, rows - len(told), signs=signs)
        return told[:rows]

    return lines


def rows(shown: Everywhere, at: int, go: Callable[[int], None], take: Callable[[], None]) -> Rows | None:
    """Return the list of all positions: name, distance to the end, who is right, both verdicts."""
    found = shown.found
    if found is None:
        return None
    compared = found.compared

    def paint(places: range, columns: int, signs: Glyphs) -> list[Line]:
        names = [signs.plain(found.atlas.name(found.listed[place])) or "the start" for place in places]
        wide = max(9, min(columns - 48, max(map(len, names), default=9)))
        head = f" {'position':<{wide}} {'plies':>{DISTANCE}}  {'right':<19} {shown.pair[0] + 1:<12} {shown.pair[1] + 1}"
        lines = [cut(line((head, Ink.COLUMN)), columns, signs.hidden)]
        for place, name in zip(places, names, strict=True):
            node, here = found.listed[place], place == at
            kind, distance = Kind(int(compared.kinds[node])), int(compared.distances[node])
            text = f"{signs.cursor if here else ' '}{name:<{wide}} {'draw' if distance < 0 else distance:>{DISTANCE}}  "
            runs: list[Run] = [
                Run(text, Ink.STRONG if here else Ink.TEXT),
                Run(f"{NAMES[kind]:<19} ", KINDS.get(kind, Ink.QUIET)),
            ]
            for verdicts in compared.verdicts:
                verdict = int(verdicts[node])
                word = "" if verdict == NOTHING else WORDS[verdict]
                runs.append(Run(f"{signs.verdicts[verdict]} {word:<11}", INKS[verdict]))
            lines.append(cut(line(*runs), columns, signs.hidden))
        return lines

    return Rows(len(found.listed), at, paint, go, take)
