"""Agents beside each other on one position, with the exact values between them; and what is saved side by side."""

from __future__ import annotations

from nimtui.ui.kit.contract import Mode

MODE = Mode(
    "compare",
    "Compare",
    "nimtui.ui.compare.screen:ComparisonScreen",
    "Set agents beside each other on one position: who is right",
    letter="b",
    invitation="set agents side by side on one position",
    presets="nimtui.ui.play.compare_setup",
)
