"""`nimtui bench`: the speed of this engine and of other programs on this machine."""

from __future__ import annotations

from typing import Annotated

from nimtui.cli import options, output
from nimtui.cli.bar import Bar
from nimtui.cli.names import own_files
from nimtui.errors import unknown


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
    from nimtui.cli.benchmarks import NAMED, benchmarks, rows

    own_files()
    chosen = benchmarks(name)
    if name is not None and not chosen:
        raise unknown("benchmark", name, [*NAMED, *(row.name for row in benchmarks())])
    with Bar("bench") as bar:
        measured = [benchmark.measure(bar) for benchmark in chosen]
    output.report(rows.report(measured), json)
