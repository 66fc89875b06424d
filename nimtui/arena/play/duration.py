"""How long a tournament takes: estimated from a few random games and from the agents' work per move."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from nimtui.agents import parse_agent
from nimtui.agents.agent import Memoryless
from nimtui.agents.mc import FlatMonteCarlo
from nimtui.agents.mcts import MonteCarloTreeSearch
from nimtui.agents.searching import own_time
from nimtui.arena.play.judge import most_judged
from nimtui.arena.play.plan import Plan
from nimtui.engine.limits import MOST_PLIES
from nimtui.engine.rng import Stream
from nimtui.games import base, parse_game

SAMPLES = 10  # random games
# Seconds, measured on one core of a small server; another machine may be twice or half as fast.
PLY = 40e-9  # per ply of a playout
SIMULATION = 500e-9  # per simulation of a tree search, without its playout
ASKED = 60e-6  # per move of an agent that is asked move by move
WHOLE = 2e-6  # per game that the engine plays as a whole
JUDGED = 0.15  # per game of a large connect board that is judged


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
    player, (plies, moves) = parse_agent(agent, parse_game(game)), shape(game)
    if own := own_time(player):
        return own
    if isinstance(player, FlatMonteCarlo):
        return player.playouts * moves * plies / 2 * PLY
    if isinstance(player, MonteCarloTreeSearch):
        return player.settings.simulations * (SIMULATION + plies / 2 * PLY)
    return 0.0 if isinstance(player, Memoryless) and player.memoryless else None


def seconds(plan: Plan, processes: int) -> float | None:
    """Estimate the seconds of a whole tournament on so many cores, all games played; None if unknown for an agent."""
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
    return total / min(processes, max(1, plan.total))
