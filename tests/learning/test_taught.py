"""Tables that a person taught: versions, files, names, and two that teach at once."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from nimtui.agents import agent_choices, parse_agent
from nimtui.errors import InputError
from nimtui.games import Game, Record, parse_game
from nimtui.learning import opponents, report, saved_tables, taught
from nimtui.learning.table import Table
from nimtui.learning.taught import Lesson
from nimtui.store import StoreError, arrays, paths
from tests.learning.helpers import random_record, same_tables

GAME = parse_game("nim:1,3,5,7")


def lesson(seed: int, game: str = "nim:1,3,5,7") -> Lesson:
    return Lesson.of(random_record(parse_game(game), seed), None, ("me", "easy"), 1_700_000_000.0 + seed)


def base(learner: str = "reward") -> Table:
    return opponents.train_interpreted(GAME, learner, 10, 1)


def place(name: str = "mine") -> Path:
    return saved_tables.new_place(name)


@pytest.mark.parametrize("learner", ["average", "proof"])
def test_every_version_is_the_table_after_so_many_lessons(learner: str) -> None:
    table = base(learner)
    for seed in range(3):
        taught.keep(place(), "easy", table, [lesson(seed)])
    for version in range(4):
        assert same_tables(saved_tables.load(f"mine@{version}").table, table)
        if version < 3:
            table = table.copy()
            table.learn(random_record(GAME, version))
    assert saved_tables.load("mine").version == 3 and saved_tables.load("mine").newest


def test_a_lost_game_takes_one_from_the_loser_s_move() -> None:
    game = parse_game("nim:1,1")
    record = Record(game)
    for move in (0, 1):
        record.push(move)
    given = Lesson.of(record, None, ("me", "easy"), 0.0)
    before = opponents.train_interpreted(game, "reward", 10, 1)
    learned, changes = taught.after(before, given)
    [lost] = [change for change in changes if change.position_name == "1,1"]
    assert (lost.move, lost.after - lost.before) == (0, -1)
    assert before.games == 10 and learned.games == 11  # the table before is as it was


def test_a_file_of_lessons_is_a_table_for_all_that_reads_tables() -> None:
    kept = taught.keep(place(), "easy", base(), [lesson(1), lesson(2)])
    assert same_tables(Table.load(place()), kept.newest)
    found = saved_tables.load("mine")
    assert found.taught is not None and found.taught.origin == "easy"
    assert found.taught.lessons == (lesson(1), lesson(2))


def test_changed_positions_are_those_with_other_best_moves() -> None:
    before = base()
    for seed in range(6):
        given = lesson(seed)
        learned, _ = taught.after(before, given)
        states = [row.state for row in learned.rows()]
        differ = {GAME.position_name(one) for one in states if before.best_moves(one) != learned.best_moves(one)}
        assert set(taught.changed_positions(before, learned, given)) == differ


def test_the_moves_of_a_lesson_are_named_where_they_were_played(monkeypatch: pytest.MonkeyPatch) -> None:
    found, record = taught.keep(place(), "easy", base(), [lesson(1)]), lesson(1).record(GAME)
    monkeypatch.setattr(Game, "move_name", lambda game, move, state: f"{move} at {game.position_name(state)}")
    names = [f"{move} at {GAME.position_name(record.state_at(ply))}" for ply, move in enumerate(record.moves)]
    assert [version.moves for version in report.versions(found)] == [(), tuple(names)]


def test_threads_that_teach_at_once_lose_no_lesson_not_even_the_first() -> None:
    table = base()

    def teach(seeds: range) -> None:
        for seed in seeds:
            taught.keep(place(), "easy", table, [lesson(seed)])

    threads = [threading.Thread(target=teach, args=(range(at, at + 2),)) for at in (0, 2, 4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    found = saved_tables.load("mine").taught
    assert found is not None and sorted(each.when for each in found.lessons) == [lesson(at).when for at in range(6)]
    assert len(list(found.versions())) == 7


def test_another_table_is_never_overwritten() -> None:
    paths.ensure(paths.tables())
    base().save(place("plain"))
    content = place("plain").read_bytes()
    with pytest.raises(StoreError, match="plain is another table"):
        taught.keep(place("plain"), "easy", base(), [lesson(1)])
    assert place("plain").read_bytes() == content
    taught.keep(place(), "easy", base(), [lesson(1)])
    other = opponents.train_interpreted(parse_game("nim:2,2"), "reward", 10, 1)
    with pytest.raises(StoreError, match="choose another name"):
        taught.keep(place(), "easy", other, [lesson(1, "nim:2,2")])
    with pytest.raises(StoreError, match="choose another name"):
        taught.keep(place(), "easy", base("quality"), [lesson(1)])
    assert saved_tables.load("mine").version == 1


def test_a_failed_write_leaves_the_file_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    taught.keep(place(), "easy", base(), [lesson(1)])
    content = place().read_bytes()

    def full(*args: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("nimtui.store.files.os.fsync", full)
    with pytest.raises(StoreError, match="no space left on device"):
        taught.keep(place(), "easy", base(), [lesson(2)])
    assert place().read_bytes() == content
    assert [path.name for path in paths.tables().iterdir()] == ["mine.npz"]


def test_names_that_are_none_are_told_what_there_is() -> None:
    for text, line in (("mine", "no table that you taught"), ("mine@2", "no table that you taught")):
        with pytest.raises(InputError, match=line):
            saved_tables.load(text)
    taught.keep(place(), "easy", base(), [lesson(1)])
    for text, line in (
        ("mien", r"unknown table 'mien' \(did you mean mine\?\)\. Tables: mine"),
        ("mine@2", "mine: there is no version 2: versions are 0 to 1"),
        ("nowhere/mine", "there is no file"),
        ("mine2.npz", "there is no file"),
    ):
        with pytest.raises(InputError, match=line):
            saved_tables.load(text)
    base().save(place("plain"))
    with pytest.raises(InputError, match="plain has no versions"):
        saved_tables.load("plain@0")
    for name in ("", "a/b", ".x", "mine@1"):
        with pytest.raises(InputError, match="invalid"):
            saved_tables.new_place(name)


def test_a_taught_table_plays_in_each_version_and_its_name_names_the_version() -> None:
    taught.keep(place(), "easy", base(), [lesson(1), lesson(2)])
    newest = parse_agent("table:mine", GAME)
    assert newest.name == "table:mine@2" and newest.title == "mine@2 (12 games, 2 lessons)"
    assert parse_agent(newest.name, GAME).name == newest.name
    assert parse_agent("table:mine@0", GAME).name == "table:mine@0"
    assert parse_agent(f"table:{place()}@1", GAME).name == "table:mine@1"
    assert next(choice.agent for choice in agent_choices(GAME)) == "table:mine"
    assert "table:mine" not in [choice.agent for choice in agent_choices(parse_game("nim:2,2"))]
    with pytest.raises(InputError, match="is for nim:1,3,5,7, not for nim:2,2"):
        parse_agent("table:mine", parse_game("nim:2,2"))


def test_a_moved_file_keeps_its_versions(tmp_path: Path) -> None:
    taught.keep(place(), "easy", base(), [lesson(1)])
    there = tmp_path / "away.npz"
    place().rename(there)
    assert parse_agent(f"table:{there}@0", GAME).name == f"table:{there}@0"
    assert saved_tables.names(f"{there}@0", there) and not saved_tables.names("away@0", there)


def test_lessons_that_lead_elsewhere_are_told() -> None:
    kept = taught.keep(place(), "easy", base(), [lesson(1), lesson(2)])
    header, found = arrays.load(place())
    arrays.save(place(), header, {**found, "scores": found["scores"] + 1})
    with pytest.raises(StoreError, match="mine: its lessons lead to another table"):
        saved_tables.load("mine@1")
    assert same_tables(saved_tables.load("mine@0").table, kept.base)


@pytest.mark.parametrize(
    "about",
    [
        {},
        [],
        {"format": 2, "lessons": []},
        {"format": 1, "origin": "easy", "games": "x", "lessons": []},
        {"format": 1, "origin": "easy", "games": 10, "lessons": [{}]},
        {"format": 1, "origin": "easy", "games": 10, "lessons": [{**lesson(1).document(), "moves": ["x"]}]},
    ],
)
def test_damaged_lessons_are_one_line(about: object) -> None:
    taught.keep(place(), "easy", base(), [lesson(1)])
    header, found = arrays.load(place())
    arrays.save(place(), {**header, "taught": about}, found)
    with pytest.raises(StoreError):
        saved_tables.load("mine")
    saved_tables.taught_tables()  # a list leaves out or names it, and fails in no case


@pytest.mark.parametrize("change", [{"moves": [0]}, {"moves": [99]}, {"winner": None}, {"position": "9,9"}])
def test_impossible_lessons_are_one_line(change: dict[str, object]) -> None:
    taught.keep(place(), "easy", base(), [lesson(1)])
    header, found = arrays.load(place())
    about = {**header["taught"], "lessons": [{**lesson(1).document(), **change}, lesson(2).document()]}
    arrays.save(place(), {**header, "taught": about}, found)
    with pytest.raises(StoreError, match="its lessons cannot be learned again"):
        saved_tables.load("mine@1")
