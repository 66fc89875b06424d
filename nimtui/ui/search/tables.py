"""What stands beside a tree or in its place: the marked node, the moves of the root, flat Monte Carlo."""

from __future__ import annotations

from collections.abc import Sequence

from nimtui.engine.windows import OPEN
from nimtui.games import Game, base
from nimtui.games.base import Move, State
from nimtui.report.blocks import Column, Table
from nimtui.report.cells import table_lines
from nimtui.report.lines import Ink, Line, Run, cut, line, paragraphs
from nimtui.report.values import NOTHING, Count, Result, Value, Word
from nimtui.theory.report import bounded, truth
from nimtui.trees.report import TreeValue
from nimtui.trees.result import MoveResult
from nimtui.trees.settings import MCTS
from nimtui.ui.board import small_board
from nimtui.ui.board.cursor import NOBODY
from nimtui.ui.kit.glyphs import Glyphs
from nimtui.ui.kit.panel import Paint
from nimtui.ui.search import sentences as search_words
from nimtui.ui.search import view as search_view
from nimtui.ui.search.conductor import MOST_KEYED, SearchConductor
from nimtui.ui.search.outline import WindowSource
from nimtui.ui.search.rows import truth_run

NAME, CHANCE, TRUTH = 6, 7, 14
LEAST_ROOM = 12
UNKNOWN = Word("…")
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


LATEST = 8  # moves of the line that are named


def board(game: Game, root: State, moves: Sequence[Move], framed: bool, large: bool) -> Paint:
    """Return the board after these moves from the root; `large`: as the Play screen draws it, with the last move."""
    at, names, owned = base.copy(root), [], NOBODY
    for ply, move in enumerate(moves):
        names.append(game.move_name(move, at))
        owned = small_board.after(game, at, move, ply % 2)
        base.play(at, move)
    said = " ".join(names[-LATEST:]) if names else game.position_name(at)
    return search_view.board(game, at, said, owned if large else None, framed)


def about(source: WindowSource | None, node: int) -> list[str]:
    """Return why moves of the node were pruned."""
    return [search_words.why_cut(source.tree, node)] if source is not None and source.leaves_out(node) else []


def unsearched(source: WindowSource | None, node: int) -> str:
    """Return why no move of a leaf was searched: 'depth limit'; '' for other nodes."""
    kind = OPEN if source is None else source.tree.kind(node)
    return "" if kind == OPEN else search_words.KINDS.get(kind, "")


def recorded(source: WindowSource | None) -> list[tuple[str, str]]:
    """Return how many nodes of a large search are recorded."""
    if source is None or source.tree.complete:
        return []
    return [("recorded", f"the first {search_words.count(len(source.tree))}")]


def again(source: WindowSource | None, node: int) -> list[tuple[str, str]]:
    """Return how often the node's position occurs elsewhere."""
    if source is None or len(source.tree) > MOST_KEYED:
        return []
    same = len(source.tree.same(node)) - 1
    return [("same position: ", f"{same:,} more (t)" if same else "no other")]


COUNT, GAP, EXACT = 9, 2, 18  # columns of a count, between cells, of "★ loses in 12 ✗"
LEAST_BAR, LONGEST_BAR = 6, 60
PLAIN_BOUNDS = {"upper": "≤ ", "lower": "≥ "}


def root_moves(conductor: SearchConductor) -> Paint:
    """Paint a line per move of the root: its value for the player to move, a bar of its nodes or visits, the truth.

    Windows depend on the order in which moves are searched, so that order stays; moves of a tree search are sorted by
    their visits.
    """
    found, game, state = conductor.found, conductor.game, conductor.state
    believed = conductor.standing if found is None or found.result is None else found.result
    if believed is None or game is None or state is None:
        return lambda columns, rows, signs: [line(("Moves of the root", Ink.TITLE))]
    growing = believed.settings.algorithm == MCTS
    judged = {each.truth.move: each for each in search_view.judgements(conductor)}
    names = {each.move: game.move_name(each.move, state) for each in believed.moves}
    counts = {each.move: (each.visits or 0) if growing else each.nodes for each in believed.moves}
    best, unit, most = believed.best_move, "visits" if growing else "nodes", max(1, *counts.values())

    def paint(columns: int, rows: int, signs: Glyphs) -> list[Line]:
        def ink(each: MoveResult) -> Ink:
            return Ink.STRONG if each.move == best else Ink.TEXT

        def bar(each: MoveResult, room: int) -> str:
            return signs.bar(counts[each.move] / most, room)

        runs = {move: truth_run(each, True, signs) for move, each in judged.items()}
        table = Table(
            "",
            [
                Column("move", lambda each: Word(names[each.move]), left=True, ink=ink),
                Column("mean" if growing else "value", _value, ink=ink),
                Column(unit, lambda each: Count(counts[each.move]), ink=ink),
                Column("", lambda each: NOTHING, rank=1, left=True, ink=lambda each: Ink.BAR, draw=bar),
                Column("", lambda each: Word(signs.best if each.move == best else ""), ink=lambda each: Ink.GOOD),
                Column(
                    "truth",
                    lambda each: Word(runs[each.move].text if each.move in runs else ""),
                    left=True,
                    ink=lambda each: runs[each.move].ink if each.move in runs else Ink.TEXT,
                ),
            ],
            believed.moves,
            gap=2,
            rank=(lambda each: each.visits or 0) if growing else None,
        )
        title = line((f"Moves of the root: where the search spent its {unit}", Ink.TITLE))
        return [title, *table_lines(table, columns, rows - 1, signs=signs)]

    return paint


def _value(found: MoveResult) -> Value:
    """Return '−4', '≤ −2', 'wins in 7', a mean '+0.250'; '…' before there is one."""
    if found.visits is not None:
        return UNKNOWN if found.mean is None else Result(found.mean)
    return UNKNOWN if found.value is None else bounded(TreeValue(found.value), found.bound)
