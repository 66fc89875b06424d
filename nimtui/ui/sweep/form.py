"""The dialogs of a new sweep: ready and unfinished sweeps, saved sweeps, and the form."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from nimtui.ui.kit.command import Command
from nimtui.ui.kit.form import SetupForm
from nimtui.ui.kit.start_dialog import SavedList, StartDialog
from nimtui.ui.sweep.draft import SweepDraft
from nimtui.ui.sweep.files import list_intro, saved_sweeps
from nimtui.ui.sweep.setup import PRESETS, SweepSetup

Answer = SweepSetup | Path | None  # a new sweep, the file of one to resume, or neither


class SweepList(SavedList):
    """The saved sweeps, newest first."""

    BINDING_GROUP_TITLE = "Saved sweeps"
    HELP = "Enter resumes the marked sweep where it stopped, or shows a finished one."
    KEPT, ABOUT = saved_sweeps, list_intro


class SweepForm(SetupForm[SweepSetup]):
    """The form of a sweep; each setting has a field and is checked while it is typed."""

    HELP = """Type into a field, or choose with the up and down keys. The text beside a constant says what it does.

To vary a constant, give it several values: 50,70,90 or 50..100:10 (from, to, step). Two varied constants make the \
rows and columns of the map; every further one multiplies the maps."""
    BINDING_GROUP_TITLE = "Settings of a sweep"
    DRAFT = SweepDraft


class SweepChoice(StartDialog[Path, SweepSetup]):
    """The choice of a ready sweep, or an unfinished one."""

    BINDING_GROUP_TITLE = "New sweep"
    HELP = """Enter starts the marked sweep at once. e changes its settings first.

Unfinished sweeps stand at the top: Enter resumes them."""
    INTRO = "Trains one learner with many settings, several seeds each,\nuntil it plays perfectly:"
    OWN = "any game, learner and values"
    FORM, PRESETS, USUAL, SAVED, GO_ON = SweepForm, PRESETS, SweepSetup(), SweepList, 3
    ROWS: ClassVar[tuple[Command[SweepChoice], ...]] = (
        Command("o", "kept", "Saved sweeps", "Resume a stopped sweep, or show a finished one", StartDialog.ask_saved),
    )
