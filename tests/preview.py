"""Draws the picture of the start screen again: `python -m tests.preview`.

It is the map of a function that learns Connect Four, after so many games: real verdicts, computed here, so that the
start screen needs neither the engine nor numpy.
"""

from __future__ import annotations

from importlib import resources
from pathlib import Path

import numpy as np

COLUMNS, ROWS = 96, 8  # of the map
POSITIONS = 260  # of the exact sample: the plies stand side by side, in one column each
SETUP = ("connect4", "ntuple:tuples=70", 1)  # game, learner and seed
AFTER = (0, 100, 1_000, 3_000, 10_000, 30_000, 100_000)  # games
FILE = Path(str(resources.files("nimtui.ui.board") / "preview.txt"))


def drawn(most: int = AFTER[-1]) -> str:
    """Return a frame per number of games up to `most`: '100 games, 61 of 256 right', and the map, a verdict a digit."""
    from nimtui.games import parse_game
    from nimtui.learning import evaluate, sample
    from nimtui.learning.sample import truth_of
    from nimtui.learning.training import Training
    from nimtui.ui.board.position_map_picture import fitting

    game, learner, seed = parse_game(SETUP[0]), *SETUP[1:]
    training, listed = Training(game, learner, seed), truth_of(sample.of(game), POSITIONS)
    training.plan(AFTER[-1])
    training.prepare()
    assert training.estimator is not None
    order = listed.orders()[0]
    sheet = fitting(order, COLUMNS, ROWS)
    assert sheet.each == 1
    frames = []
    for games in filter(lambda games: games <= most, AFTER):
        if games > training.games:
            training.run(games - training.games)
        scores = np.zeros(len(listed.graph.to))
        training.estimator.fill(listed.graph, scores)
        standing = evaluate.sampled_standing(listed, scores)
        verdicts = standing.verdicts[order.nodes]
        signs = np.where(sheet.grid < 0, " ", verdicts[sheet.grid].astype("<U1"))
        rows = ("".join(row).rstrip() for row in signs)
        frames.append("\n".join([f"{games} {standing.right} {len(verdicts)}", *rows]))
    return "\n\n".join(frames) + "\n"


if __name__ == "__main__":
    FILE.write_text(drawn(), "utf-8")
