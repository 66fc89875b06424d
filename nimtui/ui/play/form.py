"""The form of a new game: what people choose, then the same game as a command."""

from __future__ import annotations

from typing import ClassVar

from textual.events import Resize

from nimtui.ui.kit.command import Command, family
from nimtui.ui.kit.field import Field, FieldInput
from nimtui.ui.kit.form import Form
from nimtui.ui.kit.page import NARROW
from nimtui.ui.kit.shell import shell
from nimtui.ui.kit.wrapped import WrappedField
from nimtui.ui.play.fields import PlayDraft
from nimtui.ui.play.setup import PlaySetup

EDIT = "Edit the game as a command"


class PickInput(FieldInput, place="pick"):
    """A value of a list. The arrow keys change it; typing searches the list."""

    ROWS = family("step", FieldInput.step, ("left", "Previous value", "", -1), ("right", "Next value", "", 1))


class PickField(Field):
    """A field of a form with values to choose from."""

    INPUT = PickInput

    def put(self, text: str) -> None:
        super().put(shell(self).glyphs.plain(text))


class NewGame(Form[PlaySetup], place="new-game"):
    """Returns the game to start, or None if the person cancels."""

    BESIDE = (PickInput,)
    HELP = """Change a value with the arrow keys, or type a part of its name. Tab goes to the next field. \
Press Enter in any field to start.

A field also takes a value as text: nim:3,5,4 as the game, 3,5,4 as the size, mc:playouts=500 as the strength.

The command below starts the same game in a shell, and shows every choice as text. Edit it to set a position, any \
agent with its options, or the seed: the fields above follow. The same seed repeats all random choices."""
    BINDING_GROUP_TITLE = "New game"
    HINT = (2, 4)
    SPARE = ("swap",)
    ROWS: ClassVar[tuple[Command[NewGame], ...]] = (
        Command("ctrl+t", "swap", "Swap", "Swap the players", lambda form: form.take(form._draft.swapped())),
        Command("ctrl+l", "command", "Command", EDIT, lambda form: form.field("command").input.focus()),
    )
    _draft: PlayDraft

    def __init__(self, setup: PlaySetup, field: str = "game", last_seed: int | None = None) -> None:
        super().__init__(PlayDraft.of(setup, last_seed), field)

    def on_resize(self, event: Resize) -> None:
        self.set_class(event.size.width < NARROW, "-narrow")

    def kind_of(self, name: str) -> type[Field]:
        return {"command": WrappedField, "position": Field}.get(name, PickField)
