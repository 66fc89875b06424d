"""The value history of a game as lines of text and as JSON."""

from __future__ import annotations

from collections.abc import Sequence

from nimtui.arena.entrants import labels
from nimtui.arena.history import Cell, Moment, cells
from nimtui.arena.history_text import legend, short, sides
from nimtui.arena.review_text import Names

WIDTH = 60  # columns of a line, beliefs excluded
NAMED = 10  # characters of a player
SIGNS = dict(zip(map(str, Cell), " │┃░█─✗○◇", strict=True))


def lines(
    moments: Sequence[Moment], players: Sequence[str], moves: Sequence[str], seats: Names, analyst: str = ""
) -> list[str]:
    """Return the picture: a head that names the sides, a line per move, and as the last one what the signs mean.

    Lines without anything known have no bar. No lines if nothing is known of any move.
    """
    if all(moment.blank for moment in moments):
        return []
    distinct = tuple(dict.fromkeys(players))
    called = dict(zip(distinct, labels(distinct), strict=True))
    who = min(NAMED, max(map(len, called.values())))
    wide, digits = max(map(len, moves)), len(str(len(moves)))
    lead = digits + 1 + who + 1 + wide + 1
    width = max(9, WIDTH - lead - (1 - (WIDTH - lead) % 2))
    rows = ["" if moment.blank else cells(moment, width) for moment in moments]
    left, right = sides((called.get(seats[0], seats[0]), called.get(seats[1], seats[1])))
    half = width // 2
    found = [f"{'':{lead}}{left[: half - 2]:<{half - 2}} ‹ › {right[: half - 2]:>{half - 2}}".rstrip()]
    for moment, row, player, move in zip(moments, rows, players, moves, strict=True):
        drawn = "".join(SIGNS[cell] for cell in row)
        label = f"{moment.ply + 1:>{digits}} {called[player][:who]:<{who}} {move:<{wide}} "
        found.append(f"{label}{drawn:<{width}} {short(moment.belief)}".rstrip())
    return [*found, legend(rows, SIGNS, analyst)]
