"""Painters of the Search screen's panels around the tree, or in its place."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TypeAlias

from nimtui.agents.searching import values_title
from nimtui.engine.windows import OPEN
from nimtui.games import Game, base
from nimtui.games.base import Move, State
from nimtui.report.blocks import Column, Heading, Inked, Report, Sentence, Table
from nimtui.report.cells import cells
from nimtui.report.lines import BLANK, Ink, Line, Run, fit, justified, line, paragraphs
from nimtui.report.values import NOTHING, Bytes, Count, Named, Pace, Progress, Ratio, Value, Word, known
from nimtui.report.values import Result as Mean
from nimtui.theory import Outcome
from nimtui.theory.report import FLIPPED, bounded, truth
from nimtui.trees import report as search_words
from nimtui.trees.report import KINDS, JudgedMove, TreeValue, best_move, entries, judged_moves
from nimtui.trees.result import MoveResult, Result, Space, Standing
from nimtui.trees.settings import ALPHA_BETA, DEFAULT, MCTS, MINIMAX, NATURAL, ORIGINAL, TO_THE_END
from nimtui.trees.tree import Frame
from nimtui.ui.board import small_board
from nimtui.ui.kit.contract.keymap import key_of
from nimtui.ui.kit.terminal.glyphs import Glyphs
from nimtui.ui.kit.widgets.panel import Paint, of_report, painter
from nimtui.ui.play import thinking
from nimtui.ui.play.thinking import Belief, Steady, settled
from nimtui.ui.search.outline import WindowSource
from nimtui.ui.search.rows import GrowthRows, Rows, truth_run
from nimtui.ui.search.work import MOST_KEYED, SearchWork

WIDE = 76  # columns from which the status line has room for more
LABEL = 9  # columns in front of a number
NAMED = {ORIGINAL: "document's"}
NONE = "none yet"  # the best move before there is one
ALGORITHMS = {MINIMAX: "Minimax", ALPHA_BETA: "Alpha-beta", MCTS: "Tree search"}


def title(conductor: SearchWork) -> str:
    """Return the title, such as 'Alpha-beta · nim:1,2,3,4 · depth 4 · document's heuristic'."""
    setup, search = conductor.setup, conductor.search
    if setup is None:
        return f"No search yet. Press {key_of('search.new', 'N')} to start one"
    parts = [setup.game if setup.position is None else f"{setup.game} from {setup.position}"]
    if search is None:
        return " · ".join(["Flat Monte Carlo", *parts, setup.search.partition(":")[2].replace("=", " ")]).rstrip(" ·")
    by = search.settings
    if by.algorithm == MCTS:
        parts += [f"{by.simulations:,} simulations"] * bool(by.simulations) + [f"{by.time:g} s"] * bool(by.time)
        parts += [f"c {by.c:g}"]
        parts += [f"log {by.log}"] * (by.log != "parent") + [by.policy] * (by.policy != "uniform")
    else:
        if not (by.time and by.depth == TO_THE_END):
            parts.append("to the end" if by.depth == TO_THE_END else f"depth {by.depth}")
        parts += [f"{by.time:g} s"] * bool(by.time)
        parts += [f"{by.order} order"] * (by.order != NATURAL)
        parts += [f"table of {by.table:,}"] * bool(by.table) + ["deepening"] * by.deepening
        parts += [f"{NAMED.get(by.heuristic, by.heuristic)} heuristic"] * (by.heuristic != DEFAULT)
    return " · ".join([ALGORITHMS[by.algorithm], *parts, *values_title(by)])


@painter
def status(columns: int, rows: int, signs: Glyphs, conductor: SearchWork, moment: str) -> list[Line]:
    """Paint the top line: the title, and the progress or the event of the slider."""
    text = title(conductor)
    end = signs.plain(moment or _progress(conductor, columns))
    if conductor.paused or conductor.stopped:
        end = f"{'paused' if conductor.paused else 'stopped'} · {end}"
    return [justified(fit(line((text, Ink.STRONG)), columns - len(end) - 2, signs), line(end), columns)]


def _progress(conductor: SearchWork, columns: int) -> str:
    """Return how far the search has come, in columns that do not move."""
    job, standing = conductor.job if conductor.on else None, conductor.standing
    if standing is None and job is not None and job.snapshot.done:
        return f"{job.snapshot.far} {job.snapshot.what}"
    if standing is None:
        return "preparing" if job is not None else ""
    many = f"{standing.done:>{len(f'{standing.total:,}') if standing.total else 11},}"
    share = f" {Progress(standing.done / standing.total).text:>5}" if standing.total else ""
    parts = [f"{many}{share}", f"{Pace(standing.per_second).text:>8}"]
    parts += [f"depth {standing.depth:>2}" if standing.depth != TO_THE_END else "to the end"] * (columns >= WIDE)
    parts += [f"{standing.seconds:>5.1f} s"] * (columns >= WIDE)
    return "  ".join(parts)


LATEST = 8  # moves of the line that are named


@painter
def board(
    columns: int, rows: int, signs: Glyphs, game: Game | None, root: State | None, moves: Sequence[Move], framed: bool
) -> list[Line]:
    """Paint the board after these moves from the root, and the moves, `framed` as a title."""
    if game is None or root is None:
        return []
    at, owned, names = small_board.replayed(game, moves, root)
    position = game.position_name(at)
    latest = " ".join(names[-LATEST:]) or position
    picture = small_board.drawing(game, at, owned, columns, rows - 1, signs)
    head = (f"Board · {latest or 'start'}", Ink.TITLE) if framed else (latest, Ink.STRONG)
    return [fit(line(head), columns, signs), *(picture or paragraphs([signs.plain(position)], columns))][:rows]


@painter
def book(
    columns: int, rows: int, signs: Glyphs, game: Game, root: State, moves: Sequence[Move], tree: Rows
) -> list[Line]:
    """Paint a tree as books draw it, with what the search knows of its nodes now: values for MAX, or visits."""
    source = tree.source

    def label(path: Sequence[Move]) -> tuple[str, Ink] | None:
        node = 0
        for move in path:
            child = next((child for child in source.children(node) if source.tree.move(child) == move), None)
            if child is None:
                pruned = isinstance(source, WindowSource) and source.leaves_out(node) and source.returned(node)
                return None if pruned else ("", Ink.QUIET)
            node = child
        if isinstance(tree, GrowthRows):
            return Count(tree.source.tree.visits[node]).text, Ink.TEXT
        return _for_max(tree.source, node, tree.frames.get(node), int(base.side(root)))

    return small_board.tree(game, root, moves, columns, rows, signs, label)


def _for_max(source: WindowSource, node: int, frame: Frame | None, side: int) -> tuple[str, Ink]:
    """Return the value of a node for MAX, as far as the search knows it; `side`: of the root."""
    tree = source.tree
    turned = (side + int(tree.plies[node])) % 2
    if source.returned(node):
        value, bound, ink = tree.value(node), tree.bound(node), Ink.TEXT
    else:
        value, bound, ink = None if frame is None else frame.best, "lower", Ink.FRESH
    if value is None:
        return "?", ink
    text = bounded(TreeValue(-value if turned else value, pays=True), FLIPPED[bound] if turned else bound).text
    return text.replace(" ", ""), ink


def _believed(conductor: SearchWork) -> Result | Standing | None:
    """Return the result of the search, or its state so far; None for flat Monte Carlo, and before there is one."""
    found = conductor.found
    return conductor.standing if found is None or found.result is None else found.result


def judgements(conductor: SearchWork) -> list[JudgedMove]:
    """Return the root's moves with their exact values; [] while these are unknown."""
    believed = _believed(conductor)
    return [] if conductor.truths is None or believed is None else judged_moves(conductor.truths, believed)


Pairs: TypeAlias = list[tuple[str, str]]  # labels with texts


@painter
def facts(
    columns: int, rows: int, signs: Glyphs, conductor: SearchWork, counts: Pairs, said: Sequence[str], memory: Pairs
) -> list[Line]:
    """Paint one number per line, then the exact values, the memory if there is room, then sentences."""

    def named(pairs: Pairs) -> list[Line]:
        return [fit(line((f"{name:<{LABEL}}", Ink.QUIET), text), columns, signs) for name, text in pairs]

    lines = named(counts)
    for at, (text, ink) in enumerate(exact_values(conductor)):
        for part, each in enumerate(paragraphs([signs.plain(text)], columns - LABEL, ink)[:3]):
            lines.append(line(("truth" if at == part == 0 else "").ljust(LABEL), *each))
    end = paragraphs(map(signs.plain, said), columns, Ink.STRONG)
    lines = [*lines, *named(memory)][: max(0, rows - len(end))]
    return [*lines, *[BLANK][: rows - len(lines) - len(end)], *end][:rows]


def why(said: Sequence[str], event: bool, source: WindowSource | None, node: int) -> Paint:
    """Paint what happens at the shown event, or why moves of the marked node were pruned, or why none was searched; or
    what will stand here. `source` is the tree of a search with windows.
    """
    kind = OPEN if source is None else source.tree.kind(node)
    if kind != OPEN and kind in KINDS:
        none = f"No move of this position was searched: {KINDS[kind]}."
    elif source is not None:
        none = "Every move of this position was searched."
    else:
        none = f"Press {key_of('search.next-event', '.')} to see what each simulation does."
    title = "This event" if event else "Why moves were pruned" if source is not None else "Events"
    ink = Ink.STRONG if said else Ink.QUIET
    return of_report(Report([Heading(title), *(Sentence(text, ink=ink) for text in said or [none])]))


def counts(result: Result, minimax: int | None, game: Game, state: State, wide: bool) -> Pairs:
    """Return the numbers of a whole search."""
    best, space = best_move(game, state, result, NONE), result.space
    leaves = f"  leaves {Count(result.leaves)}" if wide else ""
    pairs = [("nodes", f"{Count(result.nodes)}{leaves}  {known(Pace, result.nodes_per_second)}".rstrip())]
    if result.settings.algorithm == MCTS:
        return [*pairs, ("plays", f"{best}  {known(Mean, result.value)}"), ("seconds", f"{result.seconds:.3f}")]
    if result.settings.algorithm == ALPHA_BETA:
        pairs.append(("cutoffs", f"{Count(result.cutoffs)}" + f", {Count(result.skipped)} moves pruned" * wide))
    if result.table_hits or space.table_used is not None:
        used = f"{entries(space)}, {Bytes(space.table_bytes)}" if wide else f"{Count(space.table_used)} used"
        pairs.append(("table", f"{Count(result.table_hits)} hits, {used}"))
    if minimax is not None:
        pairs.append(("minimax", f"{Count(minimax)}  {Ratio(minimax / max(1, result.nodes))}{' as many' * wide}"))
    value = "…" if result.value is None else TreeValue(result.value, result.settings.pays).whole
    return [*pairs, ("plays", f"{best}  {'value ' * wide}{value}" + (", proven" if result.exact and wide else ""))]


def standing(standing: Standing, game: Game, state: State) -> Pairs:
    """Return the numbers of a running search."""
    best, rate = best_move(game, state, standing, NONE), Pace(standing.per_second)
    if standing.settings.algorithm == MCTS:
        return [("depth", f"{standing.depth}  {rate}"), ("plays", f"{best}  {known(Mean, standing.value)}")]
    value = "…" if standing.value is None else TreeValue(standing.value, standing.settings.pays).short
    return [("nodes", f"{Count(standing.done)}  {rate}"), ("plays", f"{best}  value {value}")]


def counted(conductor: SearchWork, source: WindowSource | None, node: int, wide: bool) -> tuple[Pairs, Pairs]:
    """Return the numbers of the search as far as it has come, and its memory once it has ended."""
    game, state, believed = conductor.game, conductor.root, _believed(conductor)
    if believed is None or game is None or state is None:
        return [], []
    part = []  # of a large search: how many nodes are recorded
    if source is not None and not source.tree.complete:
        part = [("recorded", f"the first {search_words.count(len(source.tree))}")]
    if isinstance(believed, Standing):
        return [*standing(believed, game, state), *part], []
    numbers = counts(believed, conductor.minimax_nodes, game, state, wide)
    return [*numbers, *part, *(again(source, node) if wide else [])], memory(believed.space)


def memory(space: Space) -> Pairs:
    """Return what a search needed: of a recorded tree, and of a stack."""
    tree = "tree", f"{Count(space.tree_nodes)} nodes, {Bytes(space.tree_bytes)}"
    return [tree, ("stack", f"{Named(space.stack_plies, 'ply', 'plies')}, {Bytes(space.stack_bytes)}")]


def again(source: WindowSource | None, node: int) -> Pairs:
    """Return how often the node's position occurs elsewhere."""
    if source is None or len(source.tree) > MOST_KEYED:
        return []
    same = len(source.tree.same(node)) - 1
    return [("repeats", f"{same:,} more (t)" if same else "none")]


def exact_values(conductor: SearchWork) -> list[tuple[str, Ink]]:
    """Return sentences on the exact values: the moves that win or draw, and where the search is wrong."""
    truths, game, state = conductor.truths, conductor.game, conductor.root
    if truths is None or game is None or state is None:
        return [(conductor.truth_fault, Ink.QUIET)] if conductor.truth_fault else []
    best = [each for each in truths if each.optimal]
    names, outcome = [game.move_name(each.move, state) for each in best], best[0].outcome
    paid = best[0].payoff is not None
    word = "win" if outcome is Outcome.WIN else "draw"
    some = ", ".join(names[:6]) + (f" and {len(names) - 6} more" if len(names) > 6 else "")
    moves = (f"{names[0]} is the only {word}" if len(names) == 1 else f"{some} {word}", Ink.RIGHT)
    wrong = [each for each in judgements(conductor) if each.wrong]
    mistakes = [each.truth for each in wrong if each.preferred and not each.truth.optimal]
    parts = [f"plays {game.move_name(each.move, state)}: {truth(each)}" for each in mistakes]
    others = [game.move_name(each.truth.move, state) for each in wrong if each.truth not in mistakes]
    parts += [f"wrong about {', '.join(others)}"] if others else []
    if paid:
        which = "every move" if len(best) == len(truths) else some
        moves = f"{which}: worth {truth(best[0])}", Ink.RIGHT
    first = ("every move loses", Ink.TEXT) if not paid and outcome is Outcome.LOSS else moves
    return [first, *([(", ".join(parts), Ink.WRONG)] if parts else [])]


# What stands in place of a tree, and beside it: flat Monte Carlo, the moves of the root.

UNKNOWN = Word("…")


def intervals(conductor: SearchWork) -> Paint:
    """Paint the playouts of every move in flat Monte Carlo, the best first, with their intervals and exact values."""
    decision, game, state = conductor.flat, conductor.game, conductor.root
    if decision is None or game is None or state is None:
        return lambda columns, rows, signs: []
    name = partial(game.move_name, state=state)
    truths = {each.move: each for each in conductor.truths or ()}
    thoughts = sorted(decision.thoughts, key=lambda each: -(each.value or 0.0))
    holding = sum((each.low or 0.0) <= 0 <= (each.high or 0.0) for each in thoughts)
    even = f"{holding} of {len(thoughts)} intervals contain 0, an even score (95 % for all moves together)."
    sentences = [even, decision.note]
    if (exact := truths.get(decision.move)) is not None:
        best = [name(each.move) for each in truths.values() if each.optimal]
        verdict = "right" if exact.optimal else f"a mistake; right: {', '.join(best[:4])}"
        sentences.append(f"Flat Monte Carlo plays {name(decision.move)}: {verdict}.")
    moves, note = [each.move for each in thoughts], "\n".join(filter(None, sentences))
    belief = Belief(0, "Flat Monte Carlo", settled(decision), name, moves, truths, note)
    return lambda columns, rows, signs: thinking.panel(belief, Steady(), columns, rows, signs)


@painter
def root_moves(columns: int, rows: int, signs: Glyphs, conductor: SearchWork) -> list[Line]:
    """Paint a line per move of the root: its value for the player to move, a bar of its nodes or visits, the truth.

    Windows depend on the order in which moves are searched, so that order stays; moves of a tree search are sorted by
    their visits.
    """
    believed, game, state = _believed(conductor), conductor.game, conductor.root
    if believed is None or game is None or state is None:
        return cells(Report([Heading("Moves of the root")]))
    growing = believed.settings.algorithm == MCTS
    truths = {each.truth.move: truth_run(each, True, signs) for each in judgements(conductor)}
    counts = {each.move: (each.visits or 0) if growing else each.nodes for each in believed.moves}
    best, unit, most = believed.best_move, "visits" if growing else "nodes", max(1, *counts.values())

    def bar(each: MoveResult, room: int) -> str:
        return signs.bar(counts[each.move] / most, room)

    columns_of = [
        Column("move", lambda each: Word(game.move_name(each.move, state)), left=True),
        Column("mean" if growing else "value", lambda each: _value(each, game.pays)),
        Column(unit, lambda each: Count(counts[each.move])),
        Column("", lambda each: NOTHING, rank=1, left=True, ink=Ink.BAR, draw=bar),
        Column("", lambda each: Word(signs.best if each.move == best else ""), ink=Ink.GOOD),
        Column("truth", lambda each: Inked(truths.get(each.move, Run(""))), left=True),
    ]
    table = Table(
        "",
        columns_of,
        believed.moves,
        gap=2,
        rank=(lambda each: each.visits or 0) if growing else None,
        ink=lambda each: Ink.STRONG if each.move == best else Ink.TEXT,
    )
    title = Heading(f"Moves of the root: where the search spent its {unit}")
    return cells(Report([title, table]), columns, rows, signs=signs)


def _value(found: MoveResult, pays: bool) -> Value:
    """Return '−4', '≤ −2', 'wins in 7', a mean '+0.250'; '…' before there is one."""
    if found.visits is not None:
        return UNKNOWN if found.mean is None else Mean(found.mean)
    return UNKNOWN if found.value is None else bounded(TreeValue(found.value, pays), found.bound)
