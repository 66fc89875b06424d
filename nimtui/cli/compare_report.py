"""The report of `nimtui compare`, as JSON and as text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nimtui.arena import comparison_text as words
from nimtui.cli.moves import truth_keys

if TYPE_CHECKING:
    from nimtui.arena.comparison import Column, Comparison
    from nimtui.games.base import Move

MISTAKE, RIGHT, DISPUTED = "✗", "✓", "≠"


def document(found: Comparison, place: dict[str, str], seed: int) -> dict[str, Any]:
    """Return the JSON document: the moves with their exact values, and a column for each agent."""
    game, state = found.game, found.state
    moves = [
        {"move": game.move_name(move, state), **truth_keys(found.truths[move] if found.truths else None)}
        for move in found.moves
    ]
    return {
        "game": game.name,
        **place,
        "seed": seed,
        "moves": moves,
        "decides": found.decides,
        "apart": found.apart,
        "agents": [_agent_keys(found, column) for column in found.columns],
    }


def _agent_keys(found: Comparison, column: Column) -> dict[str, Any]:
    game, state = found.game, found.state
    return {
        "agent": column.agent,
        "best_move": None if column.move is None else game.move_name(column.move, state),
        "right": found.right(column),
        "line": words.line_names(game, state, column.line),
        "effort": column.effort,
        "unit": column.unit,
        "nodes": column.nodes,
        "seconds": column.seconds,
        "share_of": column.share_of,
        "moves": [
            {
                "move": game.move_name(cell.move, state),
                "rank": cell.rank,
                "value": cell.value,
                "score": cell.score,
                "bound": cell.bound,
                "share": cell.share,
            }
            for cell in column.cells
        ],
        "note": column.note,
        "fault": column.fault,
    }


def show(found: Comparison, place: str) -> None:
    """Print the table, then what each agent plays, then whether they agree."""
    from nimtui.cli import output

    output.heading(found.game)
    output.say(f"position  {place}", "")
    _show_table(found)
    output.say("")
    for number, column in enumerate(found.columns, 1):
        _show_agent(found, column, number)
    told = [words.best_text(found), words.agreement_text(found)]
    output.say(*(sentence for sentence in told if sentence))


def _show_table(found: Comparison) -> None:
    from nimtui.cli import output

    head, left, joined = ["move", "truth"], [0, 1], [1]
    parts: list[tuple[Column, str]] = []
    for number, column in enumerate(found.columns, 1):
        shown = [name for name in ("value", "share") if any(_cell(column, cell.move, name) for cell in column.cells)]
        for name in ("rank", *shown):
            if name == "rank":
                left.append(len(head))
            else:
                joined.append(len(head))
            head.append(str(number) if name == "rank" else name)
            parts.append((column, name))
    rows = [
        [
            found.game.move_name(move, found.state),
            words.truth_text(found.truths[move] if found.truths else None),
            *(_rank(found, column, move) if name == "rank" else _cell(column, move, name) for column, name in parts),
        ]
        for move in found.moves
    ]
    output.columns(head, rows, left=left, joined=joined)


def _rank(found: Comparison, column: Column, move: Move) -> str:
    """Return the rank of a move, and a sign beside the move that the agent plays: right, mistake or unknown."""
    rank = column.cell(move).rank
    text = "" if rank is None else str(rank)
    if column.move != move:
        return f"  {text}".rstrip()
    right = found.right(column)
    sign = "*" if right is None else RIGHT if right else MISTAKE
    return f"{sign} {text}".rstrip()


def _cell(column: Column, move: Move, name: str) -> str:
    cell = column.cell(move)
    return words.value_text(cell) if name == "value" else words.share_text(cell)


def _show_agent(found: Comparison, column: Column, number: int) -> None:
    from nimtui.cli import output

    game, state = found.game, found.state
    if column.move is None:
        output.say(f"{number}  {column.agent}: {column.fault}")
        return
    verdict = words.verdict_text(found, column)
    output.say(f"{number}  {column.agent}")
    output.say(f"   plays {game.move_name(column.move, state)}: {verdict}  ({words.effort_text(column)})")
    if len(column.line) > 1:
        output.say(f"   line  {' '.join(words.line_names(game, state, column.line))}")
    if column.note:
        output.paragraph(column.note)
