"""How strong the levels are: the table in docs/numbers.md.

`python -m tests.levels` plays all matches again and writes the table. The same seed gives the same games.
"""

from __future__ import annotations

import sys
from itertools import product
from pathlib import Path

import nimtui
from nimtui.agents.levels import LEVELS, recipe
from nimtui.errors import InputError
from nimtui.games import parse_game
from nimtui.games.registry import presets
from nimtui.report.values import Share

DOCUMENT = Path(__file__).parent.parent / "docs" / "numbers.md"
HEAD = "| game | level | recipe | vs random | vs the level below | vs perfect |"
LINE = "| --- | --- | --- | --- | --- | --- |"
GAMES, SEED = 400, 1
SLOW = {"connect4": 40}  # its perfect player solves every position: fewer games


def scored(game: str, level: str, against: str, games: int = GAMES) -> str:
    """Return '98.5 %, +394 −6' of the level's games against the other, half of them as first player."""
    if against == "perfect":
        games = SLOW.get(game, games)
    try:
        match = nimtui.match(game, level, against, games=games, seed=SEED, alternate=True)
    except InputError:
        return "–"
    drawn = f" ={match.draws}" * bool(match.draws)
    return f"{Share(match.score).text}, +{match.wins} −{match.losses}{drawn}"


def row(game: str, level: str) -> str:
    """Return one row of the table."""
    levels = ["", *LEVELS]
    against = "random", levels[levels.index(level) - 1], "perfect"
    figures = (scored(game, level, other) if other else "" for other in against)
    return f"| {' | '.join((f'`{game}`', level, f'`{recipe(level, parse_game(game))}`', *figures))} |"


def shown() -> list[str]:
    """Return the rows in the document."""
    lines = DOCUMENT.read_text("utf-8").splitlines()
    first = lines.index(LINE, lines.index(HEAD)) + 1
    return [line for line in lines[first : first + len(presets()) * len(LEVELS)] if line.startswith("| `")]


def main() -> None:
    before, after = DOCUMENT.read_text("utf-8").split(f"{HEAD}\n{LINE}\n")
    table, rest = [], after[after.index("\n\n") :] if "\n\n" in after else "\n"
    for game, level in product((preset.game for preset in presets()), LEVELS):  # all games that lists offer
        table.append(row(game, level))
        sys.stderr.write(f"{table[-1]}\n")
    DOCUMENT.write_text(f"{before}{HEAD}\n{LINE}\n" + "\n".join(table) + rest, "utf-8")


if __name__ == "__main__":
    main()
