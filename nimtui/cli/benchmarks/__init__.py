"""The benchmarks of `nimtui bench`: this engine and another program, taking turns in one process on one core."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from nimtui.cli.benchmarks.rows import Benchmark, Row

if TYPE_CHECKING:
    from nimtui.cli.benchmarks.connect_four import Ablation

__all__ = ["NAMED", "Benchmark", "Row", "benchmarks"]

CONNECT_FOUR = "connect4"
ABLATION = "connect4-ablation"
NAMED = (CONNECT_FOUR, ABLATION)  # benchmarks that run only if they are named


def benchmarks(name: str | None = None) -> Sequence[Benchmark | Ablation]:
    """Return the benchmarks whose rows begin with this name, or all that need no name, in the order of the report."""
    from nimtui.cli.benchmarks import agent_games, alpha_beta, connect_four, learners, mcts, playouts

    if name == ABLATION:
        return connect_four.ablations()
    if name == CONNECT_FOUR:
        return connect_four.benchmarks()
    kinds = (playouts, learners, alpha_beta, mcts, agent_games)
    rows = [benchmark for kind in kinds for benchmark in kind.benchmarks()]
    return [row for row in rows if row.name.startswith(name or "")]
