"""Tables: what they say, how they learn from one game, how they are kept."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nimtui.errors import InputError
from nimtui.games import Record, base, parse_game
from nimtui.learning import opponents
from nimtui.learning.table import Change, Table, load_run
from nimtui.store import StoreError, arrays
from tests.learning.helpers import random_record, same_tables


@pytest.fixture
def table() -> Table:
    return opponents.train_interpreted(parse_game("nim:1,3,5,7"), "reward", 500, 3)


def test_a_position_never_seen_scores_nought_everywhere() -> None:
    game = parse_game("nim:1,3,5,7")
    empty = Table.empty(game, "reward")
    assert empty.scores(game.new()) == dict.fromkeys(range(16), 0)
    assert empty.visits_of(game.new("0,0,0,2")) == {9: 0, 10: 0}
    assert empty.best_moves(game.new("0,0,0,2")) == (9, 10)
    assert list(empty.rows()) == []
    assert empty.scores(game.new("0,0,0,0")) == {} and empty.best_moves(game.new("0,0,0,0")) == ()


def test_scores_are_those_of_the_legal_moves_in_order(table: Table) -> None:
    for state, scores, _ in table.rows():
        assert list(scores) == base.legal_moves(state)
        assert table.scores(state) == scores
        most = max(scores.values())
        assert table.best_moves(state) == tuple(m for m in scores if scores[m] == most)
        assert all(type(score) is int for score in scores.values())
    numbers = [int(base.index(row.state)) for row in table.rows()]
    assert numbers == sorted(numbers) and len(set(numbers)) == len(numbers)


@pytest.mark.parametrize("name", ["nim:1,3,5", "connect:3x3x3"])
@given(seed=st.integers(0, 10**6), games=st.integers(0, 5))
@settings(max_examples=6, deadline=None)
def test_learning_from_a_game_is_what_the_learner_itself_does(name: str, seed: int, games: int) -> None:
    game = parse_game(name)
    table = opponents.train_interpreted(game, "reward:win=2,loss=3", games, seed)
    before = table.copy()
    record = random_record(game, seed)
    changes = table.learn(record)
    assert table.games == before.games + 1
    expected = {}
    for ply, move in enumerate(record.moves):
        state = record.state_at(ply)
        old = before.scores(state)[move]
        if record.winner is not None:
            new = old + (2 if ply % 2 == record.winner else -3)
            expected[game.position_name(state), move] = old, new
        assert table.scores(state)[move] == (old if record.winner is None else new)
    told = {(c.position_name, c.move): (c.before, c.after) for c in changes}
    assert told == expected
    assert [c.move for c in changes] == (record.moves if record.winner is not None else [])
    for state, scores, _ in before.rows():  # no other cell has changed
        name_here = game.position_name(state)
        for move, score in scores.items():
            if (name_here, move) not in expected:
                assert table.scores(state)[move] == score


def test_a_game_from_another_start_teaches_too(table: Table) -> None:
    record = Record(table.game, "0,0,0,2")
    record.push(table.game.parse_move("d2", record.state))
    (change,) = table.learn(record)
    assert (change.position_name, change.move) == ("0,0,0,2", 10)
    assert change.after == change.before + 1


def test_only_finished_games_of_the_same_game_are_learned_from(table: Table) -> None:
    record = Record(table.game)
    record.push(0)
    with pytest.raises(InputError, match="unfinished game"):
        table.learn(record)
    with pytest.raises(InputError, match="cannot learn from nim:7,5,3"):
        table.learn(random_record(parse_game("nim:7,5,3"), 1))
    assert table.games == 500


@pytest.mark.parametrize("name", ["adjacent:1,3,5:misere", "connect4"])
def test_a_table_comes_back_from_its_file(tmp_path: Path, name: str) -> None:
    table = opponents.train_interpreted(parse_game(name), "reward:win=500", 60, 9)
    table.save(tmp_path / "t.npz")
    found = Table.load(tmp_path / "t.npz")
    assert same_tables(found, table)
    assert (found.game, found.seed, found.games) == (table.game, 9, 60)
    assert load_run(tmp_path / "t.npz")[1] is None
    record = random_record(table.game, 4)
    assert found.learn(record) == table.learn(record)
    assert same_tables(found, table)


def test_copies_do_not_change_with_the_table(table: Table) -> None:
    copied, before = table.copy(), table.cells.copy()
    table.learn(random_record(table.game, 8))
    assert np.array_equal(copied.cells, before) and copied.games == 500


def test_a_table_that_was_saved_empty_learns_any_move(tmp_path: Path) -> None:
    game = parse_game("nim:255")
    Table.empty(game, "reward").save(tmp_path / "t.npz")
    found, record = Table.load(tmp_path / "t.npz"), Record(game)
    record.push(254)
    assert found.learn(record) == [Change("255", 254, 0, 1)]
    assert found.best_moves(game.new()) == (254,)


def test_a_table_at_its_limit_learns_nothing_more(table: Table) -> None:
    record = random_record(table.game, 4)
    before, table.games = table.cells.copy(), 2**31 - 1
    with pytest.raises(InputError, match="could exceed"):
        table.learn(record)
    assert np.array_equal(table.cells, before)


GOOD = {"kind": "table", "game": "nim:3", "learner": "reward", "seed": 0, "games": 1, "run": None}


def small() -> dict[str, np.ndarray]:
    return {
        "numbers": np.array([1, 2, 3]),
        "boards": np.array([[1, 1, 1], [2, 2, 2], [3, 3, 3]]),
        "ptr": np.array([0, 1, 3, 6]),
        "moves": np.array([0, 0, 1, 0, 1, 2]),
        "scores": np.array([5, 0, 0, -1, 2, 0], np.int32),
        "visits": np.array([5, 0, 0, 1, 2, 0], np.int8),
        "marks": np.zeros(0, np.int8),
    }


def test_a_file_that_holds_no_table_of_the_game_is_refused_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / "t.npz"
    arrays.save(path, GOOD, small())
    assert Table.load(path).scores(parse_game("nim:3").new("2")) == {0: 0, 1: 0}
    changes: list[tuple[str, dict[str, object]]] = [
        ("holds no strategy table", {"kind": "curve"}),
        ("unknown game", {"game": "chess"}),
        ("unknown learner", {"learner": "guess"}),
        *(("lacks parts", changed) for changed in ({"game": 3}, {"seed": None}, {"games": float("inf")})),
        *(("does not fit", {"game": name}) for name in ("nim:2", "nim:1,3")),
        *(("does not fit", {"scores": scores}) for scores in (np.zeros(5, np.int32), np.zeros(6))),
        ("does not fit", {"ptr": np.array([0, 1, 1, 6])}),
        ("does not fit", {"numbers": np.array([1, 3, 2])}),
        ("does not fit", {"boards": np.zeros((3, 4), np.int64)}),
        ("does not fit", {"moves": np.array([0, 0, 1, 0, 1, 7])}),
    ]
    for said, change in changes:
        parts = {name: value for name, value in change.items() if isinstance(value, np.ndarray)}
        arrays.save(path, GOOD | {name: value for name, value in change.items() if name not in parts}, small() | parts)
        before = path.read_bytes()
        with pytest.raises(StoreError, match=said) as fault:
            Table.load(path)
        assert "\n" not in str(fault.value) and str(path) in str(fault.value) and path.read_bytes() == before


def test_a_file_that_lacks_an_array_is_refused(tmp_path: Path) -> None:
    kept = small()
    del kept["moves"]
    arrays.save(tmp_path / "t.npz", GOOD, kept)
    with pytest.raises(StoreError, match="lacks parts"):
        Table.load(tmp_path / "t.npz")
