"""A sweep without an app: heat maps, the marked cell, the ranking, the lines; the form, and what is written."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from nimtui.errors import InputError
from nimtui.foreign.reading import new_file
from nimtui.jobs.sweep import Sweep, View, plan_of
from nimtui.jobs.work import State
from nimtui.learning.sweep import Cell, Needed
from nimtui.learning.sweep_report import Unit
from nimtui.report.lines import Ink, plain_text, width
from nimtui.store import sweeps
from nimtui.ui.kit.forms.kept import write_new
from nimtui.ui.kit.terminal.glyphs import ASCII, UNICODE, Glyphs
from nimtui.ui.sweep import heat, view
from nimtui.ui.sweep.heat import Grid, Pane, Reading, paint, panes, text
from nimtui.ui.sweep.screen import SweepDraft
from nimtui.ui.sweep.setup import FORMATS, PRESETS, SweepSetup, contents, saved_sweeps, suggested
from nimtui.ui.sweep.view import Place
from tests.ui.drawn import as_drawn, limits, outline
from tests.ui.shelving import keep_sweep
from tests.ui.sweeping import DEEP, SMALL, Threads


def grid(cells: list[list[Reading]], title: str = "", down: str = "margin", across: str = "loss") -> Grid:
    rows, columns = (tuple(str(50 + 10 * at) for at in range(many)) for many in (len(cells), len(cells[0])))
    return Grid(down, across, rows if down else ("",), columns, tuple(map(tuple, cells)), title)


MIXED = grid(
    [
        [Reading(), Reading()],
        [Reading(1_000.0), Reading(100_000.0)],
        [Reading(10_000.0, done=False), Reading(done=False)],
    ],
    "win 29",
)
UNSURE = grid([[Reading(10.0, done=False), Reading(1_000.0, done=False)]])
SHARES = grid([[Reading(0.9), Reading(0.99999), Reading(0.5)]], down="")
BROAD = grid([[Reading(number + 5.0) for number in range(20)]], down="", across="alpha")
HIGH = grid([[Reading(number + 10.0)] for number in range(30)])
OTHER = grid([[Reading(10.0), Reading(20.0)]], "win 40")
GAMES = Unit.GAMES


@pytest.mark.parametrize(
    ("name", "grids", "unit", "columns", "rows", "signs", "more"),
    [
        ("numbers, shades, the best", [MIXED], GAMES, 78, 20, UNICODE, {}),
        ("the chosen one, ASCII", [MIXED], GAMES, 60, 20, ASCII, {"chosen": (0, 1, 1)}),
        ("accuracy, never rounded up", [SHARES], Unit.SHARE, 78, 20, UNICODE, {}),
        ("bands common to two grids", [MIXED, OTHER], GAMES, 78, 20, UNICODE, {}),
        ("side by side", [MIXED] * 3, GAMES, 120, 12, UNICODE, {"chosen": (1, 1, 0)}),
        ("one more has no room", [MIXED] * 3, GAMES, 40, 17, UNICODE, {}),
        ("a blank line is worth less than a grid", [OTHER] * 3, GAMES, 30, 15, UNICODE, {}),
        ("from the chosen grid on", [MIXED, OTHER], GAMES, 40, 9, UNICODE, {"chosen": (1, 0, 1)}),
        ("columns around the chosen one", [BROAD], GAMES, 40, 9, UNICODE, {"chosen": (0, 0, 19)}),
        ("rows around the chosen one", [HIGH], GAMES, 40, 12, UNICODE, {"chosen": (0, 25, 0)}),
        ("the first rows", [HIGH], GAMES, 40, 12, UNICODE, {}),
        ("large cells", [MIXED], GAMES, 70, 20, UNICODE, {"chosen": (0, 1, 0), "large": True}),
        ("two large grids", [MIXED, OTHER], GAMES, 60, 30, UNICODE, {"large": True}),
        ("small where large ones do not fit", [MIXED] * 4, GAMES, 40, 14, UNICODE, {"large": True}),
        ("a chosen one that is the best, without grounds", [OTHER], GAMES, 60, 9, ASCII, {"chosen": (0, 0, 0)}),
        ("a chosen one without a number, ASCII", [MIXED], GAMES, 60, 20, ASCII, {"chosen": (0, 2, 1)}),
        ("never, large", [MIXED], GAMES, 70, 20, UNICODE, {"chosen": (0, 0, 1), "large": True}),
        ("large, ASCII", [MIXED], GAMES, 70, 20, ASCII, {"chosen": (0, 0, 1), "large": True}),
        ("three abreast and one below", [OTHER, MIXED, OTHER, OTHER], GAMES, 100, 20, UNICODE, {"large": True}),
        ("all are equal", [grid([[Reading(7.0), Reading(7.0)]])], GAMES, 60, 9, UNICODE, {}),
        ("none is final", [UNSURE], GAMES, 60, 9, UNICODE, {}),
        ("nothing yet", [grid([[Reading(done=False)]])], GAMES, 60, 9, UNICODE, {}),
        ("never so far", [grid([[Reading(), Reading(done=False)]])], GAMES, 60, 9, UNICODE, {}),
        ("no grid", [], GAMES, 60, 9, UNICODE, {}),
    ],
)
def test_heat_maps(name: str, grids: Any, unit: Unit, columns: int, rows: int, signs: Glyphs, more: Any) -> None:
    lines = paint(grids, unit, columns, rows, signs, **more)
    assert len(lines) <= rows and all(width(shown) <= columns for shown in lines)
    as_drawn("sweep", f"heat: {name}", lines)


@pytest.mark.parametrize(
    ("name", "grids", "columns", "rows", "more"),
    [
        ("one grid", [MIXED], range(1, 50), (20,), {}),
        ("one grid, large", [MIXED], range(20, 70, 2), (9, 20), {"large": True}),
        ("lines of one grid", [MIXED], (60,), range(14), {}),
        ("lines of high ones", [HIGH, MIXED], (40,), range(0, 44, 2), {"chosen": (0, 25, 0)}),
        ("lines of three", [MIXED] * 3, (40, 90), range(0, 30, 2), {}),
        ("lines of three, the last one chosen", [OTHER, MIXED, OTHER], (40,), range(24), {"chosen": (2, 0, 0)}),
        ("lines of large ones", [OTHER, MIXED], (60,), range(24), {"large": True}),
        ("columns", [BROAD], range(20, 140, 2), (9,), {"chosen": (0, 0, 4)}),
        ("large ones in ASCII", [MIXED], range(20, 70), (20,), {"large": True, "signs": ASCII}),
    ],
)
def test_where_the_layout_of_heat_maps_changes(name: str, grids: Any, columns: Any, rows: Any, more: Any) -> None:
    def layout(wide: int, high: int) -> str:
        return outline(paint(grids, GAMES, wide, high, **{"signs": UNICODE, **more}))

    as_drawn("sweep", f"sizes of heat maps: {name}", limits(layout, columns, rows))


def test_tiny_rooms_do_no_harm_grids_that_just_fit_are_all_shown_and_plain_text_has_all_rows() -> None:
    for columns, rows in ((3, 1), (1, 9), (20, 6)):
        lines = paint([MIXED] * 3, GAMES, columns, rows, UNICODE, large=True)
        assert len(lines) <= rows and all(width(shown) <= columns for shown in lines)
    whole = [plain_text(each) for each in paint([MIXED, OTHER], GAMES, 40, 50, UNICODE)]
    shown = paint([MIXED, OTHER], GAMES, 40, len(whole), UNICODE, (1, 0, 0))  # whichever is chosen
    assert [plain_text(each) for each in shown] == whole
    lines = text([HIGH, MIXED], GAMES, UNICODE)
    assert sum("more" in shown for shown in lines) == 0 and len(lines) == 30 + 2 + 3 + 3 + 2 + 1 + 1
    assert lines == [shown.rstrip() for shown in lines]


def test_only_a_finished_cell_is_the_best() -> None:
    lines = paint([grid([[Reading(10.0), Reading(10.0, done=False)]])], GAMES, 60, 9, UNICODE)
    assert "".join(map(plain_text, lines[:-1])).count(UNICODE.cursor) == 1


def test_cells_of_two_units_stand_in_the_same_columns_without_gaps_and_their_heads_in_the_middle() -> None:
    shares = MIXED._replace(cells=tuple(tuple(replace(cell, value=0.986) for cell in row) for row in MIXED.cells))
    drawn = [paint([each], unit, 90, 20, UNICODE, large=True) for each, unit in ((MIXED, GAMES), (shares, Unit.SHARE))]
    rows = [next(shown for shown in lines if any(run.ground for run in shown)) for lines in drawn]
    grounds = [[run.ground is not None for run in row for _ in run.text] for row in rows]
    assert grounds[0] == grounds[1] and grounds[0][grounds[0].index(True) :].count(False) == 0
    middle = (grounds[0].index(True) + len(grounds[0])) // 2
    head = next(text for text in map(plain_text, drawn[0]) if MIXED.across in text)
    assert abs((head.index(MIXED.across) + len(head.rstrip())) // 2 - middle) <= 1


@pytest.mark.parametrize(
    ("grids", "columns", "rows"), [([MIXED], 78, 40), ([MIXED, OTHER], 60, 30), ([MIXED] * 3, 120, 12)]
)
def test_the_cell_at_a_place_is_the_one_that_is_drawn_there(grids: Any, columns: int, rows: int) -> None:
    sizes = [(at, len(each.cells), len(each.cells[0])) for at, each in enumerate(grids)]
    for chosen in [(at, y, x) for at, high, wide in sizes for y in range(high) for x in range(wide)]:
        lines = paint(grids, GAMES, columns, rows, UNICODE, chosen, large=True)
        signs = [[run.ground for run in shown for _ in run.text] for shown in lines]
        spots = [(x, y) for y, shown in enumerate(signs) for x, ground in enumerate(shown) if ground is Ink.WHERE]
        targets = [[run.target for run in shown for _ in run.text] for shown in lines]
        assert spots and {targets[y][x] for x, y in spots} == {chosen}
        assert sum(target == chosen for shown in targets for target in shown) == len(spots)
    lines = paint([HIGH], GAMES, 40, 12, UNICODE, (0, 25, 0))
    [marked] = {run.target for shown in lines for run in shown if run.ground is Ink.WHERE}
    assert marked == (0, 25, 0), "where rows are left out, too"


def test_the_panes_of_a_plan() -> None:
    def pane(*grid: str) -> tuple[Pane[int], ...]:
        return panes(SweepSetup("nim:2,1", "quality", grid).plan())

    assert pane() == (Pane("", "", ("",), ("",), ((0,),)),)
    assert pane("margin=50,90") == (Pane("", "margin", ("",), ("50", "90"), ((0, 1),)),)
    first, second = pane("margin=50,90", "win=19,29", "loss=5,11")
    assert first == Pane("margin", "win", ("50", "90"), ("19", "29"), ((0, 2), (4, 6)), "loss=5")
    assert (second.cells, second.title) == (((1, 3), (5, 7)), "loss=11")
    plan = DEEP.plan()
    cells = [Cell(setting, ()) for setting in plan.settings]
    cells[7] = Cell(plan.settings[7], ((1, Needed(40, 50, 60, 0.5, 1.0)),))
    grids = heat.grids(panes(plan), cells, 1, GAMES)
    assert [(g.title, g.cells[1][0]) for g in grids] == [
        ("loss=5", Reading(done=False)), ("loss=11", Reading(50.0)), ("loss=17", Reading(done=False))
    ]  # fmt: skip
    assert heat.grids(panes(plan), cells, 2, GAMES)[1].cells[1][0] == Reading(50.0, done=False)


def test_the_way_about_among_cells_and_grids() -> None:
    place = Place(DEEP.plan())
    assert [len(place.grids), place.at] == [3, (0, 0, 0)]
    assert place.moved(1, 1).at == (0, 1, 1) and place.moved(-1, -1).at == (0, 0, 0)
    assert place.moved(2, 0).at == (1, 0, 0) and place.moved(2, 0).moved(-1, 0).at == (0, 1, 0)
    assert place.moved(99, 9).at == (2, 1, 1) and place.other_grid(2).other_grid(9).at == (2, 0, 0)
    assert place.other_grid(-1).at == (0, 0, 0) and place.moved(1, 1).other_grid(1).at == (1, 1, 1)
    seen = [replace(place, at=(g, r, c)).number for g in range(3) for r in range(2) for c in range(2)]
    assert seen == [0, 3, 6, 9, 1, 4, 7, 10, 2, 5, 8, 11]
    assert place.turned().unit is Unit.SHARE and place.turned().turned() == place


# The marked cell, the ranking and the lines.

PLAN = SMALL.plan()


def cell(number: int, *needed: int | None) -> Cell:
    runs = tuple((seed, Needed(games, games, 500, 0.5 + number / 10, 1.0)) for seed, games in enumerate(needed))
    return Cell(PLAN.settings[number], runs)


CELLS = (cell(0, 90, 70), cell(1, None, None), cell(2, 40), cell(3))


def conductor(state: State = State.GOING, done: int = 3, fault: str = "", **more: Any) -> Any:
    task = SimpleNamespace(plan=PLAN, view=View(CELLS, done, 8), fault=fault)
    usual = {"plan": PLAN, "task": task, "view": task.view, "state": state, "message": "", "left": 61.0, "at_work": 2}
    return SimpleNamespace(**{**usual, **more})


NOTHING, PLACE = conductor(plan=None, task=None, view=None), Place(PLAN)
LINES = {
    "status": view.status(conductor()), "status: none": view.status(NOTHING), "progress": view.progress(conductor()),
    "progress: preparing": view.progress(conductor(State.PREPARING, 0, at_work=1)),
    "progress: paused": view.progress(conductor(State.PAUSED)),
    "progress: finished": view.progress(conductor(State.FINISHED, 8)), "progress: none": view.progress(NOTHING),
    "said: the best cell": view.message(conductor(), PLACE),
    "said: by accuracy": view.message(conductor(), PLACE.turned()),
    "said: a message": view.message(conductor(message="Written"), PLACE), "said: none": view.message(NOTHING, None),
}  # fmt: skip


@pytest.mark.parametrize(
    ("name", "paint", "columns", "rows", "signs"),
    [
        ("cell: all seeds, beside the map", view.figures(CELLS[0], 2), 50, 20, UNICODE),
        ("cell: narrow", view.figures(CELLS[0], 2), 43, 20, UNICODE),
        ("cell: few lines below the map", view.figures(CELLS[0], 2), 80, 11, UNICODE),
        ("cell: one line more", view.figures(CELLS[0], 2), 80, 12, UNICODE),
        ("cell: cut", view.figures(CELLS[0], 2), 80, 3, UNICODE),
        ("cell: never", view.figures(CELLS[1], 2), 50, 20, ASCII),
        ("cell: one of two seeds", view.figures(CELLS[2], 2), 50, 20, UNICODE),
        ("cell: none yet", view.figures(CELLS[3], 2), 50, 20, UNICODE),
        ("cell: many seeds", view.figures(cell(0, *range(10, 200, 10)), 19), 60, 14, UNICODE),
        ("ranking: by games", view.ranking(CELLS, 2, GAMES, 1), 40, 9, UNICODE),
        ("ranking: by accuracy, ASCII", view.ranking(CELLS, 2, Unit.SHARE, 2), 40, 9, ASCII),
        ("ranking: the chosen one in sight", view.ranking(CELLS, 2, GAMES, 3), 40, 4, UNICODE),
        ("said: a fault", view.message(conductor(fault="the disk is full"), PLACE), 80, 1, UNICODE),
        ("picture", view.picture(PLACE.moved(1, 1), CELLS), 60, 12, UNICODE),
        *(
            (f"{name}, {columns} columns", paint, columns, 1, UNICODE)
            for name, paint in LINES.items()
            for columns in (100, 36)
        ),
    ],
)
def test_cells_ranking_and_the_lines_above_and_below(
    name: str, paint: Any, columns: int, rows: int, signs: Glyphs
) -> None:
    as_drawn("sweep", name, paint(columns, rows, signs))


# The form.

USUAL = SweepDraft.of(PRESETS[0].setup)


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.title)
def test_every_preset_can_be_begun_and_is_the_same_after_the_form(preset: Any) -> None:
    draft = SweepDraft.of(preset.setup)
    assert preset.title[0].isupper() and not preset.about[0].isupper()
    assert all(finding.right for finding in draft.check().values())
    plan = draft.setup().plan()
    assert plan == preset.setup.plan() == SweepSetup.of(plan).plan()
    assert list(plan.grid.values) == list(preset.setup.plan().grid.values)  # in the same order on the page
    assert SweepSetup.of(plan, 3) == replace(preset.setup, grid=SweepSetup.of(plan).grid, workers=3)
    for field in draft.fields:
        for offer in draft.offers(field):
            assert draft.with_text(field, offer.value).check()[field].right, (field, offer)


@pytest.mark.parametrize(
    ("field", "text", "right", "said"),
    [
        ("game", "tower:9", True, "Tower"),
        ("game", "connect4", False, "the learner ntuple needs no table"),
        ("learner", "qualty", False, "did you mean quality"),
        ("learner", "quality:margin=5", False, "their own fields"),
        ("margin", "50..100:10", True, "6 values"),
        ("margin", "90", True, "plays any move"),
        ("margin", "", False, "no values"),
        ("margin", "50,50", False, "twice"),
        ("margin", "0,50", False, "margin must be from 1"),
        ("low", "0,60", False, "start must be from low to high"),  # one of the cells contradicts itself
        ("repeats", "0", False, "from 1 to 10,000"),
        ("repeats", "10,000", True, "its own seed"),
        ("games", "30,000", True, "maximum per training"),
        ("games", "many", False, "whole number"),
        ("seed", "-1", False, "the seed"),
        ("workers", "all", True, "one process per core"),
        ("workers", "0", False, "workers"),
    ],
)
def test_each_field_is_checked_as_it_is_typed(field: str, text: str, right: bool, said: str) -> None:
    findings = USUAL.with_text(field, text).check()
    wrong = [name for name, finding in findings.items() if not finding.right]
    assert bool(wrong) is not right and said in findings[wrong[0] if wrong else field].text


def test_a_learner_with_a_function_is_swept_on_any_game_that_is_offered() -> None:
    draft = USUAL.with_text("learner", "linear").with_text("step", "0.1,0.2")
    offered = [offer.value for offer in draft.offers("game")]
    assert {"connect4", "tower:16"} <= set(offered)
    for game in offered:
        assert all(finding.right for finding in draft.with_text("game", game).check().values()), game


def test_the_size_of_a_grid_is_told_and_too_large_a_one_refused() -> None:
    assert USUAL.size == "36 cells × 5 repeats: 180 trainings"
    assert USUAL.with_text("repeats", "1").with_text("margin", "50").size == "9 cells × 1 repeat: 9 trainings"
    large = USUAL.with_text("start", "0..99").with_text("sure", "1001..1100")
    wrong = [finding.text for finding in large.check().values() if not finding.right]
    assert "10,000 allowed" in wrong[0] and large.size == ""


def test_one_value_is_the_same_in_all_cells_and_others_are_kept() -> None:
    setup = USUAL.with_text("win", "19").with_text("learner", "q").with_text("learner", "quality").setup()
    assert setup.learner == "quality:win=19" and setup.grid == ("margin=50,70,90,100", "loss=5,11,17")
    assert USUAL.with_text("win", "29").setup().learner == "quality", "the default is not written"
    assert USUAL.with_text("start", "500,600").setup().grid[-1] == "start=500,600", "what is varied later comes last"


def test_values_are_offered_around_the_default() -> None:
    offers = {field: [offer.value for offer in USUAL.offers(field)] for field in ("margin", "start")}
    assert offers == {"margin": ["90", "45,90,180", "22,45,90,180,360"], "start": ["50", "25,50,100", "12,25,50,100"]}
    real = [offer.value for offer in USUAL.with_text("learner", "q").offers("alpha")]
    assert real == ["0.5", "0.25,0.5,1.0", "0.125,0.25,0.5,1.0"]
    assert USUAL.check()["seed"].text == "same seed, same results"
    every = USUAL.with_text("learner", "proof").offers("memory")[1]
    assert (every.value, every.label) == ("successors,played", "all")
    assert USUAL.hint("margin").endswith("; several (50,70,90 or 50..100:10) make the grid")


# Files.


def test_what_is_written_and_that_nothing_is_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    table = write_new(new_file(next(iter(suggested(PLAN))), tuple(FORMATS)), contents(".csv", PLAN, CELLS))
    assert table.name == "sweep-nim-3-2-1-quality.csv"
    assert list(suggested(PLAN)) == ["sweep-nim-3-2-1-quality-2.csv", "sweep-nim-3-2-1-quality.json"]
    rows = list(csv.DictReader(table.read_text().splitlines()))
    assert [row["margin"] for row in rows] == ["50", "50", "90", "90"] and rows[0]["seeds"] == "2"
    found = json.loads(write_new(tmp_path / "a.json", contents(".json", PLAN, CELLS)).read_text())
    assert found["trainings"] == 5 and len(found["cells"][1]["runs"]) == 2
    wrong = {"a.json": "already", "a.txt": ".csv or .json", "": "name a file", "gone/a.csv": "no folder"}
    for name, said in wrong.items():
        with pytest.raises(InputError, match=said):
            new_file(name, tuple(FORMATS))
    with pytest.raises(InputError):
        write_new(tmp_path / "a.json", "")


def test_saved_sweeps_say_what_is_left_and_other_files_are_left_alone(home: Path) -> None:
    assert saved_sweeps() == []
    keep_sweep()
    Threads.gate.set()
    with sweeps.Log(keep_sweep("done.jsonl")) as log:
        Sweep(plan_of(log), log, Threads).work()
    (home / "sweeps" / "odd.jsonl").write_text("nothing\n")
    kept = {one.path.name: one for one in saved_sweeps()}
    assert kept["swept.jsonl"].title == "nim:3,2,1 · quality · margin × win" and not kept["swept.jsonl"].finished
    assert kept["swept.jsonl"].detail.startswith("4 of 4 left · today")
    assert kept["done.jsonl"].finished and kept["done.jsonl"].detail.startswith("finished · today")
    assert kept["odd.jsonl"].finished and "not a sweep" in kept["odd.jsonl"].detail
    assert (home / "sweeps" / "odd.jsonl").read_text() == "nothing\n"


def test_without_a_learner_there_is_no_plan_and_the_command_runs_the_setup() -> None:
    with pytest.raises(InputError, match="name a learner, for example quality"):
        replace(SMALL, learner=" ").plan()
    assert replace(SMALL, workers=3).command.text == (
        "nimtui sweep nim:3,2,1 --learner quality --grid margin=50,90 --grid win=19,29 --repeats 2 --games 2000 "
        "--seed 1 --workers 3"
    )
