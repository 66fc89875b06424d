"""What learners have learned, and what measures them.

`nimtui table` prints a saved table, for one position or for all, or the versions of a taught one. `nimtui export`
writes a table, or the learning curve of its run, for other programs. `nimtui sample` shows and makes samples of
positions, which measure learners of games that no table holds.
"""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from nimtui.cli import completion, options, output
from nimtui.cli.bar import Bar
from nimtui.cli.names import own_files, read_game
from nimtui.cli.output import check_new, format_of
from nimtui.errors import InputError
from nimtui.foreign.reading import is_there
from nimtui.store import files


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
    from nimtui.games.rule_text import Place
    from nimtui.learning import export as rows
    from nimtui.learning import report
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
            rows.check_rows(read)
            result = report.positions(read, list(rows.positions(read, bar)))
        else:
            place = Place(read.game, read.game.new(position), position)
            result = report.position(read, place, rows.one(read, place.state, bar))
    output.report(result, json)


MOST_POSITIONS = 1_000_000


@options.examples("""\
nimtui sample connect4
nimtui sample connect4:6x5 --positions 1000 --json
nimtui sample connect4 --save again.npz""")
def sample(
    game: options.Game,
    positions: Annotated[
        int | None,
        options.option(
            "--positions",
            "N",
            "Number of positions. [default: 10,000]",
            parser=options.whole("the number of positions", 1, MOST_POSITIONS),
        ),
    ] = None,
    seed: Annotated[int | None, options.seed_option("The same seed gives the same sample. [default: 1]")] = None,
    save: Annotated[Path | None, options.file_option("save", "Save the new sample to FILE.")] = None,
    force: Annotated[bool, options.flag("--force", "Let --save overwrite an existing file.")] = False,
    json: options.Json = False,
) -> None:
    """Show or make a sample of positions with the exact result of each move.

    A sample measures how many of a learner's best moves are right. Without options: the sample that trainings of
    this game use, made and kept if there is none. With --positions, --seed or --save, makes a new one."""
    from nimtui.learning import sample as samples
    from nimtui.learning.report import sampled

    own_files()
    rules = read_game(game)
    if save is not None:
        output.check_new(save, force)
    with Bar("sample") as bar:
        if positions is None and seed is None and save is None:
            chosen, save = samples.of(rules, bar), samples.place(rules)
            save = save if is_there(save) else None  # it could not be written
        else:
            number, start = positions or samples.USUAL, samples.SEED if seed is None else seed
            chosen = samples.make(rules, number, start, bar)
            if save is not None:
                chosen.save(save)
    output.report(sampled(chosen, save), json)


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
            " curve: games, accuracy, unbeaten."
        ),
    ] = What.TABLE,
    format: Annotated[
        Format | None, options.flag("", "File format. [default: the extension of --to, else csv]")
    ] = None,
    to: Annotated[
        Path | None, options.file_option("to", "Output file, FILE.csv or FILE.json. [default: stdout]")
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
        check_new(to, force, source=file)
    own_files()
    with Bar("export", shown=to is not None or not sys.stdout.isatty()) as bar:
        source = Training.load(file) if what is What.CURVE else load(str(file)).table
        as_json = format is Format.JSON
        if to is None:
            write(source, as_json, output.export(), bar)
        else:
            files.replace_text(to, lambda out: write(source, as_json, out, bar))
