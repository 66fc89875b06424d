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
from collections.abc import Collection, Sequence
from pathlib import Path
from types import ModuleType
from typing import NamedTuple, TypeGuard

from nimtui import agents, plugins
from nimtui.agents.agent import Agent
from nimtui.errors import InputError, unknown
from nimtui.games import Game
from nimtui.plugins import Facts


class AgentPreset(NamedTuple):
    """An agent offered for choosing."""

    title: str
    agent: str


LENGTH = f"each of 1 to {plugins.LONGEST} characters"
PARTS = ("name", "title", "ready", "prepare", "decide")  # of every agent
ORDER = ("random", "trained", "perfect", "value", "mc")  # the first shown; any others follow by name


_added: list[ModuleType] = []
_own: set[str] = set()  # the names of those modules that are a person's own files
apart = True  # do a person's own agents think in processes of their own? Not in those processes themselves


def modules() -> list[ModuleType]:
    """The modules of all agents, those that were added last."""
    names = [info.name for info in pkgutil.iter_modules(agents.__path__)]
    names.sort(key=lambda name: (ORDER.index(name) if name in ORDER else len(ORDER), name))
    found = [importlib.import_module(f"{agents.__name__}.{name}") for name in names]
    return [module for module in (*found, *_added) if hasattr(module, "NAMES") or hasattr(module, "names")]


def add(module: ModuleType) -> None:
    """Let an agent from elsewhere take part. InputError where it lacks something or a name is taken."""
    if module in _added:
        return
    names = facts(module).names
    for other in modules():
        if taken := set(_names(other)) & set(names):
            raise InputError(f"the agent {_where(module)}: the name '{min(taken)}' is taken by {other.__name__}")
    _added.append(module)


def facts(module: ModuleType) -> Facts:
    """What a module from elsewhere says of its agents. InputError where it lacks something or says it wrongly."""
    where = _where(module)
    if lacking := [name for name in ("NAMES", "FORMS", "parse") if not hasattr(module, name)]:
        raise InputError(f"the agent {where} lacks: {', '.join(lacking)}")
    found = Facts(module.NAMES, module.FORMS, getattr(module, "PRESETS", ()))
    if not (_is_list(found.names) and found.names and all(map(_is_word, found.names))):
        raise InputError(f"the agent {where}: NAMES must be words in small letters, like ('stifle',)")
    if not _are_pairs(found.forms):
        raise InputError(f"the agent {where}: FORMS must be pairs of a form and a text, {LENGTH}")
    if not _are_pairs(found.presets):
        raise InputError(f"the agent {where}: PRESETS must be pairs of a title and a name, {LENGTH}")
    return Facts(tuple(found.names), _pairs(found.forms), _pairs(found.presets))


def _pairs(given: Sequence[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    return tuple((first, second) for first, second in given)


def _where(module: ModuleType) -> str:
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


def has_own() -> bool:
    """Is there an agent in a person's own files?"""
    return bool(_own)


def _names(module: ModuleType) -> tuple[str, ...]:
    found: tuple[str, ...] = module.names() if hasattr(module, "names") else module.NAMES
    return found


def _forms(module: ModuleType) -> tuple[tuple[str, str], ...]:
    found: tuple[tuple[str, str], ...] = module.forms() if hasattr(module, "forms") else module.FORMS
    return found


def parse_agent(text: str, game: Game) -> Agent:
    """The agent of this name, e.g. 'mc:playouts=1000'. InputError with what is wrong and what is allowed."""
    word, _, rest = text.strip().partition(":")
    word = word.strip().lower()
    named = {name: module for module in modules() for name in _names(module)}
    if word not in named:
        raise unknown("agent", word, named)
    module = named[word]
    if apart and module.__name__ in _own:
        from nimtui.agents.apart import keeper, remote

        if keeper.possible():
            return remote.parse(module, word, rest, game)
    return _parsed(module, word, rest, game)


def _parsed(module: ModuleType, word: str, text: str, game: Game) -> Agent:
    """What the module's `parse` gives. InputError, in one line, where a person's own one raises or gives no agent."""
    if module.__name__.startswith("nimtui."):
        own: Agent = module.parse(word, text, game)
        return own
    where = _where(module)
    try:
        agent: Agent = module.parse(word, text, game)
        lacking = [part for part in PARTS if not hasattr(agent, part)]
        named = not lacking and isinstance(agent.name, str) and isinstance(agent.title, str)
    except InputError:
        raise
    except (Exception, SystemExit) as fault:
        raise InputError(f"the agent file {where}: parse raises {plugins.said(fault)}") from fault
    if lacking or not named:
        what = f"it lacks {', '.join(lacking)}" if lacking else "its name and title must be text"
        raise InputError(f"the agent file {where}: parse gives no agent for '{word}': {what}")
    return agent


def agent_forms() -> list[tuple[str, str]]:
    """How agents are named, and what they do in one line, in the order they are shown."""
    return [form for module in modules() for form in _forms(module)]


def presets() -> tuple[AgentPreset, ...]:
    """The agents offered for choosing; not each can play each game."""
    return tuple(AgentPreset(*preset) for module in modules() for preset in getattr(module, "PRESETS", ()))


def agent_choices(game: Game) -> list[AgentPreset]:
    """Those offered for choosing that can play this game."""
    return [preset for preset in presets() if _plays(preset.agent, game)]


def _plays(text: str, game: Game) -> bool:
    try:
        parse_agent(text, game)
    except InputError:
        return False
    return True
