"""The dialogs of the Compare screen: presets, a form, and the file of an export."""

from __future__ import annotations

from typing import Never

from nimtui.ui.compare.draft import CompareDraft
from nimtui.ui.compare.presets import PRESETS
from nimtui.ui.kit.export import ExportForm
from nimtui.ui.kit.form import SetupForm
from nimtui.ui.kit.start_dialog import StartDialog
from nimtui.ui.play.compare_setup import CompareSetup


class CompareForm(SetupForm[CompareSetup]):
    """Edits a comparison, one field each, and checks the fields as you type."""

    HELP = "Type into a field, or choose with the up and down keys. Leave an agent's field empty for fewer agents."
    BINDING_GROUP_TITLE = "Comparison"
    DRAFT = CompareDraft


class CompareChoice(StartDialog[Never, CompareSetup]):
    """Offers presets."""

    BINDING_GROUP_TITLE = "New comparison"
    HELP = "Press Enter to start the marked comparison, or e to change its settings first."
    INTRO = "Sets agents beside each other on one position,\nwith the exact value of every move:"
    OWN = "any game, position and agents"
    FORM, PRESETS, USUAL = CompareForm, PRESETS, CompareSetup()


class CompareExport(ExportForm):
    """Asks for the file of an export; None if the person cancels."""

    EXAMPLE = "comparison.csv"
