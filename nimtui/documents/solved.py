"""The document of `nimtui solve`."""

from __future__ import annotations

from typing import Any

from nimtui.documents.place import place_keys
from nimtui.games import Game
from nimtui.games.base import State
from nimtui.theory.answers import Answer
from nimtui.theory.endings import Ending


def document(
    game: Game, state: State, given: str | None, found: Answer, end: Ending | None = None, plain: str = ""
) -> dict[str, Any]:
    """Return the JSON document. Connect games also have scores and how they end, except at their end.

    `plain` says in plain words what to play and why.
    """
    verdict = found.verdict
    keys: dict[str, Any] = {
        "game": game.name,
        **place_keys(game, state, given),
        "outcome": verdict.outcome.value,
        "remoteness": found.remoteness,
        "grundy": verdict.grundy,
        "best_moves": [game.move_name(move, state) for move in verdict.best_moves],
        "plain": plain,
    }
    if verdict.scores is not None:
        keys["score"] = verdict.score
        keys["scores"] = {game.move_name(move, state): score for move, score in verdict.scores.items()}
        keys["line"] = None if end is None else end.line
        keys["ending"] = None if end is None else end.last.value
    return keys
