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
from collections.abc import Collection
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

from nimtui import agents, plugins
from nimtui.agents.agent import Agent
from nimtui.errors import InputError, unknown
from nimtui.games import Game


class AgentPreset(NamedTuple):
    """An agent offered for choosing."""

    title: str
    agent: str


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
    where = getattr(module, "__file__", None) or module.__name__
    if lacking := [name for name in ("NAMES", "FORMS", "parse") if not hasattr(module, name)]:
        raise InputError(f"the agent {where} lacks: {', '.join(lacking)}")
    if not module.NAMES or not _is_list(module.NAMES, str) or not _is_list(module.FORMS, tuple):
        raise InputError(f"the agent {where}: NAMES must be words like ('stifle',), FORMS pairs of a form and a text")
    for other in modules():
        if taken := set(_names(other)) & set(module.NAMES):
            raise InputError(f"the agent {where}: the name '{min(taken)}' is taken by {other.__name__}")
    _added.append(module)


def add_folder(folder: Path, but: Collection[Path] = ()) -> list[str]:
    """Add every agent file (*.py) of a folder `but` for some; returns a line for each that could not be used."""
    return plugins.add_folder(folder, "agent", _add_own, but)


def _add_own(module: ModuleType) -> None:
    add(module)
    _own.add(module.__name__)


def _is_list(given: object, kind: type) -> bool:
    return isinstance(given, tuple | list) and all(isinstance(one, kind) for one in given)


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
    where = getattr(module, "__file__", None) or module.__name__
    try:
        agent: Agent = module.parse(word, text, game)
        lacking = [part for part in PARTS if not hasattr(agent, part)]
        named = not lacking and isinstance(agent.name, str) and isinstance(agent.title, str)
    except InputError:
        raise
    except Exception as fault:
        said = " ".join(str(fault).split())
        raise InputError(f"the agent file {where}: parse raises {type(fault).__name__}: {said}") from fault
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
