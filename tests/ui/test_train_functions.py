"""A function that learns a game of too many positions, on the Train screen: the map of a sample, and its reasons."""

from __future__ import annotations

from typing import Any

import pytest

from nimtui.engine import limits
from nimtui.errors import InputError
from nimtui.learning import sample
from nimtui.learning.sampled import SampledTruth
from nimtui.ui.train.setup import TrainSetup
from tests.ui.conftest import screen_text
from tests.ui.playing import until
from tests.ui.training import ended, panel, training

LARGE = TrainSetup("connect:3x3x3", "ntuple:tuples=4,length=3", "", 1, "2,000")


@pytest.fixture
def large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every game is too large for a table, and samples are small."""
    monkeypatch.setattr(limits, "MOST_BYTES", 100)
    monkeypatch.setattr(sample, "of", lambda game, progress: sample.make(game, 60, 1, progress))


@pytest.mark.usefixtures("large")
@pytest.mark.parametrize("size", [(80, 24), (200, 60)])
async def test_the_map_is_a_sample_and_its_reasons_are_shown(make_app: Any, size: tuple[int, int]) -> None:
    async with training(make_app, LARGE, size=size) as pilot:
        lane = (await ended(pilot)).lanes[0]
        stage, truth = pilot.app.screen.stage, lane.listed
        await until(pilot, lambda: stage.sight.atlas is not None and lane.games == 2_000)
        assert isinstance(truth, SampledTruth) and f"of {truth.of} solved exactly, by plies played" in screen_text(
            pilot.app
        )
        await until(pilot, lambda: "of the moves that it would play on the map are right" in panel(pilot, "prompt"))
        assert "right moves" in panel(pilot, "curve") and "played" not in panel(pilot, "position")
        await pilot.press("w")
        await until(pilot, lambda: "What each cell adds" in panel(pilot, "why"))
        assert "expected, after 2,000 games" in panel(pilot, "why")
        await pilot.press("W")
        await until(pilot, lambda: "The heaviest patterns" in panel(pilot, "why"))
        await pilot.press("W")
        await until(pilot, lambda: not stage.query_one("#why").display)


@pytest.mark.usefixtures("large")
async def test_what_needs_all_positions_says_so(make_app: Any) -> None:
    async with training(make_app, LARGE) as pilot:
        lane = (await ended(pilot)).lanes[0]
        await until(pilot, lambda: pilot.app.screen.stage.sight.atlas is not None)
        await pilot.press("n")
        assert pilot.app.screen.why_not("n").startswith("The map shows only some positions")
        await pilot.press("full_stop")
        await until(pilot, lambda: lane.games == 2_001 and pilot.app.training.paused)
        assert not pilot.app.screen.has_class("-following")
        with pytest.raises(InputError, match=r"none of the .* positions on the map"):
            pilot.app.screen.stage.goto("123123")


@pytest.mark.usefixtures("large")
def test_a_setup_says_what_a_large_game_needs() -> None:
    assert LARGE.validate() == LARGE
    with pytest.raises(InputError, match="the learner ntuple needs no table"):
        TrainSetup("connect:3x3x3", "reward").validate()
    with pytest.raises(InputError, match="give a number of games, or endless"):
        TrainSetup("connect:3x3x3", "linear", "", 0, "perfect").validate()


async def test_a_table_has_no_reasons(make_app: Any) -> None:
    async with training(make_app) as pilot:
        await ended(pilot)
        await pilot.press("w")
        assert not pilot.app.screen.query_one("#why").display
