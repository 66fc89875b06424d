"""Creates agents from names such as `mc:playouts=1000`. Own agents run in their own processes."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from types import ModuleType

from nimtui.agents import registry, searching, table
from nimtui.agents.agent import Agent
from nimtui.agents.path import agent_of
from nimtui.errors import InputError, shortened
from nimtui.games import Game
from nimtui.learning.opponents import LEVELS
from nimtui.process import plugins

PARTS = ("name", "title", "ready", "prepare", "decide")  # required attributes of an agent


def parse_agent(text: str, game: Game) -> Agent:
    """Return the agent of this name, e.g. 'mc:playouts=1000'. Raises InputError for an invalid name."""
    word, _, rest = text.strip().partition(":")
    word = word.strip().lower()
    named = registry.by_name()
    if word not in named and not plugins.refused("agent", word):
        named = registry.by_name()
    if word not in named:
        if (path := _path(text)) is not None:
            return parse_agent(agent_of(path, game), game)
        raise plugins.unknown("agent", word, named)
    module = named[word]
    if registry.isolate and registry.is_own(module):
        from nimtui.agents.isolated import remote
        from nimtui.sandbox import client

        if client.possible():
            return remote.parse(module, word, rest, game)
    return _parsed(module, word, rest, game)


def _path(text: str) -> Path | None:
    """Return the file or folder that a text names as a path, None if it is no path. Raises InputError for no file."""
    if not (text.endswith(".py") or os.sep in text):
        return None
    path = Path(text.strip()).expanduser()
    if not path.exists():
        raise InputError(f"no file '{shortened(text)}'")
    return path


def _parsed(module: ModuleType, word: str, text: str, game: Game) -> Agent:
    """Return the agent from the module's `parse`. Raises InputError if it is none, or if an own module fails."""
    where = registry.where(module)
    try:
        agent: Agent = module.parse(word, text, game)
        lacking = [part for part in PARTS if not hasattr(agent, part)]
        named = not lacking and isinstance(agent.name, str) and isinstance(agent.title, str)
    except InputError:
        raise
    except plugins.RAISED as fault:
        if module.__name__.startswith("nimtui."):
            raise
        raise InputError(f"the agent file {where}: parse raised {plugins.fault_text(fault)}") from fault
    if named:
        return agent
    what = (
        f"it lacks {', '.join(lacking)} (see Agent in nimtui.agents.agent)"
        if lacking
        else "its name and title must be text"
    )
    raise InputError(f"the agent file {where}: parse returned no agent for '{shortened(word)}': {what}")


def agent_choices(game: Game) -> list[registry.AgentPreset]:
    """Return those of `presets_for` that can play this game."""
    choices = []
    for preset in presets_for(game):
        with suppress(InputError):
            agent = parse_agent(preset.agent, game)
            choices.append(preset._replace(title=agent.title) if preset.agent in LEVELS else preset)
    return choices


def presets_for(game: Game) -> list[registry.AgentPreset]:
    """Return the tables of this game that the person taught, all preset agents, and searches by saved functions."""
    return [*table.choices(game), *registry.presets(), *searching.choices(game)]
