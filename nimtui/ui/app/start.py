"""The start screen: a menu of what nimtui can do. It needs no game and no engine."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from importlib import resources
from typing import Any, ClassVar, NamedTuple

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical
from textual.keys import key_to_character
from textual.timer import Timer
from textual.widgets import Static

from nimtui.playing.entries import fresh_seed
from nimtui.playing.levels import STARTING
from nimtui.playing.setup import PlaySetup
from nimtui.progress import Progress
from nimtui.report.lines import BLANK, Ink, Line, inked, line
from nimtui.ui.app import modes
from nimtui.ui.kit.contract import keymap
from nimtui.ui.kit.contract.command import Command
from nimtui.ui.kit.contract.mode import Mode
from nimtui.ui.kit.contract.shell import shell
from nimtui.ui.kit.forms.choices import Choice, Choices
from nimtui.ui.kit.forms.kept import KeptWork
from nimtui.ui.kit.terminal.glyphs import Glyphs
from nimtui.ui.kit.widgets import bars
from nimtui.ui.kit.widgets.page import Page
from nimtui.ui.kit.widgets.panel import Panel

PAUSE = 0.7  # seconds per frame
INKS = (Ink.QUIET, Ink.RIGHT, Ink.WRONG, Ink.OPEN)  # lost, right, wrong, undecided
WORDS = ("lost", "right", "wrong", "undecided")


class Frame(NamedTuple):
    """The map after so many games."""

    games: int
    right: int
    of: int
    rows: tuple[str, ...]  # a digit per position: its verdict


class Preview(Panel):
    """Shows the frames one after the other, the last one for good."""

    _at = 0
    _timer: Timer | None = None

    def on_mount(self) -> None:
        self.fill(self._painted)

    def play(self) -> None:
        """Show the next frame, unless the picture is hidden; the last one at once if nothing shall move."""
        app = shell(self)
        if self._timer is not None or not self.size.area or self._at == len(frames()) - 1:
            return
        if app.slow or app.link_is_slow or not app.settings.animation:
            self._at = len(frames()) - 1
        else:
            self._timer = self.set_timer(PAUSE, self._next)
        self.draw()

    def _next(self) -> None:
        self._timer = None
        if self.screen.is_current:
            self._at += 1
            self.play()
            self.draw()

    def on_resize(self) -> None:
        self.play()

    def _painted(self, columns: int, rows: int, signs: Glyphs) -> list[Line]:
        frame = frames()[self._at]
        letters = str.maketrans({str(at): sign for at, sign in enumerate(signs.verdicts)})
        title = line(("A table of scores learns the tower: every position, the end of the game first", Ink.TITLE))
        picture = [
            inked(row.translate(letters), [int(digit) if digit != " " else 0 for digit in row], INKS)
            for row in frame.rows
        ]
        after = f"after {frame.games:,} games  {frame.right} of {frame.of} right"
        legend = [
            part
            for at, word in enumerate(WORDS)
            for part in ((f"   {signs.verdicts[at]}", INKS[at]), (f" {word}", Ink.QUIET))
        ]
        return [title, *picture, BLANK, line((after, Ink.STRONG), *legend)][: rows + 1]


@cache
def frames() -> tuple[Frame, ...]:
    """Return all frames."""
    text = (resources.files("nimtui.ui.app") / "preview.txt").read_text("utf-8")
    frames = []
    for frame in text.split("\n\n"):
        head, *rows = frame.strip("\n").split("\n")
        games, right, of = map(int, head.split())
        frames.append(Frame(games, right, of, tuple(rows)))
    return tuple(frames)


INVITING = [mode for mode in modes.MODES if mode.letter]
TOWER = (1, 3, 5, 7)
BANNER, GAP = 4, 2  # lines of the banner and below it
WATCHED = PlaySetup(seats=("medium", "perfect"))


def tower(signs: Glyphs) -> str:
    """Return a picture of the classic tower of 16 matches."""
    widest = max(TOWER)
    lines = ("  ".join([signs.match] * matches).center(3 * widest - 2) for matches in TOWER)
    return "\n".join(line.rstrip() for line in lines)


RESUME = "Continue the training that was cut off"


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

Play Nim, Kayles or Connect Four against a machine, see what it thinks, and ask why you lost.
Train a learner by self-play, and watch it learn position by position.
Search a position, and explore the search tree and what was pruned.
Run a tournament of agents to see which is stronger, and how certain that is.
Run a sweep to compare a learner's settings.
Open the library to find your saved games, tables, tournaments and sweeps."""
    cut: KeptWork | None = None  # the newest training that was cut off

    def content(self) -> ComposeResult:
        with Vertical(id="middle"):
            with Horizontal(id="banner"):
                yield Static(id="tower", markup=False)
                with Vertical(id="about"):
                    yield Static("nimtui", id="name", markup=False)
                    yield Static("small games, and machines\nthat learn and search them", markup=False)
            yield Choices(self._choices())
            yield Static(id="faults", markup=False)
            yield Preview(id="preview", classes="box")

    def on_screen_resume(self) -> None:
        self.call_after_refresh(self.fetch, "looking", self._look, self._looked)

    @staticmethod
    def _look(_: Progress) -> KeptWork | None:
        from nimtui.ui.train.setup import cut_run

        return cut_run()

    def _looked(self, cut: KeptWork | None) -> None:
        if self.cut != cut:
            self.cut = cut
            self.draw()

    def draw(self) -> None:
        app = shell(self)
        self.query_one("#tower", Static).update(tower(app.glyphs))
        faults = "\n".join(f"{app.glyphs.fault} {app.glyphs.plain(line)}" for line in app.faults)
        self.query_one("#faults", Static).update(faults)
        choices = self.query_one(Choices)
        before, now = ({choice.value: choice for choice in each} for each in (choices.choices, self._choices()))
        marked = choices.marked.value if choices.marked else "app.tour"
        came = "back" in now and "back" not in before
        choices.show(list(now.values()), marked if marked in now and not came else next(iter(now)))
        self._make_room(len(now))
        self.refresh_bindings()
        self.query_one(Preview).play()

    def _make_room(self, choices: int) -> None:
        """Give up the gap below the banner, then the banner, where not all choices fit below it."""
        foot = 1 if shell(self).guide is None else 1 + bars.ROWS
        rows = self.size.height - 1 - foot - choices - len(shell(self).faults)
        self.set_class(rows < BANNER + GAP, "-tight")
        self.set_class(rows < BANNER, "-bare")

    def on_resize(self, event: events.Resize) -> None:
        self._make_room(len(self.query_one(Choices).choices))

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
        if self.cut is not None:
            rows.insert(0, ("resume", "Continue", self.cut.title))
        if shell(self).playing:
            rows.insert(0, ("back", "Continue", "the game as you left it"))
        return [Choice(*row, _letter(row[0])) for row in rows]

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
        Command("c", "back", "Continue the game", "", back, lambda screen: screen.shell.playing, show=False),
        Command("r", "resume", "Continue the training", RESUME, resume, lambda screen: bool(screen.cut), show=False),
        Command("s", "app.settings", "Settings"),
        Command("q", "app.quit", "Quit"),
    )
