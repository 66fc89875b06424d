"""Seeing agents think on the Play screen, while they do."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from nimtui.agents import Decision, Thinking, Thought
from nimtui.agents.agent import AlwaysReady, moves_of
from nimtui.engine.rng import Stream
from nimtui.games.base import State
from nimtui.playing import setup
from nimtui.progress import SILENT, Progress
from nimtui.sandbox import client
from tests.agents.conftest import own_agents  # noqa: F401 - a fixture
from tests.ui.conftest import SIZES, screen_text
from tests.ui.playing import moves, playing, session, settled, until


class Slow(AlwaysReady):
    """Thinks of one more visit at each step that a test allows, until it may move."""

    def __init__(self, name: str) -> None:
        self.name = self.title = name
        self.allowed = self.visits = 0
        self.go = threading.Event()

    def decide(self, state: State, stream: Stream, progress: Progress = SILENT) -> Decision:
        moves, self.visits = moves_of(state), 0
        while not self.go.is_set():
            self.visits = min(self.visits + 1, self.allowed)
            progress.think(lambda: self.thinking(moves))
            progress.report(self.visits, 1000, "simulations")
            threading.Event().wait(0.002)
        return Decision(moves[0], self.thinking(moves).thoughts)

    def thinking(self, moves: list[int]) -> Thinking:
        visits = self.visits
        thoughts = tuple(Thought(move, 0.25, visits=visits * (move + 1), mean=0.25, ucb=0.5) for move in moves)
        return Thinking(thoughts, moves[0], tuple(moves[:1]), visits, "simulations")


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> dict[str, Slow]:
    made = {name: Slow(name) for name in ("Slow", "Other")}
    real = setup.parse_seat

    def parse_seat(text: str, game: Any) -> Any:
        return made.get(text) or real(text, game)

    monkeypatch.setattr(setup, "parse_seat", parse_seat)
    monkeypatch.setattr("nimtui.playing.session.parse_seat", parse_seat)
    yield made  # type: ignore[misc]
    for agent in made.values():
        agent.go.set()


def panel(pilot: Any) -> list[str]:
    return list(pilot.app.screen.query_one("#thoughts").text().splitlines())


@pytest.mark.parametrize("size", SIZES, ids=str)
async def test_what_an_agent_believes_grows_while_it_thinks(
    make_app: Any, slow: dict[str, Slow], size: tuple[int, int]
) -> None:
    agent = slow["Slow"]
    async with playing(make_app, "connect4:5x4", second="Slow", size=size) as pilot:
        await pilot.press("3", "enter")
        for agent.allowed in (3, 17):
            allowed = agent.allowed
            if size[0] < 76:  # no room for the panel: the belief is in the prompt
                await until(pilot, lambda: f"1 +0.25, {agent.allowed} simulations" in screen_text(pilot.app))
            else:
                await until(pilot, lambda: f"{agent.allowed} simulations" in panel(pilot))
                rows = panel(pilot)
                assert rows[0] == "Slow thinks"
                assert [row.split()[-1] for row in rows[2:7]] != [] and rows[2].startswith("▸ 1")
                shown = [[word for word in row.split() if word.isdigit()][:2] for row in rows[2:7]]
                assert shown == [[str(move + 1), str(allowed * (move + 1))] for move in range(5)]
        agent.go.set()
        await settled(pilot)
        assert moves(pilot) == ["3", "1"]
        if size[0] >= 76:
            assert panel(pilot)[0].startswith("What Slow thought before 1")


async def test_no_thoughts_are_asked_for_while_another_screen_is_shown(make_app: Any, slow: dict[str, Slow]) -> None:
    agent = slow["Slow"]
    async with playing(make_app, "connect4:5x4", second="Slow") as pilot:
        await pilot.press("3", "enter")
        agent.allowed = 5
        await until(pilot, lambda: "5 simulations" in panel(pilot))
        play = pilot.app.screen
        await pilot.press("f3")
        await until(pilot, lambda: pilot.app.screen is not play)
        job = play.conductor.doing("move")
        await until(pilot, lambda: job._thinks_every is None)
        await pilot.press("f2")
        agent.allowed = 9
        await until(pilot, lambda: pilot.app.screen is play and "9 simulations" in panel(pilot))


@pytest.mark.parametrize("size", [(80, 24), (200, 60)], ids=str)
async def test_of_two_agents_the_other_ones_last_thought_stays_in_view(
    make_app: Any, slow: dict[str, Slow], size: tuple[int, int]
) -> None:
    first, second = slow["Slow"], slow["Other"]
    async with playing(make_app, "connect4:5x4", "Slow", "Other", size=size) as pilot:
        first.allowed = 4
        await until(pilot, lambda: "4 simulations" in panel(pilot))
        first.go.set()
        second.allowed = 6
        await until(pilot, lambda: "Other thinks" in "\n".join(panel(pilot)))
        await until(pilot, lambda: "6 simulations" in "\n".join(panel(pilot)))
        text = "\n".join(panel(pilot))
        assert "Slow, before 1" in text
        if size[0] == 200:  # beside each other, in the order of the seats
            heads = panel(pilot)[0].split("  ")
            assert heads[0] == "Slow, before 1" and heads[-1].strip() == "Other thinks"
        else:
            assert panel(pilot)[0] == "Other thinks"


async def test_undo_forgets_what_was_believed(make_app: Any, slow: dict[str, Slow]) -> None:
    async with playing(make_app, "connect4:5x4", second="Slow") as pilot:
        await pilot.press("3", "enter")
        slow["Slow"].allowed = 5
        await until(pilot, lambda: "5 simulations" in panel(pilot))
        await pilot.press("u")
        await pilot.pause()
        assert panel(pilot)[0] == "Thoughts" and moves(pilot) == []


async def test_a_stopped_agent_thinks_no_more(make_app: Any, slow: dict[str, Slow]) -> None:
    async with playing(make_app, "connect4:5x4", second="Slow") as pilot:
        await pilot.press("3", "enter")
        slow["Slow"].allowed = 5
        await until(pilot, lambda: "5 simulations" in panel(pilot))
        await pilot.press("escape")
        await until(pilot, lambda: session(pilot).hold is not None)
        assert "Slow thinks" not in screen_text(pilot.app)


@pytest.mark.slow
async def test_a_learned_table_shows_its_scores_before_it_moves(make_app: Any) -> None:
    from nimtui.store.settings import Settings

    async with playing(make_app, second="easy", settings=Settings(animation=True, pace=0.0)) as pilot:
        await pilot.press("d", "2", "enter")
        await until(pilot, lambda: bool(panel(pilot)) and panel(pilot)[0] == "Easy thinks")
        assert "score" in panel(pilot)[1]
        await settled(pilot)
        assert panel(pilot)[0].startswith("What Easy thought before")


@pytest.mark.skipif(not client.possible(), reason="processes cannot be forked here")
@pytest.mark.usefixtures("own_agents")
async def test_a_persons_own_agent_is_seen_thinking_and_a_wrong_thought_is_one_line(make_app: Any) -> None:
    async with playing(make_app, "nim:3,4,5", second="wayward:aloud-good-long") as pilot:
        await pilot.press("a", "1", "enter")
        await until(pilot, lambda: "7 dreams" in panel(pilot))
    async with playing(make_app, "nim:3,4,5", second="wayward:aloud-word") as pilot:
        await pilot.press("a", "1", "enter")
        await settled(pilot)
        assert len(moves(pilot)) == 2
        assert "thinks 'the first one', which is not a Thinking" in screen_text(pilot.app)
