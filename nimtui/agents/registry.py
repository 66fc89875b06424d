"""The list of agents: every module of this package with NAMES or names, and any added file.

Such a module declares the names of its agents and parses them:

- `NAMES`, or a function `names()`: the first words of their names;
- `FORMS`, or a function `forms()`: pairs of a form, for help and error messages, and a description in one line;
- `PRESETS`, or a function `preset_pairs()` (optional): pairs of a title and a name, for lists;
- `parse(word, text, game)`: returns the agent; `text` is everything after the first colon. Raises InputError if the
  text is invalid, or if the agent cannot play this game.

A program may hand in agents as objects, too. Each object gets a name, which only this process knows.

`Options` reads the options in an agent's name, KEY=VALUE,… after the colon.
"""

from __future__ import annotations

import importlib
import pkgutil
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import NamedTuple, TypeAlias, TypeVar

from nimtui.agents.agent import Agent
from nimtui.errors import InputError, decimal, options_of, shortened, unknown, whole_number
from nimtui.games import Game
from nimtui.process import plugins
from nimtui.process.plugins import Chosen, Facts
from nimtui.trees.settings import LEAST_SECONDS, MOST_SECONDS, no_time


class AgentPreset(NamedTuple):
    """A preset agent for lists."""

    title: str
    agent: str


LENGTH = f"each of 1 to {plugins.LONGEST} characters"
ORDER = ("random", "levels", "learned", "perfect", "value", "mc")  # shown first; all others follow by name


_added: list[ModuleType] = []
_own: set[str] = set()  # module names of own files
isolate = True  # do own agents run in their own processes? False within these processes


def modules() -> list[ModuleType]:
    """Return the modules of all agents, added ones last."""
    return [*_built_in(tuple(sys.modules[__package__].__path__)), *_added]


@cache
def _built_in(folders: tuple[str, ...]) -> tuple[ModuleType, ...]:
    """Return the modules of this package, in these folders, that declare agents, in the order of lists."""
    names = [info.name for info in pkgutil.iter_modules(folders)]
    names.sort(key=lambda name: (ORDER.index(name) if name in ORDER else len(ORDER), name))
    modules = (importlib.import_module(f"{__package__}.{name}") for name in names)
    return tuple(module for module in modules if hasattr(module, "NAMES") or hasattr(module, "names"))


def add(module: ModuleType) -> None:
    """Add an agent module. Raises InputError if it lacks something or a name is taken."""
    if module in _added:
        return
    names = facts(module).names
    for other in modules():
        if taken := set(names_of(other)) & set(names):
            raise InputError(f"the agent {where(module)}: the name '{min(taken)}' is taken by {other.__name__}")
    _added.append(module)


def facts(module: ModuleType) -> Facts:
    """Return what an added module declares. Raises InputError if something is missing or invalid."""
    place = where(module)
    if lacking := [name for name in ("NAMES", "FORMS", "parse") if not hasattr(module, name)]:
        raise InputError(f"the agent {place} lacks: {', '.join(lacking)}")
    declaration = Facts(module.NAMES, module.FORMS, getattr(module, "PRESETS", ()))
    if not (declaration.names and plugins.are(declaration.names, plugins.is_word)):
        raise InputError(f"the agent {place}: NAMES must be lowercase words, for example ('stifle',)")
    if not _are_pairs(declaration.forms):
        raise InputError(f"the agent {place}: FORMS must be pairs of a form and a text, {LENGTH}")
    if not _are_pairs(declaration.presets):
        raise InputError(f"the agent {place}: PRESETS must be pairs of a title and a name, {LENGTH}")
    return Facts(tuple(declaration.names), _pairs(declaration.forms), _pairs(declaration.presets))


def _pairs(pairs: Sequence[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    return tuple((first, second) for first, second in pairs)


def where(module: ModuleType) -> str:
    return getattr(module, "__file__", None) or module.__name__


def _are_pairs(value: object) -> bool:
    """Return whether this is a list of pairs of texts."""
    return plugins.are(value, lambda pair: plugins.are(pair, plugins.is_text) and len(pair) == 2)


def add_folder(folder: Path, chosen: Mapping[Path, Chosen] | None = None) -> list[str]:
    """Add every agent file (*.py) of a folder, or the `chosen` ones. Returns a line for each unusable file."""
    return plugins.add_folder(folder, "agent", _add_own, chosen)


def _add_own(module: ModuleType) -> None:
    add(module)
    _own.add(module.__name__)


def is_own(module: ModuleType) -> bool:
    """Return whether the module is an own file."""
    return module.__name__ in _own


def by_name() -> dict[str, ModuleType]:
    """Return the modules by the first words of their agents' names."""
    return {name: module for module in modules() for name in names_of(module)}


def has_own() -> bool:
    """Return whether any own agent is loaded."""
    return bool(_own)


def names_of(module: ModuleType) -> tuple[str, ...]:
    """Return the first words of the names of a module's agents."""
    return tuple(module.names() if hasattr(module, "names") else module.NAMES)


def agent_forms() -> list[tuple[str, str]]:
    """Return the forms of all agents' names with their descriptions, in display order."""
    return [form for one in modules() for form in (one.forms() if hasattr(one, "forms") else one.FORMS)]


def presets() -> tuple[AgentPreset, ...]:
    """Return the preset agents. Not every one can play every game."""
    pairs: list[tuple[str, str]] = []
    for module in modules():
        pairs += module.preset_pairs() if hasattr(module, "preset_pairs") else getattr(module, "PRESETS", ())
    return tuple(AgentPreset(*preset) for preset in pairs)


OTHER = re.compile(r"[^a-z0-9_.-]+")  # signs that no name has


Make: TypeAlias = Callable[[Game, str], Agent]

_entries: dict[str, tuple[object, Make]] = {}  # name -> the object, which stays in memory, and what makes its agent


def enter(thing: object, wanted: str, make: Make) -> str:
    """Return the name of this object: the wanted one, with -2, -3 … if another agent has it."""
    for name, (other, _) in _entries.items():
        if other is thing:
            return name
    stem = OTHER.sub("-", wanted.lower()).strip("-") or "agent"
    taken = by_name()
    number, name = 1, stem
    while name in taken:
        number += 1
        name = f"{stem}-{number}"
    _entries[name] = thing, make
    return name


def has(name: str) -> bool:
    """Return whether this is the name of an object."""
    return name in _entries


def names() -> tuple[str, ...]:
    return tuple(_entries)


def forms() -> tuple[tuple[str, str], ...]:
    """Return no forms: no command knows these agents."""
    return ()


def parse(word: str, text: str, game: Game) -> Agent:
    if text:
        raise InputError(f"the agent {word} has no options")
    return _entries[word][1](game, word)


E = TypeVar("E", bound=Enum)


class Options:
    """The options of one agent's name, by key. Raises InputError for an unknown or duplicate option."""

    def __init__(self, agent: str, text: str, keys: Sequence[str] = ()) -> None:
        if text.strip() and not keys:
            raise InputError(f"{agent} has no options: leave out '{shortened(text)}'")
        self.agent = agent
        self._values = options_of(text, "option", agent, keys)

    def whole(self, key: str, default: int, low: int, high: int) -> int:
        """Return a whole number from `low` to `high`. Raises InputError for any other value."""
        text = self._values.get(key)
        return default if text is None else whole_number(text, key, low, high)

    def seconds(self, key: str) -> float:
        """Return a time from 1 ms to an hour, 0 if the option is not given. Raises InputError for any other value."""
        text = self._values.get(key)
        if text is None:
            return 0.0
        try:
            seconds = decimal(text)
        except ValueError:
            seconds = 0.0
        if not LEAST_SECONDS <= seconds <= MOST_SECONDS:
            raise InputError(no_time(text))
        return seconds

    def choice(self, key: str, default: E) -> E:
        """Return a member of the default's enum. Raises InputError for an unknown value."""
        text = self._values.get(key)
        if text is None:
            return default
        members = {str(member.value): member for member in type(default)}
        if text.lower() not in members:
            raise unknown(key, text, members)
        return members[text.lower()]


def canonical(agent: str, options: dict[str, tuple[object, object]]) -> str:
    """Return the agent's name with the options that differ from their defaults (key: value, default)."""
    parts = [
        f"{key}={value.value if isinstance(value, Enum) else value}"
        for key, (value, default) in options.items()
        if value != default
    ]
    return agent + (":" + ",".join(parts) if parts else "")
