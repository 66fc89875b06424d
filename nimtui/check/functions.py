"""Check a learner with a function on small games: how it follows moves, what it learns, and its compiled code."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from functools import partial
from types import ModuleType
from typing import Any

import numpy as np

from nimtui.check.trial import Broken, Trial, at_most, compiling, own_code
from nimtui.engine import functions
from nimtui.engine.rng import Stream
from nimtui.games import Game, base
from nimtui.games.registry import parse_game
from nimtui.learning import steps
from nimtui.learning.learner import Learner, spec
from nimtui.learning.sight import Sight
from nimtui.report.values import Result

GAMES = ("nim:1,2,3", "connect:3x3x3")
MOST_PLIES = 20
PATIENCE = 10  # seconds for one learner on one game
SEED = 1
TRIED = 12  # weights whose gradient is compared with finite differences
STEP = 0.05
NAMES = ("parameters", "function", "follows", "gradient", "images", "same")


def check_function(learners: list[Learner], module: ModuleType, trial: Trial) -> None:
    """Check the function of each learner on each game. Findings go to the trial."""
    trial.tries(*NAMES[1:])
    with trial.noting():
        for learner in learners:
            for name in GAMES:
                trial.at("the function", f"{spec(learner)} on {name}")
                with at_most(PATIENCE):
                    _One(learner, module, parse_game(name)).examine()
    if trial.broken:
        return
    trial.stage("compiled")
    trial.tries("compiled")
    for learner in learners:
        for name in GAMES:
            trial.at("the compiled code", f"{spec(learner)} on {name}")
            with trial.noting():
                _One(learner, module, parse_game(name)).compile()


class _One:
    """The function of one learner for one game."""

    def __init__(self, learner: Learner, module: ModuleType, game: Game) -> None:
        self.learner, self.module, self.game = learner, module, game
        self.where = f"{spec(learner)} on {game.name}"
        self.sight = Sight.of(game, steps.is_on(getattr(learner, "mirror", steps.Switch.OFF)))
        self.function = self.new()

    def new(self) -> Any:
        """Return the function before it has learned."""
        with own_code("function", lambda fault: f"{self.where}: function raises {fault}"):
            function = self.module.function(self.learner, self.sight, SEED, MOST_PLIES)
        if not hasattr(function, "_fields") or not isinstance(getattr(function, "weights", None), np.ndarray):
            raise Broken("function", f"{self.where}: function must return a NamedTuple with an array `weights`")
        return function

    def ask(self, word: str, *given: Any) -> Any:
        with own_code("function", lambda fault: f"{self.where}: {word} raises {fault}"):
            return functions.word(self.function.__class__, word)(self.function, *given)

    def total(self, inputs: list[int], side: int) -> float:
        """Return the total of a position, entered again."""
        self.ask("clear")
        for i, value in enumerate(inputs):
            if value:
                self.ask("shift", i, 0, value)
        value = self.ask("total", side)
        if not np.isfinite(value):
            raise Broken("function", f"{self.where}: total returns {value}, not a finite number")
        return float(value)

    def examine(self) -> None:
        """Learn from random positions, and compare what the function says before and after, here and mirrored."""
        again = self.new()
        for name, one, other in zip(self.function._fields, self.function, again, strict=True):
            if not np.array_equal(one, other):
                raise Broken("same", f"{self.where}: the same seed gives another array {name}")
        for number, (inputs, side) in enumerate(self._positions()):
            self._follows(inputs, side)
            self._gradient(inputs, side, number)
            for image in self.sight.images:
                there = [0] * len(inputs)
                for i, to in enumerate(image):
                    there[to] = inputs[i]
                one, other = self.total(inputs, side), self.total(there, side)
                if abs(one - other) > 1e-4 * max(1.0, abs(one)):
                    raise Broken("images", f"{self.where}: {inputs} has the total {one}, its image {there} has {other}")

    def _positions(self) -> Iterator[tuple[list[int], int]]:
        """Yield the inputs of positions of random games, and whose move led there."""
        stream, state = Stream(SEED), self.game.new()
        for _ in range(TRIED):
            if base.outcome(state) != base.GOING_ON:
                state = self.game.new()
            side = base.side(state)
            base.play(state, base.nth(state, stream.below(base.count(state))))
            yield [int(base.input(state, i)) for i in range(self.sight.inputs)], side

    def _follows(self, inputs: list[int], side: int) -> None:
        """Raise Broken if inputs that change and change back leave another total."""
        before = self.total(inputs, side)
        for i, value in enumerate(inputs):
            other = (value + 1) % self.sight.levels[i]
            self.ask("shift", i, value, other)
            self.ask("shift", i, other, value)
        if abs(self.ask("total", side) - before) > 1e-4 * max(1.0, abs(before)):
            raise Broken(
                "follows", f"{self.where}: after inputs that change and change back, {inputs} has another total"
            )

    def _gradient(self, inputs: list[int], side: int, number: int) -> None:
        """Raise Broken if `learn` does not add a step times the gradient of `total`, by finite differences."""
        ply = number + 1
        for noted, at in ((inputs, ply), (self.sight.inputs * [0], 0)):  # what another ply notes must not matter
            self.total(noted, side)
            self.ask("note", at)
        before = self.function._replace(**{name: deepcopy(part) for name, part in self.function._asdict().items()})
        self.ask("learn", side, ply, STEP)
        after, self.function = self.function, before
        for name in functions.weights_of(before):
            learned = (getattr(after, name) - getattr(before, name)).reshape(-1).astype(np.float64)
            changed = np.flatnonzero(learned)
            other = (np.arange(3) * 7_919 + number) % max(1, len(learned))  # mostly not of this position
            for at in dict.fromkeys([*changed[:TRIED].tolist(), *other[: len(learned)].tolist()]):
                self._step(inputs, side, name, at, learned[at])
        self.function = after

    def _step(self, inputs: list[int], side: int, name: str, at: int, learned: float) -> None:
        """Raise Broken if a weight was not changed by a step along the slope of `total`; at a bend, along either."""
        weights = getattr(self.function, name).reshape(-1)
        value, by, least = (weights[at], 1e-2, 1e-3) if weights.dtype == np.float32 else (weights[at], 1e-6, 1e-6)
        totals = []
        for change in (-by, 0.0, by):
            weights[at] = value + change
            totals.append(self.total(inputs, side))
        weights[at] = value
        low, high = sorted(STEP * np.diff(totals) / by)
        near = least * max(1.0, abs(low), abs(high))
        if not low - near <= learned <= high + near:
            changes, wanted = Result(learned), Result((low + high) / 2)
            raise Broken(
                "gradient",
                f"{self.where}: for {inputs}, learn changes {name} {at} by {changes}; a step of {STEP} along "
                f"the gradient would be {wanted}",
            )

    def compile(self) -> None:
        """Raise Broken if the compiled function says or learns anything else than the interpreted one."""
        from nimtui.engine import probe

        probe.check_bounds()
        positions = list(self._positions())
        inputs = np.array([inputs for inputs, _ in positions], np.int64)
        sides = np.array([side for _, side in positions], np.int64)
        answers = []
        for run in (probe.totals_of, partial(probe.compiled, probe.totals_of)):
            function, totals = self.new(), np.zeros(len(positions))
            with compiling(self.where):
                run(function, inputs, sides, STEP, totals)
            learned = [getattr(function, name).reshape(-1) for name in functions.weights_of(function)]
            answers.append(np.concatenate([totals, *learned]))
        if not np.allclose(answers[0], answers[1], rtol=1e-4, atol=1e-6):
            raise Broken("compiled", f"{self.where}: compiled, it says or learns something else than interpreted")
