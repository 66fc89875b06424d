"""The texts of a tournament's form as typed so far, and what they mean."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import NamedTuple, Self

from nimtui.agents import parse_agent
from nimtui.agents.agent import USUAL_SECONDS, Memoryless
from nimtui.agents.mc import FlatMonteCarlo
from nimtui.agents.mcts import MonteCarloTreeSearch
from nimtui.agents.searching import own_time
from nimtui.agents.table import file_stamp
from nimtui.arena.judge import most_judged
from nimtui.arena.limits import UNLIMITED, Limits, parse_limits
from nimtui.arena.openings import BALANCED, START, parse_openings
from nimtui.arena.plan import MOST_GAMES, ORDERED, ROUND_ROBIN, Plan
from nimtui.engine.plies import MOST_PLIES
from nimtui.engine.rng import Stream
from nimtui.errors import InputError, shortened
from nimtui.games import base
from nimtui.jobs.processes import cores
from nimtui.ui.kit.draft import Draft, Entry, Offer
from nimtui.ui.kit.entries import parse_count, parse_game, parse_seed, parse_workers
from nimtui.ui.tournament.setup import TournamentSetup, parse_name

SAMPLES = 10  # random games
# Seconds, measured on one core of a small server; another machine may be twice or half as fast.
PLY = 40e-9  # per ply of a playout
SIMULATION = 500e-9  # per simulation of a tree search, without its playout
ASKED = 60e-6  # per move of an agent that is asked move by move
WHOLE = 2e-6  # per game that the engine plays as a whole
JUDGED = 0.15  # per game of a large connect board that is judged


def known(agent: str, game: str) -> tuple[str, str]:
    """Return an agent's canonical name and title. InputError if it is unknown or cannot play this game."""
    found = _known(agent, game, file_stamp(agent))
    if isinstance(found, str):
        raise InputError(found)
    return found


@lru_cache(2048)
def _known(agent: str, game: str, stamp: object) -> tuple[str, str] | str:
    """Return name and title, or what is wrong. `stamp` changes with the agent's file."""
    try:
        found = parse_agent(agent, parse_game(game))
    except InputError as wrong:
        return str(wrong)
    return found.name, found.title


@lru_cache(64)
def unsolvable(game: str) -> str:
    """Say why this game cannot be solved; '' if it can."""
    from nimtui import theory

    found = parse_game(game)
    fault = theory.why_unsolvable(found, found.start)
    return f"balanced openings need a solved game; {game}: {fault}" if fault is not None else ""


def look(question: tuple[str, str]) -> str:
    """Return '' if such openings exist in this game, else what is wrong. May take seconds."""
    game, openings = question
    try:
        parse_openings(openings).check(parse_game(game))
    except InputError as wrong:
        return str(wrong)
    return ""


# Duration: estimated from a few random games and from the agents' work per move.


class Shape(NamedTuple):
    """The shape of a game under random play."""

    plies: float
    moves: float  # per position


@lru_cache(64)
def shape(game: str) -> Shape:
    """Return the mean shape of a few random games."""
    state, stream = parse_game(game).new(), Stream(0)
    begin = base.copy(state)
    plies = moves = 0
    for _ in range(SAMPLES):
        base.restore(state, begin.board)
        for _ in range(MOST_PLIES):
            if base.outcome(state) != base.GOING_ON:
                break
            count = int(base.count(state))
            base.play(state, base.nth(state, stream.below(count)))
            plies, moves = plies + 1, moves + count
    return Shape(plies / SAMPLES, moves / max(1, plies))


@lru_cache(1024)
def of_a_move(agent: str, game: str) -> float | None:
    """Return the seconds an agent takes per move, 0 if it only looks moves up; None if unknown."""
    found, (plies, moves) = parse_agent(agent, parse_game(game)), shape(game)
    if own := own_time(found):
        return own
    if isinstance(found, FlatMonteCarlo):
        return found.playouts * moves * plies / 2 * PLY
    if isinstance(found, MonteCarloTreeSearch):
        return found.settings.simulations * (SIMULATION + plies / 2 * PLY)
    return 0.0 if isinstance(found, Memoryless) and found.memoryless else None


def seconds(plan: Plan, workers: int | None) -> float | None:
    """Estimate the seconds of the whole tournament, with all games played; None if an agent's time is unknown."""
    total = 0.0
    for pairing in plan.pairings:
        game = plan.games[pairing.game]
        first, second = (of_a_move(plan.agents[place], game) for place in (pairing.first, pairing.second))
        if first is None or second is None:
            return None
        plies = shape(game).plies
        slow = plies * (ASKED + (first + second) / 2)
        total += plan.number * (slow if first + second or plan.thoughts else WHOLE)
        total += JUDGED * min(plan.number, most_judged(parse_game(game)) or 0)
    return total / min(workers or cores(), cores(), max(1, plan.total))


OFF, NO_LIMIT = "off", "no limit"
SAVED = "saved"

LIMITS = Entry(
    "limits",
    "Time",
    lambda draft, text: draft.limits.title or NO_LIMIT,
    "in seconds: move=2,game=60; or off. An agent that is late loses the game; a search plays its best move so "
    f"far. Your own agents have {USUAL_SECONDS:g} s per move [default]",
    (
        Offer(OFF, OFF, NO_LIMIT),
        Offer("move=2", "2 s per move", "a late agent loses, a search moves"),
        Offer("game=60", "60 s per game", "for all moves of one agent"),
    ),
    OFF,
)


def parse_thoughts(text: str) -> bool:
    """Return whether the thoughts of the agents are saved. InputError if the text is invalid."""
    said = text.strip().lower()
    if said not in (OFF, SAVED, ""):
        raise InputError(f"thoughts are {SAVED} or {OFF}, not '{shortened(said)}'")
    return said == SAVED


THOUGHTS = Entry(
    "thoughts",
    "Thoughts",
    lambda draft, text: "saved: same games, slower" if parse_thoughts(text) else "not saved",
    "saved: each game keeps what the agents expected of their moves, for its value history; whole games then do not "
    "run in the engine",
    (
        Offer(OFF, OFF, "only the moves: fastest"),
        Offer(SAVED, SAVED, "what the agents expected of their moves, too"),
    ),
    OFF,
)


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
