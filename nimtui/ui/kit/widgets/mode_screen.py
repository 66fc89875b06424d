"""The screen of a mode: it shows the work of a conductor and has a prompt to type into."""

from __future__ import annotations

from enum import Enum
from typing import ClassVar, Generic, TypeVar

from textual import events

from nimtui.errors import InputError
from nimtui.jobs.conductor import Conductor
from nimtui.store.settings import Settings
from nimtui.ui.kit.contract.command import Command, Possible
from nimtui.ui.kit.widgets.page import Live, Page
from nimtui.ui.kit.widgets.typing_line import TypingLine

Of = TypeVar("Of", bound=Conductor)
DIGITS = "0123456789"


def is_typing(screen: Typing) -> bool:
    """Return whether a prompt is open."""
    return screen.typing.open


def going_to(place: str) -> tuple[Command[Typing], ...]:
    """Return the keys of a prompt in which a person types a place, such as a node, to go to."""
    return (
        Command("enter", "typed", "go there", f"Go to the {place} you typed", when=is_typing),
        Command("escape", "untype", "cancel", "Discard what you typed", when=is_typing),
    )


EDITING = {"left", "right", "home", "end", "delete", "backspace"}  # keys that change the text of a prompt


class Typing(Page[None]):
    """A page with a prompt, in its last line. While it is open, Enter runs `action_typed`; Escape has a binding."""

    STARTS = ""  # characters that open the prompt by themselves
    TYPED: ClassVar[tuple[str, ...]] = ("typed", "untype")  # the actions on what is typed: no others while it is open

    def __init__(self) -> None:
        super().__init__()
        self.typing = TypingLine(starts=self.STARTS)
        self._possible: tuple[bool | None, ...] = ()

    def typing_changed(self) -> None:
        """Show what is typed."""
        self.draw_lines()

    def draw_lines(self) -> None:
        super().draw_lines()
        if self.typing.open and self.BELOW:
            self.fill([*self.BELOW][-1], self.typing.paint)
        self.draw_footer()

    def ask_for(self, asked: Enum, text: str = "") -> None:
        """Open the prompt for this; `text` is a proposal."""
        self.typing.begin(asked, text)
        self.typing_changed()

    def take(self, text: str) -> None:
        """Do what was typed. Raises InputError for invalid input."""

    def action_typed(self) -> None:
        """Do what was typed, or show its error in the prompt."""
        try:
            self.take(self.typing.text)
            self.typing.close()
        except InputError as fault:
            self.typing.fault = str(fault)
        self.typing_changed()

    def on_key(self, event: events.Key) -> None:
        """Put typed characters into the prompt. All other keys are bindings."""
        typing = self.typing
        if typing.leaves(event.key):
            self.typing_changed()  # and the key goes on to the board
        elif typing.open and event.key == "enter":
            event.stop()
            event.prevent_default()
            self.action_typed()
        elif event.key not in ("enter", "escape") and typing.takes(event.key, event.character):
            event.stop()
            event.prevent_default()
            self.typing_changed()

    def check_consume_key(self, key: str, character: str | None) -> bool:
        """Return whether an open prompt takes the key: the app's binding of it does not apply then."""
        return self.typing.open and (key in EDITING or (character is not None and character.isprintable()))

    def on_paste(self, event: events.Paste) -> None:
        if self.typing.open:
            self.typing.add(event.text)
            self.typing_changed()

    def action_untype(self) -> None:
        self.typing.close()
        self.typing_changed()

    # What can be done now.

    def allowed(self, action: str, parameters: tuple[object, ...]) -> Possible:
        """Allow only the prompt's actions while the prompt is open."""
        if (action, ()) not in self._commands:
            return True
        return self.typing.open == (action in self.TYPED) and super().allowed(action, parameters)

    def draw_footer(self) -> None:
        """Redraw the footer if its content has changed, the tour's sentence with the screen that it is about."""
        if self.shell.guide is not None:
            self.shell.show_tour()
        possible = tuple(self.check_action(action, parameters) for action, parameters in self._commands)
        if possible != self._possible:
            self._possible = possible
            self.refresh_bindings()


class ModeScreen(Typing, Live[None], Generic[Of]):
    """Draws its conductor a few times a second while shown, and whenever the conductor reports a change."""

    CONDUCTOR: type[Of]

    @property
    def conductor(self) -> Of:
        return self.shell.conductor(self.CONDUCTOR)

    def on_mount(self) -> None:
        self.conductor.changed = self.draw

    def on_unmount(self) -> None:
        self.conductor.changed = lambda: None

    def on_resize(self, event: events.Resize) -> None:
        self.call_after_refresh(self.draw)  # what a screen shows, and where, may depend on the room

    def settings_changed(self, settings: Settings) -> None:
        """Draw again with the new signs and at the new pace."""
        if self._ticker is not None:
            Live.on_screen_resume(self)
        super().settings_changed(settings)
