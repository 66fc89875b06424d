"""The memory of a Monte Carlo tree search, known before it allocates any."""

from __future__ import annotations

from nimtui.engine import memory
from nimtui.games import base
from nimtui.games.base import State
from nimtui.report.values import Bytes
from nimtui.trees.settings import PERFECT_OPPONENT, UNIFORM

NODE_BYTES = 6 * 4 + 2 * 8 + 1  # of `engine.mcts.Tree`
PROOF_BYTES = 1 + 4
STEP_BYTES = 4  # of a node on the path from the root
SIMULATION_BYTES = 4 + 1 + 8 + STEP_BYTES + 2 * 8  # of `Growth`, the path and the roots


def most_nodes(state: State, simulations: int) -> int:
    """Return the most nodes of this many simulations: each adds at most the children of one node."""
    return 1 + simulations * int(base.size(state))


def node_bytes(proven: bool) -> int:
    """Return the bytes of a node."""
    return NODE_BYTES + (PROOF_BYTES if proven else 0)


def bytes_needed(state: State, simulations: int, proven: bool = False) -> int:
    """Return the most memory of a search of this many simulations, in bytes."""
    return most_nodes(state, simulations) * node_bytes(proven) + simulations * SIMULATION_BYTES


def why_not(
    state: State, simulations: int, policy: str = UNIFORM, proven: bool = False, most_bytes: int = memory.MOST_BYTES
) -> str | None:
    """Return why such a search is impossible, in one line; None if it is possible. Allocates nothing."""
    needed = bytes_needed(state, simulations, proven)
    if needed > most_bytes:
        room = most_simulations(state, proven, most_bytes)
        return (
            f"{simulations:,} simulations could need {Bytes(needed)} ({needed:,} bytes) for their tree, "
            f"more than the {Bytes(most_bytes)} allowed: at most {room:,} fit"
        )
    if policy == PERFECT_OPPONENT and (fault := memory.why_no_graph(state)) is not None:
        return f"no perfect opponent for the playouts: {fault}"
    return None


def most_simulations(state: State, proven: bool, most_bytes: int) -> int:
    """Return how many simulations surely fit into so many bytes."""
    none, one = (bytes_needed(state, simulations, proven) for simulations in (0, 1))
    return (most_bytes - none) // (one - none)
