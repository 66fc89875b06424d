"""Counts the games that a learner needs until it plays perfectly."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from nimtui.games import Game
from nimtui.learning.evaluate import RIGHT, UNDECIDED, WRONG, Standing, favoured_seats
from nimtui.learning.learner import Learner, Scores
from nimtui.learning.sample import interval_of
from nimtui.learning.training import Training
from nimtui.progress import SILENT, Progress
from nimtui.theory.truth import Truth

EVERY = 200  # checks after every game at first, later after every 1/EVERY of the games so far
LARGE, EVERY_OF_LARGE, FIRST_OF_LARGE = 2_000_000, 20, 1_000  # from so many cells a check costs many games


class Needed(NamedTuple):
    """The games after which the learner first played so; None: never."""

    proof: int | None  # makes no mistake in the seats that theory favours, whatever its opponent plays
    perfect: int | None  # plays every position right that is not lost
    games: int  # games played in all
    accuracy: float | None  # at the end; None where the game has too many positions
    unbeaten: float | None
    right_moves: float | None = None  # of a learner with a function, at the end …
    right_moves_low: float | None = None  # … with the interval of a sample
    right_moves_high: float | None = None


def look_counts(after: int, cells: int) -> Iterator[int]:
    """Yield the fixed game counts above this one at which to check whether a table of this size is perfect."""
    every, games = (EVERY, 1) if cells < LARGE else (EVERY_OF_LARGE, FIRST_OF_LARGE)
    while True:
        if games > after:
            yield games
        games += max(1, games // every)


def looks(truth: Truth, scores: Scores) -> tuple[bool, bool]:
    """Return whether these scores make no mistake against any opponent, and are perfect (see `evaluate.Standing`)."""
    from nimtui.engine import evaluate as kernels

    verdicts, _ = kernels.judge(truth.graph, truth.signs, truth.keeps, scores)
    wrong = (verdicts == WRONG) | (verdicts == UNDECIDED)
    if not wrong.any():
        return True, True
    if verdicts[truth.graph.start] != RIGHT and favoured_seats(truth)[0]:
        return False, False
    in_reach = kernels.reached(truth.graph, scores, favoured_seats(truth))
    return not (wrong & in_reach).any(), False


def games_needed(game: Game, learner: Learner | str, seed: int, most: int, progress: Progress = SILENT) -> Needed:
    """Train until the table is perfect, for at most `most` games; a function of a game that no table holds, for all.

    Raises InputError for an untrainable game.
    """
    training = Training(game, learner, seed)
    training.plan(most)
    training.prepare(progress)
    if training.truth is None:
        training.run(most, progress)
        return Needed(None, None, most, None, None, *_right_moves(training, None))
    proof = perfect = None
    for until in look_counts(0, len(training.table.cells)):
        safe, right = looks(training.truth, training.scores())
        proof = training.games if safe and proof is None else proof
        perfect = training.games if right else None
        if right or training.games >= most:
            break
        until = min(most, until)
        while training.games < until:
            training.advance(until - training.games)
        progress.report(training.games, most, "games")
    training.settle()
    standing = training.standing()
    shares = standing.accuracy, standing.unbeaten, *_right_moves(training, standing)
    return Needed(proof, perfect, training.games, *shares)


def _right_moves(training: Training, now: Standing | None) -> tuple[float | None, float | None, float | None]:
    """Return the share of right moves of a function, with its interval; None of a table."""
    share: float | None = getattr(training.curve_to(now)[-1], "right_moves", None)
    return share, *interval_of(training.sample, share)
