"""Rules of Nim games: a move takes one or more matches from one row, at most `limit`.

Covers `nim:1,3,5,7`, towers (rows of 1, 3, 5, … matches) and the subtraction game (one row, at most K per move), in
normal play (the last mover wins) and misère (the last mover loses).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from nimtui.errors import InputError, invalid, shortened, whole_number
from nimtui.games import notation, octal
from nimtui.games.base import GOING_ON, LOST, WON, Board, Move
from nimtui.games.offer import Offer, of_rows

NAMES = ("nim", "tower", "subtraction")
FORMS = (
    "nim:1,3,5,7[:max=K][:misere]",
    "tower:16[:misere]",
    "subtraction:21,3[:misere]",
    "nim:21:take=1,3,4[:misere]",
)
BOARD = "rows"
IMPARTIAL = True
OFFERS = (
    Offer(
        "tower",
        "Tower",
        "take any number from one row",
        {f"{matches} matches": f"tower:{matches}" for matches in (16, 25, 36)},
        presets=("tower:16", "tower:16:misere", "tower:25", "tower:36"),
        rank=0,
    ),
    Offer(
        "nim",
        "Nim",
        "take any number from one row",
        of_rows("nim", "753", "345", "35426"),
        presets=("nim:7,5,3", "nim:3,5,4,2,6:misere"),
        rank=1,
    ),
    Offer(
        "subtraction",
        "Subtraction (21 matches)",
        "take a few from one heap",
        {f"{heap} matches, take 1 to {k}": f"subtraction:{heap},{k}" for heap, k in ((21, 3), (15, 3), (31, 5))}
        | {"21 matches, take 1, 3 or 4": "subtraction:21:take=1,3,4"},
        presets=("subtraction:21,3:misere",),
        usual="subtraction:21,3:misere",
        rank=4,
    ),
)

MOST_MATCHES = 255
TAKE = "take="  # an option of a name: the numbers of matches that a move may take


class Heaps(NamedTuple):
    """A position of a heap game."""

    board: Board  # [rows + 2]: the matches left in each row; the number of moves; the position's number
    row_of: npt.NDArray[np.int64]  # move -> its row
    take_of: npt.NDArray[np.int64]  # move -> the number of matches it takes
    step_of: npt.NDArray[np.int64]  # move -> how much it lowers the position's number
    first: npt.NDArray[np.int64]  # row -> its first move, which takes one match
    full: npt.NDArray[np.int64]  # row -> the number of moves of the full row
    start: npt.NDArray[np.int64]  # row -> its number of matches at the start
    limit: int  # the largest number of matches per move
    total: int  # the number of positions; 0 where it exceeds 63 bits
    misere: bool


def new(rows: Sequence[int], limit: int = MOST_MATCHES, misere: bool = False) -> Heaps:
    """Return the starting position with these rows. Raises InputError if a number is out of range."""
    notation.check_rows(rows, MOST_MATCHES, "a row", limit)
    piles = np.array(rows, np.int64)
    full = np.minimum(piles, limit)
    total = math.prod(matches + 1 for matches in rows)
    radix = [math.prod(matches + 1 for matches in rows[:row]) for row in range(len(rows))]
    if total >= 1 << 63:
        total, radix = 0, [0] * len(rows)
    radixes = np.array(radix, np.int64)
    row_of = np.repeat(np.arange(len(rows)), full)
    take_of = np.concatenate([np.arange(1, moves + 1) for moves in full])
    board = np.concatenate([piles, [full.sum(), piles @ radixes]])
    first = np.concatenate([[0], np.cumsum(full)[:-1]])
    limit = min(limit, max(rows))
    return Heaps(board, row_of, take_of, take_of * radixes[row_of], first, full, piles, limit, total, misere)


# The rules.


def size(state: Heaps) -> int:
    return state.row_of.shape[0]


def legal(state: Heaps, move: Move) -> bool:
    return state.take_of[move] <= state.board[state.row_of[move]]


def play(state: Heaps, move: Move) -> None:
    rows = state.first.shape[0]
    row = state.row_of[move]
    before = state.board[row]
    after = before - state.take_of[move]
    state.board[row] = after
    state.board[rows] += min(after, state.limit) - min(before, state.limit)
    state.board[rows + 1] -= state.step_of[move]


def undo(state: Heaps, move: Move) -> None:
    rows = state.first.shape[0]
    row = state.row_of[move]
    before = state.board[row]
    after = before + state.take_of[move]
    state.board[row] = after
    state.board[rows] += min(after, state.limit) - min(before, state.limit)
    state.board[rows + 1] += state.step_of[move]


def outcome(state: Heaps) -> int:
    if state.board[state.first.shape[0]]:
        return GOING_ON
    return LOST if state.misere else WON


def following(state: Heaps, move: Move) -> Move:
    rows = state.first.shape[0]
    row: int = 0
    if move >= 0:
        row = state.row_of[move]
        if state.take_of[move] < min(state.board[row], state.limit):
            return move + 1
        row += 1
    while row < rows:
        if state.board[row]:
            return state.first[row]
        row += 1
    return -1


def count(state: Heaps) -> int:
    return state.board[len(state.first)]


def nth(state: Heaps, i: int) -> Move:
    # Skip the moves of each row whose matches are gone, without a branch.
    move: int = i
    seen = 0
    for row in range(state.first.shape[0]):
        here = min(state.board[row], state.limit)
        seen += here
        move += (i >= seen) * (state.full[row] - here)
    return move


def row(state: Heaps, move: Move) -> int:
    return state.row_of[move]


def casual(state: Heaps, bits: int) -> Move:
    rows = state.first.shape[0]
    standing = 0
    for row in range(rows):
        standing += state.board[row] != 0
    wanted = ((bits & 0x3FFFFFFF) * standing) >> 30
    chosen = 0
    standing = 0
    for row in range(rows):
        standing += state.board[row] != 0
        chosen += wanted >= standing
    return state.first[chosen] + (((bits >> 30) * min(state.board[chosen], state.limit)) >> 30)


def positions(state: Heaps) -> int:
    return state.total


def index(state: Heaps) -> int:
    return state.board[state.first.shape[0] + 1]


def evaluate(state: Heaps) -> int:
    # Source: minimax and alpha-beta, whose players want few matches left after their move.
    matches: int = 0
    for row in range(state.first.shape[0]):
        matches += state.board[row]
    return -matches


# What a learner with a function sees: the matches in each row.


def inputs(state: Heaps) -> int:
    return state.first.shape[0]


def changes(state: Heaps, move: Move, i: int) -> int:
    return state.row_of[move] if i == 0 else -1


def levels(state: Heaps) -> list[int]:
    return [int(matches) + 1 for matches in state.board[: inputs(state)]]


# Names of games, moves and positions; what the board looks like.


def rows_of(state: Heaps) -> list[int]:
    """Return the matches left in each row."""
    return [int(matches) for matches in state.board[: len(state.first)]]


def parse(word: str, fields: list[str]) -> Heaps | octal.Octal:
    """Return the game of the parts of its name, split at the colons."""
    if word != "tower" and (texts := [field for field in fields if field.strip().lower().startswith(TAKE)]):
        return _with_takes(fields, texts)
    sizes, limit, misere = notation.arguments(fields, FORMS[NAMES.index(word)])
    if word == "tower":
        matches = whole_number(sizes, "the tower's number of matches", 1, notation.MOST_ROWS**2)
        height = math.isqrt(matches)
        if height * height != matches:
            near = ", ".join(str(k * k) for k in (height, height + 1) if k <= notation.MOST_ROWS)
            raise InputError(f"a tower has a square number of matches (nearest: {near}), not {matches}")
        return new(range(1, 2 * height, 2), limit or MOST_MATCHES, misere)
    if word == "subtraction":
        numbers = sizes.split(",")
        if len(numbers) != 2 or limit is not None:
            raise invalid("size", sizes, f"expected matches,largest take, as in {FORMS[2]}")
        matches = whole_number(numbers[0], "the number of matches", 1, MOST_MATCHES)
        limit = whole_number(numbers[1], "the largest take", 1, MOST_MATCHES)
        return new([matches], limit, misere)
    rows = [whole_number(part, "a row", 1, MOST_MATCHES) for part in sizes.split(",")]
    return new(rows, limit or MOST_MATCHES, misere)


def _with_takes(fields: list[str], texts: list[str]) -> Heaps | octal.Octal:
    """Return the game in which a move takes one of the numbers of `take=`: of 1 to K it is the game with max=K."""
    form = FORMS[3]
    if len(texts) > 1:
        raise InputError(f"'{shortened(texts[1])}' repeats another option of the game's name; expected {form}")
    rule = octal.read_takes(texts[0].strip()[len(TAKE) :])
    state = octal.parse_heaps(rule, [field for field in fields if field is not texts[0]], form)
    if octal.rule_of(state).is_set:
        return state
    return new(state.heaps.tolist(), len(state.digits) - 1, bool(state.misere))


def name(state: Heaps) -> str:
    rows = ",".join(str(matches) for matches in state.start)
    return f"nim:{rows}" + notation.suffix(state.limit, int(max(state.start)), state.misere)


def title(state: Heaps) -> str:
    start = [int(matches) for matches in state.start]
    if start == list(range(1, 2 * len(start), 2)) and len(start) > 1:
        what = f"Tower of {sum(start)}"
    elif len(start) == 1:
        what = notation.plural(start[0], "match", "matches")
    else:
        what = "Nim " + ",".join(map(str, start))
    if state.limit < max(start):
        what += f", take 1 to {state.limit}" if state.limit > 1 else ", take 1"
    return f"{what} · the last match {'loses' if state.misere else 'wins'}"


def move_name(state: Heaps, move: Move) -> str:
    return f"{notation.row_letter(state.row_of[move])}{state.take_of[move]}"


def parse_move(state: Heaps, text: str) -> Move:
    rows = len(state.first)
    if rows == 1 and text.isdigit():
        text = "a" + text
    row, number = notation.row_and_number(text, rows, "c3 takes 3 from row C")
    standing, letter = int(state.board[row]), notation.row_letter(row).upper()
    if not standing:
        raise InputError(f"row {letter} is empty")
    most = min(standing, state.limit)
    if number.isascii() and number.isdigit() and int(number) > most:
        if most == state.limit < max(state.start):
            raise InputError(f"take at most {most} at once, not {shortened(number)}")
        has = notation.plural(standing, "match", "matches")
        raise InputError(f"row {letter} has {has}: {shortened(number)} cannot be taken")
    take = whole_number(number, f"the number of matches to take from row {letter}", 1, most)
    return int(state.first[row]) + take - 1


def position_name(state: Heaps) -> str:
    return ",".join(str(matches) for matches in rows_of(state))


def parse_position(state: Heaps, text: str) -> Board:
    parts = text.split(",")
    if len(parts) != len(state.start):
        rows = notation.plural(len(state.start), "row", "rows")
        raise invalid("position", text, f"expected {rows}, as in {','.join(map(str, state.start))}")
    piles = []
    for row, part in enumerate(parts):
        what = f"row {notation.row_letter(row).upper()}"
        piles.append(whole_number(part, what, 0, int(state.start[row])))
    moves = sum(min(matches, state.limit) for matches in piles)
    radix = np.zeros(len(piles), np.int64)
    radix[state.row_of] = state.step_of // state.take_of
    return np.array([*piles, moves, int(np.array(piles) @ radix)], np.int64)


def cells(state: Heaps) -> list[list[int]]:
    """Return each row's matches from left to right: 1 standing, 0 gone. Moves take from the right."""
    rows = zip(state.board, state.start, strict=False)
    return [[1] * int(matches) + [0] * int(full - matches) for matches, full in rows]


def touched(state: Heaps, move: Move) -> list[tuple[int, int]]:
    """Return the cells (row, column) that a legal move changes."""
    row = int(state.row_of[move])
    matches = int(state.board[row])
    return [(row, column) for column in range(matches - int(state.take_of[move]), matches)]
