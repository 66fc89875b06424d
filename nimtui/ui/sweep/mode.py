"""Sweep as a mode of the app."""

from __future__ import annotations

from nimtui.ui.kit.mode import Mode

MODE = Mode(
    "sweep",
    "Sweep",
    "nimtui.ui.sweep.screen:SweepScreen",
    "Try a learner's constants against each other",
    letter="S",
    invitation="try a learner's constants against each other",
    key="",
    presets="nimtui.ui.sweep.setup",
)
