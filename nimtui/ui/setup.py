"""What a game needs before it can be played: which game, who sits where, which random numbers."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from nimtui.errors import InputError, whole_number

if TYPE_CHECKING:
    from nimtui.agents import Agent
    from nimtui.games import Game

ME = "me"
MOST_SEED = 2**63 - 1


@dataclass(frozen=True, slots=True)
class PlaySetup:
    """One game to be played. Everything is text as people type it; `validate` says whether it makes sense."""

    game: str = "tower:16"
    position: str | None = None  # None: the game's own start
    seats: tuple[str, str] = (ME, "hard")  # who moves first, who second: 'me' or an agent
    seed: int = 0

    def validate(self) -> PlaySetup:
        """The same setup with every name put in its canonical form. InputError, one line, where one is wrong."""
        game = parse_game(self.game)
        position = None
        if self.position is not None and self.position.strip():
            position = game.position_name(game.new(self.position))
            if position == game.position_name(game.start):
                position = None
        first, second = (seat_name(seat, game) for seat in self.seats)
        seed = whole_number(str(self.seed), "the seed", 0, MOST_SEED)
        return PlaySetup(self.game.strip(), position, (first, second), seed)

    def swapped(self) -> PlaySetup:
        """The same with the seats exchanged: the other one begins."""
        return replace(self, seats=(self.seats[1], self.seats[0]))


def parse_game(text: str) -> Game:
    """The game of this name. InputError also where nothing is named yet."""
    from nimtui.games import parse_game

    if not text.strip():
        raise InputError("name a game, for instance tower:16 or nim:3,5,4,2,6")
    return parse_game(text)


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
