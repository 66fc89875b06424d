"""The dialogs of the Search screen: presets, a form, and the file of an export."""

from __future__ import annotations

from typing import Never

from nimtui.ui.kit.export import ExportForm
from nimtui.ui.kit.form import SetupForm
from nimtui.ui.kit.start_dialog import StartDialog
from nimtui.ui.search.conductor import SearchConductor
from nimtui.ui.search.draft import SearchDraft
from nimtui.ui.search.files import parse_target, suggested
from nimtui.ui.search.setup import PRESETS, SearchSetup


class SearchForm(SetupForm[SearchSetup]):
    """Edits the settings of a search, one field each, and checks them as you type."""

    HELP = "Type into a field, or choose with the up and down keys. The fields below the algorithm are its options."
    BINDING_GROUP_TITLE = "Settings of a search"
    DRAFT = SearchDraft


class SearchChoice(StartDialog[Never, SearchSetup]):
    """Offers presets."""

    BINDING_GROUP_TITLE = "New search"
    HELP = "Press Enter to start the marked search, or e to change its settings first."
    INTRO = "A search looks ahead from one position.\nExplore its tree, and see what was pruned, and why:"
    OWN = "any game and position"
    FORM, PRESETS, USUAL = SearchForm, PRESETS, SearchSetup()


class SearchExport(ExportForm):
    """Asks for the file of an export; None if the person cancels."""

    HELP = "The extension sets the format. Existing files are never overwritten."
    EXAMPLE = "tree.json"

    def __init__(self, conductor: SearchConductor) -> None:
        super().__init__(suggested(conductor), lambda text: parse_target(text, conductor))
