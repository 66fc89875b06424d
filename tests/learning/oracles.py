"""The learners and the measures of tables written once more, from the sources alone and without NumPy.

Shares with the package the random numbers and nothing else. Nim positions are tuples of row sizes,
moves are (row, count), as in the original's own dictionaries.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache

from nimtui.engine.rng import Stream

Piles = tuple[int, ...]
Take = tuple[int, int]
Stat = dict[Piles, dict[Take, int]]
Made = list[tuple[Piles, Take]]  # a player's moves, or both players' in order
Visits = Counter[tuple[Piles, Take]]

LOW = (1 << 30) - 1


def takes(piles: Piles, limit: int = 255) -> list[Take]:
    return [(r, n) for r, pile in enumerate(piles) for n in range(1, min(pile, limit) + 1)]


def after(piles: Piles, take: Take) -> Piles:
    row, count = take
    return (*piles[:row], piles[row] - count, *piles[row + 1 :])


def reward(
    start: Sequence[int],
    games: int,
    seed: int,
    *,
    limit: int = 255,
    misere: bool = False,
    row_first: bool = True,
    win: int = 1,
    loss: int = 1,
) -> Stat:
    """Source: the algorithm of the tower of 16, with its random numbers drawn from our generator."""
    stat: Stat = {}
    stream = Stream(seed)
    for _ in range(games):
        piles = tuple(start)
        players: tuple[list[tuple[Piles, Take]], ...] = ([], [])
        turn = 0
        while any(piles):
            scores = stat.setdefault(piles, dict.fromkeys(takes(piles, limit), 0))
            take = max(scores, key=lambda take: scores[take])  # the first of equals
            if scores[take] <= 0 and row_first:
                bits = stream.bits60()
                rows = [row for row, pile in enumerate(piles) if pile]
                row = rows[((bits & LOW) * len(rows)) >> 30]
                take = row, 1 + (((bits >> 30) * min(piles[row], limit)) >> 30)
            elif scores[take] <= 0:
                take = stream.choose(takes(piles, limit))
            players[turn].append((piles, take))
            piles = after(piles, take)
            turn = 1 - turn
        winner = turn if misere else 1 - turn
        for piles, take in players[winner]:
            stat[piles][take] += win
        for piles, take in players[1 - winner]:
            stat[piles][take] -= loss
    return stat


def self_play(
    start: Sequence[int],
    games: int,
    seed: int,
    fresh: float,
    choose: Callable[[dict[Take, float], Stream], Take],
    learn: Callable[[Stat, Made, bool, Visits], None],
    limit: int = 255,
    misere: bool = False,
) -> tuple[Stat, Visits]:
    """Games of one table against itself; `learn` is told the moves in order and whether the last mover has won."""
    stat: Stat = {}
    visits: Visits = Counter()
    stream = Stream(seed)
    for _ in range(games):
        piles, made = tuple(start), []
        while any(piles):
            scores = stat.setdefault(piles, dict.fromkeys(takes(piles, limit), fresh))
            take = choose(scores, stream)
            made.append((piles, take))
            piles = after(piles, take)
        visits.update(made)
        learn(stat, made, not misere, visits)
    return stat, visits


def quality(
    start: Sequence[int],
    games: int,
    seed: int,
    *,
    limit: int = 255,
    misere: bool = False,
    margin: int = 90,
    win: int = 29,
    loss: int = 11,
    sure: int = 1000,
) -> tuple[Stat, Visits]:
    """Source: the text of the quality learner; no quality rises that is 100 or more, none falls that is 0 or less."""

    def choose(scores: dict[Take, float], stream: Stream) -> Take:
        most = max(scores.values())
        return stream.choose([take for take in scores if scores[take] > most - margin])

    def learn(stat: Stat, made: Made, last_mover_won: bool, visits: Visits) -> None:
        lasts, others = made[::-2], made[-2::-2]
        winners, losers = (lasts, others) if last_mover_won else (others, lasts)
        for piles, take in winners:
            if stat[piles][take] < 100:
                stat[piles][take] = min(100, stat[piles][take] + win)
        for piles, take in losers:
            if stat[piles][take] > 0:
                stat[piles][take] = max(0, stat[piles][take] - loss)
        for moves, mark in ((winners, sure), (losers, -sure)):
            for piles, take in moves[:1]:  # the last one; a game of one move has no other
                stat[piles][take] = mark

    return self_play(start, games, seed, 50, choose, learn, limit, misere)


def exploring(epsilon: float) -> Callable[[dict[Take, float], Stream], Take]:
    """One of the best, or now and then any."""

    def choose(scores: dict[Take, float], stream: Stream) -> Take:
        if stream.share() < epsilon:
            return stream.choose(list(scores))
        most = max(scores.values())
        return stream.choose([take for take in scores if scores[take] == most])

    return choose


def q(
    start: Sequence[int],
    games: int,
    seed: int,
    *,
    limit: int = 255,
    misere: bool = False,
    alpha: float = 0.5,
    epsilon: float = 0.2,
) -> tuple[Stat, Visits]:
    """Source: Watkins 1989, q += alpha × (worth − q), the worth of a move being minus the opponent's best q."""

    def learn(stat: Stat, made: Made, last_mover_won: bool, visits: Visits) -> None:
        for piles, take in reversed(made):
            left = after(piles, take)
            result = 1.0 if last_mover_won else -1.0
            worth = -max(stat[left].values()) if any(left) else result
            stat[piles][take] += alpha * (worth - stat[piles][take])

    return self_play(start, games, seed, 0.0, exploring(epsilon), learn, limit, misere)


def average(
    start: Sequence[int],
    games: int,
    seed: int,
    *,
    limit: int = 255,
    misere: bool = False,
    epsilon: float = 0.2,
) -> tuple[Stat, Visits, dict[tuple[Piles, Take], list[float]]]:
    """Source: Sutton and Barto 2018, 5.4, as a running mean; the results of which it is the mean besides."""
    results: dict[tuple[Piles, Take], list[float]] = {}

    def learn(stat: Stat, made: Made, last_mover_won: bool, visits: Visits) -> None:
        for back, (piles, take) in enumerate(reversed(made)):
            result = 1.0 if (back % 2 == 0) == last_mover_won else -1.0
            results.setdefault((piles, take), []).append(result)
            stat[piles][take] += (result - stat[piles][take]) / visits[piles, take]

    return (*self_play(start, games, seed, 0.0, exploring(epsilon), learn, limit, misere), results)


@cache
def mover_wins(piles: Piles, limit: int = 255, misere: bool = False) -> bool:
    """Who wins, by looking at everything."""
    if not any(piles):
        return misere
    return any(not mover_wins(after(piles, take), limit, misere) for take in takes(piles, limit))


def keeping(piles: Piles, limit: int = 255, misere: bool = False) -> list[Take]:
    """The moves that keep the outcome: the winning ones, all where there is none."""
    winning = [take for take in takes(piles, limit) if not mover_wins(after(piles, take), limit, misere)]
    return winning or takes(piles, limit)


def best(stat: Stat, piles: Piles, limit: int = 255) -> list[Take]:
    """The moves of the highest score; all where nothing is known."""
    scores = stat.get(piles) or dict.fromkeys(takes(piles, limit), 0)
    return [take for take in scores if scores[take] == max(scores.values())]


def reachable(start: Piles, limit: int = 255) -> list[Piles]:
    """Every position with a match left."""
    found = {start}
    todo = [start]
    while todo:
        piles = todo.pop()
        for take in takes(piles, limit):
            if any(after(piles, take)) and after(piles, take) not in found:
                found.add(after(piles, take))
                todo.append(after(piles, take))
    return sorted(found)


def accuracy(stat: Stat, start: Piles, limit: int = 255, misere: bool = False) -> float:
    """As the design defines it."""
    shares = []
    for piles in reachable(start, limit):
        if mover_wins(piles, limit, misere):
            good = set(keeping(piles, limit, misere))
            tied = best(stat, piles, limit)
            shares.append(sum(take in good for take in tied) / len(tied))
    return sum(shares) / len(shares)


def wins(stat: Stat, start: Piles, second: bool, limit: int = 255, misere: bool = False) -> float:
    """How probably the table's player wins against a perfect one."""

    @cache
    def chance(piles: Piles, perfect_to_move: bool) -> float:
        if not any(piles):
            mine = perfect_to_move != misere  # the last mover was the table's player
            return 1.0 if mine else 0.0
        moves = keeping(piles, limit, misere) if perfect_to_move else best(stat, piles, limit)
        return sum(chance(after(piles, take), not perfect_to_move) for take in moves) / len(moves)

    return chance(start, second)
