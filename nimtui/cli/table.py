"""`nimtui table`: prints a saved table, for one position or for all, or the versions of a taught one."""

from __future__ import annotations

from typing import Annotated

import typer

from nimtui.cli import completion, options, output
from nimtui.cli.bar import Bar
from nimtui.cli.names import own_files
from nimtui.errors import InputError


@options.examples("""\
nimtui table 753.npz
nimtui table 753.npz -p 7,0,3
nimtui table 753.npz --json
nimtui table easy-taught-tower-16 --versions
nimtui table easy-taught-tower-16@0 -p 1,3,5,6""")
def table(
    file: Annotated[
        str,
        options.argument(
            "FILE",
            "A file that 'nimtui train --save FILE' wrote, or the name of a table that you taught. NAME@2 is its"
            " version 2.",
            complete=completion.tables,
        ),
    ],
    position: options.Position = None,
    versions: Annotated[
        bool, typer.Option("--versions", help="Print the versions of a taught table, and what each lesson changed.")
    ] = False,
    json: options.Json = False,
) -> None:
    """Print a saved table of a learner.

    For one position, prints the score of every move. Otherwise prints the best-scored moves of every position, how
    often they were played, and whether perfect play agrees."""
    from nimtui.games.place import Place
    from nimtui.learning import export, report
    from nimtui.learning.saved_tables import load

    own_files()
    if versions and position is not None:
        raise InputError("--versions lists whole tables: leave --position out")
    saved = load(file)
    read = saved.table
    with Bar("table") as bar:
        if versions:
            if saved.taught is None:
                raise InputError(f"{file} has no versions: it is not a table that you taught")
            result = report.taught_versions(saved.taught, report.versions(saved.taught, bar))
        elif position is None:
            export.check_rows(read)
            result = report.positions(read, list(export.positions(read, bar)))
        else:
            place = Place(read.game, read.game.new(position), position)
            result = report.position(read, place, export.one(read, place.state, bar))
    output.report(result, json)
