"""Asking for a training: what is said of each field, what is offered, what comes out, what goes on again."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from nimtui.errors import InputError
from nimtui.store import paths
from nimtui.ui.train.form import TrainChoice, TrainDraft, TrainForm, ordered
from nimtui.ui.train.setup import PRESETS, Goal, TrainSetup, copy_path, further_path, parse_goal
from tests.ui.conftest import screen_text
from tests.ui.playing import until
from tests.ui.training import CALM

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
