"""The interface of the app for its screens and widgets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeVar, cast

from textual.dom import DOMNode
from textual.signal import Signal, SignalCallbackType

from nimtui.ui.kit.terminal.textual_parts import subscribers

if TYPE_CHECKING:
    from pathlib import Path

    from textual.binding import Binding
    from textual.message_pump import MessagePump

    from nimtui.jobs import Jobs
    from nimtui.jobs.conductor import Conductor
    from nimtui.store.database import Database
    from nimtui.store.settings import Settings
    from nimtui.ui.kit.contract import Mode
    from nimtui.ui.kit.terminal.glyphs import Glyphs


T = TypeVar("T")


class WeakSignal(Signal[T]):
    """Textual's signal without its leak: there, subscribers stay in memory until the next publication."""

    def subscribe(self, node: DOMNode, callback: SignalCallbackType[T], immediate: bool = False) -> None:
        self.let_go()
        super().subscribe(node, callback, immediate)

    def let_go(self) -> None:
        """Forget the subscribers that have been removed."""
        for other in subscribers(self):
            if not other.is_running or not other.is_attached:
                self.unsubscribe(other)


C = TypeVar("C", bound="Conductor")


class Guide(NamedTuple):
    """One step of a tour as a person sees it."""

    place: str  # '3/7'
    says: tuple[str, ...]  # the sentence, from long to short
    keys: tuple[tuple[str, str], ...]  # keys and what they do; that of the step comes first


class Shell(Protocol):
    """The app as its screens see it. Setups are those of the rooms; the app knows the mode of each."""

    jobs: Jobs
    settings: Settings
    settings_changed: WeakSignal[Settings]
    glyphs: Glyphs  # the signs that are drawn with
    faults: list[str]  # what went wrong at the start and was mended, a line each
    theme: str
    guide: Guide | None  # the step of the tour to show; None: no tour is on

    @property
    def modes(self) -> Sequence[Mode]:
        """Those in the header."""

    @property
    def current_mode(self) -> str: ...

    @property
    def slow(self) -> bool:
        """Is the line to the terminal slow?"""

    @property
    def link_is_slow(self) -> bool:
        """Whether frames take long to the terminal, as measured."""

    @property
    def tick(self) -> float:
        """Seconds between two looks at a job that is being watched."""

    @property
    def playing(self) -> bool:
        """Whether a game has been started."""

    @property
    def tour_place(self) -> str:
        """Where the tour continues: 'step 4 of 7'; '' at its start."""

    def show_tour(self) -> None:
        """Show the step, as its screen is now, on the screen in front; nothing if the tour is off."""

    @property
    def others(self) -> Sequence[Any]:
        """The saved runs of other programs: those that are on, then those that were cut off or failed."""

    @property
    def elsewhere(self) -> Sequence[Any]:
        """Those that are on, as jobs."""

    def conductor(self, kind: type[C]) -> C:
        """Return the only conductor of this kind, made on first use. It runs on any screen."""

    def database(self) -> Database:
        """Return the database of games, opened on first use, which may take a moment. Not in the event loop."""

    def change_settings(self, **values: Any) -> None:
        """Apply these values and save them for the next start."""

    def tell_fault(self, fault: BaseException, doing: str) -> object:
        """Write a report of an internal error that does not end the app, and notify the person."""

    def get_key_display(self, binding: Binding) -> str: ...

    # Where to go.

    def switch_mode(self, mode: str) -> object: ...

    def action_mode(self, name: str) -> None:
        """Show a mode. The first time, Play starts the classic game."""

    def action_new_game(self, setup: Any = None) -> None:
        """Ask for the game and its players, then start it. The defaults are the last answers."""

    def play(self, setup: Any) -> None:
        """Start this game."""

    def show_run(self, run: Any) -> None:
        """Show a run live, on its own screen. Continue it if it was stopped, cut off or failed, and is saved."""

    def begin(self, mode: str, setup: object) -> None:
        """Show a mode and start this setup there, or open a saved item by its name."""

    def action_go_back(self) -> None:
        """Return to the mode shown before this one."""

    def close_all(self) -> None:
        """Close every screen that lies on the mode's own."""

    def search(self, game: str, position: str) -> None:
        """Search this position with the search used last, or notify the person why that is impossible."""

    def tournament_at_work(self) -> tuple[int, str, int] | None:
        """Return the running tournament: its number, its state in a word, its finished games; or None."""

    def show_game(self, kept: Any, ply: int = 0) -> None:
        """Replay a game in the Play mode, from this ply on; the game there waits. Tell the person if that cannot be."""

    def leave_replay(self) -> None:
        """Return to where the game was opened."""

    def use_of(self, table: Path) -> str:
        """Return what uses this table now and must end before it is deleted, a line without a subject; '': nothing."""


def shell(node: MessagePump) -> Shell:
    """Return the app of this screen or widget."""
    return cast("Shell", node.app)


def is_calm(node: MessagePump) -> bool:
    """Return whether nothing moves: by the setting, or because the line is slow."""
    app = shell(node)
    return app.slow or app.link_is_slow or not app.settings.animation
