"""`nimtui.solve`: the exact value of a position."""

from __future__ import annotations

from nimtui.api.call import Report, Watch, Watcher
from nimtui.api.door import checked
from nimtui.api.games import GameLike, game
from nimtui.games.place import Place
from nimtui.theory.solution import solution


class Solution(Report):
    """The exact value of a position, for the player to move."""

    game: str
    position: str
    outcome: str
    """'win', 'loss' or 'draw'."""
    remoteness: int | None
    """Plies to the end under best play; None in a draw, or if unknown."""
    grundy: int | None
    """The Grundy value; None if the game has none."""
    best_moves: list[str]
    """The moves that keep the outcome: all of them if the position is lost, [] if the game is over."""
    explanation: str
    """Why, in sentences; '' for a game without theory."""
    plain: str
    """What to play and why, in plain words; '' if the game is over."""


@checked
def solve(on: GameLike, position: str | None = None, *, progress: Watch = None) -> Solution:
    """Return the exact value of a position [default: the start]: `nimtui.solve("nim:3,4,5", "1,4,5").best_moves`.

    `to_dict()` is the document of `nimtui solve --json`. Raises InputError for an invalid game or position, and for a
    position that is too large to solve. Ctrl+C raises KeyboardInterrupt: there is no part of an answer.
    """
    chosen = game(on)
    rules, state = chosen.rules, chosen.state(position)
    with Watcher("solve", progress) as watcher:
        solved = solution(Place(rules, state, position), watcher)
        result = Solution(solved.report)
        result.explanation = solved.why
    return result
