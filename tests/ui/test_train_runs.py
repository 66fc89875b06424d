"""Asking for a training, and what becomes of a run: shown at one moment, cut off and continued, saved, failed."""

from __future__ import annotations

import os
from pathlib import Path
from time import sleep
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from nimtui.errors import InputError
from nimtui.games import parse_game
from nimtui.jobs import Jobs
from nimtui.jobs.work import State
from nimtui.learning.curve_points import Point
from nimtui.learning.run import Run
from nimtui.learning.training import Training
from nimtui.learning.views import History
from nimtui.store import claims, paths
from nimtui.ui.kit.forms.choices import Choices
from nimtui.ui.train import work as train_work
from nimtui.ui.train.form import RunChoice, TrainChoice, TrainDraft, TrainForm, ordered
from nimtui.ui.train.lane import MOST_LISTS, PACES, Lane
from nimtui.ui.train.setup import (
    PRESETS,
    Goal,
    TrainSetup,
    copy_path,
    cut_run,
    further_path,
    kept_runs,
    new_path,
    parse_goal,
)
from nimtui.ui.train.work import TrainWork
from tests.ui.at_once import Changes
from tests.ui.conftest import screen_text
from tests.ui.playing import until
from tests.ui.training import CALM, ended, panel, training

USUAL = TrainDraft.of(TrainSetup())
QUALITY = TrainDraft.of(TrainSetup("nim:7,5,3", "quality:margin=50"))


def test_goals_are_read_as_they_are_told_and_others_are_refused_in_one_line() -> None:
    for text in ("5,000,000", "perfect", "endless"):
        assert parse_goal(text).text == text
    assert (parse_goal("15000"), parse_goal("")) == (Goal(15_000), Goal())
    for text in ("0", "-5", "many", "1.5", "9" * 20):
        with pytest.raises(InputError, match=r"^[^\n]+$"):
            parse_goal(text)


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_can_be_begun_at_once(preset: Any) -> None:
    setup = preset.setup.validate()
    assert not preset.title[0].islower() and not preset.about[0].isupper()
    assert setup.game == preset.setup.game and TrainDraft.of(preset.setup).setup() == setup


def test_goals_constants_and_nobody_beside_it_are_explained_and_offered() -> None:
    def texts(field: str, *typed: str) -> list[str]:
        return [USUAL.with_text(field, text).check()[field].text for text in typed]

    assert texts("rival", "Nobody", "", "q") == ["no second learner", "no second learner", "compared with q"]
    assert USUAL.setup().learners == ("reward",) and USUAL.with_text("rival", "Nobody").setup().rival == ""
    assert texts("goal", "9", "perfect") == ["games, then stop", "until every best move is right"]
    assert texts("goal", "") == ["until you stop it"]
    offers = {field: [offer.value for offer in QUALITY.offers(field)] for field in ("margin", "low", "start")}
    assert offers == {"margin": ["90", "45", "180"], "low": ["0"], "start": ["50", "25", "100", "0"]}
    assert [offer.detail for offer in QUALITY.offers("margin")] == ["default", "half", "double"]
    assert USUAL.check()["seed"].text == "same seed, same table" and "score by score" in USUAL.hint("seed")
    picks = [offer.value for offer in USUAL.offers("pick")]
    assert (picks[0], picks[-1]) == ("row-then-count", "uniform-move") and len(picks) == len({*picks})


def test_the_command_trains_the_learner_of_a_lane() -> None:
    setup = TrainSetup("nim:3,2", "reward", "q", 4, "perfect")
    assert setup.command.text == "nimtui train nim:3,2 --learner reward --until-perfect --seed 4"
    assert setup.command_of(1).text.split()[4] == "q" == setup.command_of(9).text.split()[4]
    assert "--games 50 " in TrainSetup("nim:3,2", goal="50").command.text
    assert "--games" not in TrainSetup("nim:3,2", goal="soon").command.text


def test_copies_are_named_after_the_learner_and_the_oldest_go_and_a_run_past_its_goal_after_the_old_one(
    home: Path,
) -> None:
    folder = paths.ensure(home / "copies")
    for at in range(12):
        (folder / f"{at}.npz").write_bytes(b"")
        os.utime(folder / f"{at}.npz", (at, at))
    assert copy_path("quality:margin=50,win=2", 5_000) == folder / "quality-margin-50-win-2-5000.npz"
    assert sorted(int(path.stem) for path in folder.iterdir()) == [*range(3, 12)]
    first = further_path(paths.ensure(paths.runs()) / "mine.npz", "q")
    assert [first.name, further_path(first, "q", [first]).name] == ["mine-further.npz", "mine-further-2.npz"]
    assert "-q-" in further_path(None, "q").name


@pytest.mark.slow
def test_a_learners_constants_are_fields_with_their_defaults_and_meanings() -> None:
    assert USUAL.fields == ("game", "learner", "win", "loss", "pick", "rival", "seed", "goal")
    assert QUALITY.fields[2:9] == ("start", "win", "loss", "low", "high", "sure", "margin")
    for word, module in ordered():
        draft = USUAL.with_text("learner", word)
        findings = draft.check()
        assert all(finding.right for finding in findings.values()), word
        for name, parameter in module.PARAMETERS.items():
            assert findings[name].text == parameter.meaning and parameter.allowed in draft.hint(name)
        for field in draft.fields:  # what is offered is right
            assert draft.offers(field), field
            for offer in draft.offers(field):
                assert draft.with_text(field, offer.value).check()[field].right, (word, field, offer)


def test_constants_are_kept_while_another_learner_is_looked_at() -> None:
    there_and_back = QUALITY.with_text("learner", "reward").with_text("learner", "quality")
    assert there_and_back.text("margin") == "50"
    assert there_and_back.setup().learner == "quality:margin=50"
    assert QUALITY.with_text("margin", "90").setup().learner == "quality"


@pytest.mark.parametrize(
    ("draft", "field", "text", "said"),
    [
        (USUAL, "game", "towr:16", "did you mean tower"),
        (USUAL, "game", "connect4", "too large for a table"),
        (USUAL, "game", "tower:100", "bytes"),
        (USUAL, "learner", "rewrad", "reward"),
        (USUAL, "win", "0", "win"),
        (USUAL, "pick", "best", "pick"),
        (USUAL, "rival", "nobdy", "unknown learner"),
        (USUAL, "goal", "soon", "games"),
        (USUAL, "seed", "-1", "the seed must be from 0"),
        (QUALITY, "margin", "many", "margin"),
        (QUALITY, "start", "700", "start"),  # above the highest quality
    ],
)
def test_what_is_wrong_is_said_at_its_field_in_one_line_and_begins_nothing(
    draft: TrainDraft, field: str, text: str, said: str
) -> None:
    typed = draft.with_text(field, text)
    findings = typed.check()
    assert [name for name, finding in findings.items() if not finding.right] == [field]
    assert said in findings[field].text and "\n" not in findings[field].text
    with pytest.raises(InputError, match=said):
        typed.setup()


def test_a_setup_names_its_learners_with_their_constants_and_the_form_without() -> None:
    with pytest.raises(InputError, match="margin"):
        TrainSetup(learner="quality:margin=x").validate()
    assert not QUALITY.with_text("learner", "quality:margin=50").check()["learner"].right


@pytest.mark.slow
async def test_a_preset_can_be_changed_first(make_app: Any) -> None:
    app = make_app(CALM)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("f3")
        await until(pilot, lambda: isinstance(app.screen, TrainChoice))
        assert "Tower of 16: reward" in screen_text(app)
        await pilot.press("down", "down", "e")
        await until(pilot, lambda: isinstance(app.screen, TrainForm))
        assert "margin" in screen_text(app) and "plays any move" in screen_text(app)
        await pilot.press("tab", "p", "r", "o", "o", "f")
        await until(pilot, lambda: app.screen._draft.text("learner") == "proof" and not app.screen.query("#margin"))
        await pilot.press("shift+tab")
        await until(pilot, lambda: app.screen.query_one("#game").input.has_focus)
        app.screen.query_one("#game").input.value = "nim:3,2,1"
        await until(pilot, lambda: app.screen._draft.text("game") == "nim:3,2,1")
        await pilot.press("enter")
        await until(pilot, lambda: bool(app.training.lanes))
        assert (app.training.setup.game, app.training.setup.learner) == ("nim:3,2,1", "proof")


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


def saved(name: str, games: int, last: int | None, perfect: bool = False, accuracy: float = 0.5) -> Path:
    """The file of a training after so many games, with this goal."""
    training = Training(parse_game("nim:3,2,1"), "reward", 1)
    Run(training).goal(last, perfect)
    training.table.games, training.curve = games, [Point(games, accuracy, 0.0)]
    path = paths.ensure(paths.runs()) / f"{name}.npz"
    training.save(path)
    os.utime(path, (games, games))
    return path


def test_runs_are_listed_and_the_newest_without_all_its_games_is_the_one_that_was_cut_off(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert cut_run() is None and kept_runs() == []
    first = new_path("reward:win=2")
    second = new_path("reward:win=2", [first])
    with monkeypatch.context() as another:  # app, in the same second
        another.setattr(os, "getpid", lambda: -1)
        assert len({first.name, second.name, new_path("reward:win=2").name}) == 3
    saved("whole", 500, 500)
    saved("perfect", 500, None, True, 1.0)
    assert cut_run() is None
    saved("older", 120, 500)
    imperfect = saved("imperfect", 300, None, True)
    for name, content in (("broken", b"PK"), ("odd", b"no run")):
        (paths.runs() / f"{name}.npz").write_bytes(content)
    run = cut_run()
    assert run is not None and (run.path, run.title) == (imperfect, "reward · nim:3,2,1 · 300 games")
    path = saved("cut", 1_200, 5_000)
    run = cut_run()
    assert run is not None and (run.path, run.title) == (path, "reward · nim:3,2,1 · 1,200 of 5,000 games")
    runs = {kept.path.stem: kept for kept in kept_runs()}
    finished = {"whole", "perfect", "broken", "odd"}
    assert {name: run.finished for name, run in runs.items()} == {name: name in finished for name in runs}
    assert "not a file of nimtui" in runs["odd"].detail and "120 of 500 games" in runs["older"].title
    claim = claims.claim(path)  # a process trains it
    assert claim is not None and (run := cut_run()) is not None and run.path == imperfect
    claim.release()
    path.unlink()
    assert next(one.path for one in kept_runs() if not one.finished) == imperfect  # as the list says by the whole files


@pytest.mark.slow
async def test_trainings_that_were_cut_off_are_named_at_the_start_offered_and_continued(make_app: Any) -> None:
    path, older = saved("cut", 1, 500), saved("older", 0, 300)
    app = make_app(CALM)
    async with app.run_test(size=(200, 60)) as pilot:
        await until(pilot, lambda: "r  Continue     reward · nim:3,2,1 · 1 of 500 games" in screen_text(app))
        assert "▸ m  Show me" in screen_text(app)  # the mark stays
        await pilot.press("r")
        await until(pilot, lambda: app.training.lanes and app.training.lanes[0].run.writer.path == path)
        await ended(pilot)
        assert app.training.lanes[0].games == 500 and Run.load(path).training.games == 500
        await pilot.press("N")
        await until(pilot, lambda: "Resume: reward" in screen_text(app))
        assert app.screen.query_one(Choices).marked.value == "0"  # Enter still begins the first preset
        await pilot.press("up", "enter")
        await until(pilot, lambda: app.training.lanes[0].run.writer.path == older)
        await ended(pilot)
        assert app.training.lanes[0].games == 300
        await pilot.press("r")
        await until(pilot, lambda: isinstance(app.screen, RunChoice) and "2 runs in" in screen_text(app))
        assert "300 games" in screen_text(app)
        await pilot.press("escape")
        app.action_mode("start")
        await until(pilot, lambda: "▸ m  Show me" in screen_text(app) and "Continue" not in screen_text(app))


# Work, without a loop: what a job calls is called in its thread.


def rested(work: TrainWork) -> TrainWork:
    """Wait for all jobs."""
    while jobs := work.jobs.running():
        assert all(job.join(20) for job in jobs)
    return work


def gone(setup: TrainSetup) -> TrainWork:
    """A training at its goal, at full speed, seen once, at its end."""
    work = TrainWork(Jobs())
    work.pace = PACES[-1]
    work.watch(1e9)
    work.start(setup)
    rested(work).tick()
    rested(work).tick()
    return work


FIFTY = TrainSetup("nim:3,2", "reward", "", 1, "50")


def test_a_training_ends_at_its_goal_is_saved_and_goes_past_it_in_a_new_file(home: Path) -> None:
    work = gone(FIFTY)
    changes = Changes(work)
    [one] = work.lanes
    assert work.ended and not work.going and not work.paused and not work.idle and work.lost_by_leaving == ""
    assert one.view is not None and not work.tick()
    one.view = None  # as if it were not yet seen
    assert work.tick() and one.games == one.training.games == 50 and one.place is not None and one.place.exists()
    before, kept = one.place, one.place.read_bytes()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(train_work, "FURTHER", 30)
        past = "Past the goal: not saved. Press space to continue in a new file"
        for step, played, said in (
            (1, 51, past),
            (9, 60, ""),
            (99, 100, ""),
            (1, 101, past),
        ):  # only to look: not saved
            work.step(step)
            assert (work.message, work.following) == (said, step == 1)
            while work.going:
                sleep(0.002)
            assert (one.training.games, one.place, one.beyond, work.lost_by_leaving) == (played, None, True, "")
        for number, games in (("", 200), ("-2", 400)):
            work.pause_or_go_on()
            rested(work)
            assert work.message == f"Training past the goal to {games} games (new file; the old one stays)"
            assert one.place is not None and one.place.name == f"{before.stem}-further{number}.npz"
            assert not one.beyond and one.training.games == Run.load(one.place).training.games == games
    work.step(1)
    while work.going:
        sleep(0.002)
    work.reset()  # of games past the goal, too
    rested(work)
    assert work.lanes != [one] and work.lanes[0].training.games == 50
    assert before.read_bytes() == kept and changes.number > 0
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(train_work, "further_goal", lambda trainings: None)
        work.pause_or_go_on()
        rested(work)
    assert work.message == "The table cannot count more games"


def test_a_saved_run_is_restored_paused_or_continued(home: Path) -> None:
    work = gone(FIFTY)
    place = work.lanes[0].place
    assert place is not None
    run = Run.load(place)
    run.goal(20)
    run.save()
    work.resume(place, held=False)
    rested(work)
    assert work.message == "Restored after 50 games. Continuing" and work.lanes[0].training.games == 70
    assert work.setup == TrainSetup("nim:3,2", "reward", "", 1, "70")
    work.resume(place, held=False)
    rested(work)
    assert work.message == "Restored after 70 games"
    work.resume(home / "none.npz")
    rested(work)
    assert work.message.startswith("Cannot resume: ")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Lane, "ended", False)
        work.resume(place)
    assert work.message == "This training is already open"


def test_paces_messages_saves_and_copies(home: Path) -> None:
    work = gone(FIFTY)
    [one] = work.lanes
    work.change_pace(-1)
    for watched, speed in ((1e9, 60), (None, None), (1e9, 60)):  # as long as somebody looks, ever faster
        work.watch(watched)
        assert one.run.speed == speed
    changes = Changes(work)
    work.change_pace(-1)
    assert (
        changes.number == 1
        and work.message == "10,000 games per second"
        and one.run.speed == 10_000
        and not work.following
    )
    work.change_pace(-99)
    assert work.pace is PACES[0] and work.following and work.message == "1 game in 5 seconds"
    work.change_pace(99)
    assert work.pace is PACES[-1] and one.run.speed is None
    work.change_pace(-3)
    work.hurry()
    assert (changes.number, work.message) == (5, "Full speed") and one.run.speed is None
    work.change_pace(0)
    assert one.run.speed == 1_000
    one.run.led, one.run.speed = True, 20  # by another program
    work.tick()
    assert work.pace.speed == 20
    work.change_pace(1)
    assert not one.run.led and one.run.speed == work.pace.speed != 20
    work.watch(None)
    assert one.run.views.every is None
    work.checkpoint()
    rested(work)
    assert work.message == "Saving"
    work.tick()
    assert work.message == "Saved at 50 games"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("nimtui.ui.train.work.MESSAGE_SECONDS", -1.0)
        work.tick()
        work.tick()
    assert work.message == ""
    copies: list[Path] = []
    work.copy(0, copies.append)
    rested(work)
    assert [path.name for path in copies] == ["reward-50.npz"]
    work.reset()
    rested(work)
    assert work.message == "Started over with a new table and the same settings" and work.lanes[0] is not one
    assert work.lanes[0].training.games == 50


def test_a_run_that_fails_ends_and_says_so_and_not_the_app() -> None:
    def fails(*given: object, **more: object) -> None:
        raise ZeroDivisionError("of the learner")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Run, "work", fails)
        work = gone(FIFTY)
    [one] = work.lanes
    assert one.state is State.FAILED and one.fault == "ZeroDivisionError: of the learner"
    assert work.message == f"reward failed: {one.fault}" and not work.going


def test_where_nothing_can_be_saved_it_trains_in_memory_and_says_so(home: Path) -> None:
    (home / "runs").write_text("in the way")
    work = gone(FIFTY)
    assert work.message.startswith("Not saved: ") and work.lanes[0].training.games == 50
    work.checkpoint()
    rested(work)
    work.tick()
    assert work.message == "" and work.lanes[0].fault
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Lane, "ended", False)
        assert work.lost_by_leaving == "The training of reward is not saved in a file."


def test_histories_of_the_lists_shown_last_stay_and_one_shown_again_is_continued() -> None:
    one: Any = SimpleNamespace(histories=[(None, History())])
    lists = [object() for _ in range(MOST_LISTS + 3)]
    for positions in lists:
        Lane._turn_to(one, positions)
        one.histories[-1][1].add(1, np.zeros(3))
    assert [positions for positions, _ in one.histories] == lists[-MOST_LISTS - 1 :]
    again = one.histories[3]
    Lane._turn_to(one, again[0])
    assert one.histories[-1] is again and len(one.histories) == MOST_LISTS + 1
    for _ in range(2):
        Lane._turn_to(one, object())
    assert [len(history) for _, history in one.histories] == [1] * MOST_LISTS + [0], "one without an entry is dropped"
