"""Tournament as a mode of the app."""

from __future__ import annotations

from nimtui.ui.kit.mode import Mode

MODE = Mode(
    "tournament",
    "Tournament",
    "nimtui.ui.tournament.screen:TournamentScreen",
    "Agents play each other: who is stronger, and how sure is that",
    letter="o",
    invitation="agents play each other: who is stronger, how sure?",
    key="f5",
    presets="nimtui.ui.tournament.setup",
)
