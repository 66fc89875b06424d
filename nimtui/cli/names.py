"""Turns the words of the command line into games and agents, the person's own included."""

from __future__ import annotations

import sys
from functools import cache
from typing import TYPE_CHECKING

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
