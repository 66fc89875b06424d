"""What the Library's comparison says of two tables, tournaments and games: each figure counted again."""

from __future__ import annotations

import random
import re
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from nimtui.arena.play.entrants import labels
from nimtui.games import Record, base, parse_game
from nimtui.learning import interpreted
from nimtui.learning.learner import parse_learner
from nimtui.progress import SILENT
from nimtui.report.blocks import Sentence, Table
from nimtui.store import tournaments
from nimtui.store.database import Database
from nimtui.store.rows import GameRow
from nimtui.ui.library.compare import Compared, compare
from nimtui.ui.library.shelf import Item, Kind
from tests.arena import facts
from tests.arena.crosstables import Field
from tests.patterns import Patterns, check, real, same
from tests.theory.force import Force, is_true
from tests.theory.literal_table import Literal
from tests.ui.test_library_detail_sentences import keep, random_field, share_is, whole

COUNT = r"[\d,]+"
SHARE = r"([<>]?[\d.]+) %"


def item(kind: Kind, place: Path | int) -> Item:
    return Item(kind, place, "", "", 0.0, 0)


def rows_of(found: Compared) -> list[tuple[str, ...]]:
    """The texts of the table's rows."""
    [table] = [block for block in found.report.blocks if isinstance(block, Table)]
    return [tuple(column.value(row).text for column in table.columns) for row in table.rows]


def lines_of(found: Compared) -> tuple[str, ...]:
    return tuple(block.text for block in found.report.blocks if isinstance(block, Sentence))


# Tables.


class Two:
    """Two tables of one game."""

    def __init__(self, force: Force, one: Literal, other: Literal) -> None:
        self.force, self.tables = force, (one, other)
        self.choices = [state for state in one.states if len(base.legal_moves(state)) > 1]
        start = force.game.new()
        self.first = [one.between(other, start, True), one.between(other, start, False)]
        both = [one.between(other, state, begins) for state in one.states for begins in (True, False)]
        self.wins = sum(win for win, _ in both) / len(both)
        self.draws = sum(draw for _, draw in both) / len(both)

    def won(self, first: bool, one: bool) -> float:
        """The chance of the first or the second table to win from the start, moving first or second."""
        win, draw = self.first[0 if first == one else 1]
        return win if one else 1 - win - draw


def agree(two: Two, alike: str, positions: str, apart: str) -> None:
    one, other = two.tables
    best = [(one.best(state), other.best(state)) for state in two.choices]
    number, word = positions.split()
    assert whole(number) == len(best) and word == ("position" if len(best) == 1 else "positions")
    share_is(alike, sum(mine == theirs for mine, theirs in best) / len(best))
    share_is(apart, sum(not mine & theirs for mine, theirs in best) / len(best))


def accuracies(two: Two, *said: str) -> None:
    for share, table in zip(said, two.tables, strict=True):
        share_is(share, table.accuracy)


def from_start(two: Two, seat: str, *said: str) -> None:
    for share, one in zip(said, (True, False), strict=True):
        share_is(share, min(1.0, max(0.0, round(two.won(seat == "first", one), 12))))


def overall(two: Two, *said: str) -> None:
    for share, true in zip(said, (two.wins, 1 - two.wins - two.draws), strict=True):
        share_is(share, min(1.0, max(0.0, round(true, 12))))


def drawn(two: Two) -> None:
    """One's wins moving first, the other's moving second and the draws are all games; so are both's wins overall."""
    assert two.draws > 0
    for first in (True, False):
        draw = two.first[0 if first else 1][1]
        assert two.won(first, True) + two.won(not first, False) + draw == pytest.approx(1)


TABLES: Patterns = {
    r"Both choose the same best moves in " + SHARE + rf" of ({COUNT} positions?) with a choice; they share none in "
    + SHARE + r"\.": agree,
    r"No position has a choice\.": lambda two: same(two.choices, []),
    r"Wins first and second are exact, from the start; a table plays any of its best-scored moves\. Wins overall: the "
    r"mean over all positions, each started by both\.": lambda two: None,
    r"Draws: the rest to 100 % of one's wins first and the other's second, and of both wins overall\.": drawn,
    rf"accuracy: {SHARE} {SHARE}": accuracies,
    rf"wins (first|second): {SHARE} {SHARE}": from_start,
    rf"wins overall: {SHARE} {SHARE}": overall,
    r"file: (.+) (.+)": lambda two, *names: same(names, ("0.npz", "1.npz")),
    r"game: (.+) (.+)": lambda two, *names: same({parse_game(name) for name in names}, {two.force.game}),
    r"learner: (.+) (.+)": lambda two, *names: same(
        [parse_learner(name) for name in names], [parse_learner(table.table.learner) for table in two.tables]
    ),
    rf"games: ({COUNT}) ({COUNT})": lambda two, *numbers: same(
        [whole(number) for number in numbers], [table.table.games for table in two.tables]
    ),
    r"seed: (\d+) (\d+)": lambda two, *seeds: same([*map(int, seeds)], [table.table.seed for table in two.tables]),
}  # fmt: skip


@pytest.mark.slow
def test_every_line_about_two_tables_is_true(tmp_path: Path) -> None:
    told, places = set[str](), [tmp_path / "0.npz", tmp_path / "1.npz"]
    for name in ("nim:3,2,1", "nim:2,3:misere", "noughts:2x3x2", "connect:3x2x3", "nim:1"):
        force, made = Force(name), []
        for seed, learner in enumerate(("quality", "reward", "q")):
            made.append(
                Literal(force, interpreted.train(parse_game(name), parse_learner(learner), 9 ** (seed + 1), seed))
            )
        for pair in combinations(made, 2):
            for table, place in zip(pair, places, strict=True):
                place.unlink(missing_ok=True)
                table.table.save(place, None)
            two = Two(force, *pair)
            found = compare([item(Kind.TABLE, place) for place in places], lambda: None, SILENT)  # type: ignore[arg-type,return-value]
            assert isinstance(found, Compared)
            told |= {check(f"{label}: {one} {other}", TABLES, two) for label, one, other in rows_of(found)}
            told |= {check(text, TABLES, two) for text in lines_of(found)}
            assert any("Draws" in text for text in lines_of(found)) == (two.draws > 0 or two.first[0][1] > 0)
    assert told == set(TABLES)


def test_tables_of_different_games_say_so_and_name_their_own_accuracy(tmp_path: Path) -> None:
    for at, name in enumerate(("nim:3,2,1", "nim:3,2")):
        table = interpreted.train(parse_game(name), parse_learner("q"), 30, 1)
        run = {"rng": 0, "plies": 9, "seconds": 0.1, "curve": [[30, Literal(Force(name), table).accuracy, 0.5]]}
        table.save(tmp_path / f"{at}.npz", run if at else None)
    found = compare([item(Kind.TABLE, tmp_path / f"{at}.npz") for at in (0, 1)], lambda: None, SILENT)  # type: ignore[arg-type,return-value]
    assert isinstance(found, Compared) and lines_of(found) == ("Tables of different games share no positions.",)
    [(_, unknown, share)] = [row for row in rows_of(found) if row[0] == "accuracy"]
    share_is(share.removesuffix(" %"), Literal(Force("nim:3,2"), table).accuracy)
    assert unknown == "unknown"


# Tournaments.


def rating(fields: tuple[Field, Field], name: str, *said: str) -> None:
    """Each rating is that of its own tournament, and so is the score."""
    for field, text in zip(fields, said, strict=True):
        agents = field.plan.agents
        everybody = tuple(dict.fromkeys(one for each in order(fields) for one in each))
        agent = agents.index(everybody[labels(everybody).index(name)])
        match = re.fullmatch(r"([\d.]+ %|–)  (\?|[≥≤] \S+|\S+(?: ±\S+)?)", text)
        assert match, f"a sentence without a pattern: {text}"
        ratings, counts = field.view.standings.ratings, field.of_agents[agent]
        if counts.games:
            share_is(match[1].removesuffix(" %"), counts.points / counts.games)
        if match[2] == "?":
            assert facts.silent(field) or agent not in field.group
        elif match[2][0] in "≥≤":
            true = facts.bound(field, ratings, agent, match[2][0] == "≥")
            assert real(match[2][2:]) == pytest.approx(true, abs=0.5001)
        else:
            elo, _, half = match[2].partition(" ±")
            assert real(elo) == pytest.approx(ratings.ratings[agent].elo, abs=0.5001)
            assert real(half or "0") == pytest.approx(
                ratings.ratings[agent].high - ratings.ratings[agent].elo, abs=0.5001
            )


def order(fields: tuple[Field, Field]) -> tuple[tuple[str, ...], ...]:
    return fields[0].plan.agents, fields[1].plan.agents


def only(fields: tuple[Field, Field], which: str, names: str) -> None:
    one, other = order(fields) if which == "first" else order(fields)[::-1]
    everybody = tuple(dict.fromkeys(agent for each in order(fields) for agent in each))
    assert [everybody[labels(everybody).index(name)] for name in names.split(", ")] == [
        a for a in one if a not in other
    ]


def mean(fields: tuple[Field, Field]) -> None:
    """The ratings that are no bounds have the mean 0, if those that won or lost all are left out."""
    for field in fields:
        ratings = field.view.standings.ratings.ratings
        some = [at for at in field.group if field.of_agents[at].games not in (
            field.of_agents[at].won, field.of_agents[at].lost)] or list(field.group)  # fmt: skip
        assert not some or sum(ratings[at].elo for at in some) == pytest.approx(0, abs=1e-3)


def played(fields: tuple[Field, Field], *said: str) -> None:
    for field, number in zip(fields, said, strict=True):
        assert whole(number) == sum(1 for row in field.results for result in row if result > -2)


LINES: Patterns = {
    r"Elo with its 95 % interval\. Each tournament counts from its own mean, so compare .*\.": mean,
    r"\? is a strength that the games do not tell\.": lambda fields: None,
    r"No agent plays in both tournaments\.": lambda fields: same(set(order(fields)[0]) & set(order(fields)[1]), set()),
    r"Only in the (first|second): (.+)\.": only,
}


@pytest.mark.slow
def test_every_line_about_two_tournaments_is_true() -> None:
    told, source, db = set[str](), np.random.default_rng(8), Database()
    fields = [random_field(source) for _ in range(10)]
    ids = [keep(db, field, {}) for field in fields]
    apart = [field for field in fields if len(field.plan.agents) == 2][:1]
    for at, other in combinations(range(len(fields)), 2):
        two = fields[at], fields[other]
        found = compare([item(Kind.TOURNAMENT, ids[at]), item(Kind.TOURNAMENT, ids[other])], lambda: db, SILENT)
        assert isinstance(found, Compared)
        (_, *games), (_, *openings), (_, *numbers), *ratings = rows_of(found)
        assert [[parse_game(name) for name in text.split(", ")] for text in games] == [
            [parse_game(name) for name in field.plan.games] for field in two
        ]
        assert openings == [field.plan.openings.name for field in two]
        played(two, *numbers)
        for name, one, another in ratings:
            rating(two, name, one, another)
        assert len(ratings) == len(set(two[0].plan.agents) & set(two[1].plan.agents))
        told |= {check(text, LINES, two) for text in lines_of(found)}
        texts = [text for row in ratings for text in row[1:]]
        assert any("Elo" in text for text in lines_of(found)) == any("?" not in text for text in texts)
        assert any("? is" in text for text in lines_of(found)) == any("?" in text for text in texts)
        assert (found.pool is None) == (
            not any(result > -2 for field in two for row in field.results for result in row)
        )
    db.close()
    assert apart and told >= set(LINES) - {r"No agent plays in both tournaments\."}


def test_tournaments_without_a_common_agent_say_so_and_agents_of_one_kind_stay_apart() -> None:
    db, ids = Database(), []
    for agents in (("mc:playouts=5", "mc:playouts=50"), ("random", "mc:playouts=7")):
        document = {
            "games": ["nim:3,2"],
            "agents": list(agents),
            "pairs": "round-robin",
            "number": 2,
            "openings": "start",
        }
        kept = tournaments.begin(db, document, ["nim:3,2"], agents, [(0, 0, 1)], 2)
        kept.ended("done", 1.0)
        kept.close()
        ids.append(item(Kind.TOURNAMENT, kept.id))
    found = compare(ids, lambda: db, SILENT)
    db.close()
    assert isinstance(found, Compared) and found.pool is None
    assert lines_of(found) == (
        "No agent plays in both tournaments.", "Only in the first: mc 5, mc 50.", "Only in the second: random, mc 7."
    )  # fmt: skip


# Games.


class Games:
    """Two games of one kind, and the moves of each by name."""

    def __init__(self, records: tuple[Record, Record]) -> None:
        self.moves = [record.transcript().split() for record in records]

    @property
    def parting(self) -> int | None:
        one, other = self.moves
        for at in range(max(len(one), len(other))):
            if one[at : at + 1] != other[at : at + 1]:
                return at
        return None


def parted(games: Games, number: str, *said: str) -> None:
    assert games.parting is not None and int(number) == games.parting + 1
    for moves, name in zip(games.moves, said, strict=True):
        assert name == (moves[games.parting] if games.parting < len(moves) else "no move left")


GAMES: Patterns = {
    r"Different from move (\d+): (.+) in the first, (.+) in the second\.": parted,
    r"The same (\d+) moves?\.": lambda games, number: is_true(
        games.parting is None and int(number) == len(games.moves[0])
    ),
}


def test_every_line_about_two_games_is_true() -> None:
    told, chance, db = set[str](), random.Random(3), Database()
    for number in range(60):
        name = ("nim:3,2,1", "connect:3x2x3", "kayles:4")[number % 3]
        records, ids, openers = [], [], []
        for _ in range(2):
            record, most = Record(parse_game(name)), chance.choice([1, 2, 9])
            copies = bool(records) and chance.random() < 0.5
            while not record.over and record.ply < most:
                known = records[0].moves if copies else ()
                move = known[record.ply] if record.ply < len(known) else chance.choice(base.legal_moves(record.state))
                record.push(move)
            data = b"".join(int(move).to_bytes(2, "little") for move in record.moves)
            openers.append(chance.randrange(2))
            row = GameRow(0, openers[-1], 0, data, 0, (0, 0), (0, 0), (0, 0), "", 0.0)
            ids.append(item(Kind.GAME, tournaments.save_game(db, name, "random", "perfect", row)))
            records.append(record)
        games = Games((records[0], records[1]))
        found = compare(ids, lambda: db, SILENT)
        assert isinstance(found, Compared)
        [text] = lines_of(found)
        told.add(check(text, GAMES, games))
        first, second, *moves = rows_of(found)
        assert first == ("first", *(("random", "perfect")[opener] for opener in openers))
        assert second == ("second", *(("perfect", "random")[opener] for opener in openers))
        for at, (label, *pair) in enumerate(moves):
            assert label.removeprefix("→ ") == str(at + 1) and ("→" in label) == (games.parting == at)
            assert pair == [own[at] if at < len(own) else "–" for own in games.moves]
        assert len(moves) == max(map(len, games.moves))
        assert found.marked == (0 if games.parting is None else games.parting + 2)
    db.close()
    assert told == set(GAMES)


def test_the_populations_are_named_in_the_help() -> None:
    from nimtui.ui.library.compare_screen import CompareScreen

    text: Any = CompareScreen.HELP
    assert "accuracy is the share of best moves over all positions that are not lost" in text
