"""Results that others have rated, and ways to make some."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from nimtui.arena.ratings import Rating, Result, rate

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
# Preferences among six chocolate puddings: i, j, how often i, how often j, how often neither. R. R. Davidson, 1970,
# example 2; the data set `pudding` of the R package PlackettLuce.
PUDDINGS = """
1 2 19 22 16, 1 3 16 19 12, 2 3 19 19 10, 1 4 18 23 13, 2 4 23 19  9, 3 4 19 20 15, 1 5 13 19 18, 2 5 16 20 12,
3 5 16 15 17, 4 5 17 14 16, 1 6 18 21 12, 2 6 22 20 12, 3 6 13 18 10, 4 6 14 19 18, 5 6 11 21 12
"""


def baseball() -> list[Result]:
    rows = [line.split() for line in BASEBALL.strip().splitlines()]
    return [
        Result(home, away, int(cell[0]), 0, int(cell[2]))
        for home, row in enumerate(rows)
        for away, cell in enumerate(row)
        if cell != "–"
    ]


def puddings() -> list[Result]:
    rows = [[int(word) for word in part.split()] for part in PUDDINGS.split(",")]
    return [Result(i - 1, j - 1, wins, ties, losses) for i, j, wins, losses, ties in rows]


def without_order(results: list[Result]) -> list[Result]:
    """Each result from either seat: whatever the strengths, moving first is then no advantage."""
    return [*results, *(Result(two, one, losses, draws, wins) for one, two, wins, draws, losses in results)]


def made(
    source: np.random.Generator,
    strengths: npt.NDArray[np.float64],
    games: int,
    advantage: float = 0.0,
    ties: float = 0.0,
    pairs: list[tuple[int, int]] | None = None,
) -> list[Result]:
    """Results of so many games, drawn from the model: for each of the pairs (first, second), or for all."""
    count = len(strengths)
    results = []
    for first, second in pairs or [(i, j) for i in range(count) for j in range(count) if i != j]:
        s = strengths[first] - strengths[second] + advantage
        odds = np.array([np.exp(s / 2), ties, np.exp(-s / 2)])
        wins, draws, losses = map(int, source.multinomial(games, odds / odds.sum()))
        results.append(Result(first, second, wins, draws, losses))
    return results


def covered(
    source: np.random.Generator,
    tournaments: int,
    spread: float,
    games: int,
    advantage: float,
    ties: float,
    entrants: int = 5,
    pairs: list[tuple[int, int]] | None = None,
) -> tuple[float, int, list[float]]:
    """The share of intervals that hold the true rating, how many there were, and all superiorities of true betters."""
    inside: list[bool] = []
    superiorities = []
    for _ in range(tournaments):
        true = source.normal(0, spread, entrants)
        found = rate(entrants, made(source, true, games, advantage, ties, pairs))
        anchor = [place for place, rating in enumerate(found.ratings) if abs(rating.elo) < np.inf]
        for place, rating in enumerate(found.ratings):
            if rating.low < rating.high:
                inside.append(rating.low <= (true[place] - true[anchor].mean()) * found.scale <= rating.high)
        best, worst = int(true.argmax()), int(true.argmin())
        superiorities.append(found.superiority(best, worst))
    return float(np.mean(inside)), len(inside), superiorities


def elos(ratings: tuple[Rating, ...]) -> list[float]:
    return [rating.elo for rating in ratings]
