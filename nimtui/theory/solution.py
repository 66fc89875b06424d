"""A whole solution: what `solve` tells of a position, and everything exact that an oracle answers about it."""

from __future__ import annotations

from typing import Any, NamedTuple

from nimtui.games import base
from nimtui.games.connect import Connect
from nimtui.games.place import Place
from nimtui.progress import SILENT, Progress
from nimtui.report.blocks import Report
from nimtui.report.document import document
from nimtui.theory import connect, explain, explanation, plain, report
from nimtui.theory.answers import Answer, answer, best_line, move_values
from nimtui.theory.claims import Ending
from nimtui.theory.verdict import Patience


class Solution(NamedTuple):
    """The exact value of a position, and why it has it."""

    place: Place
    answer: Answer
    end: Ending | None  # connect games: how the game ends; None if it is over, or takes more than some seconds
    words: str  # what to play and why, in plain words; '' if the game is over

    @property
    def report(self) -> Report:
        """The report of `nimtui solve`."""
        return report.solved(self.place, self.answer, self.end, self.words)

    @property
    def why(self) -> str:
        """The explanation of theory, in sentences; '' for a game without theory."""
        game, state, *_ = self.place
        if not isinstance(state, Connect):
            lines = explanation.sentences(explain(game, state))
        else:
            lines = [] if self.end is None else explanation.ending_lines(self.end, self.answer.outcome)
        return " ".join(filter(None, lines))


def solution(place: Place, progress: Progress = SILENT, patience: Patience | None = None) -> Solution:
    """Solve a position. It may take minutes. Raises Unsolvable if it is too large."""
    game, state, *_ = place
    solved = answer(game, state, progress, patience=patience or Patience())
    end = connect.ending(game, state, progress) if isinstance(state, Connect) else None
    return Solution(place, solved, end, plain.text(game, state, progress, solved))


def everything(place: Place, progress: Progress = SILENT) -> dict[str, Any]:
    """Return all that is exact about a position: the document of `nimtui solve`, and more keys.

    `moves` are all legal moves, each with its outcome and remoteness, in connect games with its score. `line` is the
    best play of both to the end, or None if that takes too long to find. `why` is the explanation of theory.
    Raises Unsolvable if the position is too large.
    """
    game, state, *_ = place
    solved = solution(place, progress)
    keys = document(solved.report)
    values = [] if base.outcome(state) != base.GOING_ON else move_values(game, state, progress)
    moves = [{"move": place.move(value.move), **report.truth_keys(value)} for value in values]
    for row in moves if isinstance(state, Connect) else ():
        row["score"] = keys["scores"][row["move"]]
    line = keys.get("line")  # of connect games, found together with how they end
    if not isinstance(state, Connect) and (best := best_line(game, state, solved.answer, progress)) is not None:
        line = game.line_names(best, state)
    return {**keys, "moves": moves, "line": line if moves else [], "why": solved.why}
