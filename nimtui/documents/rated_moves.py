"""The document of `nimtui moves`."""

from __future__ import annotations

from typing import Any

from nimtui.agents import Decision
from nimtui.arena.comparison_document import truth_keys
from nimtui.documents.place import place_keys
from nimtui.games import Game
from nimtui.games.base import Move, State
from nimtui.theory.answers import MoveValue

KNOWN = ("wins", "losses", "draws", "low", "high", "visits", "mean", "ucb", "score", "bound")  # of a Thought


def document(
    game: Game,
    state: State,
    given: str | None,
    agent: str,
    decision: Decision,
    truths: dict[Move, MoveValue] | None,
) -> dict[str, Any]:
    """Return the JSON document: every legal move with the agent's numbers, in the game's order."""
    rows, rate = [], decision.nodes_per_second
    for thought in decision.thoughts:
        row: dict[str, Any] = {
            "move": game.move_name(thought.move, state),
            "value": thought.value,
            **truth_keys(None if truths is None else truths[thought.move]),
        }
        for key in KNOWN:
            known = getattr(thought, key, None)
            if known is not None:
                row[key] = known
        rows.append(row)
    return {
        "game": game.name,
        **place_keys(game, state, given),
        "agent": agent,
        "best_move": game.move_name(decision.move, state),
        "moves": rows,
        "note": decision.note,
        "seconds": decision.seconds,
        "nodes": decision.nodes,
        "nodes_per_second": None if rate is None else round(rate),
    }
