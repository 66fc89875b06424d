"""What shall be swept: a list of sweeps that show something, those that were not finished, or a form."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.widgets import Input, Static

from nimtui.errors import InputError
from nimtui.ui.screens.page import Dialog
from nimtui.ui.shell import shell
from nimtui.ui.sweep_draft import SweepDraft
from nimtui.ui.sweep_files import Kept, about, kept_sweeps
from nimtui.ui.sweep_setup import PRESETS, SweepSetup
from nimtui.ui.widgets.choices import Choice, Choices
from nimtui.ui.widgets.field import Field
from nimtui.ui.widgets.footer import Footer

Answer = SweepSetup | Path | None  # a new sweep, the file of one to go on with, or neither

LABELS = {
    "game": ("Game", "for instance tower:16 or nim:7,5,3"),
    "learner": ("Learner", "who learns"),
    "repeats": ("Repeats", "a whole number"),
    "games": ("Games", "at most so many"),
    "seed": ("Seed", "a whole number"),
    "workers": ("Workers", "all"),
}
FORM = "form"


class SweepChoice(Dialog[Answer]):
    """The sweeps that are offered. Enter begins the marked one, e changes it first."""

    BINDING_GROUP_TITLE = "New sweep"
    HELP = """Enter begins the marked sweep at once. With e its settings can be changed first.

Sweeps that were not finished stand at the top: Enter goes on where they stopped."""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("e,tab", "change", "Change it first", key_display="e"),
        Binding("o", "kept", "Kept sweeps", tooltip="Go on with a sweep that was stopped, or look at one"),
        Binding("escape,backspace", "dismiss(None)", "Back", key_display="esc"),
        Binding("f1", "app.help", "Help"),
    ]

    def __init__(self, last: SweepSetup | None = None) -> None:
        super().__init__()
        self._last = last

    def compose(self) -> ComposeResult:
        with Vertical(id="form") as form:
            form.border_title = "New sweep"
            yield Static(
                "One learner with many settings, each trained with several seeds\nuntil it plays perfectly:",
                id="intro",
                markup=False,
            )
            yield Choices(self._choices(()))
        yield Footer(palette=False)

    def on_mount(self) -> None:
        super().on_mount()
        self.query_one(Choices).focus()
        shell(self).jobs.start("sweeps", lambda _: kept_sweeps()).add_done_callback(
            lambda job: self._found(job.result or []) if self.is_attached else None
        )

    def _choices(self, unfinished: tuple[Kept, ...]) -> list[Choice]:
        again = [Choice(str(kept.path), f"Go on: {kept.title}", kept.detail) for kept in unfinished]
        own = Choice(FORM, "Your own settings …", "any game, learner and values")
        return [*again, *(Choice(str(at), preset.title, preset.about) for at, preset in enumerate(PRESETS)), own]

    def _found(self, sweeps: list[Kept]) -> None:
        """Those that were not finished come first; what was marked stays so."""
        unfinished = tuple(kept for kept in sweeps if not kept.finished)[:3]
        choices = self.query_one(Choices)
        if unfinished:
            choices.show(self._choices(unfinished), choices.marked.value if choices.marked is not None else "0")

    def on_choices_taken(self, message: Choices.Taken) -> None:
        value = message.choice.value
        if value == FORM:
            self._ask(self._last or SweepSetup())
        elif value.isdigit():
            self.dismiss(PRESETS[int(value)].setup)
        else:
            self.dismiss(Path(value))

    def action_change(self) -> None:
        marked = self.query_one(Choices).marked
        preset = marked is not None and marked.value.isdigit()
        self._ask(PRESETS[int(marked.value)].setup if preset and marked else self._last or SweepSetup())

    def _ask(self, setup: SweepSetup) -> None:
        self.app.push_screen(SweepForm(setup), self._answered)

    def action_kept(self) -> None:
        self.app.push_screen(SweepList(), self._answered)

    def _answered(self, answer: Answer) -> None:
        if answer is not None:
            self.dismiss(answer)


class SweepList(Dialog[Path | None]):
    """The sweeps that are kept in files, the newest first."""

    BINDING_GROUP_TITLE = "Kept sweeps"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,backspace", "dismiss(None)", "Back", key_display="esc"),
        Binding("f1", "app.help", "Help"),
    ]
    HELP = "Enter goes on with the marked sweep where it stopped; one that is finished is shown again."

    def compose(self) -> ComposeResult:
        with Vertical(id="form") as form:
            form.border_title = "Kept sweeps"
            yield Static("Looking for them", id="intro", markup=False)
            yield Choices()
        yield Footer(palette=False)

    def on_mount(self) -> None:
        super().on_mount()
        self.query_one(Choices).focus()
        shell(self).jobs.start("sweeps", lambda _: kept_sweeps()).add_done_callback(
            lambda job: self._found(job.result or []) if self.is_attached else None
        )

    def _found(self, sweeps: list[Kept]) -> None:
        self.query_one("#intro", Static).update(shell(self).glyphs.plain(about(sweeps)))
        self.query_one(Choices).show(
            [Choice(str(kept.path), kept.title, kept.detail) for kept in sweeps],
            str(sweeps[0].path) if sweeps else None,
        )

    def on_choices_taken(self, message: Choices.Taken) -> None:
        self.dismiss(Path(message.choice.value))


class SweepForm(Dialog[SweepSetup | None]):
    """The settings of a sweep, each in a field of its own and checked as it is typed."""

    HELP = """Type into a field or choose with the up and down keys; what each constant does is said beside it.

A constant with several values is varied: 50,70,90 or 50..100:10 (from, to, step). With two of them the map has rows \
and columns; every further one multiplies the maps."""
    BINDING_GROUP_TITLE = "Settings of a sweep"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("tab", "app.focus_next", "Next", key_display="tab"),
        Binding("shift+tab", "app.focus_previous", "Field before", show=False),
        Binding("escape", "dismiss(None)", "Back", key_display="esc"),
        Binding("f1", "app.help", "Help"),
    ]

    def __init__(self, setup: SweepSetup) -> None:
        super().__init__()
        self._draft = SweepDraft.of(setup)
        self._listed = ""  # the field whose values are listed

    def compose(self) -> ComposeResult:
        with Vertical(id="form") as form:
            form.border_title = "Settings of a sweep"
            with VerticalScroll(id="fields", can_focus=False):
                yield from (self._new_field(name) for name in self._draft.fields)
            yield Static("", id="hint", markup=False)
            yield Choices(focusable=False)
        yield Footer(palette=False)

    def on_mount(self) -> None:
        super().on_mount()
        self._field("game").input.focus()

    def _new_field(self, name: str) -> Field:
        finding = self._draft.check()[name]
        label, placeholder = LABELS.get(name, (f"  {name}", ""))
        return Field(name, label, self._draft.text(name), placeholder, right=finding.right, said=finding.text)

    def _field(self, name: str) -> Field:
        return self.query_one(f"#{name}", Field)

    @property
    def _current(self) -> str:
        """The name of the field that is being filled in."""
        within = self.focused.parent if self.focused else None
        while within is not None and not isinstance(within, Field):
            within = within.parent
        return within.name or "game" if within is not None else "game"

    def _show(self) -> None:
        """Put everything on the screen as the draft has it."""
        draft, findings, current = self._draft, self._draft.check(), self._current
        for field in self.query(Field):
            name = field.name or ""
            if name in findings:
                field.put(draft.text(name))
                field.say(findings[name].right, findings[name].text)
        choices = self.query_one(Choices)
        if current != self._listed:
            self._listed = current
            choices.show([Choice(offer.value, offer.label, offer.detail) for offer in draft.offers(current)])
        choices.mark(draft.text(current).strip())
        signs = shell(self).glyphs
        hint = self.query_one("#hint", Static)
        right = findings[current].right
        hint.set_class(not right, "-wrong")
        text = signs.plain(draft.hint(current) if right else findings[current].text)
        if text != hint.content:
            hint.update(text, layout=False)
        form = self.query_one("#form", Vertical)
        if (size := signs.plain(draft.size)) != form.border_subtitle:
            form.border_subtitle = size

    async def _take(self, name: str, text: str) -> None:
        """A field has another text; another learner has other constants."""
        before = self._draft.fields
        self._draft = self._draft.with_text(name, text)
        if self._draft.fields != before:
            fields = self.query_one("#fields", VerticalScroll)
            old = [self._field(gone) for gone in before if gone not in LABELS]
            with self.app.batch_update():
                for field in old:
                    await field.remove()
                new = [self._new_field(name) for name in self._draft.fields if name not in LABELS]
                await fields.mount_all(new, after=self._field("learner"))
        self._show()

    async def on_field_changed(self, message: Field.Changed) -> None:
        name = message.field.name or ""
        if name in self._draft.fields and message.field.text != self._draft.text(name):
            await self._take(name, message.field.text)

    def on_field_entered(self, message: Field.Entered) -> None:
        self._show()

    def on_field_stepped(self, message: Field.Stepped) -> None:
        self.query_one(Choices).move(message.by)

    async def on_choices_marked(self, message: Choices.Marked) -> None:
        await self._take(self._current, message.choice.value)

    def on_input_submitted(self, message: Input.Submitted) -> None:
        """Begin the sweep, or go to the first field that is wrong."""
        for name, finding in self._draft.check().items():
            if not finding.right:
                self._field(name).input.focus()
                return
        try:
            self.dismiss(self._draft.setup())
        except InputError as wrong:
            self.notify(str(wrong), severity="warning")
