"""A sweep's plan is checked before anything is done, and its results are the same whoever does it."""

from __future__ import annotations

import random

import pytest

from nimtui.errors import InputError
from nimtui.games import parse_game
from nimtui.learning.sweep import Plan, cells, games_needed, plan, spread, train
from nimtui.learning.sweep_report import Unit, best, ends, ranked, swept
from nimtui.learning.sweep_report import keys as keys_of
from nimtui.learning.training import Training
from nimtui.report.cells import cells as lines_of
from nimtui.report.lines import plain_text
from nimtui.ui.sweep.heat import panes
from tests.games.refusal import refusal

GAME = parse_game("nim:5,3")


def planned(*grid: str, learner: str = "quality", repeats: int = 2, games: int = 300, seed: int = 0) -> Plan:
    return plan(GAME, learner, grid, repeats, games, seed)


def values(*grid: str, learner: str = "quality") -> dict[str, list[object]]:
    return dict(planned(*grid, learner=learner).document()["grid"])


def test_a_grid_as_people_type_it() -> None:
    assert values("margin=50, 70,90", "Win = 19") == {"margin": [50, 70, 90], "win": [19]}
    assert values("margin=50..100:10,200") == {"margin": [50, 60, 70, 80, 90, 100, 200]}
    assert values("margin=1..3", "loss=7..8") == {"margin": [1, 2, 3], "loss": [7, 8]}
    assert values("alpha=0.1..0.5:0.1", learner="q") == {"alpha": [0.1, 0.2, 0.3, 0.4, 0.5]}
    assert values("pick=uniform-move,row-then-count", learner="reward") == {"pick": ["uniform-move", "row-then-count"]}
    assert values() == {}


WRONG = {
    ("margn=5",): "unknown parameter of quality 'margn' (did you mean margin?)",
    ("margin",): "invalid grid 'margin'",
    ("margin=",): "'margin=' has no values",
    ("margin=5,,6",): "empty value",
    ("margin=5,6,5",): "'margin' has the value 5 twice",
    ("margin=5", "margin=6"): "'margin' is varied twice",
    ("margin=0",): "margin must be from 1 to 2,000,000, not 0",
    ("margin=many",): "margin must be a whole number",
    ("margin=9..5",): "a STEP above 0",
    ("margin=1..5:0",): "a STEP above 0",
    ("margin=1..1000000",): "more than the 1,000 values allowed",
    ("margin=1..x",): "invalid range",
    ("margin=1..2..3",): "invalid range",
    ("margin=1..200", "win=1..200"): "the grid has 40,000 cells, more than the 10,000 allowed",
    ("start=40,150",): "start must be from low to high",
}


def test_what_is_wrong_with_a_grid_is_one_line() -> None:
    assert {grid: line for grid, line in WRONG.items() if line not in refusal(planned, *grid)} == {}


def test_what_cannot_be_swept_is_refused_at_once() -> None:
    with pytest.raises(InputError, match="both fixed"):
        planned("margin=5,6", learner="quality:margin=7")
    with pytest.raises(InputError, match="unknown learner"):
        planned(learner="qualty")
    with pytest.raises(InputError, match="trainings allowed"):
        planned("margin=1..1000", repeats=10_000)
    with pytest.raises(InputError, match="number of repeats"):
        planned(repeats=0)
    with pytest.raises(InputError, match="could exceed"):
        planned(games=10**10)
    with pytest.raises(InputError, match=r"it can have no table|too large"):
        plan(parse_game("connect4"), "quality", [], 1, 10, 0)


def test_cells_and_their_seeds_do_not_depend_on_the_rest_of_the_grid() -> None:
    small, large = planned("margin=50,90"), planned("win=29", "margin=20..90:10", repeats=5)
    assert [setting.learner for setting in small.settings] == ["quality:margin=50", "quality"]
    assert small.settings[0].params == {"margin": 50}
    assert set(small.pieces) < set(large.pieces)
    seeds = [piece.seed for piece in large.pieces]
    assert len(set(seeds)) == len(seeds) == 40 and all(0 <= seed < 2**63 for seed in seeds)
    assert not set(seeds) & {piece.seed for piece in planned("margin=20..90:10", seed=1).pieces}


def test_a_plan_is_read_again_as_the_same() -> None:
    for made in (
        planned("margin=50..100:10", "win=19,29", learner="quality:loss=12", seed=7),
        planned("alpha=0.1,0.25", learner="q"),
        planned("pick=uniform-move", learner="reward"),
        planned(),
    ):
        assert Plan.from_document(made.document()) == made
    with pytest.raises(InputError, match="not a sweep"):
        Plan.from_document({"game": "nim:1,2"})
    with pytest.raises(InputError, match="not a sweep"):
        Plan.from_document({**planned().document(), "games": float("inf")})
    with pytest.raises(InputError):
        Plan.from_document({**planned().document(), "grid": {"margin": 5}})


def test_the_order_of_work_changes_nothing_and_training_alone_gives_the_same() -> None:
    made = planned("margin=20,90", repeats=3)
    found = {piece: train(piece) for piece in made.pieces}
    shuffled = random.Random(1).sample(made.pieces, len(made.pieces))
    assert cells(made, {piece: train(piece) for piece in shuffled}) == cells(made, found)
    for cell in cells(made, found):
        assert [seed for seed, _ in cell.runs] == [made.seed_of(cell.setting.learner, repeat) for repeat in range(3)]
        for seed, run in cell.runs:
            assert run == games_needed(GAME, cell.setting.learner, seed, 300)
            assert run.games == 300 or (run.perfect == run.games and run.accuracy == 1)


def test_functions_are_swept_by_their_right_moves_where_no_table_fits() -> None:
    with pytest.raises(InputError, match="the learner ntuple needs no table"):
        plan(parse_game("connect4"), "q", ["alpha=0.1,0.2"], 1, 100, 0)
    made = plan(parse_game("connect4"), "ntuple:tuples=5,length=3", ["step=0.1,0.5"], 2, 200, 0)
    found = cells(made, {piece: train(piece) for piece in made.pieces})
    for cell in found:
        for seed, run in cell.runs:
            training = Training(made.game, cell.setting.learner, seed)
            training.run(200)
            assert training.sample is not None and training.estimator is not None
            assert run.right_moves == training.estimator.right_moves(training.sample)
            assert (run.right_moves_low, run.right_moves_high) == training.sample.interval(run.right_moves)
            assert (run.games, run.accuracy, run.perfect) == (200, None, None)
    keys, runs = keys_of(found[1]), [run.right_moves or 0 for _, run in found[1].runs]
    assert keys["right_moves_mean"] == pytest.approx(sum(runs) / 2) and keys["right_moves_high"] == max(runs)
    assert keys["accuracy_mean"] is keys["never_perfect"] is None and len(keys["runs"]) == 2
    assert keys["runs"][0]["right_moves_low"] < keys["runs"][0]["right_moves"] < keys["runs"][0]["right_moves_high"]
    sentences = "\n".join(map(plain_text, lines_of(swept(made, found))))
    assert "right moves" in sentences and "to perfect" not in sentences and "accuracy" not in sentences
    assert Unit.all_of(made) == (Unit.RIGHT,) and "Most right moves" in best(found, made, Unit.RIGHT, "")
    order = ranked(found, Unit.RIGHT)
    assert found[order[0]].right_moves.median > found[order[1]].right_moves.median
    small = games_needed(GAME, "linear", 1, 50)
    assert small.accuracy is not None and small.right_moves == small.right_moves_low == small.right_moves_high


def test_a_sweep_that_could_measure_nothing_is_refused() -> None:
    with pytest.raises(InputError, match=r"noughts:4x4x4 would measure nothing: this game cannot be solved"):
        plan(parse_game("noughts:4x4x4"), "ntuple:tuples=5,length=3", ["step=0.1,0.5"], 1, 100, 0)


def test_a_cell_says_what_is_known_so_far() -> None:
    made = planned("margin=20,90", repeats=3)
    some = {piece: train(piece) for piece in made.pieces[:3]}
    first, second = cells(made, some)
    assert (len(first.runs), len(second.runs)) == (2, 1)
    keys = keys_of(second)
    assert keys["params"] == {"margin": 90} and keys["accuracy_low"] == keys["accuracy_mean"] == keys["accuracy_high"]
    nothing = keys_of(cells(made, {})[0])
    assert nothing["accuracy_mean"] is None and nothing["games_to_perfect"] is None and nothing["runs"] == []


def test_never_is_more_than_any_number() -> None:
    assert spread([5, 9, 7]) == (7, 5, 9, 0)
    assert spread([5, 9, 7, 8]) == (7.5, 5, 9, 0)
    assert spread([5, None, 7]) == (7, 5, None, 1)
    assert spread([None, 9, 7, None]) == (None, 7, None, 2)
    assert spread([None]) == (None, None, None, 1)
    assert spread([]) == (None, None, None, 0)


def test_a_spread_counts_the_seeds_that_never_got_there() -> None:
    assert ends(spread([7_626, None, 9, None, None]), 5) == "3 of 5 seeds never got there"
    assert ends(spread([5_000, None, 7_000]), 3) == "1 of 3 seeds never got there"
    assert ends(spread([None]), 1) == "1 of 1 seed never got there"
    assert ends(spread([5_000, 7_000]), 2) == "5,000 – 7,000"
    assert ends(spread([5, 5]), 2) == "5"
    assert ends(spread([]), 0) == "–"


def test_every_cell_has_one_place_on_the_page() -> None:
    for grid in (
        [],
        ["margin=5,6,7"],
        ["margin=5,6,7", "win=1,2"],
        ["margin=5,6,7", "win=1,2", "loss=3,4", "high=90,99"],
    ):
        made = planned(*grid)
        laid = panes(made)
        places = sorted(number for pane in laid for row in pane.cells for number in row)
        assert places == list(range(len(made.settings)))
        for pane in laid:
            for value, row in zip(pane.rows, pane.cells, strict=True):
                for other, number in zip(pane.columns, row, strict=True):
                    said = {name: str(value) for name, value in made.settings[number].params.items()}
                    named = dict(part.split("=") for part in pane.title.split(", ") if part)
                    shown = {pane.down: value, pane.across: other, **named}
                    assert {name: value for name, value in shown.items() if name} == said
