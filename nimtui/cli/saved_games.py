"""Saved games as JSON, CSV, transcripts and lines of a list.

First and second are seats: the players that move first and second after the opening.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, TextIO

from nimtui.arena.saved_transcripts import transcript
from nimtui.arena.statements import MISTAKES
from nimtui.errors import InputError
from nimtui.foreign.sheet import Sheet
from nimtui.foreign.values import moment, utc
from nimtui.games.notation import plural

if TYPE_CHECKING:
    from nimtui.agents.belief import Belief
    from nimtui.arena.steps import Steps
    from nimtui.arena.transcript import Transcript
    from nimtui.documents.game import GameText
    from nimtui.games import Game
    from nimtui.progress import Progress
    from nimtui.store.rows import GameInfo

KEYS = (
    "id",
    "tournament",
    "kind",
    "name",
    "pairing",
    "number",
    "game",
    "first",
    "second",
    "result",
    "winner",
    "plies",
    "opening",
    "transcript",
    "first_chances",
    "second_chances",
    "first_mistakes",
    "second_mistakes",
    "fault",
    "seconds",
    "ended",
)


@cache
def steps_of(name: str) -> Steps:
    """Return the move reader of the game of this name, parsed once. Raises InputError for an unknown game."""
    from nimtui.arena.steps import Steps
    from nimtui.games import parse_game

    return Steps(parse_game(name))


def game_of(name: str) -> Game:
    """Return the game of this name. Raises InputError for an unknown game."""
    return steps_of(name).game


def codes(info: GameInfo) -> list[int]:
    """Return the move codes of a saved game."""
    return transcript(info).row.codes()


def beliefs(info: GameInfo) -> list[Belief | None]:
    """Return what the players of a saved game believed of each move; [] if that was not saved."""
    from nimtui.arena.beliefs import of_game

    return of_game(info.row.beliefs, len(info.row.moves) // 2)


def game_text(info: GameInfo, game: Game, judge: Progress) -> GameText:
    """Return a saved game move by move, judged. Raises InputError for a move against the present rules."""
    from nimtui.documents.game import read

    return read(game, codes(info), info.row.opening, seats(info), judge, info.row.fault, beliefs(info))


def seats(info: GameInfo) -> tuple[str, str]:
    """Return the agents that moved first and second after the opening."""
    return (info.second, info.first) if info.row.opener else (info.first, info.second)


def game_document(info: GameInfo) -> dict[str, Any]:
    """Return a game's data under the names in KEYS: numbers from 1, the winner's name, moves as they are typed.

    The transcript is None if the game is unknown here.
    """
    row = info.row
    first, second = seats(info)
    result, names = _read(info)
    kept = info.tournament is not None
    values = (
        info.short,
        info.tournament,
        info.kind,
        info.name or None,
        info.pairing + 1 if kept else None,
        row.number + 1 if kept else None,
        info.game,
        first,
        second,
        result,
        {"1-0": first, "0-1": second}.get(result),
        len(row.moves) // 2,
        row.opening,
        names,
        row.chances[row.opener],
        row.chances[1 - row.opener],
        row.mistakes[row.opener],
        row.mistakes[1 - row.opener],
        row.fault or None,
        row.seconds,
        _iso(info.ended),
    )
    return dict(zip(KEYS, values, strict=True))


@lru_cache(4096)
def _iso(ended: float) -> str | None:
    """Return the time in ISO format, or None if it is invalid."""
    said = utc(ended)
    return None if said is None else f"{said}+00:00"


def _read(info: GameInfo) -> tuple[str, list[str] | None]:
    """Return the result for the first player, and the moves' names, or None for the names if the game is unknown."""
    from nimtui.arena.transcript import RESULTS, result_word

    row = transcript(info).row
    try:
        steps = steps_of(info.game)
        return result_word(steps, row), steps.names(row.codes())
    except InputError:
        return RESULTS[2 if row.winner is None else int(row.winner != row.opener)], None


def list_cells(info: GameInfo) -> list[str]:
    """Return a line of the list: number, source, date, game, players, result, moves, mistakes, remarks."""
    row = info.row
    first, second = seats(info)
    wrong = [_of(row.mistakes[player], row.chances[player]) for player in (row.opener, 1 - row.opener)]
    return [
        info.short,
        info.kind if info.tournament is None else f"{info.kind} {info.tournament}",
        moment(info.ended),
        info.game,
        first,
        second,
        _read(info)[0],
        str(len(row.moves) // 2),
        *wrong,
        " ".join(part for part in (info.name, row.fault, damage_text(info)) if part),
    ]


def damage_text(info: GameInfo) -> str:
    """Return which fields of a saved game are damaged, or ''."""
    return f"damaged: {', '.join(info.wrong)}" if info.wrong else ""


def _of(mistakes: int, chances: int) -> str:
    return f"{mistakes} of {chances}" if chances else "–"


LIST_HEAD = ("game", "of", "ended", "", "first", "second", "result", "moves", "mistakes: first", "second", "")
LIST_WORDS = (1, 2, 3, 4, 5, 10)  # columns of words


def heading_lines(info: GameInfo, keys: dict[str, Any]) -> list[str]:
    """Return the lines about a game: its players, its source, its mistakes."""
    kept = (
        "" if keys["tournament"] is None else f" {keys['tournament']}, pairing {keys['pairing']}, game {keys['number']}"
    )
    named = f' "{keys["name"]}"' if keys["name"] else ""
    lines = [f"{keys['first']} moves first, {keys['second']} second"]
    plies = plural(keys["plies"], "ply", "plies")
    opening = f", {keys['opening']} of them the opening" if keys["opening"] else ""
    lines.append(f"game {keys['id']}{named}, {keys['kind']}{kept}, {moment(info.ended)}")
    lines.append(f"{plies}{opening}")
    wrong = [_of(keys[f"{seat}_mistakes"], keys[f"{seat}_chances"]) for seat in ("first", "second")]
    if keys["first_chances"] or keys["second_chances"]:
        lines.append(f"{MISTAKES}: first {wrong[0]}, second {wrong[1]}")
    if info.wrong:
        lines.append(f"{damage_text(info)}; shown as far as readable")
    return lines


def end_text(keys: dict[str, Any]) -> str:
    """Return how a game ended: 'perfect won, moving second'."""
    if keys["winner"] is None:
        return "a draw" if keys["result"] != "*" else "unfinished"
    seat = "first" if keys["result"] == "1-0" else "second"
    return f"{keys['winner']} won, moving {seat}" + (f": {keys['fault']}" if keys["fault"] else "")


def write_text(games: Iterable[Transcript], out: TextIO) -> None:
    """Write games as text that `nimtui games import` reads."""
    from nimtui.arena.transcript import write

    for piece in write(games):
        out.write(piece)


def write_csv(games: Iterable[GameInfo], out: TextIO) -> None:
    """Write games as CSV, one line per game. An unknown value is an empty cell."""
    sheet = Sheet(out, KEYS)
    for info in games:
        keys = game_document(info)
        sheet.keyed({**keys, "transcript": " ".join(keys["transcript"] or ())})


def write_json(games: Iterable[GameInfo], out: TextIO) -> None:
    """Write games as one JSON document, {"games": […]}, one line per game.

    A game whose thoughts were saved also has `beliefs`: what the player of each move believed of it.
    """
    from nimtui.arena.beliefs import document as belief_document

    between = '{"games": [\n'
    for info in games:
        believed = [belief_document(belief) for belief in beliefs(info)]
        keys = game_document(info) | ({"beliefs": believed} if believed else {})
        out.write(between + json.dumps(keys, allow_nan=False))
        between = ",\n"
    out.write("\n]}\n" if between == ",\n" else '{"games": []}\n')


def reporting(games: Iterable[GameInfo], total: int, progress: Any) -> Iterator[GameInfo]:
    """Give the same games and report the progress."""
    for number, info in enumerate(games):
        if number % 100 == 0:
            progress.report(number, total, "games")
        yield info
