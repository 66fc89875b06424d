"""The share of a job in the header is that of its work, not that of what must be ready before."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from nimtui.agents import parse_agent
from nimtui.games import parse_game
from nimtui.jobs import Job
from nimtui.learning.learner import parse_learner
from nimtui.learning.run import Run
from nimtui.learning.training import Training
from nimtui.progress import Progress, Relay
from nimtui.ui.kit.terminal.glyphs import UNICODE
from nimtui.ui.kit.widgets.bars import job_line

GAME = parse_game("tower:9")


def lines(work: Callable[[Progress], None], key: Callable[[], int]) -> list[tuple[int, float | None, str]]:
    """What the header shows after each report of a job: with a key, and the share that is reported."""
    seen: list[tuple[int, float | None, str]] = []
    job: list[Job[None]] = []

    class Watched(Relay):
        def report(self, done: float, total: float, what: str = "") -> None:
            super().report(done, total, what)
            seen.append((key(), job[0].snapshot.share, job_line(job[0], UNICODE)))

    started = Job("reward", lambda progress: work(Watched(progress)))
    job.append(started)
    started.run()
    assert started.error is None
    return seen


def test_a_training_has_no_share_before_its_first_game() -> None:
    run = Run(Training(GAME, parse_learner("reward"), 1))
    run.goal(5_000)
    seen = lines(run.work, lambda: run.training.games)
    before = [line for games, share, line in seen if not games and share is not None]
    after = [line for games, _, line in seen if games]
    assert before and all(line.endswith(" preparing") for line in before)
    assert after and all("%" in line for line in after) and after[-1].endswith("100 %")


@pytest.mark.parametrize("name", ["reward:games=2000", "perfect", "mc:policy=perfect-opponent,playouts=50"])
def test_an_agent_that_prepares_has_no_share(name: str) -> None:
    agent = parse_agent(name, parse_game("nim:1,2,4"))
    seen = lines(agent.prepare, lambda: 0)
    assert not any("%" in line for _, _, line in seen)
    assert all(line == "▶ reward preparing" for _, _, line in seen)
    assert any(share is not None for _, share, _ in seen) or name == "perfect"
