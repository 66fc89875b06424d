"""Dialogs: a list with a text above it, a question, the name of an export, which never replaces a file; and those that
start work: unfinished work, then presets, then a form; and a list of saved work.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from textwrap import wrap
from typing import Any, ClassVar, Generic, Literal, TypeAlias, TypeVar, cast

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Static

from nimtui.foreign.reading import new_file
from nimtui.ui.kit.contract import Preset
from nimtui.ui.kit.contract.command import Command
from nimtui.ui.kit.forms.choices import Choice, Choices
from nimtui.ui.kit.forms.draft import Draft, Field, Setup
from nimtui.ui.kit.forms.form import Form, SetupForm
from nimtui.ui.kit.forms.kept import KeptWork
from nimtui.ui.kit.widgets.bars import Footer
from nimtui.ui.kit.widgets.page import Dialog, Framed, closing

Answer = TypeVar("Answer")


class ListDialog(Framed[Answer]):
    """Shows choices; the list has the focus."""

    BESIDE = (Choices,)
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
        yield Footer()

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
        text = f"{why} {question}"
        lines = [text] if len(text) <= LINE else [*wrap(why, LINE), question]
        self.text = "\n".join([*lines, "", answers])

    def compose(self) -> ComposeResult:
        yield Static(self.shell.glyphs.plain(self.text), id="ask", markup=False)


class Confirm(Question[bool], place="sure"):
    """Returns True if the person confirms."""

    BINDING_GROUP_TITLE = "Sure?"
    ROWS: ClassVar[tuple[Command[Any], ...]] = (
        Command("enter,y", "dismiss(True)", "do it"),
        Command("escape,n,backspace", "dismiss(False)", "back"),
    )

    def __init__(self, why: str, question: str) -> None:
        super().__init__(why, question, "⏎ do it    esc back")


@dataclass(frozen=True)
class ExportDraft(Draft[Path]):
    """The name of a new file."""

    field: Field[Path]

    @property
    def entries(self) -> Sequence[Field[Path]]:
        return (self.field,)

    def setup(self) -> Path:
        """Return the new file of this name. Raises InputError if the name is invalid, or the file exists."""
        file: Path = self.value("file")
        return file


class ExportForm(Form[Path], inherit_bindings=False, place="export"):
    """Returns the path, or None if the person cancels."""

    HELP: ClassVar[str] = "The extension sets the content and the format. Existing files are never overwritten."
    BINDING_GROUP_TITLE = "Export"
    ROWS = closing("escape")

    def __init__(self, names: Mapping[str, str]) -> None:
        """`names` maps offered names to their content; only their extensions are allowed."""
        offers = [Choice(name, name, about) for name, about in names.items()]
        endings = sorted({Path(name).suffix for name in names if name})

        def read(draft: ExportDraft, text: str) -> Path:
            return new_file(text, endings)

        first = next(iter(names))
        field = Field("file", "File", read, lambda draft, path: f"in {path.parent}", self.HELP, offers, first)
        super().__init__(ExportDraft({"file": first}, field))


CONTINUES = "Quit, and continue the running work in the background"
Leaving: TypeAlias = Literal["quit", "save", "background"]


class QuitScreen(Question[Leaving], place="quit"):
    """Returns how to quit, or None to stay. q answers too: pressed twice, it saves what can be saved and quits."""

    BINDING_GROUP_TITLE = "Quit?"

    def __init__(self, why: str, *, saves: bool = False, continues: bool = False) -> None:
        """`saves`: whether the person can save the work first; `continues`: whether it can outlive the app."""
        more = ["s save and quit"] * saves + ["b in the background"] * continues
        super().__init__(why, "Quit?", ("  " if len(more) > 1 else "    ").join(("⏎ quit", *more, "esc stay")))
        self._saves, self._continues = saves, continues

    def again(self) -> None:
        self.dismiss("save" if self._saves else "quit")

    ROWS: ClassVar[tuple[Command[QuitScreen], ...]] = (
        Command("enter,y", "dismiss('quit')", "quit"),
        Command("q", "again", "save what can be saved and quit", "", again, show=False),
        Command("s", "dismiss('save')", "save and quit", when=lambda screen: screen._saves),
        Command("b", "dismiss('background')", "in the background", CONTINUES, when=lambda screen: screen._continues),
        Command("escape,n,backspace", "dismiss(None)", "stay"),
    )


FORM = "form"


class SavedList(ListDialog[Path | None], place="saved"):
    """Lists saved work, newest first."""

    INTRO = "Looking for files"
    KEPT: ClassVar[Callable[[], Sequence[KeptWork]]]  # finds the saved work; runs in a thread of its own
    NOUNS: ClassVar[tuple[str, str]]  # one of them, and several
    NONE: ClassVar[str]  # the text above an empty list
    ROWS = closing()

    def on_mount(self) -> None:
        from nimtui.games.notation import plural  # with NumPy: not for the start screen

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
