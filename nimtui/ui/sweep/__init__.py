"""Sweeps: heat maps of a learner's constants against each other, filled cell by cell."""

from __future__ import annotations

from nimtui.ui.kit.contract import Mode

MODE = Mode(
    "sweep",
    "Sweep",
    "nimtui.ui.sweep.screen:SweepScreen",
    "Compare settings of a learner on a grid",
    letter="S",
    invitation="compare settings of a learner on a grid",
    presets="nimtui.ui.sweep.setup",
)
