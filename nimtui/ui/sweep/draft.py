"""A sweep while it is being asked for: its texts, what is right or wrong with each, and what could stand there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from types import ModuleType
from typing import Any

from nimtui.errors import InputError
from nimtui.games.notation import plural
from nimtui.learning.learner import learners, make, parse_learner
from nimtui.learning.parameter import Parameter, Value
from nimtui.learning.sweep import Plan
from nimtui.learning.sweep_grid import Grid, as_typed
from nimtui.learning.truth import why_untrainable
from nimtui.ui.kit.findings import Finding, Offer, finding
from nimtui.ui.play.setup import fresh_seed, parse_game, parse_seed
from nimtui.ui.sweep.setup import ALL, MOST_GAMES, MOST_REPEATS, SweepSetup, parse_count, parse_workers
from nimtui.ui.train.draft import ordered, trainable

BEFORE, AFTER = ("game", "learner"), ("repeats", "games", "seed", "workers")  # the constants stand between them


@dataclass(frozen=True, slots=True)
class SweepDraft:
    """The texts of the fields, as typed so far. A constant with several values is varied.

    The constants of every learner are kept while another is looked at.
    """

    game: str
    learner: str
    repeats: str
    games: str
    seed: str
    workers: str
    constants: Mapping[tuple[str, str], str] = field(default_factory=dict)  # (learner, name) -> text, where not usual
    first: tuple[str, ...] = ()  # what was varied at first: in this order it lies on the page

    @classmethod
    def of(cls, setup: SweepSetup) -> SweepDraft:
        word, _, rest = setup.learner.strip().partition(":")
        word = word.strip().lower()
        fixed = [part.partition("=") for part in rest.split(",") if part]
        varied = [part.partition("=") for part in setup.grid]
        return cls(
            setup.game,
            word,
            str(setup.repeats),
            f"{setup.games:,}",
            str(setup.seed),
            ALL if setup.workers is None else str(setup.workers),
            {(word, name.strip()): text.strip() for name, _, text in (*fixed, *varied)},
            tuple(name for name, _, _ in varied),
        )

    @property
    def module(self) -> ModuleType | None:
        """The learner that is named; None while there is no such learner."""
        return learners().get(self._word)

    @property
    def _word(self) -> str:
        return self.learner.strip().lower()

    @property
    def fields(self) -> tuple[str, ...]:
        """The names of all fields, from the top."""
        return (*BEFORE, *(self.module.PARAMETERS if self.module is not None else ()), *AFTER)

    def text(self, name: str) -> str:
        """What stands in a field."""
        if name in BEFORE + AFTER:
            return str(getattr(self, name))
        return self.constants.get((self._word, name), self.usual(name))

    def usual(self, name: str) -> str:
        """The default of a constant, as it is typed."""
        return as_typed(self.module.LEARNER._field_defaults[name]) if self.module is not None else ""

    def with_text(self, name: str, text: str) -> SweepDraft:
        """The person has put this text into a field."""
        if name in BEFORE + AFTER:
            changed: dict[str, Any] = {name: text}
            return replace(self, **changed)
        return replace(self, constants={**self.constants, (self._word, name): text})

    def setup(self) -> SweepSetup:
        """The sweep these texts mean. InputError where one is wrong."""
        parse_learner(self.learner)
        assert self.module is not None
        fixed, varied = [], {}
        for name in self.module.PARAMETERS:
            values = self._values(name)
            if len(values) > 1:
                varied[name] = f"{name}={','.join(map(as_typed, values))}"
            elif as_typed(values[0]) != self.usual(name):
                fixed.append(f"{name}={as_typed(values[0])}")
        order = [*(name for name in self.first if name in varied), *(name for name in varied if name not in self.first)]
        return SweepSetup(
            self.game.strip(),
            self._word + (":" + ",".join(fixed) if fixed else ""),
            tuple(varied[name] for name in order),
            parse_count(self.repeats, "the number of repeats", MOST_REPEATS),
            parse_count(self.games, "the number of games", MOST_GAMES),
            parse_seed(self.seed),
            parse_workers(self.workers),
        )

    def _values(self, name: str) -> tuple[Any, ...]:
        return Grid.read(self._word, {name: self._parameter(name)}, [f"{name}={self.text(name)}"]).values[name]

    # What is to be said of each field.

    @property
    def size(self) -> str:
        """How much work it is: '36 cells × 5 repeats: 180 trainings'; '' where that is not known yet."""
        try:
            plan = planned(self.setup())
        except InputError:
            return ""
        cells = plural(plan.grid.cells, "cell", "cells")
        repeats = plural(plan.repeats, "repeat", "repeats")
        return f"{cells} × {repeats}: {plan.grid.cells * plan.repeats:,} trainings"

    def check(self) -> dict[str, Finding]:
        found = {name: finding(partial(self._meaning, name)) for name in self.fields}
        if all(finding.right for finding in found.values()):
            try:
                planned(self.setup())
            except InputError as wrong:  # values that contradict each other, or too much of something
                word = str(wrong).split(maxsplit=1)[0]
                place = word if word in found else "games" if "games" in str(wrong) else "learner"
                found[place] = Finding(False, str(wrong))
        return found

    def _meaning(self, name: str) -> str:
        """What the text of a field means. InputError where it means nothing."""
        text = self.text(name)
        match name:
            case "game":
                game = parse_game(text)
                if (fault := why_untrainable(game)) is not None:
                    raise InputError(fault)
                return game.title
            case "learner":
                if ":" in text:
                    raise InputError("only its name: its constants have fields of their own below")
                parse_learner(text)
                return str(learners()[self._word].ABOUT)
            case "repeats":
                parse_count(text, "the number of repeats", MOST_REPEATS)
                return "trainings of each cell, each with a seed of its own"
            case "games":
                parse_count(text, "the number of games", MOST_GAMES)
                return "the most that one training may take"
            case "seed":
                parse_seed(text)
                return "same seed, same results"
            case "workers":
                workers = parse_workers(text)
                return "one process a core" if workers is None else "processes"
        found = self._parameter(name)
        values = self._values(name)
        return found.meaning if len(values) == 1 else f"{len(values)} values · {found.meaning}"

    def _parameter(self, name: str) -> Parameter:
        assert self.module is not None
        found: Parameter = self.module.PARAMETERS[name]
        return found

    def hint(self, name: str) -> str:
        """How this field is written, in a sentence."""
        match name:
            case "game":
                return "any game whose positions can be numbered: nim, tower, subtraction, adjacent, connect:4x4x4"
            case "learner":
                return str(self.module.ABOUT) if self.module is not None else "who learns"
            case "repeats":
                return "so many seeds for each cell: the middle of them is shown, and the range"
            case "games":
                return "a training ends as soon as every position is played right, or after so many games: never"
            case "seed":
                return "the same sweep with the same seed has the same results, whatever the number of workers"
            case "workers":
                return f"how many processes share the work, or {ALL}: one a core"
        found = self._parameter(name)
        example = "several of them" if found.choices is not None else "several, 50,70,90 or 50..100:10,"
        return f"{found.meaning}: {found.allowed}, usually {self.usual(name)}; {example} make the grid"

    def offers(self, name: str) -> list[Offer]:
        """What could stand in this field, for choosing."""
        match name:
            case "game":
                return [Offer(game, title, game) for title, game in trainable()]
            case "learner":
                return [Offer(word, word, str(module.ABOUT)) for word, module in ordered()]
            case "repeats":
                return [Offer(count, count, about) for count, about in (("5", ""), ("20", "a good picture"), ("1", ""))]
            case "games":
                return [Offer(count, count) for count in ("30,000", "100,000", "1,000,000")]
            case "seed":
                fresh = [str(fresh_seed()) for _ in range(2)]
                return [Offer("0", "0", "the usual one"), *(Offer(seed, seed, "drawn anew") for seed in fresh)]
            case "workers":
                return [Offer(ALL, ALL, "one a core"), Offer("1", "1", "the others stay free")]
        return list(self._offers(name))

    def _offers(self, name: str) -> Iterator[Offer]:
        found, usual = self._parameter(name), self.usual(name)
        yield Offer(usual, usual, "as usual, the same in all cells")
        if found.choices is not None:
            yield Offer(",".join(str(choice.value) for choice in found.choices), "all", found.allowed)
            return
        value = found.read(name, usual)
        assert isinstance(value, int | float)
        for factors, about in (((0.5, 1, 2), "half, usual, twice"), ((0.25, 0.5, 1, 2, 4), "a wider range")):
            scaled = [value * factor if found.real else int(value * factor) for factor in factors]
            fitting = sorted({number for number in scaled if self._possible(name, number)})
            if len(fitting) > 1:
                text = ",".join(f"{number:g}" if found.real else str(number) for number in fitting)
                yield Offer(text, text, about)

    def _possible(self, name: str, value: Value) -> bool:
        """May a constant have this value, where all others are as usual?"""
        assert self.module is not None
        try:
            make(self.module, {name: self._parameter(name).read(name, as_typed(value))})
        except InputError:
            return False
        return True


@lru_cache(2)
def planned(setup: SweepSetup) -> Plan:
    """The plan of a setup. InputError where there is none."""
    return setup.plan()
