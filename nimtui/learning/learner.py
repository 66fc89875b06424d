"""Defines learners and their names: `reward`, `quality:margin=50`.

A learner is a module of `nimtui.learning.learners`, or any module passed to `add`. It has

- `NAME`, its word on the command line and in files, and `ABOUT`, what it does in one sentence;
- `PARAMETERS`, the range and meaning of each parameter, for help and for checking;
- `LEARNER`, a NamedTuple of the parameters with their defaults;
- functions of `engine.lessons`, of which `choose` and `update` are required: how it plays while it learns, and how a
  game changes its scores. They run interpreted and compiled, so they are plain loops over numbers. Or instead
  `function(learner, sight, seed, plies)`, which returns a function of the position (`engine.functions`) that learns by
  temporal differences, with the parameters of `learning.steps`;
- optional: `fresh(learner)`, the score of an untried move [default: 0]; `SCORES`, the type of scores [default: 32-bit
  integers]; `largest(learner, games)`, the largest score possible after this many games; `MARKS = True` for a small
  number of its own next to each score; `NOTES`, the numbers it notes for each node [default: 0; from 2 on it has a link
  for each edge too]; `PAYOFFS = True` if it learns games that end with a number.
"""

from __future__ import annotations

import importlib
import pkgutil
import sys
from collections.abc import Mapping, Sequence
from enum import Enum
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from nimtui.engine import lessons
from nimtui.errors import InputError, options_of
from nimtui.games.base import Move
from nimtui.learning import steps
from nimtui.learning.parameter import Parameter, Value, as_typed
from nimtui.process import plugins

Learner: TypeAlias = Any  # a NamedTuple of a learner's parameters; equal if these are equal
Scores: TypeAlias = npt.NDArray[Any]  # [edges]: 32-bit integers or 64-bit floats
Cells: TypeAlias = dict[Move, Any]  # the scores of all moves of one position, by move

MOST = 2**31 - 1  # the most games, and the largest integer score
MOST_LACKING = 3  # names in a line
_added: list[ModuleType] = []


@cache
def _own() -> tuple[ModuleType, ...]:
    from nimtui.learning import learners  # whose modules import this one

    names = sorted(info.name for info in pkgutil.iter_modules(learners.__path__))
    modules = [importlib.import_module(f"{learners.__name__}.{name}") for name in names]
    return tuple(module for module in modules if hasattr(module, "LEARNER"))


def learners() -> dict[str, ModuleType]:
    """Return the modules of all learners, by name."""
    return {module.NAME: module for module in (*_own(), *_added)}


def add(module: ModuleType) -> None:
    """Add a learner from elsewhere. Raises InputError if it lacks something or its name is taken.

    Numba tells NamedTuples apart only by name and fields, so a second class of the same name is refused.
    """
    if module in (*_own(), *_added):
        return
    where = getattr(module, "__file__", None) or module.__name__
    own = () if has_function(module) else lessons.REQUIRED
    wanted = ("NAME", "ABOUT", "PARAMETERS", "LEARNER", *own)
    if lacking := [name for name in wanted if not hasattr(module, name)]:
        raise InputError(f"the learner {where} lacks: {', '.join(lacking)}")
    if not plugins.is_word(module.NAME) or not module.NAME.isidentifier():
        raise InputError(f"the learner {where}: NAME must be a word in lowercase, like 'last'")
    if not isinstance(module.PARAMETERS, dict) or not hasattr(module.LEARNER, "_fields"):
        raise InputError(f"the learner {where}: PARAMETERS must be a dict and LEARNER a NamedTuple")
    shared = steps.PARAMETERS if has_function(module) else {}
    if absent := [name for name in shared if name not in module.PARAMETERS]:
        names = ", ".join(absent[:MOST_LACKING])
        raise InputError(f"the learner {where} lacks parameters of nimtui.learning.steps: {names}")
    if tuple(module.PARAMETERS) != module.LEARNER._fields or module.LEARNER.__module__ != module.__name__:
        raise InputError(f"the learner {where}: LEARNER must be its own NamedTuple with the fields of PARAMETERS")
    for other in learners().values():
        if other.NAME == module.NAME or other.LEARNER.__name__ == module.LEARNER.__name__:
            raise InputError(f"the learner {where}: its name is taken by {other.__name__}")
    _added.append(module)


def add_folder(folder: Path, chosen: Mapping[Path, plugins.Chosen] | None = None) -> list[str]:
    """Add every learner file (*.py) of a folder, or the `chosen` ones. Returns a line for each unusable file."""
    return plugins.add_folder(folder, "learner", add, chosen)


def parse_learner(text: str) -> Learner:
    """Return the learner of this name. Raises InputError with what is wrong and what is allowed."""
    word, _, rest = text.strip().partition(":")
    word = word.strip().lower()
    if word == student_file().NAME or text.strip().endswith(".py"):
        return student_file().parse(rest if word == student_file().NAME else text)
    if word not in learners():
        raise plugins.unknown("learner", word, learners())
    module = learners()[word]
    parameters: dict[str, Parameter] = module.PARAMETERS
    values = options_of(rest, "parameter", word, parameters)
    return make(module, {key: parameters[key].read(key, value) for key, value in values.items()})


def student_file() -> ModuleType:
    """Return the module of the learner that is a student's file. It has no function of `engine.lessons`."""
    from nimtui.learning.students import learner  # which imports this module's neighbours

    return learner


def is_student(learner: Learner) -> bool:
    """Return whether a learner is a student's file: it trains itself, in the sandbox."""
    return type(learner).__name__ == "StudentFile" and isinstance(learner, student_file().StudentFile)


def usual_games(learner: Learner, usual: int) -> int:
    """Return how many games a learner trains by default; most have no number of their own."""
    return int(getattr(module_of(learner), "GAMES", usual))


def make(module: ModuleType, values: Mapping[str, Value]) -> Learner:
    """Return the learner with these parameters. Raises InputError if they contradict each other."""
    learner = module.LEARNER(**values)
    if hasattr(module, "check"):
        module.check(learner)
    return learner


def spec(learner: Learner) -> str:
    """Return the canonical name, which parses to an equal learner; it omits parameters at their default."""
    if is_student(learner):
        return str(student_file().spec(learner))
    defaults: dict[str, Any] = learner._field_defaults
    parts = [f"{name}={as_typed(value)}" for name, value in learner._asdict().items() if value != defaults[name]]
    name: str = module_of(learner).NAME
    return name + (":" + ",".join(parts) if parts else "")


def distinct_names(specs: Sequence[str]) -> list[str]:
    """Return names that show what sets learners of one kind apart, also at a default: 'quality:margin=90'.

    The parameters that differ come first, then all others that are not at their default. A student's file has its name.
    """
    parsed = [parse_learner(text) for text in specs]
    if any(map(is_student, parsed)):
        names = [Path(one.file).name if is_student(one) else text for one, text in zip(parsed, specs, strict=True)]
        return names if len(set(names)) == len(names) else list(specs)
    if len({type(learner) for learner in parsed}) > 1 or len(set(specs)) < len(specs):
        return list(specs)
    differ = [name for name in parsed[0]._fields if len({getattr(learner, name) for learner in parsed}) > 1]
    names = []
    for learner in parsed:
        word, _, rest = spec(learner).partition(":")
        values = {name: as_typed(getattr(learner, name)) for name in differ}
        values |= {key: value for key, _, value in (part.partition("=") for part in rest.split(",") if part)}
        names.append(f"{word}:{','.join(f'{name}={value}' for name, value in values.items())}" if values else word)
    return names


def module_of(learner: Learner) -> ModuleType:
    """Return the learner's module."""
    return sys.modules[type(learner).__module__]


def most_games(learner: Learner) -> int:
    """Return the most games after which no score can exceed its type."""
    largest = getattr(module_of(learner), "largest", None)
    if largest is None:
        return MOST
    low, high = 0, MOST
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if largest(learner, middle) <= MOST else (low, middle - 1)
    return low


def check_games(learner: Learner, games: int) -> None:
    """Raise InputError if a score could exceed its type after this many games in all."""
    if games > (most := most_games(learner)):
        raise InputError(
            f"after {games:,} games a score of {spec(learner)} could exceed {MOST:,}: at most {most:,} games fit"
        )


def has_function(learner: Learner | ModuleType) -> bool:
    """Return whether a learner has a function of the position instead of a table of positions."""
    return hasattr(learner if isinstance(learner, ModuleType) else module_of(learner), "function")


# What tables and kernels need to know about a learner.


def fresh(learner: Learner) -> Any:
    """Return the score of an untried move."""
    function = getattr(module_of(learner), "fresh", None)
    return 0 if function is None else function(learner)


def score_type(learner: Learner) -> npt.DTypeLike:
    """Return the type of a score: 32-bit integer or 64-bit float."""
    kind: npt.DTypeLike = np.float64 if has_function(learner) else getattr(module_of(learner), "SCORES", np.int32)
    return kind


def has_marks(learner: Learner) -> bool:
    """Does the learner keep a mark next to each score?"""
    return bool(getattr(module_of(learner), "MARKS", False))


def learns_payoffs(learner: Learner) -> bool:
    """Does the learner learn games that end with a number?"""
    return bool(getattr(module_of(learner), "PAYOFFS", False))


def notes(learner: Learner) -> int:
    """Return how many numbers the learner notes for each node."""
    return int(getattr(module_of(learner), "NOTES", 0))


def constants(learner: Learner) -> Learner:
    """Return the learner as its functions take it: an enum value becomes its index."""
    places = {
        name: list(type(value)).index(value) for name, value in learner._asdict().items() if isinstance(value, Enum)
    }
    return learner._replace(**places)
