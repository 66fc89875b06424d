"""What a person has chosen for a new game so far, which is always a valid game."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from nimtui.ui.kit.draft import Draft
from nimtui.ui.kit.entries import parse_game
from nimtui.ui.play.families import Family, Goal, Size, goal_of, place
from nimtui.ui.play.seating import Seating
from nimtui.ui.play.setup import PlaySetup, parse_seat

if TYPE_CHECKING:
    from nimtui.agents import Agent
    from nimtui.games import Game


@dataclass(frozen=True)
class Chosen(Draft[PlaySetup]):
    """The values of the New game form, for its fields to read."""

    name: str = "tower:16"  # of the game
    position: str = ""  # '': the game's start
    seating: Seating = field(default_factory=Seating)
    seed: int = 0
    last_seed: int | None = None  # of the game before

    @property
    def game(self) -> Game:
        return parse_game(self.name).beginning(self.position or None)

    @property
    def place(self) -> tuple[Family, Size | None]:
        """The family of the game, and its size if the form lists it."""
        return place(self.name)

    @property
    def goal(self) -> Goal:
        return goal_of(self.name)

    def machine(self, name: str) -> str:
        """Return the agent of a field."""
        return self.seating.machine(self.seating.role(name), self.game)

    def agent(self, name: str) -> Agent:
        """Return the agent of a field, ready to be asked for its title."""
        agent = parse_seat(self.machine(name), self.game)
        assert agent is not None  # a machine's field never holds a person
        return agent
