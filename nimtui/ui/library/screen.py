"""The Library screen: everything saved in one list, with details of each item."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from functools import cached_property, partial
from pathlib import Path
from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.containers import Container
from textual.timer import Timer

from nimtui.errors import InputError
from nimtui.foreign.reading import named
from nimtui.playing.setup import ME, PlaySetup, fresh_seed, usual_name
from nimtui.report.blocks import Report
from nimtui.report.copies import Copy
from nimtui.store.rows import GameInfo
from nimtui.ui.compare.saved import Compared, CompareScreen, PoolScreen
from nimtui.ui.kit.contract.command import Command, NotNow, Possible
from nimtui.ui.kit.widgets.page import UNTYPE, Prompt, filtering, is_typing
from nimtui.ui.kit.widgets.panel import Paint, Panel
from nimtui.ui.kit.widgets.virtual_list import VirtualList
from nimtui.ui.kit.work_screen import WorkScreen, export_row
from nimtui.ui.library import view as library_view
from nimtui.ui.library.catalogue import kept_game, of_item, suggested
from nimtui.ui.library.conductor import LibraryConductor
from nimtui.ui.library.shelf import FILES, KINDS, Item, Key, Kind, Shelf

REST = 0.15  # seconds that the cursor must rest before an item is read
LONG_REST = 1.5  # and before it gets further pictures, so that a slow line carries none while a person moves
IMPORT = "Import the games and tournaments of a text file"
HEAD, LEAST_UPPER = 3, 16  # lines of a list that are no items; and of list and details above the picture
MARK = "Mark the item, to compare it with others"


def _of_kind(at: int) -> Command[LibraryScreen]:
    kind = KINDS[at]
    name = f"Only {kind.many}" if kind is not None else "All kinds"
    return Command(
        str(at + 1), f"kind({at})", name, do=lambda s: s.turn(Shelf.of_kind, at), show=False, id=f"kind-{at + 1}"
    )


class LibraryScreen(WorkScreen[LibraryConductor], place="library"):
    """Forwards the user's commands to the conductor, which holds the list."""

    BESIDE, ASKS = (VirtualList,), False
    ABOVE: ClassVar = {"tabs": lambda s: library_view.tabs(s.conductor.shelf)}
    BELOW: ClassVar = {"said": lambda s: library_view.message(s.conductor)}
    BINDING_GROUP_TITLE = "Library"
    HELP = """Everything saved: tables that agents learned, training runs, games, tournaments and sweeps.

Left and right, or 1 to 6, choose a kind. / filters by words, or finds a game by its ID, as in 3:30. s sorts \
by date, name or size, as a click on the head of a column does.

Enter opens the marked item: play against a table, show a run on the Train screen, replay a game. Tournaments and \
sweeps open on their own screens; unfinished ones resume. t shows a table on the Train screen.

Space marks an item; c compares it with another. Tables: where they choose alike and who wins, exactly. Tournaments: \
the ratings of the agents in both. Games: where they first differ. Mark several tournaments to rate all their agents \
together.

A table that you taught (l on the Play screen) has versions: 0 is its base, and each lesson makes one. With no item \
marked, c compares two of them.

d deletes and u restores, within 30 days. R renames. e exports to a file for other programs, i imports \
games and whole tournaments from an exported text. Items in use, here or in \
another nimtui, are neither deleted nor renamed. Damaged files are listed and left as they are."""
    SPARE: ClassVar = ("import", "rename", "mark", "undo", "export", "compare", "sort")  # in the footer

    _resting: Timer | None = None
    _whole: Key | None = None  # of the item that is shown with all its pictures

    @cached_property
    def conductor(self) -> LibraryConductor:
        return LibraryConductor(self.shell.jobs, self.shell.database, self.shell.tournament_at_work)

    def parts(self) -> ComposeResult:
        with Container(id="middle"):
            with Container(id="upper"):
                yield VirtualList(id="list", classes="box").headed("Saved items")
                yield Panel(id="details", classes="box").headed("Details", "The marked item will stand here.")
            yield Panel(id="picture", classes="box").headed("Picture", "A picture of the marked item will stand here.")

    def on_mount(self) -> None:
        self.conductor.look()
        self.draw()

    def start(self, key: Key) -> None:
        """Go to the item of this key."""
        self.conductor.find(key)

    def on_unmount(self) -> None:
        self.conductor.leave()

    def on_screen_resume(self) -> None:
        if self.conductor.looked:
            self.conductor.look()

    # Showing.

    def tick(self) -> None:
        """Look at nothing: the conductor says what is new."""

    def panels(self) -> Iterator[tuple[str, Paint]]:
        conductor = self.conductor
        self.query_one(VirtualList).put(library_view.listing(conductor, datetime.now(), self.open_item))
        huge = self.has_class("-huge")
        if conductor.details is not None or conductor.item is None:
            yield "details", library_view.details(conductor, self.has_class("-framed") and not huge)
            key = None if conductor.item is None else conductor.item.key
            yield "picture", library_view.picture(conductor, self._whole == key)
            if huge and self._whole != key:
                self._rest(LONG_REST, partial(self._show_all, key))
        else:
            self._rest(REST, conductor.read)
        rows = max(len(conductor.shown) + HEAD, LEAST_UPPER)
        self.query_one("#upper").styles.height = min(rows, self.size.height // 2) if huge else None

    def _rest(self, seconds: float, do: Callable[[], object]) -> None:
        """Do this once the cursor has rested so long."""
        if self._resting is not None:
            self._resting.stop()
        self._resting = self.set_timer(seconds, do)

    def _show_all(self, key: Key | None) -> None:
        self._whole = key
        self.draw()

    # The keyboard.

    @property
    def words(self) -> str:
        """The filter, which the shelf has: it finds games of tournaments, too."""
        return self.conductor.shelf.words

    def narrow(self, words: str) -> None:
        if words != self.words:
            self.turn(Shelf.filtered, words)

    def take(self, text: str) -> None:
        """Do what was asked with the typed text."""
        if self.typing.asked is Prompt.VERSIONS:
            self.conductor.compare_versions(text, self.while_shown(self._show_compared))
        elif self.typing.asked is Prompt.FILE:
            self.conductor.import_games(named(text.strip()))
        elif self.typing.asked is Prompt.NAME:
            self.conductor.rename(text)

    # Actions.

    def ask_name(self) -> None:
        item = self.conductor.item
        if used := self._used():
            self.conductor.say(used)
        elif item is not None:
            self.ask_for(Prompt.NAME, Path(item.name).stem if item.kind in FILES else item.given)

    def compare(self) -> None:
        if versions := self.conductor.versions:
            self.ask_for(Prompt.VERSIONS, versions)
        else:
            self.conductor.compare(self.while_shown(self._show_compared))

    def _show_compared(self, found: Compared | Report) -> None:
        self.app.push_screen(PoolScreen(found) if isinstance(found, Report) else CompareScreen(found))

    def delete(self) -> None:
        if used := self._used():
            self.conductor.say(used)
        else:
            self.conductor.delete()

    def _used(self) -> str:
        """Say why this app needs the marked item in place, in a line; '' if it does not."""
        item, app = self.conductor.item, self.shell
        if item is None or not isinstance(item.place, Path):
            return ""
        use = app.use_of(item.place)
        return use and f"{item.name} {use}"

    @property
    def exports(self) -> Mapping[str, str] | None:
        return None if self.conductor.item is None else suggested(self.conductor.item)

    def copies(self) -> list[Copy]:
        item = self.conductor.item
        return [] if item is None else of_item(item, self.shell.database)

    def on_canvas_clicked(self, message: Panel.Clicked) -> None:
        """A click on a tab shows its kind."""
        self.turn(Shelf.of_kind, message.target)

    # Opening.

    def open_item(self) -> None:
        """Open the item on its own screen."""
        item = self.conductor.item
        if item is None:
            return
        if item.fault:
            self.conductor.say(f"Cannot open this item: {item.fault}")
        elif isinstance(item.place, int) and item.kind is Kind.GAME:
            self.conductor.fetch(item.place, self.while_shown(self._show_game))
        elif item.kind is Kind.TABLE:
            self._play(item)
        else:
            self.shell.begin("train" if item.kind is Kind.RUN else item.kind.value, item.place)

    def train(self) -> None:
        item = self.conductor.item
        if item is not None and item.kind in (Kind.TABLE, Kind.RUN) and isinstance(item.place, Path) and not item.fault:
            self.shell.begin("train", item.place)
        else:
            self.conductor.say("Only tables and runs open on the Train screen")

    def _play(self, item: Item) -> None:
        try:
            self.shell.play(PlaySetup(item.game, None, (ME, f"table:{item.place}"), fresh_seed()).validate())
        except InputError as fault:
            self.conductor.say(f"Cannot play against this table: {fault}")

    def _show_game(self, found: GameInfo) -> None:
        self.shell.show_game(kept_game(found, found.name or f"game {found.short}, {usual_name(found.game)}"))

    # Commands.

    def turn(self, to: Callable[..., Shelf], *given: Any) -> None:
        """Show the shelf otherwise: another kind, order or filter."""
        self.conductor.turn(to(self.conductor.shelf, *given))

    def _has_item(self) -> Possible:
        return self.conductor.item is not None or NotNow("No item is listed")

    ROWS: ClassVar[tuple[Command[LibraryScreen], ...]] = (
        Command("enter", "open", "open", "Open the item on its screen", open_item, _has_item),
        Command("enter", "typed", "apply", "Apply the typed text", when=is_typing),
        UNTYPE,
        *filtering("items"),
        Command("s", "sort", "sort", "Sort by date, name or size", lambda s: s.turn(Shelf.sorted_otherwise)),
        Command("c", "compare", "compare", "Compare marked items, or rate marked tournaments", compare, _has_item),
        export_row("Export the item to a file for other programs", _has_item),
        Command("i", "import", "import", IMPORT, lambda s: s.ask_for(Prompt.FILE)),
        Command("d,delete", "delete", "delete", "Delete the item; u restores it", delete, _has_item),
        Command("u", "undo", "undo", "Restore what was deleted last", lambda s: s.conductor.undo()),
        Command("R", "rename", "rename", "Rename the item", ask_name, _has_item),
        Command("space", "mark", "mark", MARK, lambda s: s.conductor.mark(), _has_item),
        Command("t", "train", "train", "Show its table on the Train screen", train, show=False),
        Command("r", "look", "refresh", "Read the list again", lambda s: s.conductor.look(), show=False),
        Command(
            "left,h", "turn(-1)", "Previous kind", "The previous kind", lambda s: s.turn(Shelf.turned, -1), show=False
        ),
        Command("right,l", "turn(1)", "Next kind", "The next kind", lambda s: s.turn(Shelf.turned, 1), show=False),
        *map(_of_kind, range(6)),
    )
