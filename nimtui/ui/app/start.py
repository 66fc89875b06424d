"""The start screen: a menu of what nimtui can do. It needs no game and no engine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical
from textual.keys import key_to_character
from textual.widgets import Static

from nimtui.jobs import Job, runs_report
from nimtui.playing.levels import STARTING
from nimtui.playing.setup import PlaySetup, fresh_seed, parse_game
from nimtui.progress import Progress
from nimtui.report.lines import Ink, Line, aimed, justified, line
from nimtui.store.run_files import RunFile
from nimtui.ui.app import modes
from nimtui.ui.app.continuing import SCREENS
from nimtui.ui.board.preview import Preview
from nimtui.ui.kit.contract import Mode, keymap
from nimtui.ui.kit.contract.command import Command
from nimtui.ui.kit.contract.shell import shell
from nimtui.ui.kit.forms.choices import Choice, Choices
from nimtui.ui.kit.forms.kept import KeptWork
from nimtui.ui.kit.terminal.glyphs import Glyphs
from nimtui.ui.kit.widgets import bars
from nimtui.ui.kit.widgets.page import Page, fits
from nimtui.ui.kit.widgets.panel import Panel, painter
from nimtui.ui.library.shelf import Item, Shelf, day

if TYPE_CHECKING:
    from nimtui.ui.library.catalogue import Scanner

MOST_RUNS = 3


@painter
def lately(columns: int, rows: int, signs: Glyphs, items: Sequence[Item]) -> list[Line]:
    """List what was saved last, newest first; a click shows it in the Library."""
    if not items:
        return _first_game(columns, rows, signs)
    names = [line(f"{item.label:<8}", (signs.plain(item.title), Ink.TEXT)) for item in items[:rows]]
    days = [line((day(item.when, datetime.now()), Ink.QUIET)) for item in items[:rows]]
    lines = (justified(name, when, columns) for name, when in zip(names, days, strict=True))
    return [aimed(each, item.key) for each, item in zip(lines, items, strict=False)]


def _first_game(columns: int, rows: int, signs: Glyphs) -> list[Line]:
    """Draw the board of Play now: there is nothing to continue."""
    from nimtui.ui.board import small_board
    from nimtui.ui.board.cursor import NOBODY

    game = parse_game(PlaySetup().game)
    title = line((f"Play now: {signs.plain(game.title)}", Ink.TITLE))
    return [title, *small_board.drawing(game, game.new(), NOBODY, columns, rows - 1, signs)]


@painter
def work(columns: int, rows: int, signs: Glyphs, jobs: Sequence[Job[Any]]) -> list[Line]:
    """Draw the running jobs, a line each."""
    return [line((bars.job_line(job, signs, columns), Ink.JOB)) for job in jobs[:rows]]


INVITING = [mode for mode in modes.MODES if mode.letter]
TOWER = (1, 3, 5, 7)
BANNER, GAP = 4, 2  # lines of the banner and below it
WATCHED = PlaySetup(seats=("medium", "perfect"))


def tower(signs: Glyphs) -> str:
    """Return a picture of the classic tower of 16 matches."""
    widest = max(TOWER)
    lines = ("  ".join([signs.match] * matches).center(3 * widest - 2) for matches in TOWER)
    return "\n".join(line.rstrip() for line in lines)


WATCH = "Show the run of another nimtui live, or continue one that was cut off"
RESUME = "Continue the training that was cut off"


def _run(key: str, at: int, word: str) -> Command[StartScreen]:
    """Return the command that shows one of the runs."""
    name, show = f"Run {word}", lambda screen: shell(screen).show_run(screen.runs[at])
    return Command(key, f"run({at})", name, WATCH, show, lambda screen: at < len(screen.runs), show=False)


def _opens(key: str, mode: Mode) -> Command[Any]:
    return Command(key, f"app.mode('{mode.name}')", mode.title, mode.about, show=False)


def _letter(action: str) -> str:
    """Return the character of an action's key; '' if the key has a longer name."""
    binding = next(one for one in Binding.make_bindings(StartScreen.BINDINGS) if one.action == action)
    sign = key_to_character(keymap.current(binding.id or "", (binding.key,))[0])
    return sign if sign is not None and sign.isprintable() else ""


class StartScreen(Page[None], place="start"):
    """Shows a menu; each choice has a letter."""

    BESIDE = (Choices,)
    BINDING_GROUP_TITLE = "Start"
    HELP = """nimtui is a laboratory in the terminal for how machines learn and search small games.

· Play Nim, Kayles or Connect Four, and ask why you lost.
· Train a learner by self-play; watch it learn each position.
· Search a position; see what the search pruned, and why.
· Run a tournament: who is stronger, and how certain is it?
· Run a sweep to compare a learner's settings.
· Open the library to find what you saved."""
    cut: KeptWork | None = None  # the newest training that was cut off
    runs: Sequence[RunFile] = ()  # of other programs

    @cached_property
    def _lately(self) -> Scanner:
        from nimtui.ui.library.catalogue import Scanner

        return Scanner()

    def content(self) -> ComposeResult:
        with Vertical(id="middle"):
            with Horizontal(id="top"):
                with Vertical(id="menu"):
                    with Horizontal(id="banner"):
                        yield Static(id="tower", markup=False)
                        with Vertical(id="about"):
                            yield Static("nimtui", id="name", markup=False)
                            yield Static("small games, and machines\nthat learn and search them", markup=False)
                    yield Choices(self._choices())
                    yield Static(id="faults", markup=False)
                with Vertical(id="beside"):
                    yield Panel(id="lately", classes="box").headed("Saved lately")
                    yield Panel(id="work", classes="box").headed(
                        "Running work", "What runs in the background will stand here."
                    )
            yield Preview(id="preview", classes="box")

    def on_screen_resume(self) -> None:
        self.call_after_refresh(self.fetch, "looking", self._look, self._looked)

    def _look(self, _: Progress) -> tuple[KeptWork | None, Sequence[Item] | None]:
        from nimtui.ui.train.setup import cut_run

        return cut_run(), self._lately.look(self.shell.database) if self.has_class("-huge") else None

    def _looked(self, found: tuple[KeptWork | None, Sequence[Item] | None]) -> None:
        cut, items = found
        if items is not None:
            self.fill("lately", lately(Shelf(tuple(items)).shown))
        if self.cut != cut:
            self.cut = cut
            self.draw()

    def tick(self) -> None:
        runs = [run for run in shell(self).others if run.kind in SCREENS][:MOST_RUNS]
        if self.runs != runs:
            self.runs = runs
            self.draw()
        if self.has_class("-huge"):
            self.query_one("#work", Panel).fill(work(self.shell.jobs.running()))

    def draw(self) -> None:
        app = shell(self)
        self.query_one("#tower", Static).update(tower(app.glyphs))
        faults = "\n".join(f"{app.glyphs.fault} {app.glyphs.plain(line)}" for line in app.faults)
        self.query_one("#faults", Static).update(faults)
        choices = self.query_one(Choices)
        before, now = ({choice.value: choice for choice in each} for each in (choices.choices, self._choices()))
        marked = choices.marked.value if choices.marked else "app.tour"
        came = any(action in now and action not in before for action in ("back", "run(0)"))
        choices.show(list(now.values()), marked if marked in now and not came else next(iter(now)))
        self._make_room(len(now))
        self.refresh_bindings()
        self.query_one(Preview).play()
        self.tick()

    def _make_room(self, choices: int) -> None:
        """Give up the gap below the banner, then the banner, where not all choices fit below it."""
        foot = 1 if shell(self).guide is None else 1 + bars.ROWS
        rows = self.size.height - 1 - foot - choices - len(shell(self).faults)
        self.set_class(rows < BANNER + GAP, "-tight")
        self.set_class(rows < BANNER, "-bare")

    def on_resize(self, event: events.Resize) -> None:
        self._make_room(len(self.query_one(Choices).choices))
        if fits(event.size, "-huge") and not self.has_class("-huge"):
            self.on_screen_resume()

    def _choices(self) -> list[Choice]:
        place, level = shell(self).tour_place, shell(self).settings.level
        tour = f"continue the tour at {place}" if place else "a table learns, errs, and you beat it"
        opponent = level.capitalize()
        starts = f"{opponent} moves first, you second" if level in STARTING else f"you move first, {opponent} second"
        rows = [
            ("app.tour", "Show me", tour),
            ("app.play_now", "Play now", starts),
            ("app.new_game", "New game", "choose the game and its players"),
            ("watch", "Watch", "watch two machines play each other"),
            *((f"app.mode('{mode.name}')", mode.title, mode.invitation) for mode in INVITING),
            ("app.settings", "Settings", "colours, signs, pace"),
            ("app.quit", "Quit", ""),
        ]
        if self.cut is not None and all(run.place != self.cut.path for run in self.runs):
            rows.insert(0, ("resume", "Continue", self.cut.title))
        if self.runs:
            rows.insert(0, ("app.runs", "Runs", "all runs side by side, by name"))
        for at, run in reversed(list(enumerate(self.runs))):
            word = "Watch it" if run.is_on else "Start again" if run.place is None else "Continue"
            rows.insert(0, (f"run({at})", word, runs_report.brief(run)))
        if shell(self).playing:
            rows.insert(0, ("back", "Continue", "the game as you left it"))
        return [Choice(*row, _letter(row[0])) for row in rows]

    def on_canvas_clicked(self, message: Panel.Clicked) -> None:
        """A click on what was saved lately shows it in the Library."""
        self.shell.begin("library", message.target)

    async def on_choices_taken(self, message: Choices.Taken) -> None:
        await self.run_action(message.choice.value)

    def watch_game(self) -> None:
        """Start a game of two machines at once; they need no preparation."""
        shell(self).play(replace(WATCHED, seed=fresh_seed()))

    def resume(self) -> None:
        """Continue the training that was cut off."""
        from nimtui.ui.train.form import GoOn

        if self.cut is not None:
            shell(self).begin("train", GoOn(self.cut.path))

    def back(self) -> None:
        self.shell.switch_mode("play")

    ROWS: ClassVar[tuple[Command[StartScreen], ...]] = (
        Command("m", "app.tour", "Show me", "A tour of the real screens", show=False),
        Command("p", "app.play_now", "Play now", show=False),
        Command("n", "app.new_game", "New game", "Choose the game and its players"),
        Command("w", "watch", "Watch", "Watch two machines play each other", watch_game, show=False),
        *(_opens(mode.letter, mode) for mode in INVITING),
        *(_opens(str(at), mode) for at, mode in enumerate(modes.HEADER, 1)),
        Command("R", "app.runs", "Runs", "All runs, three of them side by side", show=False),
        Command("c", "back", "Continue the game", "", back, lambda screen: screen.shell.playing, show=False),
        Command("r", "resume", "Continue the training", RESUME, resume, lambda screen: bool(screen.cut), show=False),
        *map(_run, "xyz", range(MOST_RUNS), ("first", "second", "third")),
        Command("s", "app.settings", "Settings"),
        Command("q", "app.quit", "Quit"),
    )
