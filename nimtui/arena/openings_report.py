"""The first moves of a tournament: how often each was played, and what the player who made it scored."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from nimtui.arena.plan import Plan
from nimtui.arena.standings_report import Tenths, headings
from nimtui.arena.tally import PairingScore
from nimtui.games import parse_game
from nimtui.games.notation import plural
from nimtui.report.blocks import Block, Column, Facts, Gap, Report, Sentence, Table
from nimtui.report.document import rows_of
from nimtui.report.values import Count, Word

MOST = 10  # first moves in the report of a tournament


class FirstMove(NamedTuple):
    """A first move, and how the games that began with it ended for the player who made it."""

    game: str
    move: str
    won: int
    drawn: int
    lost: int

    @property
    def games(self) -> int:
        return self.won + self.drawn + self.lost


def openings(plan: Plan, scores: Sequence[PairingScore]) -> Report:
    """Return the report of all first moves."""
    games = plural(sum(score.played for score in scores), "finished game", "finished games")
    said = f"First moves of {games}{', chosen by the openings' if plan.openings.plies else ''}."
    return Report([*headings(plan.games), Sentence(said), Gap(), first_moves(plan, scores)])


def brief(plan: Plan, scores: Sequence[PairingScore]) -> list[Block]:
    """Return the most frequent first moves, for the report of a tournament; its document has all of them."""
    table = first_moves(plan, scores)
    facts = Facts({table.key: rows_of(table)})
    if not table.rows:
        return [facts]
    rest = sorted(table.rows, key=lambda row: -row.games)[MOST:]
    most = [row for row in table.rows if row not in rest]
    games = plural(sum(row.games for row in rest), "game", "games")
    others = f"{plural(len(rest), 'other first move', 'other first moves')}: {games}."
    return [facts, replace(table, key="", rows=most), *([Sentence(others)] if rest else []), Gap()]


def first_moves(plan: Plan, scores: Sequence[PairingScore]) -> Table:
    """Return a row for each first move that was played, the most frequent of each game first."""
    sums: defaultdict[tuple[int, int], list[int]] = defaultdict(lambda: [0, 0, 0])
    for score in scores:
        for move, result, games in score.firsts:
            sums[score.pairing.game, move][1 - result] += games
    boards = [parse_game(name) for name in plan.games]
    order = sorted(sums, key=lambda key: (key[0], -sum(sums[key]), key[1]))
    names = [(boards[at].name, boards[at].move_name(move, boards[at].start)) for at, move in order]
    rows = [FirstMove(*name, *sums[key]) for name, key in zip(names, order, strict=True)]
    drawn = any(row.drawn for row in rows)
    columns = [
        Column("first move", lambda row: Word(row.move), "move", left=True),
        Column("game" if len(boards) > 1 else None, lambda row: Word(row.game), "game", left=True),
        Column("games", lambda row: Count(row.games), "games"),
        Column("won", lambda row: Count(row.won), "wins"),
        Column("drawn" if drawn else None, lambda row: Count(row.drawn), "draws", rank=2),
        Column("lost", lambda row: Count(row.lost), "losses", rank=2),
        Column("score", lambda row: Tenths((row.won + row.drawn / 2) / row.games), "score"),
    ]
    return Table("first_moves", columns, rows)
