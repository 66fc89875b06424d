"""Turns the words of the command line into games and agents, the person's own included.

Finds the file of a game, learner or agent, too: by its path or a name, without running it, or by what its code raised.
"""

from __future__ import annotations

import sys
import traceback
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from nimtui.errors import InputError, unknown
from nimtui.process import plugins
from nimtui.process.plugins import declared, names_of

if TYPE_CHECKING:
    from nimtui.agents import Agent
    from nimtui.games import Game
    from nimtui.games.base import State


@cache
def own_files() -> None:
    """Load the person's own and installed games, learners and agents. Names on stderr what cannot be used."""
    from nimtui.foreign.reading import exists
    from nimtui.process import plugins
    from nimtui.store import paths

    if not any(exists(folder()) for folder in paths.OWN_CODE.values()) and not plugins.any_packaged():
        return  # keeps the start of the app fast: games and agents are not imported yet
    from nimtui.check import quarantine
    from nimtui.check.quarantine import add_own_files
    from nimtui.cli.output import others_silent, tell

    if sys.stderr.isatty():  # a check takes a few seconds, once for each version of a file
        quarantine.announce = lambda path: tell(f"checking {path}")

    with others_silent():
        faults = add_own_files()
    for fault in faults:
        tell(fault)
    from nimtui.engine import last_exit
    from nimtui.process import stopping
    from nimtui.store import guard

    if guard.own_files():  # an own file's code may end this process silently, or never let go
        guard.begin()
        guard.trace(stopping.watch_own_code(guard.pipe(), prepare=last_exit.prepare))


def read_game(text: str) -> Game:
    """Return the game of this name. Raises InputError for an invalid name."""
    from nimtui.games import parse_game

    own_files()
    return parse_game(text)


def read_position(text: str, position: str | None) -> tuple[Game, State]:
    """Return the game and the state at this position, the start if None. Raises InputError."""
    game = read_game(text).beginning(position)
    return game, game.new(position)


def read_agent(text: str, game: Game) -> Agent:
    """Return the agent of this name for this game. Raises InputError if the name is invalid or it cannot play."""
    from nimtui.agents import parse_agent

    return parse_agent(text, game)


class Found(NamedTuple):
    """A file to check."""

    path: Path
    kind: str
    source: str  # the path, or the name of a module of the package
    wanted: str = ""  # the name that was given, with its parameters


def find(text: str) -> Found:
    """Return the file with this path, or with a game, learner or agent of this name. Raises InputError."""
    from nimtui.foreign.reading import absolute, is_there, named

    path = named(text)
    if text.endswith(".py") or "/" in text:
        if not is_there(path):
            raise InputError(f"there is no file {text}")
        if path.suffix != ".py":
            raise InputError(f"{text} is not a Python file: its name must end in .py")
        whole = absolute(path)
        return _of_the_package(whole) or Found(whole, _kind(whole), str(whole))
    return _by_name(text)


def own_paths() -> list[tuple[Path, str]]:
    """Return the person's own files, also unusable ones, each with the kind of its folder."""
    from nimtui.store import paths

    return [(path, kind) for kind, folder in paths.OWN_CODE.items() for path in plugins.files(folder())]


def raised(fault: BaseException) -> bool:
    """Return whether code of an own file raised this, interpreted or compiled."""
    files = {str(one.path) for one in plugins.loaded()}
    frames = (frame for frame, _ in traceback.walk_tb(fault.__traceback__))
    return any(frame.f_code.co_filename in files for frame in frames) or bool(compiled_fault(fault))


def compiled_fault(fault: BaseException) -> str:
    """Return a line that names the own file whose compiled code raised this; '' if there is none.

    Compiled code leaves no frame: the innermost one is that of its caller, which holds the state or the learner.
    """
    trace = fault.__traceback__
    if trace is None or "numba" not in sys.modules:
        return ""
    while trace.tb_next is not None:
        trace = trace.tb_next
    frame = trace.tb_frame
    if not any(hasattr(frame.f_globals.get(name), "py_func") for name in frame.f_code.co_names):
        return ""
    held = list(frame.f_locals.values())
    held += [value for one in held for value in getattr(one, "__dict__", {}).values()]
    modules = {type(value).__module__ for value in held}
    own = next((one for one in plugins.loaded() if plugins.module_name(one.path, one.kind) in modules), None)
    fault_line = f"the compiled code raises {plugins.fault_text(fault)}"
    return f"the {own.kind} file {own.path}: {fault_line}" if own else ""


def built_in() -> dict[str, tuple[str, str]]:
    """Return the built-in names of games, learners and agents, each with its kind and module."""
    from nimtui.agents import registry as agents
    from nimtui.games import registry as games
    from nimtui.learning.learner import learners

    files = {word: ("game", module.__name__) for module in games.families() for word in module.NAMES}
    files |= {word: ("learner", module.__name__) for word, module in learners().items()}
    for module in agents.modules():
        for word in agents.names_of(module):
            files.setdefault(word, ("agent", module.__name__))
    return files


def _of_the_package(path: Path) -> Found | None:
    """Return the module of the package that this file is, if it is one: it has its names already."""
    package = Path(__file__).parent.parent
    if package not in path.parents:
        return None
    modules = {Path(str(sys.modules[module].__file__)): (word, kind) for word, (kind, module) in built_in().items()}
    return _by_name(modules[path][0]) if path in modules else None


def _by_name(text: str) -> Found:
    word = text.strip().partition(":")[0].strip().lower()
    wanted = text.strip() if ":" in text else ""
    own = {name: (path, kind) for path, kind in own_paths() for name in names_of(path, kind)}
    files = built_in()
    if word in own:
        path, kind = own[word]
        return Found(path, kind, str(path), wanted if word in declared(path, kind).names else "")
    if word not in files:
        raise unknown("game, learner or agent", word, sorted({*own, *files}))
    kind, module = files[word]
    return Found(Path(str(sys.modules[module].__file__)), kind, module, wanted or (word if kind == "agent" else ""))


def _kind(path: Path) -> str:
    """Return the kind that a file declares, or else that of its folder."""
    folder = path.parent.name
    return declared(path, folder[:-1] if folder in ("games", "learners", "agents") else "").kind or "game"
