"""The plan of a tournament: games, agents, pairings, number of games, openings. Plain values, to store and send.

Openings are the first moves of a game, made for both players, so that games start differently. From a decided start,
the seat decides every game of perfect players. Openings of random moves vary that. Of balanced openings half are won
and half lost for the player to move, and each is played twice, with the seats swapped.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations, product
from typing import Any, NamedTuple

from nimtui import theory
from nimtui.agents import levels, parse_agent
from nimtui.agents.program import digests, is_program
from nimtui.arena.play.limits import UNLIMITED, Limits
from nimtui.arena.rating.sprt import LEAST_GAMES, LEAST_PAIRS, Sprt, parse_sprt
from nimtui.engine.rng import Stream
from nimtui.errors import InputError, did_you_mean, reading, shortened, unknown, whole_number
from nimtui.games import Game, base, parse_game
from nimtui.games.base import Move
from nimtui.games.notation import plural
from nimtui.theory import Outcome, Unsolvable

START, RANDOM, BALANCED = "start", "random", "balanced"
OPENING_FORMS = {
    "start": "every game starts from the initial position",
    "random:PLIES": "PLIES random moves first",
    "balanced:PLIES": "PLIES random moves; half of the openings are won and half lost for the player to move",
}
USUAL_PLIES, MOST_PLIES = 2, 60
STREAMS = 1 << 63  # beyond the streams of the games
TRIES = 2_000  # random openings to try for one that is not over and has the wanted outcome


@dataclass(frozen=True, slots=True)
class Openings:
    """How games start. `opening` returns the same moves for the same seed and number."""

    kind: str = START
    plies: int = 0

    @property
    def name(self) -> str:
        """Return text that parses to equal openings: 'balanced:2'."""
        return START if self.kind == START else f"{self.kind}:{self.plies}"

    @property
    def title(self) -> str:
        """Return them as people say them."""
        if self.kind == START:
            return "from the start"
        moves = "1 random move" if self.plies == 1 else f"{self.plies} random moves"
        return f"after {moves}" if self.kind == RANDOM else f"balanced, after {moves}"

    def opening(self, game: Game, seed: int, number: int) -> tuple[Move, ...]:
        """Return the moves of the opening of this number. InputError if the game has none such."""
        if self.kind == START:
            return ()
        stream = Stream(seed, STREAMS + number)
        wanted = Outcome.WIN if number % 2 == 0 else Outcome.LOSS
        for _ in range(TRIES):
            moves = self._moves(game, stream)
            if moves is not None and (self.kind == RANDOM or _worth(game, moves) is wanted):
                return moves
        what = "that is not over" if self.kind == RANDOM else f"that is a {wanted.value} for the player to move"
        raise InputError(
            f"{game.name} has no position {what} after {plural(self.plies, 'move', 'moves')}, in {TRIES:,} tries"
        )

    def check(self, game: Game) -> None:
        """Raise InputError if this game cannot have such openings."""
        if self.kind == BALANCED and (fault := theory.why_unsolvable(game, game.start)) is not None:
            raise InputError(f"balanced openings need a solved game; {game.name}: {fault}")
        for number in range(2):
            self.opening(game, 0, number)

    def _moves(self, game: Game, stream: Stream) -> tuple[Move, ...] | None:
        """Return so many random moves; None if the game is over after them."""
        state = game.new()
        moves: list[Move] = []
        while len(moves) < self.plies:
            if base.outcome(state) != base.GOING_ON:
                return None
            move = int(base.nth(state, stream.below(base.count(state))))
            base.play(state, move)
            moves.append(move)
        return tuple(moves) if base.outcome(state) == base.GOING_ON else None


FROM_THE_START = Openings()


def _worth(game: Game, moves: tuple[Move, ...]) -> Outcome | None:
    state = game.new()
    for move in moves:
        base.play(state, move)
    try:
        return theory.solve(game, state).outcome
    except Unsolvable:
        return None


def parse_openings(text: str) -> Openings:
    """Return the openings of this name: 'start', 'random:4', 'balanced' (= balanced:2). InputError if it is invalid."""
    kind, colon, plies = text.strip().lower().partition(":")
    if kind not in (START, RANDOM, BALANCED):
        near = did_you_mean(kind, (START, RANDOM, BALANCED))
        raise InputError(f"unknown kind of openings '{shortened(kind)}'{near} (one of: {', '.join(OPENING_FORMS)})")
    if kind == START:
        if colon:
            raise InputError("the openings 'start' take no number (did you mean random:PLIES or balanced:PLIES?)")
        return FROM_THE_START
    return Openings(kind, whole_number(plies, "the random moves", 1, MOST_PLIES) if colon else USUAL_PLIES)


ROUND_ROBIN, GAUNTLET, ORDERED = "round-robin", "gauntlet", "ordered"
PAIRS = {
    ROUND_ROBIN: "every agent against every other, alternating seats",
    GAUNTLET: "the first against all others, alternating seats",
    ORDERED: "every ordered pair, with self-play; the first one always starts",
}
CLASS = "class"  # a fixed pool against each student, and the students of a league against each other; not offered
ONE_SIDED = "one-sided"  # a match without change of seats: the first agent starts every game; not offered to choose
LOSES_GAME, LOSES_MATCH, VOID = "game", "match", "void"
FAULT_RULES = {
    LOSES_GAME: "a fault loses the game",
    LOSES_MATCH: "a fault loses all games of its pairing",
    VOID: "a game with a fault does not count",
}
MOST_AGENTS, MOST_GAMES, MOST_IN_ALL = 100, 10_000_000, 100_000_000


class Pairing(NamedTuple):
    """Two entrants that play some games of one game. All three are places in their plan."""

    game: int
    first: int
    second: int


@dataclass(frozen=True)
class Plan:
    """A tournament. All names are canonical; equal plans are the same tournament."""

    games: tuple[str, ...]
    agents: tuple[str, ...]
    pairs: str = ROUND_ROBIN
    number: int = 100  # games per pairing
    openings: Openings = FROM_THE_START
    seed: int = 0
    sprt: Sprt | None = None
    limits: Limits = UNLIMITED
    joined: int = 0  # so many agents, the last ones, joined later
    thoughts: bool = False  # save what the agents believed of their moves: games are played move by move, slower
    fault: str = LOSES_GAME  # one of FAULT_RULES
    pool: int = 0  # of a class: so many agents, the first ones, are the pool
    league: int = 0  # of a class: at most so many students meet each other

    @cached_property
    def pairings(self) -> tuple[Pairing, ...]:
        """Return all pairings, in the order of their numbers.

        A game's random numbers depend on the number of its pairing. So the pairings of an agent that joined come after
        all pairings of the agents before it, which keep their numbers and thereby their games.
        """
        agents = len(self.agents)
        stages = (self._pairings_of(some) for some in range(agents - self.joined, agents + 1))
        return tuple(dict.fromkeys(pairing for stage in stages for pairing in stage))

    def _pairings_of(self, agents: int) -> tuple[Pairing, ...]:
        """Return the pairings of the first agents, if none of them joined later."""
        entrants = range(agents)
        if self.pairs == CLASS:
            students = range(self.pool, agents)
            leagues = max(1, -(-len(students) // self.league)) if self.league else len(students)
            pool = [(student, other) for student in students for other in range(self.pool)]
            among = [(one, other) for one, other in combinations(students, 2) if (other - one) % leagues == 0]
            return tuple(Pairing(game, *pair) for game in range(len(self.games)) for pair in (*pool, *among))
        if self.pairs == ORDERED:
            pairs: list[tuple[int, int]] = list(product(entrants, entrants))
        elif self.pairs in (GAUNTLET, ONE_SIDED):
            pairs = [(0, other) for other in entrants[1:]]
        else:
            pairs = list(combinations(entrants, 2))
        return tuple(Pairing(game, *pair) for game in range(len(self.games)) for pair in pairs)

    def stream(self, pairing: int) -> int:
        """Return the number that the random numbers of a pairing depend on: its own.

        In a class it is that of the pool's agent, so that a student's games do not depend on the other students.
        """
        return pairing if self.pairs != CLASS else min(self.pairings[pairing].second, self.pool)

    @property
    def alternate(self) -> bool:
        """Return whether the agents of a pairing swap seats after every game. Then games 2k and 2k + 1 share an
        opening.
        """
        return self.pairs not in (ORDERED, ONE_SIDED)

    @property
    def pays(self) -> bool:
        """Do all games end with a number, so that the standings are ordered by the mean payoff?"""
        return all(parse_game(name).pays for name in self.games)

    @property
    def total(self) -> int:
        """Return how many games there are if all are played."""
        return self.number * len(self.pairings)

    def opener(self, number: int) -> int:
        """Return who starts this game of a pairing: 0 its first entrant, 1 its second."""
        return number % 2 if self.alternate else 0

    def extended(self, number: int = 0, agents: Sequence[str] = ()) -> Plan:
        """Return this plan with so many more games per pairing, and with these agents against all others.

        All games of this plan are also games of the returned one. InputError if that plan is invalid.
        """
        more = {"agents": [*self.agents, *agents], "number": self.number + number, "joined": self.joined + len(agents)}
        return _of_keys(self.document() | more, saved=_twice(self.agents) != "")

    def as_first_planned(self) -> Plan:
        """Return an equal plan with the fewest agents that joined: often the pairings have the same order without."""
        joined = self.joined
        while joined:
            before, after = (self._pairings_of(len(self.agents) - some) for some in (joined, joined - 1))
            if after[: len(before)] != before:
                break
            joined -= 1
        return replace(self, joined=joined)

    def document(self) -> dict[str, Any]:
        """Return the plan as plain values, from which `from_document` makes an equal one."""
        recipes = levels.recipes(self.games, self.agents)
        fault = "" if self.fault == LOSES_GAME else self.fault
        rare = {"joined": self.joined, "thoughts": self.thoughts, "recipes": recipes, "fault": fault}
        rare |= {"pool": self.pool, "league": self.league, "programs": digests(self.agents)}
        return {
            "games": list(self.games),
            "agents": list(self.agents),
            "pairs": self.pairs,
            "number": self.number,
            "openings": self.openings.name,
            "seed": self.seed,
            "sprt": self.sprt.name if self.sprt is not None else None,
            **self.limits.document(),
            **{key: value for key, value in rare.items() if value},
        }

    @classmethod
    def from_document(cls, keys: Mapping[str, Any]) -> Plan:
        """Return a saved plan. InputError if it is invalid, or a game or an agent is unknown here.

        A level that was another agent then has that agent's name.
        """
        with reading(str(dict(keys)), "a tournament"):
            former = levels.former_agents(keys)
            return _of_keys({**keys, "agents": [former.get(name, name) for name in keys["agents"]]}, saved=True)


def plan(
    games: Sequence[str],
    agents: Sequence[str],
    pairs: str = ROUND_ROBIN,
    number: int = 100,
    openings: str = "start",
    seed: int = 0,
    sprt: str | None = None,
    limits: Limits = UNLIMITED,
    saved: bool = False,
    joined: int = 0,
    thoughts: bool = False,
    fault: str = LOSES_GAME,
    pool: int = 0,
    league: int = 0,
) -> Plan:
    """Return a plan from what people type; the last `joined` agents joined later. If it is `saved`, its programs may be
    gone, and one agent may be entered twice: a match of an agent against itself is saved so.

    InputError if it is invalid: an agent cannot play a game, or is entered twice although that is not allowed.
    """
    if pairs not in PAIRS and pairs not in (ONE_SIDED, CLASS):
        raise unknown("kind of pairing", pairs, PAIRS)
    if check_rule(fault) != LOSES_GAME and sprt is not None:
        raise InputError(f"the rule {fault} for faults and a sequential test exclude each other: leave one out")
    if not games:
        raise InputError("a tournament needs a game, e.g. tower:16")
    least = 1 if pairs == ORDERED else 2
    if not least <= len(agents) <= MOST_AGENTS:
        raise InputError(f"a {pairs} tournament needs {least} to {MOST_AGENTS} agents, not {len(agents)}")
    if not 0 <= joined <= len(agents) - least:
        raise InputError(f"a {pairs} tournament of {len(agents)} agents starts with {least} or more of them")
    if pairs == CLASS and not (0 < pool < len(agents) and league >= 0):
        raise InputError(f"a class of {len(agents)} agents has a pool of 1 to {len(agents) - 1} of them, not {pool}")
    if not 1 <= number <= MOST_GAMES:
        raise InputError(f"a pairing needs 1 to {MOST_GAMES:,} games, not {number:,}")
    boards = [parse_game(name) for name in games]
    canonical = tuple(game.name for game in boards)
    if twice := _twice(canonical):
        raise InputError(f"the game {twice} is given twice")
    check_scale(boards)
    here = [name for name in agents if not (saved and is_program(name))]
    known = {name: parse_agent(name, game).name for game in reversed(boards) for name in here}
    names = tuple(known.get(name, name) for name in agents)
    if not saved and (twice := _twice(names)):
        raise InputError(f"the agent {twice} is entered twice: enter each agent once")
    test = parse_sprt(sprt) if sprt is not None else None
    if test is not None:
        check_test(pairs, None if saved else number)
        check_decided(boards)
    settings = canonical, names, pairs, number, parse_openings(openings), seed, test, limits, joined, thoughts, fault
    tournament = Plan(*settings, pool, league).as_first_planned()
    if tournament.total > MOST_IN_ALL:
        raise InputError(
            f"too many games: {tournament.total:,} in all, at most {MOST_IN_ALL:,}. Play fewer per pairing"
        )
    for game in boards:
        tournament.openings.check(game)
    return tournament


def check_rule(fault: str) -> str:
    """Return the rule for faults. Raises InputError for an unknown one."""
    if fault not in FAULT_RULES:
        raise unknown("outcome of a fault", fault, FAULT_RULES)
    return fault


def _of_keys(keys: Mapping[str, Any], saved: bool) -> Plan:
    """Return the plan of a document. InputError if it is invalid."""
    planned = {name: keys[name] for name in ("games", "agents", "pairs", "number", "openings", "seed", "sprt")}
    rare = {"joined": keys.get("joined", 0), "thoughts": keys.get("thoughts", False) is True}
    rare |= {"fault": keys.get("fault", LOSES_GAME), "pool": keys.get("pool", 0), "league": keys.get("league", 0)}
    return plan(**planned, **rare, limits=Limits.from_document(keys), saved=saved)


def check_scale(games: Sequence[Game]) -> None:
    """Raise InputError if only some of these games end with a number: they share no scale."""
    if len({game.pays for game in games}) > 1:
        paid, other = (next(game.name for game in games if game.pays is pays) for pays in (True, False))
        raise InputError(f"{paid} ends with a number and {other} does not: play them in two tournaments")


def check_decided(games: Sequence[Game]) -> None:
    """Raise InputError if games end with a number: a sequential test cannot be used."""
    if paid := [game.name for game in games if game.pays]:
        raise InputError(f"a sequential test counts won and lost games, and {paid[0]} ends with a number")


def check_test(pairs: str, number: int | None) -> None:
    """Raise InputError if a sequential test cannot be used with this kind of pairing, or number of games per pairing.

    A saved tournament may have too few games, None: its test never reaches a verdict.
    """
    if pairs in (ORDERED, ONE_SIDED):
        raise InputError("a sequential test needs alternating seats: round-robin or gauntlet, not ordered")
    if number is not None and number < LEAST_GAMES:
        raise InputError(
            f"a sequential test needs {LEAST_GAMES} games per pairing or more ({LEAST_PAIRS} pairs), not {number}:"
            " give many, it ends by itself"
        )


def _twice(names: Sequence[str]) -> str:
    """Return a name that occurs twice; '' if none does."""
    return next((name for place, name in enumerate(names) if name in names[:place]), "")
