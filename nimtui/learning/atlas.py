"""All positions of a game in orders in which structure shows: what the map of positions is drawn by."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from nimtui.games import Game
from nimtui.theory.truth import Truth

VALUES = ("lost", "drawn", "won")


@dataclass(frozen=True, slots=True, eq=False)
class Axis:
    """What positions are put side by side, or one below the other, by."""

    title: str  # 'matches left'
    labels: tuple[str, ...]  # of its groups, in order
    of: npt.NDArray[np.int32]  # [positions, in the order they are in]: the group of each, as a place in `labels`


@dataclass(frozen=True, slots=True, eq=False)
class Order:
    """All positions in one order, and how they are placed.

    With an axis across: its groups side by side, the end of the game at the left. With an axis down: a row (or several)
    for each of its groups. Without any: one behind the other, in lines as long as a period, after `lead` empty places.
    """

    name: str
    about: str  # how it is to be read, to follow '383 positions'
    nodes: npt.NDArray[np.int32]  # a permutation of all nodes
    across: Axis | None = None
    down: Axis | None = None
    periods: tuple[int, ...] = ()  # after how many places the same pattern comes again, from short to long
    lead: int = 0


def orders(truth: Truth, game: Game) -> list[Order]:
    """By matches left, by nim-sum (or what there is instead), and by number. Loads the engine."""
    from nimtui.engine.heights import heights

    left = heights(truth.graph)
    what, worth, labels = _worth(truth, game)
    unit = "matches left" if game.board_kind in ("rows", "runs") else "plies left"
    levels = tuple(str(level) for level in range(1, int(left.max()) + 1))
    by_level = np.lexsort((worth, left)).astype(np.int32)
    by_worth = np.lexsort((left, worth)).astype(np.int32)
    top = f"{what} 0" if game.impartial else f"{labels[0]} ones"
    return [
        Order(
            unit,
            f"by {unit}, the end of the game first; {top} on top",
            by_level,
            Axis(unit, levels, left[by_level] - 1),
        ),
        Order(
            what,
            f"by {what}; in each row the end of the game first",
            by_worth,
            down=Axis(what, labels, worth[by_worth]),
        ),
        _by_number(truth),
    ]


def _worth(truth: Truth, game: Game) -> tuple[str, npt.NDArray[np.int32], tuple[str, ...]]:
    """What the theory of this game tells positions apart by: its name, each node's group, the groups' labels.

    Misère games have the numbers of normal play: they decide until nearly all rows are single matches.
    """
    from nimtui.engine.exact import grundy

    if game.impartial:
        numbers = grundy(truth.graph)
        return _word(game), numbers, tuple(str(number) for number in range(int(numbers.max()) + 1))
    found, groups = np.unique(truth.values, return_inverse=True)
    return "exact value", groups.astype(np.int32), tuple(VALUES[value + 1] for value in found.tolist())


def _word(game: Game) -> str:
    """The Grundy value of rows from which any number may be taken is their nim-sum."""
    limit = getattr(game.start, "limit", 0)
    cells = game.cells(game.start)
    whole = game.board_kind == "rows" and cells is not None and limit >= max(map(len, cells))
    return "nim-sum" if whole else "Grundy value"


def _by_number(truth: Truth) -> Order:
    graph = truth.graph
    nodes = np.arange(len(graph.order), dtype=np.int32)
    numbers = np.flatnonzero(graph.node_of >= 0)
    first = int(numbers[0])
    dense = int(numbers[-1]) - first + 1 == len(numbers)
    about = "by number, as an odometer counts"
    if not dense:
        return Order("number", about, nodes)
    return Order("number", about, nodes, periods=_periods(graph.boards, first), lead=first)


def _periods(boards: npt.NDArray[np.int64], first: int) -> tuple[int, ...]:
    """After how many positions each part of the board begins again, from the one that counts fastest.

    The boards are those of the numbers from `first` on.
    """
    periods: list[int] = []
    for part in boards.T:
        values = int(part.max()) + 1
        length = (periods[-1] if periods else 1) * values
        counted = np.arange(first, first + len(part)) // (periods[-1] if periods else 1) % values
        if not np.array_equal(part, counted):
            break
        periods.append(length)
    return tuple(periods)
