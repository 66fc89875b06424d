"""Dialogs: a list with a text above it, a question, and the name of an export, which never replaces a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from textwrap import wrap
from typing import ClassVar, Literal, TypeAlias, TypeVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Input, Static

from nimtui.errors import InputError
from nimtui.foreign.paths import new_file
from nimtui.ui.kit.choices import Choice, Choices
from nimtui.ui.kit.field import Field
from nimtui.ui.kit.footer import Footer
from nimtui.ui.kit.page import Dialog, Framed

Answer = TypeVar("Answer")


class ListDialog(Framed[Answer]):
    """Shows choices; the list has the focus."""

    INTRO: ClassVar[str | None] = None  # the text above the list; None: there is none

    def choices(self) -> Sequence[Choice]:
        """Return what the list shows at first."""
        return ()

    @property
    def choice_list(self) -> Choices:
        return self.query_one(Choices)

    def compose(self) -> ComposeResult:
        with Vertical(id="form") as form:
            form.border_title = self.BINDING_GROUP_TITLE
            if self.INTRO is not None:
                yield Static(self.INTRO, id="intro", markup=False)
            yield Choices(self.choices())
        yield Footer(palette=False)

    def on_mount(self) -> None:
        self.choice_list.focus()

    def say(self, text: str) -> None:
        """Show this text above the list."""
        self.query_one("#intro", Static).update(self.shell.glyphs.plain(text))


LINE = 54  # characters that fit in the smallest terminal


class Question(Dialog[Answer]):
    """A question of two or three lines, and below it the keys that answer it."""

    def __init__(self, why: str, question: str, answers: str) -> None:
        """Ask `question` after `why`, which says what would be lost."""
        super().__init__()
        asked = f"{why} {question}"
        lines = [asked] if len(asked) <= LINE else [*wrap(why, LINE), question]
        self.text = "\n".join([*lines, "", answers])

    def compose(self) -> ComposeResult:
        yield Static(self.shell.glyphs.plain(self.text), id="ask", markup=False)


class Confirm(Question[bool]):
    """Returns True if the person confirms."""

    BINDING_GROUP_TITLE = "Sure?"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,y", "dismiss(True)", "do it"),
        Binding("escape,n,backspace", "dismiss(False)", "back"),
    ]

    def __init__(self, why: str, question: str) -> None:
        super().__init__(why, question, "⏎ do it    esc back")


class ExportForm(Framed[Path | None]):
    """Returns the path, or None if the person cancels."""

    HELP: ClassVar[str] = "The extension sets the content and the format. Existing files are never overwritten."
    EXAMPLE = "sweep.csv"  # shown in the empty field
    BINDING_GROUP_TITLE = "Export"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss(None)", "Back"),
        Binding("f1,question_mark", "app.help", "Help"),
    ]

    def __init__(self, names: Mapping[str, str]) -> None:
        """`names` maps offered names to their content; only their extensions are allowed."""
        super().__init__()
        self._names = dict(names)

    def _parse(self, text: str) -> Path:
        """Return the new file of this name. Raises InputError if the name is invalid, or the file exists."""
        return new_file(text, sorted({Path(name).suffix for name in self._names if name}))

    def compose(self) -> ComposeResult:
        first = next(iter(self._names))
        with Vertical(id="form") as form:
            form.border_title = "Export"
            right, text = self._finding(first)
            yield Field("file", "File", first, self.EXAMPLE, right=right, said=text)
            yield Static(self.shell.glyphs.plain(self.HELP), id="hint", markup=False)
            yield Choices([Choice(name, name, about) for name, about in self._names.items()], focusable=False)
        yield Footer(palette=False)

    def on_mount(self) -> None:
        self.query_one(Field).input.focus()

    def _finding(self, text: str) -> tuple[bool, str]:
        try:
            path = self._parse(text)
        except InputError as fault:
            return False, str(fault)
        return True, f"in {path.parent}"

    def _say(self) -> None:
        field = self.query_one(Field)
        right, text = self._finding(field.text)
        field.say(right, text)
        hint = self.query_one("#hint", Static)
        hint.set_class(not right, "-wrong")
        hint.update(self.shell.glyphs.plain(self.HELP if right else text), layout=False)
        self.query_one(Choices).mark(field.text)

    def on_field_changed(self, message: Field.Changed) -> None:
        message.field.hear()
        self._say()

    def on_field_stepped(self, message: Field.Stepped) -> None:
        self.query_one(Choices).move(message.by)

    def on_choices_marked(self, message: Choices.Marked) -> None:
        self.query_one(Field).put(message.choice.value)
        self._say()

    def on_input_submitted(self, message: Input.Submitted) -> None:
        try:
            self.dismiss(self._parse(self.query_one(Field).text))
        except InputError:
            self._say()


Leaving: TypeAlias = Literal["quit", "save"]


class QuitScreen(Question[Leaving]):
    """Returns how to quit, or None to stay. q answers too: pressed twice, it saves what can be saved and quits."""

    BINDING_GROUP_TITLE = "Quit?"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,y", "dismiss('quit')", "quit"),
        Binding("q", "again", "save what can be saved and quit", show=False),
        Binding("s", "dismiss('save')", "save and quit"),
        Binding("escape,n,backspace", "dismiss(None)", "stay"),
    ]

    def __init__(self, why: str, *, saves: bool = False) -> None:
        """`saves`: whether the person can save the work first."""
        super().__init__(why, "Quit?", f"⏎ quit    {'s save and quit    ' if saves else ''}esc stay")
        self._saves = saves

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return self._saves or parameters != ("save",)

    def action_again(self) -> None:
        self.dismiss("save" if self._saves else "quit")
