"""`nimtui export`: writes a saved table, or the learning curve of its run, for other programs."""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from nimtui.cli import completion, options, output
from nimtui.cli.bar import Bar
from nimtui.cli.names import own_files
from nimtui.cli.output import check_new, format_of
from nimtui.store import files


class What(StrEnum):
    """The contents to write."""

    TABLE = "table"
    CURVE = "curve"


class Format(StrEnum):
    """The file format."""

    CSV = "csv"
    JSON = "json"


@options.examples("""\
nimtui export 753.npz > 753.csv
nimtui export 753.npz --what curve --to curve.csv
nimtui export 753.npz --to 753.json""")
def export(
    file: Annotated[
        Path,
        options.argument(
            "FILE",
            "A file that 'nimtui train --save FILE' wrote, or the name of a table that you taught.",
            options.file_name,
            completion.tables,
        ),
    ],
    what: Annotated[
        What,
        typer.Option(
            help="table: position, move, score, visits, whether the table plays it, whether it is a best move."
            " curve: games, accuracy, unbeaten.",
        ),
    ] = What.TABLE,
    format: Annotated[
        Format | None,
        options.flag("", "File format. [default: the extension of --to, else csv]"),
    ] = None,
    to: Annotated[
        Path | None,
        options.to_option("Output file, FILE.csv or FILE.json. [default: stdout]"),
    ] = None,
    force: options.Force = False,
) -> None:
    """Write a saved table or its learning curve as CSV or JSON.

    Works for tables of any size. The output file appears only when it is complete.
    """
    from nimtui.learning.export import write
    from nimtui.learning.saved_tables import load
    from nimtui.learning.training import Training

    if format is None:
        format = Format.CSV if to is None else format_of(to, {".csv": Format.CSV, ".json": Format.JSON})
    if to is not None:
        check_new(to, file, force)
    own_files()
    with Bar("export", shown=to is not None or not sys.stdout.isatty()) as bar:
        source = Training.load(file) if what is What.CURVE else load(str(file)).table
        as_json = format is Format.JSON
        if to is None:
            write(source, as_json, output.export(), bar)
        else:
            files.replace_text(to, lambda out: write(source, as_json, out, bar))
