"""What Ctrl+Y copies on the Train screen."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence

from nimtui.errors import InputError
from nimtui.foreign.sheet import Sheet
from nimtui.learning.views import View
from nimtui.ui.kit.clipboard import Copy, command, rows
from nimtui.ui.train.position_list import Scores
from nimtui.ui.train.setup import TrainSetup, parse_goal
from nimtui.ui.train.view import Atlas

HEAD = ("position", "verdict", "best_move", "score", "played")
VERDICTS = ("lost", "right", "wrong", "undecided")


def of_table(atlas: Atlas, view: View, node: int, order: Sequence[int]) -> list[Copy]:
    """Return the marked position, and the table as CSV: a line per position in this order."""
    scores = Scores(view.scores, view.visits, view.standing.verdicts, atlas.graph.ptr)

    def listed() -> Iterator[str]:
        for each in order:
            edge, score, played = scores.best(each)
            move = atlas.move_name(each, edge)
            yield _line((atlas.name(each), VERDICTS[int(scores.verdict[each])], move, score, played))

    return [Copy("position", atlas.name(node)), rows("table", ",".join(HEAD), listed, len(order))]


def of_setup(setup: TrainSetup, lane: int) -> Copy:
    """Return the command that trains the learner of this lane again; an endless training gets the default goal."""
    learner = setup.learners[min(lane, len(setup.learners) - 1)]
    try:
        goal = parse_goal(setup.goal)
    except InputError:
        goal = parse_goal("")
    until = goal.perfect or None
    return command("train", setup.game, learner=learner, games=goal.games, until_perfect=until, seed=setup.seed)


def _line(values: Sequence[object]) -> str:
    text = io.StringIO(newline="")
    Sheet(text, HEAD).row(values)
    return text.getvalue().splitlines()[-1]
