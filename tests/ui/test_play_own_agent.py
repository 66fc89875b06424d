"""A person's own agent on the Play screen: what goes wrong in its process is said, and the game goes on."""

from __future__ import annotations

from typing import Any

import pytest

from nimtui.games import base
from nimtui.playing.session import Hold
from nimtui.sandbox import client
from tests.agents.conftest import own_agents  # noqa: F401 - a fixture
from tests.ui.conftest import screen_text
from tests.ui.playing import moves, playing, session, settled, until

pytestmark = [
    pytest.mark.skipif(not client.possible(), reason="processes cannot be forked here"),
    pytest.mark.usefixtures("own_agents"),
]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("how", "said"),
    [
        ("exit", "ended without an answer: exit status 3"),
        ("crash", "ended without an answer: signal SIGSEGV"),
        ("illegal", "played 99, which is not legal"),
        ("none", "decided None, which is not a Decision"),
    ],
)
async def test_its_fault_is_one_line_and_another_player_takes_over(make_app: Any, how: str, said: str) -> None:
    async with playing(make_app, second=f"wayward:{how}") as pilot:
        await pilot.press("a", "1", "enter")
        await settled(pilot)
        assert session(pilot).fault == said and session(pilot).hold is Hold.FAILED
        assert f"failed: {said.partition(':')[0]}" in " ".join(screen_text(pilot.app).split())
        session(pilot).seat(1, "perfect")
        pilot.app.screen_stack[0].conductor._moved("")
        await settled(pilot)
        assert len(moves(pilot)) == 2


@pytest.mark.slow
async def test_space_lets_it_try_again_in_a_new_process(make_app: Any) -> None:
    async with playing(make_app, second="wayward:exit-once") as pilot:
        await pilot.press("a", "1", "enter")
        await settled(pilot)
        assert session(pilot).hold is Hold.FAILED
        await pilot.press("space")
        await settled(pilot)
        assert len(moves(pilot)) == 2 and session(pilot).hold is None


async def test_one_that_thinks_for_ever_is_stopped_by_escape(make_app: Any) -> None:
    async with playing(make_app, second="wayward:native") as pilot:
        await pilot.press("a", "1", "enter")
        await until(pilot, lambda: session(pilot).to_move.agent.ready)
        await pilot.press("escape")
        await until(pilot, lambda: not pilot.app.jobs.running())
        assert session(pilot).hold is Hold.STOPPED and moves(pilot) == ["a1"]


@pytest.mark.parametrize("way", ["play", "redo"])
async def test_own_rules_that_change_their_answer_refuse_a_move_in_one_line(
    make_app: Any, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    async with playing(make_app, game="nim:3,2", second="me") as pilot:
        conductor, legal = pilot.app.screen_stack[0].conductor, base.legal
        conductor.play(0)
        conductor.undo()
        answers = iter([way == "play"])
        monkeypatch.setattr(base, "legal", lambda state, move: next(answers, False))
        conductor.play(0) if way == "play" else conductor.redo()
        monkeypatch.setattr(base, "legal", legal)
        assert conductor.message == "nim:3,2 does not allow the move with code 0 here." and not moves(pilot)
