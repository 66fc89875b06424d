"""Rules of games on heaps that a move takes from, splits, or both: octal games, sets of takes, Grundy's game.

The digit k of an octal code says what a move may leave of a heap from which it takes k: 1 nothing, 2 one heap, 4 two
heaps, or a sum of these. So 0.77 is Kayles, 0.137 Dawson's chess. Source: Guy and Smith, "The G-values of various
games" (1956). In Grundy's game a move splits a heap into two unequal heaps.

A position is a multiset of heaps. Its number is its rank among all multisets that weigh no more than the start, where
no move adds weight: many heaps in any order are one position.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from nimtui.errors import InputError, invalid, shortened, whole_number
from nimtui.games import notation
from nimtui.games.base import GOING_ON, LOST, WON, Board, Move
from nimtui.games.offer import Offer

NAMES = ("octal", "grundy", "dawson", "dawsons-kayles")
FORMS = ("octal:0.77:10[:misere]", "grundy:12[:misere]", "dawson:12[:misere]", "dawsons-kayles:12[:misere]")
BOARD = "heaps"
IMPARTIAL = True
CODES = {"dawson": "0.137", "dawsons-kayles": "0.07"}
TITLES = {"0.137": "Dawson's chess", "0.07": "Dawson's Kayles", "grundy": "Grundy's game"}
OFFERS = (
    Offer(
        "octal",
        "Octal games",
        "take from a heap, and split the rest",
        {
            "Dawson's chess, 12": "octal:0.137:12",
            "Dawson's Kayles, 15": "octal:0.07:15",
            "Kayles as 0.77, 12": "octal:0.77:12",
            "0.123, heap of 11": "octal:0.123:11",
        },
        presets=("octal:0.137:12",),
        rank=10,
    ),
    Offer(
        "grundy",
        "Grundy's game",
        "split a heap into two unequal ones",
        {f"heap of {heap}": f"grundy:{heap}" for heap in (12, 18, 24)},
        presets=("grundy:12",),
        rank=10,
    ),
)

MOST_MATCHES = 255  # in a heap, and in all heaps if heaps split
MOST_MOVES = 1 << 17  # move codes
WHOLE, ONE, TWO = 1, 2, 4  # what a digit allows a move to leave: nothing, one heap, two heaps
LEFT = {  # by digit
    1: "nothing",
    2: "one heap",
    3: "at most one heap",
    4: "two heaps",
    5: "nothing or two heaps",
    6: "one heap or two",
    7: "up to two heaps",
}


class Rule(NamedTuple):
    """What a move may do to a heap: the digits of an octal code, or Grundy's rule."""

    digits: tuple[int, ...]  # by the number of matches taken, from 0
    unequal: bool = False  # do the heaps of a split differ?

    @property
    def name(self) -> str:
        """The code, as people write it: '0.137'; 'grundy' for Grundy's game."""
        return "grundy" if self.unequal else f"{self.digits[0]}.{''.join(map(str, self.digits[1:]))}"

    @property
    def splits(self) -> bool:
        """Whether a move may leave two heaps."""
        return any(digit & TWO for digit in self.digits)

    @property
    def least_split(self) -> int:
        """The fewest matches that a move takes which leaves two heaps; 0 if none does."""
        return min((take for take, digit in enumerate(self.digits) if digit & TWO), default=0)

    @property
    def takes(self) -> tuple[int, ...] | None:
        """The numbers of matches that a move may take, if the rest always stays one heap; else None."""
        if set(self.digits) <= {0, WHOLE | ONE}:
            return tuple(take for take, digit in enumerate(self.digits) if digit)
        return None

    @property
    def is_set(self) -> bool:
        """Whether a set of takes other than 1, 2, … K names the game."""
        takes = self.takes
        return takes is not None and takes != tuple(range(1, len(takes) + 1))

    @property
    def title(self) -> str:
        """What people call the rule: 'Dawson's chess', 'Octal 0.77', 'take 1, 3 or 4'."""
        if self.is_set:
            return f"take {one_of([str(take) for take in self.takes or ()])}"
        return TITLES.get(self.name, f"Octal {self.name}")

    def options(self, heap: int) -> Iterator[tuple[int, int, int]]:
        """Yield each move from a heap: the matches that it takes, the smaller and the larger heap that it leaves."""
        for take, digit in enumerate(self.digits[: heap + 1]):
            rest = heap - take
            if (digit & WHOLE and not rest) or (digit & ONE and rest):
                yield take, 0, rest
            if digit & TWO:
                for small in range(1, rest // 2 + 1):
                    if not (self.unequal and 2 * small == rest):
                        yield take, small, rest - small


GRUNDY = Rule((TWO,), unequal=True)


class Octal(NamedTuple):
    """A position of a game on heaps that may split."""

    board: Board  # [largest + 1]: the number of moves; then how many heaps have 1, 2, … matches
    heap_of: npt.NDArray[np.int64]  # move -> the matches of the heap that it changes
    take_of: npt.NDArray[np.int64]  # move -> the matches that it takes
    left_of: npt.NDArray[np.int64]  # move -> the smaller heap of a split; 0 without one
    rest_of: npt.NDArray[np.int64]  # move -> the larger heap that it leaves, or the only one; 0 if it leaves none
    first: npt.NDArray[np.int64]  # heap -> its first move
    many: npt.NDArray[np.int64]  # heap -> its number of moves
    weight: npt.NDArray[np.int64]  # heap -> its weight; no move adds weight
    ways: npt.NDArray[np.int64]  # [heap, weight]: the multisets of heaps up to this one that weigh no more
    heaps: npt.NDArray[np.int64]  # the heaps of the start, the largest first
    digits: npt.NDArray[np.int64]  # of the code
    unequal: bool
    total: int  # the number of positions; 0 where it exceeds 63 bits
    misere: bool


def new(rule: Rule, heaps: Sequence[int], misere: bool = False) -> Octal:
    """Return the starting position with these heaps. Raises InputError if a number is out of range."""
    notation.check_rows(heaps, MOST_MATCHES, "a heap", 1)
    largest = max(heaps)
    if rule.takes is not None:  # larger takes change nothing
        rule = Rule(rule.digits[: largest + 1])
    if rule.splits and sum(heaps) > MOST_MATCHES:
        raise InputError(f"all heaps together have at most {MOST_MATCHES} matches where heaps split, not {sum(heaps)}")
    moves = [(heap, *option) for heap in range(largest, 0, -1) for option in rule.options(heap)]
    if len(moves) > MOST_MOVES:
        raise InputError(f"a heap of {largest} has too many different moves here: more than {MOST_MOVES:,}")
    heap_of, take_of, left_of, rest_of = np.array(moves, np.int64).reshape(-1, 4).T.copy()
    many = np.bincount(heap_of, minlength=largest + 1).astype(np.int64)
    if not sum(many[heap] for heap in heaps):
        raise InputError(f"no move is legal from {','.join(map(str, heaps))} in {rule.name}: name larger heaps")
    above = np.cumsum(many[::-1])[::-1] - many  # the moves of larger heaps
    weight = np.arange(largest + 1) + rule.least_split if rule.splits else np.ones(largest + 1, np.int64)
    weight[0] = 0
    ways = _ways(weight, int(sum(weight[heap] for heap in heaps)))
    total = int(ways[-1, -1])
    board = np.bincount(heaps, minlength=largest + 1).astype(np.int64)
    board[0] = sum(many[heap] for heap in set(heaps))
    start = np.array(sorted(heaps, reverse=True), np.int64)
    digits = np.array(rule.digits, np.int64)
    return Octal(
        board, heap_of, take_of, left_of, rest_of, above, many, weight, ways, start, digits, rule.unequal, total, misere
    )


def _ways(weight: npt.NDArray[np.int64], room: int) -> npt.NDArray[np.int64]:
    """Return how many multisets of heaps up to each heap weigh up to 0, 1, …; zeros where 63 bits do not hold them."""
    ways = [[1] * (room + 1)]
    for one in weight[1:].tolist():
        row = ways[-1].copy()
        for space in range(one, room + 1):
            row[space] += row[space - one]
        ways.append(row)
    fits = ways[-1][-1] < 1 << 63
    return np.array(ways if fits else [[0] * (room + 1)], np.int64)


def rule_of(state: Octal) -> Rule:
    """Return what a move may do."""
    return Rule(tuple(state.digits.tolist()), bool(state.unequal))


# The rules.


def size(state: Octal) -> int:
    return state.heap_of.shape[0]


def legal(state: Octal, move: Move) -> bool:
    return state.board[state.heap_of[move]] > 0


def put(state: Octal, heap: int, by: int) -> None:
    """Add a heap, or take one away, and update the number of moves. Heap 0 is none."""
    if heap:
        before = state.board[heap]
        state.board[heap] = before + by
        if before == 0 or before + by == 0:
            state.board[0] += by * state.many[heap]


def play(state: Octal, move: Move) -> None:
    put(state, state.heap_of[move], -1)
    put(state, state.left_of[move], 1)
    put(state, state.rest_of[move], 1)


def undo(state: Octal, move: Move) -> None:
    put(state, state.rest_of[move], -1)
    put(state, state.left_of[move], -1)
    put(state, state.heap_of[move], 1)


def outcome(state: Octal) -> int:
    if state.board[0]:
        return GOING_ON
    return LOST if state.misere else WON


def following(state: Octal, move: Move) -> Move:
    heap: int = state.board.shape[0] - 1
    if move >= 0:
        heap = state.heap_of[move]
        if move + 1 < state.first[heap] + state.many[heap]:
            return move + 1
        heap -= 1
    while heap > 0:
        if state.board[heap] and state.many[heap]:
            return state.first[heap]
        heap -= 1
    return -1


def count(state: Octal) -> int:
    return state.board[0]


def nth(state: Octal, i: int) -> Move:
    for heap in range(state.board.shape[0] - 1, 0, -1):
        if state.board[heap]:
            if i < state.many[heap]:
                return state.first[heap] + i
            i -= state.many[heap]
    return -1


def positions(state: Octal) -> int:
    return state.total


def index(state: Octal) -> int:
    number: int = 0
    room = state.ways.shape[1] - 1
    for heap in range(state.board.shape[0] - 1, 0, -1):
        for _ in range(state.board[heap]):
            number += state.ways[heap - 1, room]
            room -= state.weight[heap]
    return number


def evaluate(state: Octal) -> int:
    # As with heaps of Nim: fewer matches left are better for the player who just moved.
    matches: int = 0
    for heap in range(1, state.board.shape[0]):
        matches += heap * state.board[heap]
    return -matches


# What a learner with a function sees: how many heaps have 1, 2, … matches.


def inputs(state: Octal) -> int:
    return state.board.shape[0] - 1


def input(state: Octal, i: int) -> int:
    return state.board[i + 1]


def changes(state: Octal, move: Move, i: int) -> int:
    small, rest = state.left_of[move], state.rest_of[move]
    if i == 0:
        return state.heap_of[move] - 1
    if i == 1:
        return rest - 1
    return small - 1 if i == 2 and small != rest else -1


def levels(state: Octal) -> list[int]:
    room = state.ways.shape[1] - 1
    return [room // weight + 1 for weight in state.weight[1:].tolist()]


# Names of games, moves and positions; what the board looks like.


def heaps_of(state: Octal) -> list[int]:
    """Return the heaps, the largest first."""
    sizes = np.arange(len(state.board) - 1, 0, -1)
    heaps: list[int] = np.repeat(sizes, state.board[:0:-1]).tolist()
    return heaps


def read_code(text: str) -> Rule:
    """Return the rule of an octal code. Raises InputError unless it is 0 or 4, a point, and digits from 0 to 7."""
    code = text.strip().rstrip("0") if "." in text else text
    match = re.fullmatch(r"([04])\.([0-7]{1,255})", code)
    if match is None:
        if re.fullmatch(r"[04]\.", code):
            raise InputError(f"the octal code {shortened(text)} allows no take: its digits after the point are all 0")
        raise invalid("octal code", text, "expected 0 or 4, a point, and digits from 0 to 7, as in 0.137")
    return Rule(tuple(map(int, match[1] + match[2])))


def read_takes(text: str) -> Rule:
    """Return the rule in which a move takes one of these numbers of matches, as in '1,3,4'."""
    takes = {whole_number(part, "a number of take=", 1, MOST_MATCHES) for part in text.split(",")}
    return Rule(tuple(WHOLE | ONE if take in takes else 0 for take in range(max(takes) + 1)))


def parse(word: str, fields: list[str]) -> Octal:
    """Return the game of the parts of its name, split at the colons."""
    form = FORMS[NAMES.index(word)]
    if word != "octal":
        return parse_heaps(GRUNDY if word == "grundy" else read_code(CODES[word]), fields, form)
    if not fields or not fields[0].strip():
        raise InputError(f"the game's name needs an octal code; expected {form}")
    return parse_heaps(read_code(fields[0]), fields[1:], form)


def parse_heaps(rule: Rule, fields: list[str], form: str) -> Octal:
    """Return the game of the heaps and options that follow its rule in a name."""
    sizes, limit, misere = notation.arguments(fields, form)
    if limit is not None:
        raise InputError(f"max= does not go with these rules; expected {form}")
    return new(rule, [whole_number(part, "a heap", 1, MOST_MATCHES) for part in sizes.split(",")], misere)


def name(state: Octal) -> str:
    return name_of(rule_of(state), ",".join(map(str, state.heaps)), bool(state.misere))


def name_of(rule: Rule, heaps: str, misere: bool) -> str:
    """Return the canonical name of a game with this rule and these heaps; without heaps, of one heap of any size."""
    if rule.unequal:
        fields = ["grundy", heaps]
    elif rule.is_set:
        fields = ["nim", heaps or "N", f"take={','.join(map(str, rule.takes or ()))}"]
    else:
        fields = ["octal", rule.name, heaps]
    return ":".join(filter(None, [*fields, "misere" if misere else ""]))


def title(state: Octal) -> str:
    rule, heaps = rule_of(state), ",".join(map(str, state.heaps))
    what = f"{heaps}, {rule.title}" if rule.is_set else f"{rule.title}{'' if rule.name in TITLES else ':'} {heaps}"
    if rule.is_set and len(state.heaps) > 1:
        what = f"Nim {what}"
    return f"{what} · the last move {'loses' if state.misere else 'wins'}"


def rules(state: Octal) -> str:
    rule = rule_of(state)
    end = f"Whoever makes the last move {'loses' if state.misere else 'wins'}."
    if rule.unequal:
        return f"{end} In turn, split a heap into two heaps of different sizes."
    if takes := rule.takes:
        return f"{end} In turn, take {one_of([str(take) for take in takes])} from one heap."
    by_digit: dict[int, list[str]] = {}
    for take, digit in enumerate(rule.digits[1:], 1):
        if digit:
            by_digit.setdefault(digit, []).append(str(take))
    ways = [f"take {one_of(takes)}{{}} and leave {LEFT[digit]}" for digit, takes in by_digit.items()]
    if rule.digits[0]:
        ways.insert(0, "split a heap in two{}")
    first = " from a heap" if not rule.digits[0] else ""
    text = f"{end} In turn, {one_of([way.format('' if at else first) for at, way in enumerate(ways)])}."
    return text if len(text) <= 200 else f"{end} In turn, take from a heap as the digits of {rule.name} say."


def one_of(names: Sequence[str]) -> str:
    """Return '1', '1 or 3', '1, 3 or 4'."""
    return " or ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def letter(heap: int) -> str:
    """Return the name of a heap by its place in the position, from 0: a … z, then aa, ab, …"""
    high, low = divmod(heap, len(notation.LETTERS))
    return (notation.LETTERS[high - 1] if high else "") + notation.LETTERS[low]


def move_name(state: Octal, move: Move) -> str:
    heap, take, small = int(state.heap_of[move]), int(state.take_of[move]), int(state.left_of[move])
    larger = int(state.board[heap + 1 :].sum())
    return letter(larger) + (str(take) if take else "") + (f"/{small}" if small else "")


def parse_move(state: Octal, text: str) -> Move:
    heaps, example = heaps_of(state), "a3 takes 3 from heap A, a3/2 also leaves 2 apart, a/2 only splits"
    text = text.lower().replace(" ", "")
    if len(heaps) == 1 and text[:1].isdigit():
        text = "a" + text
    match = re.fullmatch(r"([a-z]{1,2})(\d{1,3})?(?:/(\d{1,3}))?", text)
    if match is None or (match[2] is None and match[3] is None):
        raise invalid("move", text, example)
    names = [letter(at) for at in range(len(heaps))]
    if match[1] not in names:
        last = f" to {names[-1].upper()}" if len(names) > 1 else ""
        raise InputError(f"unknown heap {match[1].upper()}: the heaps are A{last}")
    heap, take, small = heaps[names.index(match[1])], int(match[2] or 0), int(match[3] or 0)
    if take + small > heap or (match[3] is not None and not 0 < small < heap - take):
        raise InputError(
            f"heap {match[1].upper()} has {notation.plural(heap, 'match', 'matches')}: {text} asks for more"
        )
    option = (take, min(small, heap - take - small) if small else 0)
    first = int(state.first[heap])
    for move in range(first, first + int(state.many[heap])):
        if (int(state.take_of[move]), int(state.left_of[move])) == option:
            return move
    raise InputError(f"{text} is not allowed: {_allowed(state, heap)}")


def _allowed(state: Octal, heap: int) -> str:
    """Return which moves a heap has, for an error."""
    first = int(state.first[heap])
    names = [move_name(state, move) for move in range(first, first + int(state.many[heap]))]
    if not names:
        return f"a heap of {heap} has no move"
    return f"a heap of {heap} has {', '.join(names[:8])}{', …' if len(names) > 8 else ''}"


def position_name(state: Octal) -> str:
    return ",".join(map(str, heaps_of(state))) or "0"


def parse_position(state: Octal, text: str) -> Board:
    largest, room = len(state.board) - 1, state.ways.shape[1] - 1
    heaps = [whole_number(part, "a heap", 0, largest) for part in text.split(",")]
    if sum(int(state.weight[heap]) for heap in heaps) > room:
        raise invalid("position", text, f"no moves from {','.join(map(str, state.heaps))} leave so many heaps")
    board = np.bincount([heap for heap in heaps if heap] or [0], minlength=largest + 1).astype(np.int64)
    board[0] = sum(int(state.many[heap]) for heap in set(heaps))
    return board


def cells(state: Octal) -> list[list[int]]:
    """Return rows of matches, as long as the heaps of the start, or longer: heaps in them stand apart by gaps.

    The largest heaps come first, each in the first row with room.
    """
    rule = rule_of(state)
    gap = max(1, rule.least_split)
    rows: list[list[int]] = [[] for _ in state.heaps]
    widths = [row_width(rule, heap) for heap in state.heaps.tolist()]
    for heap in heaps_of(state):
        free = [width - len(row) - gap * bool(row) for row, width in zip(rows, widths, strict=True)]
        row = next((row for row, places in zip(rows, free, strict=True) if heap <= places), min(rows, key=len))
        row += [0] * (gap if row else 0) + [1] * heap
    return [row + [0] * (width - len(row)) for row, width in zip(rows, widths, strict=True)]


def row_width(rule: Rule, heap: int) -> int:
    """Return the cells of the row in which a heap splits: more than its matches if a move may split without taking."""
    return 2 * heap - 1 if rule.splits and not rule.least_split else heap
