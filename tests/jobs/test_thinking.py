"""Watching a job: what its work believes, and its data while it stands still."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from nimtui.agents import Thinking, parse_agent
from nimtui.engine.rng import Stream
from nimtui.games import base, parse_game
from nimtui.jobs import Job, Jobs, JobState
from nimtui.progress import Aloud, Progress
from tests.jobs.test_job import LONG, Script, eventually


class Listener(Progress):
    """Wants to see every thought, and keeps it."""

    def __init__(self) -> None:
        self.heard: list[Any] = []

    def think(self, thinking: Any) -> None:
        self.heard.append(thinking())


@contextmanager
def counting(script: Script) -> Iterator[Job[str]]:
    """Run work that thinks of its count before each report."""
    job = Jobs().start("counting", lambda progress: script(Aloud(progress, lambda: script.count)))
    try:
        yield job
    finally:
        job.cancel()
        if script.gate is not None:
            script.gate.release()  # it waits there, and then hears that it is cancelled
        assert job.join(LONG)


def test_a_watcher_gets_the_newest_thought_at_its_own_pace_and_nobody_else_asks_for_one() -> None:
    script = Script(5, gated=True)
    with counting(script) as job:
        for pace, expected in ((None, None), (0.0, 1), (0.0, 2), (3600.0, 2), (None, 2)):  # in an hour the next is due
            job.watch_thinking(pace)
            script.go()
            assert script.has_passed()
            assert job.thinking == expected


def test_dear_thoughts_come_less_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nimtui.jobs.job.MOST_ALOUD", 1e-9)  # the next thought is due in days
    monkeypatch.setattr("nimtui.jobs.job.CHEAP", -1.0)
    script = Script(3, gated=True)
    with counting(script) as job:
        job.watch_thinking(0.0)
        for _ in range(2):
            script.go()
            assert script.has_passed()
        assert job.thinking == 0


def test_work_stands_still_while_its_data_is_read_and_then_continues() -> None:
    script = Script(None)
    with counting(script) as job:
        assert eventually(lambda: script.count > 0)

        def looked() -> bool:
            with job.still() as still:
                if still:
                    before = script.count  # the count of the last report may still come
                    assert not any(script.count > before + 1 for _ in range(2_000))
                return still

        for _ in range(20):
            assert eventually(looked)
        before = script.count
        assert eventually(lambda: script.count > before + 10)
    script = Script(1, gated=True)
    with counting(script) as job:
        assert eventually(lambda: job.state is JobState.RUNNING)
        with job.still() as still:
            assert not still, "it does not report"
        script.go()
        assert job.join(LONG)
        with job.still() as still:
            assert still


def test_work_that_was_held_for_long_is_waited_for_like_any_other(monkeypatch: pytest.MonkeyPatch) -> None:
    time = 1000.0
    monkeypatch.setattr("nimtui.jobs.job.monotonic", lambda: time)
    monkeypatch.setattr("nimtui.jobs.job.STILL", LONG)
    script = Script(2, gated=True)
    with counting(script) as job:
        with job.still() as still:
            assert not still, "it has not reported yet"
            script.go()
            assert eventually(lambda: job.snapshot.done == 1)
            time += 10.0  # held so long, within the report
        assert script.has_passed()
        follower = threading.Thread(target=lambda: eventually(lambda: job._holds > 0) and script.go())
        follower.start()
        with job.still() as still:
            assert still
        follower.join()


def heard(spec: str, game: str) -> tuple[list[Thinking], Any]:
    """Return the thoughts of one decision at the start of a game, and the decision."""
    found, listener = parse_game(game), Listener()
    decision = parse_agent(spec, found).decide(found.start, Stream(1), listener)
    return listener.heard, decision


def test_tree_search_thinks_of_more_and_more_simulations_and_ends_with_its_decision() -> None:
    thoughts, decision = heard("mcts:simulations=200000", "nim:3,5,7")
    assert len(thoughts) > 1
    done = [thinking.done for thinking in thoughts]
    assert done == sorted(done) and done[-1] == 200_000
    for thinking in thoughts:
        assert sum(thought.visits for thought in thinking.thoughts) == thinking.done
        assert thinking.line[:1] == (thinking.move,)
    assert thoughts[-1].thoughts == decision.thoughts
    assert (thoughts[-1].move, thoughts[-1].line) == (decision.move, decision.line)


def test_a_search_that_deepens_thinks_of_a_whole_line_and_of_its_depths() -> None:
    game = parse_game("connect4")
    thoughts, decision = heard("alphabeta:depth=9,deepening=yes,table=65536", "connect4")
    depths = [thinking.depth or 0 for thinking in thoughts]
    assert depths == sorted(depths) and depths[-1] >= 8
    for thinking in thoughts:
        assert [done.depth for done in thinking.iterations] == list(range(1, (thinking.depth or 0) + 1))
        assert thinking.line[:1] == (() if thinking.move is None else (thinking.move,))
        state = game.new()
        for move in thinking.line:
            assert base.legal(state, move)
            base.play(state, move)
    assert any(len(thinking.line) == thinking.depth for thinking in thoughts if (thinking.depth or 0) > 3)
    assert any(thinking.searching in range(7) for thinking in thoughts)
    assert decision.line[0] == decision.move


@pytest.mark.parametrize(
    ("spec", "game"), [("mc:playouts=3000", "connect4:5x4"), ("mc:policy=perfect-opponent", "nim:3,4,5")]
)
def test_playouts_think_of_more_and_more_games_and_end_with_the_decision(spec: str, game: str) -> None:
    thoughts, decision = heard(spec, game)
    done = [thinking.done or 0 for thinking in thoughts]
    assert len(done) > 1 and done == sorted(done)
    for thinking in thoughts:
        counted = sum((one.wins or 0) + (one.losses or 0) + (one.draws or 0) for one in thinking.thoughts)
        assert counted == thinking.done
    assert thoughts[-1].thoughts == decision.thoughts
