"""What a game needs before it can be played: which game, from where, who sits there, which random numbers."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from nimtui.errors import InputError
from nimtui.ui.kit.entries import fresh_seed, parse_game, parse_seed

if TYPE_CHECKING:
    from nimtui.agents import Agent
    from nimtui.games import Game

ME = "me"
SELF_TAUGHT = "reward:games=5000000,seed=0"  # trained in less than a second, after its kernels are compiled
USUAL_OPPONENTS = ("hard", "mc")  # the first of them that can play the game


@dataclass(frozen=True, slots=True)
class PlaySetup:
    """One game to be played. All of it is text as people type it; `validate` says whether it makes sense."""

    game: str = "tower:16"
    position: str | None = None  # None: the game's own start
    seats: tuple[str, str] = (ME, "hard")  # who moves first, who second: 'me' or an agent
    seed: int = 0

    def validate(self) -> PlaySetup:
        """The same with position and seats in their canonical form. InputError, one line, where one is wrong."""
        game = parse_game(self.game)
        first, second = (seat_name(seat, game) for seat in self.seats)
        return PlaySetup(
            self.game.strip(),
            parse_position(self.position or "", game),
            (first, second),
            parse_seed(str(self.seed)),
        )

    def swapped(self) -> PlaySetup:
        """The same with the seats exchanged: the other one begins."""
        return replace(self, seats=(self.seats[1], self.seats[0]))


def parse_position(text: str, game: Game) -> str | None:
    """The position's canonical name, None for the game's start. InputError where nothing can be played from it."""
    from nimtui.games import base

    if not text.strip():
        return None
    state = game.new(text)
    name = game.position_name(state)
    if base.outcome(state) != base.GOING_ON:
        raise InputError(f"the game is over at {name}: a position needs a move to be played")
    return None if name == game.position_name(game.start) else name


def parse_seat(text: str, game: Game) -> Agent | None:
    """Who sits there: an agent that can play this game, or None for a person. InputError otherwise."""
    from nimtui.agents import parse_agent

    if not text.strip():
        raise InputError("name who plays: me, or an agent such as hard or perfect")
    return None if text.strip().lower() == ME else parse_agent(text, game)


def seat_name(text: str, game: Game) -> str:
    """The canonical name of who sits there."""
    agent = parse_seat(text, game)
    return ME if agent is None else agent.name


def usual_opponent(game: Game) -> str:
    """Whom a person plays if nobody else is named."""
    for name in USUAL_OPPONENTS[:-1]:
        try:
            parse_seat(name, game)
        except InputError:
            continue
        return name
    return USUAL_OPPONENTS[-1]


def usual_setup(game: str) -> PlaySetup:
    """This game, a person first, against the usual opponent."""
    return PlaySetup(game, None, (ME, usual_opponent(parse_game(game))), fresh_seed())
