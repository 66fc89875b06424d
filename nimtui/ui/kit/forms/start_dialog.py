"""Dialogs to start work: unfinished work, then presets, then a form. And a list of saved work."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, ClassVar, Generic, TypeVar, cast

from nimtui.games.notation import plural
from nimtui.ui.kit.contract import Preset
from nimtui.ui.kit.contract.command import Command
from nimtui.ui.kit.forms.choices import Choice, Choices
from nimtui.ui.kit.forms.dialogs import ListDialog
from nimtui.ui.kit.forms.draft import Setup
from nimtui.ui.kit.forms.form import SetupForm
from nimtui.ui.kit.forms.kept import KeptWork
from nimtui.ui.kit.widgets.page import closing

Answer = TypeVar("Answer")

FORM = "form"


class SavedList(ListDialog[Path | None], place="saved"):
    """Lists saved work, newest first."""

    INTRO = "Looking for files"
    KEPT: ClassVar[Callable[[], Sequence[KeptWork]]]  # finds the saved work; runs in a thread of its own
    NOUNS: ClassVar[tuple[str, str]]  # one of them, and several
    NONE: ClassVar[str]  # the text above an empty list
    ROWS = closing()

    def on_mount(self) -> None:
        kind = type(self)

        def show(saved: Sequence[KeptWork]) -> None:
            where = f"{plural(len(saved), *kind.NOUNS)} in {saved[0].path.parent}, newest first" if saved else kind.NONE
            self.say(where)
            choices = [Choice(str(one.path), one.title, one.detail) for one in saved]
            self.choice_list.show(choices, choices[0].value if choices else None)

        self.fetch("looking", lambda _: kind.KEPT(), show, self.say)

    def on_choices_taken(self, message: Choices.Taken) -> None:
        self.dismiss(Path(message.choice.value))


class StartDialog(ListDialog[Answer | Setup | None], Generic[Answer, Setup], place="new"):
    """Returns a setup, or an answer that resumes a file. Enter starts the marked choice, e edits it first."""

    OWN: ClassVar[str]  # what the form sets
    FORM: ClassVar[type[SetupForm[Any]]]  # edits a setup
    PRESETS: ClassVar[Sequence[Preset[Any]]]
    USUAL: ClassVar[Any]  # the form's setup if no preset is marked, and none was used before
    SAVED: ClassVar[type[SavedList] | None] = None  # the list of saved work
    GO_ON: ClassVar[int] = 0  # how many unfinished runs are offered at most
    RESUME: ClassVar[type[Any]] = Path  # makes the answer that resumes a file
    ROWS: ClassVar[tuple[Command[Any], ...]] = (
        Command("e,tab", "change", "Edit first", "", lambda dialog: dialog.edit_first()),
        *closing(),
    )

    def __init__(self, last: Setup | None = None) -> None:
        """`last`: the setup used before."""
        super().__init__()
        self._usual = last or self.USUAL

    def on_mount(self) -> None:
        if (saved := self.SAVED) is not None:
            self.fetch("looking", lambda _: saved.KEPT(), self._found)

    def choices(self, unfinished: Sequence[KeptWork] = ()) -> list[Choice]:
        again = [Choice(str(work.path), f"Resume: {work.title}", work.detail) for work in unfinished]
        own = Choice(FORM, "Your own settings …", self.OWN)
        return [*again, *(Choice(str(at), preset.title, preset.about) for at, preset in enumerate(self.PRESETS)), own]

    def _found(self, kept: Sequence[KeptWork]) -> None:
        """Show the unfinished work first and keep the marked choice."""
        unfinished = [one for one in kept if not one.finished][: self.GO_ON]
        choices = self.choice_list
        if unfinished:
            choices.show(self.choices(unfinished), choices.marked.value if choices.marked is not None else "0")

    def on_choices_taken(self, message: Choices.Taken) -> None:
        value = message.choice.value
        if value == FORM:
            self._ask(self._usual)
        elif value.isdigit():
            self.dismiss(self.PRESETS[int(value)].setup)
        else:
            self.dismiss(self.RESUME(Path(value)))

    def edit_first(self) -> None:
        value = marked.value if (marked := self.choice_list.marked) is not None else ""
        self._ask(self.PRESETS[int(value)].setup if value.isdigit() else self._usual)

    def ask_saved(self) -> None:
        """Show the list of saved work."""
        if self.SAVED is not None:
            self.app.push_screen(self.SAVED(), cast("Any", self.answered))

    def _ask(self, setup: Setup) -> None:
        self.app.push_screen(self.FORM(setup), self.answered)

    def answered(self, answer: Answer | Setup | None) -> None:
        """Return the answer of the form above this dialog."""
        if answer is not None:
            self.dismiss(answer)
