"""Where the cells of a sweep shall be written: one field, and nothing is ever replaced."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Input, Static

from nimtui.errors import InputError
from nimtui.learning.sweep import Plan
from nimtui.ui.screens.page import Framed
from nimtui.ui.shell import shell
from nimtui.ui.sweep_files import parse_target, suggested
from nimtui.ui.widgets.choices import Choice, Choices
from nimtui.ui.widgets.field import Field
from nimtui.ui.widgets.footer import Footer

KINDS = {".csv": "CSV: a line a cell, for a spreadsheet", ".json": "JSON: every cell with each of its seeds"}
HINT = "The end of the name says how it is written: .csv or .json. A file that is there already is never replaced."


class ExportForm(Framed[Path | None]):
    """Returns the path, None where the person would rather not."""

    HELP = HINT
    BINDING_GROUP_TITLE = "Export"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss(None)", "Back", key_display="esc"),
        Binding("f1", "app.help", "Help"),
    ]

    def __init__(self, plan: Plan) -> None:
        super().__init__()
        self._names = {suggested(plan, suffix): about for suffix, about in KINDS.items()}

    def compose(self) -> ComposeResult:
        first = next(iter(self._names))
        with Vertical(id="form") as form:
            form.border_title = "Export"
            right, text = self._finding(first)
            yield Field("file", "File", first, "sweep.csv", right=right, said=text)
            yield Static(shell(self).glyphs.plain(HINT), id="hint", markup=False)
            yield Choices([Choice(name, name, about) for name, about in self._names.items()], focusable=False)
        yield Footer(palette=False)

    def on_mount(self) -> None:
        super().on_mount()
        self.query_one(Field).input.focus()

    def _finding(self, text: str) -> tuple[bool, str]:
        try:
            path = parse_target(text)
        except InputError as fault:
            return False, str(fault)
        return True, f"in {path.absolute().parent}"

    def _say(self) -> None:
        field = self.query_one(Field)
        right, text = self._finding(field.text)
        field.say(right, text)
        hint = self.query_one("#hint", Static)
        hint.set_class(not right, "-wrong")
        hint.update(shell(self).glyphs.plain(HINT if right else text), layout=False)
        self.query_one(Choices).mark(field.text)

    def on_field_changed(self, message: Field.Changed) -> None:
        self._say()

    def on_field_stepped(self, message: Field.Stepped) -> None:
        self.query_one(Choices).move(message.by)

    def on_choices_marked(self, message: Choices.Marked) -> None:
        self.query_one(Field).put(message.choice.value)
        self._say()

    def on_input_submitted(self, message: Input.Submitted) -> None:
        try:
            self.dismiss(parse_target(self.query_one(Field).text))
        except InputError:
            self._say()
