"""What becomes of a run: opened as it was kept, held, continued past its goal, shown at one moment, failed."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from nimtui.cli.new import Kind, template
from nimtui.games import parse_game
from nimtui.learning import learner
from nimtui.learning.curve_points import Point
from nimtui.learning.run import Run
from nimtui.learning.training import Training
from nimtui.playing.setup import usual_name
from nimtui.store import claims, paths
from nimtui.ui.train import work as train_work
from nimtui.ui.train.form import RunChoice
from nimtui.ui.train.setup import PERFECT, TrainSetup, cut_run, kept_runs
from nimtui.ui.train.work import further_goal
from tests.ui.conftest import screen_text
from tests.ui.playing import until
from tests.ui.training import CALM, SMALL, ended, panel, training

ENDLESS = TrainSetup("nim:3,2,1", "quality", "", 1, "endless")


async def opened(pilot: Any, path: Path) -> Any:
    """Its lane, when the run in this file is shown."""
    before = pilot.app.training.lanes
    pilot.app.screen_stack[0].start(path)
    await until(pilot, lambda: pilot.app.training.lanes is not before and pilot.app.screen_stack[0].stage.seen)
    [lane] = pilot.app.training.lanes
    await until(pilot, lambda: lane.view is not None and not lane.running)
    return lane


@pytest.mark.slow
async def test_a_finished_run_is_shown_as_it_was_kept_and_its_file_is_left_alone(
    make_app: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(train_work, "FURTHER", 20_000)
    async with training(make_app) as pilot:
        path = (await ended(pilot)).lanes[0].run.writer.path
        await until(pilot, lambda: path.exists())
        kept = path.read_bytes()
        lane = await opened(pilot, path)
        assert lane.ended and lane.games == 500 and "done" in panel(pilot, "status")
        assert "Restored after 500 games" in panel(pilot, "prompt")
        await pilot.press("space")
        await until(pilot, lambda: lane.games > 500)
        assert "new file; the old one stays" in panel(pilot, "prompt")
        await until(pilot, lambda: lane.ended and lane.run.writer.games == lane.games, 60)
        assert lane.games == 20_500 and lane.run.writer.path.name == f"{path.stem}-further.npz"
        assert path.read_bytes() == kept and Run.load(lane.run.writer.path).training.games == 20_500
        files = sorted(path.parent.iterdir())
        await pilot.press("full_stop")
        await until(pilot, lambda: lane.games == 20_501 and pilot.app.training.paused)
        assert lane.run.writer.path is None and not pilot.app.training.lost_by_leaving
        assert sorted(path.parent.iterdir()) == files and "not saved" in panel(pilot, "prompt")
        await pilot.press("n")  # nor for these games
        await until(pilot, lambda: lane.games > 20_501 and not pilot.app.training.going, 60)
        assert lane.run.writer.path is None
        await pilot.press("space")
        assert lane.run.writer.path.name == f"{path.stem}-further-2.npz"
        await until(pilot, lambda: lane.run.writer.games is not None, 60)
        assert path.read_bytes() == kept


@pytest.mark.slow
async def test_a_run_that_was_stopped_is_held_until_space_goes_on_in_its_own_file(make_app: Any) -> None:
    async with training(make_app, ENDLESS) as pilot:
        [first] = pilot.app.training.lanes
        path = first.run.writer.path
        await until(pilot, lambda: first.games > 1_000)
        pilot.app.begin("train", SMALL)
        await ended(pilot)
        assert first.job.join(10)
        await pilot.press("r")
        await until(pilot, lambda: isinstance(pilot.app.screen, RunChoice))
        await pilot.press("escape")
        kept = path.read_bytes()
        lane = await opened(pilot, path)
        assert lane.paused and lane.games == first.training.games and path.read_bytes() == kept
        assert "space continue" in screen_text(pilot.app).splitlines()[-1]
        await pilot.press("space")
        await until(pilot, lambda: lane.games > first.games)
        assert lane.run.writer.path == path


@pytest.mark.slow
async def test_a_game_move_by_move_and_all_that_is_shown_with_it_are_of_one_moment(make_app: Any) -> None:
    setup = TrainSetup("tower:16", "reward", "", 1, "endless")
    async with training(make_app, setup, pace=6) as pilot:  # 1,000 games a second
        [lane] = pilot.app.training.lanes
        stage = pilot.app.screen_stack[0].stage
        await until(pilot, lambda: lane.games > 50)
        await pilot.press("full_stop")
        await until(pilot, lambda: stage.sight.film.running)
        number = stage.sight.game.number
        seen = set()
        while stage.sight.film.running:
            seen.add((panel(pilot, "status"), tuple(np.bincount(stage.map().verdicts, minlength=4))))
            assert lane.view.games == lane.games == number - 1
            await pilot.pause(0.02)
        [(status, counts)] = seen
        before, after = lane.run.followed_game.before, lane.run.followed_game.after
        assert f"{number - 1:,} games" in status and counts == tuple(_counts(before))
        await until(pilot, lambda: f"{number:,} games" in panel(pilot, "status"))
        assert lane.view.games == after.games and (lane.view.scores == after.scores).all()
        assert np.bincount(stage.map().verdicts, minlength=4).tolist() == _counts(after)
        game = {(ply.after - ply.before) for ply in stage.sight.game.plies}
        assert int((before.scores != after.scores).sum()) <= len(stage.sight.game.plies) and game - {0}


def _counts(view: Any) -> list[int]:
    standing = view.standing
    return [standing.nothing, standing.right, standing.wrong, standing.undecided]


@pytest.mark.slow
async def test_a_run_that_became_perfect_is_finished_and_games_have_their_usual_names(make_app: Any) -> None:
    async with training(make_app, TrainSetup("nim:3,2,1", "proof", "", 1, PERFECT)) as pilot:
        conductor = await ended(pilot)
        await until(pilot, lambda: conductor.lanes[0].run.writer.games is not None)
        run = Run.load(conductor.lanes[0].run.writer.path)
        assert run.finished
    assert usual_name("nim:1,3,5,7") == "tower:16" and usual_name("nim:9,9") == "nim:9,9"


def saved(name: str, games: int, last: int | None, perfect: bool = False, accuracy: float = 0.5) -> Path:
    """The file of a training after so many games, with this goal."""
    training = Training(parse_game("nim:3,2,1"), "reward", 1)
    Run(training).goal(last, perfect)
    training.table.games, training.curve = games, [Point(games, accuracy, 0.0)]
    path = paths.ensure(paths.runs()) / f"{name}.npz"
    training.save(path)
    os.utime(path, (games, games))
    return path


def test_the_newest_training_without_all_its_games_is_the_one_that_was_cut_off() -> None:
    assert cut_run() is None
    saved("whole", 500, 500)
    saved("perfect", 500, None, True, 1.0)
    assert cut_run() is None
    saved("older", 120, 500)
    imperfect = saved("imperfect", 300, None, True)
    (paths.runs() / "broken.npz").write_bytes(b"PK")
    run = cut_run()
    assert run is not None and (run.path, run.title) == (imperfect, "reward · nim:3,2,1 · 300 games")
    path = saved("cut", 1_200, 5_000)
    run = cut_run()
    assert run is not None and (run.path, run.title) == (path, "reward · nim:3,2,1 · 1,200 of 5,000 games")
    claim = claims.claim(path)  # a process trains it
    assert claim is not None and (run := cut_run()) is not None and run.path == imperfect
    claim.release()
    path.unlink()
    assert next(one.path for one in kept_runs() if not one.finished) == imperfect  # as the list says by the whole files


@pytest.mark.slow
async def test_the_start_screen_names_a_training_that_was_cut_off_and_continues_it(make_app: Any) -> None:
    path = saved("cut", 0, 500)
    app = make_app(CALM)
    async with app.run_test(size=(200, 60)) as pilot:
        await until(pilot, lambda: "r  Continue     reward · nim:3,2,1 · 0 of 500 games" in screen_text(app))
        assert "▸ m  Show me" in screen_text(app)  # the mark stays
        await pilot.press("r")
        await until(pilot, lambda: app.training.lanes and app.training.lanes[0].run.writer.path == path, 60)
        await ended(pilot)
        assert app.training.lanes[0].games == 500 and Run.load(path).training.games == 500
        app.action_mode("start")
        await until(pilot, lambda: "Continue" not in screen_text(app))
        assert "▸ m  Show me" in screen_text(app)


@pytest.fixture
def tardy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A learner that writes nan when it has made a move so often."""
    monkeypatch.setattr(learner, "_added", [])
    text = template(Kind.LEARNER, "tardy").replace(
        "        result = -result\n",
        "        result = -result\n        if memory.visits[edge] > 5000:\n            memory.scores[edge] = np.nan\n",
    )
    (tmp_path / "tardy.py").write_text(text)
    assert learner.add_folder(tmp_path) == []
    yield
    sys.modules.pop("nimtui_learners_tardy", None)


@pytest.mark.slow
@pytest.mark.usefixtures("tardy")
async def test_scores_that_are_no_numbers_end_the_run_and_not_the_app(make_app: Any) -> None:
    async with training(make_app, TrainSetup("nim:1,2,3", "tardy", "", 1, "200"), size=(120, 40)) as pilot:
        conductor, said = await ended(pilot), "the learner tardy wrote nan as a score within"
        assert further_goal([conductor.lanes[0].training]) > 100_000
        await pilot.press("space")  # it goes further
        await until(pilot, lambda: said in conductor.lanes[0].job.error_text, 60)
        assert np.isfinite(conductor.lanes[0].view.scores).all()
        await pilot.press("down", "right", "tab")
        await until(pilot, lambda: said in screen_text(pilot.app))
        assert pilot.app.failure is None
