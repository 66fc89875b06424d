"""The dialogs of a new sweep: ready, unfinished and saved sweeps, and the form as a table of fields."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar

from nimtui.errors import InputError, whole_number
from nimtui.games.notation import plural
from nimtui.learning.graph_table import why_untrainable
from nimtui.learning.learner import make, parse_learner
from nimtui.learning.parameter import Parameter, Value, as_typed
from nimtui.learning.sweep import Plan
from nimtui.learning.sweep_grid import Grid
from nimtui.ui.kit.command import Command
from nimtui.ui.kit.draft import Entry, Offer
from nimtui.ui.kit.entries import (
    game_entry,
    parse_seed,
    parse_workers,
    seed_entry,
    workers_entry,
    workers_text,
)
from nimtui.ui.kit.form import SetupForm
from nimtui.ui.kit.start_dialog import SavedList, StartDialog
from nimtui.ui.sweep.setup import MOST_GAMES, MOST_REPEATS, PRESETS, SweepSetup, list_intro, saved_sweeps
from nimtui.ui.train.form import LearnerDraft, learner_texts, trainable


@lru_cache(2)
def planned(setup: SweepSetup) -> Plan:
    """Return the plan of a setup. InputError if it is invalid."""
    return setup.plan()


def _repeats(draft: SweepDraft, text: str) -> str:
    whole_number(text, "the number of repeats", 1, MOST_REPEATS)
    return "trainings per cell, each with its own seed"


def _games(draft: SweepDraft, text: str) -> str:
    whole_number(text, "the number of games", 1, MOST_GAMES)
    return "maximum per training"


@dataclass(frozen=True)
class SweepDraft(LearnerDraft[SweepSetup]):
    """A sweep while the form is filled in. A constant with several values is varied."""

    GAME = game_entry(
        "any game whose positions can be numbered: nim, tower, subtraction, adjacent, connect:4x4x4",
        trainable,
        why_untrainable,
    )
    MORE = (
        Entry(
            "repeats",
            "Repeats",
            _repeats,
            "seeds per cell; the map shows their median, the panel also their range",
            (Offer("5", "5"), Offer("20", "20", "a good picture"), Offer("1", "1")),
            "a whole number",
        ),
        Entry(
            "games",
            "Games",
            _games,
            "a training ends once it plays every position right; after this many games it counts as never",
            tuple(Offer(count, count) for count in ("30,000", "100,000", "1,000,000")),
            "maximum number",
        ),
        seed_entry("same seed, same results", "the same seed gives the same results, whatever the number of workers"),
        workers_entry(),
    )
    first: tuple[str, ...] = ()  # the constants varied at first; they keep this order on the page

    @classmethod
    def of(cls, setup: SweepSetup) -> SweepDraft:
        texts = {
            "game": setup.game,
            "repeats": str(setup.repeats),
            "games": f"{setup.games:,}",
            "seed": str(setup.seed),
            "workers": workers_text(setup.workers),
            **learner_texts(setup.learner, setup.grid),
        }
        return cls(texts, tuple(part.partition("=")[0] for part in setup.grid))

    def setup(self) -> SweepSetup:
        parse_learner(self.texts["learner"])
        fixed, varied = [], {}
        for name, parameter in self.parameters.items():
            values = self.values(name, parameter)
            if len(values) > 1:
                varied[name] = f"{name}={','.join(map(as_typed, values))}"
            elif as_typed(values[0]) != self.usual(name):
                fixed.append(f"{name}={as_typed(values[0])}")
        order = [*(name for name in self.first if name in varied), *(name for name in varied if name not in self.first)]
        return SweepSetup(
            self.texts["game"].strip(),
            self.word + (":" + ",".join(fixed) if fixed else ""),
            tuple(varied[name] for name in order),
            whole_number(self.texts["repeats"], "the number of repeats", 1, MOST_REPEATS),
            whole_number(self.texts["games"], "the number of games", 1, MOST_GAMES),
            parse_seed(self.texts["seed"]),
            parse_workers(self.texts["workers"]),
        )

    def examine(self) -> None:
        planned(self.setup())

    def values(self, name: str, parameter: Parameter) -> tuple[Any, ...]:
        """Return the values of a constant, one or several. InputError if one is invalid."""
        return Grid.read(self.word, {name: parameter}, [f"{name}={self.text(name)}"]).values[name]

    @property
    def size(self) -> str:
        """Return '36 cells × 5 repeats: 180 trainings'; '' while unknown."""
        try:
            plan = planned(self.setup())
        except InputError:
            return ""
        cells = plural(plan.grid.cells, "cell", "cells")
        repeats = plural(plan.repeats, "repeat", "repeats")
        return f"{cells} × {repeats}: {plan.grid.cells * plan.repeats:,} trainings"

    def meaning(self, name: str, parameter: Parameter) -> str:
        values = self.values(name, parameter)
        return parameter.meaning if len(values) == 1 else f"{len(values)} values · {parameter.meaning}"

    def further(self, parameter: Parameter) -> str:
        example = "several of them" if parameter.choices is not None else "several (50,70,90 or 50..100:10)"
        return f"; {example} make the grid"

    def usual(self, constant: str) -> str:
        return as_typed(self.module.LEARNER._field_defaults[constant]) if self.module is not None else ""

    def choices(self, name: str, parameter: Parameter) -> Iterator[Offer]:
        usual = self.usual(name)
        yield Offer(usual, usual, "default, the same in all cells")
        if parameter.choices is not None:
            yield Offer(",".join(str(choice.value) for choice in parameter.choices), "all", parameter.allowed)
            return
        value = parameter.read(name, usual)
        assert isinstance(value, int | float)
        for factors, about in (((0.5, 1, 2), "half, default, twice"), ((0.25, 0.5, 1, 2, 4), "a wider range")):
            scaled = [value * factor if parameter.real else int(value * factor) for factor in factors]
            fitting = sorted({number for number in scaled if self._possible(name, parameter, number)})
            if len(fitting) > 1:
                text = ",".join(f"{number:g}" if parameter.real else str(number) for number in fitting)
                yield Offer(text, text, about)

    def _possible(self, name: str, parameter: Parameter, value: Value) -> bool:
        """Return whether a constant may have this value while all others keep their defaults."""
        assert self.module is not None
        try:
            make(self.module, {name: parameter.read(name, as_typed(value))})
        except InputError:
            return False
        return True


Answer = SweepSetup | Path | None  # a new sweep, the file of one to resume, or neither


class SweepList(SavedList):
    """The saved sweeps, newest first."""

    BINDING_GROUP_TITLE = "Saved sweeps"
    HELP = "Enter resumes the marked sweep where it stopped, or shows a finished one."
    KEPT, ABOUT = saved_sweeps, list_intro


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
