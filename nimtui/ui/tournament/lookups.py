"""What is found out about a tournament while one types: its agents, its openings, and about how long it takes."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from nimtui.agents import parse_agent
from nimtui.agents.agent import Memoryless
from nimtui.agents.mc import FlatMonteCarlo
from nimtui.agents.mcts import MonteCarloTreeSearch
from nimtui.agents.searching import depends_on_the_machine
from nimtui.arena.openings import parse_openings
from nimtui.arena.plan import Plan
from nimtui.engine.plies import MOST_PLIES
from nimtui.engine.rng import Stream
from nimtui.errors import InputError
from nimtui.games import base, parse_game
from nimtui.jobs.processes import cores

SAMPLES = 10  # random games
# Seconds, measured on one core of a small server; another machine may be twice or half as fast.
PLY = 40e-9  # of a playout
SIMULATION = 500e-9  # of a tree search, beside its playout
ASKED = 60e-6  # for one move of an agent that is asked move by move
WHOLE = 2e-6  # for a game that is played whole in the engine


def known(agent: str, game: str) -> tuple[str, str]:
    """An agent's canonical name and its title. InputError where it is none or cannot play this game."""
    found = _known(agent, game)
    if isinstance(found, str):
        raise InputError(found)
    return found


@lru_cache(2048)
def _known(agent: str, game: str) -> tuple[str, str] | str:
    """They, or what is wrong."""
    try:
        found = parse_agent(agent, parse_game(game))
    except InputError as wrong:
        return str(wrong)
    return found.name, found.title


@lru_cache(64)
def unsolvable(game: str) -> str:
    """Why nobody can tell what is won in this game, '' where that can be told."""
    from nimtui import theory

    found = parse_game(game)
    fault = theory.why_unsolvable(found, found.start)
    return f"balanced openings need the truth about {game}: {fault}" if fault is not None else ""


def look(question: tuple[str, str]) -> str:
    """Are there such openings in this game? What is wrong, or ''. May take seconds."""
    game, openings = question
    try:
        parse_openings(openings).check(parse_game(game))
    except InputError as wrong:
        return str(wrong)
    return ""


# How long it takes: from a few random games and what the agents do for a move.


class Shape(NamedTuple):
    """What a game is like when it is played at random."""

    plies: float
    moves: float  # a position


@lru_cache(64)
def shape(game: str) -> Shape:
    """The mean of a few random games."""
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
    """Seconds an agent takes for a move, 0 where it only looks it up; None where that cannot be told."""
    found, (plies, moves) = parse_agent(agent, parse_game(game)), shape(game)
    if depends_on_the_machine(found):
        return float(found.settings.time)  # type: ignore[attr-defined]  # it has settings with a time
    if isinstance(found, FlatMonteCarlo):
        return found.playouts * moves * plies / 2 * PLY
    if isinstance(found, MonteCarloTreeSearch):
        return found.settings.simulations * (SIMULATION + plies / 2 * PLY)
    return 0.0 if isinstance(found, Memoryless) and found.memoryless else None


def seconds(plan: Plan, workers: int | None) -> float | None:
    """Of the whole tournament, if no game is left out; None where an agent takes nobody knows how long."""
    total = 0.0
    for pairing in plan.pairings:
        game = plan.games[pairing.game]
        first, second = (of_a_move(plan.agents[place], game) for place in (pairing.first, pairing.second))
        if first is None or second is None:
            return None
        plies = shape(game).plies
        slow = plies * (ASKED + (first + second) / 2)
        total += plan.number * (slow if first + second else WHOLE)
    return total / min(workers or cores(), cores(), max(1, plan.total))
