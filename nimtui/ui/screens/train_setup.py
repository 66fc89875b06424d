"""What shall be trained: a list of trainings that show something, those that were not finished, or a form."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar, NamedTuple

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Static

from nimtui.ui.screens.form import Form
from nimtui.ui.screens.page import Framed
from nimtui.ui.shell import shell
from nimtui.ui.train_draft import TrainDraft
from nimtui.ui.train_runs import Kept, about, kept_runs
from nimtui.ui.train_setup import PRESETS, TrainSetup
from nimtui.ui.widgets.choices import Choice, Choices
from nimtui.ui.widgets.footer import Footer


class GoOn(NamedTuple):
    """A run that was not finished, to go on with at once."""

    path: Path


Answer = TrainSetup | GoOn | Path | None  # a new training, one to go on with, the file of one to be opened, or none

FORM = "form"


class TrainChoice(Framed[Answer]):
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


class RunChoice(Framed[Path | None]):
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


class TrainForm(Form[TrainSetup]):
    """The settings of a training, each in a field of its own and checked as it is typed."""

    HELP = """Type into a field or choose with the up and down keys; what each constant does is said beside it.

The constants below a learner's name are its own. With a second learner both play on the same game and seed, and are
shown side by side. Games: a number, perfect (until every position is played right) or endless."""
    BINDING_GROUP_TITLE = "Settings of a training"
    LABELS: ClassVar = {
        "game": ("Game", "for instance tower:16 or nim:7,5,3"),
        "learner": ("Learner", "who learns"),
        "rival": ("Beside it", "nobody"),
        "seed": ("Seed", "a whole number"),
        "goal": ("Games", "a number, perfect or endless"),
    }

    def __init__(self, setup: TrainSetup) -> None:
        super().__init__(TrainDraft.of(setup))
