"""The settings of a new game: the game, its start position, the players, the seed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from nimtui.errors import InputError
from nimtui.ui.kit.entries import fresh_seed, parse_game, parse_seed

if TYPE_CHECKING:
    from nimtui.agents import Agent
    from nimtui.games import Game

ME = "me"
USUAL_OPPONENT = "hard"  # of a person, in every game


@dataclass(frozen=True, slots=True)
class PlaySetup:
    """The settings of one game, as people type them; `validate` checks them."""

    game: str = "tower:16"
    position: str | None = None  # None: the game's own start
    seats: tuple[str, str] = (ME, "hard")  # the first and the second player: 'me' or an agent
    seed: int = 0

    def validate(self) -> PlaySetup:
        """Return the setup with canonical position and seats. Raises InputError, one line, if one is invalid."""
        game = parse_game(self.game)
        position = parse_position(self.position or "", game)
        first, second = (seat_name(seat, game.beginning(position)) for seat in self.seats)
        return PlaySetup(self.game.strip(), position, (first, second), parse_seed(str(self.seed)))

    def swapped(self) -> PlaySetup:
        """Return the setup with the players swapped."""
        return replace(self, seats=(self.seats[1], self.seats[0]))


def parse_position(text: str, game: Game) -> str | None:
    """Return the position's canonical name, None for the game's start. Raises InputError if it has no moves."""
    from nimtui.games import base

    if not text.strip():
        return None
    state = game.new(text)
    name = game.position_name(state)
    if base.outcome(state) != base.GOING_ON:
        raise InputError(f"the game is over at {name}: choose a position with a legal move")
    return None if name == game.position_name(game.start) else name


def parse_seat(text: str, game: Game) -> Agent | None:
    """Return an agent that can play this game, or None for a person. Raises InputError otherwise."""
    from nimtui.agents import parse_agent

    if not text.strip():
        raise InputError("enter a player: me, or an agent such as hard or perfect")
    return None if text.strip().lower() == ME else parse_agent(text, game)


def seat_name(text: str, game: Game) -> str:
    """Return the canonical name of a player."""
    agent = parse_seat(text, game)
    return ME if agent is None else agent.name


def default_seats(first: str | None, second: str | None) -> tuple[str, str]:
    """Return who plays. The defaults are a person first, and the default opponent against a person."""
    if second is None:
        second = USUAL_OPPONENT if first is None or first.lower() == ME else ME
    return first or ME, second


def usual_setup(game: str) -> PlaySetup:
    """Return a game with a person first, against the default opponent."""
    return PlaySetup(game, None, (ME, USUAL_OPPONENT), fresh_seed())
