"""From the words of the command line to games and agents, those of the person's own included."""

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
    """Let what is in the person's own folders take part; a file that cannot is named on stderr."""
    from nimtui.store import paths

    if not any(folder.is_dir() for folder in (paths.games(), paths.learners(), paths.agents())):
        return  # the rooms of games and agents are not needed yet: the app opens without them
    from nimtui import quarantine
    from nimtui.agents.own_files import add_own_files
    from nimtui.cli.output import others_silent, tell

    if sys.stderr.isatty():  # mostly a few seconds, once for each file as it is
        quarantine.announce = lambda path: tell(f"checking {path}")

    with others_silent():
        faults = add_own_files()
    for fault in faults:
        tell(fault)
    from nimtui.store import guard

    if guard.own_files():  # native code of a person's own may end this process without a word
        guard.begin()


def read_game(text: str) -> Game:
    """The game of this name. InputError with what is wrong."""
    from nimtui.games import parse_game

    own_files()
    return parse_game(text)


def read_position(text: str, position: str | None) -> tuple[Game, State]:
    """The game and the state it is looked at in."""
    game = read_game(text)
    return game, game.new(position)


def read_agent(text: str, game: Game) -> Agent:
    """The agent of this name, able to play this game. InputError with what is wrong."""
    from nimtui.agents import parse_agent

    return parse_agent(text, game)


def agent_words() -> list[str]:
    """What an agent's name can begin with, for completion."""
    from nimtui.agents import agent_forms

    return sorted({form.partition("[")[0] for form, _ in agent_forms()})
