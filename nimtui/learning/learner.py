"""What a learner is, and how it is named: `reward`, `quality:margin=50`.

A learner is one file of this package, or any module that is added. It holds

- `NAME`, its word on the command line and in files, and `ABOUT`, what it does in one sentence;
- `PARAMETERS`, what each of its constants may be and does, for help and for checking;
- `LEARNER`, a NamedTuple of these constants with their defaults;
- the words of `engine.lessons`, of which `choose` and `update` are required: how it plays while it learns, and how a
  game changes its scores. They run interpreted and compiled, so they are plain loops over numbers;
- where the usual will not do, `fresh(learner)`, the score of a move never tried (0), `SCORES`, the type of scores
  (32-bit integers), `largest(learner, games)`, how large one can be after so many games, `MARKS = True` where it
  keeps a small number of its own beside each score, and `NOTES`, how many numbers it notes of each node (0; from 2 on
  it has a link for each edge too).
"""

from __future__ import annotations

import importlib
import pkgutil
import sys
from collections.abc import Collection, Mapping
from enum import Enum
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from nimtui import plugins
from nimtui.engine import lessons
from nimtui.errors import InputError, unknown
from nimtui.games.base import Move
from nimtui.learning.parameter import Parameter, Value

Learner: TypeAlias = Any  # a NamedTuple of the constants of one kind of learner; equal if these are
Scores: TypeAlias = npt.NDArray[Any]  # [edges]: 32-bit integers or 64-bit floats
Cells: TypeAlias = dict[Move, Any]  # the scores of one position, all its moves in ascending order

MOST = 2**31 - 1  # games, and points of a whole score
_added: list[ModuleType] = []


@cache
def _own() -> tuple[ModuleType, ...]:
    names = sorted(info.name for info in pkgutil.iter_modules(sys.modules[__package__].__path__))
    modules = [importlib.import_module(f"{__package__}.{name}") for name in names]
    return tuple(module for module in modules if hasattr(module, "LEARNER"))


def learners() -> dict[str, ModuleType]:
    """The modules of all learners, by name."""
    return {module.NAME: module for module in (*_own(), *_added)}


def add(module: ModuleType) -> None:
    """Let a learner from elsewhere take part. InputError where it lacks something or a name is taken.

    Numba tells NamedTuples apart by name and fields alone, so a second class of one name is refused.
    """
    if module in (*_own(), *_added):
        return
    where = getattr(module, "__file__", None) or module.__name__
    wanted = ("NAME", "ABOUT", "PARAMETERS", "LEARNER", *lessons.REQUIRED)
    if lacking := [name for name in wanted if not hasattr(module, name)]:
        raise InputError(f"the learner {where} lacks: {', '.join(lacking)}")
    if not isinstance(module.NAME, str) or not module.NAME.isidentifier() or not module.NAME.islower():
        raise InputError(f"the learner {where}: NAME must be a word in lowercase, like 'last'")
    if not isinstance(module.PARAMETERS, dict) or not hasattr(module.LEARNER, "_fields"):
        raise InputError(f"the learner {where}: PARAMETERS must be a dict and LEARNER a NamedTuple")
    if tuple(module.PARAMETERS) != module.LEARNER._fields or module.LEARNER.__module__ != module.__name__:
        raise InputError(f"the learner {where}: LEARNER must be its own NamedTuple with the fields of PARAMETERS")
    for other in learners().values():
        if other.NAME == module.NAME or other.LEARNER.__name__ == module.LEARNER.__name__:
            raise InputError(f"the learner {where}: its name is taken by {other.__name__}")
    _added.append(module)


def add_folder(folder: Path, but: Collection[Path] = ()) -> list[str]:
    """Add every learner file (*.py) of a folder `but` for some; returns a line for each that could not be used."""
    return plugins.add_folder(folder, "learner", add, but)


def parse_learner(text: str) -> Learner:
    """The learner of this name. InputError with what is wrong and what is allowed."""
    word, _, rest = text.strip().partition(":")
    word = word.strip().lower()
    if word not in learners():
        raise unknown("learner", word, learners())
    module = learners()[word]
    parameters: dict[str, Parameter] = module.PARAMETERS
    values: dict[str, Value] = {}
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
    return make(module, values)


def make(module: ModuleType, values: Mapping[str, Value]) -> Learner:
    """The learner with these constants. InputError where they contradict each other."""
    learner = module.LEARNER(**values)
    if hasattr(module, "check"):
        module.check(learner)
    return learner


def spec(learner: Learner) -> str:
    """The canonical name, which parses to an equal learner: parameters at their default left out."""
    usual: dict[str, Any] = learner._field_defaults
    told = [
        f"{name}={value.value if isinstance(value, Enum) else repr(value)}"
        for name, value in learner._asdict().items()
        if value != usual[name]
    ]
    name: str = module_of(learner).NAME
    return name + (":" + ",".join(told) if told else "")


def module_of(learner: Learner) -> ModuleType:
    """The file it comes from."""
    return sys.modules[type(learner).__module__]


def most_games(learner: Learner) -> int:
    """After so many games in all no number in its table can be too large for it."""
    largest = getattr(module_of(learner), "largest", None)
    if largest is None:
        return MOST
    low, high = 0, MOST
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if largest(learner, middle) <= MOST else (low, middle - 1)
    return low


def check_games(learner: Learner, games: int) -> None:
    """InputError where a number could be too large for a table after so many games in all."""
    if games > (most := most_games(learner)):
        raise InputError(
            f"after {games:,} games a number in the table of {spec(learner)} could exceed {MOST:,}:"
            f" {most:,} games are the most"
        )


# What tables and kernels need to know of a learner.


def fresh(learner: Learner) -> Any:
    """The score of a move that was never tried."""
    found = getattr(module_of(learner), "fresh", None)
    return 0 if found is None else found(learner)


def score_type(learner: Learner) -> npt.DTypeLike:
    """What a score is: a 32-bit integer, or a 64-bit float."""
    found: npt.DTypeLike = getattr(module_of(learner), "SCORES", np.int32)
    return found


def has_marks(learner: Learner) -> bool:
    """Does it keep a mark beside each score?"""
    return bool(getattr(module_of(learner), "MARKS", False))


def notes(learner: Learner) -> int:
    """How many numbers it notes of each node."""
    return int(getattr(module_of(learner), "NOTES", 0))


def constants(learner: Learner) -> Learner:
    """The learner as its words are given it: a choice between words is the place of the chosen one among them."""
    places = {
        name: list(type(value)).index(value) for name, value in learner._asdict().items() if isinstance(value, Enum)
    }
    return learner._replace(**places)
