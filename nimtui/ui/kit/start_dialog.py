"""Dialogs to start work: unfinished work, then presets, then a form. And a list of saved work."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar, Generic, TypeVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Static

from nimtui.jobs import Job
from nimtui.ui.kit.choices import Choice, Choices
from nimtui.ui.kit.draft import Setup
from nimtui.ui.kit.footer import Footer
from nimtui.ui.kit.form import Form
from nimtui.ui.kit.kept import KeptWork
from nimtui.ui.kit.page import Framed
from nimtui.ui.kit.preset import Preset
from nimtui.ui.kit.shell import shell

Answer = TypeVar("Answer")

FORM = "form"


class StartDialog(Framed[Answer | Setup | None], Generic[Answer, Setup]):
    """Returns a setup, or an answer that resumes a file. Enter starts the marked choice, e edits it first."""

    INTRO: ClassVar[str]
    OWN: ClassVar[str]  # what the form sets
    GO_ON: ClassVar[int] = 0  # how many unfinished runs are offered at most
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("e,tab", "change", "Edit first"),
        Binding("escape,backspace", "dismiss(None)", "Back"),
        Binding("f1,question_mark", "app.help", "Help"),
    ]

    def __init__(self, presets: Sequence[Preset[Setup]], usual: Setup) -> None:
        """`usual`: the form's values if no preset is marked."""
        super().__init__()
        self._presets = presets
        self._usual = usual

    def form(self, setup: Setup) -> Form[Setup]:
        """Return the form that edits a setup."""
        raise NotImplementedError

    def kept(self) -> Sequence[KeptWork]:
        """Return the saved work, newest first. Runs in a thread of its own."""
        return ()

    def going_on(self, path: Path) -> Answer:
        """Return the answer that resumes this file."""
        raise NotImplementedError

    def compose(self) -> ComposeResult:
        with Vertical(id="form") as form:
            form.border_title = self.BINDING_GROUP_TITLE
            yield Static(self.INTRO, id="intro", markup=False)
            yield Choices(self._choices(()))
        yield Footer(palette=False)

    def on_mount(self) -> None:
        self.query_one(Choices).focus()

        if self.GO_ON:
            self.fetch("looking", lambda _: self.kept(), lambda job: self._found(job.result or ()))

    def _choices(self, unfinished: Sequence[KeptWork]) -> list[Choice]:
        again = [Choice(str(kept.path), f"Resume: {kept.title}", kept.detail) for kept in unfinished]
        own = Choice(FORM, "Your own settings …", self.OWN)
        return [*again, *(Choice(str(at), preset.title, preset.about) for at, preset in enumerate(self._presets)), own]

    def _found(self, kept: Sequence[KeptWork]) -> None:
        """Show the unfinished work first and keep the marked choice."""
        unfinished = [one for one in kept if not one.finished][: self.GO_ON]
        choices = self.query_one(Choices)
        if unfinished:
            choices.show(self._choices(unfinished), choices.marked.value if choices.marked is not None else "0")

    def on_choices_taken(self, message: Choices.Taken) -> None:
        value = message.choice.value
        if value == FORM:
            self._ask(self._usual)
        elif value.isdigit():
            self.dismiss(self._presets[int(value)].setup)
        else:
            self.dismiss(self.going_on(Path(value)))

    def action_change(self) -> None:
        marked = self.query_one(Choices).marked
        preset = marked is not None and marked.value.isdigit()
        self._ask(self._presets[int(marked.value)].setup if preset and marked else self._usual)

    def _ask(self, setup: Setup) -> None:
        self.app.push_screen(self.form(setup), self.answered)

    def answered(self, answer: Answer | Setup | None) -> None:
        """Return the answer of the form above this dialog."""
        if answer is not None:
            self.dismiss(answer)


class SavedList(Framed[Path | None]):
    """Lists saved work, newest first."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,backspace", "dismiss(None)", "Back"),
        Binding("f1,question_mark", "app.help", "Help"),
    ]

    def look(self) -> tuple[Sequence[KeptWork], str]:
        """Return the saved work and a text above the list. Runs in a thread of its own."""
        raise NotImplementedError

    def compose(self) -> ComposeResult:
        with Vertical(id="form") as form:
            form.border_title = self.BINDING_GROUP_TITLE
            yield Static("Looking for files", id="intro", markup=False)
            yield Choices()
        yield Footer(palette=False)

    def on_mount(self) -> None:
        self.query_one(Choices).focus()

        def found(job: Job[tuple[Sequence[KeptWork], str]]) -> None:
            self._found(*(job.result or ((), str(job.error or ""))))

        self.fetch("looking", lambda _: self.look(), found)

    def _found(self, kept: Sequence[KeptWork], about: str) -> None:
        self.query_one("#intro", Static).update(shell(self).glyphs.plain(about))
        shown = [Choice(str(one.path), one.title, one.detail) for one in kept]
        self.query_one(Choices).show(shown, shown[0].value if shown else None)

    def on_choices_taken(self, message: Choices.Taken) -> None:
        self.dismiss(Path(message.choice.value))
