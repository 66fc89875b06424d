"""What shall be searched: a list of searches that show something, or a form; and where to write what was found."""

from __future__ import annotations

from typing import Never

from nimtui.ui.kit.export import ExportForm
from nimtui.ui.kit.form import Form
from nimtui.ui.kit.start_dialog import StartDialog
from nimtui.ui.search.conductor import SearchConductor
from nimtui.ui.search.draft import SearchDraft
from nimtui.ui.search.files import parse_target, suggested
from nimtui.ui.search.setup import PRESETS, SearchSetup


class SearchChoice(StartDialog[Never, SearchSetup]):
    """The searches that are offered."""

    BINDING_GROUP_TITLE = "New search"
    HELP = "Enter begins the marked search at once. With e its settings can be changed first."
    INTRO = "A search looks ahead from one position.\nWalk through its tree, and see why it leaves moves out:"
    OWN = "any game and position"

    def __init__(self, last: SearchSetup | None = None) -> None:
        super().__init__(PRESETS, last or SearchSetup())

    def form(self, setup: SearchSetup) -> SearchForm:
        return SearchForm(setup)


class SearchForm(Form[SearchSetup]):
    """The settings of a search, each in a field of its own and checked as it is typed."""

    HELP = "Type into a field, or choose with the up and down keys. The fields below the algorithm are its own options."
    BINDING_GROUP_TITLE = "Settings of a search"

    def __init__(self, setup: SearchSetup) -> None:
        super().__init__(SearchDraft.of(setup))


class SearchExport(ExportForm):
    """Where the tree or the comparison shall be written; None where the person would rather not."""

    HELP = "The end of the name says how it is written. A file that is there already is never replaced."
    EXAMPLE = "tree.json"

    def __init__(self, conductor: SearchConductor) -> None:
        super().__init__(suggested(conductor), lambda text: parse_target(text, conductor))
