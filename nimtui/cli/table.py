"""`nimtui table`: what a saved strategy table says of one position, or of every one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from nimtui.cli import options

if TYPE_CHECKING:
    from nimtui.games.base import State
    from nimtui.learning.table import Table
    from nimtui.progress import Progress
    from nimtui.theory import Verdict

MOST_NAMED = 6  # moves named in one cell

EXAMPLES = """\
nimtui table 753.npz
nimtui table 753.npz -p 7,0,3
nimtui table 753.npz --json"""


def table(
    file: Annotated[
        Path,
        typer.Argument(metavar="FILE", show_default=False, help="A table that 'nimtui train --save FILE' wrote."),
    ],
    position: options.Position = None,
    json: options.Json = False,
) -> None:
    """Read a saved strategy table.

    Gives the scores of one position, or the best moves of every one."""
    from nimtui.cli import output
    from nimtui.cli.bar import Bar
    from nimtui.cli.names import own_games
    from nimtui.learning.table import Table

    own_games()
    with Bar("table") as bar:
        read = Table.load(file)
        keys: dict[str, Any] = {
            "game": read.game.name,
            "learner": read.learner,
            "games": read.games,
        }
        if position is None:
            keys["positions"] = every_position(read, bar)
        else:
            keys |= one_position(read, read.game.new(position), bar)
    if json:
        output.document(keys)
    elif position is None:
        _show_every(keys)
    else:
        _show_one(keys)


def one_position(table: Table, state: State, progress: Progress) -> dict[str, Any]:
    """What the table says of a position: scores by move, its best moves, and beside them the truth."""
    game = table.game
    verdict = _verdict(table, state, progress)

    def names(moves: tuple[int, ...]) -> list[str]:
        return [game.move_name(move, state) for move in moves]

    return {
        "position": game.position_name(state),
        "scores": {game.move_name(move, state): score for move, score in table.scores(state).items()},
        "best_moves": names(table.best_moves(state)),
        "optimal_moves": None if verdict is None else names(verdict.best_moves),
    }


def every_position(table: Table, progress: Progress) -> list[dict[str, Any]]:
    found = []
    for done, row in enumerate(table.rows()):
        found.append(one_position(table, row.state, progress))
        if done % 100 == 0:
            progress.report(done, len(table.numbers), "positions")
    return found


def _verdict(table: Table, state: State, progress: Progress) -> Verdict | None:
    from nimtui import theory

    if theory.why_unsolvable(table.game, state) is not None:
        return None
    return theory.solve(table.game, state, progress)


def _head(keys: dict[str, Any]) -> str:
    from nimtui.cli import output

    return f"{keys['game']}  {keys['learner']}, {output.grouped(keys['games'])} games"


def _show_one(keys: dict[str, Any]) -> None:
    from nimtui.cli import output

    output.say(_head(keys), f"position {keys['position'] or 'the start'}", "", style="bold")
    optimal = keys["optimal_moves"]
    ranked = sorted(keys["scores"].items(), key=lambda scored: -scored[1])
    output.columns(
        ["move", "score", "in truth"],
        [[move, output.exact(score), output.truth(move, optimal, len(ranked))] for move, score in ranked],
        left=(0, 2),
    )


def _show_every(keys: dict[str, Any]) -> None:
    from nimtui.cli import output

    output.say(_head(keys), "", style="bold")
    output.columns(
        ["position", "score", "best moves", "in truth"],
        [
            [
                row["position"] or "the start",
                output.exact(max(row["scores"].values(), default=0)),
                _several(row["best_moves"]),
                _share(row),
            ]
            for row in keys["positions"]
        ],
        left=(0, 2, 3),
    )


def _several(names: list[str]) -> str:
    more = len(names) - MOST_NAMED
    return " ".join(names[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")


def _share(row: dict[str, Any]) -> str:
    """How many of the table's best moves keep the outcome."""
    if row["optimal_moves"] is None:
        return "not known"
    if len(row["optimal_moves"]) == len(row["scores"]):
        return "all are equal"
    right = len(set(row["best_moves"]) & set(row["optimal_moves"]))
    return "best" if right == len(row["best_moves"]) else f"{right} of {len(row['best_moves'])} best"
