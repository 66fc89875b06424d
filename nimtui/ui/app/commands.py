"""The commands of the palette, by their names."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Protocol

from textual.app import App
from textual.binding import ActiveBinding, Binding
from textual.dom import DOMNode
from textual.screen import ModalScreen, Screen

from nimtui.ui.app import modes
from nimtui.ui.kit.entries import presets
from nimtui.ui.kit.shell import Shell
from nimtui.ui.play.setup import usual_setup

Command = tuple[str, str, Callable[[], Any]]  # its name, what it does, the doing


class CommandTarget(Shell, Protocol):
    """The app as its commands know it."""

    def run_action(self, action: str, default_namespace: DOMNode) -> Any: ...
    def action_quit(self) -> Any: ...
    def action_change_theme(self) -> None: ...
    def action_redraw(self) -> None: ...


def commands(app: CommandTarget, screen: Screen[Any]) -> Iterator[Command]:
    """What can be done on this screen: all its keys do, and what has no key; in a dialog nothing that leads away."""
    done: set[str] = set()  # the actions
    for active in screen.active_bindings.values():
        binding, node = active.binding, active.node
        if not _does_something(active) or binding.action in done:
            continue
        done.add(binding.action)
        key = app.get_key_display(binding)
        yield _name(binding.description, binding.tooltip), f"key {key}", partial(app.run_action, binding.action, node)
    if not done & {"quit", "app.quit"}:
        yield "Quit: leave nimtui", "key q", app.action_quit
    yield "Theme", "Choose the colours", app.action_change_theme
    yield "Draw again", "Send the whole screen anew (^l)", app.action_redraw
    if isinstance(screen, ModalScreen):
        return
    if not done & {"new", "app.new_game"}:
        yield "New game", "Choose the game and who plays", app.action_new_game
    for title, game in presets():
        yield f"Play {title}", game, partial(_play_usual, app, game)
    for mode in modes.MODES:
        if not mode.key:  # else it is found by its key
            about = f"{mode.title}: {mode.about[0].lower()}{mode.about[1:]}"
            yield about, f"key {mode.letter} on the start screen", partial(app.action_mode, mode.name)
        for preset in modes.presets_of(mode):
            yield f"{mode.title}: {preset.title}", preset.about, partial(app.begin, mode.name, preset.setup)


def _play_usual(app: CommandTarget, game: str) -> None:
    """Begin this game against the usual opponent."""
    app.play(usual_setup(game))


def is_ours(active: ActiveBinding) -> bool:
    """Is the key bound here, and not by Textual (which has many for editing that every terminal knows)?"""
    for kind in type(active.node).__mro__:
        for bound in kind.__dict__.get("BINDINGS", ()):
            action = bound.action if isinstance(bound, Binding) else bound[1]
            if action == active.binding.action and not kind.__module__.startswith("textual."):
                return True
    return False


def _does_something(active: ActiveBinding) -> bool:
    """Is this a key of the screen or of the app that does something now? Those of widgets only move about in them."""
    binding = active.binding
    if not active.enabled or binding.system or not binding.description or not isinstance(active.node, Screen | App):
        return False
    return is_ours(active) and binding.action != "command_palette" and not binding.action.startswith("app.focus")


def _name(said: str, about: str) -> str:
    """The few words of a key and what is told of it, in one: the palette looks for words in names only."""
    if not about or about.lower().startswith(said.lower()):
        return _capital(about or said)
    return f"{_capital(said)}: {about[0].lower()}{about[1:]}"


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]
