"""Creates agents from names such as `mc:playouts=1000`. Own agents run in their own processes.

Files and folders are agents, too, by what they hold: programs, and students' hand-ins. A Python file is a hand-in if it
defines what an assignment asks for. A folder has a file `start` with one line: a command that runs in the folder, after
`cmd:`, `text:` or another word for how to speak [default: cmd].
"""

from __future__ import annotations

import os
import shlex
import sys
from contextlib import suppress
from pathlib import Path
from types import ModuleType

from nimtui.agents import registry, searching, table
from nimtui.agents.agent import Agent
from nimtui.agents.program import CS50, JSON
from nimtui.errors import InputError, shortened
from nimtui.foreign.reading import contents
from nimtui.games import Game
from nimtui.learning.opponents import LEVELS
from nimtui.learning.students.learner import LARGEST, Assignment, built_in, defined, likeliest
from nimtui.process import plugins
from nimtui.sandbox.command import within

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


START = "start"
LONGEST = 4096  # bytes of a line
READS = ("input(", "stdin")  # a Python file with one of these speaks in lines


def is_hand_in(path: Path) -> bool:
    """Return whether a file defines what an assignment asks for."""
    return path.suffix == ".py" and likeliest(path) is not None and bool(defined(path))


def plays(assignment: Assignment, game: str) -> bool:
    """Return whether files of an assignment play this game, whose name is canonical."""
    if not assignment.game:
        return False
    return game == assignment.game or (game.startswith(f"{assignment.game}:") and ":max" not in game)


def agent_of(path: Path, game: Game) -> str:
    """Return the name of the agent that a file or folder is. Raises InputError if it is none."""
    if not path.is_dir():
        return _of_file(path, game)
    if (path / START).is_file():
        kind, _, command = line_of(path).partition(":")
        if kind == CS50:
            return f"{kind}:{shlex.quote(str((path / command).absolute()))}"
        return f"{kind}:{within(str(path), command)}"
    files = [file for file in sorted(path.iterdir()) if file.is_file() and can_play(file)]
    names = [f"{one.path.stem}.py" for one in built_in() if plays(one, game.name)]
    likely = [file for file in files if file.name in names] or files
    if len(likely) != 1:
        raise InputError(f"the folder has {len(files)} programs: a file '{START}' with a command says which plays")
    return _of_file(likely[0], game)


def can_play(path: Path) -> bool:
    """Return whether a file or folder may be a player."""
    return path.is_dir() or path.suffix == ".py" or os.access(path, os.X_OK)


def starts(path: Path) -> bool:
    """Return whether a folder says how it starts, or a file can be run."""
    return (path / START).is_file() if path.is_dir() else os.access(path, os.X_OK)


def speaks(path: Path) -> bool:
    """Return whether a file or folder is a program that answers lines; of Python files by their text."""
    with suppress(InputError):
        return _reads_lines(path) if path.suffix == ".py" else starts(path)
    return False


def _reads_lines(path: Path) -> bool:
    """Return whether a Python file reads its standard input. Raises InputError if it cannot be read."""
    try:
        text = contents(path, LARGEST).decode(errors="replace")
    except OSError as fault:
        raise InputError(f"{path.name} cannot be read: {fault.strerror}") from None
    return any(word in text for word in READS)


def _of_file(path: Path, game: Game) -> str:
    """Return the name of the agent that a file is: a program, or a Python file of an assignment."""
    file = shlex.quote(str(path.absolute()))
    if path.suffix != ".py":
        return f"{JSON}:{file}"
    if not _reads_lines(path):
        own = likeliest(path)
        if own is not None and defined(path) and not plays(own, game.name):
            raise InputError(f"{path.name} plays {own.game}, not {game.name}")
        if own is not None or any(plays(one, game.name) for one in built_in()):
            return f"{CS50}:{file}"
    return f"{JSON}:{shlex.quote(sys.executable)} {file}"


def line_of(path: Path) -> str:
    """Return the line in a folder's file `start`: 'cmd:./bot'. Raises InputError if it cannot be read."""
    try:
        with (path / START).open("rb") as file:
            line = file.readline(LONGEST).decode().strip()
    except (OSError, ValueError) as fault:
        raise InputError(f"{path / START} cannot be read: {fault}") from None
    kind, colon, _ = line.partition(":")
    return line if colon and kind.isalnum() else f"cmd:{line}"
