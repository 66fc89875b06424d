"""Measures the figures of docs/generalising.md: `python -m tests.generalising FILE [WORD …]` prints its tables.

FILE holds one line for each training, so a measurement that was stopped continues. A WORD names a table: `nim`,
`connect`, `parts`, `frames` or `teacher`; without any all are measured, in about an hour on one core.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from statistics import mean, stdev
from time import process_time
from typing import Any, NamedTuple

import numpy as np

from nimtui.games import parse_game, registry
from nimtui.learning.curve_points import FunctionPoint
from nimtui.learning.evaluate import right_moves
from nimtui.learning.training import Training
from nimtui.theory.truth import truth
from tests import frames

STUDENT = {3: 4.303, 5: 2.776, 20: 2.093}  # the factor of a 95 % interval, by the number of seeds


@cache
def at_random(game: str) -> float:
    """Return the share of right moves of a random player, over all positions of a game."""
    exact = truth(parse_game(game))
    scores, visits = np.zeros(len(exact.graph.to)), np.zeros(len(exact.graph.to), np.int32)
    return right_moves(exact, scores, visits).everywhere


def measured(game: str, learner: str, games: int, seed: int) -> dict[str, Any]:
    """Return the share of right moves after a training: everywhere, where it was, where it never was, by chance."""
    training, began = Training(parse_game(game), learner, seed), process_time()
    training.curve.append(FunctionPoint(0, None, None, None, None))  # spares the measure before the first game
    training.run(games)
    if training.truth is None:
        last = training.curve_to(None)[-1]
        assert training.sample is not None and isinstance(last, FunctionPoint)
        shares = last.right_moves, None, None, training.sample.chance()
    else:
        scores, visits = training.table.cells, training.table.visits
        shares = (*right_moves(training.truth, scores, visits), at_random(game))
    parts = dict(zip(("right", "met", "unmet", "chance"), shares, strict=True))
    return {"game": game, "learner": learner, "games": games, "seed": seed, **parts, "seconds": process_time() - began}


class Column(NamedTuple):
    """A game, how many games a learner plays there, with how many seeds, and what measures it."""

    game: str
    games: int
    seeds: int
    measure: Callable[[str, str, int, int], dict[str, Any]]


NIM = [
    *(Column(f"nim:{rows}", 200_000, 20, measured) for rows in ("1,3,5", "1,3,5,7", "1,3,5,7,9", "1,3,5,7,9,11")),
    Column("tower:49", 50_000, 20, measured),
]
NIM_LEARNERS = (
    "linear",
    "linear:digits=on",
    "ntuple:length=2,discount=1",
    "net:errors=squares",
    "net",
    "ntuple:discount=1",
)
CONNECT = [
    Column(game, 30_000, 5, measured)
    for game in ("connect:4x4x4", "connect:5x4x4", "connect:5x5x4", "connect:6x5x4", "connect4")
]
CONNECT_LEARNERS = ("linear", "ntuple:length=2", "net", "ntuple:tuples=70")
PARTS = [Column("connect4", 40_000, 5, measured)]
CHANGES = ("explore=0.3", "errors=entropy", "trace=0.5", "discount=1", "average=0", "adapt=on", "draw=any", "trace=0")
PART_LEARNERS = ("ntuple:tuples=70", *(f"ntuple:tuples=70,{each}" for each in (*CHANGES, "mirror=off", "explore=0.02")))
FRAMES, TEACHER = (
    [
        Column(f"frames:{shown}:{rows}", games, 5, frames.measured)
        for rows in ("1,3,5,7,9", "1,3,5,7,9,11,13")
        for shown in (1, 3, 0)
    ]
    for games in (100_000, frames.TAUGHT)
)
TABLES = {
    "frames": (FRAMES, ("net",)),
    "teacher": (TEACHER, ("net:last=0.02",)),
    "nim": (NIM, NIM_LEARNERS),
    "connect": (CONNECT, CONNECT_LEARNERS),
    "parts": (PARTS, PART_LEARNERS),
}
SLOW = {"net": 10_000}  # games on Connect Four


def runs_of(file: Path, columns: Sequence[Column], learners: Sequence[str]) -> Iterator[tuple[str, Column, list[Any]]]:
    """Yield the trainings of each cell of a table, and add those that the file lacks to it."""
    lines = file.read_text().splitlines() if file.exists() else []
    stored = {(run["game"], run["learner"], run["games"], run["seed"]): run for run in map(json.loads, lines)}
    for column in columns:
        for learner in learners:
            runs = []
            games = SLOW.get(learner, column.games) if column in CONNECT else column.games
            for seed in range(1, column.seeds + 1):
                key = column.game, learner, games, seed
                if key not in stored:
                    stored[key] = column.measure(*key)
                    with file.open("a") as out:
                        print(json.dumps(stored[key]), file=out)
                runs.append(stored[key])
            yield learner, column, runs


def share(values: Sequence[float | None]) -> str:
    """Return the mean in per cent, with half of its 95 % interval; '' where a part has no positions."""
    numbers = [value for value in values if value is not None]
    if len(numbers) < len(values):
        return ""
    spread = STUDENT[len(numbers)] * stdev(numbers) / len(numbers) ** 0.5
    return f"{100 * mean(numbers):.1f} ± {100 * spread:.1f}"


def main(file: Path, words: Sequence[str]) -> None:
    registry.add(frames)
    for word in words or TABLES:
        columns, learners = TABLES[word]
        for learner, column, runs in runs_of(file, columns, learners):
            parts = (share([run[part] for run in runs]) for part in ("right", "met", "unmet"))
            chance, seconds = f"{100 * runs[0]['chance']:.1f}", f"{mean(run['seconds'] for run in runs):.1f} s"
            print(" | ".join((column.game, learner, *parts, chance, seconds)), flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
