"""The agents of a tournament while they are entered, in their order."""

from __future__ import annotations

from dataclasses import dataclass

AGENT = "agent"  # the fields of the agents are agent1, agent2, …


def place_of(name: str) -> int:
    """Return which agent's field this is, counted from 0; −1 for another field."""
    number = name.removeprefix(AGENT)
    return int(number) - 1 if number != name and number.isdigit() else -1


@dataclass(frozen=True)
class Roster:
    """The typed agents; an empty text holds a place. The last `joined` joined later: their pairings come last."""

    agents: tuple[str, ...] = ()
    joined: int = 0

    def text(self, place: int) -> str:
        return self.agents[place] if place < len(self.agents) else ""

    def joins(self, place: int) -> bool:
        """Return whether the agent of this place joined later."""
        return len(self.agents) - self.joined <= place < len(self.agents)

    def with_text(self, place: int, text: str) -> Roster:
        """Return the roster with this text. An agent below the last one joins later, if some did before."""
        agents = [*self.agents, ""]
        agents[place] = text
        while agents and not agents[-1].strip():
            agents.pop()
        joined = self.joined + len(agents) - len(self.agents) if self.joined else 0
        return Roster(tuple(agents), max(0, joined))

    def without(self, place: int) -> Roster:
        agents = (*self.agents[:place], *self.agents[place + 1 :])
        return Roster(agents, self.joined - self.joins(place))

    def first(self, place: int) -> Roster:
        """Return the roster with this agent first: then it did not join later."""
        agents = (*self.agents[place : place + 1], *self.agents[:place], *self.agents[place + 1 :])
        return Roster(agents, self.joined - self.joins(place))

    def entered(self, least: int) -> Roster:
        """Return the roster without empty places; `least` agents at least did not join later."""
        at = [place for place, agent in enumerate(self.agents) if agent.strip()]
        joined = min(sum(map(self.joins, at)), max(0, len(at) - least))
        return Roster(tuple(self.agents[place].strip() for place in at), joined)
