"""What can be done on a screen: the commands of the palette, and the help, which explains it and lists its keys."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from inspect import cleandoc
from typing import Any, ClassVar, Protocol

from rich.cells import cell_len
from rich.console import Group, RenderableType
from rich.table import Column, Table
from rich.text import Text
from textual.app import App, ComposeResult
from textual.binding import ActiveBinding
from textual.command import DiscoveryHit, Hit, Hits
from textual.containers import VerticalScroll
from textual.dom import DOMNode
from textual.keys import key_to_character
from textual.screen import ModalScreen, Screen
from textual.system_commands import SystemCommandsProvider
from textual.widgets import Static

from nimtui.glossary import TERMS
from nimtui.playing.setup import presets, usual_setup
from nimtui.ui.app import modes
from nimtui.ui.kit.contract import keymap
from nimtui.ui.kit.contract.command import Command, family
from nimtui.ui.kit.contract.shell import Shell, shell
from nimtui.ui.kit.contract.stack import Answering
from nimtui.ui.kit.widgets.bars import Footer
from nimtui.ui.kit.widgets.page import Dialog
from nimtui.ui.kit.widgets.panel import Panel

QUIT = {"quit", "app.quit"}  # actions
BONUS = 1000.0  # above every score of Textual's matcher
Offer = tuple[str, str, Callable[[], Any]]  # its name, what it does, the action


class CommandTarget(Shell, Protocol):
    """The app as its commands see it."""

    def run_action(self, action: str, default_namespace: DOMNode) -> Any: ...
    def action_quit(self) -> Any: ...
    def action_change_theme(self) -> None: ...
    def action_runs(self) -> None: ...
    def redraw(self) -> None: ...


def commands(app: CommandTarget, screen: Screen[Any]) -> Iterator[Offer]:
    """Yield the commands of a screen: its keys and what has no key. A dialog has no commands that leave it."""
    done: set[str] = set()  # the actions, and the names: two keys may lead to one screen
    for active in sorted(screen.active_bindings.values(), key=_far):
        binding, node = active.binding, active.node
        name = _name(binding.description, binding.tooltip)
        if not _does_something(active) or done & {binding.action, name}:
            continue
        done |= {binding.action, name}
        yield name, f"key {app.get_key_display(binding)}", partial(app.run_action, binding.action, node)
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


OWN_KEYS = "You have chosen keys of your own. The text above names the default ones, the list below yours."
MARKDOWN = re.compile(r"^#+ *|\*\*|`", re.MULTILINE)  # what marks headings, bold words and code
CUT = "Cut off on this screen:"
Keys = list[tuple[str, list[tuple[str, str]]]]  # title of a group; its keys and what each does


def key_groups(screen: Screen[Any]) -> Keys:
    """Return the keys that work on this screen now, grouped by listener; one line per action.

    A key of the app for what keys of the screen do stands with these.
    """
    app, of_screen = shell(screen), dict[str, list[str]]()
    groups: dict[str, dict[tuple[str, str], list[str]]] = {}
    for active in screen.active_bindings.values():
        binding = active.binding
        about = active.tooltip or binding.tooltip or binding.description
        typed = screen.check_consume_key(binding.key, key_to_character(binding.key))  # into a prompt
        if not about or binding.system or typed or not binding.id:  # without an id it is Textual's, for editing
            continue
        lines = groups.setdefault(active.node.BINDING_GROUP_TITLE or "", {})
        key = app.get_key_display(replace(binding, key_display=None))  # the footer shows one key for all of them
        keys = lines.setdefault((binding.action.partition("(")[0], about), [])
        if active.node is screen:
            of_screen[about] = keys
        elif active.node is screen.app and about in of_screen:
            keys = of_screen[about]
        if key not in keys:
            keys.append(key)
    return [
        (title, [(" ".join(keys), about) for (_, about), keys in lines.items() if keys])
        for title, lines in groups.items()
    ]


def cut_off(about: Screen[Any]) -> list[str]:
    """Return whole what a screen cuts for want of room, under a heading, or nothing."""
    wholes = [text for panel in about.query(Panel) if panel.display for text in panel.cut_off()]
    return ["\n".join([CUT, *dict.fromkeys(f"  {text}" for text in wholes)])] if wholes else []


class HelpScreen(Dialog[None], place="help"):
    """Shows the help of a screen, or the glossary; common keys close it."""

    def __init__(self, about: Answering[Any]) -> None:
        super().__init__()
        self._title = ": ".join(filter(None, ("Help", about.BINDING_GROUP_TITLE)))
        self._keys = key_groups(about)
        note = OWN_KEYS if keymap.changed() else ""
        self._words = "\n\n".join(filter(None, (*cut_off(about), about.rules, cleandoc(about.HELP or ""), note)))
        self._explaining = False  # whether the glossary is shown

    def compose(self) -> ComposeResult:
        with VerticalScroll(id="page", can_focus=False) as page:
            page.border_title = self._title
            yield Static(self._told(), id="words", markup=False)
            yield Static(self._table(), id="keys", markup=False)
        yield Footer(palette=False)

    def _told(self) -> Text:
        """Return the help of the screen, or the glossary."""
        signs = shell(self).glyphs
        if not self._explaining:
            return Text(signs.plain(MARKDOWN.sub("", self._words)).strip())
        text = Text()
        for term in TERMS:
            text.append(signs.plain(f"{term.heading}\n"), "bold")
            text.append(signs.plain(f"{term.meaning}\n\n"))
        text.rstrip()
        return text

    def _table(self) -> Group:
        """Return the keys as a table, what each does beside it."""
        signs, blocks = shell(self).glyphs, list[RenderableType]()
        key_look = self.get_component_rich_style("ink--key", partial=True)
        widest = max((cell_len(keys) for _, lines in self._keys for keys, _ in lines), default=0)
        for title, lines in self._keys:
            table = Table.grid(Column(style=key_look, width=widest + 2), Column(), padding=(0, 3, 0, 0))
            for keys, about in lines:
                table.add_row(Text(f"  {keys}"), Text(signs.plain(about)))
            blocks += [*([""] if blocks else []), *([Text(title, "bold")] if title else []), table]
        return Group(*blocks)

    def notify_style_update(self) -> None:
        """Draw the keys in the colour of a new theme."""
        super().notify_style_update()
        self.call_after_refresh(self._color_keys)

    def _color_keys(self) -> None:
        for keys in self.query("#keys").results(Static):
            keys.update(self._table())

    def turn_glossary(self) -> None:
        self._explaining = not self._explaining
        page = self.query_one("#page", VerticalScroll)
        page.border_title = "Glossary" if self._explaining else self._title
        page.scroll_home(animate=False)
        self.query_one("#words", Static).update(self._told())
        self.query_one("#keys").display = not self._explaining

    def scroll_lines(self, by: int) -> None:
        self.query_one("#page").scroll_relative(y=by, animate=False)

    def scroll_pages(self, by: int) -> None:
        self.scroll_lines(by * max(1, self.query_one("#page").size.height - 1))

    ROWS: ClassVar[tuple[Command[HelpScreen], ...]] = (
        Command("escape,f1,question_mark,q,enter,backspace", "dismiss(None)", "Back"),
        Command("down,j", "scroll(1)", "Scroll", "", lambda screen: screen.scroll_lines(1), display="↑↓"),
        *family("scroll", scroll_lines, ("up,k", "Scroll", "", -1)),
        *family("page", scroll_pages, ("pagedown,space", "Page", "", 1), ("pageup", "Page", "", -1)),
        Command("g", "glossary", "Glossary", "Explain the terms, or return to the help", turn_glossary),
    )
