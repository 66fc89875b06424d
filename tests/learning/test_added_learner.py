"""Adding a learner is one new file; one that is wrong gets a line, and one that raises leaves its checkpoint sound."""

from __future__ import annotations

import inspect
import shutil
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from nimtui.cli.new import Kind, template
from nimtui.errors import InputError
from nimtui.games import parse_game
from nimtui.jobs import JobState
from nimtui.jobs.job import Job
from nimtui.learning import learner, opponents, parse_learner
from nimtui.learning.learner import learners, spec
from nimtui.learning.run import Run
from nimtui.learning.table import Table
from nimtui.learning.training import Training
from nimtui.progress import SILENT
from nimtui.store import StoreError
from tests.games.refusal import refusal
from tests.learning import menace, total
from tests.learning.helpers import same_tables


@pytest.fixture(autouse=True)
def apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a test adds is gone after it."""
    monkeypatch.setattr(learner, "_added", [])


def test_it_is_named_like_the_others() -> None:
    assert "unknown learner 'menace'" in refusal(parse_learner, "menace")
    learner.add(menace)
    learner.add(menace)  # once more changes nothing
    assert learners()["menace"] is menace
    assert spec(parse_learner("menace:win=3,share=0.5")) == "menace:share=0.5"
    assert parse_learner("menace:beads=7") == menace.Menace(beads=7)
    for wrong, said in (("menace:beads=0", "from 1 to 100"), ("mennace", "did you mean menace")):
        assert said in refusal(parse_learner, wrong)


@pytest.mark.slow
def test_it_runs_compiled_and_interpreted_alike_learns_and_is_kept(tmp_path: Path) -> None:
    learner.add(menace)
    for text, name in product(("menace", "menace:beads=2,win=9,share=0.4"), ("nim:7,5,3", "connect:3x3x3")):
        training = Training(parse_game(name), text, 8)
        training.run(700)
        slow = opponents.train_interpreted(training.game, text, 700, 8)
        assert len(set(slow.cells.tolist())) > 5 and same_tables(slow, training.table)
    training = Training(parse_game("nim:4,3,2"), "menace", 1)
    training.run(30_000)
    assert training.standing().accuracy > (training.curve[0].accuracy or 0) + 0.3
    training.save(tmp_path / "run.npz")
    assert same_tables(Training.load(tmp_path / "run.npz").table, training.table)
    often = Training(parse_game("nim:4,3,2"), "menace:win=100")
    assert "could exceed 2,147,483,647" in refusal(often.run, 30_000_000)


SOURCE = inspect.getsource(menace)


def other(word: str, *changes: tuple[str, str]) -> str:
    """The same learner under another name, with changes."""
    text = SOURCE.replace('"menace"', f'"{word}"').replace("Menace", word.capitalize())
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return text


def test_the_learners_of_a_folder_take_part_and_each_wrong_one_gets_a_line(tmp_path: Path) -> None:
    shutil.copy(Path(menace.__file__), tmp_path / "matchboxes.py")
    wrong = {
        "lame": ("NAME = 'lame'\n", "lacks: ABOUT, PARAMETERS, LEARNER, choose, update"),
        "broken": ("import nothing_of_this_name\n", "nothing_of_this_name"),
        "fields": (other("fields", ('    "win": P', '    "gain": P')), "with the fields of PARAMETERS"),
        "taken": (other("taken", ('"taken"', '"quality"')), "its name is taken by nimtui.learning.learners.quality"),
        "zz_twice": (SOURCE.replace('"menace"', '"twice"'), "its name is taken by nimtui_learners_matchboxes"),
        "spaced": (SOURCE.replace('"menace"', '"my word"'), "NAME must be a word in lowercase"),
        "listed": (other("listed", ("PARAMETERS = {", "PARAMETERS = []\nHIDDEN = {")), "PARAMETERS must be a dict"),
        "short": (
            inspect.getsource(total).replace("PARAMETERS = steps.PARAMETERS", "PARAMETERS = {}"),
            "lacks parameters of nimtui.learning.steps: step, last",
        ),
        "ends": ("raise SystemError('a line\\nand another')\n", "SystemError"),
    }
    for name, (text, _) in wrong.items():
        (tmp_path / f"{name}.py").write_text(text)
    (tmp_path / "notes.txt").write_text("no learner")
    built_in = set(learners())
    faults = learner.add_folder(tmp_path)
    assert len(faults) == len(wrong)
    assert all("\n" not in fault for fault in faults)
    for name, (_, said) in wrong.items():
        [mine] = [fault for fault in faults if f"{name}.py" in fault]
        assert said in mine
    assert set(learners()) == built_in | {"menace"}
    assert learner.add_folder(tmp_path / "nowhere") == []
    assert opponents.train_interpreted(parse_game("nim:3"), "menace", 5).games == 5


@pytest.mark.slow
def test_scores_that_are_no_numbers_are_told_and_neither_kept_nor_read(tmp_path: Path) -> None:
    text = template(Kind.LEARNER, "late").replace(
        "        result = -result\n",
        "        result = -result\n        if memory.visits[edge] > 3000:\n            memory.scores[edge] = np.nan\n",
    )
    (tmp_path / "late.py").write_text(text)
    assert learner.add_folder(tmp_path) == []
    path, run = tmp_path / "run.npz", Run(Training(parse_game("nim:1,2,3"), "late", 3), tmp_path / "run.npz")
    run.goal(1_000)
    run.work(SILENT)
    before = path.read_bytes()
    run.goal(100_000)
    said = r"^the learner late wrote nan as a score within [\d,]+ games, in .+late\.py$"
    with pytest.raises(InputError, match=said):
        run.work(SILENT)
    assert path.read_bytes() == before and Training.load(path).games == 1_000
    run.views.every = 1.0
    run.views.look_now()
    assert run.views.newest is None or np.isfinite(run.views.newest.scores).all()  # nothing of it is shown
    table = run.training.table
    assert not np.isfinite(table.cells).all()
    table.save(tmp_path / "bad.npz")
    with pytest.raises(StoreError, match=r"bad\.npz holds invalid scores: expected numbers$"):
        Table.load(tmp_path / "bad.npz")


def failing(tmp_path: Path, games: int) -> None:
    """Add a learner that divides by nought when it has made an opening so often."""
    raising = "    won = outcome == 1\n", f"    won = outcome == 1 + 0 // ({games} - memory.visits[made[0]])\n"
    (tmp_path / f"failing{games}.py").write_text(other(f"failing{games}", raising))
    assert learner.add_folder(tmp_path) == []


@pytest.mark.slow
def test_a_learner_that_raises_fails_with_its_last_checkpoint_sound(tmp_path: Path) -> None:
    failing(tmp_path, 20)
    with pytest.raises(ZeroDivisionError):
        opponents.train_interpreted(parse_game("nim:1,3"), "failing20", 1_000)
    failing(tmp_path, 3_000)
    path, game = tmp_path / "run.npz", parse_game("nim:1,3")
    run = Run(Training(game, "failing3000", 3), path)
    run.goal(1_000)
    run.work()
    before = path.read_bytes()
    run.goal(100_000)
    job = Job("second", run.work)
    job.run()
    assert job.state is JobState.FAILED
    assert "ZeroDivisionError" in job.error_text and "\n" not in job.error_text
    assert path.read_bytes() == before and run.writer.games == 1_000  # not the table that the game has torn
    training, kept = run.training, Training.load(path)
    assert training.torn and training.games > 1_000
    assert training.table.visits.sum() > training.plies  # of the game that never ended
    assert (kept.table.visits.sum(), kept.games) == (kept.plies, 1_000)
    assert kept.table.visits.max() < 3_000
