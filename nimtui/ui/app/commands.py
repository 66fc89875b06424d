"""Make the commands of the palette."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Protocol

from textual.app import App
from textual.binding import ActiveBinding
from textual.command import DiscoveryHit, Hit, Hits
from textual.dom import DOMNode
from textual.screen import ModalScreen, Screen
from textual.system_commands import SystemCommandsProvider

from nimtui.playing.setup import presets, usual_setup
from nimtui.ui.app import modes
from nimtui.ui.kit.contract import keymap
from nimtui.ui.kit.contract.shell import Shell

QUIT = {"quit", "app.quit"}  # actions
BONUS = 1000.0  # above every score of Textual's matcher
Command = tuple[str, str, Callable[[], Any]]  # its name, what it does, the action


class CommandTarget(Shell, Protocol):
    """The app as its commands see it."""

    def run_action(self, action: str, default_namespace: DOMNode) -> Any: ...
    def action_quit(self) -> Any: ...
    def action_change_theme(self) -> None: ...
    def action_runs(self) -> None: ...
    def redraw(self) -> None: ...


def commands(app: CommandTarget, screen: Screen[Any]) -> Iterator[Command]:
    """Yield the commands of a screen: its keys and what has no key. A dialog has no commands that leave it."""
    done: set[str] = set()  # the actions, and the names: two keys may lead to one screen
    for active in sorted(screen.active_bindings.values(), key=_far):
        binding, node = active.binding, active.node
        name = _name(binding.description, binding.tooltip)
        if not _does_something(active) or done & {binding.action, name}:
            continue
        done |= {binding.action, name}
        key = app.get_key_display(binding)
        yield name, f"key {key}", partial(app.run_action, binding.action, node)
    if not done & QUIT:
        yield "Quit nimtui", "key q", app.action_quit
    yield "Theme", "Choose the colours", app.action_change_theme
    yield "Redraw the screen", "Send the whole screen again (^l)", app.redraw
    if isinstance(screen, ModalScreen):
        return
    if not done & {"new", "app.new_game"}:
        yield "New game", "Choose the game and its players", app.action_new_game
    yield "Runs", "All runs, three of them side by side", app.action_runs
    for title, game in presets():
        yield f"Play {title}", game, partial(app.play, usual_setup(game))  # against the default opponent
    for mode in modes.MODES:
        if not mode.key:  # a mode with a key is found by that key
            about = f"{mode.title}: {mode.about[0].lower()}{mode.about[1:]}"
            letter = keymap.current(f"start.{mode.name}", (mode.letter,))[0]
            yield about, f"key {letter} on the start screen", partial(app.action_mode, mode.name)
        for preset in modes.presets_of(mode):
            yield f"{mode.title}: {preset.title}", preset.about, partial(app.begin, mode.name, preset.setup)


def _far(active: ActiveBinding) -> tuple[bool, bool, bool]:
    """Return how far a key is from what the screen shows: its own keys first, of those the footer's; to quit last."""
    return active.binding.action in QUIT, isinstance(active.node, App), not active.binding.show


class CommandsInOrder(SystemCommandsProvider):
    """Offers the commands in the order of `commands`; once something is typed, those first whose name starts so."""

    async def discover(self) -> Hits:
        for name, about, act, offered in self.app.get_system_commands(self.screen):
            if offered:
                yield DiscoveryHit(name, act, help=about)

    async def search(self, query: str) -> Hits:
        matcher = self.matcher(query)
        for name, about, act, _ in self.app.get_system_commands(self.screen):
            if (score := matcher.match(name)) > 0:
                yield Hit(score + _start_bonus(name, query), matcher.highlight(name), act, help=about)


def _start_bonus(name: str, query: str) -> float:
    """Return what a name gains for starting with the query, or for a word that does: more than any loose match has."""
    typed = re.escape(query)
    kinds = (rf"{typed}\b", typed, rf".*\b{typed}")  # the best first
    ranks = [rank for rank, kind in enumerate(reversed(kinds), 1) if re.match(kind, name, re.IGNORECASE)]
    return BONUS * max(ranks, default=0)


def _does_something(active: ActiveBinding) -> bool:
    """Return whether a key of the screen or the app has an effect now. Keys of widgets only navigate."""
    binding = active.binding
    if not active.enabled or binding.system or not binding.description or not isinstance(active.node, Screen | App):
        return False
    ours = bool(binding.id)  # Textual binds many keys for editing, which every terminal has
    return ours and binding.action != "command_palette" and not binding.action.startswith("app.focus")


def _name(said: str, about: str) -> str:
    """Return a key's label and its tooltip in one name: the palette searches only names."""
    if about and not about.lower().startswith(said.lower()):
        about = f"{said}: {about[0].lower()}{about[1:]}"
    name = about or said
    return name[0].upper() + name[1:]
