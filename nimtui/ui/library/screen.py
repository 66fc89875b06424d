"""The Library screen: everything saved in one list, with details of each item."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container
from textual.timer import Timer

from nimtui.errors import InputError
from nimtui.foreign.paths import named
from nimtui.report.blocks import Report
from nimtui.store.rows import GameInfo
from nimtui.ui.kit.clipboard import Copy
from nimtui.ui.kit.entries import fresh_seed
from nimtui.ui.kit.export import ExportForm
from nimtui.ui.kit.footer import Footer
from nimtui.ui.kit.header import Header
from nimtui.ui.kit.mode_screen import Typing
from nimtui.ui.kit.panel import Panel
from nimtui.ui.kit.shell import shell
from nimtui.ui.kit.typing_line import Prompt
from nimtui.ui.kit.virtual_list import VirtualList
from nimtui.ui.library import view as library_view
from nimtui.ui.library.actions import parse_target, suggested
from nimtui.ui.library.compare import Compared
from nimtui.ui.library.compare_screen import CompareScreen, PoolScreen
from nimtui.ui.library.conductor import AtWork, LibraryConductor
from nimtui.ui.library.copies import of_item
from nimtui.ui.library.scan import game_title, kept_game
from nimtui.ui.library.shelf import FILES, Item, Kind
from nimtui.ui.play.setup import ME, PlaySetup

REST = 0.15  # seconds that the cursor must rest before an item is read
NEED_ITEM = {"open", "export", "delete", "rename", "mark", "compare"}
FILTER, NAME, FILE, VERSIONS = "filter", "name", "file", "versions"


class LibraryScreen(Typing):
    """Forwards the user's commands to the conductor, which holds the list."""

    BINDING_GROUP_TITLE = "Library"
    HELP = """Everything saved: tables that agents learned, training runs, games, tournaments and sweeps.

Left and right, or 1 to 6, choose a kind. / filters by words, or finds a game by its ID, as in 3:30. s sorts \
by date, name or size.

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
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "open", "open", key_display="⏎", tooltip="Open the item on its screen"),
        Binding("enter", "typed", "apply", key_display="⏎", tooltip="Apply the typed text"),
        Binding("escape", "untype", "cancel", key_display="esc", tooltip="Discard the typed text"),
        Binding("escape", "unfilter", "show all", key_display="esc", tooltip="Clear the filter"),
        Binding("slash", "filter", "filter", key_display="/", tooltip="Show only items with these words"),
        Binding("s", "sort", "sort", tooltip="Sort by date, name or size"),
        Binding("c", "compare", "compare", tooltip="Compare marked items, or rate marked tournaments"),
        Binding("e", "export", "export", tooltip="Export the item to a file for other programs"),
        Binding("i", "import", "import", tooltip="Import the games and tournaments of a text file"),
        Binding("d,delete", "delete", "delete", key_display="d", tooltip="Delete the item; u restores it"),
        Binding("u", "undo", "undo", tooltip="Restore what was deleted last"),
        Binding("R", "rename", "rename", key_display="R", tooltip="Rename the item"),
        Binding("space", "mark", "mark", key_display="space", tooltip="Mark the item, to compare it with others"),
        Binding("t", "train", "train", show=False, tooltip="Show its table on the Train screen"),
        Binding("r", "look", "refresh", show=False, tooltip="Read the list again"),
        Binding("left,h", "turn(-1)", "Previous kind", show=False, tooltip="The previous kind"),
        Binding("right,l", "turn(1)", "Next kind", show=False, tooltip="The next kind"),
        *(Binding(str(at + 1), f"kind({at})", f"Kind {at + 1}", show=False) for at in range(6)),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._conductor: LibraryConductor | None = None
        self._asked = FILTER
        self._before = ""  # the filter before it was edited
        self._resting: Timer | None = None

    @property
    def conductor(self) -> LibraryConductor:
        assert self._conductor is not None
        return self._conductor

    def compose(self) -> ComposeResult:
        yield Header()
        yield Panel(id="tabs")
        with Container(id="middle"):
            yield VirtualList(id="list", classes="box").headed("Saved items")
            yield Panel(id="details", classes="box").headed("Details")
        yield Panel(id="said")
        yield Footer()

    def on_mount(self) -> None:
        app = shell(self)
        self._conductor = LibraryConductor(app.jobs, app.database, self.draw, lambda: at_work(app.tournament_at_work()))
        app.settings_changed.subscribe(self, lambda _: self.draw())
        self.conductor.look()
        self.draw()

    def on_unmount(self) -> None:
        if self._conductor is not None:
            self._conductor.leave()

    def on_screen_resume(self) -> None:
        if self._conductor is not None and self._conductor.looked:
            self._conductor.look()

    def on_resize(self, event: events.Resize) -> None:
        if self._conductor is not None:
            self.call_after_refresh(self.draw)

    # Showing.

    def draw(self) -> None:
        if not self.there or self._conductor is None:
            return
        conductor = self._conductor
        self.fill("tabs", library_view.tabs(conductor.shelf))
        self.query_one(VirtualList).put(library_view.listing(conductor, datetime.now(), self.action_open))
        if conductor.details is not None or conductor.item is None:
            self.fill("details", library_view.details(conductor, self.has_class("-framed")))
        elif conductor.item is not None:
            self._rest()
        self._draw_said()

    def _draw_said(self) -> None:
        self.fill("said", library_view.message(self.conductor, self.typing, self._asked))
        self.draw_footer()

    def _rest(self) -> None:
        """Read the details of the marked item once the cursor rests on it."""
        if self._resting is not None:
            self._resting.stop()
        self._resting = self.set_timer(REST, self.conductor.read)

    # The keyboard.

    def typing_changed(self) -> None:
        if self._asked == FILTER:
            self.conductor.turn(self.conductor.shelf.filtered(self.typing.text))
        else:
            self._draw_said()

    def _ask(self, what: str, text: str) -> None:
        self._asked = what
        self.typing.begin(Prompt.FILE if what == FILE else Prompt.NAME, text)
        self._draw_said()

    # Actions.

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if self.typing.open or action in ("typed", "untype"):
            return self.typing.open and action in ("typed", "untype")
        if action == "unfilter":
            return self._conductor is not None and bool(self._conductor.shelf.words)
        if action in NEED_ITEM and (self._conductor is None or self._conductor.item is None):
            return None
        return True

    def action_typed(self) -> None:
        text, asked = self.typing.text, self._asked
        if asked == VERSIONS:
            try:
                self.conductor.compare_versions(text, self.while_shown(self._show_compared))
            except InputError as fault:
                self.typing.fault = str(fault)
                self._draw_said()
                return
        self.typing.close()
        if asked == NAME:
            self.conductor.rename(text)
        elif asked == FILE and text.strip():
            self.conductor.import_games(named(text.strip()))
        self.draw()

    def action_untype(self) -> None:
        self.typing.close()
        if self._asked == FILTER:
            self.conductor.turn(self.conductor.shelf.filtered(self._before))
        self.draw()

    def action_filter(self) -> None:
        self._before = self.conductor.shelf.words
        self._ask(FILTER, "")
        self.typing_changed()

    def action_unfilter(self) -> None:
        self.conductor.turn(self.conductor.shelf.filtered(""))

    def action_rename(self) -> None:
        item = self.conductor.item
        if used := self._used():
            self.conductor.say(used)
        elif item is not None:
            self._ask(NAME, Path(item.name).stem if item.kind in FILES else item.given)

    def action_import(self) -> None:
        self._ask(FILE, "")

    def action_turn(self, by: int) -> None:
        self.conductor.turn(self.conductor.shelf.turned(by))

    def action_kind(self, number: int) -> None:
        self.conductor.turn(self.conductor.shelf.of_kind(number))

    def action_sort(self) -> None:
        self.conductor.turn(self.conductor.shelf.sorted_otherwise())

    def action_look(self) -> None:
        self.conductor.look()

    def action_mark(self) -> None:
        self.conductor.mark()

    def action_compare(self) -> None:
        if versions := self.conductor.versions:
            self._ask(VERSIONS, versions)
        else:
            self.conductor.compare(self.while_shown(self._show_compared))

    def _show_compared(self, found: Compared | Report) -> None:
        self.app.push_screen(PoolScreen(found) if isinstance(found, Report) else CompareScreen(found))

    def action_delete(self) -> None:
        if used := self._used():
            self.conductor.say(used)
        else:
            self.conductor.delete()

    def _used(self) -> str:
        """Say why this app needs the marked item in place, in a line; '' if it does not."""
        item, app = self.conductor.item, shell(self)
        if item is None or not isinstance(item.place, Path):
            return ""
        use = app.use_of(item.place)
        return use and f"{item.name} {use}"

    def action_undo(self) -> None:
        self.conductor.undo()

    def action_export(self) -> None:
        item = self.conductor.item
        if item is not None:
            form = ExportForm(suggested(item), lambda text: parse_target(item, text))
            self.app.push_screen(form, lambda path: self.conductor.export(path) if path is not None else None)

    def copies(self) -> list[Copy]:
        item = self.conductor.item
        return [] if item is None else of_item(item, shell(self).database)

    # Opening.

    def action_open(self) -> None:
        """Open the item on its own screen."""
        item, app = self.conductor.item, shell(self)
        if item is None:
            return
        if item.fault:
            self.conductor.say(f"Cannot open this item: {item.fault}")
        elif isinstance(item.place, int):
            if item.kind is Kind.GAME:
                self.conductor.fetch(item.place, self.while_shown(self._show_game))
            else:
                app.begin("tournament", item.place)
        elif item.kind is Kind.SWEEP:
            app.begin("sweep", item.place)
        elif item.kind is Kind.RUN:
            app.begin("train", item.place)
        else:
            self._play(item, item.place)

    def action_train(self) -> None:
        item = self.conductor.item
        if item is not None and item.kind in (Kind.TABLE, Kind.RUN) and isinstance(item.place, Path) and not item.fault:
            shell(self).begin("train", item.place)
        else:
            self.conductor.say("Only tables and runs open on the Train screen")

    def _play(self, item: Item, place: Path) -> None:
        try:
            shell(self).play(PlaySetup(item.game, None, (ME, f"table:{place}"), fresh_seed()).validate())
        except InputError as fault:
            self.conductor.say(f"Cannot play against this table: {fault}")

    def _show_game(self, found: GameInfo) -> None:
        shell(self).show_game(kept_game(found, found.name or f"game {found.short}, {game_title(found.game)}"))


def at_work(tournament: tuple[int, str, int] | None) -> AtWork | None:
    """Return the tournament that this app plays now, if it is saved."""
    return AtWork(*tournament) if tournament is not None else None
