"""A sweep: its plan is checked before anything is done, its results are the same whoever does it, and told."""

from __future__ import annotations

import random

import pytest

from nimtui.engine import graph, limits
from nimtui.games import parse_game
from nimtui.learning import sample
from nimtui.learning.sweep import Cell, Needed, Plan, _hold, cells, games_needed, plan, prepare, spread, train
from nimtui.learning.sweep_report import Unit, best, ends, keys, measures, ranked, seeds, sheet, swept
from nimtui.learning.training import Training
from nimtui.progress import SILENT
from nimtui.report.blocks import Report
from nimtui.report.cells import cells as printed
from nimtui.report.document import document, rows_of
from nimtui.report.lines import plain_text
from tests.games.refusal import refusal

GAME = parse_game("nim:5,3")


def planned(*grid: str, learner: str = "quality", repeats: int = 2, games: int = 300, seed: int = 0) -> Plan:
    return plan(GAME, learner, grid, repeats, games, seed)


GRIDS: list[tuple[str, tuple[str, ...], dict[str, list[object]]]] = [
    ("quality", ("margin=50, 70,90", "Win = 19"), {"margin": [50, 70, 90], "win": [19]}),
    ("quality", ("margin=50..100:10,200",), {"margin": [50, 60, 70, 80, 90, 100, 200]}),
    ("quality:start=12", ("margin=1..3", "loss=7..8"), {"margin": [1, 2, 3], "loss": [7, 8]}),
    ("quality", ("margin=1..1000",), {"margin": [*range(1, 1_001)]}),
    ("q", ("alpha=0.1..0.5:0.1",), {"alpha": [0.1, 0.2, 0.3, 0.4, 0.5]}),
    ("reward", ("pick=uniform-move,row-then-count",), {"pick": ["uniform-move", "row-then-count"]}),
    ("quality", (), {}),
]
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
    ("margin=1..1001",): "'margin=1..1001' has more than the 1,000 values allowed",
    ("margin=1..999,1000,1001",): "'margin' has more than the 1,000 values allowed",
    **{(f"margin={wrong}",): "invalid range" for wrong in ("1..x", "1..2..3", "-inf..5", "1..inf", "1..5:inf")},
    ("margin=1..73", "win=1..137"): "the grid has 10,001 cells, more than the 10,000 allowed",
    ("start=40,150",): "start must be from low to high",
}


def test_a_grid_is_read_as_people_type_it_and_a_plan_again_as_the_same() -> None:
    for learner, grid, values in GRIDS:
        made = planned(*grid, learner=learner, seed=7)
        assert made.document()["grid"] == values and Plan.from_document(made.document()) == made
    for wrong in (
        {"game": "nim:1,2"},
        {**planned().document(), "games": float("inf")},
        {**planned().document(), "grid": {"margin": 5}},
    ):
        assert refusal(Plan.from_document, wrong)
    assert "not a sweep" in refusal(Plan.from_document, {"game": "nim:1,2"})


def test_what_is_wrong_with_a_grid_or_cannot_be_swept_is_refused_at_once_in_one_line() -> None:
    assert {grid: line for grid, line in WRONG.items() if line not in refusal(planned, *grid)} == {}
    assert "both fixed" in refusal(planned, "margin=5,6", learner="quality:margin=7")
    assert "unknown learner" in refusal(planned, learner="qualty")
    assert len(planned("margin=1..100", repeats=10_000).settings) == 100
    many = "101 cells × 9,901 repeats are more than the 1,000,000 trainings allowed"
    assert refusal(planned, "margin=1..101", repeats=9_901) == many
    for repeats in (0, 10_001):
        assert "the number of repeats must be from 1 to 10,000" in refusal(planned, repeats=repeats)
    assert "could exceed" in refusal(planned, games=10**10)
    four = parse_game("connect4")
    assert "the learner ntuple needs no table" in refusal(plan, four, "quality", ["margin=1,2"], 1, 10, 0)
    ntuple = "ntuple:tuples=5,length=3", ["step=0.1,0.5"], 1, 100, 0
    nothing = "noughts:4x4x4 would measure nothing: this game cannot be solved"
    assert nothing in refusal(plan, parse_game("noughts:4x4x4"), *ntuple)


def test_cells_and_their_seeds_do_not_depend_on_the_rest_of_the_grid() -> None:
    small, large = planned("margin=50,90"), planned("win=29", "margin=20..90:10", repeats=5)
    assert [setting.learner for setting in small.settings] == ["quality:margin=50", "quality"]
    assert small.settings[0].params == {"margin": 50}
    assert set(small.pieces) < set(large.pieces)
    numbers = [piece.seed for piece in large.pieces]
    assert len(set(numbers)) == len(numbers) == 40 and all(0 <= seed < 2**63 for seed in numbers)
    assert not set(numbers) & {piece.seed for piece in planned("margin=20..90:10", seed=1).pieces}


def test_the_order_of_work_changes_nothing_and_training_alone_gives_the_same() -> None:
    made = planned("margin=20,90", repeats=3)
    _hold.cache_clear()
    found = {piece: train(piece) for piece in made.pieces}
    assert _hold.cache_info().currsize == 1, "the exact values are held between pieces"
    shuffled = random.Random(1).sample(made.pieces, len(made.pieces))
    assert cells(made, {piece: train(piece) for piece in shuffled}) == cells(made, found)
    for cell in cells(made, found):
        assert [seed for seed, _ in cell.runs] == [made.seed_of(cell.setting.learner, repeat) for repeat in range(3)]
        for seed, run in cell.runs:
            assert run == games_needed(GAME, cell.setting.learner, seed, 300)
            assert run.games == 300 or (run.perfect == run.games and run.accuracy == 1)
    first, second = cells(made, {piece: found[piece] for piece in made.pieces[:3]})
    assert (len(first.runs), len(second.runs)) == (2, 1)
    known, nothing = keys(second), keys(cells(made, {})[0])
    assert known["params"] == {"margin": 90}
    assert known["accuracy_low"] == known["accuracy_mean"] == known["accuracy_high"]
    names = ("accuracy_mean", "games_to_perfect", "never_perfect", "never_proof", "runs")
    assert [nothing[name] for name in names] == [None, None, 0, 0, []]


@pytest.mark.parametrize(
    ("name", "games"), [("connect:3x3x3", 50), pytest.param("connect4", 200, marks=pytest.mark.slow)]
)
def test_functions_are_swept_by_their_right_moves_where_no_table_fits(
    name: str, games: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert graph.MOST_BYTES > 100  # loaded before: it takes the limit as a default
    monkeypatch.setattr(limits, "MOST_BYTES", 100)
    game = parse_game(name)
    positions = sample.of(game, SILENT) if name == "connect4" else sample.make(game, 30, 1)
    asked = list[object]()
    monkeypatch.setattr(sample, "of", lambda *words: asked.append(words) or positions)
    made = plan(game, "ntuple:tuples=5,length=3", ["step=0.1,0.5"], 2, games, 0)
    _hold.cache_clear()
    prepare(made)
    found = cells(made, {piece: train(piece) for piece in made.pieces})
    assert asked == [(game, SILENT)] * 5 and _hold.cache_info().currsize == 0
    for cell in found:
        for seed, run in cell.runs:
            training = Training(made.game, cell.setting.learner, seed)
            training.run(games)
            assert run.right_moves == training.estimator.right_moves(training.sample)
            assert (run.right_moves_low, run.right_moves_high) == training.sample.interval(run.right_moves)
            assert (run.games, run.accuracy, run.perfect) == (games, None, None)
    told, runs = keys(found[1]), [run.right_moves or 0 for _, run in found[1].runs]
    assert told["right_moves_mean"] == pytest.approx(sum(runs) / 2) and told["right_moves_high"] == max(runs)
    assert told["accuracy_mean"] is told["never_perfect"] is None and len(told["runs"]) == 2
    assert told["runs"][0]["right_moves_low"] < told["runs"][0]["right_moves"] < told["runs"][0]["right_moves_high"]
    sentences = "\n".join(lines(swept(made, found)))
    assert "right moves" in sentences
    assert not any(word in sentences for word in ("to perfect", "accuracy", "Never"))
    assert Unit.all_of(made) == (Unit.RIGHT,) and "Most right moves" in best(found, made, Unit.RIGHT, "")
    order = ranked(found, Unit.RIGHT)
    assert found[order[0]].right_moves.median > found[order[1]].right_moves.median
    monkeypatch.undo()
    small = games_needed(GAME, "linear", 1, 50)
    assert small.accuracy is not None and small.right_moves == small.right_moves_low == small.right_moves_high


@pytest.mark.parametrize(
    ("games", "found", "text"),
    [
        ([5, 9, 7], (7, 5, 9, 0), "5 – 9"), ([5, 9, 7, 8], (7.5, 5, 9, 0), "5 – 9"),
        ([5_000, 5_000], (5_000, 5_000, 5_000, 0), "5,000"),
        ([5, None, 7], (7, 5, None, 1), "1 of 3 seeds never got there"),
        ([None, 9, 7, None], (None, 7, None, 2), "2 of 4 seeds never got there"),
        ([None], (None, None, None, 1), "1 of 1 seed never got there"), ([], (None, None, None, 0), "–"),
    ],
)  # fmt: skip
def test_never_is_more_than_any_number(games: list[int | None], found: tuple[object, ...], text: str) -> None:
    assert spread(games) == found and ends(spread(games), len(games)) == text


# How it is told: the results of the seeds are written here.

Seed = tuple[int | None, int | None, float]  # games to proof, games to perfect play, accuracy


def swept_plan(*grid: str, repeats: int = 2) -> Plan:
    return plan(parse_game("nim:2,2"), "quality", grid, repeats, 1_000, 0)


def written(made: Plan, *results: list[Seed]) -> list[Cell]:
    return [
        Cell(setting, tuple((7 + at, Needed(*seed[:2], 1_000, seed[2], 0.25)) for at, seed in enumerate(of)))
        for setting, of in zip(made.settings, results, strict=True)
    ]


def lines(report: Report) -> list[str]:
    return [plain_text(line).rstrip() for line in printed(report)]


PLAN = swept_plan("margin=20,90")
RESULTS = written(PLAN, [(9, 100, 1.0), (11, 200, 0.5)], [(None, 50, 1.0), (3, None, 0.75)])


def test_cells_in_print_also_of_an_unfinished_sweep() -> None:
    assert lines(swept(PLAN, RESULTS, 2.5)) == [
        "Nim 2,2 · the last match wins  (nim:2,2)", "quality, seed 0: 4 trainings of at most 1,000 games in 2.50 s", "",
        "margin   to perfect                          range   to proof   accuracy            range",
        "    20          150                      100 – 200         10     75.0 %   50.0 % – 100 %",
        "    90            –   1 of 2 seeds never got there          –     87.5 %   75.0 % – 100 %", "",
        "Medians and ranges. Proof: no mistake in the favoured seat, whatever the", "opponent plays.",
        "Never and –: at least half of a cell's seeds never got there.",
    ]  # fmt: skip
    begun = swept(PLAN, written(PLAN, [(9, 100, 1.0)], []))
    text, told = lines(begun), document(begun)
    assert text[1].startswith("quality, seed 0: 1 of 4 trainings of at most 1,000 games in ")
    assert (told["trainings"], told["of_trainings"]) == (1, 4)
    assert not any(line.startswith("Never and –") for line in text)


def test_a_cell_as_a_document_in_a_sheet_and_as_figures() -> None:
    told = keys(RESULTS[1])
    assert told["params"] == {"margin": 90} and told["learner"] == "quality"
    names = ("games_to_perfect", "games_to_perfect_low", "games_to_perfect_high", "never_perfect")
    assert [told[name] for name in names] == [None, 50, None, 1]
    names = ("accuracy_mean", "accuracy_low", "accuracy_high", "accuracy_median", "unbeaten_mean")
    assert [told[name] for name in names] == [0.875, 0.75, 1.0, 0.875, 0.25]
    [first, second] = rows_of(sheet(RESULTS))
    names = ("margin", "learner", "seeds", "games_to_proof")
    assert [first[name] for name in names] == [20, "quality:margin=20", 2, 10]
    assert (second["margin"], second["never_proof"]) == (90, 1)
    run = {"seed": 7, "games_to_perfect": 50, "games_to_proof": None, "games": 1_000, "accuracy": 1.0, "unbeaten": 0.25}
    assert told["runs"] == rows_of(seeds(RESULTS[1])) and told["runs"][0] == run
    assert {figure.label: (figure.value.text, figure.note) for figure in measures(RESULTS[0])} == {
        "to perfect": ("150", "100 – 200"), "to proof": ("10", "9 – 11"), "accuracy": ("75.0 %", "50.0 % – 100 %"),
        "unbeaten": ("25.0 %", "25.0 %"),
    }  # fmt: skip


TWO: list[list[Seed]] = [[(9, 100, 1.0), (11, 200, 0.5)], [(1, 50, 1.0), (3, 60, 0.75)]]
EQUAL: list[list[Seed]] = [[(9, 100, 1.0), (11, 100, 1.0)], [(1, 100, 1.0), (3, 100, 1.0)]]
NEVER: list[list[Seed]] = [[(9, None, 1.0), (11, None, 0.5)], [(1, None, 1.0), (3, None, 0.75)]]
MEDIAN = " (median of 2 seeds)."


@pytest.mark.parametrize(
    ("results", "unit", "sentence", "order"),
    [
        (TWO, Unit.GAMES, f"Quickest: margin 90, perfect after 55 games{MEDIAN}", [1, 0]),
        (TWO, Unit.SHARE, f"Most accurate: margin 90, with 87.5 %{MEDIAN}", [1, 0]),
        (EQUAL, Unit.GAMES, f"Quickest: margin 20 and 1 other cell, perfect after 100 games{MEDIAN}", [0, 1]),
        (NEVER, Unit.GAMES, "No cell became perfect with most of its seeds. Otherwise.", [0, 1]),
        ([NEVER[0], TWO[1]], Unit.GAMES, f"Quickest: margin 90, perfect after 55 games{MEDIAN}", [1, 0]),
        ([TWO[0], TWO[1][:1]], Unit.GAMES, f"Quickest so far: margin 20, perfect after 150 games{MEDIAN}", [1, 0]),
        ([TWO[0][:1], []], Unit.GAMES, "", [0, 1]),
        ([[], NEVER[0][:1]], Unit.GAMES, "", [1, 0]),
    ],
)
def test_which_cell_is_the_best(results: list[list[Seed]], unit: Unit, sentence: str, order: list[int]) -> None:
    made = written(PLAN, *results)
    assert best(made, PLAN, unit, "Otherwise.") == sentence and ranked(made, unit) == order


@pytest.mark.parametrize(
    ("margins", "repeats", "results", "sentence"),
    [
        ("20,90", 3, [[5, 7, None], [9] * 3], "Quickest median: margin 20, 7 games. Of 3 seeds, 2 got there."),
        # the median alone is a tie
        ("20,90", 3, [[7, 7, None], [7] * 3], "Quickest: margin 90, perfect after 7 games (median of 3 seeds)."),
        ("20", 1, [[5]], ""),  # one cell needs no comparison
        ("20,90", 1, [[5], [9]], "Quickest: margin 20, perfect after 5 games."),
    ],
)
def test_a_best_cell_of_which_not_all_seeds_got_there(
    margins: str, repeats: int, results: list[list[int | None]], sentence: str
) -> None:
    made = swept_plan(f"margin={margins}", repeats=repeats)
    found = written(made, *([(1, games, 1.0) for games in cell] for cell in results))
    assert best(found, made, Unit.GAMES, "") == sentence
