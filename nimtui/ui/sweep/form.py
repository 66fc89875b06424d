"""What shall be swept: a list of sweeps that show something, those that were not finished, or a form."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from textual.binding import Binding, BindingType

from nimtui.ui.kit.form import Form
from nimtui.ui.kit.kept import KeptWork
from nimtui.ui.kit.start_dialog import SavedList, StartDialog
from nimtui.ui.sweep.draft import SweepDraft
from nimtui.ui.sweep.files import list_intro, saved_sweeps
from nimtui.ui.sweep.setup import PRESETS, SweepSetup

Answer = SweepSetup | Path | None  # a new sweep, the file of one to go on with, or neither


class SweepChoice(StartDialog[Path, SweepSetup]):
    """The sweeps that are offered, and those that were not finished."""

    BINDING_GROUP_TITLE = "New sweep"
    HELP = """Enter begins the marked sweep at once. With e its settings can be changed first.

Sweeps that were not finished stand at the top: Enter goes on where they stopped."""
    INTRO = "One learner with many settings, each trained with several seeds\nuntil it plays perfectly:"
    OWN = "any game, learner and values"
    GO_ON = 3
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("o", "kept", "Kept sweeps", tooltip="Go on with a sweep that was stopped, or look at one"),
    ]

    def __init__(self, last: SweepSetup | None = None) -> None:
        super().__init__(PRESETS, last or SweepSetup())

    def form(self, setup: SweepSetup) -> SweepForm:
        return SweepForm(setup)

    def kept(self) -> list[KeptWork]:
        return saved_sweeps()

    def going_on(self, path: Path) -> Path:
        return path

    def action_kept(self) -> None:
        self.app.push_screen(SweepList(), self.answered)


class SweepList(SavedList):
    """The sweeps that are kept in files, the newest first."""

    BINDING_GROUP_TITLE = "Kept sweeps"
    HELP = "Enter goes on with the marked sweep where it stopped; one that is finished is shown again."

    def look(self) -> tuple[list[KeptWork], str]:
        found = saved_sweeps()
        return found, list_intro(found)


class SweepForm(Form[SweepSetup]):
    """The settings of a sweep, each in a field of its own and checked as it is typed."""

    HELP = """Type into a field or choose with the up and down keys; what each constant does is said beside it.

A constant with several values is varied: 50,70,90 or 50..100:10 (from, to, step). With two of them the map has rows \
and columns; every further one multiplies the maps."""
    BINDING_GROUP_TITLE = "Settings of a sweep"
    _draft: SweepDraft

    def __init__(self, setup: SweepSetup) -> None:
        super().__init__(SweepDraft.of(setup))
