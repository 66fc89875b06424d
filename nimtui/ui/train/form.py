"""What shall be trained: a list of trainings that show something, those that were not finished, or a form."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar, NamedTuple

from textual.binding import Binding, BindingType

from nimtui.ui.kit.form import Form
from nimtui.ui.kit.kept import KeptWork
from nimtui.ui.kit.start_dialog import SavedList, StartDialog
from nimtui.ui.train.draft import TrainDraft
from nimtui.ui.train.runs import about, kept_runs
from nimtui.ui.train.setup import PRESETS, TrainSetup


class GoOn(NamedTuple):
    """A run that was not finished, to go on with at once."""

    path: Path


Answer = TrainSetup | GoOn | Path | None  # a new training, one to go on with, the file of one to be opened, or none


class TrainChoice(StartDialog[GoOn | Path, TrainSetup]):
    """The trainings that are offered, and those that were not finished."""

    BINDING_GROUP_TITLE = "New training"
    HELP = """Enter begins the marked training at once. With e its settings can be changed first.

Trainings that were not finished stand at the top: Enter goes on where they stopped."""
    INTRO = "A table of scores learns a game by playing against itself.\nWatch it, position by position:"
    OWN = "any game, learner and constants"
    GO_ON = 2
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("r", "runs", "Saved runs", tooltip="Open a run that was saved"),
    ]

    def __init__(self, last: TrainSetup | None = None) -> None:
        super().__init__(PRESETS, last or TrainSetup())

    def form(self, setup: TrainSetup) -> TrainForm:
        return TrainForm(setup)

    def kept(self) -> list[KeptWork]:
        return kept_runs()

    def going_on(self, path: Path) -> GoOn:
        return GoOn(path)

    def action_runs(self) -> None:
        self.app.push_screen(RunChoice(), self.answered)


class RunChoice(SavedList):
    """The runs that are kept in files, the newest first."""

    BINDING_GROUP_TITLE = "Saved runs"
    HELP = "Runs of the Train screen as they were saved. Enter opens the marked one and holds it: nothing is changed."

    def look(self) -> tuple[list[KeptWork], str]:
        found = kept_runs()
        return found, about(found)


class TrainForm(Form[TrainSetup]):
    """The settings of a training, each in a field of its own and checked as it is typed."""

    HELP = """Type into a field or choose with the up and down keys; what each constant does is said beside it.

The constants below a learner's name are its own. With a second learner both play on the same game and seed, and are
shown side by side. Games: a number, perfect (until every position is played right) or endless."""
    BINDING_GROUP_TITLE = "Settings of a training"

    def __init__(self, setup: TrainSetup) -> None:
        super().__init__(TrainDraft.of(setup))
