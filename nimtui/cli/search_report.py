"""The text report of `nimtui search`: the moves with their values, the counts, several searches side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nimtui.trees.effort import UNKNOWN, kept_text, pace_text, plies

if TYPE_CHECKING:
    from nimtui.games import Game
    from nimtui.games.base import Move, State
    from nimtui.theory.answers import MoveValue
    from nimtui.trees import MoveResult, Result

SIGNS = {"upper": "≤ ", "lower": "≥ "}


def show(
    game: Game,
    state: State,
    place: str,
    results: list[Result],
    truths: dict[Move, MoveValue] | None,
    saved: dict[str, Any],
) -> None:
    """Print one search in full, or several as rows of a table."""
    from nimtui.cli import output

    output.heading(game)
    output.say(f"position  {place}")
    if len(results) == 1:
        _show_one(game, state, results[0], truths)
    else:
        _show_all(game, state, results)
    _say_of_time(results)
    if saved:
        output.say("", *(f"{what} saved to {file}" for what, file in saved.items()))


def _show_one(game: Game, state: State, result: Result, truths: dict[Move, MoveValue] | None) -> None:
    from nimtui.cli import output
    from nimtui.trees.move_values import claimed_plies

    if result.best_move is None:
        output.say(result.settings.name, "", "stopped before the first move was searched")
        return
    best = game.move_name(result.best_move, state)
    early = "" if result.finished else ", stopped early"
    output.say(f"{result.settings.name} plays {best}  ({output.seconds(result.seconds)}{early})")
    left = claimed_plies(result.settings, result.value)
    unit = "" if left is None else " ply" if left == 1 else " plies"
    output.say(f"value     {value_text(result, result.value)}{unit}")
    output.say(f"line      {' '.join(game.line_names(result.principal_variation, state))}", "")
    optimal = None
    if truths is not None:
        optimal = [game.move_name(move, state) for move, found in truths.items() if found.optimal]
    tree_search = result.settings.algorithm == "mcts"
    head = ["visits", "mean", "ucb", "proven"] if tree_search else ["value", "nodes"]
    if tree_search and not result.settings.proven:
        head.remove("proven")
    rows = [
        [
            game.move_name(found.move, state),
            "plays" if found.move == result.best_move else "",
            *(_cell(key, found, result) for key in head),
            output.verdict_text(game.move_name(found.move, state), optimal, len(result.moves)),
        ]
        for found in result.moves
    ]
    output.columns(["move", "", *head, "truth"], rows, left=(0, 1, len(head) + 2))
    output.say("")
    for name, count, more in _counts(result):
        output.say(f"{name:<11}{count:>13}   {more}".rstrip())
    if any(found.bound in SIGNS for found in result.moves):
        output.say("")
        output.paragraph(
            "≤ marks a bound: the move is not better than the one that is played, so its own value is not needed."
        )


def _say_of_time(results: list[Result]) -> None:
    """Print that searches with a time limit depend on the machine."""
    from nimtui.cli import output

    if any(result.settings.time for result in results):
        output.say("")
        output.paragraph("A search with a time limit depends on the machine: a faster one searches more.")


def _show_all(game: Game, state: State, results: list[Result]) -> None:
    from nimtui.cli import output

    output.say("")
    head = ["search", "move", "value", "nodes", "leaves", "cutoffs", "skipped", "hits", "time", "nodes/s"]
    rows = [
        [
            result.settings.name,
            "–" if result.best_move is None else game.move_name(result.best_move, state),
            value_text(result, result.value),
            *(output.grouped(n) for n in (result.nodes, result.leaves, result.cutoffs, result.skipped)),
            output.grouped(result.table_hits),
            output.seconds(result.seconds),
            pace_text(result.nodes_per_second),
        ]
        for result in results
    ]
    output.columns(head, rows, left=(0, 1))
    output.say("")
    _show_memory(results)


def _show_memory(results: list[Result]) -> None:
    """Print the memory of several searches, part by part."""
    from nimtui.cli import output
    from nimtui.engine.memory import in_units

    head = ["memory", "tree nodes", "tree", "stack plies", "stack", "entries used", "table", "in all"]
    rows = []
    for result in results:
        space = result.space
        table = space.table_used is not None
        rows.append(
            [
                result.settings.name,
                output.grouped(space.tree_nodes),
                in_units(space.tree_bytes),
                output.grouped(space.stack_plies),
                in_units(space.stack_bytes),
                output.grouped(space.table_used or 0) if table else UNKNOWN,
                in_units(space.table_bytes) if table else UNKNOWN,
                in_units(space.used_bytes),
            ]
        )
    output.columns(head, rows)
    if any(not result.space.recorded for result in results):
        output.say("")
        output.paragraph(
            "The tree of minimax and alpha-beta is what recording it would take; it was not recorded here."
        )


def _counts(result: Result) -> list[tuple[str, str, str]]:
    """Return the counts and the memory of a search: the name, the number, and what explains the number."""
    from nimtui.cli import output
    from nimtui.engine.memory import in_units

    counts = [("nodes", result.nodes), ("leaves", result.leaves)]
    if result.settings.time:
        reached = ("depth", result.depth or 0) if result.simulations is None else ("simulations", result.simulations)
        counts.insert(0, reached)
    if result.settings.algorithm == "alphabeta":
        counts += [("cutoffs", result.cutoffs), ("skipped", result.skipped)]
    if result.settings.table:
        counts.append(("table hits", result.table_hits))
    space = result.space
    tree = f"{space.tree_nodes:,} nodes of {space.node_bytes} bytes, {kept_text(space)}"
    memory = [("tree", in_units(space.tree_bytes), tree)]
    memory.append(("stack", in_units(space.stack_bytes), plies(space.stack_plies)))
    if space.table_entries is not None:
        used = f"{space.table_used:,} of {space.table_entries:,} entries used"
        memory.append(("table", in_units(space.table_bytes), used))
    if space.simulation_bytes:
        memory.append(("simulations", in_units(space.simulation_bytes), "to replay them"))
    return [
        *((name, output.grouped(count), "") for name, count in counts),
        ("nodes/s", pace_text(result.nodes_per_second).removesuffix("/s"), ""),
        *memory,
        ("memory", in_units(space.used_bytes), "in all"),
    ]


def value_text(result: Result, value: float | None) -> str:
    """Format a value for people."""
    from nimtui.cli import output

    if value is None:
        return "–"
    return output.signed(value) if result.settings.algorithm == "mcts" else outcome_text(int(value))


def outcome_text(score: int, bound: str | None = None) -> str:
    """Format a value of minimax or alpha-beta: 'wins in 5' or 'loses in 4' if decided, else a number, '≤ −2'."""
    from nimtui.cli import output
    from nimtui.engine.windows import DECIDED, WIN

    sign = SIGNS.get(bound or "", "")
    if abs(score) > DECIDED:
        return f"{sign}{'wins' if score > 0 else 'loses'} in {WIN - abs(score)}"
    return sign + output.exact(score)


def _cell(key: str, found: MoveResult, result: Result) -> str:
    from nimtui.cli import output

    if key == "value":
        return SIGNS.get(found.bound or "", "") + value_text(result, found.value)
    known = getattr(found, key)
    if known is None:
        return ""
    if key == "proven":
        return {1: "wins", 0: "draws", -1: "loses"}[known]
    return output.signed(known) if key in ("mean", "ucb") else output.grouped(known)
