"""The Library: find, show, compare, rename, export, delete and open everything that is saved."""

from __future__ import annotations

from nimtui.ui.kit.contract import Mode

MODE = Mode(
    "library",
    "Library",
    "nimtui.ui.library.screen:LibraryScreen",
    "Show, open and compare everything saved",
    letter="l",
    invitation="show, open and compare everything saved",
    key="f6",
)
