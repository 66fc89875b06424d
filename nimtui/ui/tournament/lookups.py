"""What the form of a tournament looks up while it is filled in, and the fields for how games are played."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from nimtui.agents import parse_agent
from nimtui.agents.agent import USUAL_SECONDS, Memoryless
from nimtui.agents.mc import FlatMonteCarlo
from nimtui.agents.mcts import MonteCarloTreeSearch
from nimtui.agents.searching import own_time
from nimtui.agents.table import file_stamp
from nimtui.arena.judge import most_judged
from nimtui.arena.openings import parse_openings
from nimtui.arena.plan import Plan
from nimtui.engine.plies import MOST_PLIES
from nimtui.engine.rng import Stream
from nimtui.errors import InputError, shortened
from nimtui.games import base, parse_game
from nimtui.jobs.processes import cores
from nimtui.ui.kit.draft import Entry, Offer

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
