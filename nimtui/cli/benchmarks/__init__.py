"""The benchmarks of `nimtui bench`: this engine and another program, taking turns in one process on one core."""

from __future__ import annotations

from nimtui.cli.benchmarks.rows import Benchmark, Row

__all__ = ["Benchmark", "Row", "benchmarks"]


def benchmarks() -> list[Benchmark]:
    """Return all benchmarks in the order of the report."""
    from nimtui.cli.benchmarks import agent_games, alpha_beta, learners, mcts, playouts, reward

    kinds = (playouts, reward, learners, alpha_beta, mcts, agent_games)
    return [benchmark for kind in kinds for benchmark in kind.benchmarks()]
