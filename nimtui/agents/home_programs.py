"""The programs in the folder `programs` of the data folder: each is an agent by its name.

A file is a program if it can be run: its first line says how, as `#!/usr/bin/env python3`. A folder has a file `start`.
Students' hand-ins may stand here, and among own agents.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from nimtui.agents import registry
from nimtui.agents.agent import Agent
from nimtui.agents.parse import agent_of, is_hand_in, parse_agent, speaks, starts
from nimtui.agents.program import CS50, is_program
from nimtui.errors import InputError
from nimtui.games import Game
from nimtui.learning.students.learner import likeliest
from nimtui.process import plugins
from nimtui.store import paths

MOST = 200  # programs


def programs() -> dict[str, Path]:
    """Return the files and folders by their names; none whose name another agent has."""

    entries: list[Path] = []
    for folder in (paths.programs(), paths.agents()):
        with suppress(OSError):
            entries += sorted(folder.iterdir())[:MOST]
    programs = str(paths.programs())
    entries = [path for path in entries if str(path.parent) == programs or is_hand_in(path)]
    places = {path.stem.lower(): path for path in entries if _is_program(path) and plugins.is_word(path.stem.lower())}
    if places:
        taken = {name for one in registry.modules() if one.__name__ != __name__ for name in registry.names_of(one)}
        places = {name: path for name, path in places.items() if name not in taken}
    return places


def _is_program(path: Path) -> bool:
    with suppress(OSError):
        return starts(path) or is_hand_in(path)
    return False


def names_program(text: str) -> bool:
    """Return whether this names a program: a command, one of these, or the path of one."""
    written = os.sep in text or text.endswith(".py")
    return is_program(text) or text.lower() in programs() or (written and speaks(Path(text).expanduser()))


def assignment_of(text: str) -> str:
    """Return the game of a student's hand-in, '' for any other path or name."""
    path = programs().get(text.strip().lower()) or Path(text.removeprefix(f"{CS50}:").strip()).expanduser()
    one = likeliest(path) if is_hand_in(path) else None
    return "" if one is None else one.trained or one.game


def names() -> tuple[str, ...]:
    """Return the names of all programs."""
    return tuple(programs())


def forms() -> tuple[tuple[str, str], ...]:
    """Return the names, and what each starts."""
    return tuple((name, f"your program {path.name}") for name, path in programs().items())


def preset_pairs() -> tuple[tuple[str, str], ...]:
    """Return the titles and names, for lists."""
    return tuple((path.name, name) for name, path in programs().items())


def parse(word: str, text: str, game: Game) -> Agent:
    if text:
        raise InputError(f"the program {word} has no options")
    return parse_agent(agent_of(programs()[word], game), game)
