"""`nimtui bench`: the speed of this engine and of other programs on this machine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from nimtui.cli import options

if TYPE_CHECKING:
    from nimtui.cli.benchmarks import Row

EXAMPLES = """\
nimtui bench
nimtui bench --json
nimtui bench connect4          exact scores of Connect Four, some minutes
nimtui bench connect4-ablation what each idea of that solver is worth
pip install open_spiel bitbully
                               adds these programs to the comparison"""


def bench(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="[NAME]",
            show_default=False,
            help="A row, or how rows begin: mcts; or connect4, connect4-ablation. [default: all rows]",
        ),
    ] = None,
    json: options.Json = False,
) -> None:
    """Compare the speed of this engine with other programs.

    Both sides take turns on one core. The best of three rounds counts."""
    from dataclasses import asdict

    from nimtui.cli import output
    from nimtui.cli.bar import Bar
    from nimtui.cli.benchmarks import NAMED, benchmarks
    from nimtui.cli.names import own_files
    from nimtui.errors import unknown

    own_files()
    chosen = benchmarks(name)
    if name is not None and not chosen:
        raise unknown("benchmark", name, [*NAMED, *(row.name for row in benchmarks())])
    with Bar("bench") as bar:
        rows = [benchmark.measure(bar) for benchmark in chosen]
    if json:
        output.document({"rows": [asdict(row) for row in rows]})
    else:
        _show(rows)


def _show(rows: list[Row]) -> None:
    from nimtui.cli import output

    output.columns(
        ["what", "nimtui", "baseline", "ratio", "unit", "against"],
        [
            [
                row.name,
                _rate(row.nimtui),
                "–" if row.baseline is None else _rate(row.baseline),
                "–" if row.ratio is None else f"{row.ratio:.1f} ×",
                row.unit,
                row.against,
            ]
            for row in rows
        ],
        left=(0, 4, 5),
    )


def _rate(number: float) -> str:
    """Format a rate: 5,000,000, and two digits at least: 0.11."""
    from nimtui.cli import output

    return output.grouped(number) if number >= 10 else f"{number:.2g}"
