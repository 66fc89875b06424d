"""The book of openings of Connect Four: exact scores of all positions of a connect board in its first plies, made once.

`Openings` are all positions after so many plies, as arrays. A position and its mirror image are one position here, of
which the one with the smaller number stands in the arrays. The number of a position is `mine + discs`, as in
`nimtui.engine.connect.table`: different for different positions. An answer from a book loads no engine.

The file is one line of JSON and then one signed byte for each position, by ply and number: the score for the player to
move, or UNKNOWN. The line holds the game, the number of positions after 0, 1, … plies, and the SHA-256 of the bytes.
Scores are exact, so a book made twice is the same to the last bit, however it was made. `fill` makes one: it solves the
positions of the last ply, and derives those before from them. The report tells how many positions a book holds, and who
wins them.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from nimtui.errors import InputError
from nimtui.foreign import reading
from nimtui.foreign.reading import is_there
from nimtui.foreign.values import is_whole
from nimtui.games import base, parse_game
from nimtui.games.base import Move
from nimtui.games.connect import Connect
from nimtui.games.game import Game
from nimtui.games.notation import plural
from nimtui.games.rule_text import Place
from nimtui.progress import SILENT, Progress, Relay
from nimtui.report.blocks import Block, Column, Gap, Heading, Report, Sentence, Table
from nimtui.report.values import Count
from nimtui.signs import visible

if TYPE_CHECKING:
    from nimtui.engine.connect import Solver

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Openings:
    """The unfinished positions after so many plies, ascending by number, and how many positions are finished."""

    numbers: Ints  # [position]
    mine: Ints  # [position]: discs of the player to move
    discs: Ints  # [position]: all discs
    images: Ints  # [position]: 2 where the mirror image is another position, else 1
    lines: int  # positions, mirror images counted, in which the last disc completed a line
    full: int  # positions, mirror images counted, in which the board is full without a line

    def __len__(self) -> int:
        return len(self.numbers)


@dataclass(frozen=True, slots=True)
class Shape:
    """A board, for whole arrays of positions."""

    columns: int
    rows: int
    k: int
    floor: int
    full: int

    @staticmethod
    def of(state: Connect) -> Shape:
        """Return the shape of a game's board."""
        return Shape(len(state.bottom), int(state.rows), int(state.k), int(state.bottom.sum()), int(state.full))

    def column(self, number: int) -> int:
        """Return the cells of a column."""
        return ((1 << self.rows) - 1) << number * (self.rows + 1)

    def mirrored(self, cells: Ints) -> Ints:
        """Return the mirror images."""
        height = self.rows + 1
        image = np.zeros_like(cells)
        for column in range(self.columns):
            part = (cells >> column * height) & ((1 << height) - 1)
            image |= part << (self.columns - 1 - column) * height
        return image

    def has_line(self, discs: Ints) -> npt.NDArray[np.bool_]:
        """Return which of these sets of discs hold a line."""
        lines = np.zeros(len(discs), np.bool_)
        for step in (1, self.rows, self.rows + 1, self.rows + 2):
            if (self.k - 1) * step < 63:
                line = discs.copy()
                for place in range(1, self.k):
                    line &= discs >> place * step
                lines |= line != 0
        return lines

    def numbers(self, mine: Ints, discs: Ints) -> Ints:
        """Return the number that a position and its mirror image share."""
        number = mine + discs
        shared: Ints = np.minimum(number, self.mirrored(mine) + self.mirrored(discs))
        return shared

    def dropped(self, mine: Ints, discs: Ints, column: int) -> tuple[npt.NDArray[np.bool_], Ints, Ints]:
        """Return in which positions the column has room; for these, the mover's discs and all discs after the move."""
        cell = (discs + self.floor) & self.column(column)
        fits = cell != 0
        return fits, mine[fits] | cell[fits], discs[fits] | cell[fits]


def one_ply_later(before: Openings, shape: Shape) -> Openings:
    """Return the positions one ply later."""
    movers, boards = [], []
    for column in range(shape.columns):
        _, mover, discs = shape.dropped(before.mine, before.discs, column)
        movers.append(mover)
        boards.append(discs)
    mover, discs = np.concatenate(movers), np.concatenate(boards)
    mine = mover ^ discs  # of the player who is now to move
    plain = mine + discs
    numbers, first = np.unique(shape.numbers(mine, discs), return_index=True)
    mine, discs, mover = mine[first], discs[first], mover[first]
    is_image = numbers != plain[first]
    mine, discs = (np.where(is_image, shape.mirrored(cells), cells) for cells in (mine, discs))
    images = 1 + (shape.mirrored(mine) + shape.mirrored(discs) != numbers)
    lines = shape.has_line(mover)
    full = ~lines & (discs == shape.full)
    on = ~(lines | full)
    return Openings(numbers[on], mine[on], discs[on], images[on], int(images[lines].sum()), int(images[full].sum()))


KIND, VERSION = "book", 1
UNKNOWN = 127
MOST_BYTES = 64 << 20

Scores = npt.NDArray[np.int8]


@dataclass(frozen=True)
class Counts:
    """How many positions after some plies, mirror images and finished ones counted, the first player wins."""

    plies: int
    won: int
    drawn: int
    lost: int
    finished: int

    @property
    def positions(self) -> int:
        return self.won + self.drawn + self.lost


class Book:
    """Scores by ply. The last ply may hold unknown scores while the book is being made."""

    def __init__(self, game: Game, scores: list[Scores]) -> None:
        """Use these scores of the positions after 0, 1, … plies."""
        assert isinstance(game.start, Connect)
        self.game, self.scores = game, scores
        self.shape = Shape.of(game.start)
        zero = np.zeros(1, np.int64)  # the empty board
        self._openings = [Openings(zero, zero, zero, np.ones(1, np.int64), 0, 0)]

    @property
    def plies(self) -> int:
        """The deepest ply of the book."""
        return len(self.scores) - 1

    def openings(self, ply: int) -> Openings:
        """Return all positions after so many plies."""
        while len(self._openings) <= ply:
            self._openings.append(one_ply_later(self._openings[-1], self.shape))
        return self._openings[ply]

    @property
    def unknown(self) -> int:
        """How many positions have no score yet."""
        return sum(int(np.count_nonzero(scores == UNKNOWN)) for scores in self.scores)

    def score(self, state: Connect) -> int | None:
        """Return the score of an unfinished position; None if it is not in the book."""
        mine, discs = int(state.board[0]), int(state.board[1])
        if (ply := discs.bit_count()) > self.plies:
            return None
        score = int(self.scores_at(ply, np.array([mine]), np.array([discs]))[0])
        return None if score == UNKNOWN else score

    def scores_at(self, ply: int, mine: npt.NDArray[np.int64], discs: npt.NDArray[np.int64]) -> Scores:
        """Return the scores of unfinished positions after so many plies; UNKNOWN if one is not reached in play."""
        numbers, scores = self.openings(ply).numbers, self.scores[ply]
        wanted = self.shape.numbers(mine, discs)
        places = np.minimum(np.searchsorted(numbers, wanted), len(numbers) - 1)
        return np.where(numbers[places] == wanted, scores[places], np.int8(UNKNOWN))

    def move_scores(self, state: Connect) -> dict[Move, int] | None:
        """Return the score of every move of an unfinished position, for the player to move; None if one is unknown."""
        if int(state.board[1]).bit_count() >= self.plies:
            return None
        after = base.copy(state)
        scores = {}
        assert isinstance(after, Connect)
        room = int(state.full ^ state.board[1]).bit_count()
        for move in base.legal_moves(state):
            base.play(after, move)
            if (result := base.outcome(after)) == base.GOING_ON:
                if (score := self.score(after)) is None:
                    return None
                scores[move] = -score
            else:
                scores[move] = 0 if result == base.DRAW else (room + 1) // 2
            base.undo(after, move)
        return scores

    def counts(self) -> list[Counts]:
        """Return how the game ends for the first player, for each ply of which all scores are known."""
        counts = []
        for ply, scores in enumerate(self.scores):
            if (scores == UNKNOWN).any():
                continue
            positions = self.openings(ply)
            sign = 1 if ply % 2 == 0 else -1  # of the player to move
            ends = {value: int(positions.images[np.sign(scores) == sign * value].sum()) for value in (1, 0, -1)}
            ends[-sign] += positions.lines  # completed by the player who has just moved
            ends[0] += positions.full
            counts.append(Counts(ply, ends[1], ends[0], ends[-1], positions.lines + positions.full))
        return counts

    @property
    def checksum(self) -> str:
        """The SHA-256 of the scores, in hexadecimal digits."""
        return hashlib.sha256(self._body()).hexdigest()

    def _body(self) -> bytes:
        return b"".join(scores.tobytes() for scores in self.scores)

    def bytes(self) -> bytes:
        """Return the file."""
        head = {
            "nimtui": KIND,
            "version": VERSION,
            "game": self.game.name,
            "positions": [len(scores) for scores in self.scores],
            "sha256": self.checksum,
        }
        return json.dumps(head).encode() + b"\n" + self._body()


def empty(game: Game, plies: int) -> Book:
    """Return a book of which nothing is known yet. Raises InputError if it would be too large."""
    if not isinstance(game.start, Connect):
        raise InputError(f"a book is for connect games, such as connect4: {game.name} is another game")
    book = Book(game, [np.full(1, UNKNOWN, np.int8)])
    while book.plies < plies:
        book = deepened(book)
    return book


def deepened(book: Book) -> Book:
    """Return the book with one more ply, of which nothing is known yet. Raises InputError if it would be too large."""
    positions = book.openings(book.plies + 1)
    if not len(positions):
        raise InputError(f"every game of {book.game.name} is over after {book.plies + 1} plies: choose fewer plies")
    whole = sum(map(len, book.scores)) + len(positions)
    if whole > MOST_BYTES:
        raise InputError(f"a book of {book.plies + 1} plies has {whole:,} positions: choose fewer plies")
    deeper = Book(book.game, [*book.scores, np.full(len(positions), UNKNOWN, np.int8)])
    deeper._openings = book._openings
    return deeper


def from_bytes(data: bytes, name: str) -> Book:
    """Return the book of a file. Raises InputError, with this name, if it is damaged or not a book."""
    head, _, body = data.partition(b"\n")
    try:
        keys = reading.parse_object(head)
        if (keys.get("nimtui"), keys.get("version")) != (KIND, VERSION):
            raise ValueError("its first line names no book of this version")
        if hashlib.sha256(body).hexdigest() != keys.get("sha256"):
            raise ValueError("its checksum is wrong")
        return _book(keys.get("game"), keys.get("positions"), np.frombuffer(body, np.int8))
    except (ValueError, InputError) as fault:
        raise InputError(f"{visible(name)} is no book of openings, or it is damaged: {fault}") from None


def _book(name: object, sizes: object, scores: Scores) -> Book:
    if not isinstance(name, str) or not isinstance(sizes, list) or not all(is_whole(size, 1) for size in sizes):
        raise ValueError("its first line names no game or no positions")
    game = parse_game(name)
    if not isinstance(game.start, Connect):
        raise ValueError(f"{game.name} is no connect game")
    if not sizes or sum(sizes) != len(scores):
        raise ValueError(f"it has {len(scores)} scores instead of {sum(sizes)}")
    most = (int(game.start.full).bit_count() + 1) // 2
    if np.any((abs(scores.astype(np.int64)) > most) & (scores != UNKNOWN)):
        raise ValueError("it has a score that the board does not allow")
    return Book(game, np.split(scores.copy(), np.cumsum(sizes)[:-1]))


def read(path: Path) -> Book:
    """Return the book of a file. Raises InputError if there is none that can be read."""
    if not is_there(path):
        raise InputError(f"there is no file {path}")
    book = from_bytes(reading.contents(path, MOST_BYTES), path.name)
    for ply, scores in enumerate(book.scores):
        if len(book.openings(ply)) != len(scores):
            raise InputError(f"{visible(path.name)} has {len(scores):,} positions after {ply} plies, which is wrong")
    return book


@cache
def shipped() -> Book:
    """Return the book that comes with nimtui, for Connect Four."""
    path = Path(__file__).with_name("connect4.book")
    return from_bytes(path.read_bytes(), path.name)


def book_of(state: Connect) -> Book | None:
    """Return the book of this board, or None if it has none."""
    return shipped() if shipped().shape == Shape.of(state) else None


def report(book: Book, name: str) -> Report:
    """Return the report of a book; `name` is that of its file, '' for one that has just been made."""
    size, unknown = len(book.bytes()), book.unknown
    facts = {"game": book.game.name, "plies": book.plies, "bytes": size, "sha256": book.checksum, "unknown": unknown}
    columns = [
        Column("plies", lambda counts: Count(counts.plies), "plies"),
        Column("positions", lambda counts: Count(counts.positions), "positions"),
        Column("first wins", lambda counts: Count(counts.won), "won"),
        Column("drawn", lambda counts: Count(counts.drawn), "drawn"),
        Column("second wins", lambda counts: Count(counts.lost), "lost"),
        Column("finished", lambda counts: Count(counts.finished), "finished"),
    ]
    blocks: list[Block] = [
        Heading(Place(book.game, book.game.start, None).title),
        Sentence(f"{name or 'The book'}: {plural(book.plies, 'ply', 'plies')}, {Count(size)} bytes", facts),
        Gap(),
        Table("counts", columns, book.counts()),
    ]
    if unknown:
        blocks += [Gap(), Sentence(f"{Count(unknown)} scores are still unknown.")]
    return Report([*blocks, Gap(), Sentence(f"sha256 {book.checksum}")])


SAVE_EVERY = 60.0  # seconds


def fill(book: Book, solver: Solver, progress: Progress = SILENT, save: Callable[[Book], None] | None = None) -> None:
    """Find every unknown score of a book, in place.

    `save` is called about once a minute, at the end, and when the work is cancelled; so the work can go on later.
    """
    try:
        _solve_last(book, solver, progress, save or (lambda book: None))
        for ply in range(book.plies - 1, -1, -1):
            scores = derived(book.shape, book.openings(ply), book.openings(ply + 1), book.scores[ply + 1])
            present = book.scores[ply] != UNKNOWN
            assert (book.scores[ply][present] == scores[present]).all(), "two ways to a score disagree"
            book.scores[ply][:] = scores
    finally:
        if save is not None:
            save(book)


def _solve_last(book: Book, solver: Solver, progress: Progress, save: Callable[[Book], None]) -> None:
    positions, scores = book.openings(book.plies), book.scores[-1]
    least = _least(book)
    state = base.copy(book.game.start)
    assert isinstance(state, Connect)
    missing = np.flatnonzero(scores == UNKNOWN)
    saved = monotonic()
    for done, place in enumerate(missing):
        state.board[0], state.board[1] = positions.mine[place], positions.discs[place]
        state.board[2] = sum(not positions.discs[place] & top for top in state.top)  # open columns
        watched = _OnePosition(progress, len(scores) - len(missing) + done, len(scores))
        scores[place] = solver.score(state, watched, int(least[place]))
        watched.report(0, 0)
        if monotonic() - saved > SAVE_EVERY:
            save(book)
            saved = monotonic()


class _OnePosition(Relay):
    """Reports how many positions are solved, while one of them is."""

    def __init__(self, progress: Progress, done: int, total: int) -> None:
        super().__init__(progress)
        self._done, self._total = done, total

    def report(self, done: float, total: float, what: str = "") -> None:
        self._progress.report(self._done, self._total, "positions")  # and not the nodes of one


def _least(book: Book) -> Ints:
    """Return a lower bound of each score of the last ply: no move is better than the position it is made in."""
    least = np.full(len(book.scores[-1]), -UNKNOWN, np.int64)
    if not book.plies:
        return least
    before, scores = book.openings(book.plies - 1), book.scores[-2].astype(np.int64)
    for parents, children in _moves(book.shape, before, book.openings(book.plies)):
        present = scores[parents] != UNKNOWN
        np.maximum.at(least, children[present], -scores[parents][present])
    return least


def _moves(shape: Shape, before: Openings, after: Openings) -> list[tuple[Ints, Ints]]:
    """Return the moves that end no game, by column: the places of the positions before and after."""
    moves = []
    for column in range(shape.columns):
        fits, mover, discs = shape.dropped(before.mine, before.discs, column)
        on = ~(shape.has_line(mover) | (discs == shape.full))
        numbers = shape.numbers((mover ^ discs)[on], discs[on])
        moves.append((np.flatnonzero(fits)[on], np.searchsorted(after.numbers, numbers)))
    return moves


def derived(shape: Shape, before: Openings, after: Openings, scores: npt.NDArray[np.int8]) -> npt.NDArray[np.int8]:
    """Return the scores of all positions of a ply from those of the next."""
    best = np.full(len(before), -UNKNOWN, np.int64)
    for parents, children in _moves(shape, before, after):
        np.maximum.at(best, parents, -scores[children].astype(np.int64))
    cells = int(shape.full).bit_count()
    for column in range(shape.columns):
        fits, mover, discs = shape.dropped(before.mine, before.discs, column)
        places, wins = np.flatnonzero(fits), shape.has_line(mover)
        if wins.any():
            played = int(before.discs[0]).bit_count()  # the same for all
            best[places[wins]] = (cells - played + 1) // 2
        full = ~wins & (discs == shape.full)
        np.maximum.at(best, places[full], 0)
    return best.astype(np.int8)
