"""The Sweep screen: a heat map of a grid of settings, filled cell by cell, and the figures of the chosen cell; and the
dialogs of a new sweep: ready, unfinished and saved sweeps, and the form as a table of fields.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.containers import Container, Vertical

from nimtui.errors import valid
from nimtui.games.notation import plural
from nimtui.jobs.work import RESUMABLE, State
from nimtui.learning.learner import make, parse_learner
from nimtui.learning.parameter import Parameter, Value, as_typed
from nimtui.learning.sweep import Grid, Plan
from nimtui.learning.sweep_report import Unit
from nimtui.playing.setup import LARGEST_SEED, usual_name
from nimtui.report.copies import Copy
from nimtui.report.values import Count
from nimtui.ui.kit.contract.command import CELLS, Command, Possible, absent, family
from nimtui.ui.kit.forms.dialogs import SavedList, StartDialog
from nimtui.ui.kit.forms.draft import Choice
from nimtui.ui.kit.forms.entries import WORKERS, game_field, number_field, offered, seed_field
from nimtui.ui.kit.forms.form import SetupForm
from nimtui.ui.kit.widgets.panel import Paint, Panel, of_keys
from nimtui.ui.kit.work_screen import WorkScreen, export_row, new_row, work_rows
from nimtui.ui.sweep import view as sweep_view
from nimtui.ui.sweep.setup import MOST_GAMES, MOST_REPEATS, PRESETS, SweepSetup, contents, saved_sweeps, suggested
from nimtui.ui.sweep.view import Place
from nimtui.ui.sweep.work import SweepWork
from nimtui.ui.train.form import LEARNER, LearnerDraft
from nimtui.ui.train.setup import PERFECT, TrainSetup

OPEN = "Resume a stopped sweep, or show a finished one"


# The dialogs.


@lru_cache(2)
def planned(setup: SweepSetup) -> Plan:
    """Return the plan of a setup. InputError if it is invalid."""
    return setup.plan()


@dataclass(frozen=True)
class SweepDraft(LearnerDraft[SweepSetup]):
    """A sweep while the form is filled in. A constant with several values is varied."""

    FIELDS = (
        game_field("any game: nim:7,5,3, tower:16, connect:4x4x4; with ntuple, net or linear also connect4, tower:49"),
        LEARNER,
        number_field(
            "repeats",
            "Repeats",
            MOST_REPEATS,
            "the number of repeats",
            "trainings per cell, each with its own seed",
            "seeds per cell; the map shows their median, the panel also their range",
            (Choice("5", "5"), Choice("20", "20", "a good picture"), Choice("1", "1")),
            "a whole number",
        ),
        number_field(
            "games",
            "Games",
            MOST_GAMES,
            "the number of games",
            "maximum per training",
            "a training ends once it plays every position right; after this many games it counts as never",
            offered("30,000", "100,000", "1,000,000"),
            "maximum number",
        ),
        seed_field("same seed, same results", "the same seed gives the same results, whatever the number of workers"),
        WORKERS,
    )
    first: tuple[str, ...] = ()  # the constants varied at first; they keep this order on the page

    @classmethod
    def of(cls, setup: SweepSetup) -> SweepDraft:
        return cls(cls.written(setup), tuple(part.partition("=")[0] for part in setup.grid))

    def setup(self) -> SweepSetup:
        parse_learner(self.texts["learner"])
        constants = {name: tuple(map(as_typed, self.value(name))) for name in self.parameters}
        fixed = [f"{name}={one[0]}" for name, one in constants.items() if not one[1:] and one[0] != self.usual(name)]
        varied = [name for name, values in constants.items() if values[1:]]
        varied.sort(key=lambda name: self.first.index(name) if name in self.first else len(self.first))
        learner = ":".join(filter(None, (self.word, ",".join(fixed))))
        grid = tuple(f"{name}={','.join(constants[name])}" for name in varied)
        return SweepSetup(**{**self.values(), "learner": learner}, grid=grid)

    def examine(self) -> None:
        planned(self.setup())

    def read(self, name: str, parameter: Parameter, text: str) -> tuple[Value, ...]:
        return Grid.read(self.word, {name: parameter}, [f"{name}={text}"]).values[name]

    @property
    def size(self) -> str:
        """Return '36 cells × 5 repeats: 180 trainings'; '' while unknown."""
        if (plan := valid(lambda: planned(self.setup()))) is None:
            return ""
        cells = plural(plan.grid.cells, "cell", "cells")
        repeats = plural(plan.repeats, "repeat", "repeats")
        return f"{cells} × {repeats}: {plan.grid.cells * plan.repeats:,} trainings"

    def further(self, parameter: Parameter) -> str:
        example = "several of them" if parameter.choices is not None else "several (50,70,90 or 50..100:10)"
        return f"; {example} make the grid"

    def choices(self, name: str, parameter: Parameter, usual: str) -> Iterator[Choice]:
        yield Choice(usual, usual, "default, the same in all cells")
        if parameter.choices is not None:
            yield Choice(",".join(str(choice.value) for choice in parameter.choices), "all", parameter.allowed)
            return
        value: Any = parameter.read(name, usual)
        for factors, about in (((0.5, 1, 2), "half, default, twice"), ((0.25, 0.5, 1, 2, 4), "a wider range")):
            scaled = [value * factor if parameter.real else int(value * factor) for factor in factors]
            fitting = sorted({number for number in scaled if self._possible(name, parameter, number)})
            if len(fitting) > 1:
                text = ",".join(map(as_typed, fitting))
                yield Choice(text, text, about)

    def _possible(self, name: str, parameter: Parameter, value: Value) -> bool:
        """Return whether a constant may have this value while all others keep their defaults."""
        module = self.module
        assert module is not None
        return valid(lambda: make(module, {name: parameter.read(name, as_typed(value))})) is not None


class SweepList(SavedList):
    """The saved sweeps, newest first."""

    BINDING_GROUP_TITLE = "Saved sweeps"
    HELP = "Enter resumes the marked sweep where it stopped, or shows a finished one."
    KEPT = saved_sweeps
    NOUNS = ("sweep", "sweeps")
    NONE = "No sweeps yet. A sweep saves each training as soon as it ends."


class SweepForm(SetupForm[SweepSetup]):
    """The form of a sweep; each setting has a field and is checked while it is typed."""

    HELP = """Type into a field, or choose with the up and down keys. The text beside a constant says what it does.

To vary a constant, give it several values: 50,70,90 or 50..100:10 (from, to, step). Two varied constants make the \
rows and columns of the map; every further one multiplies the maps."""
    BINDING_GROUP_TITLE = "Settings of a sweep"
    DRAFT = SweepDraft.of


class SweepChoice(StartDialog[Path, SweepSetup], place="new-sweep"):
    """The choice of a ready sweep, or an unfinished one."""

    BINDING_GROUP_TITLE = "New sweep"
    HELP = """Enter starts the marked sweep at once. Tab changes its settings first.

Unfinished sweeps stand at the top: Enter resumes them."""
    INTRO = "Trains one learner with many settings, several seeds each,\nuntil it plays perfectly:"
    OWN = "any game, learner and values"
    FORM, PRESETS, USUAL, SAVED, GO_ON = SweepForm, PRESETS, SweepSetup(), SweepList, 3
    ROWS: ClassVar[tuple[Command[SweepChoice], ...]] = (
        Command("o", "kept", "Saved sweeps", OPEN, StartDialog.ask_saved),
    )


# The screen.

TITLES = {Unit.GAMES: "Games to perfect play", Unit.SHARE: "Accuracy after the last game", Unit.RIGHT: "Right moves"}
UNITS = "Show games to perfect play, or accuracy"


class SweepScreen(WorkScreen[SweepWork], place="sweep"):
    """Forwards the user's commands to the conductor, which belongs to the app."""

    CONDUCTOR, NEW, SAVED, WRONG = SweepWork, SweepChoice, SweepList, "Invalid sweep"
    ABOVE: ClassVar = {"status": lambda s: sweep_view.status(s.conductor)}
    BELOW: ClassVar = {
        "progress": lambda s: sweep_view.progress(s.conductor),
        "said": lambda s: sweep_view.message(s.conductor, s.place),
    }
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

    _place: Place | None = None

    def parts(self) -> ComposeResult:
        with Container(id="middle"):
            with Vertical(id="maps"):
                yield Panel(id="heat", classes="box -focus").headed("Sweep")
                yield Panel(id="other", classes="box")  # by the next unit
            with Vertical(id="side"):
                yield Panel(id="cell", classes="box").headed("The marked cell", "Its trainings will stand here.")
                yield Panel(id="ranking", classes="box").headed("All cells, the best first", "They will stand here.")

    @property
    def place(self) -> Place | None:
        """Return the marked cell, None without a sweep; it stays for as long as the plan does."""
        plan, place = self.conductor.plan, self._place
        if plan is not None and (place is None or place.plan != plan):
            units = Unit.all_of(plan)
            self._place = Place(plan, place.unit if place is not None and place.unit in units else units[0])
        return self._place

    def panels(self) -> Iterator[tuple[str, Paint]]:
        place, view = self.place, self.conductor.view
        if place is None or view is None:
            yield "heat", of_keys(("N", "new sweep"), ("o", "open a saved sweep"), ("esc", "back"))
            return
        self.set_class(len(Unit.all_of(place.plan)) > 1, "-two")
        for name, each in {"heat": place, "other": place.turned()}.items():  # the second one by the next unit
            self.query_one(f"#{name}", Panel).heading = TITLES[each.unit]
            yield name, sweep_view.picture(each, view.cells)
        yield "cell", sweep_view.figures(view.cells[place.number], place.plan.repeats)
        yield "ranking", sweep_view.ranking(view.cells, place.plan.repeats, place.unit, place.number)

    # Actions.

    def on_canvas_clicked(self, message: Panel.Clicked) -> None:
        """Mark the clicked cell; a click on the marked one trains it."""
        if self._place is not None and message.target == self._place.at:
            self.train()
        else:
            self.go(lambda place: replace(place, at=message.target))

    def copies(self) -> list[Copy]:
        """Return the cells as CSV, and the command of this sweep."""
        plan, view, of = self.conductor.plan, self.conductor.view, self.conductor.setup
        if plan is None or of is None:
            return []
        cells = [] if view is None else [Copy("cells", lines=lambda: contents(".csv", plan, view.cells).splitlines())]
        return [*cells, of.command]

    def go(self, to: Callable[..., Place], *by: int) -> None:
        """Mark another cell, or show the cells otherwise."""
        if self._place is not None:
            self._place = to(self._place, *by)
            self.draw()

    def move(self, down: int, across: int) -> None:
        self.go(Place.moved, down, across)

    def turn(self, by: int) -> None:
        self.go(Place.other_grid, by)

    def train(self) -> None:
        """Train the chosen cell with its first seed on the Train screen, while the sweep continues."""
        plan, place = self.conductor.plan, self.place
        if plan is None or place is None:
            return
        learner = plan.settings[place.number].learner
        seed = plan.seed_of(learner, 0)
        assert seed <= LARGEST_SEED
        view = self.conductor.view
        runs = dict(view.cells[place.number].runs) if view is not None else {}
        perfect = not plan.is_large and (seed not in runs or runs[seed].perfect is not None)
        goal = PERFECT if perfect else Count(plan.games).text
        self.shell.begin("train", TrainSetup(usual_name(plan.game.name), learner, "", seed, goal))

    @property
    def exports(self) -> Mapping[str, str] | None:
        return None if self.conductor.plan is None else suggested(self.conductor.plan)

    # Commands.

    def has_cells(self) -> Possible:
        return self.conductor.task is not None or absent("No sweep is shown yet")

    ROWS: ClassVar[tuple[Command[SweepScreen], ...]] = (
        *work_rows("sweep", "Stop; every finished training is saved", State.PAUSED, *RESUMABLE),
        Command("a", "unit", "accuracy", UNITS, lambda s: s.go(Place.turned), has_cells),
        Command("enter", "train", "train", "Train the chosen cell and watch", train, has_cells),
        export_row("Export the cells to a CSV or JSON file", has_cells),
        new_row("sweep"),
        Command("o", "kept", "saved sweeps", OPEN, WorkScreen.ask_saved, show=False),
        *CELLS,
        *family(
            "grid",
            turn,
            ("pageup", "Previous grid", "The same cell of the previous grid", -1),
            ("pagedown", "Next grid", "The same cell of the next grid", 1),
            when=has_cells,
        ),
        Command("escape", "leave", "back", "Back; the sweep continues", lambda s: s.shell.action_go_back(), show=False),
    )
