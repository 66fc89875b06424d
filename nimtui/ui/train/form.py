"""The dialogs that choose a training: presets, unfinished trainings, a form, and the saved trainings."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar, NamedTuple

from nimtui.ui.kit.command import Command
from nimtui.ui.kit.form import SetupForm
from nimtui.ui.kit.start_dialog import SavedList, StartDialog
from nimtui.ui.train.draft import TrainDraft
from nimtui.ui.train.runs import about, kept_runs
from nimtui.ui.train.setup import PRESETS, TrainSetup


class GoOn(NamedTuple):
    """An unfinished training, to resume at once."""

    path: Path


Answer = TrainSetup | GoOn | Path | None  # a new training, one to resume, the file of one to open, or none


class RunChoice(SavedList):
    """Lists the saved trainings, newest first."""

    BINDING_GROUP_TITLE = "Saved runs"
    HELP = "These are the saved trainings. Press Enter to open the marked one, paused. Opening it changes nothing."
    KEPT, ABOUT = kept_runs, about


class TrainForm(SetupForm[TrainSetup]):
    """Edits the settings of a training, one field each, and checks them as you type."""

    HELP = """Type into a field, or choose with the up and down keys. The text beside a field explains it.

The fields below the learner are its parameters. A second learner is optional: it trains on the same game and seed, and
both are shown side by side. Games: a number, perfect (stop when every best move is right) or endless."""
    BINDING_GROUP_TITLE = "Settings of a training"
    DRAFT = TrainDraft


class TrainChoice(StartDialog[GoOn | Path, TrainSetup]):
    """Offers presets and unfinished trainings."""

    BINDING_GROUP_TITLE = "New training"
    HELP = """Press Enter to start the marked training, or e to change its settings first.

Unfinished trainings are at the top: press Enter to resume one."""
    INTRO = "A learner plays against itself and fills a table of scores.\nWatch it improve, position by position:"
    OWN = "any game and any learner"
    FORM, PRESETS, USUAL, SAVED, GO_ON, RESUME = TrainForm, PRESETS, TrainSetup(), RunChoice, 2, GoOn
    ROWS: ClassVar[tuple[Command[TrainChoice], ...]] = (
        Command("r", "runs", "Saved runs", "Open a saved training", StartDialog.ask_saved),
    )
