"""Asks which game to play, and who plays it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from nimtui.cli import output
from nimtui.cli.names import read_game
from nimtui.cli.plain import telling
from nimtui.cli.plain.asking import Asking
from nimtui.errors import InputError
from nimtui.games import Game
from nimtui.games.presets import PRESETS
from nimtui.ui.play.setup import ME, USUAL_OPPONENT, PlaySetup, seat_name

T = TypeVar("T")
AWAY = ("quit", "exit", "q")


class Back(Exception):
    """The person goes back to the game on the board."""


class Quit(Exception):
    """The person quits instead of choosing."""


def choose(asking: Asking, seed: int) -> PlaySetup:
    """Ask for a game and its players. Raises Quit, Back and EndOfInput."""
    say_games()
    name = _asked(asking, "Game, by number or name", "1", _named)
    game = read_game(name)
    output.paragraph(f"{telling.title(game)} Each player is 'me' or an agent; 'agents' lists the agents.")

    def seat(text: str) -> str:
        if text.lower() == "agents":
            say_agents(game)
            raise InputError("")
        return seat_name(text, game)

    first = _asked(asking, "First player", ME, seat)
    second = _asked(asking, "Second player", USUAL_OPPONENT if first == ME else ME, seat)
    return PlaySetup(name, None, (first, second), seed)


def say_games() -> None:
    """Print the games that lists offer, with their names."""
    output.paragraphs(f"{number}. {preset.title}: {preset.game}" for number, preset in enumerate(PRESETS, 1))


def say_agents(game: Game) -> None:
    """Print the agents that can play a game, with their names."""
    from nimtui.agents import agent_choices

    output.paragraphs(f"{preset.agent}: {preset.title}" for preset in agent_choices(game))


def _named(text: str) -> str:
    """Return the name of a game by its number or name."""
    if text.isascii() and text.isdigit() and len(text) < 4:
        if not 1 <= int(text) <= len(PRESETS):
            raise InputError(f"choose a number from 1 to {len(PRESETS)}, or type a name such as nim:3,4,5")
        return PRESETS[int(text) - 1].game
    read_game(text)
    return text


def _asked(asking: Asking, question: str, default: str, read: Callable[[str], T]) -> T:
    """Ask until the answer is valid. An empty line stands for the default."""
    while True:
        try:
            text = asking.ask(f"{question} [{default}]") or default
            if text.lower() in AWAY:
                raise Quit
            if text.lower() == "back":
                raise Back
            return read(text)
        except InputError as wrong:
            if error := str(wrong):
                output.paragraph(f"Error: {error}")
