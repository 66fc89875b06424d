"""Estimate every position of a game by an agent: for games too large to solve, and beside the exact values."""

from __future__ import annotations

from nimtui.agents import Agent
from nimtui.agents.belief import PLACES, Belief, Kind, belief_of
from nimtui.engine.rng import Stream
from nimtui.errors import InputError
from nimtui.games import Record, base
from nimtui.games.base import State
from nimtui.progress import SILENT, Progress

USUAL = "mcts:simulations=2000"
RESULTS = {base.WON: 1.0, base.LOST: -1.0, base.DRAW: 0.0}


def estimates(record: Record, agent: Agent, seed: int = 0, progress: Progress = SILENT) -> list[Belief]:
    """Return the agent's belief about the position after each move, for the player who made the move.

    That is the opposite of what the agent believes of its own move there. The same seed gives the same estimates. The
    position after the last move of a finished game is exact. Raise InputError if the agent has no expected results.
    """
    agent.prepare(progress)
    state = record.state_at(0)
    found = []
    for ply, move in enumerate(record.moves):
        progress.report(ply, record.ply, "moves")
        base.play(state, move)
        found.append(_of(agent, state, Stream(seed, ply + 1), progress))
    return found


def _of(agent: Agent, state: State, stream: Stream, progress: Progress) -> Belief:
    outcome = int(base.outcome(state))
    if outcome != base.GOING_ON:
        return Belief(Kind.EXACT, RESULTS[outcome])
    belief = belief_of(agent.decide(base.copy(state), stream, progress))
    if belief is None or belief.value is None:
        raise InputError(f"{agent.name} does not expect results: name an agent such as {USUAL} or mc")
    return Belief(belief.kind, round(-belief.value, PLACES) + 0.0, belief.work)
