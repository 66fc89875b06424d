"""Goodness of fit: whether one number per agent, and one for the seat, explain the results.

Each cell has an observed mean score and an expected one. Their differences r have a covariance V, estimated from the
games. With J the derivative of the expected scores by the parameters, the least of (r − J a)' V⁻¹ (r − J a) over
all a has for many games the χ² distribution with cells − rank J degrees of freedom if the model is right (the minimum
χ² of J. Neyman, Proceedings of the 1st Berkeley Symposium, 1949; one step of it from the fit). A small p-value says
that no ratings explain the results.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import erfc, exp, pi, sqrt
from typing import NamedTuple

import numpy as np

from nimtui.arena.rating import logistic
from nimtui.arena.rating.logistic import Floats, Logistic, rank

LEAST_GAMES = 20  # of a cell that is tested
STEADY = 4.0  # games' worth of the model's variance added to each cell's own, which steadies small cells
WORST = 3  # misfits that are named
LEAST_PAIRINGS = 3  # before the seat's worth is compared with strength
STRANGE = 2.6  # standard errors beyond which a misfit is named: 1 in 100
LEAST_GAP = 0.005  # points per game between the observed and the expected score of a misfit, at least
DOUBTFUL = 0.005  # p-value below which the ratings do not explain the results

Places = tuple[int | None, int | None, tuple[int, ...] | None]  # a meeting's cells, its pairs if they share openings
Blocks = list[tuple[list[int], Floats]]  # the cells of each two agents, and the covariance of the cells' mean scores


class Misfit(NamedTuple):
    """The games of two agents, or an agent's self-play, that the ratings do not explain."""

    first: int
    second: int
    seat: bool  # whether it is about the first mover's score; else about the first agent's
    observed: float  # points per game
    expected: float  # by the ratings
    errors: float  # standard errors by which no ratings explain it


@dataclass(frozen=True)
class Fit:
    """The test of the whole crosstable."""

    p_value: float  # the probability of results that fit as badly or worse if the ratings are right
    freedom: int  # degrees of freedom
    worst: tuple[Misfit, ...]  # the worst first; () if the p-value is not small
    seat_by_strength: int  # 1: moving first is worth more to strong agents; −1: to weak ones; 0: neither is shown

    @property
    def doubtful(self) -> bool:
        return self.p_value < DOUBTFUL


def test(model: Logistic, x: Floats, points: Floats, squares: Floats, meetings: Sequence[Places]) -> Fit | None:
    """Return the test of the estimates x, or None if no degree of freedom is left.

    points: the first movers', [cells]; squares: each cell's games times their variance; meetings: each pairing's two
    cells, and its pairs if their games share openings.
    """
    games = model.games
    used = np.flatnonzero(games >= LEAST_GAMES)
    likely = model.expected(x[None])[0]
    jacobian = (likely * (1 - likely))[:, None] * model.design
    freedom = len(used) - rank(jacobian[used])
    if freedom < 1:
        return None
    blocks = _blocks(model, likely, squares, meetings)
    away = points / games - likely
    white = np.zeros((len(games), 1 + jacobian.shape[1]))  # V^(−1/2) of r and J, block by block
    both = np.column_stack([away, jacobian])
    for cells, block in blocks:
        tested = [at for at, cell in enumerate(cells) if games[cell] >= LEAST_GAMES]
        if tested:
            own = [cells[at] for at in tested]
            root = np.linalg.cholesky(block[np.ix_(tested, tested)])
            white[own] = np.linalg.solve(root, both[own])
    spread = np.linalg.pinv(white[:, 1:].T @ white[:, 1:], rcond=1e-12, hermitian=True)
    solution = spread @ (white[:, 1:].T @ white[:, 0])
    remaining = white[:, 0] - white[:, 1:] @ solution
    p_value = chi_squared(float(remaining @ remaining), freedom)
    worst, trend = list[Misfit](), 0
    if p_value < DOUBTFUL:
        remainder = away - jacobian @ solution  # what no ratings explain
        for cells, block in blocks:
            if all(games[cell] >= LEAST_GAMES for cell in cells):
                covariance = block - jacobian[cells] @ spread @ jacobian[cells].T
                worst += _misfits(model, cells, remainder, points / games, likely, covariance)
        trend = _trend(model, x, blocks, remainder, jacobian, spread)
    worst.sort(key=lambda misfit: -abs(misfit.errors))
    return Fit(p_value, freedom, tuple(worst[:WORST]), trend)


def _blocks(model: Logistic, likely: Floats, squares: Floats, meetings: Sequence[Places]) -> Blocks:
    """Return the cells of each two agents, over all their meetings, and the covariance of the cells' mean scores."""
    games, spread = model.games, likely * (1 - likely)
    share = min(1.0, float(squares.sum() / (games * spread).sum())) or 1.0  # draws scatter less; 0: no cell scatters
    variance = (squares + STEADY * share * spread) / (games + STEADY)
    cells: dict[tuple[int, int], list[int]] = {}
    between: dict[tuple[int, int], float] = {}
    for one, other, pairs in meetings:
        own = [cell for cell in (one, other) if cell is not None]
        for cell in own:
            two = int(model.first[cell]), int(model.second[cell])
            cells.setdefault((min(two), max(two)), []).append(cell)
        if len(own) == 2 and pairs is not None:
            shared = float(logistic.pair_covariance(np.array(pairs, float), *variance[own][:, None])[0])
            between[own[0], own[1]] = 0.99 * shared * sum(pairs) / games[own].prod()
    blocks = []
    for own in cells.values():
        block = np.diag(variance[own] / games[own])
        for (one, other), shared in between.items():
            if one in own:
                at, to = own.index(one), own.index(other)
                block[at, to] = block[to, at] = shared
        blocks.append((own, block))
    return blocks


def _both_seats(model: Logistic, cells: Sequence[int]) -> bool:
    """Return whether each of two agents moved first in some of their games."""
    return len(set(model.first[cells].tolist())) == 2


def _trend(model: Logistic, x: Floats, blocks: Blocks, away: Floats, jacobian: Floats, spread: Floats) -> int:
    """Return the sign of the link between two agents' mean strength and their first movers' surplus; 0: none shown."""
    pairs = [
        (cells, block)
        for cells, block in blocks
        if _both_seats(model, cells) and model.games[cells].min() >= LEAST_GAMES
    ]
    if len(pairs) < LEAST_PAIRINGS:
        return 0
    level = np.array([x[model.first[cells[0]]] + x[model.second[cells[0]]] for cells, _ in pairs])
    level -= level.mean()
    weights, own = np.zeros(len(away)), 0.0
    for (cells, block), height in zip(pairs, level, strict=True):
        weights[cells] = height / len(cells)
        own += height * height * float(block.sum()) / len(cells) ** 2
    along = jacobian.T @ weights
    error = sqrt(max(0.0, own - float(along @ spread @ along)))
    gap = float(weights @ away)
    return 0 if abs(gap) <= STRANGE * error or error < 1e-12 else 1 if gap > 0 else -1


def _misfits(
    model: Logistic, cells: Sequence[int], away: Floats, observed: Floats, expected: Floats, covariance: Floats
) -> list[Misfit]:
    """Return what is strange about two agents: the score of the first one, the score of their first movers.

    `observed` and `expected` are scores per game of all cells, the latter as the ratings say.
    """
    first, second = int(model.first[cells[0]]), int(model.second[cells[0]])
    share = model.games[cells] / model.games[cells].sum()
    sign = np.where(model.first[cells] == first, 1.0, -1.0)
    kinds = []  # weights of the cells, and what to add
    if first != second:
        kinds.append((share * sign, float(share[sign < 0].sum()), False))
    if first == second or _both_seats(model, cells):
        kinds.append((share, 0.0, True))
    misfits = []
    for weights, rest, seat in kinds:
        error = sqrt(max(0.0, float(weights @ covariance @ weights)))
        gap = float(weights @ away[cells])
        if error < 1e-9 or abs(gap) < STRANGE * error:
            continue
        scored, predicted = (float(weights @ scores[cells]) + rest for scores in (observed, expected))
        if (scored - predicted) * np.sign(gap) > LEAST_GAP:
            misfits.append(Misfit(first, second, seat, scored, predicted, gap / error))
    return misfits


def chi_squared(value: float, freedom: int) -> float:
    """Return the probability that a χ² number with so many degrees of freedom exceeds the value.

    The finite sums of M. Abramowitz and I. Stegun, "Handbook of Mathematical Functions", 26.4.4 and 26.4.5.
    """
    if value <= 0:
        return 1.0
    half = value / 2
    if freedom % 2 == 0:
        term = total = exp(-half)
        for place in range(1, freedom // 2):
            term *= half / place
            total += term
        return min(1.0, total)
    total = erfc(sqrt(half))
    term = 2 * sqrt(half / pi) * exp(-half)
    for place in range(1, freedom // 2 + 1):
        total += term
        term *= half / (place + 0.5)
    return min(1.0, total)
