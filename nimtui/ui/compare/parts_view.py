"""Nodes by depth, two trees and all positions, as the Compare screen shows them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from nimtui.arena.comparison import Cell
from nimtui.arena.comparison_text import value_text
from nimtui.arena.position_comparison import NAMES, Kind
from nimtui.engine.memory import in_units
from nimtui.games.notation import plural
from nimtui.learning.evaluate import NOTHING, WORDS
from nimtui.report.values import Share
from nimtui.trees.effort import UNKNOWN, pace_text
from nimtui.trees.settings import ALPHA_BETA, BEST_FIRST, MCTS, MINIMAX, NATURAL, Settings
from nimtui.ui.board.position_map_picture import INKS
from nimtui.ui.kit.glyphs import Glyphs
from nimtui.ui.kit.ink import Ink, Line, Run, cut, fit, line, paragraphs, width
from nimtui.ui.kit.lines import fitted
from nimtui.ui.kit.panel import Paint
from nimtui.ui.kit.virtual_list import Rows
from nimtui.ui.search import sentences as search_words

if TYPE_CHECKING:
    from nimtui.trees.compare import Row
    from nimtui.trees.two_trees import Half, Place
    from nimtui.ui.compare.conductor import CompareConductor
    from nimtui.ui.compare.parts import ByDepth, Everywhere, Found, Grown, Trees


SEARCHES = {MINIMAX: "minimax", ALPHA_BETA: "alpha-beta", MCTS: "tree search"}
SEARCH_INKS = (Ink.QUIET, Ink.BAR, Ink.ONE, Ink.TWO)
LONGEST_BAR, LEAST_BAR = 60, 6
VALUE = 12  # columns
TIMED, COUNTED, BESIDE = 78, 110, 160  # the columns from which on a comparison shows more
EFFORT_TITLES = f"{'nodes/s':>9}{'kept tree':>10}{'plies':>6}{'stack':>11}{'entries':>9}{'table':>9}"


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
        done = list(compared.rows)
        wide = max(len(named(settings)) for settings in compared.entrants) + 1
        more, most, beside = columns >= TIMED, columns >= COUNTED, columns >= BESIDE
        titles = f"{'depth':<6}{'':<{wide}}{'nodes':>12}"
        titles += f"{'leaves':>12}{'cutoffs':>10}{'hits':>9}" * most
        titles += (
            f"{'branching':>11}{'seconds':>9}" * more + EFFORT_TITLES * beside + f"{'value':>{VALUE}}{'plays':>6}  "
        )
        bar = min(LONGEST_BAR, columns - len(titles))
        largest = max((row.nodes for row in done), default=1)
        told: list[Line] = []
        depth: int | None = -9
        for row in done:
            told.append(search_row(row, row.depth != depth, wide, columns, bar, largest, signs))
            depth = row.depth
        below = [] if beside or not done else _memory(done, wide)
        end = [line((_sum(done), Ink.STRONG)), *paragraphs(_why(done), columns)]
        if job is not None:
            end = [line((f"comparing: {job.snapshot.done:.0f} of {job.snapshot.total:.0f}, esc to stop", Ink.TEXT))]
        room = max(1, rows - 2 - len(below) - len(end))
        if len(told) > room:
            hidden = line((f"{signs.hidden} {len(told) - room + 1} rows of smaller depths", Ink.QUIET))
            told = [hidden, *told[len(told) - room + 1 :]]
        shown = [line((titles, Ink.COLUMN)), *told, (), *below, *end]
        return [cut(_plain(each, signs), columns, signs.hidden) for each in shown][:rows]

    def search_row(row: Row, first: bool, wide: int, columns: int, bar: int, largest: int, signs: Glyphs) -> Line:
        assert compared is not None
        state = compared.state
        same = [each for each in compared.entrants if replace(each, depth=row.settings.depth) == row.settings]
        ink = SEARCH_INKS[(compared.entrants.index(same[0]) if same else 0) % len(SEARCH_INKS)]
        depth = "" if not first else "" if row.depth is None else f"{row.depth}"
        text = f"{depth:<6}{named(row.settings):<{wide}}{row.nodes:>12,}"
        if columns >= COUNTED:
            text += f"{row.leaves:>12,}{row.cutoffs:>10,}{row.table_hits:>9,}"
        if columns >= TIMED:
            text += f"{'' if row.branching is None else f'{row.branching:.1f}':>11}{row.seconds:>9.4f}"
        text += _effort(row) if columns >= BESIDE else ""
        value = "" if row.value is None else search_words.worth(row.value)
        best = "" if row.best_move is None else compared.game.move_name(row.best_move, state)
        drawn = [Run(signs.signed_bar(row.nodes / largest, bar), ink)] if bar >= LEAST_BAR else []
        return line(Run(f"{text}{value:>{VALUE}}{best:>6}  "), *drawn)

    return lines


def _memory(done: list[Row], wide: int) -> list[Line]:
    """Return the pace and the memory of the deepest searches: a head, and one line per search."""
    last = [row for row in done if row.depth in (done[-1].depth, None)]
    told = "" if done[-1].depth is None else f"{done[-1].depth}"
    head = line((f"{'depth':<6}{'':<{wide}}{EFFORT_TITLES}", Ink.COLUMN))
    rows = [
        line(f"{told if at == 0 else '':<6}{named(row.settings):<{wide}}{_effort(row)}") for at, row in enumerate(last)
    ]
    return [head, *rows]


def _effort(row: Row) -> str:
    """Return nodes per second, the bytes of the kept tree, the stack, and the table."""
    space, table = row.space, row.space.table_used is not None
    text = f"{pace_text(row.nodes_per_second):>9}{in_units(space.tree_bytes):>10}"
    text += f"{space.stack_plies:>6,}{in_units(space.stack_bytes):>11}"
    used = f"{space.table_used:,}" if space.table_used is not None else UNKNOWN
    return text + f"{used:>9}{in_units(space.table_bytes) if table else UNKNOWN:>9}"


def _plain(shown: Line, signs: Glyphs) -> Line:
    return tuple(Run(signs.plain(run.text.replace("█", signs.full)), run.ink) for run in shown)


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
    cell = Cell(0, value=half.value) if settings.algorithm == MCTS else Cell(0, score=half.value, bound=half.bound)
    text = signs.plain("" if half.value is None else value_text(cell))
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
        told += _distances(shown.found, rows - len(told), signs)
        return [fit(each, columns, signs) for each in told][:rows]

    return lines


def _distances(found: Found, rows: int, signs: Glyphs) -> list[Line]:
    """Return the shares by distance to the end, as many as there is room for."""
    shown = found.compared.by_distance()
    if rows < 3:
        return []
    lines = [line((f"{'plies':>{DISTANCE}}{'not lost':>11}  {'1':<{BAR + 9}}{'2'}", Ink.COLUMN))]
    for row in shown[: rows - 1]:
        name = "draw" if row.distance is None else str(row.distance)
        lines.append(
            line(
                f"{name:>{DISTANCE}}{row.positions:>11,}  ",
                (f"{signs.bar(row.first, BAR)} {Share(row.first).text:<8}", Ink.ONE),
                (f"{signs.bar(row.second, BAR)} {Share(row.second).text:<8}", Ink.TWO),
            )
        )
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
