"""Results that others have rated, and ways to make some."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from nimtui.arena.rating.meetings import NO_PAIRS, Meeting, pair_counts
from nimtui.arena.rating.ratings import Rating

TEAMS = ("Baltimore", "Boston", "Cleveland", "Detroit", "Milwaukee", "New York", "Toronto")
# American League, Eastern Division, 1987: the row's team at home, games it won and lost. A. Agresti, "Categorical Data
# Analysis", 2nd edition, 2002, table 10.10; the data set `baseball` of the R package BradleyTerry2.
BASEBALL = """
 –  1-6 3-4 1-5 2-5 2-4 1-6
6-0  –  5-2 2-5 5-1 4-2 3-3
2-4 4-2  –  3-3 2-5 4-3 3-4
4-3 6-0 6-1  –  3-3 4-3 4-2
6-0 6-1 4-2 4-3  –  4-3 4-2
6-1 4-3 4-2 5-1 3-3  –  2-5
6-0 4-3 4-2 4-3 2-5 2-4  –
"""


def one_sided(first: int, second: int, wins: int, draws: int, losses: int) -> Meeting:
    """Games that the first agent opened."""
    return Meeting(first, second, (wins, 0), (draws, 0), (losses, 0), alternate=False)


def even(first: int, second: int, wins: int, draws: int, losses: int, pairs: Sequence[int] = NO_PAIRS) -> Meeting:
    """Games of which each agent opened half, with the same results. All counts must be even."""
    assert not (wins % 2 or draws % 2 or losses % 2)
    won, drawn, lost = ((count // 2, count // 2) for count in (wins, draws, losses))
    return Meeting(first, second, won, drawn, lost, tuple(pairs))


def baseball() -> list[Meeting]:
    rows = [line.split() for line in BASEBALL.strip().splitlines()]
    return [
        one_sided(home, away, int(cell[0]), 0, int(cell[2]))
        for home, row in enumerate(rows)
        for away, cell in enumerate(row)
        if cell != "–"
    ]


def many(meetings: Sequence[Meeting], times: int) -> list[Meeting]:
    """The same results so many times: what the prior adds becomes as small as one likes."""
    return [
        one._replace(
            **{key: tuple(count * times for count in getattr(one, key)) for key in ("wins", "draws", "losses")}
        )
        for one in meetings
    ]


def of_results(
    first: int, second: int, results: npt.NDArray[np.int8], openings: int | None = None, alternate: bool = True
) -> Meeting:
    """A meeting from the first agent's results by number, −2 where a game is missing."""
    halves = (results[::2], results[1::2]) if alternate else (results, results[:0])
    won, drawn, lost = ((int((a == kind).sum()), int((b == kind).sum())) for kind in (1, 0, -1) for a, b in [halves])
    row = results if openings is not None else None
    return Meeting(first, second, won, drawn, lost, pair_counts(results), openings, row, alternate)


def drawn_results(source: np.random.Generator, share: npt.NDArray[np.float64], draws: float) -> npt.NDArray[np.int8]:
    """Draw a result for each expected score; a draw with the probability `draws`, or less if that is impossible."""
    drawn = np.minimum(draws, 2 * np.minimum(share, 1 - share))
    sample = source.random(share.shape)
    found: npt.NDArray[np.int8] = np.where(
        sample < share - drawn / 2, 1, np.where(sample < share + drawn / 2, 0, -1)
    ).astype(np.int8)
    return found


def tournament(
    source: np.random.Generator,
    strengths: Sequence[float],
    games: int,
    seat: float = 0.0,
    draws: float = 0.0,
    openings: float | None = None,
) -> list[Meeting]:
    """A round-robin drawn from the model, in natural units; `openings`: how much openings differ for the first mover,
    every pairing playing the same ones."""
    number = np.arange(games)
    worth = seat + (source.normal(0, openings, games // 2 + 1)[number // 2] if openings is not None else 0.0)
    shared = None if openings is None else 0
    found = []
    for one in range(len(strengths)):
        for other in range(one + 1, len(strengths)):
            log_odds = strengths[one] - strengths[other] + worth * (1 - 2 * (number % 2))
            results = drawn_results(source, 1 / (1 + np.exp(-log_odds)), draws)
            found.append(of_results(one, other, results, shared))
    return found


def elos(ratings: Sequence[Rating]) -> list[float]:
    return [rating.elo for rating in ratings]
