"""The commands of the palette, by their names."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from textual.screen import ModalScreen, Screen

from nimtui.ui import modes
from nimtui.ui.setup import presets

if TYPE_CHECKING:
    from nimtui.ui.app import NimtuiApp

Command = tuple[str, str, Callable[[], Any]]  # its name, what it does, the doing


def commands(app: NimtuiApp, screen: Screen[Any]) -> Iterator[Command]:
    """What can be done on this screen; in a dialog nothing that would open another."""
    yield "Quit", "Leave nimtui", app.action_quit
    yield "Theme", "Choose the colours", app.action_change_theme
    yield "Draw again", "Send the whole screen anew (ctrl+l)", app.action_redraw
    if isinstance(screen, ModalScreen):
        return
    for mode in modes.MODES:
        yield mode.title, f"{mode.about} ({mode.key.upper()})", partial(app.action_mode, mode.name)
    yield "Start screen", "Where the app begins (F7)", partial(app.action_mode, modes.START)
    yield "Help", "What every key does here (F1)", app.action_help
    yield "Settings", "Theme, signs, pace (F9)", app.action_settings
    yield "New game", "Choose the game and who plays", app.action_new_game
    for title, game in presets():
        yield f"Play {title}", game, partial(app.play_usual, game)
