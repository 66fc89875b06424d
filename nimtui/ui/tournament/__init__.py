"""Tournaments: live standings, pairings, games to watch, and the form that starts one."""

from __future__ import annotations

from nimtui.ui.kit.contract import Mode

MODE = Mode(
    "tournament",
    "Tournament",
    "nimtui.ui.tournament.screen:TournamentScreen",
    "Let agents play each other and rate them",
    letter="o",
    invitation="let agents play each other and rate them",
    key="f5",
    presets="nimtui.ui.tournament.setup",
)
