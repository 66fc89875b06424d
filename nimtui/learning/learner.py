"""What a learner is, and how it is named: `reward`, `reward:win=2,pick=uniform-move`.

A learner is one file of this package. It holds

- `NAME`, its word on the command line and in files;
- `PARAMETERS`, what each of its constants may be and does, for help and for checking;
- `LEARNER`, a NamedTuple of these constants with their defaults, whose methods say how it chooses a
  move, how it updates a table after a game, and which compiled kernel does the same.
"""

from __future__ import annotations

import importlib
import pkgutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache
from types import ModuleType
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from nimtui import learning
from nimtui.engine.rng import Counter, Stream
from nimtui.errors import InputError, unknown, whole_number
from nimtui.games.base import Move, State

if TYPE_CHECKING:
    from nimtui.engine.graph import Graph

Scores: TypeAlias = npt.NDArray[np.int32]  # [edges]
Cells: TypeAlias = dict[Move, int]  # the scores of one position, all its moves in ascending order
Episode: TypeAlias = Sequence[tuple[Cells, Move]]  # a game: each position's scores, the move made

MOST_SCORE = 2**31 - 1


@dataclass(frozen=True, slots=True)
class Parameter:
    """What one constant of a learner may be, and what it does."""

    meaning: str
    low: int = 0
    high: int = 0
    choices: type[Enum] | None = None  # one of these instead of a number

    def read(self, name: str, text: str) -> int | Enum:
        """The value a person typed. InputError where it is none."""
        if self.choices is None:
            return whole_number(text, name, self.low, self.high)
        allowed = {str(choice.value): choice for choice in self.choices}
        if text.strip().lower() not in allowed:
            raise unknown(name, text.strip(), allowed)
        return allowed[text.strip().lower()]


class SelfPlay(Protocol):
    """Games of a learner against itself, compiled: the same moves and numbers as its plain form."""

    def __call__(self, games: int) -> int:
        """Play so many games further and return how many plies they had."""


class Learner(Protocol):
    """The parameters of one kind of learner. A NamedTuple: two of equal parameters are equal."""

    def choose(self, state: State, cells: Cells, stream: Stream) -> Move:
        """The move it makes while it learns; `cells` are its scores here."""

    def update(self, episode: Episode, outcome: int) -> None:
        """Change the scores after a game; `outcome` is for the player who moved last."""

    def compiled(self, graph: Graph, scores: Scores, counter: Counter) -> SelfPlay:
        """Self-play that changes these scores and draws from this generator."""

    def most_after(self, games: int) -> int:
        """The farthest from 0 that a score can be after so many games."""


@cache
def learners() -> dict[str, ModuleType]:
    """The modules of all learners, by name."""
    names = sorted(info.name for info in pkgutil.iter_modules(learning.__path__))
    modules = [importlib.import_module(f"{learning.__name__}.{name}") for name in names]
    return {module.NAME: module for module in modules if hasattr(module, "LEARNER")}


def parse_learner(text: str) -> Learner:
    """The learner of this name. InputError with what is wrong and what is allowed."""
    word, _, rest = text.strip().partition(":")
    word = word.strip().lower()
    if word not in learners():
        raise unknown("learner", word, learners())
    module = learners()[word]
    parameters: dict[str, Parameter] = module.PARAMETERS
    values: dict[str, int | Enum] = {}
    for part in rest.split(",") if rest.strip() else ():
        key, equals, value = (piece.strip() for piece in part.partition("="))
        key = key.lower()
        if not equals:
            form = ",".join(f"{name}=…" for name in parameters)
            raise InputError(f"'{part.strip()}' is not a parameter; the form is {word}:{form}")
        if key not in parameters:
            raise unknown(f"parameter of {word}", key, parameters)
        if key in values:
            raise InputError(f"the parameter '{key}' of {word} is given twice")
        values[key] = parameters[key].read(key, value)
    learner: Learner = module.LEARNER(**values)
    return learner


def check_games(learner: Learner, games: int) -> None:
    """InputError where a score could be too large for a table after so many games in all."""
    if learner.most_after(games) > MOST_SCORE:
        raise InputError(f"after {games:,} games a score of {spec(learner)} could exceed {MOST_SCORE:,}")


def spec(learner: Learner) -> str:
    """The canonical name, which parses to an equal learner: parameters at their default left out."""
    values: dict[str, Any] = learner._asdict()  # type: ignore[attr-defined]
    usual: dict[str, Any] = learner._field_defaults  # type: ignore[attr-defined]
    told = [
        f"{name}={value.value if isinstance(value, Enum) else value}"
        for name, value in values.items()
        if value != usual[name]
    ]
    name: str = sys.modules[type(learner).__module__].NAME
    return name + (":" + ",".join(told) if told else "")
