"""Asking for a sweep: what is said of each field while it is typed, what comes out, and what is written of a sweep."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from pathlib import Path

import pytest

from nimtui.errors import InputError
from nimtui.foreign.reading import new_file
from nimtui.jobs.sweep import Sweep
from nimtui.ui.kit.forms.kept import write_new
from nimtui.ui.sweep.form import SweepDraft
from nimtui.ui.sweep.setup import FORMATS, PRESETS, SweepSetup, contents, saved_sweeps, suggested
from nimtui.ui.sweep.view import Place
from tests.ui.sweeping import DEEP, SMALL, Threads

USUAL = SweepDraft.of(PRESETS[0].setup)


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.title)
def test_every_preset_can_be_begun_and_is_the_same_after_the_form(preset: object) -> None:
    setup = preset.setup  # type: ignore[attr-defined]
    draft = SweepDraft.of(setup)
    assert all(finding.right for finding in draft.check().values())
    plan = draft.setup().plan()
    assert plan == setup.plan()
    assert list(plan.grid.values) == list(setup.plan().grid.values)  # in the same order on the page
    assert SweepSetup.of(plan).plan() == plan


@pytest.mark.parametrize(
    ("field", "text", "right", "said"),
    [
        ("game", "tower:9", True, "Tower"),
        ("game", "connect4", False, ""),
        ("learner", "qualty", False, "did you mean quality"),
        ("learner", "quality:margin=5", False, "their own fields"),
        ("margin", "50..100:10", True, "6 values"),
        ("margin", "90", True, "plays any move"),
        ("margin", "", False, "no values"),
        ("margin", "50,,70", False, "empty value"),
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
    assert bool(wrong) is not right
    assert said in findings[wrong[0] if wrong else field].text


def test_too_large_a_grid_is_refused_and_its_size_is_told() -> None:
    assert USUAL.size == "36 cells × 5 repeats: 180 trainings"
    large = USUAL.with_text("start", "0..99").with_text("sure", "1001..1100")
    wrong = [finding.text for finding in large.check().values() if not finding.right]
    assert "10,000 allowed" in wrong[0] and large.size == ""


def test_one_value_is_the_same_in_all_cells_and_others_are_kept() -> None:
    draft = USUAL.with_text("win", "19").with_text("learner", "q").with_text("learner", "quality")
    setup = draft.setup()
    assert setup.learner == "quality:win=19" and setup.grid == ("margin=50,70,90,100", "loss=5,11,17")


def test_what_is_offered_is_right() -> None:
    for preset in PRESETS:
        draft = SweepDraft.of(preset.setup)
        for field in draft.fields:
            for offer in draft.offers(field):
                taken = draft.with_text(field, offer.value)
                assert taken.check()[field].right, (preset.title, field, offer)


def test_the_way_about_among_cells_and_grids() -> None:
    place = Place(DEEP.plan())
    assert [len(place.grids), place.at] == [3, (0, 0, 0)]
    assert place.moved(1, 1).at == (0, 1, 1) and place.moved(-1, -1).at == (0, 0, 0)
    assert place.moved(2, 0).at == (1, 0, 0) and place.moved(2, 0).moved(-1, 0).at == (0, 1, 0)
    assert place.moved(99, 9).at == (2, 1, 1) and place.other_grid(2).other_grid(9).at == (2, 0, 0)
    seen = {replace(place, at=(g, r, c)).number for g in range(3) for r in range(2) for c in range(2)}
    assert seen == set(range(12))


def test_what_is_written_and_that_nothing_is_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Threads.gate.set()
    plan = SMALL.plan()
    view = Sweep(plan, None, Threads).work()
    table = write_new(new_file(next(iter(suggested(plan))), tuple(FORMATS)), contents(".csv", plan, view.cells))
    assert table.name == "sweep-nim-3-2-1-quality.csv"
    assert list(suggested(plan)) == ["sweep-nim-3-2-1-quality-2.csv", "sweep-nim-3-2-1-quality.json"]
    with table.open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["margin"] for row in rows] == ["50", "50", "90", "90"] and rows[0]["seeds"] == "2"
    found = json.loads(write_new(tmp_path / "a.json", contents(".json", plan, view.cells)).read_text())
    assert found["trainings"] == 8 and len(found["cells"][3]["runs"]) == 2
    for name, said in (
        ("a.json", "already"),
        ("a.txt", ".csv or .json"),
        ("", "name a file"),
        ("gone/a.csv", "no folder"),
        ("~nobody-of-this-name/a.csv", "no folder"),
        ("a" * 300 + ".csv", "too long"),
        ("a\0.csv", "not a valid file name"),
        ("a\ud800.csv", "not a valid file name"),
        ("a.json/b.csv", "no folder"),
    ):
        with pytest.raises(InputError, match=said):
            new_file(name, tuple(FORMATS))
    with pytest.raises(InputError):
        write_new(tmp_path / "a.json", "")


def test_files_that_are_no_sweeps_are_listed_and_left_alone(home: Path) -> None:
    assert saved_sweeps() == []
    (home / "sweeps").mkdir()
    (home / "sweeps" / "odd.jsonl").write_text("nothing\n")
    [kept] = saved_sweeps()
    assert kept.finished and "not a sweep" in kept.detail
    assert (home / "sweeps" / "odd.jsonl").read_text() == "nothing\n"
