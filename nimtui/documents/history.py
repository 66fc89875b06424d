"""The value history of a game as plain values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from nimtui.arena.beliefs import document as belief_document
from nimtui.arena.history import Moment


def document(moments: Sequence[Moment], players: Sequence[str], moves: Sequence[str], analyst: str) -> list[Any]:
    """Return the history as plain values: outcome and remoteness after each move, for the first player.

    A belief is for the player who made the move. With an `analyst` there is its estimate, too.
    """
    return [
        {
            "ply": moment.ply + 1,
            "move": moves[moment.ply],
            "player": players[moment.ply],
            "outcome": None if moment.outcome is None else moment.outcome.value,
            "remoteness": moment.remoteness,
            "mistake": None if moment.outcome is None else bool(moment.gave_away),
            "belief": belief_document(moment.belief),
            **({"estimate": belief_document(moment.estimate)} if analyst else {}),
        }
        for moment in moments
    ]
