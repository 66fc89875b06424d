"""Search as a mode of the app."""

from __future__ import annotations

from nimtui.ui.kit.mode import Mode

MODE = Mode(
    "search",
    "Search",
    "nimtui.ui.search.screen:SearchScreen",
    "See the tree of a search, and why it cuts",
    letter="e",
    invitation="walk through the tree of a search, and see why it cuts",
    key="f4",
    presets="nimtui.ui.search.setup",
)
