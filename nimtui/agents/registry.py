"""Which agents there are: every module of this package with NAMES or names, and any file that is added to them.

Such a module says what its agents are called and how the rest of their names is read:

- `NAMES`, or a function `names()`: the words their names begin with;
- `FORMS`, or a function `forms()`: pairs of a form, for help and error messages, and a description in one line;
- `PRESETS`: pairs of a title and a name, for choosing; may be missing;
- `parse(word, text, game)`: the agent; `text` is all that stands behind the first colon. InputError where that is
  wrong, or where the agent cannot play this game.
"""

from __future__ import annotations

import importlib
import pkgutil
import sys
from collections.abc import Collection, Sequence
from pathlib import Path
from types import ModuleType
from typing import NamedTuple, TypeGuard

from nimtui import plugins
from nimtui.errors import InputError
from nimtui.plugins import Facts


class AgentPreset(NamedTuple):
    """An agent offered for choosing."""

    title: str
    agent: str


LENGTH = f"each of 1 to {plugins.LONGEST} characters"
ORDER = ("random", "trained", "perfect", "value", "mc")  # the first shown; any others follow by name


_added: list[ModuleType] = []
_own: set[str] = set()  # the names of those modules that are a person's own files
isolate = True  # do a person's own agents think in processes of their own? Not in those processes themselves


def modules() -> list[ModuleType]:
    """The modules of all agents, those that were added last."""
    names = [info.name for info in pkgutil.iter_modules(sys.modules[__package__].__path__)]
    names.sort(key=lambda name: (ORDER.index(name) if name in ORDER else len(ORDER), name))
    found = [importlib.import_module(f"{__package__}.{name}") for name in names]
    return [module for module in (*found, *_added) if hasattr(module, "NAMES") or hasattr(module, "names")]


def add(module: ModuleType) -> None:
    """Let an agent from elsewhere take part. InputError where it lacks something or a name is taken."""
    if module in _added:
        return
    names = facts(module).names
    for other in modules():
        if taken := set(_names(other)) & set(names):
            raise InputError(f"the agent {where(module)}: the name '{min(taken)}' is taken by {other.__name__}")
    _added.append(module)


def facts(module: ModuleType) -> Facts:
    """What a module from elsewhere says of its agents. InputError where it lacks something or says it wrongly."""
    place = where(module)
    if lacking := [name for name in ("NAMES", "FORMS", "parse") if not hasattr(module, name)]:
        raise InputError(f"the agent {place} lacks: {', '.join(lacking)}")
    found = Facts(module.NAMES, module.FORMS, getattr(module, "PRESETS", ()))
    if not (_is_list(found.names) and found.names and all(map(_is_word, found.names))):
        raise InputError(f"the agent {place}: NAMES must be words in small letters, like ('stifle',)")
    if not _are_pairs(found.forms):
        raise InputError(f"the agent {place}: FORMS must be pairs of a form and a text, {LENGTH}")
    if not _are_pairs(found.presets):
        raise InputError(f"the agent {place}: PRESETS must be pairs of a title and a name, {LENGTH}")
    return Facts(tuple(found.names), _pairs(found.forms), _pairs(found.presets))


def _pairs(given: Sequence[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    return tuple((first, second) for first, second in given)


def where(module: ModuleType) -> str:
    return getattr(module, "__file__", None) or module.__name__


def _is_list(given: object) -> TypeGuard[Sequence[object]]:
    return isinstance(given, tuple | list)


def _is_word(given: object) -> bool:
    return _is_text(given) and given == given.lower() and not set(given) & set(": \t\n")


def _is_text(given: object) -> TypeGuard[str]:
    return type(given) is str and 0 < len(given) <= plugins.LONGEST


def _are_pairs(given: object) -> bool:
    """Is this a list of pairs of texts?"""
    if not _is_list(given):
        return False
    return all(_is_list(pair) and len(pair) == 2 and all(map(_is_text, pair)) for pair in given)


def add_folder(folder: Path, but: Collection[Path] = ()) -> list[str]:
    """Add every agent file (*.py) of a folder `but` for some; returns a line for each that could not be used."""
    return plugins.add_folder(folder, "agent", _add_own, but)


def _add_own(module: ModuleType) -> None:
    add(module)
    _own.add(module.__name__)


def is_own(module: ModuleType) -> bool:
    """Is this one of a person's own files?"""
    return module.__name__ in _own


def by_name() -> dict[str, ModuleType]:
    """The modules by the words that their agents' names begin with."""
    return {name: module for module in modules() for name in _names(module)}


def has_own() -> bool:
    """Is there an agent in a person's own files?"""
    return bool(_own)


def _names(module: ModuleType) -> tuple[str, ...]:
    found: tuple[str, ...] = module.names() if hasattr(module, "names") else module.NAMES
    return found


def _forms(module: ModuleType) -> tuple[tuple[str, str], ...]:
    found: tuple[tuple[str, str], ...] = module.forms() if hasattr(module, "forms") else module.FORMS
    return found


def agent_forms() -> list[tuple[str, str]]:
    """How agents are named, and what they do in one line, in the order they are shown."""
    return [form for module in modules() for form in _forms(module)]


def presets() -> tuple[AgentPreset, ...]:
    """The agents offered for choosing; not each can play each game."""
    return tuple(AgentPreset(*preset) for module in modules() for preset in getattr(module, "PRESETS", ()))
