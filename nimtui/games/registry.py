"""Which games there are: every module of this package with NAMES, and any file that is added to them.

A family's module says what its games are called and how their names are read:
`NAMES`, `FORMS` (examples of names, for error messages), `parse(word, fields)` and `name(state)`.
"""

from __future__ import annotations

import importlib
import pkgutil
import sys
from collections.abc import Collection, Iterator, Sequence
from functools import cache
from pathlib import Path
from types import ModuleType

from nimtui import plugins
from nimtui.errors import InputError, reading, unknown
from nimtui.games import base
from nimtui.games.game import Game, is_board

_added: list[ModuleType] = []


@cache
def _own() -> tuple[ModuleType, ...]:
    names = sorted(info.name for info in pkgutil.iter_modules(sys.modules[__package__].__path__))
    modules = [importlib.import_module(f"nimtui.games.{name}") for name in names]
    return tuple(module for module in modules if hasattr(module, "NAMES"))


def families() -> tuple[ModuleType, ...]:
    """The rules modules of all games, the package's own first."""
    return (*_own(), *_added)


def state_class(module: ModuleType) -> type:
    """The NamedTuple with the field `board` that this rules module defines. InputError if there is not exactly one."""
    found = [
        kind
        for kind in vars(module).values()
        if isinstance(kind, type)
        and issubclass(kind, tuple)
        and kind.__module__ == module.__name__
        and getattr(kind, "_fields", ("",))[0] == "board"
    ]
    if len(found) != 1:
        raise InputError(f"{module.__name__} must define one NamedTuple whose first field is 'board'")
    return found[0]


def add(module: ModuleType) -> None:
    """Let a rules module from elsewhere take part. InputError where it lacks a rule or a name is taken.

    Numba tells NamedTuples apart by name and fields alone, so a second class of one name is refused.
    """
    if module in families():
        return
    where = _where(module)
    lacking = [word for word in (*base.REQUIRED, "NAMES", "parse", "name") if not hasattr(module, word)]
    if lacking:
        raise InputError(f"the game {where} lacks: {', '.join(lacking)}")
    if not module.NAMES or not is_words(module.NAMES) or not is_words(getattr(module, "FORMS", ()), any_case=True):
        raise InputError(f"the game {where}: NAMES must be words in lowercase, like ('chomp',), and FORMS texts")
    kind = state_class(module)
    for other in families():
        if state_class(other).__name__ == kind.__name__:
            raise InputError(f"the game {where}: the class name {kind.__name__} is taken by {other.__name__}")
        if taken := set(other.NAMES) & set(module.NAMES):
            raise InputError(f"the game {where}: the name '{min(taken)}' is taken by {other.__name__}")
    _added.append(module)


def add_folder(folder: Path, but: Collection[Path] = ()) -> list[str]:
    """Add every game file (*.py) of a folder `but` for some; returns a line for each that could not be used."""
    return plugins.add_folder(folder, "game", add, but)


def is_words(given: object, any_case: bool = False) -> bool:
    """Is this a list of words, none of them with a capital letter unless any may have one?"""
    if not isinstance(given, tuple | list):
        return False
    return all(isinstance(word, str) and (any_case or (word and word == word.strip().lower())) for word in given)


def _words() -> Iterator[tuple[str, ModuleType]]:
    for module in families():
        for word in module.NAMES:
            yield word, module


def parse_game(text: str) -> Game:
    """The game of this name, e.g. 'nim:1,3,5,7'. InputError with what is wrong and what is allowed."""
    word, *fields = text.strip().split(":")
    words = dict(_words())
    module = words.get(word.strip().lower())
    if module is None:
        raise unknown("game", word, words)
    try:
        with reading(text, " or ".join(forms_of(module))):
            start = module.parse(word.strip().lower(), fields)
    except InputError:
        raise
    except Exception as fault:
        said = " ".join(str(fault).split())
        raise InputError(f"the game file {_where(module)}: parse raises {type(fault).__name__}: {said}") from fault
    if not _is_state(start, state_class(module)):
        raise InputError(f"the game file {_where(module)}: parse gives no {state_class(module).__name__} for '{text}'")
    return Game(module, start)


def _is_state(start: object, kind: type) -> bool:
    """Is this what `parse` must give: a state of the module's class, on a board that is one?"""
    return isinstance(start, kind) and is_board(start[0])  # type: ignore[index]


def _where(module: ModuleType) -> str:
    return getattr(module, "__file__", None) or module.__name__


def forms_of(module: ModuleType) -> Sequence[str]:
    """How the games of one rules module are named."""
    forms: Sequence[str] = getattr(module, "FORMS", module.NAMES)
    return forms


def forms() -> list[str]:
    """How games are named, one form a kind, for help texts."""
    return [form for module in families() for form in forms_of(module)]
