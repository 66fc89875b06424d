"""Painters of the Search screen's panels around the tree."""

from __future__ import annotations

from collections.abc import Sequence

from nimtui.games import Game
from nimtui.games.base import State
from nimtui.report.lines import Ink, Line, Run, cut, justified, line, paragraphs
from nimtui.report.values import Bytes, Count, Named, Pace, Progress, Value, known
from nimtui.report.values import Result as Mean
from nimtui.theory import Outcome
from nimtui.theory.report import truth
from nimtui.trees.move_values import JudgedMove, judged_moves
from nimtui.trees.report import TreeValue, entries
from nimtui.trees.result import Result, Standing
from nimtui.trees.settings import ALPHA_BETA, DEFAULT, MCTS, MINIMAX, NATURAL, ORIGINAL, TO_THE_END
from nimtui.ui.board import small_board
from nimtui.ui.board.cursor import Owned
from nimtui.ui.kit.glyphs import Glyphs
from nimtui.ui.kit.keymap import key_of
from nimtui.ui.kit.panel import Paint
from nimtui.ui.search.conductor import SearchConductor

WIDE = 76  # columns from which the status line has room for more
LABEL = 9  # columns in front of a number
NAMED = {ORIGINAL: "document's"}
ALGORITHMS = {MINIMAX: "Minimax", ALPHA_BETA: "Alpha-beta", MCTS: "Tree search"}


def title(conductor: SearchConductor) -> str:
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
    return " · ".join([ALGORITHMS[by.algorithm], *parts])


def status(conductor: SearchConductor, moment: str) -> Paint:
    """Paint the top line: the title, and the progress or the event of the slider."""
    text = title(conductor)

    def lines(columns: int, rows: int, signs: Glyphs) -> list[Line]:
        end = signs.plain(moment or _progress(conductor, columns))
        if conductor.paused or conductor.stopped:
            end = f"{'paused' if conductor.paused else 'stopped'} · {end}"
        start = cut(line((signs.plain(text), Ink.STRONG)), columns - len(end) - 2, signs.hidden)
        return [justified(start, line((end, Ink.TEXT)), columns)]

    return lines


def _progress(conductor: SearchConductor, columns: int) -> str:
    """Return how far the search has come, in columns that do not move."""
    job, standing = conductor.job, conductor.standing
    if standing is None and job is not None and job.snapshot.done:
        done = job.snapshot
        return f"{done.done:,.0f}" + (f" of {done.total:,.0f}" if done.total else "") + f" {done.what}"
    if standing is None:
        return "preparing" if job is not None else ""
    many = f"{standing.done:>{len(f'{standing.total:,}') if standing.total else 11},}"
    share = f" {Progress(standing.done / standing.total).text:>5}" if standing.total else ""
    parts = [f"{many}{share}", f"{Pace(standing.per_second).text:>8}"]
    parts += [f"depth {standing.depth:>2}" if standing.depth != TO_THE_END else "to the end"] * (columns >= WIDE)
    parts += [f"{standing.seconds:>5.1f} s"] * (columns >= WIDE)
    return "  ".join(parts)


def board(game: Game | None, state: State | None, said: str, owned: Owned | None = None, framed: bool = False) -> Paint:
    """Paint a position of the tree, and the moves that lead there, `framed` as a title.

    With the marks of the last move the board is as large as fits.
    """
    head = (f"Board · {said or 'start'}", Ink.TITLE) if framed else (said, Ink.STRONG)

    def lines(columns: int, rows: int, signs: Glyphs) -> list[Line]:
        if game is None or state is None:
            return []
        top = cut(line((signs.plain(head[0]), head[1])), columns, signs.hidden)
        if owned is not None:
            shown = small_board.drawing(game, state, owned, columns, rows - 1, signs)
        else:
            shown = small_board.paint(game, state, None, columns, small_board.height(game, rows - 1), signs)
        if not shown:
            shown = paragraphs([signs.plain(game.position_name(state))], columns)
        return [top, *shown][:rows]

    return lines


def judgements(conductor: SearchConductor) -> list[JudgedMove]:
    """Return the root's moves with their exact values; [] while these are unknown."""
    found = conductor.found
    believed = conductor.standing if found is None else found.result
    return [] if conductor.truths is None or believed is None else judged_moves(conductor.truths, believed)


def facts(
    conductor: SearchConductor,
    counts: Sequence[tuple[str, str]],
    said: Sequence[str],
    memory: Sequence[tuple[str, str]] = (),
) -> Paint:
    """Paint one number per line, then the exact values, the memory if there is room, then sentences."""
    truth = exact_values(conductor)

    def lines(columns: int, rows: int, signs: Glyphs) -> list[Line]:
        room = columns - LABEL

        def named(pairs: Sequence[tuple[str, str]]) -> list[Line]:
            runs = [((f"{signs.plain(name):<{LABEL}}", Ink.QUIET), Run(signs.plain(text))) for name, text in pairs]
            return [cut(line(*each), columns, signs.hidden) for each in runs]

        shown = named(counts)
        for at, (text, ink) in enumerate(truth):
            for part, each in enumerate(paragraphs([signs.plain(text)], room, ink)[:3]):
                shown.append(line(("truth" if at == part == 0 else "").ljust(LABEL), *each))
        shown += named(memory)
        told = paragraphs([signs.plain(text) for text in said], columns, Ink.STRONG) if said else []
        if len(shown) + len(told) > rows:
            shown = shown[: max(0, rows - len(told))]
        gap = [()] if len(shown) + len(told) < rows else []
        return [*shown, *gap, *told][:rows]

    return lines


def why(said: Sequence[str], event: bool, windows: bool, leaf: str = "") -> Paint:
    """Paint what happens at the shown event, or why moves of the marked node were pruned; or what will stand here.

    `leaf` is why no move of the node was searched.
    """
    step = key_of("search.next-event", ".")
    none = "Every move of this position was searched." if windows else f"Press {step} to see what each simulation does."
    none = f"No move of this position was searched: {leaf}." if leaf else none

    def lines(columns: int, rows: int, signs: Glyphs) -> list[Line]:
        title = "This event" if event else "Why moves were pruned" if windows else "Events"
        told = paragraphs([signs.plain(text) for text in said or [none]], columns, Ink.STRONG if said else Ink.QUIET)
        return [line((title, Ink.TITLE)), *told][:rows]

    return lines


def counts(result: Result, minimax: int | None, game: Game, state: State, wide: bool) -> list[tuple[str, str]]:
    """Return the numbers of a whole search as (label, text)."""
    best, space = _best(result, game, state), result.space
    leaves = f"  leaves {Count(result.leaves)}" if wide else ""
    found = [("nodes", f"{Count(result.nodes)}{leaves}  {Pace(result.nodes_per_second)}")]
    if result.settings.algorithm == MCTS:
        return [*found, ("plays", f"{best}  {_mean(result)}"), ("seconds", f"{result.seconds:.3f}")]
    if result.settings.algorithm == ALPHA_BETA:
        found.append(("cutoffs", f"{Count(result.cutoffs)}" + f", {Count(result.skipped)} moves pruned" * wide))
    if result.table_hits or space.table_used is not None:
        used = f"{entries(space)}, {Bytes(space.table_bytes)}" if wide else f"{Count(space.table_used)} used"
        found.append(("table", f"{Count(result.table_hits)} hits, {used}"))
    if minimax is not None:
        found.append(("minimax", f"{Count(minimax)}  {minimax / max(1, result.nodes):.1f} × as many"))
    value = "…" if result.value is None else TreeValue(result.value).whole
    found.append(("plays", f"{best}  value {value}" + (", proven" if result.exact and wide else "")))
    return found


def standing(standing: Standing, game: Game, state: State) -> list[tuple[str, str]]:
    """Return the numbers of a running search as (label, text)."""
    best, rate = _best(standing, game, state), Pace(standing.per_second)
    if standing.settings.algorithm == MCTS:
        return [("depth", f"{standing.depth}  {rate}"), ("plays", f"{best}  {_mean(standing)}")]
    value = "…" if standing.value is None else TreeValue(standing.value).short
    return [("nodes", f"{Count(standing.done)}  {rate}"), ("plays", f"{best}  value {value}")]


def _best(search: Result | Standing, game: Game, state: State) -> str:
    return "none yet" if search.best_move is None else game.move_name(search.best_move, state)


def _mean(search: Result | Standing) -> Value:
    return known(Mean, search.value)


def memory(result: Result) -> list[tuple[str, str]]:
    """Return the memory of the tree and of the stack as (label, text)."""
    space = result.space
    return [
        ("tree", f"{Count(space.tree_nodes)} nodes, {Bytes(space.tree_bytes)}"),
        ("stack", f"{Named(space.stack_plies, 'ply', 'plies')}, {Bytes(space.stack_bytes)}"),
    ]


def exact_values(conductor: SearchConductor) -> list[tuple[str, Ink]]:
    """Return sentences on the exact values: the moves that win or draw, and where the search is wrong."""
    truths, game, state = conductor.truths, conductor.game, conductor.state
    if truths is None or game is None or state is None:
        return [(conductor.truth_fault, Ink.QUIET)] if conductor.truth_fault else []
    best = [found for found in truths if found.optimal]
    names = [game.move_name(found.move, state) for found in best]
    outcome = best[0].outcome
    if outcome is Outcome.LOSS:
        told = "every move loses"
    else:
        word = "win" if outcome is Outcome.WIN else "draw"
        some = ", ".join(names[:6]) + (f" and {len(names) - 6} more" if len(names) > 6 else "")
        told = f"{names[0]} is the only {word}" if len(names) == 1 else f"{some} {word}"
    wrong = [found for found in judgements(conductor) if found.wrong]
    shown = [(told, Ink.TEXT if outcome is Outcome.LOSS else Ink.RIGHT)]
    if wrong:
        played = [found for found in wrong if found.preferred and not found.truth.optimal]
        others = [game.move_name(found.truth.move, state) for found in wrong if found not in played]
        said = [f"plays {game.move_name(found.truth.move, state)}: {truth(found.truth)}" for found in played]
        said += [f"wrong about {', '.join(others)}"] if others else []
        shown.append((", ".join(said), Ink.WRONG))
    return shown
