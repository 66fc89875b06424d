"""Sweeps: one learner with many settings, each trained with several seeds: how many games until it plays perfectly.

A sweep is a grid of settings, as a person types it: 'margin=50,70,90', 'margin=50..100:10', 'pick=uniform-move'. Each
piece is one training with one seed and depends only on its own fields. So the results are the same for any number of
workers and in any order. Other modules run the pieces.
"""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from enum import Enum
from functools import cached_property, lru_cache
from math import prod
from statistics import median
from typing import Any, NamedTuple, TypeAlias

from nimtui.errors import InputError, invalid, shortened, unknown, whole_number
from nimtui.games import Game, parse_game
from nimtui.learning import sample
from nimtui.learning.curve_points import look_counts
from nimtui.learning.evaluate import Standing, looks
from nimtui.learning.graph_table import why_unlearnable, why_untrainable
from nimtui.learning.learner import Learner, check_games, has_function, learners, parse_learner, spec
from nimtui.learning.parameter import Parameter, Value, as_typed
from nimtui.learning.sample import interval_of
from nimtui.learning.training import Training
from nimtui.progress import SILENT, Progress
from nimtui.theory.truth import Truth, truth


class Needed(NamedTuple):
    """The games after which the learner first played so; None: never."""

    proof: int | None  # makes no mistake in the seats that theory favours, whatever its opponent plays
    perfect: int | None  # plays every position right that is not lost
    games: int  # games played in all
    accuracy: float | None  # at the end; None where the game has too many positions
    unbeaten: float | None
    right_moves: float | None = None  # of a learner with a function, at the end …
    right_moves_low: float | None = None  # … with the interval of a sample
    right_moves_high: float | None = None


def games_needed(game: Game, learner: Learner | str, seed: int, most: int, progress: Progress = SILENT) -> Needed:
    """Train until the table is perfect, for at most `most` games; a function of a game that no table holds, for all.

    Raises InputError for an untrainable game.
    """
    training = Training(game, learner, seed)
    training.plan(most)
    training.prepare(progress)
    if training.truth is None:
        training.run(most, progress)
        return Needed(None, None, most, None, None, *_right_moves(training, None))
    proof = perfect = None
    for until in look_counts(0, len(training.table.cells)):
        safe, right = looks(training.truth, training.scores())
        proof = training.games if safe and proof is None else proof
        perfect = training.games if right else None
        if right or training.games >= most:
            break
        until = min(most, until)
        while training.games < until:
            training.advance(until - training.games)
        progress.report(training.games, most, "games")
    training.settle()
    standing = training.standing()
    shares = standing.accuracy, standing.unbeaten, *_right_moves(training, standing)
    return Needed(proof, perfect, training.games, *shares)


def _right_moves(training: Training, now: Standing | None) -> tuple[float | None, float | None, float | None]:
    """Return the share of right moves of a function, with its interval; None of a table."""
    share: float | None = getattr(training.curve_to(now)[-1], "right_moves", None)
    return share, *interval_of(training.sample, share)


MOST_VALUES = 1_000  # of one parameter
FORM = "margin=50,70,90 or margin=50..100:10"


@dataclass(frozen=True)
class Grid:
    """The varied parameters and their values, in the order in which they were named."""

    values: dict[str, tuple[Value, ...]]

    @property
    def cells(self) -> int:
        """The number of combinations; 1 if nothing is varied."""
        return prod(map(len, self.values.values()))

    @classmethod
    def read(cls, learner: str, parameters: Mapping[str, Parameter], texts: Sequence[str]) -> Grid:
        """Read a grid over the parameters of this learner. Raises InputError if it is invalid."""
        values: dict[str, tuple[Value, ...]] = {}
        for text in texts:
            key, equals, rest = text.partition("=")
            key = key.strip().lower()
            if not equals:
                raise invalid("grid", text, f"expected for example {FORM}")
            if key not in parameters:
                raise unknown(f"parameter of {learner}", key, parameters)
            if key in values:
                raise InputError(f"'{key}' is varied twice: give all its values in one list")
            values[key] = _values(key, parameters[key], rest)
        return cls(values)


def _values(key: str, parameter: Parameter, text: str) -> tuple[Value, ...]:
    values: list[Value] = []
    if not text.strip():
        raise InputError(f"'{key}=' has no values: expected for example {FORM}")
    for part in text.split(","):
        for word in _range(key, part) if ".." in part else (part,):
            if not word.strip():
                raise InputError(f"empty value in '{key}={shortened(text)}'")
            value = parameter.read(key, word)
            if value in values:
                raise InputError(f"'{key}' has the value {as_typed(value)} twice")
            values.append(value)
            if len(values) > MOST_VALUES:
                raise InputError(f"'{key}' has more than the {MOST_VALUES:,} values allowed")
    return tuple(values)


def _range(key: str, text: str) -> Iterator[str]:
    """Yield the values of '50..100:10', both ends included; the default step is 1."""
    ends, _, by = text.partition(":")
    try:
        low, high = (Decimal(end.strip()) for end in ends.split(".."))
        step = Decimal(by.strip() or "1")
        if not (low.is_finite() and high.is_finite() and step.is_finite()):
            raise ValueError
    except (InvalidOperation, ValueError):
        raise InputError(f"invalid range '{key}={shortened(text)}': expected NUMBER..NUMBER[:STEP]") from None
    if step <= 0 or low > high:
        raise InputError(f"invalid range '{key}={shortened(text)}': expected LOW..HIGH[:STEP] with a STEP above 0")
    if (high - low) / step >= MOST_VALUES:
        raise InputError(f"'{key}={shortened(text)}' has more than the {MOST_VALUES:,} values allowed")
    for number in range(int((high - low) / step) + 1):
        yield f"{low + number * step:f}"


def plain_value(value: Value) -> int | float | str:
    """Return a value as JSON stores it."""
    return str(value.value) if isinstance(value, Enum) else value


MOST_CELLS, MOST_REPEATS, MOST_PIECES = 10_000, 10_000, 1_000_000
Settings: TypeAlias = dict[str, int | float | str]


class Piece(NamedTuple):
    """One training: everything that a worker needs to know."""

    game: str
    learner: str
    seed: int
    games: int  # the most games


class Setting(NamedTuple):
    """One cell of the grid."""

    params: Settings  # the varied parameters
    learner: str  # with all its parameters


@dataclass(frozen=True)
class Plan:
    """The plan of a sweep. Equal plans have equal results."""

    game: Game
    learner: str  # with the parameters that all cells share
    grid: Grid
    repeats: int
    games: int
    seed: int

    def __post_init__(self) -> None:
        """Raise InputError for an impossible plan, before any work."""
        if (fault := why_unlearnable(self.game, parse_learner(self.learner))) is not None:
            raise InputError(fault)
        cells = self.grid.cells
        if cells > MOST_CELLS:
            raise InputError(f"the grid has {cells:,} cells, more than the {MOST_CELLS:,} allowed")
        whole_number(str(self.repeats), "the number of repeats", 1, MOST_REPEATS)
        if cells * self.repeats > MOST_PIECES:
            raise InputError(
                f"{cells:,} cells × {self.repeats:,} repeats are more than the {MOST_PIECES:,} trainings allowed"
            )
        if self.is_large and (fault := sample.why_none(self.game)) is not None:
            raise InputError(f"a sweep of {self.game.name} would measure nothing: {fault}")
        for setting in self.settings:
            check_games(parse_learner(setting.learner), self.games)

    @cached_property
    def is_large(self) -> bool:
        """Has the game too many positions to tell whether every one is played right?"""
        return why_untrainable(self.game) is not None

    @property
    def has_function(self) -> bool:
        """Do its learners have a function, so that their right moves are measured?"""
        return has_function(parse_learner(self.learner))

    @cached_property
    def settings(self) -> tuple[Setting, ...]:
        """The cells, the last parameter varying fastest. Raises InputError if values contradict each other."""
        fixed = self.learner if ":" in self.learner else f"{self.learner}:"
        settings = []
        for values in itertools.product(*self.grid.values.values()):
            params = dict(zip(self.grid.values, values, strict=True))
            more = ",".join(f"{name}={as_typed(value)}" for name, value in params.items())
            whole = f"{fixed}{',' if more and not fixed.endswith(':') else ''}{more}"
            settings.append(
                Setting({name: plain_value(value) for name, value in params.items()}, spec(parse_learner(whole)))
            )
        return tuple(settings)

    @cached_property
    def pieces(self) -> tuple[Piece, ...]:
        """All trainings: every cell once, then every cell a second time, and so on."""
        return tuple(
            Piece(self.game.name, setting.learner, self.seed_of(setting.learner, repeat), self.games)
            for repeat in range(self.repeats)
            for setting in self.settings
        )

    def seed_of(self, learner: str, repeat: int) -> int:
        """Return the seed of a repeat, independent of other cells. (`nimtui train --seed` repeats the training.)"""
        text = f"{self.seed} {self.game.name} {learner} {repeat}"
        return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest()) >> 1

    def document(self) -> dict[str, Any]:
        """Return the plan as JSON values; `from_document` reads them."""
        grid = {name: [plain_value(value) for value in values] for name, values in self.grid.values.items()}
        return {
            "game": self.game.name,
            "learner": self.learner,
            "grid": grid,
            "repeats": self.repeats,
            "games": self.games,
            "seed": self.seed,
        }

    @classmethod
    def from_document(cls, keys: Mapping[str, Any]) -> Plan:
        """Return the plan of a document. Raises InputError for anything that `document` did not write."""
        try:
            grid = [f"{name}={','.join(str(value) for value in values)}" for name, values in keys["grid"].items()]
            return plan(
                parse_game(keys["game"]),
                keys["learner"],
                grid,
                int(keys["repeats"]),
                int(keys["games"]),
                int(keys["seed"]),
            )
        except InputError:
            raise
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as fault:
            raise InputError(f"not a sweep: {fault}") from fault


def plan(game: Game, learner: str, grid: Sequence[str], repeats: int, games: int, seed: int) -> Plan:
    """Return a plan from typed texts: a grid is a list of 'margin=50,70,90' or 'margin=50..100:10'.

    Raises InputError with what is wrong.
    """
    fixed = parse_learner(learner)
    name, _, parameters = learner.strip().partition(":")
    fixed_names = {part.partition("=")[0].strip().lower() for part in parameters.split(",") if part.strip()}
    read = Grid.read(name.strip().lower(), learners()[name.strip().lower()].PARAMETERS, grid)
    for key in read.values:
        if key in fixed_names:
            raise InputError(f"'{key}' is both fixed by {learner.strip()} and varied by the grid: remove one")
    return Plan(game, spec(fixed), read, repeats, games, seed)


def prepare(plan: Plan, progress: Progress = SILENT) -> None:
    """Make the sample that measures the trainings, if there is none yet: once, not in each process."""
    if plan.is_large and sample.why_none(plan.game) is None:
        sample.of(plan.game, progress)


def train(piece: Piece) -> Needed:
    """Train one piece, in any process that knows its game and its learner."""
    if why_untrainable(game := parse_game(piece.game)) is None:
        _hold(piece.game)
    return games_needed(game, piece.learner, piece.seed, piece.games)


@lru_cache(maxsize=1)
def _hold(game: str) -> Truth:
    """Cache the exact values of a game between pieces: solving takes longer than many trainings."""
    return truth(parse_game(game))


class Spread(NamedTuple):
    """The median and the range of the games that several seeds needed; None: never, which is more than any number."""

    median: float | None
    low: float | None
    high: float | None
    never: int  # the number of seeds that never got there


class Shares(NamedTuple):
    """What several seeds reached, 0 to 1; None without seeds."""

    mean: float | None
    low: float | None
    high: float | None
    median: float | None


@dataclass(frozen=True)
class Cell:
    """The results of one setting so far."""

    setting: Setting
    runs: tuple[tuple[int, Needed], ...]  # the finished seeds, in the order of the repeats

    @cached_property
    def perfect(self) -> Spread:
        """Games until all positions are played right."""
        return spread([run.perfect for _, run in self.runs])

    @cached_property
    def proof(self) -> Spread:
        """Games until the learner first makes no mistake against any opponent."""
        return spread([run.proof for _, run in self.runs])

    @cached_property
    def accuracy(self) -> Shares:
        """Accuracy at the end."""
        return shares([run.accuracy for _, run in self.runs])

    @cached_property
    def right_moves(self) -> Shares:
        """Share of right moves of a function at the end."""
        return shares([run.right_moves for _, run in self.runs])

    @cached_property
    def unbeaten(self) -> Shares:
        """Probability not to lose to perfect play at the end."""
        return shares([run.unbeaten for _, run in self.runs])


def cells(plan: Plan, results: Mapping[Piece, Needed]) -> tuple[Cell, ...]:
    """Return the cells of a grid with the results so far."""
    return tuple(cell(plan, number, results) for number in range(len(plan.settings)))


def cell(plan: Plan, number: int, results: Mapping[Piece, Needed]) -> Cell:
    """Return one cell of a grid with its results so far."""
    pieces = plan.pieces[number :: len(plan.settings)]
    return Cell(plan.settings[number], tuple((piece.seed, results[piece]) for piece in pieces if piece in results))


def spread(needed: Sequence[int | None]) -> Spread:
    """Return the spread of the games needed. The median of an even number is the mean of the middle two."""
    counts = sorted(games for games in needed if games is not None)
    count, never = len(needed), len(needed) - len(counts)

    def nth(place: int) -> float | None:
        return counts[place] if 0 <= place < len(counts) else None

    upper, lower = nth(count // 2), nth((count - 1) // 2)
    middle = None if upper is None or lower is None else (upper + lower) / 2
    if middle is not None and middle == int(middle):
        middle = int(middle)
    return Spread(middle, nth(0), nth(count - 1), never)


def shares(given: Sequence[float | None]) -> Shares:
    """Return the mean, the range and the median of the shares that are known."""
    if not (values := [value for value in given if value is not None]):
        return Shares(None, None, None, None)
    low, high = min(values), max(values)
    return Shares(min(high, max(low, sum(values) / len(values))), low, high, float(median(values)))
