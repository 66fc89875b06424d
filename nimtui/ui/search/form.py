"""What shall be searched: a list of searches that show something, or a form; and where to write what was found."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar, Never

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Input, Static

from nimtui.errors import InputError
from nimtui.ui.kit.beginning import Beginning
from nimtui.ui.kit.choices import Choice, Choices
from nimtui.ui.kit.field import Field
from nimtui.ui.kit.footer import Footer
from nimtui.ui.kit.form import Form
from nimtui.ui.kit.page import Framed
from nimtui.ui.search.conductor import SearchConductor
from nimtui.ui.search.draft import SearchDraft
from nimtui.ui.search.files import parse_target, suggested
from nimtui.ui.search.setup import PRESETS, SearchSetup

FILE_HINT = "The end of the name says how it is written. A file that is there already is never replaced."


class SearchChoice(Beginning[Never, SearchSetup]):
    """The searches that are offered."""

    BINDING_GROUP_TITLE = "New search"
    HELP = "Enter begins the marked search at once. With e its settings can be changed first."
    INTRO = "A search looks ahead from one position.\nWalk through its tree, and see why it leaves moves out:"
    OWN = "any game and position"

    def __init__(self, last: SearchSetup | None = None) -> None:
        super().__init__(PRESETS, last or SearchSetup())

    def form(self, setup: SearchSetup) -> SearchForm:
        return SearchForm(setup)


class SearchForm(Form[SearchSetup]):
    """The settings of a search, each in a field of its own and checked as it is typed."""

    HELP = "Type into a field, or choose with the up and down keys. The fields below the algorithm are its own options."
    BINDING_GROUP_TITLE = "Settings of a search"

    def __init__(self, setup: SearchSetup) -> None:
        super().__init__(SearchDraft.of(setup))


class SearchExport(Framed[Path | None]):
    """Where the tree or the comparison shall be written; None where the person would rather not."""

    HELP = FILE_HINT
    BINDING_GROUP_TITLE = "Export"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss(None)", "Back", key_display="esc"),
        Binding("f1", "app.help", "Help"),
    ]

    def __init__(self, conductor: SearchConductor) -> None:
        super().__init__()
        self._conductor = conductor
        self._names = suggested(conductor)

    def compose(self) -> ComposeResult:
        first = next(iter(self._names))
        with Vertical(id="form") as form:
            form.border_title = "Export"
            right, text = self._finding(first)
            yield Field("file", "File", first, "tree.json", right=right, said=text)
            yield Static(FILE_HINT, id="hint", markup=False)
            yield Choices([Choice(name, name, about) for name, about in self._names.items()], focusable=False)
        yield Footer(palette=False)

    def on_mount(self) -> None:
        self.query_one(Field).input.focus()

    def _finding(self, text: str) -> tuple[bool, str]:
        try:
            path = parse_target(text, self._conductor)
        except InputError as fault:
            return False, str(fault)
        return True, f"in {path.parent}"

    def _say(self) -> None:
        field = self.query_one(Field)
        field.say(*self._finding(field.text))
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
            self.dismiss(parse_target(self.query_one(Field).text, self._conductor))
        except InputError:
            self._say()
