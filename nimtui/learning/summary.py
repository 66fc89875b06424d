"""What a function has learned, in sentences: right moves then and now, its first move, its mistakes, its patterns.

`known` names the patterns that a person knows: three in a row with an open end, equal rows. A name follows from the
values of the pattern's inputs alone, so it holds in every position that has them. Rows of the board count from the
bottom, as in V. Allis, "A knowledge-based approach of Connect-Four" (1988), where the first player gains by threats on
odd rows, and the second by those on even rows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from itertools import product
from operator import xor
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from nimtui.games import Game
from nimtui.games.base import Move
from nimtui.games.connect import FIRSTS, NEXT, OUT_OF_REACH, Connect
from nimtui.games.heaps import Heaps
from nimtui.games.noughts import Noughts
from nimtui.learning import reasons
from nimtui.learning.curve_points import FunctionPoint
from nimtui.learning.evaluate import RIGHT
from nimtui.learning.reasons import Pattern, Place
from nimtui.learning.sample import SampledTruth
from nimtui.learning.training import Training
from nimtui.learning.views import View
from nimtui.report.values import Count, Named, Result, Share
from nimtui.theory.explanation import several

BANDS = 4  # groups of plies
THEN = 10  # times fewer games: what it is compared with
DOES = {1: "wins", 0: "draws"}


class Band(NamedTuple):
    """The positions after some plies."""

    first: int
    last: int
    wrong: int  # positions where some best-valued move is a mistake
    positions: int


class Summary(NamedTuple):
    """What a function has learned, in facts."""

    game: Game
    games: int
    now: FunctionPoint | None  # the newest point of its curve with right moves …
    then: FunctionPoint | None  # … and one after a tenth of these games
    chance: float | None  # the share of right moves of a random player; None: unknown
    first: tuple[Move, ...]  # the moves of the highest value from the start; none if the start is not listed
    value: int | None  # the exact value of the start for the player to move; None: the start is not listed
    right: tuple[Move, ...]  # the moves from the start that keep it
    bands: tuple[Band, ...]  # where it is wrong, by plies; none if the positions have no plies
    heaviest: Pattern | None  # None if it has no tuples of whole inputs
    places: Sequence[Place]  # what its inputs tell of the board


def of(training: Training, curve: Sequence[object], view: View | None = None, places: Sequence[Place] = ()) -> Summary:
    """Return the summary of a function, after `prepare`; `curve` is its curve so far.

    With a view it may learn meanwhile: moves are those of the view, the heaviest pattern is that of this moment.
    """
    estimator, game, listed = training.estimator, training.game, training.listed
    assert estimator is not None
    points = [point for point in curve if isinstance(point, FunctionPoint) and point.right_moves is not None]
    now = points[-1] if points else None
    earlier = [point for point in points if point.games * THEN <= points[-1].games]
    first, value, right, bands = tuple[Move, ...](), None, tuple[Move, ...](), tuple[Band, ...]()
    if listed is not None:
        scores = training.listed_scores()[0] if view is None else view.scores
        at = listed.node(game.start.board) if isinstance(listed, SampledTruth) else int(listed.graph.start)
        if at >= 0:
            edges = slice(*listed.graph.ptr[at : at + 2].tolist())
            moves, keeps, own = listed.graph.move[edges], listed.keeps[edges], scores[edges]
            value, first, right = int(listed.values[at]), _moves(moves[own == own.max()]), _moves(moves[keeps])
        if isinstance(listed, SampledTruth):
            bands = _bands(listed, training.listed_standing(scores).verdicts != RIGHT)
    heaviest = reasons.heaviest(estimator, 1)
    if heaviest and not places:
        places = reasons.places(game, estimator.sight.inputs)
    return Summary(
        game,
        training.games if view is None else view.games,
        now,
        earlier[-1] if earlier else None,
        None if training.sample is None else training.sample.chance(),
        first,
        value,
        right,
        bands,
        heaviest[0] if heaviest and heaviest[0].weight else None,
        places,
    )


def _moves(moves: npt.NDArray[np.int32]) -> tuple[Move, ...]:
    return tuple(map(int, moves))


def _bands(listed: SampledTruth, wrong: npt.NDArray[np.bool_]) -> tuple[Band, ...]:
    """Return how many of the listed positions are wrong, by about as many plies in each group."""
    groups = [group.tolist() for group in np.array_split(np.unique(listed.plies), BANDS) if len(group)]
    places = [np.isin(listed.plies, group) for group in groups]
    return tuple(
        Band(group[0], group[-1], int((wrong & here).sum()), int(here.sum()))
        for group, here in zip(groups, places, strict=True)
    )


def sentences(summary: Summary, discs: tuple[str, str] = ("X", "O")) -> list[str]:
    """Return the summary in sentences; `discs` are the signs of the players' discs."""
    texts = [_right_moves(summary), _first_move(summary), _wrong(summary), _heaviest(summary, discs)]
    return [text for text in texts if text]


def _right_moves(summary: Summary) -> str:
    now, then = summary.now, summary.then
    if now is None or now.right_moves is None:
        return ""
    texts = [f"After {Named(now.games, 'game', 'games')} {Share(now.right_moves)} of its moves are right"]
    if then is not None and then.right_moves is not None:
        when = f"after {Count(then.games)}" if then.games else "before the first"
        texts.append(f"{when} it was {Share(then.right_moves)}")
    if summary.chance is not None:
        texts.append(f"a random player has {Share(summary.chance)}")
    return f"{', '.join(texts)}."


def _first_move(summary: Summary) -> str:
    def names(moves: Sequence[Move]) -> str:
        return several([summary.game.move_name(move, summary.game.start) for move in moves])

    when, value, right = f"After {Named(summary.games, 'game', 'games')}", summary.value, set(summary.right)
    plays = f"{when} it plays {names(summary.first)} first"
    if value is None:
        return ""
    if value < 0:
        return f"{plays}: every first move loses."
    if not set(summary.first) - right:
        rest = right - set(summary.first)
        also = f", as {names(sorted(rest))} does" if rest else f": nothing else {DOES[value]}"
        return f"{plays}. That is right, it {DOES[value]}{also}."
    verdict = "That is wrong" if not set(summary.first) & right else "Not all of them are right"
    return f"{plays}. {verdict}: {names(summary.right)} {DOES[value]}."


def _wrong(summary: Summary) -> str:
    if not summary.bands:
        return ""
    parts = ", ".join(
        f"{Count(each.wrong)} of {Count(each.positions)} after {each.first} to {each.last}" for each in summary.bands
    )
    return f"Of {Count(sum(band.positions for band in summary.bands))} solved positions it can err in {parts} plies."


def _heaviest(summary: Summary, discs: tuple[str, str]) -> str:
    pattern, game = summary.heaviest, summary.game
    if pattern is None:
        return ""
    name = known(game, pattern.values, pattern.side)
    called = "" if name is None else f", {name.said(discs)}"
    mover = discs[pattern.side] if hasattr(game.module, "side") else "the player"
    seen = described(game, summary.places, pattern, discs)
    return f"Its heaviest pattern{called}: {seen}. It adds {Result(pattern.weight)} when {mover} has just moved."


def described(game: Game, places: Sequence[Place], pattern: Pattern, discs: tuple[str, str]) -> str:
    """Return what a pattern sees: 'X in 3-1 4-1, filled next 5-1', each cell as column-row from below, or 'A 3'."""
    if not reasons.has_pictures(game, places):
        names = reasons.names(places)
        return ", ".join(f"{names[i]} {value}" for i, value in sorted(pattern.values.items()))
    height, empties = len(game.cells(game.start) or []), ("filled next", "empty")
    groups: dict[str, list[str]] = {what: [] for what in (f"{discs[0]} in", f"{discs[1]} in", *empties)}
    for i, value in sorted(pattern.values.items()):
        [(row, column)], content = places[i].cells, places[i].contents.get(value, 0)
        what = f"{discs[content - 1]} in" if content in (1, 2) else empties[value == 0]
        groups[what].append(f"{column + 1}-{height - row}")
    return ", ".join(f"{what} {' '.join(cells)}" for what, cells in groups.items() if cells)


Cell = tuple[int, int]  # column, row from the bottom, both from 0
DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))
NUMBERS = {2: "two", 3: "three", 4: "four", 5: "five"}
FEWEST = 3  # in a row to win: of a game with fewer nothing has a name


class Known(NamedTuple):
    """The name of a pattern."""

    text: str
    player: int | None = None  # whose it is, 0 or 1; None: nobody's

    def said(self, discs: Sequence[str]) -> str:
        """Return the name, with the disc of the player whose it is."""
        return self.text if self.player is None else f"{discs[self.player]} {self.text}"


class _Board(NamedTuple):
    """The cells that a pattern fixes, each with its value as in Connect Four, and what wins."""

    cells: Mapping[Cell, int]
    columns: int
    rows: int
    k: int
    falls: bool  # do discs fall, so that a cell may be empty and out of reach?


def known(game: Game, values: Mapping[int, int], side: int) -> Known | None:
    """Return the strongest name of a pattern (input -> value) where this side has just moved; None if it has none."""
    start = game.start
    if isinstance(start, Heaps):
        return _rows(start, values)
    if isinstance(start, Connect):
        at = {divmod(i, start.rows): value for i, value in values.items()}
        board = _Board(at, len(start.top), start.rows, start.k, True)
    elif isinstance(start, Noughts):
        marks = {i: FIRSTS + value - 1 if value else NEXT for i, value in values.items()}
        at = {(i % start.columns, start.rows - 1 - i // start.columns): value for i, value in marks.items()}
        board = _Board(at, start.columns, start.rows, start.k, False)
    else:
        return None
    names = [] if board.k < FEWEST else sorted(_lines(board, side), key=lambda each: each[0])
    return names[0][1] if names else _middle(board)


def _lines(board: _Board, side: int) -> Iterator[tuple[int, Known]]:
    """Yield what the lines of k cells say that the pattern fixes, each with its rank: 0 says most."""
    k = board.k
    for x, y, (right, up) in product(range(board.columns), range(board.rows), DIRECTIONS):
        line = [(x + right * step, y + up * step) for step in range(k + 1)]  # with the cell behind it
        *inner, behind = (board.cells.get(cell) for cell in line)
        x_end, y_end = line[k - 1]
        for alone in (set(inner[:-1]), set(inner[1:])) if x_end < board.columns and 0 <= y_end < board.rows else ():
            if len(alone) == 1 and (disc := alone.pop()) in (FIRSTS, FIRSTS + 1):
                yield 6, Known(f"{_number(k - 1)} in a row", disc - FIRSTS)
        if None in inner:
            continue
        for player, disc in enumerate((FIRSTS, FIRSTS + 1)):
            count = inner.count(disc)
            if count == k - 1:
                hole = next(at for at, value in enumerate(inner) if value != disc)
                beyond = behind if hole == 0 else None  # with both ends open another line starts at the other one
                yield _all_but_one(board, player, side, inner[hole], line[hole][1], beyond, 0 < hole < k - 1)
            elif count == k - 2 >= 2 and _empty(inner[0]) and _empty(inner[-1]):
                yield 5, Known(f"{_number(k - 2)} in a row, both ends open", player)


def _number(number: int) -> str:
    return NUMBERS.get(number, str(number))


def _empty(value: int | None) -> bool:
    return value in (OUT_OF_REACH, NEXT)


def _all_but_one(
    board: _Board, player: int, side: int, last: int | None, row: int, beyond: int | None, gap: bool
) -> tuple[int, Known]:
    """Return the name of a line with one cell missing: its value, its row, and what is at the line's other end."""
    number = _number(board.k - 1)
    if not _empty(last):
        return 4, Known(f"blocks {number}", 1 - player)
    if last == NEXT and player != side:
        return 0, Known("can win at once", player)
    if _empty(beyond):
        return 1, Known(f"{number} in a row, both ends open", player)
    where = "" if last == NEXT else f"on {'odd' if row % 2 == 0 else 'even'} row {row + 1}"
    if gap:
        return 3, Known(f"{number} with a gap {where}".rstrip(), player)
    return 2, Known(f"{number} in a row, open {where or 'end'}", player)


def _middle(board: _Board) -> Known | None:
    """Return that all discs of the pattern are one player's, in the middle column; of other boards in the centre."""
    discs = {cell: value for cell, value in board.cells.items() if value >= FIRSTS}
    is_middle = all(
        2 * x + 1 == board.columns and (board.falls or 2 * y + 1 == board.rows) for x, y in discs
    )  # fmt: skip
    if not discs or not is_middle or len(set(discs.values())) > 1:
        return None
    return Known("in the middle column" if board.falls else "in the centre", next(iter(discs.values())) - FIRSTS)


def _rows(start: Heaps, values: Mapping[int, int]) -> Known | None:
    rows = [value for value in values.values() if value]
    counts = Counter(rows)
    if len(values) == len(start.start) and start.limit == max(start.start) and not reduce(xor, rows, 0):
        return Known("nim-sum 0")
    if rows and all(number % 2 == 0 for number in counts.values()):
        return Known("two equal rows" if len(rows) == 2 else "equal rows in pairs")
    if any(number > 1 for number in counts.values()):
        return Known("equal rows")
    return Known("a row of one") if 1 in counts else None
