"""The learners and the measures of tables written once more, from the sources alone and without NumPy.

Shares with the package the random numbers and nothing else. Nim positions are tuples of row sizes,
moves are (row, count), as in the original's own dictionaries.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import cache

from nimtui.engine.rng import Stream

Piles = tuple[int, ...]
Take = tuple[int, int]
Stat = dict[Piles, dict[Take, float]]
Made = list[tuple[Piles, Take]]  # a player's moves, or both players' in order
Visits = Counter[tuple[Piles, Take]]

LOW = (1 << 30) - 1


def takes(piles: Piles, limit: int = 255) -> list[Take]:
    return [(r, n) for r, pile in enumerate(piles) for n in range(1, min(pile, limit) + 1)]


def after(piles: Piles, take: Take) -> Piles:
    row, count = take
    return (*piles[:row], piles[row] - count, *piles[row + 1 :])


def signs(made: Made, last_won: bool) -> list[int]:
    """Whether the player of each move won, 1 or −1."""
    return [1 if (back % 2 == 0) == last_won else -1 for back in range(len(made) - 1, -1, -1)]


# What one game teaches: the moves in order, and whether the last mover won.


def reward(stat: Stat, visits: Visits, made: Made, last_won: bool, win: int = 1, loss: int = 1) -> None:
    """Source: the algorithm of the tower of 16."""
    for (piles, take), sign in zip(made, signs(made, last_won), strict=True):
        stat[piles][take] += win if sign > 0 else -loss


def quality(
    stat: Stat, visits: Visits, made: Made, last_won: bool, win: int = 29, loss: int = 11, sure: int = 1_000
) -> None:
    """Source: the text of the quality learner; no quality rises that is 100 or more, none falls that is 0 or less."""
    for back, ((piles, take), sign) in enumerate(zip(made[::-1], signs(made, last_won)[::-1], strict=True)):
        score = stat[piles][take]
        if back < 2:
            stat[piles][take] = sure * sign
        elif sign > 0 and score < 100:
            stat[piles][take] = min(100, score + win)
        elif sign < 0 and score > 0:
            stat[piles][take] = max(0, score - loss)


def q(stat: Stat, visits: Visits, made: Made, last_won: bool, alpha: float = 0.5) -> None:
    """Source: Watkins 1989, q += alpha × (worth − q), the worth of a move being minus the opponent's best q."""
    for piles, take in reversed(made):
        left = after(piles, take)
        worth = -max(stat[left].values()) if any(left) else (1.0 if last_won else -1.0)
        stat[piles][take] += alpha * (worth - stat[piles][take])


def average(stat: Stat, visits: Visits, made: Made, last_won: bool) -> None:
    """Source: Sutton and Barto 2018, 5.4, as a running mean."""
    for (piles, take), sign in reversed(list(zip(made, signs(made, last_won), strict=True))):
        stat[piles][take] += (sign - stat[piles][take]) / visits[piles, take]


def proof(stat: Stat, visits: Visits, made: Made, last_won: bool) -> None:
    """A quality that is sure of a move as soon as all replies are."""
    for (piles, take), sign in zip(made[::-1], signs(made, last_won)[::-1], strict=True):
        score, left = stat[piles][take], after(piles, take)
        replies = list(stat[left].values()) if any(left) else []
        if abs(score) != SURE:
            stat[piles][take] = max(0, min(1_000, score + (29 if sign > 0 else -11)))
        if not replies:
            stat[piles][take] = SURE * sign
        elif SURE in replies:
            stat[piles][take] = -SURE
        elif set(replies) == {-SURE}:
            stat[piles][take] = SURE


Rule = Callable[[Stat, Visits, Made, bool], None]
RULES: dict[str, Rule] = {"reward": reward, "quality": quality, "q": q, "average": average, "proof": proof}
FRESH = {"quality": 50, "proof": 500}
SURE = 10_000


# How a move is chosen in training.


def row_then_count(scores: dict[Take, float], stream: Stream) -> Take:
    """The first best move if its score is above 0, else a row by the low bits and a number by the high ones."""
    best = max(scores, key=lambda take: scores[take])
    if scores[best] > 0:
        return best
    bits, rows = stream.bits60(), sorted({row for row, _ in scores})
    row = rows[((bits & LOW) * len(rows)) >> 30]
    return row, 1 + (((bits >> 30) * sum(row == other for other, _ in scores)) >> 30)


def uniform_move(scores: dict[Take, float], stream: Stream) -> Take:
    best = max(scores, key=lambda take: scores[take])
    return best if scores[best] > 0 else stream.choose(list(scores))


def within(margin: int) -> Callable[[dict[Take, float], Stream], Take]:
    """Any move that is better than the best one less the margin."""
    return lambda scores, stream: stream.choose(
        [take for take in scores if scores[take] > max(scores.values()) - margin]
    )


def exploring(epsilon: float) -> Callable[[dict[Take, float], Stream], Take]:
    """One of the best, or now and then any."""

    def choose(scores: dict[Take, float], stream: Stream) -> Take:
        if stream.share() < epsilon:
            return stream.choose(list(scores))
        return stream.choose([take for take in scores if scores[take] == max(scores.values())])

    return choose


def self_play(
    start: Piles,
    games: int,
    seed: int,
    choose: Callable[[dict[Take, float], Stream], Take],
    rule: Rule,
    fresh: float = 0,
    limit: int = 255,
    misere: bool = False,
) -> tuple[Stat, Visits]:
    """Games of one table against itself."""
    stat: Stat = {}
    visits: Visits = Counter()
    stream = Stream(seed)
    for _ in range(games):
        piles, made = start, []
        while any(piles):
            scores = stat.setdefault(piles, dict.fromkeys(takes(piles, limit), fresh))
            made.append((piles, choose(scores, stream)))
            piles = after(piles, made[-1][1])
        visits.update(made)
        rule(stat, visits, made, not misere)
    return stat, visits


@cache
def mover_wins(piles: Piles, misere: bool = False) -> bool:
    """Who wins, by looking at everything."""
    if not any(piles):
        return misere
    return any(not mover_wins(after(piles, take), misere) for take in takes(piles))
