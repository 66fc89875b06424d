"""Draws the pictures of the documentation again: `python -m tests.pictures [NAME ...]`.

Each picture is one screen, driven by Textual's pilot in a home of its own, with fixed seeds and, for the Library, a
fixed clock. One version of nimtui always draws the same bytes.
"""

from __future__ import annotations

import argparse
import asyncio
import io
import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, nullcontext, redirect_stdout
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from unittest import mock

DOCS = Path(__file__).resolve().parent.parent / "docs"
HIGH, LOW = (100, 30), (100, 22)  # sizes of the screen
NOW = datetime(2026, 11, 21, 20, 47)  # when the Library is looked at
SETTLING = ("NO_COLOR", "SSH_CONNECTION", "TEXTUAL_COLOR_SYSTEM", "TEXTUAL_THEME", "COLUMNS", "LINES")
SAVED = (  # what the Library shows; {0} is the home
    "train tower:16 --games 1000000 --save {0}/tables/million.npz",
    "train nim:7,5,3 --learner q --games 5000 --save {0}/runs/q.npz",
    "train tower:16 --learner quality --games 300000 --save {0}/runs/quality.npz",
    "sweep nim:7,5,3 --learner quality --grid margin=50,90 --repeats 2 --games 15000 --save {0}/sweeps/margins.jsonl",
    "match connect4:4x4 --first mcts --second mc --games 20 --alternate --save",
    "match tower:16 --first hard --second mc --games 50 --alternate --save",
    "tournament tower:16 -a easy -a medium -a hard -a perfect --openings balanced:2",
)


@asynccontextmanager
async def play() -> Any:
    """A game after two moves: you took two of D, and the learner answered with two of B."""
    from tests.ui.playing import moves, playing, settled

    async with playing(make_app, "tower:16", "me", "reward:games=5000000,seed=0", size=HIGH) as pilot:
        await settled(pilot)
        await pilot.press("colon", "d", "2", "enter")
        await until(pilot, lambda: len(moves(pilot)) == 2)
        await settled(pilot)
        await pilot.press("up", "w")
        await settled(pilot)
        yield pilot


@asynccontextmanager
async def train() -> Any:
    """The reward learner after 5,000 games, and the first position that it plays wrong."""
    from nimtui.ui.train.setup import TrainSetup
    from tests.ui.training import ended, training

    async with training(make_app, TrainSetup(goal="5,000"), size=HIGH) as pilot:
        await ended(pilot)
        await pilot.press("x")
        await asyncio.sleep(1.5)  # what has just changed stands out for a second
        await pilot.pause()
        yield pilot


@asynccontextmanager
async def search() -> Any:
    """The minimax document's example, at the first cutoff."""
    from tests.ui.searching import searching

    async with searching(make_app, size=HIGH) as pilot:
        await pilot.press("n")
        await pilot.pause()
        yield pilot


@asynccontextmanager
async def tournament() -> Any:
    """What a million games teach: perfect play and three learners, from balanced openings."""
    from nimtui.ui.tournament.setup import TournamentSetup
    from tests.ui import tournaments

    setup = TournamentSetup(("tower:16",), ("easy", "medium", "hard", "perfect"), openings="balanced:2")
    async with tournaments.tournament(make_app, setup, size=LOW) as pilot:
        await tournaments.finished(pilot)
        yield pilot


@asynccontextmanager
async def library() -> Any:
    """Tables, runs, matches, a tournament and a sweep, all saved within an hour."""
    from tests.ui import shelving

    async with shelving.library(make_app, size=LOW) as pilot:
        yield pilot


PICTURES = {screen.__name__: screen for screen in (play, train, search, tournament, library)}


def draw(name: str) -> str:
    """Return a picture as SVG, drawn in a new home."""
    from nimtui.ui.kit.header import Header
    from tests import svg

    async def drawn() -> str:
        async with PICTURES[name]() as pilot:
            app = pilot.app
            await until(pilot, lambda: not app.jobs.running() and not app.screen.query_one(Header)._work)
            return svg.screen(app)

    with new_home() as home, library_of(home) if name == "library" else nullcontext():
        return asyncio.run(drawn())


@contextmanager
def new_home() -> Iterator[Path]:
    """An empty home, and an environment without settings for nimtui or Textual."""
    with tempfile.TemporaryDirectory() as folder, mock.patch.dict(os.environ, {"NIMTUI_HOME": folder}):
        for name in SETTLING:
            os.environ.pop(name, None)
        yield Path(folder)


@contextmanager
def library_of(home: Path) -> Iterator[None]:
    """Save something of every kind in this home, seven minutes apart, and set the clock to NOW."""
    from nimtui.cli.app import run

    for folder in ("tables", "runs", "sweeps"):
        (home / folder).mkdir()
    dated: set[Path] = set()
    with clock() as set_to:
        for number, command in enumerate(SAVED):
            when = NOW - timedelta(minutes=7 * (len(SAVED) - number))
            set_to(when)
            with redirect_stdout(io.StringIO()):
                assert run([*command.format(home).split(), "--json"]) == 0, command
            for path in set(home.glob("*/*")) - dated:
                os.utime(path, (when.timestamp(), when.timestamp()))
                dated.add(path)
        set_to(NOW)
        yield


@contextmanager
def clock() -> Iterator[Callable[[datetime], None]]:
    """Take the time from a clock that stands still; the function given sets it."""
    shown = NOW

    class Standing(datetime):
        @classmethod
        def now(cls, tz: Any = None) -> datetime:
            return shown

    def set_to(when: datetime) -> None:
        nonlocal shown
        shown = when

    screen = "nimtui.ui.library.screen.datetime"
    with mock.patch("time.time", lambda: shown.timestamp()), mock.patch(screen, Standing):
        yield set_to


def make_app(settings: Any = None, surroundings: Any = None, **more: Any) -> Any:
    """The app as people see it, without animation."""
    from nimtui.store.settings import Settings
    from nimtui.ui.app.app import NimtuiApp
    from nimtui.ui.app.terminal import TerminalInfo

    return NimtuiApp(settings or Settings(animation=False), surroundings or TerminalInfo(), **more)


async def until(pilot: Any, condition: Callable[[], bool]) -> None:
    """Let the app work until the condition holds."""
    from tests.ui import playing

    await playing.until(pilot, condition, 120)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.pictures", description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(PICTURES), choices=[*PICTURES, []])
    parser.add_argument("--to", type=Path, default=DOCS, metavar="FOLDER", help="where to write them [default: docs]")
    asked = parser.parse_args(arguments)
    for name in asked.names or PICTURES:
        (asked.to / f"{name}.svg").write_text(draw(name), "utf-8")
        print(f"{name}.svg")


if __name__ == "__main__":
    main()
