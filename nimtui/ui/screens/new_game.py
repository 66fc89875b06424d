"""Which game, from where, who plays: a form of five texts, with what could stand in each below it."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Footer, Input, Static

from nimtui.errors import InputError
from nimtui.ui.draft import FIELDS, Draft, Finding
from nimtui.ui.setup import PlaySetup
from nimtui.ui.shell import shell
from nimtui.ui.widgets.choices import Choice, Choices
from nimtui.ui.widgets.field import Field

LABELS = {
    "game": ("Game", "for instance tower:16 or nim:3,5,4,2,6"),
    "position": ("Position", "the usual start"),
    "first": ("First", "me, or an agent"),
    "second": ("Second", "me, or an agent"),
    "seed": ("Seed", "a whole number"),
}


class NewGame(ModalScreen[PlaySetup | None]):
    """Returns the game to be begun, None where the person would rather not."""

    HELP = """Type into a field or choose with the up and down keys; what is wrong is said below the field.

First moves first. Both seats may be people, or machines that you watch. The seed makes chance repeatable."""
    BINDING_GROUP_TITLE = "New game"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("tab", "app.focus_next", "Next", key_display="tab"),
        Binding("shift+tab", "app.focus_previous", "Field before", show=False),
        Binding("ctrl+t", "swap", "Swap", tooltip="The other one begins"),
        Binding("escape", "dismiss(None)", "Back", key_display="esc"),
        Binding("f1", "app.help", "Help", key_display="F1"),
    ]

    def __init__(self, setup: PlaySetup, field: str = "game") -> None:
        super().__init__()
        self._draft = Draft.of(setup)
        self._begin = field

    def compose(self) -> ComposeResult:
        with Vertical(id="form") as form:
            form.border_title = "New game"
            for name in FIELDS:
                label, placeholder = LABELS[name]
                yield Field(name, label, getattr(self._draft, name), placeholder)
            yield Static(id="hint", markup=False)
            yield Choices(focusable=False)
        yield Footer(compact=True, show_command_palette=False)

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

    def _show(self) -> None:
        """Put everything on the screen as the draft has it."""
        findings, current = self._draft.check(), self._current
        for name, finding in findings.items():
            field = self._field(name)
            field.put(getattr(self._draft, name))
            field.say(finding.right, finding.text)
        self.query_one(Choices).mark(getattr(self._draft, current).strip())
        self._hint(findings[current], self._draft.hint(current))

    def _hint(self, finding: Finding, hint: str) -> None:
        """Below the fields: what is wrong with the one being filled in, or how it is written."""
        line = self.query_one("#hint", Static)
        line.set_class(not finding.right, "-wrong")
        text = shell(self).glyphs.plain(hint if finding.right else finding.text)
        if text != line.content:
            line.update(text)

    def _offer(self) -> None:
        """Offer what could stand in the field that is being filled in."""
        offers = self._draft.offers(self._current)
        self.query_one(Choices).show([Choice(offer.value, offer.label, offer.detail) for offer in offers])

    def on_field_changed(self, message: Field.Changed) -> None:
        self._draft = self._draft.with_text(message.field.name or "", message.field.text)
        self._show()

    def on_field_entered(self, message: Field.Entered) -> None:
        self._offer()
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
