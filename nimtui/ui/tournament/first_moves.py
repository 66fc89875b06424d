"""The first moves of a tournament, on a page of their own."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import Binding, BindingType

from nimtui.ui.library.compare_screen import Scrolled


class FirstMoves(Scrolled):
    """Shows how often each first move was played, and what the player who made it scored."""

    BINDING_GROUP_TITLE = "First moves"
    HELP = """How often each first move was played, and how these games ended for the player who made it: whoever it \
was.

If the tournament has openings, their first moves are counted: nobody chose them.

The same table is in the report: nimtui tournaments show prints it, and a file that ends in -openings.csv has it."""
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,m,backspace", "dismiss(None)", "back")]
