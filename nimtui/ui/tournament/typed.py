"""The texts of a tournament's form as typed so far, and what they mean."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Self

from nimtui.arena.limits import UNLIMITED, Limits, parse_limits
from nimtui.arena.openings import BALANCED, START, parse_openings
from nimtui.arena.plan import MOST_GAMES, ORDERED, ROUND_ROBIN
from nimtui.errors import InputError
from nimtui.ui.kit.draft import Draft
from nimtui.ui.kit.entries import parse_count, parse_game, parse_seed, parse_workers
from nimtui.ui.tournament.lookups import OFF, known, parse_thoughts, unsolvable
from nimtui.ui.tournament.setup import TournamentSetup, parse_name

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


@dataclass(frozen=True)
class TypedTournament(Draft[TournamentSetup]):
    """What is typed, without the fields that ask for it."""

    roster: Roster = field(default_factory=Roster)
    answers: Mapping[tuple[str, str], str] = field(default_factory=dict)  # the answers of `look` by game and openings

    @property
    def agents(self) -> tuple[str, ...]:
        """Return the agents as typed; an empty text holds a place."""
        return self.roster.agents

    def text(self, name: str) -> str:
        return self.texts[name] if (place := place_of(name)) < 0 else self.roster.text(place)

    def with_text(self, name: str, text: str) -> Self:
        if (place := place_of(name)) < 0:
            return super().with_text(name, text)
        return replace(self, roster=self.roster.with_text(place, text))

    def without(self, name: str) -> Self:
        """Return the draft without this agent."""
        place = place_of(name)
        return replace(self, roster=self.roster.without(place)) if place >= 0 else self

    def first(self, name: str) -> Self:
        """Return the draft with this agent first: in a gauntlet it plays all others."""
        place = place_of(name)
        return replace(self, roster=self.roster.first(place)) if place > 0 else self

    def completed(self, name: str) -> Self | None:
        """Return the draft with the first agent whose name starts with the typed text; None if there is none."""
        typed = self.text(name).strip().lower()
        if not typed or self.finding(name).right:
            return None
        meant = next((offer.value for offer in self.offers(name) if offer.value.startswith(typed)), None)
        return self.with_text(name, meant) if meant is not None else None

    def setup(self) -> TournamentSetup:
        sprt = self.texts["sprt"].strip()
        roster = self.roster.entered(self.least)
        return TournamentSetup(
            self.games,
            roster.agents,
            self.pairs,
            parse_count(self.texts["number"], "the number of games", MOST_GAMES),
            self.openings,
            parse_seed(self.texts["seed"]),
            None if sprt.lower() in (OFF, "") else sprt,
            parse_workers(self.texts["workers"]),
            parse_name(self.texts["name"]),
            self.limits.move,
            self.limits.game,
            roster.joined,
            parse_thoughts(self.texts["thoughts"]),
        )

    @cached_property
    def games(self) -> tuple[str, ...]:
        """Return the games' names as typed."""
        return tuple(word.strip(",") for word in re.split(r"[\s;]+", self.texts["games"]) if word.strip(","))

    @property
    def pairs(self) -> str:
        """Return the kind of pairing; an empty field means the default, which it shows."""
        return self.texts["pairs"].strip().lower() or ROUND_ROBIN

    @property
    def least(self) -> int:
        """Return how many agents the pairings need."""
        return 1 if self.pairs == ORDERED else 2

    @property
    def limits(self) -> Limits:
        """Return the time limits of the agents. InputError if they are invalid."""
        text = self.texts["limits"]
        return UNLIMITED if text.strip().lower() in (OFF, "") else parse_limits(text)

    @property
    def openings(self) -> str:
        """Return the openings' name as typed, or the default."""
        return self.texts["openings"].strip().lower() or START

    @cached_property
    def playable(self) -> bool:
        """Return whether the games are valid; only then can agents be checked."""
        return self.finding("games").right

    @cached_property
    def entered(self) -> tuple[str, ...]:
        """Return the canonical names of the agents; '' for an agent that cannot play the games."""
        return tuple(map(self.name_of, self.agents))

    def known(self, text: str) -> tuple[str, str]:
        """Return the canonical name and the title of an agent that can play all the games. InputError otherwise."""
        first, *others = self.games
        for game in others:
            known(text, game)
        return known(text, first)

    def name_of(self, text: str) -> str:
        """Return an agent's canonical name; '' if it cannot play the games."""
        try:
            return self.known(text.strip())[0] if text.strip() and self.playable else ""
        except InputError:
            return ""

    @property
    def question(self) -> tuple[str, str] | None:
        """Return a game and openings that are not checked yet: ask `look`, give its answer to `answered`."""
        try:
            openings = parse_openings(self.openings)
            games = [parse_game(name).name for name in self.games]
        except InputError:
            return None
        if openings.kind == START or (openings.kind == BALANCED and any(map(unsolvable, games))):
            return None
        return next(((game, openings.name) for game in games if (game, openings.name) not in self.answers), None)

    def answered(self, question: tuple[str, str], fault: str) -> Self:
        """Return the draft with the answer whether such openings exist."""
        return replace(self, answers={**self.answers, question: fault})
