"""Agents that a program hands in as objects. Each object gets a name, which only this process knows."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeAlias

from nimtui.agents import registry
from nimtui.agents.agent import Agent
from nimtui.errors import InputError
from nimtui.games import Game

OTHER = re.compile(r"[^a-z0-9_.-]+")  # signs that no name has


Make: TypeAlias = Callable[[Game, str], Agent]

_entries: dict[str, tuple[object, Make]] = {}  # name -> the object, which stays in memory, and what makes its agent


def enter(thing: object, wanted: str, make: Make) -> str:
    """Return the name of this object: the wanted one, with -2, -3 … if another agent has it."""
    for name, (other, _) in _entries.items():
        if other is thing:
            return name
    stem = OTHER.sub("-", wanted.lower()).strip("-") or "agent"
    taken = registry.by_name()
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
