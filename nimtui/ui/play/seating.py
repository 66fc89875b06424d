"""Who plays a new game: people or machines, how strong, and who starts; read from the two seats, and back."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from nimtui.errors import InputError
from nimtui.ui.play.setup import ME, USUAL_OPPONENT, parse_seat

if TYPE_CHECKING:
    from nimtui.games import Game

Players = Literal["machine", "people", "machines"]
USUAL = ""  # the default machine of the game
SECOND_MACHINE = "medium"  # takes the person's seat when two machines play, if it can play the game


def can_play(seat: str, game: Game) -> bool:
    """Return whether this names a person, or an agent that can play the game."""
    try:
        parse_seat(seat, game)
    except InputError:
        return False
    return True


@dataclass(frozen=True, slots=True)
class Seating:
    """Who plays. A machine that cannot play a game is replaced there, and comes back with the next game it can play."""

    players: Players = "machine"
    you_start: bool = True  # of two machines: `other` starts
    opponent: str = USUAL
    other: str = USUAL  # the machine at your seat

    @classmethod
    def of(cls, seats: tuple[str, str], game: Game) -> Seating:
        """Return who sits in these seats. The default opponent of this game stands for that of any game."""
        first, second = (USUAL if seat == USUAL_OPPONENT else seat for seat in seats)
        if seats == (ME, ME):
            return cls("people")
        if ME in seats:
            return cls("machine", first == ME, second if first == ME else first)
        return cls("machines", True, second, seats[0])

    def seats(self, game: Game) -> tuple[str, str]:
        """Return the first and the second player of this game."""
        you = self.machine("other", game) if self.players == "machines" else ME
        opponent = ME if self.players == "people" else self.machine("opponent", game)
        return (you, opponent) if self.you_start else (opponent, you)

    def machine(self, role: Literal["opponent", "other"], game: Game) -> str:
        """Return the agent in this role in this game."""
        wanted = self.opponent if role == "opponent" else self.other or SECOND_MACHINE
        return wanted if wanted != USUAL and can_play(wanted, game) else USUAL_OPPONENT

    def with_machine(self, field: str, agent: str) -> Seating:
        """Return the players with another agent in this field of the form."""
        return replace(self, opponent=agent) if self.role(field) == "opponent" else replace(self, other=agent)

    def role(self, field: str) -> Literal["opponent", "other"]:
        """Return whom a field of the form sets: 'opponent', or the 'first' or 'second' machine."""
        return "other" if field != "opponent" and (field == "first") == self.you_start else "opponent"

    def swapped(self) -> Seating:
        """Return the same players in each other's seats."""
        return replace(self, you_start=not self.you_start)
