"""Nodes by depth, two trees and all positions, as the Compare screen shows them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from nimtui.arena.position_comparison import NAMES, Kind
from nimtui.arena.position_report import by_distance
from nimtui.games.notation import plural
from nimtui.learning.evaluate import NOTHING, WORDS
from nimtui.report.blocks import Column, Table
from nimtui.report.cells import table_lines
from nimtui.report.lines import BLANK, Ink, Line, Run, cut, fit, line, paragraphs, width
from nimtui.report.values import NOTHING as NO_VALUE
from nimtui.report.values import Bytes, Count, Pace, Share, Word, known
from nimtui.theory.report import bounded
from nimtui.trees.report import TreeValue, number, table_size, worth
from nimtui.trees.settings import ALPHA_BETA, BEST_FIRST, MCTS, MINIMAX, NATURAL, Settings
from nimtui.ui.board.position_map_picture import INKS
from nimtui.ui.kit.glyphs import Glyphs
from nimtui.ui.kit.lines import fitted
from nimtui.ui.kit.panel import Paint
from nimtui.ui.kit.virtual_list import Rows

if TYPE_CHECKING:
    from nimtui.trees.compare import Comparison, Row
    from nimtui.trees.two_trees import Half, Place
    from nimtui.ui.compare.conductor import CompareConductor
    from nimtui.ui.compare.parts import ByDepth, Everywhere, Grown, Trees


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
        last = [row for row in done if row.depth in (done[-1].depth, None)]
        below = [] if beside or not done else table_lines(_table(last, _effort()), columns, len(last) + 2, signs=signs)
        end = [line((_sum(done), Ink.STRONG)), *paragraphs(_why(done), columns)]
        if job is not None:
            end = [line((f"comparing: {job.snapshot.done:.0f} of {job.snapshot.total:.0f}, esc to stop", Ink.TEXT))]
        room = max(1, rows - 2 - len(below) - len(end))
        hidden = len(done) - room + 1 if len(done) > room else 0
        table = _table(done[hidden:], _costs(compared, beside, signs))
        shown = table_lines(table, columns, signs=signs)
        if hidden:
            shown.insert(1, line((f"{signs.hidden} {hidden} rows of smaller depths", Ink.QUIET)))
        return [fit(each, columns, signs) for each in [*shown, BLANK, *below, *end]][:rows]

    return lines


def _table(rows: Sequence[Row], columns: Sequence[Column]) -> Table:
    """Return a row for each search, with the depth at the first one of each."""
    firsts = {row.depth: row for row in reversed(rows)}
    depth = Column(
        "depth", lambda row: Word(f"{row.depth}" if row.depth is not None and firsts[row.depth] is row else "")
    )
    return Table("", [depth, Column("", lambda row: Word(named(row.settings)), left=True), *columns], rows, gap=2)


def _costs(compared: Comparison, beside: bool, signs: Glyphs) -> list[Column]:
    most = max((row.nodes for row in compared.rows), default=1)

    def ink(row: Row) -> Ink:
        same = [each for each in compared.entrants if replace(each, depth=row.settings.depth) == row.settings]
        return SEARCH_INKS[(compared.entrants.index(same[0]) if same else 0) % len(SEARCH_INKS)]

    def move(row: Row) -> Word:
        return Word("" if row.best_move is None else compared.game.move_name(row.best_move, compared.state))

    def bar(row: Row, room: int) -> str:
        return signs.signed_bar(row.nodes / most, room)

    return [
        number("nodes", Count, "nodes"),
        number("leaves", Count, "leaves", 3),
        number("cutoffs", Count, "cutoffs", 3),
        number("hits", Count, "table_hits", 3),
        Column("branching", lambda row: Word("" if row.branching is None else f"{row.branching:.1f}"), rank=2),
        Column("seconds", lambda row: Word(f"{row.seconds:.4f}"), rank=2),
        *(_effort() if beside else []),
        Column("value", lambda row: known(TreeValue, row.value)),
        Column("plays", move),
        Column("", lambda row: NO_VALUE, left=True, rank=1, width=LEAST_BAR, ink=ink, draw=bar, most=LONGEST_BAR),
    ]


def _effort() -> list[Column]:
    """Return nodes per second, the bytes of the kept tree, the stack, and the table."""
    return [
        number("nodes/s", Pace, "nodes_per_second"),
        number("kept tree", Bytes, "space.tree_bytes"),
        number("plies", Count, "space.stack_plies"),
        number("stack", Bytes, "space.stack_bytes"),
        number("entries", Count, "space.table_used"),
        number("table", table_size, "space.table_bytes"),
    ]


def _sum(done: list[Row]) -> str:
    """Return a sentence on the deepest searches."""
    last = [row for row in done if row.depth == done[-1].depth] if done else []
    if len(last) < 2:
        return ""
    least = min(last[1:], key=lambda row: row.nodes)
    times = last[0].nodes / max(1, least.nodes)
    return f"{named(least.settings)}: {times:.1f} × fewer nodes than {named(last[0].settings)}" if times >= 1.05 else ""


def _why(done: list[Row]) -> list[str]:
    """Return a sentence on the cost of best-first order, as a list; empty without such a search to the last depth."""
    from nimtui.trees.compare import cost_of_order

    last = [row for row in done if row.depth == done[-1].depth and row.settings.algorithm == ALPHA_BETA]
    plain = next((row for row in last if row.settings.order == NATURAL and not row.settings.table), None)
    ordered = next((row for row in last if row.settings.order == BEST_FIRST), None)
    return [cost_of_order(ordered, plain)] if ordered is not None and plain is not None else []


NAME = 12
WIDE, WIDTHS, NARROW = (24, 12), (14, 11), (11, 8)  # of a value and of a size
TREE_INKS = (Ink.ONE, Ink.TWO)
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
            heads.append(Run(f"{text} ", TREE_INKS[at]))
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
    for half, settings, colour in zip(place.halves, grown.settings, TREE_INKS, strict=True):
        runs += _half(half, settings, colour, widths, signs)
    return line(*runs)


def mark_of(place: Place, signs: Glyphs) -> tuple[str, Ink]:
    """Return the sign of how the trees differ at a place."""
    if place.only is not None:
        return signs.alone[place.only], TREE_INKS[place.only]
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
        many = f"{done.done:,.0f} of {done.total:,.0f} " if done.total else ""
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
