"""The Sweep screen: a heat map of a grid of settings, filled cell by cell, and the figures of the chosen cell."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import ClassVar

from textual.app import ComposeResult
from textual.containers import Container, Vertical

from nimtui.jobs.work import RESUMABLE, State
from nimtui.learning.sweep_report import Unit
from nimtui.report.values import Count
from nimtui.ui.kit.clipboard import Copy
from nimtui.ui.kit.command import CELLS, Command, Possible, absent
from nimtui.ui.kit.entries import LARGEST_SEED, usual_name
from nimtui.ui.kit.mode_screen import WorkScreen, work_commands
from nimtui.ui.kit.panel import Panel, of_keys
from nimtui.ui.sweep import view as sweep_view
from nimtui.ui.sweep.form import SweepChoice, SweepList
from nimtui.ui.sweep.setup import SweepSetup, contents, suggested
from nimtui.ui.sweep.view import Place
from nimtui.ui.sweep.work import SweepWork
from nimtui.ui.train.setup import PERFECT, TrainSetup

TITLES = {Unit.GAMES: "Games to perfect play", Unit.SHARE: "Accuracy after the last game"}
SAME = "The same cell of the {} grid"
SAVED = "Resume a stopped sweep, or show a finished one"


class SweepScreen(WorkScreen[SweepWork], place="sweep"):
    """Forwards the user's commands to the conductor, which belongs to the app."""

    CONDUCTOR, WRONG = SweepWork, "Invalid sweep"
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

    def __init__(self) -> None:
        super().__init__()
        self._unit = Unit.GAMES
        self._place: Place | None = None
        self._shown: object = None  # the sweep of `_place`

    def content(self) -> ComposeResult:
        yield Panel(id="status")
        with Container(id="middle"):
            yield Panel(id="heat", classes="box -focus")
            with Vertical(id="side"):
                yield Panel(id="cell", classes="box").headed("The marked cell")
                yield Panel(id="ranking", classes="box").headed("All cells, the best first")
        yield Panel(id="progress")
        yield Panel(id="said")

    def begin(self, answer: SweepSetup | Path) -> None:
        """Start this sweep, or resume the one in this file."""
        if isinstance(answer, SweepSetup):
            self.conductor.start(answer)
        else:
            self.conductor.resume(answer)

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
        sweep, view = self.conductor.task, self.conductor.view
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
            self.fill("heat", of_keys(("N", "new sweep"), ("o", "open a saved sweep"), ("esc", "back")))
        self._draw_lines()

    def _draw_lines(self) -> None:
        self.fill("status", sweep_view.status(self.conductor))
        self.fill("progress", sweep_view.progress(self.conductor))
        self.fill("said", sweep_view.message(self.conductor, self._unit))
        self.draw_footer()

    # Actions.

    def copies(self) -> list[Copy]:
        """Return the cells as CSV, and the command of this sweep."""
        plan, view = self.conductor.plan, self.conductor.view
        if plan is None:
            return []
        cells = [] if view is None else [Copy("cells", lines=lambda: contents(".csv", plan, view.cells).splitlines())]
        return [*cells, SweepSetup.of(plan, self.conductor.workers).command]

    def turn_unit(self) -> None:
        self._unit = Unit.SHARE if self._unit is Unit.GAMES else Unit.GAMES
        self.draw()

    def move(self, down: int, across: int) -> None:
        if self._place is not None:
            self._place = self._place.moved(down, across)
            self.draw()

    def turn(self, by: int) -> None:
        if self._place is not None:
            self._place = self._place.other_grid(by)
            self.draw()

    def train(self) -> None:
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
        goal = PERFECT if perfect else Count(plan.games).text
        self.shell.begin("train", TrainSetup(usual_name(plan.game.name), learner, "", seed, goal))

    def ask(self) -> None:
        plan = self.conductor.plan
        last = None if plan is None else SweepSetup.of(plan, self.conductor.workers)
        self.app.push_screen(SweepChoice(last), self.start)

    @property
    def exports(self) -> Mapping[str, str] | None:
        return None if self.conductor.plan is None else suggested(self.conductor.plan)

    # Commands.

    def has_cells(self) -> Possible:
        return self.conductor.task is not None or absent("No sweep is shown yet")

    ROWS: ClassVar[tuple[Command[SweepScreen], ...]] = (
        *work_commands("sweep", "training", State.PAUSED, *RESUMABLE),
        Command("a", "unit", "accuracy", "Show games to perfect play, or accuracy", turn_unit, has_cells),
        Command("enter", "train", "train", "Train the chosen cell and watch", train, has_cells),
        Command("e", "export", "export", "Export the cells to a CSV or JSON file", WorkScreen.ask_export, has_cells),
        Command("N", "new", "new", "Start a new sweep", ask),
        Command("o", "kept", "saved sweeps", SAVED, lambda s: s.app.push_screen(SweepList(), s.start), show=False),
        *CELLS,
        Command("pageup", "grid(-1)", "Previous grid", SAME.format("previous"), lambda s: s.turn(-1), has_cells, False),
        Command("pagedown", "grid(1)", "Next grid", SAME.format("next"), lambda s: s.turn(1), has_cells, False),
        Command("escape", "leave", "back", "Back; the sweep continues", lambda s: s.shell.action_go_back(), show=False),
    )
