"""The screen of a mode: it shows what a conductor does, and takes what is typed into its prompt."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Generic, TypeVar

from textual import events
from textual.binding import Binding, BindingType

from nimtui.errors import InputError
from nimtui.store.settings import Settings
from nimtui.ui.kit.conductor import Conductor
from nimtui.ui.kit.page import BREAKPOINTS, Live, Page
from nimtui.ui.kit.panel import Panels
from nimtui.ui.kit.shell import shell
from nimtui.ui.kit.typing_line import TypingLine

Of = TypeVar("Of", bound=Conductor)
TYPED = ("typed", "untype")  # what can be done with what is typed


def actions(bindings: Iterable[BindingType]) -> frozenset[str]:
    """The names of what these keys do."""
    return frozenset(binding.action.partition("(")[0] for binding in bindings if isinstance(binding, Binding))


class Typing(Page[None], Panels):
    """A page with a line that is typed into while that is open. Enter is `action_typed`; Escape has a binding."""

    HORIZONTAL_BREAKPOINTS = BREAKPOINTS

    def __init__(self, starts: str = "") -> None:
        """`starts`: the signs that open the line by themselves."""
        super().__init__()
        self.typing = TypingLine(starts=starts)
        self._own = actions(self.BINDINGS)
        self._possible: tuple[bool | None, ...] = ()

    def typing_changed(self) -> None:
        """Show what is typed."""

    def take(self, text: str) -> None:
        """Do what was typed. InputError where something is wrong with it."""

    def action_typed(self) -> None:
        """Take what was typed, or say in place what is wrong with it."""
        try:
            self.take(self.typing.text)
            self.typing.close()
        except InputError as fault:
            self.typing.fault = str(fault)
        self.typing_changed()

    def on_key(self, event: events.Key) -> None:
        """What is typed. All other keys are bindings."""
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

    def on_paste(self, event: events.Paste) -> None:
        if self.typing.open:
            self.typing.add(event.text)
            self.typing_changed()

    def action_untype(self) -> None:
        self.typing.close()
        self.typing_changed()

    # What can be done now.

    @property
    def typed(self) -> Collection[str]:
        """What can be done while the line is open."""
        return TYPED

    def possible(self, action: str) -> bool | None:
        """True: can be done; None: not now (dimmed); False: makes no sense here (left out)."""
        return True

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """While the line is open only what is typed into it can be done."""
        if action not in self._own:
            return True
        if self.typing.open:
            return action in self.typed
        return action not in TYPED and self.possible(action)

    def draw_footer(self) -> None:
        """Redraw the footer if its content has changed."""
        possible = tuple(self.check_action(action, ()) for action in self._own)
        if possible != self._possible:
            self._possible = possible
            self.refresh_bindings()


class ModeScreen(Typing, Live[None], Generic[Of]):
    """Looks at its conductor a few times a second while it is shown, and draws whenever that says so."""

    CONDUCTOR: type[Of]

    @property
    def conductor(self) -> Of:
        return shell(self).conductor(self.CONDUCTOR)

    def draw(self) -> None:
        """Show all of it, as it is now."""
        raise NotImplementedError

    def on_mount(self) -> None:
        shell(self).settings_changed.subscribe(self, self.settings_changed)
        self.conductor.changed = self.draw

    def on_unmount(self) -> None:
        self.conductor.changed = lambda: None

    def on_screen_resume(self) -> None:
        self.draw()

    def settings_changed(self, settings: Settings) -> None:
        """The signs or the pace of looking may be others."""
        self.look_as_often_as_set()
        self.draw()
