"""Training: the map of all positions, the curve, one position with its moves, one learner or two."""

from __future__ import annotations

from nimtui.ui.kit.contract import Mode

MODE = Mode(
    "train",
    "Train",
    "nimtui.ui.train.screen:TrainScreen",
    "Watch a learner improve, position by position",
    letter="t",
    invitation="watch a learner improve by self-play",
    key="f3",
    presets="nimtui.ui.train.setup",
)
