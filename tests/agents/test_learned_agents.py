"""Opponents that play by a learned table."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from nimtui.agents import parse_agent
from nimtui.agents.learned import UNKNOWN, TableAgent
from nimtui.engine.rng import Stream
from nimtui.games import Record, base, parse_game
from nimtui.learning import parse_learner
from nimtui.learning.table import PartialGraph, Table
from tests.agents.chance import uniform
from tests.games.refusal import refusal

TOWER = parse_game("tower:16")


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("NIMTUI_HOME", str(tmp_path))
    return tmp_path


def learned(spec: str, game: str = "tower:16") -> TableAgent:
    agent = parse_agent(spec, parse_game(game))
    return agent


def saved(tmp_path: Path, scores: dict[str, int], learner: str = "reward", position: str = "1,3,5,7") -> str:
    """A file with a table that has scores at one position, by the names of the moves."""
    state = TOWER.new(position)
    cells = dict.fromkeys(base.legal_moves(state), 0)
    cells |= {TOWER.parse_move(name, state): score for name, score in scores.items()}
    rule = parse_learner(learner)
    seen = PartialGraph(rule)
    seen.put(seen.node(state), list(cells.values()), [0] * len(cells), [])
    path = tmp_path / "my table, a=b.npz"
    Table.from_partial_graph(TOWER, rule, 0, 5, seen).save(path)
    return str(path)


def test_the_best_score_is_played_and_shown_and_equal_ones_are_as_likely(tmp_path: Path) -> None:
    agent = learned("table:" + saved(tmp_path, {"c3": 7, "d1": 2, "b2": -4}))
    assert agent.ready and agent.title == "Table my table, a=b.npz (reward, 5 games)"
    assert agent.name == f"table:{tmp_path / 'my table, a=b.npz'}"
    decision = agent.decide(TOWER.new(), Stream(0))
    assert TOWER.move_name(decision.move) == "c3" and decision.note == ""
    told = {TOWER.move_name(thought.move): thought.score for thought in decision.thoughts}
    assert (told["c3"], told["d1"], told["b2"], told["a1"]) == (7, 2, -4, 0)
    assert {thought.value for thought in decision.thoughts} == {None}
    agent = learned("table:" + saved(tmp_path, {"a1": 3, "c3": 3, "d7": 3, "d1": 2}))
    stream = Stream(2)
    counts = Counter(TOWER.move_name(agent.decide(TOWER.new(), stream).move) for _ in range(900))
    assert set(counts) == {"a1", "c3", "d7"} and uniform(list(counts.values()))


def test_without_a_score_above_0_a_random_row_then_a_random_count_is_played(tmp_path: Path) -> None:
    # source: the tower of 16
    agent, stream = learned("table:" + saved(tmp_path, {"c3": -1})), Stream(3)
    rows, counts = Counter[int](), Counter[int]()
    for _ in range(800):
        decision = agent.decide(TOWER.new(), stream)
        assert decision.note == UNKNOWN
        row = int(base.row(TOWER.start, decision.move))
        rows[row] += 1
        if row == 3:
            counts[decision.move] += 1
    assert len(rows) == 4 and uniform(list(rows.values()))
    assert len(counts) == 7 and uniform(list(counts.values()))


def test_a_table_for_another_game_and_another_file_are_refused(tmp_path: Path) -> None:
    path = saved(tmp_path, {})
    wrong = refusal(parse_agent, f"table:{path}", parse_game("nim:7,5,3"))
    assert "is for nim:1,3,5,7, not for nim:7,5,3" in wrong
    other = tmp_path / "notes.npz"
    other.write_text("not a table")
    assert refusal(parse_agent, f"table:{other}", TOWER) and other.read_text() == "not a table"


def test_easy_and_medium_are_the_reward_learner_after_10_and_1000_games_and_learn_from_a_game_just_played() -> None:
    for name, games in (("easy", 10), ("medium", 1000)):
        agent = learned(name)
        assert agent.ready and agent.table is None  # so few games are learned in a moment
        agent.prepare()
        assert (agent.table.games, agent.table.learner) == (games, "reward")
        record = Record(agent.game)
        while not record.over:
            record.push(base.nth(record.state, 0))
        changes = agent.table.learn(record)
        assert len(changes) == record.ply and changes[-1].after == changes[-1].before + 1


def test_a_table_of_qualities_plays_any_of_the_best_however_low(tmp_path: Path) -> None:
    # source: the quality learner; the same for every learner but the reward learner
    low = {TOWER.move_name(move): -1000 for move in base.legal_moves(TOWER.start)}
    agent = learned("table:" + saved(tmp_path, low | {"b2": 0, "d5": 0}, "quality"))
    decisions = [agent.decide(TOWER.new(), Stream(seed)) for seed in range(300)]
    counts = Counter(TOWER.move_name(decision.move) for decision in decisions)
    assert set(counts) == {"b2", "d5"} and uniform(list(counts.values()))
    assert {decision.note for decision in decisions} == {""}
    assert learned("table:" + saved(tmp_path, {"b2": 0.5}, "q")).decide(TOWER.new(), Stream(1)).thoughts[2].score == 0.5


@pytest.mark.parametrize("name", ["quality:games=300", "average:games=300,seed=2"])
def test_every_learner_is_an_opponent(name: str) -> None:
    agent = learned(name, "nim:7,5,3")
    decision = agent.decide(agent.game.new(), Stream(0))
    assert agent.table.games == 300
    assert decision.move in agent.table.best_moves(agent.game.new())
    assert len(decision.thoughts) == 15 and decision.note == ""
