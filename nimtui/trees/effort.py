"""The effort of a search: nodes per second, and the memory of kept tree, stack and transposition table.

The board costs no memory per ply: a search plays and takes back its moves on one board.
"""

from __future__ import annotations

from dataclasses import dataclass

LEAST_SECONDS = 0.1
"""The shortest search with a pace. A busy machine may hold a search up for some 15 ms, which distorts a shorter one."""


@dataclass(frozen=True, slots=True)
class Space:
    """The memory of a search, in bytes that it used; reserved memory that was never touched does not count."""

    tree_nodes: int  # of the largest iteration: a kept tree of all of them would have so many
    node_bytes: int  # of one node of a kept tree
    recorded: int  # the nodes that the search kept: all, the first ones up to its limit, or 0
    stack_plies: int  # the deepest ply that the search reached: each ply above it has a frame
    stack_bytes: int  # of these frames, with their lists of moves if there is a move order
    table_used: int | None = None  # entries; None without a table
    table_entries: int | None = None  # used or not
    table_bytes: int = 0  # of all entries, used or not: the table is allocated as a whole
    simulation_bytes: int = 0  # Monte Carlo tree search: the record of its simulations, and the roots in its bounds

    @property
    def tree_bytes(self) -> int:
        """The bytes of the whole tree, kept or not."""
        return self.tree_nodes * self.node_bytes

    @property
    def used_bytes(self) -> int:
        """The sum of what the search used; nodes that it did not keep take nothing."""
        return self.recorded * self.node_bytes + self.stack_bytes + self.table_bytes + self.simulation_bytes


def pace(nodes: int, seconds: float) -> float | None:
    """Return nodes per second, or None if the search was too short to tell: less than LEAST_SECONDS."""
    return nodes / seconds if seconds >= LEAST_SECONDS else None
