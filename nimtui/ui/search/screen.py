"""The Search screen: the tree, its windows, the events in time."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType

from nimtui.errors import InputError
from nimtui.games import base
from nimtui.report.lines import Ink, Line, fit, line
from nimtui.ui.kit.clipboard import Copy
from nimtui.ui.kit.footer import Footer
from nimtui.ui.kit.glyphs import Glyphs
from nimtui.ui.kit.header import Header
from nimtui.ui.kit.keymap import key_of
from nimtui.ui.kit.mode_screen import ModeScreen
from nimtui.ui.kit.panel import Panel
from nimtui.ui.kit.remaining import compiling_text
from nimtui.ui.kit.shell import shell
from nimtui.ui.kit.typing_line import Prompt
from nimtui.ui.play.compare_setup import beside
from nimtui.ui.search import keys as search_keys
from nimtui.ui.search import view as search_view
from nimtui.ui.search.conductor import SearchConductor
from nimtui.ui.search.copies import of_setup
from nimtui.ui.search.files import write
from nimtui.ui.search.form import SearchChoice, SearchExport
from nimtui.ui.search.setup import SearchSetup, unseeded
from nimtui.ui.search.stage import SearchStage
from nimtui.ui.search.tree import TRIES, SearchTree

MORE = 1_000  # simulations at one key
BUSY = "The search does not stand still. Try again, or pause first (space)"
PACES = (1, 4, 16, 64, 256, 1024)  # events per tick while the search is played


class SearchScreen(ModeScreen[SearchConductor]):
    """Forwards keys to the app's conductor, which runs the search, and to the stage, which shows it."""

    CONDUCTOR = SearchConductor
    BINDING_GROUP_TITLE = "Search"
    HELP = search_keys.HELP
    AUTO_FOCUS = "#tree"
    BINDINGS: ClassVar[list[BindingType]] = [
        *search_keys.WALKING,
        *search_keys.ALWAYS,
        *search_keys.SEARCHING,
        *search_keys.TYPING,
        *search_keys.MORE,
        *search_keys.WAITING,
    ]

    def __init__(self) -> None:
        super().__init__()
        self._message = ""
        self._playing = False
        self._pace = PACES[0]

    @property
    def stage(self) -> SearchStage:
        return self.query_one(SearchStage)

    def compose(self) -> ComposeResult:
        yield Header()
        yield Panel(id="status")
        yield SearchStage(self.conductor)
        yield Panel(id="prompt")
        yield Footer()

    def on_mount(self) -> None:
        if self.conductor.setup is None:
            self.call_after_refresh(self.action_new)

    def start(self, setup: SearchSetup | None) -> None:
        """Start this search."""
        if setup is None:
            return
        self._playing, self._message = False, ""
        try:
            self.conductor.start(setup)
        except InputError as fault:
            self.notify(str(fault), title="Cannot start this search", severity="error")

    # Showing.

    def tick(self) -> None:
        if self._playing and not self.stage.step(self._pace):
            self._playing = False
        if self.conductor.running:
            self.stage.draw()
        if self._playing or self.conductor.working:
            self.typing_changed()

    def draw(self) -> None:
        if self.there:
            self.stage.draw()
            self.typing_changed()

    def typing_changed(self) -> None:
        stage = self.stage
        moment = stage.slider.moment if stage.slider is not None and stage.walking else ""
        self.fill("status", search_view.status(self.conductor, moment))
        self.fill("prompt", self._prompt)
        self.draw_footer()

    def _prompt(self, columns: int, rows: int, signs: Glyphs) -> list[Line]:
        """Paint the typed text, an error, a message or a hint."""
        if self.typing.open:
            return [self.typing.line("Find moves or position", columns, signs)]
        fault = self.conductor.fault
        said = (f"{signs.fault} {fault}", Ink.BAD) if fault else (self._message or self._hint(), Ink.QUIET)
        return [fit(line(said), columns, signs)]

    def _hint(self) -> str:
        conductor = self.conductor
        if conductor.running and (compiling := compiling_text()):
            return f"{compiling[0].upper()}{compiling[1:]}. esc stops"
        if conductor.running:
            return "Searching. Walk, fold and unfold at any time. Space pauses, esc stops"
        if conductor.paused:
            return "Paused. Space continues, esc stops" + ("" if self.stage.windows else ". m searches more")
        if conductor.limit:
            return conductor.limit[:1].upper() + conductor.limit[1:]
        if conductor.stopped:
            return f"Stopped. Press {key_of('search.go-on', 'c')} to continue" + (
                "" if self.stage.windows else f", {key_of('search.more', 'm')} for more"
            )
        if self.stage.walking:
            return "← → fold  0-9 unfold to depth  home end first/last event  < > cutoffs  N new"
        return ""

    def on_search_stage_said(self, message: SearchStage.Said) -> None:
        self._message = message.text
        self.typing_changed()

    def on_search_tree_moved(self, message: SearchTree.Moved) -> None:
        self._playing = False
        if self._message:
            self._message = ""
            self.typing_changed()

    def on_screen_suspend(self) -> None:
        self._playing = False

    # The keyboard.

    def action_find(self) -> None:
        self.typing.begin(Prompt.POSITION)
        self.typing_changed()

    def take(self, text: str) -> None:
        """Go to the node that these moves or this position name."""
        with self.conductor.still(TRIES) as still:
            if not still:
                raise InputError(BUSY)
            self.stage.find(text)

    # Actions.

    def copies(self) -> list[Copy]:
        setup = self.conductor.setup
        return [] if setup is None else [*self.stage.copies(), of_setup(setup)]

    def possible(self, action: str) -> bool | None:
        there = self.there and bool(self.query(SearchStage))
        return there and search_keys.possible(action, self.conductor, self.stage)

    def action_pause(self) -> None:
        self._message = ""
        self.conductor.pause()

    def action_resume(self) -> None:
        self._playing, self._message = False, ""
        self.conductor.resume()

    def action_stop(self) -> None:
        self._message = ""
        self.conductor.stop()

    def action_wait(self) -> None:
        """Say why a key has to wait."""
        self._message = "Pause first (space)" if self.conductor.running else "Opening the tree"
        self.typing_changed()

    def action_go_on(self) -> None:
        self._more(SearchConductor.go_on)

    def action_more(self) -> None:
        """Run a thousand simulations more, or search one ply deeper."""
        deeper = self.stage.windows
        self._more(lambda conductor: conductor.deepen() if deeper else conductor.simulate(MORE))

    def action_more_of_one(self) -> None:
        self._more(lambda conductor: conductor.simulate(1))

    def action_prove(self) -> None:
        self._more(SearchConductor.prove)

    def _more(self, what: Callable[[SearchConductor], object]) -> None:
        self._playing, self._message = False, ""
        try:
            what(self.conductor)
        except InputError as fault:
            self._message = str(fault)[:1].upper() + str(fault)[1:]
        self.typing_changed()

    def action_play(self) -> None:
        """Play the events, from the first one if the whole search is shown; or pause."""
        slider = self.stage.slider
        self._playing = not self._playing
        if self._playing and slider is not None and slider.at is None:
            self.stage.seek(0)
        self.typing_changed()

    def action_pace(self, by: int) -> None:
        """Play more or fewer events per tick."""
        self._pace = PACES[max(0, min(len(PACES) - 1, PACES.index(self._pace) + by))]
        self._message = f"{self._pace:,} event{'s' * (self._pace > 1)} per step"
        self.typing_changed()

    def action_event(self, by: int) -> None:
        self._playing = False
        self.stage.step(by)
        self.typing_changed()

    def action_to_cut(self, by: int) -> None:
        self._playing = False
        self.stage.to_cut(by < 0)
        self.typing_changed()

    def action_edge(self, end: int) -> None:
        self._playing = False
        self.stage.seek(None if end else 0)
        self.typing_changed()

    def action_next_cut(self, by: int) -> None:
        self._walk(lambda stage: stage.next_cut(by < 0))

    def action_principal(self) -> None:
        self._walk(lambda stage: stage.toggle_filter("principal"))

    def action_cuts(self) -> None:
        self._walk(lambda stage: stage.toggle_filter("cuts"))

    def action_wins(self) -> None:
        self._walk(lambda stage: stage.toggle_filter("wins"))

    def action_all(self) -> None:
        self._walk(lambda stage: stage.toggle_filter(stage.filter))

    def action_to_ply(self, ply: int) -> None:
        self._walk(lambda stage: stage.fold_to(ply))

    def action_same(self) -> None:
        self._walk(SearchStage.next_same)

    def _walk(self, what: Callable[[SearchStage], object]) -> None:
        self._playing, self._message = False, ""
        with self.conductor.still(TRIES) as still:
            if still:
                what(self.stage)
        self._message = self._message if still else BUSY
        self.typing_changed()

    def action_compare(self) -> None:
        """Compare agents on the marked position, this search first."""
        setup, game = self.conductor.setup, self.conductor.game
        if setup is not None and game is not None:
            here = self.stage.state() if self.stage.walking else None
            going_on = here is not None and base.outcome(here) == base.GOING_ON
            position = game.position_name(here) if here is not None and going_on else setup.position
            shell(self).begin("compare", beside(setup.game, position, unseeded(setup.search)))

    def action_root(self) -> None:
        """Search the marked position with the same settings."""
        setup, game = self.conductor.setup, self.conductor.game
        if setup is not None and game is not None:
            self.start(SearchSetup(setup.game, game.position_name(self.stage.state()), setup.search))

    def action_new(self) -> None:
        self.app.push_screen(SearchChoice(self.conductor.setup), self.start)

    def action_export(self) -> None:
        def chosen(path: Path | None) -> None:
            if path is None:
                return
            try:
                write(path, self.conductor)
                self._message = f"Saved to {path}"
            except InputError as fault:
                self.notify(str(fault), title="Not saved", severity="error")
            self.typing_changed()

        self.app.push_screen(SearchExport(self.conductor), chosen)
