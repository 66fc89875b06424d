"""What several tests of learning share."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np

from nimtui.games import Game, Record, base
from nimtui.learning import parse_learner
from nimtui.learning.learner import fresh
from nimtui.learning.table import Table
from tests.learning.oracles import Piles, Stat, Visits


def stat_of(table: Table) -> Stat:
    """A heap game's table as the original would have written it."""
    stat: Stat = {}
    for state, scores, _ in table.rows():
        piles: Piles = tuple(int(part) for part in table.game.position_name(state).split(","))
        stat[piles] = {
            (ord(name[0]) - ord("a"), int(name[1:])): score
            for name, score in ((table.game.move_name(move), scores[move]) for move in scores)
        }
    return stat


def visits_of(table: Table) -> Visits:
    """How often each move of a heap game was played, as the oracles count it."""
    found: Visits = Counter()
    for state, _, visits in table.rows():
        piles: Piles = tuple(int(part) for part in table.game.position_name(state).split(","))
        for move, times in visits.items():
            name = table.game.move_name(move)
            found[piles, (ord(name[0]) - ord("a"), int(name[1:]))] = times
    return +found


def same_tables(one: Table, other: Table) -> bool:
    """Cell by cell, visit by visit, mark by mark; a position without a row is as before any game."""
    mine, theirs = ({int(base.index(row.state)): row[1:] for row in table.rows()} for table in (one, other))
    alike = all(mine[number] == theirs[number] for number in mine.keys() & theirs.keys())
    usual = fresh(parse_learner(one.learner))
    alone = [mine.get(number) or theirs[number] for number in mine.keys() ^ theirs.keys()]
    untouched = all(set(scores.values()) == {usual} and not any(visits.values()) for scores, visits in alone)
    marked = sorted(one.marks[one.marks != 0]) == sorted(other.marks[other.marks != 0])
    types = one.cells.dtype == other.cells.dtype and one.visits.sum() == other.visits.sum()
    return alike and untouched and marked and types and (one.games, one.learner) == (other.games, other.learner)


def random_record(game: Game, seed: int) -> Record:
    """A finished game of random moves."""
    chance = random.Random(seed)
    record = Record(game)
    while not record.over:
        record.push(chance.choice(base.legal_moves(record.state)))
    return record


def bits(array: np.ndarray) -> bytes:
    return np.ascontiguousarray(array).tobytes()
