"""Orders of all positions of a game that make structure visible, for the map of positions."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from nimtui.games import Game
from nimtui.report.values import Score
from nimtui.theory.truth import Truth

VALUES = ("lost", "drawn", "won")


@dataclass(frozen=True, slots=True, eq=False)
class Axis:
    """Groups of positions, side by side or one below the other."""

    title: str  # 'matches left'
    labels: tuple[str, ...]  # of the groups, in order
    of: npt.NDArray[np.int32]  # [positions, in their order]: the group of each, as a place in `labels`


@dataclass(frozen=True, slots=True, eq=False)
class Order:
    """All positions in one order, and their layout.

    With an axis across, the groups are side by side, the end of the game at the left. With an axis down, each group has
    one row or more. Without an axis, positions follow each other in lines as long as a period, after `lead` empty
    places.
    """

    name: str
    about: str  # describes the order, after '383 positions'
    nodes: npt.NDArray[np.int32]  # a permutation of all nodes
    across: Axis | None = None
    down: Axis | None = None
    periods: tuple[int, ...] = ()  # the numbers of places after which the pattern repeats, ascending
    lead: int = 0


def orders(truth: Truth, game: Game) -> list[Order]:
    """Return the orders by matches left, by nim-sum (or its replacement), and by number. Loads the engine."""
    from nimtui.engine.exact import heights

    remaining = heights(truth.graph)
    what, worth, labels = _worth(truth, game)
    unit = "matches left" if game.board_kind in ("rows", "runs") and not game.pays else "plies left"
    levels = tuple(str(level) for level in range(1, int(remaining.max()) + 1))
    by_level = np.lexsort((worth, remaining)).astype(np.int32)
    by_worth = np.lexsort((remaining, worth)).astype(np.int32)
    top = f"{what} 0" if game.impartial else f"{labels[0]} ones"
    return [
        Order(
            unit,
            f"by {unit}, end of the game first; {top} on top",
            by_level,
            Axis(unit, levels, remaining[by_level] - 1),
        ),
        Order(
            what,
            f"by {what}; each row starts at the end of the game",
            by_worth,
            down=Axis(what, labels, worth[by_worth]),
        ),
        _by_number(truth),
    ]


def _worth(truth: Truth, game: Game) -> tuple[str, npt.NDArray[np.int32], tuple[str, ...]]:
    """Return the game's theoretical value of positions: its name, the group of each node, the groups' labels.

    Misère games use the numbers of normal play: these decide until nearly all rows are single matches.
    """
    from nimtui.engine.exact import grundy

    if game.impartial:
        numbers = grundy(truth.graph)
        return _word(game), numbers, tuple(str(number) for number in range(int(numbers.max()) + 1))
    return values_of(truth)


def values_of(truth: Truth) -> tuple[str, npt.NDArray[np.int32], tuple[str, ...]]:
    """Return the exact value of positions: its name, the group of each node, the groups' labels."""
    values, groups = np.unique(truth.values, return_inverse=True)
    return (
        ("exact payoff" if truth.graph.largest else "exact value"),
        groups.astype(np.int32),
        tuple(Score(value).text if truth.graph.largest else VALUES[value + 1] for value in values.tolist()),
    )


def _word(game: Game) -> str:
    """Return the name of the game's Grundy value: nim-sum if any number may be taken from a row."""
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
    about = "by number, like an odometer"
    if not dense:
        return Order("number", about, nodes)
    return Order("number", about, nodes, periods=_periods(graph.boards, first), lead=first)


def _periods(boards: npt.NDArray[np.int64], first: int) -> tuple[int, ...]:
    """Return after how many positions each part of the board repeats, the fastest part first.

    The boards are those of the numbers from `first` on.
    """
    periods: list[int] = []
    for part in boards.T:
        values = int(part.max()) + 1
        length = (periods[-1] if periods else 1) * values
        odometer = np.arange(first, first + len(part)) // (periods[-1] if periods else 1) % values
        if not np.array_equal(part, odometer):
            break
        periods.append(length)
    return tuple(periods)
