"""Lets an agent estimate every position of a game, as a job of a screen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from nimtui.agents.belief import Belief
from nimtui.arena.estimates import estimates
from nimtui.games import Record
from nimtui.jobs import Job, JobState
from nimtui.progress import Progress
from nimtui.ui.kit.page import Page
from nimtui.ui.play.session import Session
from nimtui.ui.play.setup import parse_seat


def estimate(screen: Page[Any], session: Session, name: str, done: Callable[[str], object]) -> None:
    """Give the session the estimates of the agent of this name; `done` gets '', or why there are none.

    Raises InputError if the name is invalid.
    """
    agent = parse_seat(name, session.game)
    if agent is None:
        done("a person cannot estimate: name an agent")
        return
    moves = (*session.record.moves, *reversed(session.record.undone))
    record = Record(session.game, session.position, moves)

    def work(progress: Progress) -> list[Belief]:
        return estimates(record, agent, session.seed, progress)

    def ended(job: Job[list[Belief]]) -> None:
        if job.state is not JobState.DONE or job.result is None:
            done(job.error_text or "stopped")
            return
        session.estimates, session.analyst = job.result, agent.name
        done("")

    screen.fetch("estimates", work, ended)
