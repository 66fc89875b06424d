"""The app: its modes, its keys, and what all screens share: jobs, settings, signs."""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, cast

from textual import constants
from textual.app import App, SystemCommand
from textual.binding import Binding
from textual.driver import Driver
from textual.notifications import SeverityLevel
from textual.screen import Screen
from textual.theme import Theme, ThemeProvider

from nimtui.errors import InputError
from nimtui.jobs import Jobs, runs_report
from nimtui.playing.levels import play_now
from nimtui.playing.setup import PlaySetup, fresh_seed, usual_name
from nimtui.store import files, paths
from nimtui.store import settings as store
from nimtui.store.settings import Settings
from nimtui.ui.app.commands import CommandsInOrder, HelpScreen, commands
from nimtui.ui.app.continuing import HANG_UP, Conductors, Continuing
from nimtui.ui.app.endings import CrashReporting, EndSignals
from nimtui.ui.app.inputs import Copying, Mouse
from nimtui.ui.app.modes import HEADER, MODES, screen_of
from nimtui.ui.app.start import StartScreen
from nimtui.ui.app.terminal import SIDES, TerminalInfo, cell_ratio, ratio_of
from nimtui.ui.app.themes import OFFERED, readable_variables, sheets, theme_for
from nimtui.ui.app.touring import TOUR, Touring
from nimtui.ui.kit.contract import START, Mode
from nimtui.ui.kit.contract.command import Command, Commanded, when
from nimtui.ui.kit.contract.shell import WeakSignal
from nimtui.ui.kit.contract.stack import Answering, Palette
from nimtui.ui.kit.forms.dialogs import Leaving, QuitScreen
from nimtui.ui.kit.terminal.glyphs import Glyphs

if TYPE_CHECKING:
    from nimtui.playing.replay import KeptGame
    from nimtui.ui.app.driver import CellSize
    from nimtui.ui.play.compare_setup import CompareSetup
    from nimtui.ui.play.replay_screen import ReplayScreen
    from nimtui.ui.play.screen import PlayScreen
    from nimtui.ui.train.setup import TrainSetup

FUNCTION_KEY = re.compile(r"f\d+")
TICK, SLOW_TICK = 0.25, 0.5  # seconds between two updates of running work
LOOK = 2.0  # seconds between two looks whether a run is long
NAMED = 3  # lines of a message about many files
LEAVE = "Leave the tour; Show me continues it"
ALWAYS = "Continue runs in the background when the link is cut, always"
NEVER = "Never continue runs in the background"
COPY = "Copy the position, the table, the command …"


def _first(key: str, action: str, name: str, about: str, do: Callable[[Any], object] | None = None) -> Command[Any]:
    """Return a command whose key comes before those of the screen, and stands in no footer."""
    return Command(key, action, name, about, do, show=False, priority=True)


class NimtuiApp(Commanded, Touring, Conductors, Continuing, Mouse, CrashReporting, place="everywhere"):
    """The whole app. `Shell` says what its methods do that screens call."""

    TITLE = "nimtui"
    CSS_PATH = sheets()  # type: ignore[assignment]  # a list of paths is what Textual wants
    ENABLE_COMMAND_PALETTE = True
    ALLOW_SELECT = False  # see `inputs`
    MODES: ClassVar[dict[str, str | Callable[[], Screen[Any]]]] = {
        START: StartScreen,
        **{mode.name: screen_of(mode.screen) for mode in MODES},
    }
    DEFAULT_MODE = START
    BINDING_GROUP_TITLE = "Everywhere"

    def __init__(
        self,
        settings: Settings,
        surroundings: TerminalInfo,
        *,
        setup: PlaySetup | TrainSetup | CompareSetup | None = None,
        mode: str = "",
        faults: tuple[str, ...] = (),
        left_out_files: tuple[str, ...] = (),
        typed_before: str = "",
    ) -> None:
        if settings.theme not in OFFERED:
            faults = (*faults, f"unknown theme '{settings.theme}': nimtui uses the default")
        # Before all else: Textual asks for the driver and the theme's kind of colours while it sets itself up.
        self.surroundings = surroundings
        self.typed_before = typed_before  # keys read before the start
        self.set_reactive(App.theme, theme_for(settings, surroundings))
        if isinstance(setup, PlaySetup):
            self.DEFAULT_MODE = "play"  # type: ignore[misc]  # here the app starts with the game
        super().__init__()
        self.jobs = Jobs()
        self.settings = settings
        self.setup = setup if isinstance(setup, PlaySetup) else None  # of the game started last
        self.faults = list(faults)  # problems at the start that were repaired, a line each
        self.glyphs: Glyphs = surroundings.glyphs(settings.glyphs)
        self._cell_ratio = SIDES  # the height of a cell in widths, if the window's size in pixels does not tell it
        self.settings_changed: WeakSignal[Settings] = WeakSignal(self, "settings changed")
        self._replay: ReplayScreen | None = None  # on top of the Play screen
        self._came_from: dict[str, str] = {}  # mode -> the one shown before it
        self._left_out = left_out_files  # a line for each of a person's own files that cannot be used
        self._asked, self._mode = setup, mode  # what to start, or else a mode, to show first

    @property
    def modes(self) -> tuple[Mode, ...]:
        return HEADER

    @property
    def slow(self) -> bool:
        """Whether the connection is slow, by the settings or by --slow."""
        return self.settings.slow or self.surroundings.slow

    @property
    def tick(self) -> float:
        return SLOW_TICK if self.slow else TICK

    def get_driver_class(self) -> type[Driver]:
        """Return Textual's driver; on Unix, our own version of it."""
        chosen = super().get_driver_class()
        if chosen.__name__ != "LinuxDriver":
            return chosen
        from nimtui.ui.app.driver import EarlyKeysDriver, SteadyDriver

        return EarlyKeysDriver if self.typed_before else SteadyDriver

    # Start and end.

    def on_mount(self) -> None:
        loop = asyncio.get_running_loop()

        def end(status: int) -> None:
            if status == HANG_UP:
                self.hang_up(self.unsaved_jobs)
            loop.call_soon_threadsafe(self._end, status)

        def last() -> None:
            self.jobs.shutdown()
            self.continue_elsewhere()

        self.end_signals = EndSignals(end, last)
        self.end_signals.listen()
        self.be_taken_over()
        self.set_interval(LOOK, self.look_around)
        self.call_after_refresh(self.look_around)
        self._apply_settings()
        self.theme_changed_signal.subscribe(self, self._theme_chosen)
        self.app_resume_signal.subscribe(self, lambda _: self.redraw())
        if lines := self._left_out:  # with paths relative to the home folder
            shown = [line.replace(f"{paths.home()}{os.sep}", "") for line in lines[:NAMED]]
            if more := len(lines) - len(shown):
                shown.append(f"and {more} more: nimtui games list names all")
            self.notify("\n".join(shown), title="Files not used", severity="warning", timeout=12)
        unseen = files.unseen_asides()
        for line in files.lines_of_asides(unseen):
            self.notify(line, title="Files set aside", severity="warning", timeout=12)
            self.call_after_refresh(files.see_asides, unseen)
        if isinstance(self._asked, PlaySetup):
            self.play(self._asked)
        elif self._asked is not None:
            self.begin(self._mode, self._asked)
        elif self._mode == TOUR:
            self.show_me()
        elif self._mode:
            self.action_mode(self._mode)

    def notify(
        self,
        message: str,
        *,
        title: str = "",
        severity: SeverityLevel = "information",
        timeout: float | None = None,
        markup: bool = False,
    ) -> None:
        """Show a notification as plain text: names and paths in it may contain markup or escapes."""
        text, heading = self.glyphs.plain(message), self.glyphs.plain(title)
        super().notify(text, title=heading, severity=severity, timeout=timeout, markup=False)

    def on_unmount(self) -> None:
        self.jobs.shutdown(timeout=0)
        if self.is_headless:
            self.end_signals.leave()  # otherwise after the terminal is restored

    async def action_quit(self) -> None:
        """Quit; ask first if something would be lost."""
        why = self.unfinished
        if not why or any(isinstance(screen, QuitScreen) for screen in self.screen_stack):
            self.exit()
            return
        saves = self.unfinished_game

        def answered(answer: Leaving | None) -> None:
            if answer == "save":
                self.switch_mode("play")  # the Play screen reports a failure
                cast("PlayScreen", self.screen_stack[0]).save_game(then=self.exit)
            elif answer is not None:
                if answer == "background":
                    self.choose_heirs()
                self.exit()

        self.push_screen(QuitScreen(why, saves=saves, continues=bool(self.long_work)), answered)

    @property
    def unfinished_game(self) -> bool:
        """Whether quitting would lose a game on the Play screen."""
        return self.playing and self.game_played.in_progress

    def save_game_in_progress(self) -> None:
        """Save the game on the Play screen in the Library, if it is not over."""
        if self.unfinished_game and (screen := self.first_screen("play")):
            cast("PlayScreen", screen).save_game()

    @property
    def unfinished(self) -> str:
        """What quitting now would end, a sentence each; '' for nothing."""
        game = "Your game on the Play screen is not over." if self.unfinished_game else ""
        return "\n".join(filter(None, (game, self.at_work, self.long_work)))

    @property
    def long_work(self) -> str:
        """What takes long and could continue in the background, a sentence each; '' for nothing."""
        if self.settings.background == "never":
            return ""
        return "\n".join(runs_report.sentence(one) for one in self.long_runs())

    def _end(self, status: int) -> None:
        self.end_signals.taken()
        self.exit(return_code=status)

    # Settings.

    @property
    def available_themes(self) -> dict[str, Theme]:
        """The themes by name, as the settings offer them."""
        return OFFERED

    def get_css_variables(self) -> dict[str, str]:
        """Return the theme's variables, its colours readable, and those of the style sheets."""
        variables = super().get_css_variables()
        self.theme_variables = readable_variables(self.current_theme, variables, self.surroundings)
        return self.theme_variables

    def change_settings(self, **values: Any) -> None:
        changed = self.settings.changed(**values)
        if changed == self.settings:
            return
        self.settings = changed
        self.when_typed_out(self._settle_settings)  # slow (all colours change), so a held key does it once, at its end

    def _tidy(self) -> None:
        self.settings_changed.let_go()
        super()._tidy()

    def _settle_settings(self) -> None:
        self._apply_settings()
        self.settings_changed.publish(self.settings)
        try:
            store.save(self.settings)
        except InputError as fault:
            self.notify(str(fault), title="Settings not saved", severity="warning")

    def _apply_settings(self) -> None:
        self.theme = theme_for(self.settings, self.surroundings)
        self.animation_level = constants.TEXTUAL_ANIMATIONS if self.settings.animation else "none"
        self._choose_glyphs()

    def _choose_glyphs(self) -> None:
        """Choose the signs by the settings, the theme, and the shape of a cell."""
        chosen, plain = self.surroundings.glyphs(self.settings.glyphs), self.current_theme.ansi
        ratio = (not self.is_headless and cell_ratio()) or self._cell_ratio
        self.glyphs = replace(chosen, grounds=chosen.grounds and not plain, ratio=ratio)
        self.set_class(self.glyphs.is_ascii, "-ascii")

    def on_cell_size(self, message: CellSize) -> None:
        self._cell_ratio = ratio_of(message.across, message.down) or SIDES
        self._choose_glyphs()
        self.settings_changed.publish(self.settings)  # all that draws with signs listens to it

    def on_resize(self) -> None:
        self._choose_glyphs()  # before the screens draw

    def _theme_chosen(self, theme: Theme) -> None:
        # The signal comes late: ignore it if another theme has been chosen since.
        if theme.name == self.theme != theme_for(self.settings, self.surroundings):
            self.change_settings(theme=theme.name)

    def get_key_display(self, binding: Binding) -> str:
        key = super().get_key_display(binding)
        return key.upper() if FUNCTION_KEY.fullmatch(key) else self.glyphs.keys(key)

    # Navigation.

    def play(self, setup: PlaySetup) -> None:
        self.setup = setup
        self.switch_mode("play")
        self._clear_the_board()
        cast("PlayScreen", self.screen_stack[0]).start(setup)

    def show_game(self, kept: KeptGame, ply: int = 0) -> None:
        from nimtui.playing.replay import Replay
        from nimtui.ui.play.replay_screen import ReplayScreen

        try:
            replay = Replay(kept, ply)
        except InputError as fault:
            self.notify(str(fault), title="Cannot show this game", severity="error")
            return
        before = self.current_mode
        if self._replay is not None and before == "play":
            before = self._replay.come_from
        self.switch_mode("play")
        self._clear_the_board()
        self._replay = ReplayScreen(replay, before)
        self.push_screen(self._replay)

    def leave_replay(self) -> None:
        if self._replay is not None:
            come_from = self._replay.come_from
            self._clear_the_board()
            self.action_mode(come_from if come_from != "play" or self.setup is not None else START)

    def _clear_the_board(self) -> None:
        """Close all screens on the Play mode's own, a review too, so that the mode shows a game."""
        self.close_all()
        self._replay = None

    def search(self, game: str, position: str) -> None:
        from nimtui.ui.search.setup import SearchSetup
        from nimtui.ui.search.work import SearchWork

        searching = self.conductor(SearchWork)
        last = searching.setup or SearchSetup()
        try:
            searching.start(SearchSetup(usual_name(game), position, last.search))
        except InputError as fault:
            self.notify(str(fault), title="Cannot search this position", severity="warning")
            return
        self.action_mode("search")

    def begin(self, mode: str, setup: object) -> None:
        if isinstance(setup, PlaySetup):
            self.play(setup)
        else:
            self.action_mode(mode)
            screen: Any = self.screen_stack[0]
            screen.start(setup)

    def action_mode(self, name: str) -> None:
        if name == "play" and self.setup is None and self._replay is None:
            self.action_play_now()
            return
        if name != self.current_mode:
            self._came_from[name] = self.current_mode
        self.switch_mode(name)

    def action_go_back(self) -> None:
        self.action_mode(self._came_from.get(self.current_mode, START))

    def action_play_now(self) -> None:
        """Start the classic tower against an opponent of the level reached."""
        self.play(play_now(self.settings.level))

    def action_new_game(self, setup: PlaySetup | None = None) -> None:
        from nimtui.ui.play.form import NewGame

        last = self.setup
        form = NewGame(replace(setup or last or PlaySetup(), seed=fresh_seed()), last_seed=last.seed if last else None)
        self.push_screen(form, lambda answer: self.play(answer) if answer is not None else None)

    def open_settings(self) -> None:
        from nimtui.ui.app.settings import SettingsScreen

        self.push_screen(SettingsScreen())

    def open_help(self) -> None:
        self.push_screen(HelpScreen(cast("Answering[Any]", self.screen)))

    def open_palette(self) -> None:
        title = self.glyphs.plain("What to do?")
        self.push_screen(Palette(providers=[CommandsInOrder], id="--command-palette", placeholder=title))

    def search_themes(self) -> None:
        self.push_screen(Palette(providers=[ThemeProvider], placeholder=self.glyphs.plain("Which theme?")))

    def asked_in_little_room(self) -> list[str]:
        return self.screen.text.splitlines() if isinstance(self.screen, QuitScreen) else []

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        """Yield the commands of the palette on this screen."""
        for title, about, action in commands(self, screen):
            yield SystemCommand(self.glyphs.plain(title), self.glyphs.plain(about), action)

    ROWS: ClassVar[tuple[Command[NimtuiApp], ...]] = (
        *(_first(mode.key, f"mode('{mode.name}')", mode.title, mode.about) for mode in HEADER),
        _first("f7", f"mode('{START}')", "Start", "Go to the start screen"),
        _first("ctrl+g", "app.tour", "Show me", "A tour of the real screens", Touring.show_me),
        Command("escape", "leave_tour", "Leave the tour", LEAVE, Touring.leave_tour, Touring.is_guided, show=False),
        _first("f9", "settings", "Settings", "Settings: theme, signs, pace", open_settings),
        Command("f1,question_mark", "help", "Help", "Show what every key does here", open_help),
        *when(
            Continuing.may_answer,
            Command("ctrl+o", "continue_runs", "Background: always", ALWAYS, lambda s: s.answer("always"), show=False),
            Command("ctrl+n", "end_runs", "Background: never", NEVER, lambda s: s.answer("never"), show=False),
        ),
        Command("q", "quit", "Quit", "Quit nimtui", show=False),
        _first("ctrl+p", "command_palette", "Commands", "Find any command by name", open_palette),
        Command("ctrl+y", "copy", "Copy", COPY, Copying.copy_shown, show=False),
        replace(_first("ctrl+q,ctrl+c", "quit", "Quit", ""), system=True),
        _first("ctrl+z", "suspend_process", "To the shell", "To the shell; fg returns"),
    )
