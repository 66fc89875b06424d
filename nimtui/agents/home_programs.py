"""The programs in the folder `programs` of the data folder: each is an agent by its name.

A file is a program if it can be run: its first line says how, as `#!/usr/bin/env python3`. A folder has a file `start`
with one line: a command that runs in the folder, after `cmd:`, `text:` or another word for how to speak [default: cmd].
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from nimtui.errors import InputError
from nimtui.games import Game
from nimtui.process import plugins

if TYPE_CHECKING:
    from nimtui.agents.agent import Agent

START = "start"
MOST = 200  # programs
LONGEST = 4096  # bytes of a line


def programs() -> dict[str, Path]:
    """Return the files and folders by their names; none whose name another agent has."""
    from nimtui.agents import registry
    from nimtui.store import paths

    try:
        entries = sorted(paths.programs().iterdir())[:MOST]
    except OSError:
        return {}
    places = {path.stem.lower(): path for path in entries if _is_program(path) and plugins.is_word(path.stem.lower())}
    if places:
        taken = {name for one in registry.modules() if one.__name__ != __name__ for name in registry.names_of(one)}
        places = {name: path for name, path in places.items() if name not in taken}
    return places


def _is_program(path: Path) -> bool:
    with suppress(OSError):
        return (path / START).is_file() if path.is_dir() else os.access(path, os.X_OK)
    return False


def names() -> tuple[str, ...]:
    """Return the names of all programs."""
    return tuple(programs())


def forms() -> tuple[tuple[str, str], ...]:
    """Return the names, and what each starts."""
    return tuple((name, f"your program {path.name}") for name, path in programs().items())


def preset_pairs() -> tuple[tuple[str, str], ...]:
    """Return the titles and names, for lists."""
    return tuple((path.name, name) for name, path in programs().items())


def line_of(path: Path) -> str:
    """Return the name of the agent that a file or folder is: 'cmd:./bot'. Raises InputError."""
    if not path.is_dir():
        return f"cmd:{_quoted(str(path))}"
    try:
        with (path / START).open("rb") as file:
            line = file.readline(LONGEST).decode().strip()
    except (OSError, ValueError) as fault:
        raise InputError(f"{path / START} cannot be read: {fault}") from None
    kind, colon, _ = line.partition(":")
    return line if colon and kind.isalpha() else f"cmd:{line}"


def parse(word: str, text: str, game: Game) -> Agent:
    from nimtui.agents.parse import parse_agent
    from nimtui.sandbox.command import within

    if text:
        raise InputError(f"the program {word} has no options")
    path = programs()[word]
    folder = path if path.is_dir() else path.parent
    kind, _, command = line_of(path).partition(":")
    return parse_agent(f"{kind}:{within(str(folder), command)}", game)


def _quoted(word: str) -> str:
    import shlex

    return shlex.quote(word)
