"""Rules of games in which only neighbouring matches are taken together.

A row is a bit pattern; taking from its middle splits it. With a largest run of two this is Kayles.
A move is a run of matches of one row. Runs are numbered by row, then by last match, then by length, so the runs that
end at one match have consecutive codes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from nimtui.errors import InputError, invalid, whole_number
from nimtui.games import notation
from nimtui.games.base import GOING_ON, LOST, WON, Board, Move
from nimtui.games.bits import ones
from nimtui.games.offer import Offer, of_rows

NAMES = ("adjacent", "kayles")
FORMS = ("adjacent:1,3,5,7[:max=K][:misere]", "kayles:1,3,5,7[:misere]")
BOARD = "runs"
IMPARTIAL = True
OFFERS = (
    Offer(
        "adjacent",
        "Neighbours",
        "take neighbours from one row",
        of_rows("adjacent", "1357", "345"),
        presets=("adjacent:1,3,5,7",),
        rank=2,
    ),
    Offer(
        "kayles",
        "Kayles",
        "take one or two neighbours",
        {"rows 1, 3, 5, 7": "kayles:1,3,5,7", "one row of 13": "kayles:13"},
        presets=("kayles:1,3,5,7",),
        rank=3,
    ),
)

MOST_MATCHES = 63


class Adjacent(NamedTuple):
    """A position of a game in which only neighbours are taken together."""

    # board [rows + 2]: one bit per standing match, the leftmost lowest; the number of moves; the position's number
    board: Board
    row_of: npt.NDArray[np.int64]  # move -> its row
    end_of: npt.NDArray[np.int64]  # move -> the place of the last match it takes, from 0
    take_of: npt.NDArray[np.int64]  # move -> the number of matches it takes
    bits_of: npt.NDArray[np.int64]  # move -> the bits it takes
    step_of: npt.NDArray[np.int64]  # move -> how much it lowers the position's number
    first: npt.NDArray[np.int64]  # row -> its first move
    offset: npt.NDArray[np.int64]  # place -> the number of a row's moves that end before it
    width: npt.NDArray[np.int64]  # row -> its number of matches at the start
    limit: int  # the largest number of matches per move
    total: int  # the number of positions; 0 where it exceeds 63 bits
    misere: bool


def new(rows: Sequence[int], limit: int = MOST_MATCHES, misere: bool = False) -> Adjacent:
    """Return the starting position with these rows. Raises InputError if a number is out of range."""
    notation.check_rows(rows, MOST_MATCHES, "a row of neighbours", limit)
    limit = min(limit, max(rows))
    runs = [
        (row, end, take)
        for row, width in enumerate(rows)
        for end in range(width)
        for take in range(1, min(limit, end + 1) + 1)
    ]
    row_of, end_of, take_of = np.array(runs, np.int64).T.copy()
    bits_of = ((1 << take_of) - 1) << (end_of + 1 - take_of)
    total = 1 << sum(rows) if sum(rows) < 63 else 0
    radix = np.array([1 << sum(rows[:row]) if total else 0 for row in range(len(rows))], np.int64)
    patterns = np.array([(1 << width) - 1 for width in rows], np.int64)
    ends = [min(limit, end + 1) for end in range(max(rows))]
    offset = np.concatenate([[0], np.cumsum(ends)])
    first = np.searchsorted(row_of, np.arange(len(rows)))
    board = np.concatenate([patterns, [len(runs), total - 1 if total else 0]])
    steps = bits_of * radix[row_of]
    width = np.array(rows, np.int64)
    return Adjacent(board, row_of, end_of, take_of, bits_of, steps, first, offset, width, limit, total, misere)


# The rules.


def runs_in(pattern: int, width: int, limit: int) -> int:
    """Return the number of runs of at most `limit` neighbours in a pattern of this width."""
    runs = 0
    standing = 0  # neighbours standing up to here
    for place in range(width):
        standing = (standing + 1) * ((pattern >> place) & 1)
        runs += min(standing, limit)
    return runs


def standing_at(pattern: int, place: int) -> int:
    """Return how many neighbours stand without a gap up to this place, included."""
    standing = 0
    while place >= 0 and (pattern >> place) & 1:
        standing += 1
        place -= 1
    return standing


def size(state: Adjacent) -> int:
    return state.row_of.shape[0]


def legal(state: Adjacent, move: Move) -> bool:
    bits = state.bits_of[move]
    return state.board[state.row_of[move]] & bits == bits


def turn(state: Adjacent, move: Move) -> None:
    """Take the move's matches, or put them back, and update the number of moves."""
    row = state.row_of[move]
    width = state.width[row]
    before = state.board[row]
    after = before ^ state.bits_of[move]
    state.board[row] = after
    state.board[state.first.shape[0]] += runs_in(after, width, state.limit) - runs_in(before, width, state.limit)


def play(state: Adjacent, move: Move) -> None:
    turn(state, move)
    state.board[state.first.shape[0] + 1] -= state.step_of[move]


def undo(state: Adjacent, move: Move) -> None:
    turn(state, move)
    state.board[state.first.shape[0] + 1] += state.step_of[move]


def outcome(state: Adjacent) -> int:
    if state.board[state.first.shape[0]]:
        return GOING_ON
    return LOST if state.misere else WON


def following(state: Adjacent, move: Move) -> Move:
    row: int = 0
    place = 0
    if move >= 0:
        row = state.row_of[move]
        place = state.end_of[move]
        if state.take_of[move] < min(standing_at(state.board[row], place), state.limit):
            return move + 1
        place += 1
    while row < state.first.shape[0]:
        pattern = state.board[row] >> place
        if pattern:
            while not pattern & 1:
                pattern >>= 1
                place += 1
            return state.first[row] + state.offset[place]
        row += 1
        place = 0
    return -1


def count(state: Adjacent) -> int:
    return state.board[len(state.first)]


def nth(state: Adjacent, i: int) -> Move:
    for row in range(state.first.shape[0]):
        pattern = state.board[row]
        standing = 0
        for place in range(state.width[row]):
            standing = (standing + 1) * ((pattern >> place) & 1)
            here = min(standing, state.limit)
            if i < here:
                return state.first[row] + state.offset[place] + i
            i -= here
    return -1


def row(state: Adjacent, move: Move) -> int:
    return state.row_of[move]


def casual(state: Adjacent, bits: int) -> Move:
    rows = state.first.shape[0]
    standing = 0
    for row in range(rows):
        standing += state.board[row] != 0
    wanted = ((bits & 0x3FFFFFFF) * standing) >> 30
    before = 0  # runs in the rows before the chosen one
    for row in range(rows):
        if state.board[row]:
            runs = runs_in(state.board[row], state.width[row], state.limit)
            if wanted == 0:
                return nth(state, before + (((bits >> 30) * runs) >> 30))
            before += runs
            wanted -= 1
    return -1


def positions(state: Adjacent) -> int:
    return state.total


def index(state: Adjacent) -> int:
    return state.board[state.first.shape[0] + 1]


def evaluate(state: Adjacent) -> int:
    # As with heaps: fewer matches left are better for the player who just moved.
    matches = 0
    for row in range(state.first.shape[0]):
        matches += ones(state.board[row])
    return -matches


# What a learner with a function sees: each match, row by row, 1 while it stands.


def inputs(state: Adjacent) -> int:
    matches: int = 0
    for row in range(state.width.shape[0]):
        matches += state.width[row]
    return matches


def input(state: Adjacent, i: int) -> int:
    row: int = 0
    while i >= state.width[row]:
        i -= state.width[row]
        row += 1
    return state.board[row] >> i & 1


def changes(state: Adjacent, move: Move, i: int) -> int:
    if i >= state.take_of[move]:
        return -1
    before: int = 0
    for row in range(state.row_of[move]):
        before += state.width[row]
    return before + state.end_of[move] - i


def levels(state: Adjacent) -> list[int]:
    return [2] * inputs(state)


def neighbours(state: Adjacent) -> list[list[int]]:
    beside: list[list[int]] = []
    for width in state.width.tolist():
        beside += [[len(beside) + at + by for by in (-1, 1) if 0 <= at + by < width] for at in range(width)]
    return beside


# Names of games, moves and positions; what the board looks like.


def parse(word: str, fields: list[str]) -> Adjacent:
    """Return the game of the parts of its name, split at the colons."""
    sizes, limit, misere = notation.arguments(fields, FORMS[NAMES.index(word)])
    rows = [whole_number(part, "a row", 1, MOST_MATCHES) for part in sizes.split(",")]
    if word == "kayles":
        if limit is not None:
            raise InputError("kayles always takes one or two neighbours; use adjacent for max=K")
        limit = 2
    return new(rows, limit or MOST_MATCHES, misere)


def name(state: Adjacent) -> str:
    rows = ",".join(str(matches) for matches in state.width)
    return f"adjacent:{rows}" + notation.suffix(state.limit, int(max(state.width)), state.misere)


def title(state: Adjacent) -> str:
    rows = ",".join(str(matches) for matches in state.width)
    what = f"Kayles {rows}" if state.limit == 2 else f"Neighbours {rows}"
    if state.limit != 2 and state.limit < max(state.width):
        what += f", at most {state.limit}"
    return f"{what} · the last match {'loses' if state.misere else 'wins'}"


def move_name(state: Adjacent, move: Move) -> str:
    end, take = int(state.end_of[move]) + 1, int(state.take_of[move])
    places = f"{end - take + 1}-{end}" if take > 1 else f"{end}"
    return notation.row_letter(state.row_of[move]) + places


def parse_move(state: Adjacent, text: str) -> Move:
    example = "c2-4 takes matches 2 to 4 of row C, c2 takes match 2"
    row, rest = notation.row_and_number(text, len(state.first), example)
    match = re.fullmatch(r"(\d{1,3})(?:-(\d{1,3}))?", rest)
    letter, width = notation.row_letter(row).upper(), int(state.width[row])
    if not state.board[row]:
        raise InputError(f"row {letter} is empty")
    if match is None:
        raise invalid("move", text, example)
    begin, end = int(match[1]), int(match[2] or match[1])
    if not 1 <= begin <= end <= width:
        raise invalid("run", rest, f"row {letter} has the places 1 to {width}")
    take = end - begin + 1
    if take > state.limit:
        raise InputError(f"take at most {state.limit} neighbours at once, not {take}")
    bits = ((1 << take) - 1) << (begin - 1)
    gone = bits & ~int(state.board[row])
    if gone:
        place = (gone & -gone).bit_length()
        raise InputError(f"match {place} of row {letter} is gone: take only matches that stand side by side")
    return int(state.first[row] + state.offset[end - 1]) + take - 1


def position_name(state: Adjacent) -> str:
    return "/".join("".join(map(str, cells_of)) for cells_of in cells(state))


def parse_position(state: Adjacent, text: str) -> Board:
    parts = text.split("/")
    form = "/".join("1" * int(width) for width in state.width)
    if len(parts) != len(state.width):
        rows = notation.plural(len(state.width), "row", "rows")
        raise invalid("position", text, f"expected {rows} separated by slashes, as in {form}")
    board = np.zeros_like(state.board)
    for row, (part, width) in enumerate(zip(parts, state.width, strict=True)):
        if part == "0":
            continue  # an empty row may be written as one 0
        if len(part) != width or set(part) - {"0", "1"}:
            letter = notation.row_letter(row).upper()
            raise invalid(f"row {letter}", part, f"expected {width} digits, 1 (standing) or 0 (gone)")
        pattern = sum(1 << place for place, cell in enumerate(part) if cell == "1")
        board[row] = pattern
        board[-2] += runs_in(pattern, int(width), state.limit)
    if state.total:
        shift = 0
        for row, width in enumerate(state.width):
            board[-1] += int(board[row]) << shift
            shift += int(width)
    return board


def cells(state: Adjacent) -> list[list[int]]:
    """Return each row's matches from left to right: 1 standing, 0 gone."""
    return [
        [int(state.board[row]) >> place & 1 for place in range(int(width))] for row, width in enumerate(state.width)
    ]


def touched(state: Adjacent, move: Move) -> list[tuple[int, int]]:
    """Return the cells (row, place) that a legal move changes."""
    row, end, take = int(state.row_of[move]), int(state.end_of[move]), int(state.take_of[move])
    return [(row, place) for place in range(end - take + 1, end + 1)]
