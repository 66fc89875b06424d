"""One game, move by move: the agent, the move, the position after it, and mistakes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from nimtui.games import Game
    from nimtui.games.base import Move
    from nimtui.progress import Progress

OPENING = "opening"
MOST_NAMED = 4  # better moves that are named beside a mistake

Row = dict[str, Any]


def rows_of(
    game: Game, moves: Sequence[Move], opening: int, seats: tuple[str, str], judge: Progress | None = None
) -> list[Row]:
    """Return one row per move: `ply, agent, move, position` (after the move).

    With `judge`, a row also has `before, after, mistake, best_moves`, if the game can be solved.
    `seats` names the agents that move first and second after the opening. Raises InputError for an illegal move.
    """
    from nimtui.arena.review import review
    from nimtui.errors import InputError
    from nimtui.games import Record

    record = Record(game)
    rows: list[Row] = []
    for ply, move in enumerate(moves):
        try:
            name = game.move_name(move, record.state)
            record.push(move)
        except (ValueError, IndexError):
            raise InputError(f"move {ply + 1} of this game (code {move}) is not legal in {game.name}") from None
        who = OPENING if ply < opening else seats[(ply - opening) % 2]
        rows.append({"ply": ply + 1, "agent": who, "move": name, "position": game.position_name(record.state)})
    if judge is None:
        return rows
    for row, judged in zip(rows, review(record, judge), strict=True):
        at = record.state_at(judged.ply)
        row["before"] = None if judged.before is None else judged.before.value
        row["after"] = None if judged.after is None else judged.after.value
        row["mistake"] = judged.mistake
        row["best_moves"] = [game.move_name(move, at) for move in judged.best_moves]
    return rows


def show(rows: Sequence[Row]) -> None:
    """Print one line per move. Mistakes are marked, with the better moves."""
    from nimtui.cli import output

    marks = [_mark(row) for row in rows]
    cells = [[str(row["ply"]), row["agent"], row["move"], row["position"] or "the start"] for row in rows]
    head = ["", "agent", "move", "position after it"]
    if any(marks):
        head.append("")
        cells = [[*line, mark] for line, mark in zip(cells, marks, strict=True)]
    output.columns(head, cells, left=(1, 2, 3, 4))


def _mark(row: Row) -> str:
    if not row.get("mistake"):
        return ""
    best = row["best_moves"]
    more = f" or {len(best) - MOST_NAMED} others" if len(best) > MOST_NAMED else ""
    said = "mistake in the opening" if row["agent"] == OPENING else "mistake"
    return f"{said}: a {row['before']} became a {row['after']}; better: {' '.join(best[:MOST_NAMED])}{more}"
