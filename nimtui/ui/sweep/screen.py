"""The Sweep screen: a heat map of a grid of settings, filled cell by cell, and the figures of the chosen cell."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Vertical

from nimtui.errors import InputError
from nimtui.learning.sweep_report import Unit
from nimtui.ui.kit.clipboard import Copy, command
from nimtui.ui.kit.entries import LARGEST_SEED
from nimtui.ui.kit.export import ExportForm
from nimtui.ui.kit.footer import Footer
from nimtui.ui.kit.header import Header
from nimtui.ui.kit.mode_screen import ModeScreen
from nimtui.ui.kit.panel import Panel
from nimtui.ui.kit.shell import shell
from nimtui.ui.kit.state import State
from nimtui.ui.sweep import view as sweep_view
from nimtui.ui.sweep.conductor import SweepConductor
from nimtui.ui.sweep.files import as_csv, parse_target, suggested
from nimtui.ui.sweep.form import Answer, SweepChoice, SweepList
from nimtui.ui.sweep.setup import SweepSetup
from nimtui.ui.sweep.view import Place
from nimtui.ui.train.setup import PERFECT, TrainSetup

TITLES = {Unit.GAMES: "Games to perfect play", Unit.SHARE: "Accuracy after the last game"}
NEED_SWEEP = {"unit", "export", "move", "grid", "train"}


class SweepScreen(ModeScreen[SweepConductor]):
    """Forwards the user's commands to the conductor, which belongs to the app."""

    CONDUCTOR = SweepConductor
    BINDING_GROUP_TITLE = "Sweep"
    HELP = """A sweep trains one learner with every combination of some constants, several times with different seeds. \
The map shows how many games each combination needs until it plays every position right.

A cell shows the median of its seeds and a shade, from · (worst) to █ (best). ▸ marks the best cell. "never": at least \
half of the seeds did not get there. A number with … is not final: some seeds are still missing.

a shows the final accuracy instead. With more than two varied constants, each further combination has its own grid. \
Page up and page down move between grids.

The trainings run in several processes, one per core by default. Their number does not change the results. Every \
finished training is saved at once: stop or close at any time, and resume later with o.

Enter trains the chosen cell on the Train screen with its first seed, move by move the same."""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "pause", "pause", key_display="space", tooltip="Pause the sweep"),
        Binding("space", "go_on", "continue", key_display="space", tooltip="Continue the sweep"),
        Binding("x", "stop", "stop", tooltip="Stop; every finished training is saved"),
        Binding("a", "unit", "accuracy", tooltip="Show games to perfect play, or accuracy"),
        Binding("enter", "train", "train", key_display="⏎", tooltip="Train the chosen cell and watch"),
        Binding("e", "export", "export", tooltip="Export the cells to a CSV or JSON file"),
        Binding("N", "new", "new", key_display="N", tooltip="Start a new sweep"),
        Binding("o", "kept", "saved sweeps", show=False, tooltip="Resume a stopped sweep, or show a finished one"),
        Binding("up,k", "move(-1,0)", "Cell above", show=False, tooltip="The cell above"),
        Binding("down,j", "move(1,0)", "Cell below", show=False, tooltip="The cell below"),
        Binding("left,h", "move(0,-1)", "Cell to the left", show=False, tooltip="The cell to the left"),
        Binding("right,l", "move(0,1)", "Cell to the right", show=False, tooltip="The cell to the right"),
        Binding("pageup", "grid(-1)", "Previous grid", show=False, tooltip="The same cell of the previous grid"),
        Binding("pagedown", "grid(1)", "Next grid", show=False, tooltip="The same cell of the next grid"),
        Binding("escape", "leave", "back", show=False, tooltip="Back; the sweep continues"),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._unit = Unit.GAMES
        self._place: Place | None = None
        self._shown: object = None  # the sweep of `_place`

    def compose(self) -> ComposeResult:
        yield Header()
        yield Panel(id="status")
        with Container(id="middle"):
            yield Panel(id="heat", classes="box -focus")
            with Vertical(id="side"):
                yield Panel(id="cell", classes="box").headed("The marked cell")
                yield Panel(id="ranking", classes="box").headed("All cells, the best first")
        yield Panel(id="progress")
        yield Panel(id="said")
        yield Footer()

    def on_mount(self) -> None:
        if self.conductor.sweep is None and not self.conductor.loading:
            self.call_after_refresh(self.action_new)

    def start(self, answer: Answer) -> None:
        """Start this sweep, or resume the one in this file."""
        try:
            if isinstance(answer, SweepSetup):
                self.conductor.start(answer)
            elif isinstance(answer, Path):
                self.conductor.resume(answer)
        except InputError as fault:
            self.notify(str(fault), title="Invalid sweep", severity="error")

    # Showing.

    def tick(self) -> None:
        if self.conductor.look():
            self.draw()
        else:
            self._draw_lines()

    def draw(self) -> None:
        """Draw the whole screen."""
        if not self.there:
            return
        sweep, view = self.conductor.sweep, self.conductor.view
        if sweep is not None and view is not None:
            if self._shown is not sweep.plan:
                same = self._place is not None and self._shown == sweep.plan
                self._shown = sweep.plan
                self._place = self._place if same else Place.of(sweep.plan)
            assert self._place is not None
            repeats = sweep.plan.repeats
            number = self._place.number
            self.query_one("#heat", Panel).heading = TITLES[self._unit]
            large = self.has_class("-framed")
            self.fill("heat", sweep_view.picture(self._place, view.cells, repeats, self._unit, large=large))
            self.fill("cell", sweep_view.figures(view.cells[number], repeats))
            self.fill("ranking", sweep_view.ranking(view.cells, repeats, self._unit, number))
        elif sweep is None:
            self.fill("heat", sweep_view.welcome)
        self._draw_lines()

    def _draw_lines(self) -> None:
        self.fill("status", sweep_view.status(self.conductor))
        self.fill("progress", sweep_view.progress(self.conductor))
        self.fill("said", sweep_view.message(self.conductor, self._unit))
        self.draw_footer()

    def on_resize(self, event: events.Resize) -> None:
        self.call_after_refresh(self.draw)  # in a frame the cells are large

    # Actions.

    def copies(self) -> list[Copy]:
        """Return the cells as CSV, and the command of this sweep."""
        plan, view = self.conductor.plan, self.conductor.view
        if plan is None:
            return []
        of = SweepSetup.of(plan, self.conductor.workers)
        more = {"repeats": of.repeats, "games": of.games, "seed": of.seed, "workers": of.workers}
        again = command("sweep", of.game, learner=of.learner, grid=of.grid, **more)
        cells = [] if view is None else [Copy("cells", lines=lambda: as_csv(view.cells).splitlines())]
        return [*cells, again]

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        state = self.conductor.state
        if action in ("pause", "stop"):
            return state is State.GOING or (action == "stop" and state is State.PAUSED)
        if action == "go_on":
            return state in (State.PAUSED, State.STOPPED, State.FAILED)
        if action in NEED_SWEEP:
            return state is not State.NONE
        return True

    def action_pause(self) -> None:
        self.conductor.pause_or_go_on()

    def action_go_on(self) -> None:
        self.conductor.pause_or_go_on()

    def action_stop(self) -> None:
        self.conductor.stop()

    def action_unit(self) -> None:
        self._unit = Unit.SHARE if self._unit is Unit.GAMES else Unit.GAMES
        self.draw()

    def action_move(self, down: int, across: int) -> None:
        if self._place is not None:
            self._place = self._place.moved(down, across)
            self.draw()

    def action_grid(self, by: int) -> None:
        if self._place is not None:
            self._place = self._place.other_grid(by)
            self.draw()

    def action_train(self) -> None:
        """Train the chosen cell with its first seed on the Train screen, while the sweep continues."""
        plan = self.conductor.plan
        if plan is None or self._place is None:
            return
        learner = plan.settings[self._place.number].learner
        seed = plan.seed_of(learner, 0)
        assert seed <= LARGEST_SEED
        view = self.conductor.view
        runs = dict(view.cells[self._place.number].runs) if view is not None else {}
        perfect = seed not in runs or runs[seed].perfect is not None
        goal = PERFECT if perfect else f"{plan.games:,}"
        shell(self).begin("train", TrainSetup(plan.game.name, learner, "", seed, goal))

    def action_new(self) -> None:
        plan = self.conductor.plan
        last = None if plan is None else SweepSetup.of(plan, self.conductor.workers)
        self.app.push_screen(SweepChoice(last), self.start)

    def action_kept(self) -> None:
        self.app.push_screen(SweepList(), self.start)

    def action_export(self) -> None:
        plan = self.conductor.plan
        if plan is not None:
            self.app.push_screen(ExportForm(suggested(plan), parse_target), self._export)

    def _export(self, path: Path | None) -> None:
        if path is not None:
            self.conductor.export(path)

    def action_leave(self) -> None:
        shell(self).action_go_back()
