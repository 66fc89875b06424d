"""The modes of the app: whole screens beside each other, each reached by a key of its own and kept when left.

A new mode is one line here.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any, cast

from nimtui.ui.kit.mode import Mode

if TYPE_CHECKING:
    from textual.screen import Screen

SWEEP = "sweep"  # it has no place in the header


MODES: tuple[Mode, ...] = (
    Mode("play", "Play", "f2", "nimtui.ui.play.screen:PlayScreen", "Play against a person or a machine"),
    Mode("train", "Train", "f3", "nimtui.ui.train.screen:TrainScreen", "Watch a table learn, position by position"),
    Mode("search", "Search", "f4", "nimtui.ui.search.screen:SearchScreen", "See the tree of a search, and why it cuts"),
    Mode(
        "tournament",
        "Tournament",
        "f5",
        "nimtui.ui.tournament.screen:TournamentScreen",
        "Agents play each other: who is stronger, and how sure is that",
    ),
    Mode("library", "Library", "f6", "nimtui.ui.library.screen:LibraryScreen", "All that is kept: see, open, compare"),
)


def screen_of(place: str) -> Callable[[], Screen[Any]]:
    """Makes the screen found at 'module:class', importing it only then."""

    def make() -> Screen[Any]:
        module, name = place.split(":")
        return cast("Callable[[], Screen[Any]]", getattr(import_module(module), name))()

    return make
