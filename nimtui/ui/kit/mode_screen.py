"""The screen of a mode: it shows what a conductor does, and takes what is typed into its prompt."""

from __future__ import annotations

from typing import Generic, TypeVar

from textual import events
from textual.binding import Binding

from nimtui.store.settings import Settings
from nimtui.ui.kit.conductor import Conductor
from nimtui.ui.kit.page import BREAKPOINTS, Live, Page
from nimtui.ui.kit.panel import Paint, Panel
from nimtui.ui.kit.shell import shell
from nimtui.ui.kit.typing_line import TypingLine

Of = TypeVar("Of", bound=Conductor)


class Typing(Page[None]):
    """A page with a line that is typed into while that is open. Enter is `action_typed`; Escape has a binding."""

    HORIZONTAL_BREAKPOINTS = BREAKPOINTS

    def __init__(self, starts: str = "") -> None:
        """`starts`: the signs that open the line by themselves."""
        super().__init__()
        self.typing = TypingLine(starts=starts)
        self._possible: tuple[bool | None, ...] = ()

    def typing_changed(self) -> None:
        """Show what is typed."""

    def action_typed(self) -> None:
        """Take what was typed, or say in place what is wrong with it."""

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

    # Drawing.

    def fill(self, name: str, paint: Paint) -> None:
        """Have the panel of this name show what the painter makes."""
        self.query_one(f"#{name}", Panel).fill(paint)

    def draw_footer(self) -> None:
        """Send the footer anew, if it says something else than before."""
        actions = [binding.action for binding in self.BINDINGS if isinstance(binding, Binding)]
        possible = tuple(self.check_action(action.partition("(")[0], ()) for action in actions)
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
