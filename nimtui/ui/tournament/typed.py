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
    name, title, fault = _known(agent, game, file_stamp(agent))
    if fault:
        raise InputError(fault)
    return name, title


@lru_cache(2048)
def _known(agent: str, game: str, stamp: object) -> tuple[str, str, str]:
    """Return name and title, and what is wrong. `stamp` changes with the agent's file."""
    try:
        known = parse_agent(agent, parse_game(game))
    except InputError as wrong:
        return "", "", str(wrong)
    return known.name, known.title, ""


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
    stream, plies, moves = Stream(0), 0, 0
    for _ in range(SAMPLES):
        state = parse_game(game).new()
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
    if (said := text.strip().lower()) not in (OFF, SAVED, ""):
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


class Entrant(NamedTuple):
    """A typed agent; an empty text holds a place. Those that joined later, the last ones, have their pairings last."""

    text: str
    later: bool = False


@dataclass(frozen=True)
class TypedTournament(Draft[TournamentSetup]):
    """What is typed, without the fields that ask for it."""

    roster: tuple[Entrant, ...] = ()
    answers: Mapping[tuple[str, str], str] = field(default_factory=dict)  # the answers of `look` by game and openings

    @property
    def agents(self) -> tuple[str, ...]:
        """Return the agents as typed; an empty text holds a place."""
        return tuple(entrant.text for entrant in self.roster)

    def text(self, name: str) -> str:
        place = place_of(name)
        return self.texts[name] if place < 0 else "".join(self.agents[place : place + 1])

    def with_text(self, name: str, text: str) -> Self:
        """Return the draft with this text. An agent below the last one joins later, if some did before."""
        if (place := place_of(name)) < 0:
            return super().with_text(name, text)
        roster = [*self.roster, Entrant("", any(entrant.later for entrant in self.roster))]
        roster[place] = roster[place]._replace(text=text)
        while roster and not roster[-1].text.strip():
            roster.pop()
        return replace(self, roster=tuple(roster))

    def without(self, name: str) -> Self:
        """Return the draft without this agent."""
        place = place_of(name)
        return replace(self, roster=self.roster[:place] + self.roster[place + 1 :]) if place >= 0 else self

    def first(self, name: str) -> Self:
        """Return the draft with this agent first, so it did not join later: in a gauntlet it plays all others."""
        if (place := place_of(name)) not in range(1, len(self.roster)):
            return self
        return replace(self, roster=(Entrant(self.agents[place]), *self.without(name).roster))

    def completed(self, name: str) -> Self | None:
        """Return the draft with the first agent whose name starts with the typed text; None if there is none."""
        typed = self.text(name).strip().lower()
        offers = self.offers(name) if typed and not self.finding(name).right else []
        return next((self.with_text(name, offer.value) for offer in offers if offer.value.startswith(typed)), None)

    def setup(self) -> TournamentSetup:
        sprt, limits = self.texts["sprt"].strip(), self.limits
        roster = [entrant for entrant in self.roster if entrant.text.strip()]
        later = sum(entrant.later for entrant in roster)
        return TournamentSetup(
            self.games,
            tuple(entrant.text.strip() for entrant in roster),
            self.pairs,
            parse_count(self.texts["number"], "the number of games", MOST_GAMES),
            self.openings,
            parse_seed(self.texts["seed"]),
            None if sprt.lower() in (OFF, "") else sprt,
            parse_workers(self.texts["workers"]),
            parse_name(self.texts["name"]),
            limits.move,
            limits.game,
            min(later, max(0, len(roster) - self.least)),
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
