"""Searches whose values come from a learned function, against plain Python on the function's own values of moves."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from nimtui.agents import agent_choices, parse_agent
from nimtui.agents.table import file_stamp, plays
from nimtui.engine import mcts
from nimtui.engine.rng import Stream
from nimtui.engine.windows import DECIDED, EXPECTED, WIN
from nimtui.games import Game, base, parse_game
from nimtui.learning import saved_tables
from nimtui.learning.estimator import Estimator
from nimtui.learning.learner import parse_learner
from nimtui.learning.opponents import train_interpreted
from nimtui.learning.table import Table
from nimtui.progress import Cancelled
from nimtui.trees import parse
from nimtui.trees.mcts_replay import GrowingTree
from nimtui.ui.search.screen import SearchDraft
from nimtui.ui.search.setup import SearchSetup
from tests.engine.test_tree_search import Node, Plain
from tests.examples import few
from tests.games.refusal import refusal
from tests.learning.functions import save
from tests.stops import StopAfter
from tests.trees.helpers import begun, search

FUNCTIONS = (
    ("connect:4x4x3", "ntuple:tuples=6,length=3"),
    ("nim:2,3:misere", "linear"),
    ("noughts:3x3x3", "net:hidden=3"),
)
ORDERS = (",order=killer", ",order=best-first,table=64", *few((), [",table=64"]))  # each is compiled for itself


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home with an empty folder of runs."""
    monkeypatch.setenv("NIMTUI_HOME", str(tmp_path / "home"))
    (tmp_path / "home" / "runs").mkdir(parents=True)
    return tmp_path / "home"


def after(state: Any, move: int) -> Any:
    there = base.copy(state)
    base.play(there, move)
    return there


def values(estimator: Estimator, state: Any, depth: int, ply: int = 0) -> dict[int, int]:
    """The value of each move by negamax: ends count their plies, positions at the depth limit are estimated."""
    told, estimates = {}, estimator.values(state)
    for move in base.legal_moves(state):
        there = after(state, move)
        result = base.outcome(there)
        if result:
            told[move] = 0 if result == base.DRAW else result * (WIN - ply - 1)
        elif ply + 1 == depth:
            told[move] = int(EXPECTED * estimates[move])
        else:
            told[move] = -max(values(estimator, there, depth, ply + 1).values())
    return told


@pytest.mark.parametrize(("name", "learner"), FUNCTIONS)
def test_a_search_backs_up_the_values_of_the_function(name: str, learner: str, tmp_path: Path) -> None:
    estimator, game = save(tmp_path / "f.npz", name, learner), parse_game(name)
    near = 1 if learner.startswith("net") else 0  # its sums follow moves, and round differently from the start
    for depth in (1, 2, 3):
        wanted = values(estimator, game.start, depth)
        assert any(abs(value) < DECIDED and value for value in wanted.values())
        plain = search(name, f"minimax:depth={depth},value={tmp_path / 'f.npz'}").result
        assert {rating.move: rating.value for rating in plain.moves} == pytest.approx(wanted, abs=near)
        for how in ("", ",deepening=yes", *(ORDERS if "ntuple" in learner else ())):
            result = search(name, f"alphabeta:depth={depth}{how},value={tmp_path / 'f.npz'}").result
            assert result.value == pytest.approx(max(wanted.values()), abs=near)
            if not near and "order" not in how:
                assert result.best_move == next(move for move in wanted if wanted[move] == result.value)
            line, state = result.principal_variation, game.new()
            assert line[0] == result.best_move
            for move in line:
                assert base.legal(state, move)
                base.play(state, move)


def test_an_interrupted_search_goes_on_where_the_function_stands(tmp_path: Path) -> None:
    save(tmp_path / "f.npz", "connect4")
    how = f"alphabeta:depth=7,value={tmp_path / 'f.npz'}"
    whole = search("connect4", how, record=False).result
    parts, stops = begun("connect4", how, record=False), 0
    for _ in range(3):
        with pytest.raises(Cancelled):
            parts.run(StopAfter(1))
        stops += not parts.finished
    assert stops and parts.run().result.moves == whole.moves and parts.result.nodes == whole.nodes


def test_an_end_of_the_game_counts_more_than_every_estimate(tmp_path: Path) -> None:
    estimator = save(tmp_path / "f.npz", "connect4")
    for part in estimator.arrays().values():
        part[...] = 1.0  # sure of every move
    path, game = tmp_path / "sure.npz", parse_game("connect4")
    table = Table.empty(game, "ntuple:tuples=6,length=3")
    table.function = estimator
    table.save(path)
    for how in ("alphabeta:depth=1", "alphabeta:depth=4", "minimax:depth=3"):
        thoughts = parse_agent(f"{how},value={path}", game).decide(game.new("1213"), Stream(0)).thoughts
        assert all(abs(one.score) <= EXPECTED or abs(one.score) > DECIDED for one in thoughts)
    win = parse_agent(f"alphabeta:depth=2,value={path}", game).decide(game.new("121212"), Stream(0))
    assert game.move_name(win.move) == "1"
    assert [thought.value for thought in win.thoughts if thought.move == win.move] == [1.0]


class Estimated(Plain):
    """A tree search in plain Python whose new leaves are worth what the function says."""

    def __init__(self, estimator: Estimator, game: Game, simulations: int, c: float) -> None:
        self.estimator = estimator
        super().__init__(game, mcts.Options(c, False, False, False), simulations)

    def played(self, leaf: Node, result: int) -> float:
        if result:
            return {base.WON: 1.0, base.LOST: -1.0}.get(result, 0.0)
        before = self.game.new()
        for move in leaf.line[:-1]:
            base.play(before, move)
        return int((1 << 20) * self.estimator.values(before)[leaf.line[-1]]) / (1 << 20)


@pytest.mark.parametrize("name", ["connect:4x4x3", "nim:2,3:misere"])
def test_a_tree_search_takes_the_function_instead_of_playouts(name: str, tmp_path: Path) -> None:
    estimator, game = save(tmp_path / "f.npz", name), parse_game(name)
    search = begun(name, f"mcts:simulations=300,c=0.7,value={tmp_path / 'f.npz'}")
    for until in (7, 100, 300):
        search.run(until=until)
    nodes = Estimated(estimator, game, 300, 0.7).root.children
    assert [move.visits for move in search.moves] == [node.visits for node in nodes]
    assert [move.mean for move in search.moves] == [node.total / node.visits for node in nodes]
    assert search.stream.counter[0] == Stream(0).counter[0]  # nothing is drawn
    assert search.space.used_bytes < search.bytes_needed


def test_a_replay_of_estimates_is_exact_in_both_directions(tmp_path: Path) -> None:
    save(tmp_path / "f.npz", "connect:4x4x3")
    search = begun("connect:4x4x3", f"mcts:simulations=200,value={tmp_path / 'f.npz'}").run()
    tree = GrowingTree(search)
    totals = [tree.seek(at).total.copy() for at in range(201)]
    for at in range(200, -1, -1):
        assert np.array_equal(tree.seek(at).total, totals[at])
    estimated = 0
    for number in range(1, 201):
        simulation = tree.simulation(number)
        assert simulation.playout == () and simulation.backup[0].result == simulation.result
        estimated += tree.is_estimate(simulation.leaf)
        assert tree.is_estimate(simulation.leaf) == (base.outcome(tree.state(simulation.leaf)) == base.GOING_ON)
    assert estimated > 50
    move = search.best.move
    below = search.after(move, Stream(1))
    [child] = [node for node in tree.children(0) if tree.move(node) == move]
    assert below.done == int(search.columns.visits[child]) - 1
    assert {one.move: one.mean for one in below.moves if one.visits} == {
        tree.move(node): tree.mean(node) for node in tree.seek(200).visited(child)
    }


def test_a_proof_still_ends_a_tree_search(tmp_path: Path) -> None:
    save(tmp_path / "f.npz", "nim:2,3,4")
    proof = search("nim:2,3,4", f"mcts:simulations=5000,proven=yes,value={tmp_path / 'f.npz'}")
    assert proof.result.exact and proof.result.value == 1.0 and proof.finished
    assert proof.result.simulations < 5000


# Names, lists and faults.


def test_it_is_found_by_name_or_path_from_any_folder(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = home / "runs" / "Four.npz"
    save(path, "connect4")
    game = parse_game("connect4")
    monkeypatch.chdir(path.parent)
    names = {parse_agent(f"alphabeta:depth=2,value={text}", game).name for text in ("Four", "Four.npz", str(path))}
    assert names == {f"alphabeta:depth=2,value={path}"}
    [name] = names
    assert parse_agent(name, game).title == "Alpha-beta (depth 2, values of Four)"
    assert parse_agent(f"mcts:VALUE={path}", game).title == "Tree search (500 simulations, values of Four)"
    assert plays(name, path) and not plays(name, path.parent / "Other.npz") and not plays("alphabeta:depth=2", path)
    assert file_stamp(name) == file_stamp(f"table:{path}") is not None and file_stamp("mcts") is None
    assert "alphabeta:depth=4,value=Four" in [choice.agent for choice in agent_choices(game)]
    assert not any("value=" in choice.agent for choice in agent_choices(parse_game("nim:2,3")))
    assert saved_tables.saved_functions(game) == {"Four": "ntuple:tuples=6,length=3, 0 games"}


def test_searches_share_the_weights_of_a_file_until_it_is_written_again(home: Path) -> None:
    path, game = home / "f.npz", parse_game("connect4")
    save(path, "connect4")
    first, second = (saved_tables.find_function(str(path), game) for _ in range(2))
    assert first is second
    one, other = first.evaluation(), second.evaluation()
    assert one.function.weights is other.function.weights and one.function.at is not other.function.at
    save(path, "connect4", "linear")
    assert saved_tables.find_function(str(path), game).estimator.weights < first.estimator.weights


def test_a_form_offers_the_functions_of_its_game(home: Path) -> None:
    save(home / "runs" / "Four.npz", "connect4")
    draft = SearchDraft.of(SearchSetup("connect4", None, "alphabeta:depth=2"))
    assert [offer.value for offer in draft.offers("value")] == ["", "Four"]
    chosen = draft.with_text("value", "Four").setup()
    assert chosen.search == f"alphabeta:depth=2,value={home / 'runs' / 'Four.npz'}"
    assert chosen.command.text.startswith("nimtui search connect4")
    assert draft.setup().search == "alphabeta:depth=2"
    wrong = draft.with_text("value", "Fuor").check()
    assert not wrong["value"].right and wrong["value"].text.endswith("unknown run 'Fuor'. Allowed: Four")


def test_every_fault_is_one_line_that_says_what_would_be_right(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save(home / "nim.npz", "nim:2,3")
    train_interpreted(parse_game("connect:4x3x3"), parse_learner("reward"), 3, 0).save(home / "table.npz")
    (home / "short.npz").write_bytes((home / "nim.npz").read_bytes()[:500])
    shutil.copy(home / "nim.npz", home / "runs" / "a,b.npz")
    game = parse_game("connect:4x3x3")

    def fault(text: str, algorithm: str = "alphabeta") -> str:
        return refusal(parse_agent, f"{algorithm}:{text}", game)

    assert "no run 'none'" in fault("value=none") and "nimtui train connect:4x3x3 --learner ntuple" in fault("value=no")
    save(home / "runs" / "small.npz", game.name)
    assert fault("value=smal") == "value: unknown run 'smal' (did you mean small?). Allowed: small"
    assert fault(f"value={home / 'nim.npz'}").endswith("is of nim:2,3, not of connect:4x3x3")
    for algorithm in ("alphabeta", "minimax", "mcts"):
        told = fault(f"value={home / 'table.npz'}", algorithm)
        assert "the learner reward of " in told and told.endswith("no function: train ntuple, net or linear")
    assert "damaged" in fault(f"value={home / 'short.npz'}")
    assert "heuristic=flat" in fault("value=small,heuristic=flat")
    assert "policy=perfect-opponent" in fault("value=small,policy=perfect-opponent", "mcts")
    assert "given twice" in fault("value=small,value=small")
    assert parse("alphabeta:value=").name == "alphabeta:depth=4"
    (home / "x,y").mkdir()
    save(home / "x,y" / "f.npz", game.name)
    monkeypatch.chdir(home / "x,y")
    assert "a comma" in fault("value=f.npz")
