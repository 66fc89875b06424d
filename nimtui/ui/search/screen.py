"""The Search screen: the tree, the windows that tell why, the slider in time, the searches side by side."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.timer import Timer

from nimtui.errors import InputError
from nimtui.ui.kit.footer import Footer
from nimtui.ui.kit.header import Header
from nimtui.ui.kit.ink import Ink, Line, cut, line
from nimtui.ui.kit.page import BREAKPOINTS, Page
from nimtui.ui.kit.panel import Panel
from nimtui.ui.kit.shell import shell
from nimtui.ui.play.prompt import keys
from nimtui.ui.play.typing_line import Asked, TypingLine
from nimtui.ui.search import keys as search_keys
from nimtui.ui.search import view as search_view
from nimtui.ui.search.conductor import SearchConductor
from nimtui.ui.search.files import write
from nimtui.ui.search.form import SearchChoice, SearchExport
from nimtui.ui.search.setup import SearchSetup
from nimtui.ui.search.stage import SearchStage
from nimtui.ui.search.tree import SearchTree

PACES = (1, 4, 16, 64, 256, 1024)  # events at a time while the search is played


class SearchScreen(Page[None]):
    """Forwards what a person asks: the search is the conductor's, which is the app's; the stage shows it."""

    BINDING_GROUP_TITLE = "Search"
    HELP = search_keys.HELP
    AUTO_FOCUS = "#tree"
    HORIZONTAL_BREAKPOINTS = BREAKPOINTS
    BINDINGS: ClassVar[list[BindingType]] = [
        *search_keys.WALKING,
        *search_keys.ALWAYS,
        *search_keys.SEARCHING,
        *search_keys.TYPING,
    ]

    def __init__(self) -> None:
        super().__init__()
        self._typing = TypingLine(starts="")
        self._message = ""
        self._playing = False
        self._pace = PACES[0]
        self._ticker: Timer | None = None
        self._footer: tuple[bool | None, ...] = ()

    @property
    def conductor(self) -> SearchConductor:
        return shell(self).conductor(SearchConductor)

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
        super().on_mount()
        self._ticker = self.set_interval(shell(self).tick, self._tick)
        shell(self).settings_changed.subscribe(self, lambda _: self._draw())
        self.conductor.changed = self._draw
        if self.conductor.setup is None:
            self.call_after_refresh(self.action_new)

    def on_unmount(self) -> None:
        self.conductor.changed = lambda: None

    def start(self, setup: SearchSetup | None) -> None:
        """Begin this search."""
        if setup is None:
            return
        self._playing, self._message = False, ""
        try:
            self.conductor.start(setup)
        except InputError as fault:
            self.notify(str(fault), title="This cannot be searched", severity="error")

    # Showing.

    def _tick(self) -> None:
        if not self.is_current:
            return
        if self._playing and not self.stage.step(self._pace):
            self._playing = False
        if self._playing or self.conductor.working:
            self._draw_lines()
            if self.stage.comparing:
                self.stage.draw()

    def _draw(self) -> None:
        if self.there:
            self.stage.draw()
            self._draw_lines()

    def _draw_lines(self) -> None:
        stage = self.stage
        moment = stage.slider.moment if stage.slider is not None and stage.walking else ""
        self.query_one("#status", Panel).fill(search_view.status(self.conductor, moment))
        self.query_one("#prompt", Panel).fill(lambda columns, rows, signs: [self._prompt(columns)])
        footer = tuple(self.check_action(action, ()) for action in sorted(search_keys.ALL))
        if footer != self._footer:  # the footer is sent anew, so only when it says something else
            self._footer = footer
            self.refresh_bindings()

    def _prompt(self, columns: int) -> Line:
        """What is typed, or what there is to say."""
        signs, typing = shell(self).glyphs, self._typing
        if typing.open:
            end = keys("   ", "⏎", "  ", "esc") if not typing.fault else [(f"  {signs.fault} {typing.fault}", Ink.BAD)]
            said = line(("Find the moves: ", Ink.TEXT), (typing.text, Ink.STRONG), (signs.full, Ink.PICK), *end)
        elif self.conductor.fault:
            said = line((f"{signs.fault} {self.conductor.fault}", Ink.BAD))
        else:
            said = line((self._message or self._hint(), Ink.QUIET))
        return cut(line(*((signs.plain(run.text), run.ink) for run in said)), columns, signs.hidden)

    def _hint(self) -> str:
        if self.conductor.job is not None:
            return "It is searching: space holds it, esc stops it and shows what it has found"
        if self.stage.comparing:
            return "b shows the tree again"
        if self.stage.walking:
            return "← → fold   digits unfold to a ply   home end < > in time   N new search"
        return ""

    def on_search_stage_said(self, message: SearchStage.Said) -> None:
        self._message = message.text
        self._draw_lines()

    def on_search_tree_moved(self, message: SearchTree.Moved) -> None:
        self._playing = False
        if self._message:
            self._message = ""
            self._draw_lines()

    def on_screen_suspend(self) -> None:
        self._playing = False

    def on_screen_resume(self) -> None:
        self._draw()

    # The keyboard.

    def on_key(self, event: events.Key) -> None:
        """What is typed into the prompt. All other keys are bindings."""
        if not self._typing.open:
            return
        if event.key == "enter":
            self.action_typed()
        elif event.key == "escape" or not self._typing.takes(event.key, event.character):
            return
        event.stop()
        event.prevent_default()
        self._draw_lines()

    def on_paste(self, event: events.Paste) -> None:
        if self._typing.open:
            self._typing.add(event.text)
            self._draw_lines()

    def action_find(self) -> None:
        self._typing.begin(Asked.POSITION)
        self._draw_lines()

    def action_typed(self) -> None:
        """Enter: go to the node that these moves lead to, or say in place why there is none."""
        try:
            self.stage.find(self._typing.text)
            self._typing.close()
        except InputError as fault:
            self._typing.fault = str(fault)
        self._draw_lines()

    def action_untype(self) -> None:
        self._typing.close()
        self._draw_lines()

    # Actions.

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if not self.there or not self.query(SearchStage):
            return action not in search_keys.ALL
        return search_keys.possible(action, self.conductor, self.stage, self._typing.open)

    def action_pause(self) -> None:
        self.conductor.pause_or_go_on()

    def action_stop(self) -> None:
        self.conductor.stop()

    def action_play(self) -> None:
        """From the beginning where all is shown, else from where it is."""
        slider = self.stage.slider
        self._playing = not self._playing
        if self._playing and slider is not None and slider.at is None:
            self.stage.seek(0)
        self._draw_lines()

    def action_pace(self, by: int) -> None:
        """Play more or fewer events at a time."""
        self._pace = PACES[max(0, min(len(PACES) - 1, PACES.index(self._pace) + by))]
        self._message = f"{self._pace:,} event{'s' * (self._pace > 1)} at a time"
        self._draw_lines()

    def action_event(self, by: int) -> None:
        self._playing = False
        self.stage.step(by)
        self._draw_lines()

    def action_to_cut(self, by: int) -> None:
        self._playing = False
        self.stage.to_cut(by < 0)
        self._draw_lines()

    def action_edge(self, end: int) -> None:
        self._playing = False
        self.stage.seek(None if end else 0)
        self._draw_lines()

    def action_next_cut(self, by: int) -> None:
        self._walk(lambda stage: stage.next_cut(by < 0))

    def action_principal(self) -> None:
        self._walk(lambda stage: stage.toggle_filter("principal"))

    def action_cuts(self) -> None:
        self._walk(lambda stage: stage.toggle_filter("cuts"))

    def action_wins(self) -> None:
        self._walk(lambda stage: stage.toggle_filter("wins"))

    def action_to_ply(self, ply: int) -> None:
        self._walk(lambda stage: stage.fold_to(ply))

    def action_same(self) -> None:
        self._walk(SearchStage.next_same)

    def _walk(self, what: object) -> None:
        assert callable(what)
        self._playing, self._message = False, ""
        what(self.stage)
        self._draw_lines()

    def action_compare(self) -> None:
        """Show the searches side by side, or the tree again."""
        stage = self.stage
        stage.comparing = not stage.comparing
        self._message = ""
        if stage.comparing:
            try:
                self.conductor.compare()
            except InputError as fault:
                self.notify(str(fault), severity="warning")
        else:
            self.conductor.stop()
        self._draw()

    def action_root(self) -> None:
        """Search the marked position itself, in the same way."""
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
                self._message = f"Written: {path}"
            except InputError as fault:
                self.notify(str(fault), title="Nothing was written", severity="error")
            self._draw_lines()

        self.app.push_screen(SearchExport(self.conductor), chosen)
