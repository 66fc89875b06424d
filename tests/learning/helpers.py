"""What several tests of learning share."""

from __future__ import annotations

import random

import numpy as np

from nimtui.games import Game, Record, base
from nimtui.learning.table import Table
from tests.learning.oracles import Piles, Stat

GAMES = (
    ("nim:1,3,5,7", 1_500),
    ("nim:7,5,3:misere", 800),
    ("nim:9,9:max=3", 800),
    ("subtraction:21,3:misere", 800),
    ("adjacent:1,3,5", 800),
    ("kayles:4,3:misere", 500),
    ("connect4:4x4", 400),
    ("connect:3x3x3", 600),
)


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


def same_tables(one: Table, other: Table) -> bool:
    """Cell by cell; a position without a row has zeros."""
    mine = {int(base.index(row.state)): row.scores for row in one.rows()}
    theirs = {int(base.index(row.state)): row.scores for row in other.rows()}
    alike = all(mine[number] == theirs[number] for number in mine.keys() & theirs.keys())
    alone = [*(mine.keys() - theirs.keys()), *(theirs.keys() - mine.keys())]
    empty = all(not any((mine.get(number) or theirs[number]).values()) for number in alone)
    return alike and empty and one.games == other.games and one.learner == other.learner


def random_record(game: Game, seed: int) -> Record:
    """A finished game of random moves."""
    chance = random.Random(seed)
    record = Record(game)
    while not record.over:
        record.push(chance.choice(base.legal_moves(record.state)))
    return record


def bits(array: np.ndarray) -> bytes:
    return np.ascontiguousarray(array).tobytes()
