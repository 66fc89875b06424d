"""What shall be swept: a list of sweeps that show something, those that were not finished, or a form."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Static

from nimtui.ui.screens.form import Form
from nimtui.ui.screens.page import Framed
from nimtui.ui.shell import shell
from nimtui.ui.sweep_draft import SweepDraft
from nimtui.ui.sweep_files import Kept, about, kept_sweeps
from nimtui.ui.sweep_setup import PRESETS, SweepSetup
from nimtui.ui.widgets.choices import Choice, Choices
from nimtui.ui.widgets.footer import Footer

Answer = SweepSetup | Path | None  # a new sweep, the file of one to go on with, or neither

FORM = "form"


class SweepChoice(Framed[Answer]):
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


class SweepList(Framed[Path | None]):
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


class SweepForm(Form[SweepSetup]):
    """The settings of a sweep, each in a field of its own and checked as it is typed."""

    HELP = """Type into a field or choose with the up and down keys; what each constant does is said beside it.

A constant with several values is varied: 50,70,90 or 50..100:10 (from, to, step). With two of them the map has rows \
and columns; every further one multiplies the maps."""
    BINDING_GROUP_TITLE = "Settings of a sweep"
    LABELS: ClassVar = {
        "game": ("Game", "for instance tower:16 or nim:7,5,3"),
        "learner": ("Learner", "who learns"),
        "repeats": ("Repeats", "a whole number"),
        "games": ("Games", "at most so many"),
        "seed": ("Seed", "a whole number"),
        "workers": ("Workers", "all"),
    }
    _draft: SweepDraft

    def __init__(self, setup: SweepSetup) -> None:
        super().__init__(SweepDraft.of(setup))

    def size_line(self) -> str:
        return self._draft.size
