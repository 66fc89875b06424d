"""Draws the picture of the start screen again: `python -m tests.preview`.

It is the map of a training, that of the tour, after so many games: real verdicts, computed here, so that the start
screen needs neither the engine nor numpy.
"""

from __future__ import annotations

from importlib import resources
from pathlib import Path

import numpy as np

COLUMNS, ROWS = 96, 8  # of the map
AFTER = (0, 10, 100, 300, 1_000, 3_000, 10_000, 30_000, 100_000)  # games
FILE = Path(str(resources.files("nimtui.ui.app") / "preview.txt"))


def drawn() -> str:
    """Return a frame per number of games: '100 games, 61 of 336 right', and the map; a digit is a verdict."""
    from nimtui.games import parse_game
    from nimtui.learning.atlas import orders
    from nimtui.learning.training import Training
    from nimtui.theory.truth import truth
    from nimtui.ui.board.position_map_picture import fitting
    from nimtui.ui.tour.steps import SETUP

    game = parse_game(SETUP.game)
    training = Training(game, SETUP.learner, SETUP.seed)
    training.prepare()
    order = orders(truth(game), game)[0]
    sheet = fitting(order, COLUMNS, ROWS)
    assert sheet.each == 1
    frames = []
    for games in AFTER:
        if games > training.games:
            training.run(games - training.games)
        found = training.standing()
        verdicts = found.verdicts[order.nodes]
        signs = np.where(sheet.grid < 0, " ", verdicts[sheet.grid].astype("<U1"))
        rows = ("".join(row).rstrip() for row in signs)
        frames.append("\n".join([f"{games} {found.right} {found.right + found.wrong + found.undecided}", *rows]))
    return "\n\n".join(frames) + "\n"


if __name__ == "__main__":
    FILE.write_text(drawn(), "utf-8")
