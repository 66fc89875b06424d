"""The screen of long work: lines around its panels, its dialogs, and the commands that start, pause and stop it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Generic, TypeVar

from textual.app import ComposeResult
from textual.message import Message
from textual.widget import Widget

from nimtui.errors import InputError
from nimtui.jobs.work import RUNNING, State
from nimtui.report.lines import Ink, Line, Run, cut, line
from nimtui.report.values import Progress
from nimtui.store.run_files import RunFile
from nimtui.ui.kit.contract.command import Command, NotNow, Possible
from nimtui.ui.kit.forms.dialogs import ExportForm, SavedList, StartDialog
from nimtui.ui.kit.terminal.glyphs import Glyphs
from nimtui.ui.kit.widgets.page import ModeScreen, Of
from nimtui.ui.kit.widgets.panel import Paint, painter

Stage = TypeVar("Stage", bound=Widget)


class WorkScreen(ModeScreen[Of]):
    """Shows long work, and asks what to start if there is none.

    A room adds its panels, its lines above and below them, its dialogs, and its own commands to those of `work_rows`.
    """

    WRONG: ClassVar[str] = ""  # the title of the notice if a setup is invalid
    ASKS: ClassVar[bool] = True  # at once, if there is no work to show?
    NEW: ClassVar[type[StartDialog[Any, Any]]]  # asks what to start
    SAVED: ClassVar[type[SavedList]]  # lists what can be opened

    def on_mount(self) -> None:
        if self.ASKS:
            self.call_after_refresh(lambda: self.ask() if self.conductor.idle else None)

    # Starting.

    @property
    def work(self) -> Any:
        """Return the conductor, as what every room's has: setup, start, resume, look and export."""
        return self.conductor

    @property
    def last(self) -> Any:
        """Return the setup of the work that is shown, None without one."""
        return self.work.setup

    def ask(self) -> None:
        """Ask what to start."""
        self.app.push_screen(self.NEW(self.last), self.start)

    def ask_saved(self) -> None:
        """Ask which saved work to open."""
        self.app.push_screen(self.SAVED(), self.start)

    def begin(self, answer: Any) -> None:
        """Start this setup, resume the work saved in this file, or show the run of another nimtui.

        Raises InputError if the setup is invalid."""
        if isinstance(answer, RunFile):
            self.work.watch_run(answer) if answer.is_on else self.work.continue_run(answer)
        else:
            (self.work.resume if isinstance(answer, Path) else self.work.start)(answer)

    def start(self, answer: Any) -> None:
        """Start this setup, or resume the work saved here; None: neither."""
        try:
            if answer is not None:
                self.begin(answer)
        except InputError as fault:
            self.notify(str(fault), title=self.WRONG, severity="error")

    # Exports.

    @property
    def exports(self) -> Mapping[str, str] | None:
        """Return free names for an export, each with its content; None if there is nothing to export."""
        return None

    def export(self, path: Path) -> None:
        """Write results to this new file."""
        self.work.export(path)

    def ask_export(self) -> None:
        if (offers := self.exports) is None:
            self.notify("Nothing to export: its games are not saved.", severity="warning")
        else:
            self.app.push_screen(ExportForm(offers), lambda path: self.export(path) if path is not None else None)

    # Showing.

    def tick(self) -> None:
        if self.work.look():
            self.draw()
        else:
            self.draw_lines()


TAKE = "Take the run over: the other nimtui saves it and ends, and it continues here"


def foreign(screen: WorkScreen[Any]) -> Possible:
    """Return whether the run of another nimtui is shown."""
    run = screen.conductor.foreign
    return (run is not None and run.state != "finished") or NotNow("Nothing to take over here", absent=True)


def turn(screen: WorkScreen[Any]) -> None:
    """Pause the work, or continue it."""
    screen.work.pause_or_go_on()


BAR = 20  # cells of a bar at most


@painter
def progress(columns: int, rows: int, signs: Glyphs, share: float, *parts: str) -> list[Line]:
    """Draw how far work is: a bar, its per cent, and as many of these parts as fit, the first in any case."""
    texts = [signs.plain(part) for part in parts if part]
    while len(texts) > 1 and len(" · ".join(texts)) > columns - 14:
        texts.pop()
    text = signs.plain(" · ").join(texts)
    bar = max(0, min(BAR, columns - len(text) - 8))
    percent = f"{Progress(share).text:>{5 if bar else 0}}  "
    track = Ink.EATEN if signs.grounds else None
    bar_line = line(Run(signs.bar(share, bar), Ink.JOB, track), (" " * bool(bar) + percent, Ink.STRONG), text)
    return [cut(bar_line, columns, signs.hidden)]


def pace(state: State, running: Sequence[str], rest: str = "") -> Sequence[str]:
    """Return how work runs, or its state and the `rest`."""
    return running if state.runs else ("‖ " * (state is State.PAUSED) + state.word, rest)


def during(*states: State) -> Callable[[WorkScreen[Any]], bool]:
    """Return the condition of a command that is possible while the work is in one of these states."""
    return lambda screen: screen.conductor.state in states


def work_rows(work: str, stop: str, *paused: State) -> tuple[Command[WorkScreen[Any]], ...]:
    """Return the commands that pause, continue and stop work; `paused`: the states to continue from.

    `stop` says what becomes of the finished part: 'Stop; every finished game is saved'.
    """
    return (
        Command("space", "pause", "pause", f"Pause the {work}", turn, during(*RUNNING)),
        Command("space", "go_on", "continue", f"Continue the {work}", turn, during(*paused)),
        Command("T", "take", "take over", TAKE, lambda s: s.conductor.take(), foreign),
        Command("x", "stop", "stop", stop, lambda s: s.conductor.stop(), during(*RUNNING, State.PAUSED)),
    )


def new_row(work: str, key: str = "N", show: bool = True) -> Command[WorkScreen[Any]]:
    """Return the command that asks which work to start."""
    return Command(key, "new", "new", f"Start a new {work}", lambda s: s.ask(), show=show)


def export_row(about: str, when: Callable[[Any], Possible], show: bool = True) -> Command[WorkScreen[Any]]:
    """Return the command that asks for the file of an export."""
    return Command("e", "export", "export", about, lambda s: s.ask_export(), when, show)


@dataclass
class Said(Message):
    """A message of a stage for the line below it; '' if only the possible commands have changed."""

    text: str


class StageScreen(WorkScreen[Of], Generic[Of, Stage]):
    """A screen of work whose panels are one large picture, its stage."""

    STAGE: ClassVar[type[Any]]  # the class of the stage, made for the conductor
    _stage: Stage | None = None  # each row of a key asks for it at each tick: a query would take half a millisecond

    @property
    def stage(self) -> Stage:
        if self._stage is None or self._stage.parent is None:
            self._stage = self.query_one(self.STAGE)
        return self._stage

    def parts(self) -> ComposeResult:
        yield self.STAGE(self.conductor)

    @property
    def there(self) -> bool:
        stage = self._stage
        return super().there and ((stage is not None and stage.parent is not None) or bool(self.query(self.STAGE)))

    def possible(self, action: str, parameters: tuple[object, ...] = ()) -> Possible:
        return self.there and super().possible(action, parameters)

    def panels(self) -> Iterable[tuple[str, Paint]]:
        self.query_one(self.STAGE).draw()
        return ()

    def on_said(self, message: Said) -> None:
        self.conductor.message = message.text
        self.draw_lines()
