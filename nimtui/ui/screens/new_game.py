"""Which game, from where, who plays: a form of five texts, with what could stand in each below it."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Input, Static

from nimtui.errors import InputError
from nimtui.ui.draft import FIELDS, Draft
from nimtui.ui.screens.page import Framed
from nimtui.ui.setup import PlaySetup
from nimtui.ui.shell import shell
from nimtui.ui.widgets.choices import Choice, Choices
from nimtui.ui.widgets.field import Field
from nimtui.ui.widgets.footer import Footer

LABELS = {
    "game": ("Game", "for instance tower:16 or nim:3,5,4,2,6"),
    "position": ("Position", "the usual start"),
    "first": ("First", "me, or an agent"),
    "second": ("Second", "me, or an agent"),
    "seed": ("Seed", "a whole number"),
}


class NewGame(Framed[PlaySetup | None]):
    """Returns the game to be begun, None where the person would rather not."""

    HELP = """Type into a field or choose with the up and down keys; what is wrong is said below the field.

First moves first. Both seats may be people, or machines that you watch. The seed makes chance repeatable."""
    BINDING_GROUP_TITLE = "New game"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("tab", "app.focus_next", "Next", key_display="tab"),
        Binding("shift+tab", "app.focus_previous", "Field before", show=False),
        Binding("ctrl+t", "swap", "Swap", tooltip="The other one begins"),
        Binding("escape", "dismiss(None)", "Back", key_display="esc"),
        Binding("f1", "app.help", "Help"),
    ]

    def __init__(self, setup: PlaySetup, field: str = "game", last_seed: int | None = None) -> None:
        super().__init__()
        self._last_seed = last_seed
        self._draft = Draft.of(setup)
        self._begin = field

    def compose(self) -> ComposeResult:
        findings = self._draft.check()
        with Vertical(id="form") as form:
            form.border_title = "New game"
            for name in FIELDS:
                label, placeholder = LABELS[name]
                finding = findings[name]
                text = getattr(self._draft, name)
                yield Field(name, label, text, placeholder, right=finding.right, said=finding.text)
            yield Static(self._hint_text(self._begin), id="hint", markup=False)
            yield Choices(self._offers(self._begin), focusable=False)
        yield Footer(palette=False)

    def on_mount(self) -> None:
        self._field(self._begin).input.focus()

    def _field(self, name: str) -> Field:
        return self.query_one(f"#{name}", Field)

    @property
    def _current(self) -> str:
        """The name of the field that is being filled in."""
        within = self.focused.parent if self.focused else None
        while within is not None and not isinstance(within, Field):
            within = within.parent
        return within.name or FIELDS[0] if within is not None else FIELDS[0]

    def _offers(self, name: str) -> list[Choice]:
        """What could stand in a field."""
        return [Choice(offer.value, offer.label, offer.detail) for offer in self._draft.offers(name, self._last_seed)]

    def _hint_text(self, name: str) -> str:
        """What is wrong with a field, or how it is written."""
        finding = self._draft.check()[name]
        return shell(self).glyphs.plain(self._draft.hint(name) if finding.right else finding.text)

    def _show(self) -> None:
        """Put everything on the screen as the draft has it."""
        findings, current = self._draft.check(), self._current
        for name, finding in findings.items():
            field = self._field(name)
            field.put(getattr(self._draft, name))
            field.say(finding.right, finding.text)
        self.query_one(Choices).mark(self._draft.offered(current))
        hint = self.query_one("#hint", Static)
        hint.set_class(not findings[current].right, "-wrong")
        text = self._hint_text(current)
        if text != hint.content:
            hint.update(text, layout=False)

    def on_field_changed(self, message: Field.Changed) -> None:
        name = message.field.name or ""
        if message.field.text == getattr(self._draft, name):
            return  # put in by us: not touched by the person
        self._draft = self._draft.with_text(name, message.field.text)
        self._show()

    def on_field_entered(self, message: Field.Entered) -> None:
        self.query_one(Choices).show(self._offers(self._current))
        self._show()

    def on_field_stepped(self, message: Field.Stepped) -> None:
        self.query_one(Choices).move(message.by)

    def on_choices_marked(self, message: Choices.Marked) -> None:
        name, value = self._current, message.choice.value
        self._draft = self._draft.with_game(value) if name == "game" else self._draft.with_text(name, value)
        self._show()

    def on_input_submitted(self, message: Input.Submitted) -> None:
        self.action_start()

    def action_start(self) -> None:
        """Begin the game, or go to the first field that is wrong."""
        for name, finding in self._draft.check().items():
            if not finding.right:
                self._field(name).input.focus()
                return
        try:
            self.dismiss(self._draft.setup())
        except InputError as wrong:
            self.notify(str(wrong), severity="warning")

    def action_swap(self) -> None:
        self._draft = self._draft.swapped()
        self._show()
