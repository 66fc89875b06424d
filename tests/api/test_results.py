"""What the functions of the library return."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

import nimtui
from nimtui.api import games
from tests.api.conftest import Document, timeless

NIM = "nim:3,4,5"


def test_positions_and_moves_go_in_and_out_as_names() -> None:
    game = nimtui.game(NIM)
    assert game.start() == "3,4,5"
    assert game.moves("1,0,2") == ["a1", "c1", "c2"]
    assert game.play(game.start(), "b2", "a3") == "0,2,5"
    assert (game.moves("0,0,0"), game.outcome("0,0,0"), game.outcome("0,0,1")) == ([], "loss", None)


@pytest.mark.parametrize(
    ("name", "position", "board"),
    [
        ("nim:1,2", "0,2", ["A: no matches", "B: 2 matches"]),
        ("nim:1", None, ["1 match"]),
        ("nim:1", "0", ["No matches"]),
        ("kayles:8", "11010110", ["5 matches, at 1 to 2, 4 and 6 to 7"]),
        ("kayles:3,2", "101/11", ["A: 2 matches, at 1 and 3", "B: 2 matches"]),
        ("connect4:4x4", "1223",
         ["Row 4:  . . . .", "Row 3:  . . . .", "Row 2:  . X . .", "Row 1:  X O O .", "Column: 1 2 3 4"]),
        ("noughts:3x3x3", "xo./.x./..o", ["   1 2 3", "A: X O .", "B: . X .", "C: . . O"]),
        ("chomp:4x3", "4,1,0", ["   1 2 3 4", "A: ! # # #", "B: #", "C:"]),
    ],
)  # fmt: skip
def test_a_board_is_lines_of_text(name: str, position: str | None, board: list[str]) -> None:
    game = nimtui.game(name)
    assert game.show(position).splitlines() == board
    assert repr(game).splitlines()[0] == f"{game.title}  ({game.name})"
    assert repr(game).splitlines()[1:] == game.show().splitlines()


def test_a_board_of_another_kind_has_numbers_or_its_position() -> None:
    def lines(kind: str, cells: object, position: str = "") -> list[str]:
        game: Any = SimpleNamespace(board_kind=kind, cells=lambda _: cells, position_name=lambda _: position)
        return games.board_lines(game, cast(Any, None))

    assert lines("grid", [[0, 1, -1], [2, 3, 4], [5, 12, 0]]) == [
        *("    1  2  3", "A:  .  X", "B:  O  #  !", "C:  5 12  .")
    ]
    assert lines("odd", [[1]]) == ["Position: the start"] and lines("rows", None, "3,4") == ["Position: 3,4"]


def test_games_of_one_name_are_equal() -> None:
    assert nimtui.game("tower:16") == nimtui.game("nim:1,3,5,7") == nimtui.game(nimtui.game("tower:16").rules)
    assert len({nimtui.game("tower:16"), nimtui.game("nim:1,3,5,7")}) == 1


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: nimtui.game("nmi:3"), r"unknown game 'nmi' \(did you mean nim\?\)"),
        (lambda: nimtui.game(3), "a game is a name such as 'tower:16', not int"),  # type: ignore[arg-type]
        (lambda: nimtui.solve(NIM, "9,9,9"), "9"),
        (lambda: nimtui.game(NIM).play("3,4,5", "d1"), "row"),
        (lambda: nimtui.agent("mtcs"), r"unknown agent 'mtcs' \(did you mean mcts\?\)"),
        (lambda: nimtui.agent(3), "no agent: int"),  # type: ignore[arg-type]
        (lambda: nimtui.train(NIM, "rewrad"), "unknown learner"),
        (lambda: nimtui.search(NIM, "alphabeta:deep=4"), "option"),
        (lambda: nimtui.load("nothing.npz"), "nothing.npz"),
        (lambda: nimtui.review(NIM, "a1 a9"), "a9|illegal|matches"),
        (lambda: nimtui.tournament(NIM, ["random"]), "2 to 100 agents, not 1"),
    ],
)
def test_invalid_input_says_in_one_line_what_is_wrong(call: object, said: str) -> None:
    with pytest.raises(nimtui.InputError, match=said) as fault:
        call()  # type: ignore[operator]
    assert "\n" not in str(fault.value)


SAME: list[tuple[Callable[[], Any], str]] = [  # what a call returns is what a command prints
    (lambda: nimtui.solve(NIM, "3,4,4"), f"solve {NIM} -p 3,4,4"),
    (lambda: nimtui.solve("connect4:4x4", "12"), "solve connect4:4x4 -p 12"),
    (lambda: nimtui.train(NIM, "quality:margin=50", 2_000, seed=7),
     f"train {NIM} --learner quality:margin=50 --games 2000 --seed 7"),
    *((lambda name=name: nimtui.search(NIM, name, "1,4,4"), f"search {NIM} -p 1,4,4 --algorithm {name}")
      for name in ("minimax:depth=3", "alphabeta:depth=4,order=killer", "mcts:simulations=300")),
    (lambda: nimtui.agent("mc:playouts=200").rate(NIM, "1,4,4", seed=3),
     f"moves {NIM} -p 1,4,4 --agent mc:playouts=200 --seed 3"),
    *((lambda games=games: nimtui.match(NIM, "easy", "random", games=games, seed=5, alternate=True),
       f"match {NIM} --first easy --second random -n {games} --seed 5 --alternate") for games in (1, 40)),
    (lambda: nimtui.tournament(NIM, ["random", "easy", "perfect"], games=20, seed=5),
     f"tournament {NIM} -a random -a easy -a perfect --games 20 --seed 5 --no-save"),
]  # fmt: skip


@pytest.mark.parametrize(("call", "words"), SAME, ids=[words for _, words in SAME])
def test_a_result_is_the_document_of_the_command(call: Callable[[], Any], words: str, command: Document) -> None:
    assert timeless(call().to_dict()) == timeless(command(words))


def test_results_have_attributes_of_their_documents() -> None:
    solution = nimtui.solve(NIM, "3,4,4")
    assert (solution.outcome, solution.best_moves, solution.grundy) == ("win", ["a3"], 3)  # 3 ∧ 4 ∧ 4 = 3
    assert "every binary column even" in solution.explanation
    connect = nimtui.solve("connect4:4x4", "12")
    assert set(connect.to_dict()["scores"]) == {"1", "2", "3", "4"} and connect.explanation
    run = nimtui.train(NIM, "quality:margin=50", 2_000, seed=7)
    assert (run.games, run.stopped, run.curve[-1]) == (2_000, False, (2_000, run.accuracy, run.unbeaten))
    rated = nimtui.agent("mc:playouts=200").rate(NIM, "1,4,4", seed=3)
    assert rated.best_move == nimtui.agent("mc:playouts=200").choose(NIM, "1,4,4", seed=3)
    match = nimtui.match(NIM, "easy", "random", games=40, seed=5, alternate=True)
    assert match.wins + match.losses + match.draws == 40
    standings = nimtui.tournament(NIM, ["random", "easy", "perfect"], games=20, seed=5)
    assert standings.standings[0]["agent"] == "perfect" and "1  perfect" in repr(standings)


@pytest.mark.parametrize("algorithm", ["minimax:depth=3", "mcts:simulations=300"])
def test_a_search_shows_its_moves(algorithm: str) -> None:
    found = nimtui.search(NIM, algorithm, "1,4,4")
    assert found.finished and found.principal_variation[0] == found.best_move
    assert found.values == {row["move"]: row["value"] for row in found.moves}
    text = str(found)
    assert algorithm.partition(":")[0] in text and all(f"\n{move} " in text for move in found.values)
    assert "<table>" in found._repr_html_()
    table = [line.split("|")[1].strip() for line in found.to_markdown().splitlines() if line.startswith("| ")]
    assert set(found.values) <= set(table)


def test_a_table_is_a_mapping() -> None:
    table = nimtui.train("nim:1,2", games=5).table
    assert repr(table) == "<table of reward on nim:1,2: 5 games, 5 positions>"
    assert list(table) == ["1,0", "0,1", "1,1", "0,2", "1,2"] and len(table) == 5
    assert (table.best_moves(), table.visits(), table["1,1"]) == (
        *(["b1"], {"a1": 0, "b1": 5, "b2": 0}, {"a1": -4, "b1": -1}),
    )
    assert (table.learner, table.seed, table.games, table.game.name) == ("reward", 0, 5, "nim:1,2")
    assert "1,1" in table and "0,2" not in table and "5" not in table and 3 not in table
    assert table == table and table != nimtui.train("nim:1,2", games=5).table and len({table, table}) == 1


def test_the_table_of_a_run_maps_positions_to_scores(tmp_path: Path) -> None:
    run = nimtui.train(NIM, "proof", games=2_000)
    assert list(run.table["1,0,2"]) == ["a1", "c1", "c2"]
    assert run.table.best_moves("1,0,2") == ["c1"]  # the nim-sum becomes 0
    assert len(run.table) == len(list(run.table)) == run.to_dict()["positions"]
    assert "1,0,2" in run.table and "9,9,9" not in run.table
    assert sum(run.table.visits("3,4,5").values()) == 2_000  # once a game


def test_a_saved_run_loads_as_the_same_table(tmp_path: Path, command: Document) -> None:
    run, file = nimtui.train(NIM, games=200), tmp_path / "table.npz"
    run.save(file)
    loaded = nimtui.load(file)
    assert dict(loaded) == dict(run.table)
    assert loaded.to_dict() == command(f"table {file}")
    with pytest.raises(nimtui.InputError, match="already exists"):
        run.save(file)
    run.save(file, force=True)


def test_an_agent_chooses_no_move_after_the_end() -> None:
    assert repr(nimtui.agent("perfect")) == "<agent perfect>" and nimtui.agent("perfect").as_agent() == "perfect"
    with pytest.raises(nimtui.InputError, match="the game is over at 0,0,0"):
        nimtui.agent("random").choose(NIM, "0,0,0")


def test_a_review_names_the_mistakes_and_the_better_moves() -> None:
    found = nimtui.review(NIM, ["b2", "a1"])  # the nim-sums before: 2, then 3 ∧ 2 ∧ 5 = 4
    assert [row["best_moves"] for row in found.mistakes] == [["a2"], ["c4"]]
    assert found.turning_point is not None and found.turning_point["move"] == "a1"
    assert "1   me      b2     3,2,5               mistake" in repr(found)


def test_a_review_reads_as_the_game_that_the_command_prints() -> None:
    found = nimtui.review(NIM, ["b2", "a1"], players=("perfect", "random"))
    first, *lines = str(found).split("\n")
    assert first.startswith("Nim 3,4,5") and lines[1].split() == ["agent", "move", "position", "after", "it"]
    assert lines[2].split()[:4] == ["1", "perfect", "b2", "3,2,5"] and "better: a2" in lines[2]
    assert " ".join(" ".join(lines).split()).endswith(" ".join(found.story))
    plies = found.history[0]["remoteness"]  # the first player gave the win away
    assert f">loses in {plies}<" in found._repr_html_() and "better: a2" in found._repr_html_()


def test_what_a_caller_changes_in_a_result_changes_no_result() -> None:
    solution = nimtui.solve(NIM)
    solution.best_moves.clear()
    solution.to_dict()["best_moves"].clear()
    assert solution.best_moves == ["a2"] and {"best_moves", "to_dict"} <= set(dir(solution))
    for name in ("nothing", "_nothing"):
        with pytest.raises(AttributeError, match=f"Solution has no attribute '{name}'"):
            getattr(solution, name)
