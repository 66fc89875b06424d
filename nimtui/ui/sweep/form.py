"""The dialogs of a new sweep: ready and unfinished sweeps, saved sweeps, and the form."""

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

Answer = SweepSetup | Path | None  # a new sweep, the file of one to resume, or neither


class SweepChoice(StartDialog[Path, SweepSetup]):
    """The choice of a ready sweep, or an unfinished one."""

    BINDING_GROUP_TITLE = "New sweep"
    HELP = """Enter starts the marked sweep at once. e changes its settings first.

Unfinished sweeps stand at the top: Enter resumes them."""
    INTRO = "Trains one learner with many settings, several seeds each,\nuntil it plays perfectly:"
    OWN = "any game, learner and values"
    GO_ON = 3
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("o", "kept", "Saved sweeps", tooltip="Resume a stopped sweep, or show a finished one"),
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
    """The saved sweeps, newest first."""

    BINDING_GROUP_TITLE = "Saved sweeps"
    HELP = "Enter resumes the marked sweep where it stopped, or shows a finished one."

    def look(self) -> tuple[list[KeptWork], str]:
        found = saved_sweeps()
        return found, list_intro(found)


class SweepForm(Form[SweepSetup]):
    """The form of a sweep; each setting has a field and is checked while it is typed."""

    HELP = """Type into a field, or choose with the up and down keys. The text beside a constant says what it does.

To vary a constant, give it several values: 50,70,90 or 50..100:10 (from, to, step). Two varied constants make the \
rows and columns of the map; every further one multiplies the maps."""
    BINDING_GROUP_TITLE = "Settings of a sweep"
    _draft: SweepDraft

    def __init__(self, setup: SweepSetup) -> None:
        super().__init__(SweepDraft.of(setup))
