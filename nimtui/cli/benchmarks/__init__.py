"""`nimtui bench`: the speed of this engine and of another program, taking turns in one process on one core."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

from nimtui.cli import options, output
from nimtui.cli.bar import Bar
from nimtui.cli.names import own_files
from nimtui.errors import unknown

if TYPE_CHECKING:
    from nimtui.cli.benchmarks.connect_four import Ablation
    from nimtui.cli.benchmarks.rows import Benchmark

CONNECT_FOUR = "connect4"
ABLATION = "connect4-ablation"
NAMED = (CONNECT_FOUR, ABLATION)  # benchmarks that run only if they are named


def benchmarks(name: str | None = None) -> Sequence[Benchmark | Ablation]:
    """Return the benchmarks whose rows begin with this name, or all that need no name, in the order of the report."""
    from nimtui.cli.benchmarks import connect_four, learners, searches

    if name == ABLATION:
        return connect_four.ablations()
    if name == CONNECT_FOUR:
        return connect_four.benchmarks()
    kinds = (searches.playouts, learners.benchmarks, searches.alpha_beta, searches.searches, learners.agent_games)
    return [row for benchmarks in kinds for row in benchmarks() if row.name.startswith(name or "")]


@options.examples("""\
nimtui bench
nimtui bench --json
nimtui bench connect4          exact scores of Connect Four, some minutes
nimtui bench connect4-ablation what each idea of that solver is worth
pip install open_spiel bitbully
                               adds these programs to the comparison""")
def bench(
    name: Annotated[
        str | None,
        options.argument(
            "[NAME]", "A row, or how rows begin: mcts; or connect4, connect4-ablation. [default: all rows]"
        ),
    ] = None,
    json: options.Json = False,
) -> None:
    """Compare the speed of this engine with other programs.

    Both sides take turns on one core. The best of three rounds counts."""
    from nimtui.cli.benchmarks import rows

    own_files()
    chosen = benchmarks(name)
    if name is not None and not chosen:
        raise unknown("benchmark", name, [*NAMED, *(row.name for row in benchmarks())])
    with Bar("bench") as bar:
        measured = [benchmark.measure(bar) for benchmark in chosen]
    output.report(rows.report(measured), json)
