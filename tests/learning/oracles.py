"""The reward learner and its measures written once more, from the rules alone and without NumPy.

Shares with the package the random numbers and nothing else. Nim positions are tuples of row sizes,
moves are (row, count), as in the original's own dictionaries.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from nimtui.engine.rng import Stream

Piles = tuple[int, ...]
Take = tuple[int, int]
Stat = dict[Piles, dict[Take, int]]

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
    """Source: the algorithm of original 000, with its random numbers drawn from our generator."""
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
