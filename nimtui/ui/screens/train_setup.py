"""What shall be trained: a list of trainings that show something, those that were not finished, or a form."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar, NamedTuple

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Input, Static

from nimtui.errors import InputError
from nimtui.ui.screens.page import Dialog
from nimtui.ui.shell import shell
from nimtui.ui.train_draft import TrainDraft
from nimtui.ui.train_runs import Kept, about, kept_runs
from nimtui.ui.train_setup import PRESETS, TrainSetup
from nimtui.ui.widgets.choices import Choice, Choices
from nimtui.ui.widgets.field import Field
from nimtui.ui.widgets.footer import Footer


class GoOn(NamedTuple):
    """A run that was not finished, to go on with at once."""

    path: Path


Answer = TrainSetup | GoOn | Path | None  # a new training, one to go on with, the file of one to be opened, or none

LABELS = {
    "game": ("Game", "for instance tower:16 or nim:7,5,3"),
    "learner": ("Learner", "who learns"),
    "rival": ("Beside it", "nobody"),
    "seed": ("Seed", "a whole number"),
    "goal": ("Games", "a number, perfect or endless"),
}
FORM = "form"


class TrainChoice(Dialog[Answer]):
    """The trainings that are offered. Enter begins the marked one, e changes it first."""

    BINDING_GROUP_TITLE = "New training"
    HELP = """Enter begins the marked training at once. With e its settings can be changed first.

Trainings that were not finished stand at the top: Enter goes on where they stopped."""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("e,tab", "change", "Change it first", key_display="e"),
        Binding("r", "runs", "Saved runs", tooltip="Open a run that was saved"),
        Binding("escape,backspace", "dismiss(None)", "Back", key_display="esc"),
        Binding("f1", "app.help", "Help"),
    ]

    def __init__(self, last: TrainSetup | None = None) -> None:
        super().__init__()
        self._last = last

    def compose(self) -> ComposeResult:
        with Vertical(id="form") as form:
            form.border_title = "New training"
            yield Static(
                "A table of scores learns a game by playing against itself.\nWatch it, position by position:",
                id="intro",
                markup=False,
            )
            yield Choices(self._choices(()))
        yield Footer(palette=False)

    def on_mount(self) -> None:
        super().on_mount()
        self.query_one(Choices).focus()
        shell(self).jobs.start("runs", lambda _: kept_runs()).add_done_callback(
            lambda job: self._found(job.result or []) if self.is_attached else None
        )

    def _choices(self, unfinished: tuple[Kept, ...]) -> list[Choice]:
        again = [Choice(str(kept.path), f"Go on: {kept.title}", kept.detail) for kept in unfinished]
        own = Choice(FORM, "Your own settings …", "any game, learner and constants")
        return [*again, *(Choice(str(at), preset.title, preset.about) for at, preset in enumerate(PRESETS)), own]

    def _found(self, runs: list[Kept]) -> None:
        """Those that were not finished come first; what was marked stays so, unless nothing was touched yet."""
        unfinished = tuple(kept for kept in runs if not kept.finished)[:2]
        choices = self.query_one(Choices)
        if unfinished:
            marked = choices.marked.value if choices.marked is not None else "0"
            choices.show(self._choices(unfinished), marked)

    async def on_choices_taken(self, message: Choices.Taken) -> None:
        value = message.choice.value
        if value == FORM:
            self._ask(self._last or TrainSetup())
        elif value.isdigit():
            self.dismiss(PRESETS[int(value)].setup)
        else:
            self.dismiss(GoOn(Path(value)))

    def action_change(self) -> None:
        marked = self.query_one(Choices).marked
        preset = marked is not None and marked.value.isdigit()
        self._ask(PRESETS[int(marked.value)].setup if preset and marked else self._last or TrainSetup())

    def _ask(self, setup: TrainSetup) -> None:
        self.app.push_screen(TrainForm(setup), self._answered)

    def action_runs(self) -> None:
        self.app.push_screen(RunChoice(), self._answered)

    def _answered(self, answer: Answer) -> None:
        if answer is not None:
            self.dismiss(answer)


class RunChoice(Dialog[Path | None]):
    """The runs that are kept in files, the newest first."""

    BINDING_GROUP_TITLE = "Saved runs"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,backspace", "dismiss(None)", "Back", key_display="esc"),
        Binding("f1", "app.help", "Help"),
    ]
    HELP = "Runs of the Train screen as they were saved. Enter opens the marked one and holds it: nothing is changed."

    def compose(self) -> ComposeResult:
        with Vertical(id="form") as form:
            form.border_title = "Saved runs"
            yield Static("Looking for them", id="intro", markup=False)
            yield Choices()
        yield Footer(palette=False)

    def on_mount(self) -> None:
        super().on_mount()
        self.query_one(Choices).focus()
        shell(self).jobs.start("runs", lambda _: kept_runs()).add_done_callback(
            lambda job: self._found(job.result or []) if self.is_attached else None
        )

    def _found(self, runs: list[Kept]) -> None:
        signs = shell(self).glyphs
        self.query_one("#intro", Static).update(signs.plain(about(runs)))
        self.query_one(Choices).show(
            [Choice(str(kept.path), kept.title, kept.detail) for kept in runs], str(runs[0].path) if runs else None
        )

    def on_choices_taken(self, message: Choices.Taken) -> None:
        self.dismiss(Path(message.choice.value))


class TrainForm(Dialog[TrainSetup | None]):
    """The settings of a training, each in a field of its own and checked as it is typed."""

    HELP = """Type into a field or choose with the up and down keys; what each constant does is said beside it.

The constants below a learner's name are its own. With a second learner both play on the same game and seed, and are
shown side by side. Games: a number, perfect (until every position is played right) or endless."""
    BINDING_GROUP_TITLE = "Settings of a training"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("tab", "app.focus_next", "Next", key_display="tab"),
        Binding("shift+tab", "app.focus_previous", "Field before", show=False),
        Binding("escape", "dismiss(None)", "Back", key_display="esc"),
        Binding("f1", "app.help", "Help"),
    ]

    def __init__(self, setup: TrainSetup) -> None:
        super().__init__()
        self._draft = TrainDraft.of(setup)
        self._listed = ""  # the field whose values are listed

    def compose(self) -> ComposeResult:
        with Vertical(id="form") as form:
            form.border_title = "Settings of a training"
            with Vertical(id="fields"):
                yield from self._fields()
            yield Static("", id="hint", markup=False)
            yield Choices(focusable=False)
        yield Footer(palette=False)

    def on_mount(self) -> None:
        super().on_mount()
        self._field("game").input.focus()

    def _fields(self) -> list[Field]:
        return [self._new_field(name) for name in self._draft.fields]

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
        hint = self.query_one("#hint", Static)
        right = findings[current].right
        hint.set_class(not right, "-wrong")
        text = shell(self).glyphs.plain(draft.hint(current) if right else findings[current].text)
        if text != hint.content:
            hint.update(text, layout=False)

    async def _take(self, name: str, text: str) -> None:
        """A field has another text; another learner has other constants."""
        before = self._draft.fields
        self._draft = self._draft.with_text(name, text)
        if self._draft.fields != before:
            fields = self.query_one("#fields", Vertical)
            old = [self._field(gone) for gone in before if gone not in (*LABELS,)]
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
        self.action_start()

    def action_start(self) -> None:
        """Begin the training, or go to the first field that is wrong."""
        for name, finding in self._draft.check().items():
            if not finding.right:
                self._field(name).input.focus()
                return
        try:
            self.dismiss(self._draft.setup())
        except InputError as wrong:
            self.notify(str(wrong), severity="warning")
