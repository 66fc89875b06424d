"""The help dialog: it explains a screen and lists its keys."""

from __future__ import annotations

import re
from dataclasses import replace
from inspect import cleandoc
from typing import Any, ClassVar

from rich.cells import cell_len
from rich.console import Group, RenderableType
from rich.table import Column, Table
from rich.text import Text
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.keys import key_to_character
from textual.screen import Screen
from textual.widgets import Static

from nimtui.glossary import TERMS
from nimtui.ui.kit.contract import keymap
from nimtui.ui.kit.contract.command import Command, family
from nimtui.ui.kit.contract.shell import shell
from nimtui.ui.kit.contract.stack import Answering
from nimtui.ui.kit.widgets.bars import Footer
from nimtui.ui.kit.widgets.page import Dialog
from nimtui.ui.kit.widgets.panel import Panel

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
