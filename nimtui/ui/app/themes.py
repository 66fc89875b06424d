"""Chooses the theme."""

from __future__ import annotations

from textual.theme import BUILTIN_THEMES

from nimtui.store.settings import Settings
from nimtui.ui.app.terminal import TerminalInfo

COLORLESS = ("ansi-dark", "ansi-light")  # the themes that send no colour under NO_COLOR


def theme_for(settings: Settings, surroundings: TerminalInfo) -> str:
    """Return the chosen theme, unless it is unknown or NO_COLOR is set."""
    if surroundings.no_color:
        return settings.theme if settings.theme in COLORLESS else COLORLESS[0]
    return settings.theme if settings.theme in BUILTIN_THEMES else Settings().theme
