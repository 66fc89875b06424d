"""What all tests of the interface share: a home of their own, apps of several kinds, the screen as text."""

from __future__ import annotations

import asyncio
import sys
import traceback
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar

import pytest
from textual.app import App, ComposeResult
from textual.binding import BindingType

from nimtui.engine import activity
from nimtui.playing.setup import PlaySetup
from nimtui.store.settings import Settings
from nimtui.ui.app.terminal import TerminalInfo
from nimtui.ui.kit.widgets.page import Page
from nimtui.ui.kit.widgets.panel import Paint, Panel, of_line
from tests.ui.resting import rest_at_once
from tests.ui.sheets import cut_lines_for_terminals_only, parse_style_sheets_once

LOCALE = ("LC_ALL", "LC_CTYPE", "LANG")  # by these a terminal's encoding is known
SIZES = [(80, 24), (200, 60), (60, 20)]


def screen_text(app: App[Any]) -> str:
    """All that is on the screen, line by line."""
    return "\n".join(strip.text.rstrip() for strip in app.screen._compositor.render_strips(app.size))


def unframed(app: App[Any]) -> str:
    """All that is on the screen but the sides of frames."""
    return screen_text(app).replace("│", " ")


@pytest.fixture(scope="session", autouse=True)
def parsed_once() -> Iterator[None]:
    """A style sheet is parsed once for all apps, and lines are cut for terminals only."""
    with pytest.MonkeyPatch.context() as patch:
        parse_style_sheets_once(patch.setattr)
        cut_lines_for_terminals_only(patch.setattr)
        yield


@pytest.fixture(scope="session", autouse=True)
def pauses_end_at_rest() -> Iterator[None]:
    """A pause ends as soon as the app rests, whatever its jobs do."""
    with pytest.MonkeyPatch.context() as patch:
        rest_at_once(patch.setattr)
        yield


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of the test's own for all that is kept, and an environment that asks for nothing special."""
    for name in ("NO_COLOR", "SSH_CONNECTION", "TEXTUAL_COLOR_SYSTEM", *LOCALE):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("NIMTUI_HOME", str(tmp_path))
    return tmp_path


@pytest.fixture(autouse=True)
def jobs_alone_compile(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No screen asks for a kernel itself: it would stand still while that is compiled, or another one beside it."""
    asking, asked = activity.asking, []

    def noted() -> AbstractContextManager[None]:
        with suppress(RuntimeError):  # no loop in this thread: it is a job's, or a test's that calls a function itself
            asyncio.get_running_loop()
            asked.extend(step for step in traceback.extract_stack() if "/nimtui/ui/" in step.filename)
        return asking()

    monkeypatch.setattr(activity, "asking", noted)
    yield
    assert not asked


@pytest.fixture
def make_app(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """An app with these settings, in these surroundings; it shows five times as often what its jobs have done."""

    def make(settings: Settings | None = None, surroundings: TerminalInfo | None = None, **more: Any) -> Any:
        from nimtui.ui.app.app import NimtuiApp

        monkeypatch.setattr("nimtui.ui.app.app.TICK", 0.05)
        return NimtuiApp(settings or Settings(), surroundings or TerminalInfo(), **more)

    return make


@pytest.fixture
async def pilot(make_app: Callable[..., Any]) -> AsyncIterator[Any]:
    """A pilot at the start screen, 80 × 24, of an app in which nothing moves by itself."""
    async with make_app(Settings(animation=False, pace=0.0)).run_test(size=(80, 24)) as pilot:
        yield pilot


class BoardOfWords(Page[None]):
    """In the place of the Play screen: says what it was asked to play."""

    BINDING_GROUP_TITLE = "Play"
    BINDINGS: ClassVar[list[BindingType]] = [("n", "app.new_game", "New game")]
    setup: PlaySetup | None = None

    def start(self, setup: PlaySetup) -> None:
        self.setup = setup
        self.draw()

    def parts(self) -> ComposeResult:
        yield Panel(id="words")

    def panels(self) -> Iterator[tuple[str, Paint]]:
        if self.setup is not None:
            yield "words", of_line(f"{self.setup.game}: {' against '.join(self.setup.seats)}")


@pytest.fixture
def no_board(monkeypatch: pytest.MonkeyPatch) -> None:
    """The shell alone: Play is a screen of words."""
    module = ModuleType("nimtui.ui.play.screen")
    module.PlayScreen = BoardOfWords  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, module.__name__, module)
