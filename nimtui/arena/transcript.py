"""Games as text that people can read, and that is read back as exactly the same games.

    Game: nim:3,5,7
    First: perfect
    Second: random
    Result: 1-0

    (b1 c2) 1. a1 c3 2. b2 c2 … 1-0

Above, the facts of the game, one per line. Below, its moves as people type them: the opening in brackets, made for both
players; then the moves of first and second player by turns; at the end the result again. A move whose name would not
be read back as itself is written as its code, '#17'. An empty line separates two games.

What a player believed of its move, if that was saved, follows the move as a word in braces: '3 {+0.25/500}', see
`beliefs.word`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache

from nimtui.arena.batch import DRAWN, Played
from nimtui.arena.beliefs import of_game
from nimtui.arena.beliefs import word as belief_word
from nimtui.arena.steps import Steps
from nimtui.errors import InputError
from nimtui.foreign.values import utc
from nimtui.games import base, parse_game

FIRST_WINS, SECOND_WINS, DRAW, UNFINISHED = "1-0", "0-1", "1/2-1/2", "*"
RESULTS = (FIRST_WINS, SECOND_WINS, DRAW, UNFINISHED)
LINE = 78  # columns
ODD = re.compile(r"[\s():\x00-\x1f\x7f-\x9f]|^[#{]|^\d+\.$|^$")  # names that would be read as something else


@dataclass(frozen=True, slots=True)
class Transcript:
    """One game and its facts. None and '': unknown."""

    game: str
    first: str  # the agents, as `row` numbers the players; not always the first player
    second: str
    row: Played
    id: str | None = None  # of the saved game, as people type it
    name: str = ""
    tournament: int | None = None
    pairing: int | None = None
    seed: int | None = None
    ended: int | None = None  # seconds since 1970
    plan: str | None = None  # the settings of its tournament, a line of JSON: once, if all its games are there

    @property
    def seats(self) -> tuple[str, str]:
        """Return the first and the second player, after the opening."""
        return (self.second, self.first) if self.row.opener else (self.first, self.second)


def result_word(steps: Steps, row: Played) -> str:
    """Return the first player's result, after the opening: '1-0', '0-1', '1/2-1/2'; '*' if it is unfinished."""
    if row.result != DRAWN:
        return FIRST_WINS if row.winner == row.opener else SECOND_WINS
    return DRAW if row.fault or steps.outcome(row.codes()) != base.GOING_ON else UNFINISHED


def write(games: Iterable[Transcript]) -> Iterator[str]:
    """Return the text of these games, piece by piece. Unknown games and games against the rules get move codes."""
    known: dict[str, Steps | None] = {}
    between = ""
    for transcript in games:
        if (name := transcript.game) not in known:
            known[name] = _steps(name)
        yield between + _known_or_coded(known[name], transcript)
        between = "\n"


def _steps(name: str) -> Steps | None:
    """Return the steps of a game; None if it is unknown here."""
    try:
        return Steps(parse_game(name), reading=True)
    except InputError:
        return None


def _known_or_coded(steps: Steps | None, of: Transcript) -> str:
    if steps is not None:
        with suppress(InputError):
            return _text(of, result_word(steps, of.row), _words(_named(steps, of.row), of.row))
    result = DRAW if of.row.result == DRAWN else FIRST_WINS if of.row.winner == of.row.opener else SECOND_WINS
    return _text(of, result, _words([f"#{code}" for code in of.row.codes()], of.row))


def _text(of: Transcript, result: str, words: Iterable[str]) -> str:
    said = {
        "Game": of.game,
        "First": of.seats[0],
        "Second": of.seats[1],
        "Seats": "swapped" if of.row.opener else None,
        "Id": of.id,
        "Name": " ".join(of.name.split()) or None,
        "Tournament": of.tournament,
        "Pairing": None if of.pairing is None else of.pairing + 1,
        "Number": of.row.number + 1,
        "Seed": of.seed,
        "Plan": of.plan,
        "Date": _date(of.ended),
        "Seconds": of.row.seconds or None,
        "Chances": _two(of.row, of.row.chances),
        "Mistakes": _two(of.row, of.row.mistakes),
        "Fault": " ".join(of.row.fault.split()) or None,
        "Result": result,
    }
    head = "\n".join(f"{key}: {value}" for key, value in said.items() if value is not None)
    moves = _filled([*words, result])
    return f"{head}\n\n{moves}\n"


def _two(row: Played, numbers: tuple[int, int]) -> str | None:
    """Return two numbers of the players, by seat; None if the exact value is unknown or no mistake was possible."""
    first, second = numbers[row.opener], numbers[1 - row.opener]
    return f"{first} {second}" if any(row.chances) else None


def _named(steps: Steps, row: Played) -> list[str]:
    """Return the moves as people type them, or as codes if they would not be read back."""
    codes = row.codes()
    return [
        f"#{code}" if not step.reads or _odd(step.name) else step.name
        for code, step in zip(codes, steps.follow(codes), strict=True)
    ]


def _words(moves: Iterable[str], row: Played) -> Iterator[str]:
    """Return the moves, with numbers, the opening's brackets, and what the players believed."""
    believed = of_game(row.beliefs, len(row.moves) // 2)
    for ply, word in enumerate(moves):
        if ply < row.opening:
            word = f"{'(' if ply == 0 else ''}{word}{')' if ply == row.opening - 1 else ''}"
        elif (ply - row.opening) % 2 == 0:
            yield f"{(ply - row.opening) // 2 + 1}."
        yield word
        if believed and (belief := believed[ply]) is not None:
            yield belief_word(belief)


@lru_cache(4096)
def _odd(word: str) -> bool:
    return ODD.search(word) is not None or word in RESULTS


def _filled(words: Iterable[str]) -> str:
    """Return lines of at most LINE columns; a word is never broken."""
    lines, line = [], ""
    for word in words:
        if line and len(line) + 1 + len(word) > LINE:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}" if line else word
    return "\n".join([*lines, line])


@lru_cache(4096)
def _date(ended: int | None) -> str | None:
    """Return the date; None if the time is unknown or cannot be written."""
    said = utc(ended, " ")
    return None if said is None else f"{said} UTC"
