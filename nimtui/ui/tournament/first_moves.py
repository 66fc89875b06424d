"""The first moves of a tournament, on a page of their own."""

from __future__ import annotations

from nimtui.ui.kit.command import Command
from nimtui.ui.library.compare_screen import Scrolled


class FirstMoves(Scrolled, place="first-moves"):
    """Shows how often each first move was played, and what the player who made it scored."""

    BINDING_GROUP_TITLE = "First moves"
    HELP = (
        "How often each first move was played, and how these games ended for the player who made it: whoever it was.\n"
        "\nIf the tournament has openings, their first moves are counted: nobody chose them.\n\nThe same table is in "
        "the report: nimtui tournaments show prints it, and a file that ends in -openings.csv has it."
    )
    ROWS = (Command("escape,m,backspace", "dismiss(None)", "back"),)
