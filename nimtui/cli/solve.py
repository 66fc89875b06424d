"""`nimtui solve`: who wins a position, with which moves, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nimtui.cli import options

if TYPE_CHECKING:
    from nimtui.games import Game
    from nimtui.games.base import State
    from nimtui.theory import Verdict

EXAMPLES = """\
nimtui solve tower:16
nimtui solve nim:3,5,4,2,6:misere --json
nimtui solve kayles:1,3,5,7 -p 1/111/11011/0
nimtui solve connect4:4x4 -p 1223"""


def solve(game: options.Game, position: options.Position = None, json: options.Json = False) -> None:
    """Solve a position exactly.

    Says who wins, its Grundy value, every best move, and the theory behind it."""
    from nimtui import theory
    from nimtui.cli import output
    from nimtui.cli.bar import Bar
    from nimtui.cli.names import read_position

    chosen, state = read_position(game, position)
    with Bar("solve") as bar:
        verdict = theory.solve(chosen, state, bar)
    if json:
        output.document(document(chosen, state, verdict))
    else:
        _show(chosen, state, verdict)


def document(game: Game, state: State, verdict: Verdict) -> dict[str, Any]:
    """The JSON document; connect games have scores too."""
    keys: dict[str, Any] = {
        "game": game.name,
        "position": game.position_name(state),
        "outcome": verdict.outcome.value,
        "grundy": verdict.grundy,
        "best_moves": [game.move_name(move, state) for move in verdict.best_moves],
    }
    if verdict.scores is not None:
        keys["score"] = verdict.score
        keys["scores"] = {game.move_name(move, state): score for move, score in verdict.scores.items()}
    return keys


def _show(game: Game, state: State, verdict: Verdict) -> None:
    from nimtui import theory
    from nimtui.cli import output
    from nimtui.theory import explanation

    output.heading(game)
    output.say(f"position    {game.position_name(state) or 'the start'}")
    grundy = "" if verdict.grundy is None else f", Grundy value {verdict.grundy}"
    output.say(f"outcome     {verdict.outcome.value} for the player to move{grundy}")
    if verdict.score is not None:
        output.say(f"score       {output.signed(verdict.score, 0)}")
    output.say(f"best moves  {_best(game, state, verdict)}")
    if verdict.scores:
        names = [game.move_name(move, state) for move in verdict.scores]
        scores = [output.signed(score, 0) for score in verdict.scores.values()]
        output.say("")
        output.columns(["move", *names], [["score", *scores]])
    lines = explanation.lines(theory.explain(game, state), width=output.LINE)
    if lines:
        output.say("", *lines)


def _best(game: Game, state: State, verdict: Verdict) -> str:
    from nimtui.games import base
    from nimtui.theory import Outcome

    if not verdict.best_moves:
        return "none, the game is over"
    if verdict.outcome is Outcome.LOSS:
        return f"none: each of the {base.count(state)} moves loses against perfect play"
    return " ".join(game.move_name(move, state) for move in verdict.best_moves)
