"""`nimtui table`: prints a saved table, for one position or for all."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from nimtui.cli import options

MOST_NAMED = 6  # moves named in one cell

EXAMPLES = """\
nimtui table 753.npz
nimtui table 753.npz -p 7,0,3
nimtui table 753.npz --json"""


def table(
    file: Annotated[
        Path,
        typer.Argument(metavar="FILE", show_default=False, help="A file that 'nimtui train --save FILE' wrote."),
    ],
    position: options.Position = None,
    json: options.Json = False,
) -> None:
    """Print a saved table of a learner.

    For one position, prints the score of every move. Otherwise prints the best-scored moves of every position, how
    often they were played, and whether perfect play agrees."""
    from nimtui.cli import output
    from nimtui.cli.bar import Bar
    from nimtui.cli.names import own_files, place_keys
    from nimtui.learning import export
    from nimtui.learning.table import Table

    own_files()
    with Bar("table") as bar:
        read = Table.load(file)
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
