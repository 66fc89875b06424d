"""`nimtui solve`: shows who wins a position, by which moves, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nimtui.cli import options
from nimtui.errors import InputError

if TYPE_CHECKING:
    from nimtui.games import Game
    from nimtui.games.base import State
    from nimtui.theory.answers import Answer
    from nimtui.theory.endings import Ending

EXAMPLES = """\
nimtui solve tower:16
nimtui solve nim:3,5,4,2,6:misere --json
nimtui solve kayles:1,3,5,7 -p 1/111/11011/0
nimtui solve connect4:4x4 -p 1223"""


def solve(
    game: options.Game,
    position: options.Position = None,
    memory: options.Memory = None,
    threads: options.Threads = None,
    json: options.Json = False,
) -> None:
    """Solve a position exactly.

    Prints who wins and in how many plies, the Grundy value and every best move. Explains why in plain words and in
    binary."""
    from nimtui.cli import output
    from nimtui.cli.bar import Bar
    from nimtui.cli.names import read_position
    from nimtui.documents.solved import document
    from nimtui.games.connect import Connect
    from nimtui.theory import Patience, connect, plain
    from nimtui.theory.answers import answer

    chosen, state = read_position(game, position)
    if not isinstance(state, Connect) and (memory is not None or threads is not None):
        raise InputError(f"--memory and --threads are for connect games: {chosen.name} is solved without them")
    usual = Patience()
    patience = Patience(memory or usual.memory, threads or usual.threads)
    with Bar("solve") as bar:
        found = answer(chosen, state, bar, patience=patience)
        end = connect.ending(chosen, state, bar) if isinstance(state, Connect) else None
        words = plain.text(chosen, state, bar, found)
    if json:
        output.document(document(chosen, state, position, found, end, words))
    else:
        _show(chosen, state, position, found, end, words)


def _show(game: Game, state: State, given: str | None, found: Answer, end: Ending | None, words: str) -> None:
    from nimtui import theory
    from nimtui.cli import output
    from nimtui.cli.names import place_text
    from nimtui.games.notation import plural
    from nimtui.theory import Outcome, explanation

    verdict = found.verdict
    output.heading(game)
    output.say(f"position    {place_text(game, state, given)}")
    grundy = "" if verdict.grundy is None else f", Grundy value {verdict.grundy}"
    output.say(f"outcome     {verdict.outcome.value} for the player to move{grundy}")
    if verdict.best_moves and verdict.outcome is not Outcome.DRAW:
        output.say(f"remoteness  {'unknown' if found.remoteness is None else plural(found.remoteness, 'ply', 'plies')}")
    output.say(f"best moves  {_best(game, state, found)}", "")
    if words:
        output.paragraph(words)
        output.say("")
    if verdict.scores:
        _show_scores(game, state, verdict.scores)
        if end is not None:
            output.say("")
            output.paragraph(" ".join(explanation.ending_lines(end, verdict.outcome)))
    else:
        output.say(*explanation.lines(theory.explain(game, state), width=output.LINE))


def _show_scores(game: Game, state: State, scores: dict[int, int]) -> None:
    """Print the score of every column: connect games have no other theory."""
    from nimtui.cli import output

    names = [game.move_name(move, state) for move in scores]
    output.columns(["column", *names], [["score", *map(output.exact, scores.values())]])
    output.say("", "+n: wins with n − 1 discs to spare. −n: loses, the opponent having n − 1 to spare. 0: draw.")


def _best(game: Game, state: State, found: Answer) -> str:
    from nimtui.theory import Outcome

    verdict = found.verdict
    if not verdict.best_moves:
        return "none, the game is over"
    if verdict.outcome is Outcome.LOSS:
        return "none: every move loses against perfect play"
    return " ".join(game.move_name(move, state) for move in verdict.best_moves)
