"""What the tests of the Play screen share: an app at a game, agents that do what a test wants, waiting for the end."""

from __future__ import annotations

import asyncio
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import asynccontextmanager
from time import monotonic
from typing import Any

import pytest
from textual.pilot import Pilot

from nimtui.agents import Decision, Thinking, Thought
from nimtui.agents.agent import AlwaysReady, moves_of
from nimtui.engine.rng import Stream
from nimtui.games.base import State
from nimtui.jobs import Jobs
from nimtui.playing import setup
from nimtui.playing.session import Session
from nimtui.playing.setup import PlaySetup
from nimtui.progress import SILENT, Progress
from nimtui.report.lines import plain_text
from nimtui.store.settings import Settings
from nimtui.ui.app.app import NimtuiApp
from nimtui.ui.kit.terminal.glyphs import UNICODE, Glyphs
from nimtui.ui.play.conductor import PlayConductor
from tests.patience import latest
from tests.ui.conftest import screen_text

CALM = Settings(animation=False, pace=0.0)


async def until(pilot: Pilot[Any], condition: Callable[[], bool]) -> None:
    """Let the app work until the condition holds, and knows of the end of each job that has ended by then."""
    end = latest()
    while not condition():
        assert monotonic() < end, f"it did not happen:\n{screen_text(pilot.app)}"
        await asyncio.sleep(0.005)
        await pilot.pause()
    jobs = pilot.app.jobs._started if isinstance(pilot.app, NimtuiApp) else []
    while any(job.state.ended and not job.join(0) for job in jobs):
        await asyncio.sleep(0.001)
    await pilot.pause()


async def settled(pilot: Pilot[Any]) -> None:
    """Let the app work until no agent thinks and nothing is being worked out."""
    conductor = pilot.app.screen_stack[0].conductor
    await until(pilot, lambda: not conductor.working and conductor._due is None)


@asynccontextmanager
async def playing(
    make_app: Any,
    game: str = "tower:16",
    first: str = "me",
    second: str = "perfect",
    *,
    position: str | None = None,
    size: tuple[int, int] = (80, 24),
    settings: Settings = CALM,
    **more: Any,
) -> Any:
    """A pilot at this game, once nothing thinks any more and its board is drawn."""
    app = make_app(settings, setup=PlaySetup(game, position, (first, second), 1), **more)
    async with app.run_test(size=size) as pilot:
        await until(pilot, lambda: bool(app.screen_stack[0].query("Board")))
        yield pilot


async def make_moves(pilot: Pilot[Any], names: str) -> None:
    """Type these moves, each after the reply to the one before."""
    for name in names.split():
        await pilot.press(*name, "enter")
        await settled(pilot)


async def eventually(condition: Callable[[], object]) -> None:
    """Let the jobs of a conductor without a screen work until the condition holds."""
    end = latest()
    while not condition():
        assert monotonic() < end, "it did not happen"
        await asyncio.sleep(0.002)


async def at_rest(conductor: PlayConductor) -> None:
    """Wait until a conductor without a screen has done all that was asked of it."""
    await eventually(lambda: not conductor.on_errand() and conductor._due is None)


async def conducted(
    game: str, names: str = "", first: str = "me", second: str = "me", position: str | None = None
) -> PlayConductor:
    """A conductor without a screen, after these moves and the replies to them."""
    conductor = PlayConductor(Jobs())
    conductor.set_pace(0.0, reply=False)
    conductor.start(PlaySetup(game, position, (first, second), 1))
    await at_rest(conductor)
    for name in names.split():
        conductor.play(conductor.session.game.parse_move(name, conductor.session.state))
        await at_rest(conductor)
    return conductor


def session(pilot: Pilot[Any]) -> Any:
    return pilot.app.screen_stack[0].session


def moves(pilot: Pilot[Any]) -> list[str]:
    """The moves that have been played."""
    game = session(pilot)
    return game.move_names()[: game.record.ply]


def panel(pilot: Pilot[Any], name: str) -> str:
    """What a panel of the lowest screen shows."""
    return str(pilot.app.screen_stack[0].query_one(f"#{name}").text())


def said(pilot: Pilot[Any], name: str = "") -> str:
    """The words of a panel of the lowest screen, or of all that is shown, with single blanks."""
    return " ".join((panel(pilot, name) if name else screen_text(pilot.app)).split())


def played(
    game: str, moves: str = "", seats: tuple[str, str] = ("me", "random"), position: str | None = None
) -> Session:
    """A game without a screen, after these moves."""
    found = Session(PlaySetup(game, position, seats, 0))
    for name in moves.split():
        found.play(found.game.parse_move(name, found.state))
    return found


def painted(paint: Any, columns: int, rows: int = 40, signs: Glyphs = UNICODE) -> list[str]:
    """The lines of a panel of this size, without the blanks at their ends."""
    return [plain_text(line).rstrip() for line in paint(columns, rows, signs)]


class Stub(AlwaysReady):
    """Thinks of one more visit at each step that a test allows, until it may move; or does what its name says."""

    def __init__(self, name: str) -> None:
        self.name = self.title = name
        self.asked = self.allowed = self.visits = 0
        self.go = threading.Event()

    def decide(self, state: State, stream: Stream, progress: Progress = SILENT) -> Decision:
        self.asked += 1
        moves, self.visits = moves_of(state), 0
        if self.name == "broken":
            raise ZeroDivisionError("it divided by zero")
        if self.name == "cheat":
            return Decision(10_000, ())
        if self.name == "mute":
            return None  # type: ignore[return-value]
        while not self.go.wait(0.002):
            self.visits = min(self.visits + 1, self.allowed)
            progress.think(lambda: self.thinking(moves))
            progress.report(self.visits, 1000, "playouts")
        return Decision(moves[0], self.thinking(moves).thoughts)

    def thinking(self, moves: list[int]) -> Thinking:
        visits = self.visits
        thoughts = tuple(Thought(move, 0.25, visits=visits * (move + 1), mean=0.25, ucb=0.5) for move in moves)
        return Thinking(thoughts, moves[0], tuple(moves[:1]), visits, "simulations")


@pytest.fixture
def stubs(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, Stub]]:
    """Agents by name, which can be seated as others are."""
    agents = {name: Stub(name) for name in ("broken", "cheat", "mute", "Slow", "Other")}
    real = setup.parse_seat

    def parse_seat(text: str, game: Any) -> Any:
        return agents.get(text) or real(text, game)

    monkeypatch.setattr(setup, "parse_seat", parse_seat)
    monkeypatch.setattr("nimtui.playing.session.parse_seat", parse_seat)
    yield agents
    for agent in agents.values():
        agent.go.set()


async def click_head(pilot: Any, head: str, name: str = "list") -> None:
    """Click on the head of a column of a list."""
    at = pilot.app.screen.query_one(f"#{name}").content_region
    shown = [row[at.x : at.right] for row in screen_text(pilot.app).splitlines()[at.y : at.bottom]]
    x, y = next((match.start(), y) for y, row in enumerate(shown) if (match := re.search(rf"\b{head}\b", row)))
    await pilot.click(offset=(at.x + x, at.y + y))
    await pilot.pause()
