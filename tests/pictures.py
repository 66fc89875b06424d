"""Draws the pictures of the documentation again: `python -m tests.pictures [NAME ...]`.

`NAME-light` is the same on a light ground. `python -m tests.gallery` draws every screen in several sizes.

Each picture is one screen, driven by Textual's pilot in a home of its own, with fixed seeds and, for the Library, a
fixed clock. One version of nimtui always draws the same bytes, except for the `think-` pictures: these show how long
agents worked, and `think-live` the moment at which it catches an agent.
"""

from __future__ import annotations

import argparse
import asyncio
import io
import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager, nullcontext, redirect_stdout
from contextvars import ContextVar
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any
from unittest import mock

DOCS = Path(__file__).resolve().parent.parent / "docs"
HIGH, LOW = (100, 30), (100, 22)  # sizes of the screen
THINKING = ((80, 24), (200, 60))  # sizes of the pictures of agents that think
LIVE = "think-live"  # pictures of work that is not finished
DARK, LIGHT, ON_LIGHT = "nimtui-dark", "nimtui-light", "-light"
THEME = ContextVar("THEME", default=DARK)
NOW = datetime(2026, 11, 21, 20, 47)  # when the Library is looked at
SETTLING = ("NO_COLOR", "SSH_CONNECTION", "TEXTUAL_COLOR_SYSTEM", "TEXTUAL_THEME", "COLUMNS", "LINES")
GAME = "332421"  # your moves in the game of the story
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
async def play(size: tuple[int, int] = HIGH) -> Any:
    """A game after two moves: you took two of D, and the learner answered with two of B."""
    from tests.ui.playing import moves, playing, settled

    async with playing(make_app, "tower:16", "me", "reward:games=5000000,seed=0", size=size) as pilot:
        await settled(pilot)
        await pilot.press("colon", "d", "2", "enter")
        await until(pilot, lambda: len(moves(pilot)) == 2)
        await settled(pilot)
        await pilot.press("up", "w", "w")
        await settled(pilot)
        yield pilot


@asynccontextmanager
async def train(size: tuple[int, int] = HIGH) -> Any:
    """The reward learner after 5,000 games, and the first position that it plays wrong."""
    from nimtui.ui.train.setup import TrainSetup
    from tests.ui.training import ended, training

    async with training(make_app, TrainSetup(goal="5,000"), size=size) as pilot:
        await ended(pilot)
        await pilot.press("x")
        await asyncio.sleep(1.5)  # what has just changed stands out for a second
        await pilot.pause()
        yield pilot


@asynccontextmanager
async def learn(size: tuple[int, int] = HIGH) -> Any:
    """A function after 20,000 games of Connect Four: a position that it plays wrong, and why."""
    from nimtui.ui.train.setup import TrainSetup
    from tests.ui.training import ended, panel, training

    setup = TrainSetup("connect4", "ntuple:tuples=70", goal="20,000")
    async with training(make_app, setup, size=size) as pilot:
        await ended(pilot)
        await until(pilot, lambda: pilot.app.training.lanes[0].games == 20_000)
        await pilot.press("x", "w")
        await until(pilot, lambda: "What each cell adds" in panel(pilot, "why"))
        await asyncio.sleep(1.5)  # what has just changed stands out for a second
        await pilot.pause()
        yield pilot


@asynccontextmanager
async def search(size: tuple[int, int] = HIGH) -> Any:
    """The minimax document's example, at the first cutoff."""
    from tests.ui.searching import searching

    async with searching(make_app, size=size) as pilot:
        await pilot.press("n")
        await pilot.pause()
        yield pilot


@asynccontextmanager
async def tournament(size: tuple[int, int] = LOW) -> Any:
    """What a million games teach: perfect play and three learners, from balanced openings."""
    from nimtui.ui.tournament.setup import TournamentSetup
    from tests.ui import tournaments

    setup = TournamentSetup(("tower:16",), ("easy", "medium", "hard", "perfect"), openings="balanced:2")
    async with tournaments.tournament(make_app, setup, size=size) as pilot:
        await tournaments.finished(pilot)
        yield pilot


@asynccontextmanager
async def library(size: tuple[int, int] = LOW) -> Any:
    """Tables, runs, matches, a tournament and a sweep, all saved within an hour."""
    from tests.ui import shelving

    async with shelving.library(make_app, size=size) as pilot:
        yield pilot


@asynccontextmanager
async def live(size: tuple[int, int]) -> Any:
    """Flat Monte Carlo after a million of its playouts: the intervals of all moves shrink around 0, one half."""
    from tests.ui.playing import playing

    async with playing(make_app, "nim:3,5,4,2,6:misere", "mc:playouts=1000000", "me", size=size) as pilot:
        conductor = pilot.app.screen_stack[0].conductor
        await until(pilot, lambda: conductor.believed is not None and conductor.believed.done >= 1_000_000)
        yield pilot


@asynccontextmanager
async def compare(size: tuple[int, int]) -> Any:
    """Tree search and alpha-beta on a lost position of Connect Four: the first preset."""
    from nimtui.ui.play.compare_setup import PRESETS
    from tests.ui.comparing import comparing

    async with comparing(make_app, PRESETS[0].setup, size=size) as pilot:
        yield pilot


@asynccontextmanager
async def positions(size: tuple[int, int]) -> Any:
    """Two learners after 1,000 games on the map of all positions: the second preset."""
    from nimtui.ui.play.compare_setup import PRESETS
    from tests.ui.comparing import comparing, conductor

    async with comparing(make_app, PRESETS[1].setup, size=size) as pilot:
        await pilot.press("m")
        await until(pilot, lambda: conductor(pilot).everywhere.result is not None)
        yield pilot


@asynccontextmanager
async def story(size: tuple[int, int]) -> Any:
    """The value history of a game of Connect Four, in which you lost to tree search."""
    from tests.ui.playing import playing, session, settled

    async with playing(make_app, "connect:5x4x4", "me", "mcts:simulations=500", size=size) as pilot:
        await settled(pilot)
        for column in GAME:
            await pilot.press(column, "enter")
            await settled(pilot)
        assert session(pilot).over
        if not pilot.app.screen.has_class("-story"):
            await pilot.press("V")
        await until(pilot, lambda: len(session(pilot).judged()) == session(pilot).record.ply)
        yield pilot


@asynccontextmanager
async def book(size: tuple[int, int], tree: str, how: str, keys: Sequence[str]) -> Any:
    """A textbook tree on the Search screen, at the event to which the keys lead."""
    from nimtui.ui.search.setup import SearchSetup
    from tests.ui.searching import searching

    async with searching(make_app, SearchSetup(tree, None, how), size=size) as pilot:
        for key in keys:
            await pilot.press(key)
            await pilot.pause()
        yield pilot


@asynccontextmanager
async def redblue(size: tuple[int, int]) -> Any:
    """Red-blue Nim against perfect play, with what the moves are worth."""
    from tests.ui.playing import playing, settled

    async with playing(make_app, "redblue:7,5", "me", "perfect", size=size) as pilot:
        await settled(pilot)
        await pilot.press("w")
        await settled(pilot)
        yield pilot


def textbook() -> Iterator[tuple[str, Callable[[], AbstractAsyncContextManager[Any]]]]:
    """Yield the name and the screen of each picture of games that end with a number."""
    wide, deep = "tree:((3,12,8),(2,4,6),(14,5,2))", "tree:(5,(((4,9),8),6),(3,7))"
    small = THINKING[0]
    yield "tree-minimax", partial(book, small, wide, "minimax:depth=-1", ("home", *["full_stop"] * 17))
    yield "tree-deep", partial(book, small, deep, "alphabeta:depth=-1", ("home", "greater_than_sign"))
    yield "tree-shallow", partial(book, small, deep, "alphabeta:depth=-1", ("n", "n"))
    yield "redblue", partial(redblue, small)


@asynccontextmanager
async def splitting(size: tuple[int, int]) -> Any:
    """Kayles as heaps: the first split leaves two equal heaps, and the marked move would split one of them."""
    from tests.ui.playing import moves, playing

    async with playing(make_app, "octal:0.77:12", "me", "me", size=size) as pilot:
        await pilot.press("colon", "a", "2", "slash", "5", "enter")
        await until(pilot, lambda: len(moves(pilot)) == 1)
        await pilot.press("plus", "plus", "w", "w")
        await until(pilot, lambda: "N-position" in text_of(pilot) or "P-position" in text_of(pilot))
        yield pilot


@asynccontextmanager
async def sequence(size: tuple[int, int]) -> Any:
    """The values of Kayles in rows as long as the period, and the heaps before it that differ."""
    async with splitting(size) as pilot:
        await pilot.press("P", "4", "enter")
        await pilot.pause()
        yield pilot


@asynccontextmanager
async def misere(size: tuple[int, int]) -> Any:
    """0.123 in misère play after a move of each side: the misère quotient says which moves win."""
    from tests.ui.playing import moves, playing

    async with playing(make_app, "octal:0.123:10,9,8:misere", "me", "perfect", size=size) as pilot:
        await pilot.press("colon", "a", "2", "enter")  # a mistake: b2 wins
        await until(pilot, lambda: len(moves(pilot)) == 2)
        await pilot.press("w", "w")
        await until(pilot, lambda: "misère quotient" in text_of(pilot))
        yield pilot


@asynccontextmanager
async def quotient(size: tuple[int, int]) -> Any:
    """The misère quotient of 0.123 with heaps up to 11, and a sum to which heaps were added."""
    async with misere(size) as pilot:
        await pilot.press("P", "Q")
        for heap in (8, 1, 1):
            page = pilot.app.screen
            while page.at != heap:
                await pilot.press("down" if page.at < heap else "up")
            await pilot.press("enter")
        await pilot.pause()
        yield pilot


def text_of(pilot: Any) -> str:
    """The text of the screen."""
    from tests.ui.conftest import screen_text

    return str(screen_text(pilot.app))


def thinking() -> Iterator[tuple[str, Callable[[], AbstractAsyncContextManager[Any]]]]:
    """Yield the name and the screen of each picture of agents that think, and of a function, in each size."""
    for screen in (live, compare, positions, story, learn):
        for size in THINKING:
            name = screen.__name__ if screen is learn else f"think-{screen.__name__}"
            yield f"{name}-{size[0]}x{size[1]}", partial(screen, size)
    for screen in (splitting, sequence, misere, quotient):
        yield f"octal-{screen.__name__}", partial(screen, THINKING[0])


def grounds() -> Iterator[tuple[str, Callable[[], AbstractAsyncContextManager[Any]]]]:
    """Yield the name and the screen of each picture that is drawn on a dark and on a light ground."""
    for screen in (play, train, learn, search, tournament, library):
        yield screen.__name__, screen
        yield f"{screen.__name__}{ON_LIGHT}", screen


PICTURES = dict(grounds()) | dict(thinking()) | dict(textbook())


def draw(name: str) -> str:
    """Return a picture as SVG, drawn in a new home."""
    return shown(name, PICTURES[name], LIGHT if name.endswith(ON_LIGHT) else DARK)


def shown(name: str, screen: Callable[[], AbstractAsyncContextManager[Any]], theme: str) -> str:
    """Return this screen as SVG, in a new home and this theme; `name` is that of its picture."""
    from nimtui.jobs.job import JobState
    from nimtui.ui.kit.widgets.bars import Header
    from tests import svg

    async def drawn() -> str:
        THEME.set(theme)
        async with screen() as pilot:
            app = pilot.app
            if not name.startswith(LIVE):
                await until(pilot, lambda: all(job.state is JobState.PAUSED for job in app.jobs.running()))
                await until(pilot, lambda: not any(header._work for header in app.screen.query(Header)))
            return svg.screen(app)

    with new_home() as home, library_of(home) if name.startswith("library") else nullcontext():
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
    from nimtui.process import detached
    from nimtui.store.settings import Settings
    from nimtui.ui.app.app import NimtuiApp
    from nimtui.ui.app.terminal import TerminalInfo

    detached.GROUPS = Path("none")  # nobody waits for a key
    settings = replace(settings or Settings(animation=False), theme=THEME.get())
    return NimtuiApp(settings, surroundings or TerminalInfo(), **more)


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
