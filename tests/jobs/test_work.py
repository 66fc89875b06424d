"""What jobs are for, done by them: an agent thinks, a match is played, both can be stopped."""

from __future__ import annotations

import asyncio

from nimtui.agents import Decision, parse_agent
from nimtui.agents.agent import AlwaysReady
from nimtui.arena import MatchResult, play_match
from nimtui.engine.rng import Stream
from nimtui.games import parse_game
from nimtui.games.base import State
from nimtui.jobs import Jobs, JobState
from nimtui.progress import SILENT, Progress

LONG = 60.0  # a first compilation included
GAME = parse_game("subtraction:21,3:misere")


async def test_a_thinking_agent_is_stopped_and_the_game_can_go_on() -> None:
    async with asyncio.timeout(LONG):
        jobs = Jobs()
        agent = parse_agent("mc:playouts=1000000000", GAME)
        endless = jobs.start("think", lambda progress: agent.decide(GAME.new(), Stream(0), progress))
        async for snapshot in endless.watch(every=0):
            assert 0 < snapshot.done < snapshot.total == 3_000_000_000
            endless.cancel()
        assert (await endless.wait()).state is JobState.CANCELLED

        quick = parse_agent("mc:playouts=10", GAME)
        job = jobs.start("think", lambda progress: quick.decide(GAME.new(), Stream(0), progress))
        await job.wait()
        assert job.value().move in (0, 1, 2)
        assert jobs.running() == []


def test_a_match_that_is_stopped_leaves_the_games_it_finished() -> None:
    agent = parse_agent("random", GAME)

    def work(progress: Progress) -> MatchResult:
        return play_match(GAME, agent, agent, games=10**9, progress=progress)

    job = Jobs().start("match", work)
    while job.snapshot.done == 0 or job.snapshot.what != "games":
        job.step()
    job.cancel()
    assert job.join(LONG)
    assert job.state is JobState.CANCELLED
    assert job.result is not None
    assert job.result.games >= job.snapshot.done > 0


def test_a_failing_agent_shows_its_error() -> None:
    class Broken(AlwaysReady):
        name = title = "broken"

        def decide(self, state: State, stream: Stream, progress: Progress = SILENT) -> Decision:
            raise RuntimeError("lost its glasses")

    job = Jobs().start("think", lambda progress: Broken().decide(GAME.new(), Stream(0), progress))
    assert job.join(LONG)
    assert (job.state, job.error_text) == (JobState.FAILED, "RuntimeError: lost its glasses")
