"""What a sweep tells of its cells, of their seeds, and which is the best; the results of the seeds are written here."""

from __future__ import annotations

import pytest

from nimtui.games import parse_game
from nimtui.learning.sweep import Cell, Needed, Plan, plan
from nimtui.learning.sweep_report import Unit, best, keys, measures, ranked, seeds, sheet, swept
from nimtui.report.blocks import Report
from nimtui.report.cells import cells as printed
from nimtui.report.document import document, rows_of
from nimtui.report.lines import plain_text

Seed = tuple[int | None, int | None, float]  # games to proof, games to perfect play, accuracy


def swept_plan(*grid: str, repeats: int = 2) -> Plan:
    return plan(parse_game("nim:2,2"), "quality", grid, repeats, 1_000, 0)


def cells(made: Plan, *results: list[Seed]) -> list[Cell]:
    return [
        Cell(setting, tuple((7 + at, Needed(*seed[:2], 1_000, seed[2], 0.25)) for at, seed in enumerate(of)))
        for setting, of in zip(made.settings, results, strict=True)
    ]


def lines(report: Report) -> list[str]:
    return [plain_text(line).rstrip() for line in printed(report)]


PLAN = swept_plan("margin=20,90")
RESULTS = cells(PLAN, [(9, 100, 1.0), (11, 200, 0.5)], [(None, 50, 1.0), (3, None, 0.75)])


def test_cells_in_print() -> None:
    assert lines(swept(PLAN, RESULTS, 2.5)) == [
        "Nim 2,2 · the last match wins  (nim:2,2)",
        "quality, seed 0: 4 trainings of at most 1,000 games in 2.50 s",
        "",
        "margin   to perfect                          range   to proof   accuracy            range",
        "    20          150                      100 – 200         10     75.0 %   50.0 % – 100 %",
        "    90            –   1 of 2 seeds never got there          –     87.5 %   75.0 % – 100 %",
        "",
        "Medians and ranges. Proof: no mistake in the favoured seat, whatever the",
        "opponent plays.",
        "Never and –: at least half of a cell's seeds never got there.",
    ]


def test_a_cell_as_a_document_and_in_a_sheet() -> None:
    document_of = keys(RESULTS[1])
    assert document_of["params"] == {"margin": 90} and document_of["learner"] == "quality"
    names = ("games_to_perfect", "games_to_perfect_low", "games_to_perfect_high", "never_perfect")
    assert [document_of[name] for name in names] == [None, 50, None, 1]
    names = ("accuracy_mean", "accuracy_low", "accuracy_high", "accuracy_median", "unbeaten_mean")
    assert [document_of[name] for name in names] == [0.875, 0.75, 1.0, 0.875, 0.25]
    [first, second] = rows_of(sheet(RESULTS))
    assert (first["margin"], first["learner"], first["seeds"], first["games_to_proof"]) == (
        20,
        "quality:margin=20",
        2,
        10,
    )
    assert (second["margin"], second["never_proof"]) == (90, 1)
    assert document_of["runs"] == rows_of(seeds(RESULTS[1]))
    assert document_of["runs"][0] == {
        "seed": 7,
        "games_to_perfect": 50,
        "games_to_proof": None,
        "games": 1_000,
        "accuracy": 1.0,
        "unbeaten": 0.25,
    }


def test_the_figures_of_a_cell() -> None:
    figures = {figure.label: (figure.value.text, figure.note) for figure in measures(RESULTS[0])}
    assert figures == {
        "to perfect": ("150", "100 – 200"),
        "to proof": ("10", "9 – 11"),
        "accuracy": ("75.0 %", "50.0 % – 100 %"),
        "unbeaten": ("25.0 %", "25.0 %"),
    }


def test_an_unfinished_sweep_says_how_much_is_done() -> None:
    begun = cells(PLAN, [(9, 100, 1.0)], [])
    text = lines(swept(PLAN, begun))
    assert text[1].startswith("quality, seed 0: 1 of 4 trainings of at most 1,000 games in ")
    assert document(swept(PLAN, begun))["trainings"] == 1 and document(swept(PLAN, begun))["of_trainings"] == 4
    assert not any(line.startswith("Never and –") for line in text)
    assert any(line.startswith("Never and –") for line in lines(swept(PLAN, RESULTS)))


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
        ([TWO[0], TWO[1][:1]], Unit.GAMES, f"Quickest so far: margin 20, perfect after 150 games{MEDIAN}", [1, 0]),
        ([TWO[0][:1], []], Unit.GAMES, "", [0, 1]),
        ([[], NEVER[0][:1]], Unit.GAMES, "", [1, 0]),
    ],
)
def test_which_cell_is_the_best(results: list[list[Seed]], unit: Unit, sentence: str, order: list[int]) -> None:
    made = cells(PLAN, *results)
    assert best(made, PLAN, unit, "Otherwise.") == sentence
    assert ranked(made, unit) == order


def test_a_best_cell_that_did_not_always_get_there() -> None:
    made = swept_plan("margin=20,90", repeats=3)
    results = cells(made, [(1, 5, 1.0), (1, 7, 1.0), (None, None, 0.5)], [(1, 9, 1.0)] * 3)
    assert best(results, made, Unit.GAMES, "") == "Quickest median: margin 20, 7 games. Of 3 seeds, 2 got there."
    results = cells(made, [(1, 7, 1.0), (1, 7, 1.0), (None, None, 0.5)], [(1, 7, 1.0)] * 3)  # the median alone is a tie
    assert best(results, made, Unit.GAMES, "") == "Quickest: margin 90, perfect after 7 games (median of 3 seeds)."
    alone = swept_plan("margin=20", repeats=1)
    assert best(cells(alone, [(1, 5, 1.0)]), alone, Unit.GAMES, "") == "", "one cell needs no comparison"
    single = swept_plan("margin=20,90", repeats=1)
    results = cells(single, [(1, 5, 1.0)], [(1, 9, 1.0)])
    assert best(results, single, Unit.GAMES, "") == "Quickest: margin 20, perfect after 5 games."
