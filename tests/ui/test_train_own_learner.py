"""A person's own learner on the Train screen: scores that are no numbers end the run, and not the app."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from nimtui.cli.new import Kind, template
from nimtui.learning import learner
from nimtui.ui.train.setup import TrainSetup, further_goal
from tests.ui.conftest import screen_text
from tests.ui.playing import until
from tests.ui.training import ended, training


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
async def test_scores_that_are_no_numbers_are_said_and_not_shown(make_app: Any) -> None:
    async with training(make_app, TrainSetup("nim:1,2,3", "tardy", "", 1, "200"), size=(120, 40)) as pilot:
        conductor, said = await ended(pilot), "the learner tardy wrote nan as a score within"
        assert further_goal([conductor.lanes[0].training]) > 100_000
        await pilot.press("space")  # it goes further
        await until(pilot, lambda: said in conductor.lanes[0].job.error_text, 60)
        assert np.isfinite(conductor.lanes[0].view.scores).all()
        await pilot.press("down", "right", "tab")
        await until(pilot, lambda: said in screen_text(pilot.app))
        assert pilot.app.failure is None
