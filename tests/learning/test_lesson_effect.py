"""What a lesson of some weight does to all positions, against the rules and the verdicts written once more."""

from __future__ import annotations

from itertools import product
from statistics import mean

import pytest

from nimtui.engine import limits
from nimtui.errors import InputError
from nimtui.games import Game, parse_game
from nimtui.learning import opponents, sample, saved_tables, taught
from nimtui.learning.evaluate import NOTHING, RIGHT, UNDECIDED, WORDS, WRONG
from nimtui.learning.table import Table
from nimtui.learning.taught import Effect, Lesson, Preview
from nimtui.learning.training import Training
from nimtui.store import StoreError, arrays
from tests.learning import oracles
from tests.learning.helpers import random_record, same_tables, stat_of, visits_of
from tests.learning.oracles import Made, Piles, Stat, Take

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


def best(stat: Stat, piles: Piles) -> list[Take]:
    """The moves of the highest score; all where nothing is known."""
    scores = stat.get(piles) or dict.fromkeys(oracles.takes(piles), 0)
    return [take for take in scores if scores[take] == max(scores.values())]


def good(stat: Stat, piles: Piles, misere: bool) -> list[bool]:
    """Whether each of the best moves of a won position wins."""
    return [not oracles.mover_wins(oracles.after(piles, take), misere) for take in best(stat, piles)]


def verdict(stat: Stat, piles: Piles, misere: bool) -> int:
    if not oracles.mover_wins(piles, misere):
        return NOTHING
    right = good(stat, piles, misere)
    return RIGHT if all(right) else UNDECIDED if any(right) else WRONG


def accuracy(stat: Stat, every: list[Piles], misere: bool) -> float:
    shares = [mean(good(stat, piles, misere)) for piles in every if oracles.mover_wins(piles, misere)]
    return mean(shares)


def lesson_of(game: Game, seed: int, weight: int = 1) -> Lesson:
    return Lesson.of(random_record(game, seed), None, ("me", "easy"), 0.0, weight)


@pytest.mark.parametrize("weight", [1, 100])
@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.parametrize("name", GAMES)
def test_scores_and_verdicts_are_those_of_the_rule_applied_weight_times(name: str, learner: str, weight: int) -> None:
    game, misere = parse_game(name), name.endswith("misere")
    changed = 0
    for seed in range(3):
        table = opponents.train_interpreted(game, learner, 4, seed)
        lesson = lesson_of(game, seed)
        made, last_won = taken(game, lesson), not misere
        before, stat, visits = stat_of(table), stat_of(table), visits_of(table)
        for piles, _ in made:
            for each in (before, stat):
                each.setdefault(piles, dict.fromkeys(oracles.takes(piles), oracles.FRESH.get(learner, 0)))
        for _ in range(weight):
            visits.update(made)
            oracles.RULES[learner](stat, visits, made, last_won)

        found = Preview(table, lesson).effect(weight)
        learned, _ = taught.after(table, found.lesson)
        scores = stat_of(learned)
        assert {piles: scores[piles] for piles in stat} == {piles: pytest.approx(stat[piles]) for piles in stat}
        rows = map(int, game.position_name(game.new()).split(","))
        every = [piles for piles in product(*(range(row + 1) for row in rows)) if any(piles)]
        names = {tuple(int(part) for part in found.name(node).split(",")): node for node in range(len(every))}
        assert sorted(names) == every
        old = {node: verdict(before, piles, misere) for piles, node in names.items()}
        new = {node: verdict(stat, piles, misere) for piles, node in names.items()}
        assert found.before.verdicts.tolist() == [old[node] for node in sorted(old)]
        assert found.after.verdicts.tolist() == [new[node] for node in sorted(new)]
        moved = {names[piles] for piles in stat if best(before, piles) != best(stat, piles)}
        assert found.became() == {kind: [node for node in sorted(moved) if new[node] == kind] for kind in WORDS}
        measured = found.before.accuracy, found.after.accuracy
        assert measured == pytest.approx((accuracy(before, every, misere), accuracy(stat, every, misere)))
        assert [(found.name(each.node), each.scores) for each in found.moves()] == [
            (",".join(map(str, piles)), (before[piles][take], pytest.approx(stat[piles][take]))) for piles, take in made
        ]
        assert [each.verdicts for each in found.moves()] == [
            (old[names[piles]], new[names[piles]]) for piles, _ in made
        ]
        changed += sum(old[node] != new[node] for node in old)
    assert changed  # the three games show something


@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.parametrize("name", ["nim:1,2", "noughts:3x3x3"])
def test_a_weight_counts_like_so_many_lessons(name: str, learner: str) -> None:
    game = parse_game(name)
    table = opponents.train_interpreted(game, learner, 20, 1)
    once, often = table.copy(), table.copy()
    record = random_record(game, 3)
    for _ in range(10):
        once.learn(record)
    often.learn(record, 10)
    assert same_tables(once, often) and often.games == table.games + 10


def effect(before: Table, seed: int, weight: int) -> Effect:
    return Preview(before, lesson_of(before.game, seed)).effect(weight)


def test_the_sentence_counts_the_positions_that_it_shows() -> None:
    game = parse_game("nim:1,3,5")
    table = opponents.train_interpreted(game, "reward", 100, 1)
    seen = set()
    for seed in range(12):
        weight = (1, 100)[seed % 2]
        found = effect(table, seed, weight)
        told = found.text
        assert told.startswith(f"1 lesson with weight {weight}: ")
        number = sum(map(len, found.became().values()))
        seen.add(number > 0)
        assert number == found.changed.sum() and f"best moves change in {number or 'no'} position" in told
    assert seen == {True, False}


def test_the_preview_leaves_the_table_as_it_is() -> None:
    table = opponents.train_interpreted(parse_game("nim:1,3,5"), "average", 50, 1)
    copied = table.copy()
    found = effect(table, 1, 1_000)
    assert same_tables(table, copied) and found.table is table


def test_a_weight_beyond_the_room_of_the_scores_is_one_line() -> None:
    table = opponents.train_interpreted(parse_game("nim:1,1"), "reward:win=1000", 5, 1)
    table.games = 2_147_480
    with pytest.raises(InputError, match="at most 2,147,483 games fit"):
        effect(table, 1, 10)


def test_the_weight_is_kept_in_the_file_and_in_every_version() -> None:
    game = parse_game("nim:1,3,5")
    before = opponents.train_interpreted(game, "reward", 10, 1)
    place = saved_tables.new_place("mine")
    for seed, weight in ((1, 1), (2, 100)):
        taught.keep(place, "easy", before, [lesson_of(game, seed, weight)])
        assert arrays.load(place)[0]["taught"]["format"] == (1 if weight == 1 else 2)  # an older nimtui reads format 1
    found = saved_tables.load("mine")
    assert found.taught is not None and [each.weight for each in found.taught.lessons] == [1, 100]
    assert [saved_tables.load(f"mine@{version}").table.games for version in (0, 1, 2)] == [10, 11, 111]
    expected = before.copy()
    expected.learn(random_record(game, 1))
    for _ in range(100):
        expected.learn(random_record(game, 2))
    assert same_tables(found.table, expected)


def test_a_file_without_weights_has_lessons_of_weight_1() -> None:
    game = parse_game("nim:1,3,5")
    place = saved_tables.new_place("mine")
    taught.keep(place, "easy", opponents.train_interpreted(game, "reward", 10, 1), [lesson_of(game, 1)])
    header, found = arrays.load(place)
    [old] = header["taught"]["lessons"]
    del old["weight"]
    arrays.save(place, header, found)
    read = saved_tables.load("mine@1").taught
    assert read is not None and [each.weight for each in read.lessons] == [1]


@pytest.mark.parametrize("weight", [0, -1, 10**12, "x", None])
def test_a_damaged_weight_is_one_line(weight: object) -> None:
    game = parse_game("nim:1,3,5")
    place = saved_tables.new_place("mine")
    taught.keep(place, "easy", opponents.train_interpreted(game, "reward", 10, 1), [lesson_of(game, 1)])
    header, found = arrays.load(place)
    header["taught"]["lessons"][0]["weight"] = weight
    arrays.save(place, header, found)
    with pytest.raises(StoreError, match="lacks parts of its lessons"):
        saved_tables.load("mine")


def test_a_lesson_for_a_game_that_is_too_large_is_shown_on_its_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    game = parse_game("connect:3x3x3")
    monkeypatch.setattr(limits, "MOST_BYTES", 100)
    monkeypatch.setattr(sample, "of", lambda game, progress: sample.make(game, 60, 1, progress))
    training = Training(game, "ntuple:tuples=5,length=3", 3)
    training.run(200)
    table, outside, seen = training.table, 0, set()
    for seed in range(6):
        found = Preview(table, lesson_of(game, seed)).effect(100)
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
