"""Search: the tree, its windows and cutoffs, the events in time."""

from __future__ import annotations

from nimtui.ui.kit.contract import Mode

MODE = Mode(
    "search",
    "Search",
    "nimtui.ui.search.screen:SearchScreen",
    "Explore a search tree: what was pruned, and why",
    letter="e",
    invitation="see what a search prunes, and why",
    key="f4",
    presets="nimtui.ui.search.setup",
)
