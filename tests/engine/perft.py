"""Count a game's move sequences, to test its rules (known from chess as perft)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from nimtui.engine import dispatch  # noqa: F401 - lets kernels find the rules
from nimtui.engine.jit import paced_kernel
from nimtui.engine.limits import Pace
from nimtui.games import base
from nimtui.games.base import State, count, following, outcome, play, undo
from nimtui.progress import SILENT, Progress

FIRST_CHUNK = 200_000  # positions
LONGEST = 26 * 255  # plies of the longest game there is: every match taken alone

Counts = npt.NDArray[np.int64]


@paced_kernel
def walk(state: State, depth: int, counts: Counts, path: Counts, at: Counts, until: int) -> bool:
    """Walk the tree below `state` down to `depth` and add to the counts by ply. Return True when done.

    `at` [2] holds the ply and the last move taken back, so that a walk can pause after `until` positions. The moves of
    the last ply are counted, not played.
    """
    ply, move = at[0], at[1]
    for _ in range(until):
        move = following(state, move)
        if move < 0:
            ply -= 1
            if ply < 0:
                return True
            move = path[ply]
            undo(state, move)
        else:
            play(state, move)
            if outcome(state) == 0:
                counts[ply + 2] += count(state)
                if ply + 2 < depth:
                    path[ply] = move
                    ply += 1
                    move = -1
                    continue
            undo(state, move)
    at[0], at[1] = ply, move
    return False


def by_ply(state: State, depth: int = LONGEST, progress: Progress = SILENT) -> list[int]:
    """Return how many move sequences of each length there are, from 0 up to `depth` or the longest game."""
    counts = np.zeros(min(depth, LONGEST) + 2, np.int64)
    counts[0] = 1
    if outcome(state) == base.GOING_ON and depth > 0:
        scratch = base.copy(state)
        counts[1] = count(state)
        path, at = np.zeros(len(counts), np.int64), np.array([0, -1], np.int64)
        pace = Pace((walk, type(state)), FIRST_CHUNK)
        while depth > 1 and not walk(scratch, depth, counts, path, at, pace.begin()):
            pace.end(pace.units)
            progress.report(int(counts.sum()), 0, "positions")
    return [int(n) for n in counts[: int(np.flatnonzero(counts)[-1]) + 1]]


def perft(state: State, depth: int) -> int:
    """Return the number of move sequences of exactly this length; games that end earlier do not count."""
    counts = by_ply(state, depth)
    return counts[depth] if depth < len(counts) else 0


def tree_nodes(state: State, progress: Progress = SILENT) -> int:
    """Return the number of nodes in the complete game tree, the root included."""
    return sum(by_ply(state, progress=progress))
