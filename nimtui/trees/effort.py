"""The effort of a search: nodes per second, and the memory of kept tree, stack and transposition table.

The board costs no memory per ply: a search plays and takes back its moves on one board.
"""

from __future__ import annotations

from dataclasses import dataclass

from nimtui.engine.memory import in_units

LEAST_SECONDS = 0.1
"""The shortest search with a pace. A busy machine may hold a search up for some 15 ms, which distorts a shorter one."""
UNKNOWN = "–"


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


def pace_text(rate: float | None) -> str:
    """Return nodes per second to two figures, as one search says no more: '24 M/s', '850 k/s'; '–' if unknown."""
    if rate is None:
        return UNKNOWN
    rate = float(f"{rate:.2g}")
    for unit, size in (("M", 1e6), ("k", 1e3)):
        if rate >= size:
            return f"{rate / size:.{int(rate < 10 * size)}f} {unit}/s"
    return f"{rate:.0f}/s"


def stack_text(space: Space) -> str:
    """Return the stack's plies and bytes: '6 plies, 384 bytes'."""
    return f"{plies(space.stack_plies)}, {in_units(space.stack_bytes)}"


def table_text(space: Space) -> str:
    """Return the entries and bytes of the transposition table: '1,204 of 65,536 entries, 1.25 MB'; '–' without one."""
    if space.table_used is None or space.table_entries is None:
        return UNKNOWN
    return f"{space.table_used:,} of {space.table_entries:,} entries, {in_units(space.table_bytes)}"


def kept_text(space: Space) -> str:
    """Return how much of the tree the search kept: 'kept', 'not kept', 'the first 4,000,000 kept, 100 MB'."""
    if not space.recorded:
        return "not kept"
    if space.recorded < space.tree_nodes:
        return f"the first {space.recorded:,} kept, {in_units(space.recorded * space.node_bytes)}"
    return "kept"


def plies(number: int) -> str:
    """Return '1 ply' or '6 plies'."""
    return "1 ply" if number == 1 else f"{number:,} plies"
