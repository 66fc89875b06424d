"""`nimtui table`: prints a saved table, for one position or for all, or the versions of a taught one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from nimtui.cli import completion, options
from nimtui.errors import InputError
from nimtui.foreign.values import moment
from nimtui.report.values import Fine

if TYPE_CHECKING:
    from nimtui.learning.taught_report import Version

MOST_NAMED = 6  # moves named in one cell

EXAMPLES = """\
nimtui table 753.npz
nimtui table 753.npz -p 7,0,3
nimtui table 753.npz --json
nimtui table easy-taught-tower-16 --versions
nimtui table easy-taught-tower-16@0 -p 1,3,5,6"""


def table(
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE",
            show_default=False,
            autocompletion=completion.tables,
            help="A file that 'nimtui train --save FILE' wrote, or the name of a table that you taught. NAME@2 is its"
            " version 2.",
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
    from nimtui.cli import output
    from nimtui.cli.bar import Bar
    from nimtui.cli.names import own_files
    from nimtui.documents.place import place_keys
    from nimtui.learning import export
    from nimtui.learning.saved_tables import load

    own_files()
    if versions:
        if position is not None:
            raise InputError("--versions lists whole tables: leave --position out")
        _show_versions(file, json)
        return
    with Bar("table") as bar:
        read = load(file).table
        keys = export.about(read)
        if position is None:
            keys["positions"] = [export.entry(read, known) for known in export.positions(read, bar)]
        else:
            state = read.game.new(position)
            keys |= export.entry(read, export.one(read, state, bar)) | place_keys(read.game, state, position)
    if json:
        output.document(keys)
    elif position is None:
        _show_every(keys)
    else:
        _show_one(keys)


def _show_versions(file: str, json: bool) -> None:
    from nimtui.cli import output
    from nimtui.cli.bar import Bar
    from nimtui.games.notation import plural
    from nimtui.learning import taught_report
    from nimtui.learning.evaluate import POPULATION
    from nimtui.learning.saved_tables import load

    saved = load(file)
    if saved.taught is None:
        raise InputError(f"{file} has no versions: it is not a table that you taught")
    with Bar("table") as bar:
        found = taught_report.versions(saved.taught, bar)
    base = saved.taught.base
    keys = {"game": base.game.name, "learner": base.learner, "seed": base.seed, "base": saved.taught.origin}
    if json:
        output.document(keys | {"versions": [one.document() for one in found]})
        return
    output.say(f"{base.game.name}  {base.learner}, taught from {saved.taught.origin}", "", style="bold")
    output.columns(
        ["version", "games", "accuracy", "lesson", "weight", "best moves changed in", "moves"],
        [
            [
                str(one.number),
                output.grouped(one.games),
                "unknown" if one.accuracy is None else Fine(one.accuracy).text,
                _lesson(one),
                "" if one.lesson is None else output.grouped(one.lesson.weight),
                "" if one.lesson is None else plural(len(one.positions), "position", "positions"),
                " ".join(one.moves),
            ]
            for one in found
        ],
        left=(3, 6),
    )
    output.say("", f"accuracy: {POPULATION}")


def _lesson(one: Version) -> str:
    """Return who won a lesson, and when: 'me won, 2026-11-14 09:31'."""
    if one.lesson is None:
        return "the base"
    return f"{f'{one.winner} won' if one.winner else 'a draw'}, {moment(one.lesson.when, '%Y-%m-%d %H:%M')}"


def _head(keys: dict[str, Any]) -> str:
    from nimtui.cli import output

    return f"{keys['game']}  {keys['learner']}, {output.grouped(keys['games'])} games"


def _show_one(keys: dict[str, Any]) -> None:
    from nimtui.cli import output
    from nimtui.cli.moves import place_of

    output.say(_head(keys), f"position {place_of(keys)}", "", style="bold")
    optimal = keys["optimal_moves"]
    ranked = sorted(keys["scores"].items(), key=lambda scored: -scored[1])
    output.columns(
        ["move", "score", "visits", "truth"],
        [
            [
                move,
                output.exact(score),
                output.grouped(keys["visits"][move]),
                output.verdict_text(move, optimal, len(ranked)),
            ]
            for move, score in ranked
        ],
        left=(0, 3),
    )


def _show_every(keys: dict[str, Any]) -> None:
    from nimtui.cli import output

    output.say(_head(keys), "", style="bold")
    output.columns(
        ["position", "score", "visits", "best moves", "truth"],
        [
            [
                row["position"] or "the start",
                output.exact(max(row["scores"].values(), default=0)),
                output.grouped(sum(row["visits"].values())),
                _several(row["best_moves"]),
                _share(row),
            ]
            for row in keys["positions"]
        ],
        left=(0, 3, 4),
    )


def _several(names: list[str]) -> str:
    more = len(names) - MOST_NAMED
    return " ".join(names[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")


def _share(row: dict[str, Any]) -> str:
    """Return how many of the table's best-scored moves keep the outcome."""
    if row["optimal_moves"] is None:
        return "unknown"
    if len(row["optimal_moves"]) == len(row["scores"]):
        return "all equal"
    right = len(set(row["best_moves"]) & set(row["optimal_moves"]))
    return "best" if right == len(row["best_moves"]) else f"{right} of {len(row['best_moves'])} best"
