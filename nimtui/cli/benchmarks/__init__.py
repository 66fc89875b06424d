"""The benchmarks of `nimtui bench`: this engine and another program, taking turns in one process on one core."""

from __future__ import annotations

from nimtui.cli.benchmarks.rows import Benchmark, Row

__all__ = ["NAMED", "Benchmark", "Row", "benchmarks"]

CONNECT_FOUR = "connect4"
NAMED = (CONNECT_FOUR,)  # benchmarks that run only if they are named


def benchmarks(name: str | None = None) -> list[Benchmark]:
    """Return the benchmarks of this name, or all that need no name, in the order of the report."""
    from nimtui.cli.benchmarks import agent_games, alpha_beta, connect_four, learners, mcts, playouts, reward

    kinds = (playouts, reward, learners, alpha_beta, mcts, agent_games) if name is None else (connect_four,)
    return [benchmark for kind in kinds for benchmark in kind.benchmarks()]
