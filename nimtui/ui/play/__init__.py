"""Play: the board, what the opponent thinks, hints, replays and reviews."""

from __future__ import annotations

from nimtui.ui.kit.contract import Mode

MODE = Mode(
    "play",
    "Play",
    "nimtui.ui.play.screen:PlayScreen",
    "Play against a person or a machine",
    letter="",
    invitation="",
    key="f2",
)
