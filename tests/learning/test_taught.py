"""Tables that a person taught: versions, files, names, two that teach at once, and what a lesson does to all positions.

The effect is held against the rules and the verdicts written once more.
"""

from __future__ import annotations

import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from nimtui.agents import agent_choices, parse_agent
from nimtui.engine import limits
from nimtui.games import Game, parse_game
from nimtui.games.base import State
from nimtui.learning import opponents, report, sample, saved_tables, taught
from nimtui.learning.evaluate import NOTHING, RIGHT, UNDECIDED, WORDS, WRONG
from nimtui.learning.table import Table
from nimtui.learning.taught import Lesson, Preview
from nimtui.learning.training import Training
from nimtui.store import StoreError, arrays, paths
from tests.games.refusal import refusal
from tests.learning import oracles
from tests.learning.helpers import random_record, same_tables, stat_of, visits_of
from tests.learning.oracles import Made
from tests.theory.force import Force
from tests.theory.literal_table import Literal

GAME = parse_game("nim:1,3,5,7")


def lesson(seed: int, game: str = "nim:1,3,5,7", weight: int = 1) -> Lesson:
    return Lesson.of(random_record(parse_game(game), seed), None, ("me", "easy"), 1_700_000_000.0 + seed, weight)


def base(learner: str = "reward") -> Table:
    return opponents.train_interpreted(GAME, learner, 10, 1)


def place(name: str = "mine") -> Path:
    return saved_tables.new_place(name)


@pytest.mark.parametrize("learner", ["average", "proof", "reward"])
def test_every_version_is_the_table_after_so_many_lessons_which_count_by_their_weights(learner: str) -> None:
    table, tables = base(learner), [base(learner)]
    for seed, weight in ((0, 1), (1, 1), (2, 100)):
        kept = taught.keep(place(), "easy", table, [lesson(seed, weight=weight)])
        assert arrays.load(place())[0]["taught"]["format"] == (1 if weight == 1 else 2)  # older ones read format 1
        tables.append(tables[-1].copy())
        for _ in range(weight):
            tables[-1].learn(random_record(GAME, seed))
    assert [saved_tables.load(f"mine@{version}").table.games for version in range(4)] == [10, 11, 12, 112]
    for version, table in enumerate(tables):
        assert same_tables(saved_tables.load(f"mine@{version}").table, table)
    found = saved_tables.load("mine")
    assert found.version == 3 and found.newest and found.taught.origin == "easy"
    assert found.taught.lessons == (lesson(0), lesson(1), lesson(2, weight=100))
    assert same_tables(Table.load(place()), kept.newest)  # for all that reads tables


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
    told = [(each.number, each.games, each.lesson, each.moves) for each in report.versions(found)]
    assert told == [(0, found.base.games, None, ()), (1, found.base.games + 1, found.lessons[0], tuple(names))]


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
    assert sorted(each.when for each in found.lessons) == [lesson(at).when for at in range(6)]
    assert len(list(found.versions())) == 7


def test_neither_another_table_nor_a_failed_write_changes_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    paths.ensure(paths.tables())
    base().save(place("plain"))
    taught.keep(place(), "easy", base(), [lesson(1)])
    before = {path: path.read_bytes() for path in paths.tables().iterdir()}
    other = opponents.train_interpreted(parse_game("nim:2,2"), "reward", 10, 1)
    for name, table, given, said in (
        ("plain", base(), lesson(1), "plain is another table"),
        ("mine", other, lesson(1, "nim:2,2"), "choose another name"),
        ("mine", base("quality"), lesson(1), "choose another name"),
    ):
        with pytest.raises(StoreError, match=said):
            taught.keep(place(name), "easy", table, [given])
    with pytest.raises(StoreError, match=r"plain\.npz cannot be"):  # a file, no folder
        taught.keep(place("plain") / "x.npz", "easy", base(), [lesson(1)])

    def full(*args: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("nimtui.store.files.os.fsync", full)
    with pytest.raises(StoreError, match="no space left on device"):
        taught.keep(place(), "easy", base(), [lesson(2)])
    assert {path: path.read_bytes() for path in paths.tables().iterdir()} == before


def test_names_that_are_none_are_told_what_there_is() -> None:
    for text in ("mine", "mine@2"):
        assert "no table that you taught" in refusal(saved_tables.load, text)
    taught.keep(place(), "easy", base(), [lesson(1)])
    base().save(place("plain"))
    for text, line in (
        ("mien", "unknown table 'mien' (did you mean mine?). Tables: mine"),
        ("mine@2", "mine: there is no version 2: versions are 0 to 1"),
        ("nowhere/mine", "there is no file"),
        ("mine2.npz", "there is no file"),
        ("plain@0", "plain has no versions"),
    ):
        assert line in refusal(saved_tables.load, text)
    for name in ("", "a/b", ".x", "mine@1"):
        assert "invalid" in refusal(saved_tables.new_place, name)


def test_a_name_or_a_version_that_is_none_is_told_what_there_is() -> None:
    taught.keep(place(), "easy", base(), [lesson(1)])
    for text, line in (
        ("mien", "unknown table 'mien' (did you mean mine?). Tables: mine"),
        ("mine@2", "mine: there is no version 2: versions are 0 to 1"),
        ("nowhere/mine", f"there is no file {Path('nowhere/mine').absolute()}"),
    ):
        assert refusal(saved_tables.load, text) == line


def test_a_taught_table_plays_in_each_version_and_its_name_names_the_version(tmp_path: Path) -> None:
    taught.keep(place(), "easy", base(), [lesson(1), lesson(2)])
    newest = parse_agent("table:mine", GAME)
    assert newest.name == "table:mine@2" and newest.title == "mine@2 (12 games, 2 lessons)"
    assert parse_agent(newest.name, GAME).name == newest.name
    assert parse_agent("table:mine@0", GAME).name == "table:mine@0"
    assert parse_agent(f"table:{place()}@1", GAME).name == "table:mine@1"
    assert next(choice.agent for choice in agent_choices(GAME)) == "table:mine"
    other = parse_game("nim:2,2")
    assert "table:mine" not in [choice.agent for choice in agent_choices(other)]
    assert "is for nim:1,3,5,7, not for nim:2,2" in refusal(parse_agent, "table:mine", other)
    there = tmp_path / "away.npz"
    place().rename(there)
    assert parse_agent(f"table:{there}@0", GAME).name == f"table:{there}@0"
    assert saved_tables.names(f"{there}@0", there) and not saved_tables.names("away@0", there)


def test_weights_are_the_same_up_to_a_10_000th_and_a_millionth() -> None:
    def table(weight: float) -> Any:
        columns = dict.fromkeys(("numbers", "ptr", "cells", "visits", "marks"), np.zeros(1))
        return SimpleNamespace(
            games=1, function=SimpleNamespace(arrays=lambda: {"weights": np.array([weight])}), **columns
        )

    assert taught._same(table(1.00009), table(1.0)) and not taught._same(table(1.0002), table(1.0))
    assert taught._same(table(9e-7), table(0.0)) and not taught._same(table(2e-6), table(0.0))


@pytest.mark.parametrize("column", ["games", "numbers", "ptr", "cells", "visits", "marks"])
def test_a_table_is_another_if_one_part_differs(column: str) -> None:
    table = base()
    parts = {name: getattr(table, name) for name in ("games", "numbers", "ptr", "cells", "visits", "marks")}
    one, other = (SimpleNamespace(function=None, **parts) for _ in range(2))
    assert taught._same(cast("Any", one), cast("Any", other))
    setattr(other, column, 11 if column == "games" else np.append(parts[column], 1))
    assert not taught._same(cast("Any", one), cast("Any", other))


def test_lessons_that_lead_elsewhere_are_told() -> None:
    kept = taught.keep(place(), "easy", base(), [lesson(1), lesson(2)])
    header, found = arrays.load(place())
    arrays.save(place(), header, {**found, "scores": found["scores"] + 1})
    with pytest.raises(StoreError, match="mine: its lessons lead to another table"):
        saved_tables.load("mine@1")
    assert same_tables(saved_tables.load("mine@0").table, kept.base)


LESSONS = {"format": 1, "origin": "easy", "games": 10}
LACKS, AGAIN = "lacks parts of its lessons", "its lessons cannot be learned again"


@pytest.mark.parametrize(
    ("about", "said"),
    [
        ({}, ""),
        ([], ""),
        ({"format": 3, "lessons": []}, "was written by a newer nimtui: its lessons have format 3"),
        ({"format": 2, "lessons": []}, LACKS),
        ({**LESSONS, "games": "x", "lessons": []}, ""),
        ({**LESSONS, "lessons": [{}]}, ""),
        ({**LESSONS, "lessons": [{**lesson(1).document(), "moves": ["x"]}]}, ""),
        *(
            (
                {**LESSONS, "format": 2, "lessons": [{**lesson(1).document(), "weight": weight}]},
                "lacks parts of its lessons",
            )
            for weight in (0, -1, 10**12, "x", None)
        ),
        *(
            ({**LESSONS, "lessons": [{**lesson(1).document(), **change}, lesson(2).document()]}, AGAIN)
            for change in ({"moves": [0]}, {"moves": [99]}, {"winner": None}, {"position": "9,9"})
        ),
    ],
)
def test_damaged_and_impossible_lessons_are_one_line(about: object, said: str) -> None:
    taught.keep(place(), "easy", base(), [lesson(1)])
    header, found = arrays.load(place())
    arrays.save(place(), {**header, "taught": about}, found)
    with pytest.raises(StoreError, match=f"^[^\n]*{said}[^\n]*$"):
        saved_tables.load("mine@1" if said == AGAIN else "mine")
    saved_tables.taught_tables()  # a list leaves out or names it, and fails in no case


def test_a_file_without_weights_has_lessons_of_weight_1() -> None:
    taught.keep(place(), "easy", base(), [lesson(1)])
    header, found = arrays.load(place())
    del header["taught"]["lessons"][0]["weight"]
    arrays.save(place(), header, found)
    read = saved_tables.load("mine@1").taught
    assert [each.weight for each in read.lessons] == [1]


# What a lesson of some weight does to all positions.

LEARNERS = ("reward", "quality", "q", "proof", "average")
GAMES = ("nim:1,2,3", "nim:3,2,1:misere")


def taken(game: Game, lesson: Lesson) -> Made:
    record = lesson.record(game)
    made = []
    for ply, move in enumerate(lesson.moves):
        state = record.state_at(ply)
        name = game.move_name(move, state)
        piles = tuple(int(part) for part in game.position_name(state).split(","))
        made.append((piles, (ord(name[0]) - ord("a"), int(name[1:]))))
    return made


def verdict(literal: Literal, state: State) -> int:
    if literal.force.value(state)[0] < 0:
        return NOTHING
    return {1.0: RIGHT, 0.0: WRONG}.get(literal.right(state), UNDECIDED)


@pytest.mark.parametrize("weight", [1, 100])
@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.parametrize("name", GAMES)
def test_scores_and_verdicts_are_those_of_the_rule_applied_weight_times(name: str, learner: str, weight: int) -> None:
    force, changed = Force(name), 0
    for seed in range(3):
        table, given = opponents.train_interpreted(force.game, learner, 4, seed), lesson(seed, name)
        made, stat, visits = taken(force.game, given), stat_of(table), visits_of(table)
        for piles, _ in made:
            stat.setdefault(piles, dict.fromkeys(oracles.takes(piles), oracles.FRESH.get(learner, 0)))
        before = {(piles, take): stat[piles][take] for piles, take in made}
        for _ in range(weight):
            visits.update(made)
            oracles.RULES[learner](stat, visits, made, not force.misere)

        found = Preview(table, given).effect(weight)
        learned, _ = taught.after(table, found.lesson)
        scores = stat_of(learned)
        assert {piles: scores[piles] for piles in stat} == {piles: pytest.approx(stat[piles]) for piles in stat}
        old, new = Literal(force, table), Literal(force, learned)
        states = {force.game.position_name(state): state for state in old.states}
        nodes = {found.name(node): node for node in range(len(states))}
        assert sorted(nodes) == sorted(states)
        for judged, by in ((found.before, old), (found.after, new)):
            assert {place: judged.verdicts[node] for place, node in nodes.items()} == {
                place: verdict(by, state) for place, state in states.items()
            }
            assert judged.accuracy == pytest.approx(by.accuracy)
        for place, state in states.items():
            names = (tuple(force.game.move_name(each, state) for each in sorted(by.best(state))) for by in (old, new))
            assert found.best(nodes[place]) == tuple(names)
        moved = sorted(nodes[place] for place, state in states.items() if old.best(state) != new.best(state))
        assert found.became() == {
            kind: [node for node in moved if found.after.verdicts[node] == kind] for kind in WORDS
        }
        assert [(found.name(each.node), each.scores) for each in found.moves()] == [
            (",".join(map(str, piles)), (before[piles, take], pytest.approx(stat[piles][take]))) for piles, take in made
        ]
        assert [each.verdicts for each in found.moves()] == [
            (found.before.verdicts[each.node], found.after.verdicts[each.node]) for each in found.moves()
        ]
        changed += sum(found.before.verdicts != found.after.verdicts)
    assert changed  # the three games show something


def test_the_sentence_counts_the_positions_that_it_shows_and_the_preview_leaves_the_table_as_it_is() -> None:
    table, seen = opponents.train_interpreted(parse_game("nim:1,3,5"), "reward", 100, 1), set()
    copied = table.copy()
    for seed in range(12):
        weight = (1, 100)[seed % 2]
        found = Preview(table, lesson(seed, "nim:1,3,5")).effect(weight)
        assert found.text.startswith(f"1 lesson with weight {weight}: ")
        number = sum(map(len, found.became().values()))
        seen.add(number > 0)
        assert number == found.changed.sum() and f"best moves change in {number or 'no'} position" in found.text
        assert same_tables(table, copied) and found.table is table
    assert seen == {True, False}
    table = opponents.train_interpreted(parse_game("nim:1,1"), "reward:win=1000", 5, 1)
    table.games = 2_147_480
    assert "at most 2,147,483 games fit" in refusal(Preview(table, lesson(1, "nim:1,1")).effect, 10)


def test_a_lesson_for_a_game_that_is_too_large_is_shown_on_its_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    game = parse_game("connect:3x3x3")
    monkeypatch.setattr(limits, "MOST_BYTES", 100)
    monkeypatch.setattr(sample, "of", lambda game, progress: sample.make(game, 60, 1, progress))
    training = Training(game, "ntuple:tuples=5,length=3", 3)
    training.run(200)
    table, outside, seen = training.table, 0, set()
    for seed in range(6):
        found = Preview(table, lesson(seed, game.name)).effect(100)
        taught_table, _ = taught.after(table, found.lesson)
        graph = found.truth.graph
        for judged, by in ((found.before, table), (found.after, taught_table)):
            for node, board in enumerate(graph.boards):
                here = slice(graph.ptr[node], graph.ptr[node + 1])
                values = list(by.scores(game.at(board.copy())).values())
                assert judged.scores[here].tolist() == values
                pairs = zip(found.truth.keeps[here].tolist(), values, strict=True)
                right = [keeps for keeps, value in pairs if value == max(values)]
                assert judged.verdicts[node] == (RIGHT if all(right) else UNDECIDED if any(right) else WRONG)
        outside += sum(made.verdicts is None for made in found.moves())
        first = found.moves()[0]
        state, move = game.new(), found.lesson.moves[0]
        assert first.scores == (table.scores(state)[move], taught_table.scores(state)[move]) and first.position == ""
        became = [
            sum(new == kind != old for old, new in zip(found.before.verdicts, found.after.verdicts, strict=True))
            for kind in (RIGHT, WRONG)
        ]
        moved = [abs(new - old) for old, new in zip(found.before.scores, found.after.scores, strict=True)]
        assert f"Of {len(graph.boards)} positions {became[0]} became right, {became[1]} wrong. " in found.text
        number = sum(value > 0 for value in moved)
        assert f"{number} of {len(moved)} values move, by {max(moved):.3f}"[:-2] in found.text
        seen.update(became)
    assert outside and len(seen) > 1
