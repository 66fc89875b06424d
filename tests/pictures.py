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
from inspect import iscoroutinefunction
from pathlib import Path
from typing import Any, TypeAlias
from unittest import mock

from nimtui.cli.app import run
from nimtui.jobs.job import JobState
from nimtui.process import detached
from nimtui.store.settings import Settings
from nimtui.ui.app.app import NimtuiApp
from nimtui.ui.app.terminal import TerminalInfo
from nimtui.ui.kit.widgets.bars import Header
from nimtui.ui.play.compare_setup import PRESETS
from nimtui.ui.search.setup import SearchSetup
from nimtui.ui.tournament.setup import TournamentSetup
from nimtui.ui.train.setup import TrainSetup
from tests import svg
from tests.ui import playing, shelving, tournaments
from tests.ui.comparing import comparing, conductor
from tests.ui.conftest import screen_text
from tests.ui.playing import moves, session, settled
from tests.ui.searching import searching
from tests.ui.training import ended, panel, training

Size: TypeAlias = tuple[int, int]
Scene: TypeAlias = AbstractAsyncContextManager[Any]
Step: TypeAlias = str | Callable[[Any], Any]

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
async def then(opened: Scene, *steps: Step) -> Any:
    """The screen after these steps: keys, a function of the pilot to await, or one that has to become true."""
    async with opened as pilot:
        for step in steps:
            if isinstance(step, str):
                await pilot.press(*step.split())
                await pilot.pause()
            elif iscoroutinefunction(step):
                await step(pilot)
            else:
                await until(pilot, partial(step, pilot))
        yield pilot


async def moment(pilot: Any) -> None:
    await asyncio.sleep(1.5)  # what has just changed stands out for a second
    await pilot.pause()


def game(name: str, first: str, second: str, size: Size, *steps: Step) -> Scene:
    return then(playing.playing(make_app, name, first, second, size=size), *steps)


def moved(number: int) -> Step:
    return lambda pilot: len(moves(pilot)) == number


def play(size: Size = HIGH) -> Scene:
    """A game after two moves: you took two of D, and the learner answered with two of B."""
    keys = settled, "colon d 2 enter", moved(2), settled, "up w w", settled
    return game("tower:16", "me", "reward:games=5000000,seed=0", size, *keys)


def train(size: Size = HIGH) -> Scene:
    """The reward learner after 5,000 games, and the first position that it plays wrong."""
    return then(training(make_app, TrainSetup(goal="5,000"), size=size), ended, "x", moment)


def learn(size: Size = HIGH) -> Scene:
    """A function after 20,000 games of Connect Four: a position that it plays wrong, and why."""
    opened = training(make_app, TrainSetup("connect4", "ntuple:tuples=70", goal="20,000"), size=size)
    trained = ended, lambda pilot: pilot.app.training.lanes[0].games == 20_000
    return then(opened, *trained, "x w", lambda pilot: "What each cell adds" in panel(pilot, "why"), moment)


def search(size: Size = HIGH) -> Scene:
    """The minimax document's example, at the first cutoff."""
    return then(searching(make_app, size=size), "n")


def tournament(size: Size = LOW) -> Scene:
    """What a million games teach: perfect play and three learners, from balanced openings."""
    setup = TournamentSetup(("tower:16",), ("easy", "medium", "hard", "perfect"), openings="balanced:2")
    return then(tournaments.tournament(make_app, setup, size=size), tournaments.finished)


def library(size: Size = LOW) -> Scene:
    """Tables, runs, matches, a tournament and a sweep, all saved within an hour."""
    return shelving.library(make_app, size=size)


def live(size: Size) -> Scene:
    """Flat Monte Carlo after a million of its playouts: the intervals of all moves shrink around 0, one half."""

    def believed(pilot: Any) -> bool:
        return getattr(pilot.app.screen_stack[0].conductor.believed, "done", 0) >= 1_000_000

    return game("nim:3,5,4,2,6:misere", "mc:playouts=1000000", "me", size, believed)


def compare(size: Size) -> Scene:
    """Tree search and alpha-beta on a lost position of Connect Four: the first preset."""
    return comparing(make_app, PRESETS[0].setup, size=size)


def positions(size: Size) -> Scene:
    """Two learners after 1,000 games on the map of all positions: the second preset."""
    opened = comparing(make_app, PRESETS[1].setup, size=size)
    return then(opened, "m", lambda pilot: conductor(pilot).everywhere.result is not None)


def story(size: Size) -> Scene:
    """The value history of a game of Connect Four, in which you lost to tree search."""

    async def opens(pilot: Any) -> None:
        if not pilot.app.screen.has_class("-story"):
            await pilot.press("V")

    def judged(pilot: Any) -> bool:
        return session(pilot).over and len(session(pilot).judged()) == session(pilot).record.ply

    keys = (step for column in GAME for step in (f"{column} enter", settled))
    return game("connect:5x4x4", "me", "mcts:simulations=500", size, settled, *keys, opens, judged)


def book(size: Size, tree: str, how: str, *keys: str) -> Scene:
    """A textbook tree on the Search screen, at the event to which the keys lead."""
    return then(searching(make_app, SearchSetup(tree, None, how), size=size), *keys)


def redblue(size: Size) -> Scene:
    """Red-blue Nim against perfect play, with what the moves are worth."""
    return game("redblue:7,5", "me", "perfect", size, settled, "w", settled)


def splitting(size: Size) -> Scene:
    """Kayles as heaps: the first split leaves two equal heaps, and the marked move would split one of them."""
    said = says("N-position", "P-position")
    return game("octal:0.77:12", "me", "me", size, "colon a 2 slash 5 enter", moved(1), "plus plus w w", said)


def sequence(size: Size) -> Scene:
    """The values of Kayles in rows as long as the period, and the heaps before it that differ."""
    return then(splitting(size), "P 4 enter")


def misere(size: Size) -> Scene:
    """0.123 in misère play after a move of each side, a mistake: the misère quotient says which moves win."""
    keys = "colon a 2 enter", moved(2), "w w", says("misère quotient")  # b2 wins
    return game("octal:0.123:10,9,8:misere", "me", "perfect", size, *keys)


def quotient(size: Size) -> Scene:
    """The misère quotient of 0.123 with heaps up to 11, and a sum to which heaps were added."""

    async def add(pilot: Any) -> None:
        for heap in (8, 1, 1):
            page = pilot.app.screen
            while page.at != heap:
                await pilot.press("down" if page.at < heap else "up")
            await pilot.press("enter")
        await pilot.pause()

    return then(misere(size), "P Q", add)


def says(*words: str) -> Step:
    return lambda pilot: any(word in screen_text(pilot.app) for word in words)


WIDE, DEEP = "tree:((3,12,8),(2,4,6),(14,5,2))", "tree:(5,(((4,9),8),6),(3,7))"
SMALL = THINKING[0]
PICTURES: dict[str, Callable[[], Scene]] = {
    f"{screen.__name__}{ground}": screen
    for screen in (play, train, learn, search, tournament, library)
    for ground in ("", ON_LIGHT)
}
for screen in (live, compare, positions, story, learn):
    for size in THINKING:
        name = screen.__name__ if screen is learn else f"think-{screen.__name__}"
        PICTURES[f"{name}-{size[0]}x{size[1]}"] = partial(screen, size)
PICTURES |= {f"octal-{screen.__name__}": partial(screen, SMALL) for screen in (splitting, sequence, misere, quotient)}
PICTURES |= {
    "tree-minimax": partial(book, SMALL, WIDE, "minimax:depth=-1", "home", *["full_stop"] * 17),
    "tree-deep": partial(book, SMALL, DEEP, "alphabeta:depth=-1", "home", "greater_than_sign"),
    "tree-shallow": partial(book, SMALL, DEEP, "alphabeta:depth=-1", "n", "n"),
    "redblue": partial(redblue, SMALL),
}


def draw(name: str) -> str:
    """Return a picture as SVG, drawn in a new home."""
    return shown(name, PICTURES[name], LIGHT if name.endswith(ON_LIGHT) else DARK)


def shown(name: str, screen: Callable[[], Scene], theme: str) -> str:
    """Return this screen as SVG, in a new home and this theme; `name` is that of its picture."""

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
    detached.GROUPS = Path("none")  # nobody waits for a key
    settings = replace(settings or Settings(animation=False), theme=THEME.get())
    return NimtuiApp(settings, surroundings or TerminalInfo(), **more)


async def until(pilot: Any, condition: Callable[[], bool]) -> None:
    """Let the app work until the condition holds."""
    await playing.until(pilot, condition)


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
