"""The opponents that have learned: their names, and where their tables are kept."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from nimtui.games import heaps, parse_game
from nimtui.learning import export, opponents
from nimtui.learning.graph_table import draws, on_graph, policy
from nimtui.learning.learner import learners, parse_learner
from nimtui.learning.learners import reward
from nimtui.learning.opponents import parse_opponent, trained
from nimtui.learning.training import Training
from nimtui.store import paths
from nimtui.theory.truth import truth
from tests.games.refusal import refusal
from tests.learning.helpers import same_tables

TOWER = parse_game("tower:16")


def test_names_are_canonical_and_bad_ones_get_one_line() -> None:
    for text, name, games in (
        ("easy", "easy", 10), ("medium", "medium", 1_000), ("hard", "hard", 1_000_000),
        ("reward", "reward:games=1000000,seed=0", 1_000_000),
        (f"q:games=1000000000000,seed={2**63 - 1}", f"q:games=1000000000000,seed={2**63 - 1}", 10**12),
        ("reward:games=5_000_000", "reward:games=5000000,seed=0", 5_000_000),
        ("reward:pick=uniform-move,seed=4,games=7,win=2", "reward:games=7,seed=4,win=2,pick=uniform-move", 7),
    ):  # fmt: skip
        opponent = parse_opponent(text)
        assert (opponent.name, opponent.games) == (name, games) and parse_opponent(opponent.name) == opponent
        assert opponent.seed == (1 if opponent.level else int(name.partition("seed=")[2].partition(",")[0]))
    assert refusal(parse_opponent, "hard:seed=1") == "hard takes no parameters; use reward:games=…,seed=…"
    for text in ("reward:games=0", "reward:games", "reward:seed=-1", "reward:x=1", "novice"):
        assert refusal(parse_opponent, text)
    for text in ("reward:games=1000000000001", f"reward:seed={2**63}"):
        assert " must be from " in refusal(parse_opponent, text)
    at_once = {text: parse_opponent(f"{text},seed=0").at_once for text in ("q:games=1000", "q:games=1001")}
    assert at_once == {"q:games=1000": True, "q:games=1001": False} and not parse_opponent("linear:games=1").at_once
    vast = parse_game("nim:255,255,255,255,255,255,255,255")
    assert all("can have no table" in refusal(trained, vast, name) for name in ("easy", "hard"))
    assert "would need about" in refusal(trained, parse_game("connect4"), "hard")
    assert trained(parse_game("connect4"), "easy").games == 10


def test_a_game_that_ends_with_a_number_is_for_learners_of_numbers() -> None:
    paying = parse_game("redblue:2,2")
    able = f"ends with a number: use {' or '.join(name for name, one in learners().items() if hasattr(one, 'PAYOFFS'))}"
    assert all(able in refusal(trained, paying, name) for name in ("easy", "reward:games=2000"))


def test_few_games_are_learned_at_once_and_not_kept(home: Path) -> None:
    for level in ("easy", "medium"):
        assert opponents.is_ready(TOWER, level)
        table = trained(TOWER, level)
        assert table.games == opponents.LEVELS[level]
        assert same_tables(table, opponents.train_interpreted(TOWER, "reward", table.games, opponents.SEED))
    assert not home.exists()


@pytest.mark.slow
def test_many_games_are_learned_once_and_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    path, faults = parse_opponent("hard").table_path(TOWER), list[str]()
    assert not opponents.is_ready(TOWER, "hard")
    table = trained(TOWER, "hard", faults=faults)
    assert table.games == 1_000_000 and faults == [] and path.exists()
    assert opponents.is_ready(TOWER, "hard")

    def never(*_: object) -> None:
        raise AssertionError("it is not trained again")

    monkeypatch.setattr(Training, "run", never)
    assert same_tables(trained(TOWER, "hard"), table)


def test_other_opponents_rules_and_learners_have_other_files(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    names = ["hard", "reward:games=2000", "reward:games=2000,seed=1", "reward:games=2000,win=2"]
    games = [TOWER, parse_game("tower:16:misere"), parse_game("nim:7,5,3")]
    files = {parse_opponent(name).table_path(game) for name in names for game in games}
    assert all(len(file.name) < 200 and file.parent == paths.tables() for file in files)
    for module in (heaps, reward):
        changed = tmp_path / "changed.py"
        changed.write_text(Path(module.__file__).read_text() + "# changed\n")
        with monkeypatch.context() as patch:
            patch.setattr(module, "__file__", str(changed))
            files.add(parse_opponent("hard").table_path(TOWER))
    assert len(files) == 12 + 2
    long = parse_opponent("reward:games=2000").table_path(parse_game(f"nim:{','.join(['255'] * 26)}")).name
    assert long.startswith("nim-255,255") and len(long) == 120 + len("-12345678.npz")
    read = list[str]()
    monkeypatch.setattr(opponents, "_source", lambda module: read.append(module.__name__) or "")
    for name, further in (("reward", ()), ("linear", opponents.FUNCTIONS)):
        assert parse_opponent(name).table_path(TOWER).name.startswith(f"nim-1,3,5,7-{name}-1000000-0-")
        assert read[-2 - len(further) :] == ["nimtui.games.heaps", f"nimtui.learning.learners.{name}", *further]
    assert len(read) == 4 + len(opponents.FUNCTIONS)


@pytest.mark.parametrize("content", [b"", b"not a table", None])
def test_a_damaged_or_another_kept_file_is_set_aside_and_trained_again(content: bytes | None) -> None:
    path, faults = parse_opponent("reward:games=2000").table_path(TOWER), list[str]()
    path.parent.mkdir(parents=True)
    assert not opponents.is_ready(TOWER, "reward:games=2000")
    if content is None:
        trained(TOWER, "reward:games=3000")
        parse_opponent("reward:games=3000").table_path(TOWER).rename(path)
        content = path.read_bytes()
    path.write_bytes(content)
    assert opponents.is_ready(TOWER, "reward:games=2000")
    table = trained(TOWER, "reward:games=2000", faults=faults)
    assert table.games == 2_000
    [fault] = faults
    assert "\n" not in fault and str(path) in fault and ("another table" in fault) == (len(content) > 20)
    assert path.with_name(f"{path.stem}.damaged-1.npz").read_bytes() == content
    faults.clear()
    assert same_tables(trained(TOWER, "reward:games=2000", faults=faults), table) and faults == []


def test_where_nothing_can_be_kept_it_plays_all_the_same(home: Path) -> None:
    home.write_text("a file where the folder should be")
    faults: list[str] = []
    assert trained(TOWER, "reward:games=2000", faults=faults).games == 2_000
    assert len(faults) == 1 and "cannot be written" in faults[0] and "\n" not in faults[0]


@pytest.mark.parametrize("text", ["reward", "reward:pick=uniform-move", "quality", "q"])
def test_a_trained_table_plays_best_scored_moves_and_reward_any_where_none_is_above_0(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = opponents.train_interpreted(parse_game("nim:2,3"), text, 6, 1)
    exact, kinds = truth(table.game), set[int]()
    found, graph, learner = policy(table, exact), exact.graph, parse_learner(text)
    for node, board in enumerate(graph.boards):
        scores = table.scores(table.game.at(board.astype(np.int64)))
        best = max(scores.values())
        draws_any = text.startswith("reward") and best <= 0
        moves = [move for move, score in scores.items() if draws_any or score == best]
        assert graph.move[found.edges[found.ptr[node] : found.ptr[node + 1]]].tolist() == moves
        assert found.casual[node] == (draws_any and text == "reward") and draws(learner, best) is draws_any
        kinds.add(int(np.sign(best)))
    assert 1 in kinds and (0 in kinds or text == "quality")
    changed = on_graph(table, graph)
    if text == "q":
        changed.cells[0] = np.nan
        assert policy(changed, exact) is None
    changed.moves = changed.moves + 1
    assert refusal(on_graph, replace(changed, ptr=changed.ptr.copy()), graph) == (
        "the table does not fit the current rules of nim:2,3"
    )
    monkeypatch.setattr(sys.modules[type(learner).__module__], "play", None, raising=False)
    expected = (found is not None, True) if text.startswith("reward") else (False, None)
    assert (policy(table, exact) is not None, draws(learner, 0)) == expected


def test_a_function_learns_without_graph_what_it_learns_with_one_and_plays_the_same() -> None:
    text = "ntuple:games=300,seed=2,tuples=5,length=2"
    plain, measured = trained(TOWER, text), Training(TOWER, parse_opponent(text).learner, 2)
    measured.run(300)
    assert len(plain.numbers) == 0 < len(measured.table.numbers) and plain.games == measured.games == 300
    for name, part in measured.estimator.arrays().items():
        assert np.array_equal(part, plain.function.arrays()[name])
    assert "too many positions to list" in refusal(export.check_rows, plain) and plain.visits_of(TOWER.start) == {}
    exact = truth(TOWER)
    for one, other in zip(policy(plain, exact) or (), policy(measured.table, exact) or (), strict=True):
        assert np.array_equal(one, other)
    again = trained(TOWER, text)  # from its file
    assert again.function is not None and again.scores(TOWER.start) == plain.scores(TOWER.start)
    assert parse_opponent(text).table_path(TOWER).stat().st_size < 20_000
