"""Library as a mode of the app."""

from __future__ import annotations

from nimtui.ui.kit.mode import Mode

MODE = Mode(
    "library",
    "Library",
    "nimtui.ui.library.screen:LibraryScreen",
    "All that is kept: see, open, compare",
    letter="l",
    invitation="all that is kept: see, compare, open again",
    key="f6",
)
