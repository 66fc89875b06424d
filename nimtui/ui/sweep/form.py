"""The dialogs of a new sweep: ready, unfinished and saved sweeps, and the form as a table of fields."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar

from nimtui.errors import valid
from nimtui.games.notation import plural
from nimtui.learning.learner import make, parse_learner
from nimtui.learning.parameter import Parameter, Value, as_typed
from nimtui.learning.sweep import Grid, Plan
from nimtui.ui.kit.contract.command import Command
from nimtui.ui.kit.forms.draft import Choice
from nimtui.ui.kit.forms.entries import WORKERS, game_field, number_field, offered, seed_field
from nimtui.ui.kit.forms.form import SetupForm
from nimtui.ui.kit.forms.start_dialog import SavedList, StartDialog
from nimtui.ui.sweep.setup import MOST_GAMES, MOST_REPEATS, PRESETS, SweepSetup, saved_sweeps
from nimtui.ui.train.form import LEARNER, LearnerDraft


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
        Command("o", "kept", "Saved sweeps", "Resume a stopped sweep, or show a finished one", StartDialog.ask_saved),
    )
