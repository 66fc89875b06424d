"""What screens and widgets may ask of the app they live in, whichever app that is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, cast

if TYPE_CHECKING:
    from pathlib import Path

    from textual.binding import Binding
    from textual.message_pump import MessagePump

    from nimtui.jobs import Jobs
    from nimtui.store.database import Database
    from nimtui.store.settings import Settings
    from nimtui.ui.kit.conductor import Conductor
    from nimtui.ui.kit.glyphs import Glyphs
    from nimtui.ui.kit.mode import Mode
    from nimtui.ui.kit.signals import WeakSignal

C = TypeVar("C", bound="Conductor")


class Shell(Protocol):
    """The app as its screens know it. Set-ups are those of the rooms; the app knows which mode each is for."""

    jobs: Jobs
    settings: Settings
    settings_changed: WeakSignal[Settings]
    glyphs: Glyphs  # the signs that are drawn with
    faults: list[str]  # what went wrong at the start and was mended, a line each
    theme: str

    @property
    def modes(self) -> Sequence[Mode]:
        """Those in the header."""

    @property
    def current_mode(self) -> str: ...

    @property
    def available_themes(self) -> dict[str, Any]: ...

    @property
    def slow(self) -> bool:
        """Is the line to the terminal slow?"""

    @property
    def tick(self) -> float:
        """Seconds between two looks at a job that is being watched."""

    @property
    def playing(self) -> bool:
        """Has a game been begun?"""

    def conductor(self, kind: type[C]) -> C:
        """What goes on whichever screen is shown: the one conductor of this kind, made when first asked for."""

    def database(self) -> Database:
        """Where games are kept; opened when first asked for, which may take a moment. Not in the event loop."""

    def change_settings(self, **values: Any) -> None:
        """Take these values on and keep them for the next start."""

    def tell_fault(self, fault: BaseException, doing: str) -> object:
        """Write a report of a fault of the program's own that ends nothing, and say so."""

    def get_key_display(self, binding: Binding) -> str: ...

    # Where to go.

    def switch_mode(self, mode: str) -> object: ...

    def action_mode(self, name: str) -> None:
        """Show a mode; the first time, Play begins with the classic game."""

    def action_new_game(self, setup: Any = None) -> None:
        """Ask which game, and who plays; then begin it."""

    def play(self, setup: Any) -> None:
        """Begin this game."""

    def begin(self, mode: str, setup: object) -> None:
        """Show a mode and begin this there: a set-up of it, or what it calls something kept."""

    def action_go_back(self) -> None:
        """Show the mode from which the person came to this one."""

    def close_all(self) -> None:
        """Close every screen that lies on the mode's own."""

    def search(self, game: str, position: str) -> None:
        """Search this position in the way that was asked for last. InputError where it cannot be."""

    def tournament_at_work(self) -> tuple[int, str, int] | None:
        """The kept tournament that goes on here: its number, its state in a word, its finished games."""

    def show_game(
        self,
        game: str,
        first: str,
        second: str,
        moves: Sequence[int],
        opening: int = 0,
        title: str = "",
        ply: int = 0,
        id: int | None = None,
        *,
        fault: str = "",
        position: str | None = None,
    ) -> None:
        """Go through a game that was played."""

    def leave_replay(self) -> None:
        """Back to where the game was opened."""

    def use_of(self, table: Path) -> str:
        """What uses this table now, and must be ended before it can go, in a line; '' where nothing does."""


def shell(node: MessagePump) -> Shell:
    """The app this screen or widget lives in."""
    return cast("Shell", node.app)
