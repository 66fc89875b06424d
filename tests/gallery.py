"""Draws every screen in several sizes, dark and light: `python -m tests.gallery --to FOLDER [--png] [NAME ...]`.

For looking at what was changed: FOLDER/index.html shows all. The pictures are not part of the documentation, see
`tests.pictures`.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import subprocess
import sys
import traceback
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import partial
from html import escape
from pathlib import Path
from typing import Any, TypeAlias

from tests import pictures
from tests.pictures import DARK, LIGHT, make_app, until

Size: TypeAlias = tuple[int, int]
Scene: TypeAlias = Callable[[Size], AbstractAsyncContextManager[Any]]
SIZES = ("80x24", "100x30", "120x36", "200x60")


@asynccontextmanager
async def after(size: Size, *keys: str, mode: str = "") -> Any:
    """The screen that these keys lead to from the start, or from this mode."""
    app = make_app(mode=mode)
    async with app.run_test(size=size) as pilot:
        for key in keys:
            await pilot.press(key)
            await asyncio.sleep(0.5)  # a form or a list is filled in the background
        await pilot.pause()
        yield pilot


@asynccontextmanager
async def discs(size: Size) -> Any:
    """Connect Four on five columns against tree search, with what each column is worth."""
    from tests.ui.playing import moves, playing, settled

    async with playing(make_app, "connect:5x4x4", "me", "mcts:simulations=500", size=size) as pilot:
        for count, column in enumerate("32", 1):
            await pilot.press(column, "enter")
            await until(pilot, lambda count=count: len(moves(pilot)) == 2 * count)
        await pilot.press("w")
        await settled(pilot)
        yield pilot


@asynccontextmanager
async def review(size: Size) -> Any:
    """A finished game of two learners, judged."""
    from nimtui.ui.kit.widgets.virtual_list import VirtualList
    from tests.ui.playing import playing, session, settled

    async with playing(make_app, "tower:16", "random", "medium", size=size) as pilot:
        await until(pilot, lambda: session(pilot).over)
        await settled(pilot)
        await pilot.press("r")
        await until(pilot, lambda: bool(pilot.app.screen.query(VirtualList)))
        await until(pilot, lambda: not pilot.app.jobs.running())
        yield pilot


@asynccontextmanager
async def two_learners(size: Size) -> Any:
    """Two learners beside each other."""
    from nimtui.ui.train.setup import TrainSetup
    from tests.ui.training import ended, training

    async with training(make_app, TrainSetup(rival="quality", goal="3,000"), size=size) as pilot:
        await ended(pilot)
        yield pilot


@asynccontextmanager
async def learned(size: Size, key: str, awaited: str) -> Any:
    """What this key shows of a function that has learned Connect Four, when a panel says this pattern."""
    async with pictures.learn(size) as pilot:
        await pilot.press("w", key)  # `w` ends what it shows first
        stage = pilot.app.screen.stage
        if key == "full_stop":  # the game ends with what the learner plays now: some moves before
            await until(pilot, lambda: stage.sight.game is not None and not stage.sight.film.running)
            await pilot.press(*["less_than_sign"] * 5)
        await until(pilot, lambda: re.search(awaited, text(pilot)) is not None)
        if pilot.app.training.meetings.searched is not None:  # its positions are on the map a moment later
            await until(pilot, lambda: stage.sight.atlas.truth is pilot.app.training.meetings.searched.truth)
            await pilot.press("x")
        await pilot.pause(1.5)
        yield pilot


def text(pilot: Any) -> str:
    from tests.ui.training import panel

    return " ".join(panel(pilot, name) for name in ("why", "prompt", "episode", "position"))


@asynccontextmanager
async def pairing(size: Size) -> Any:
    """The games of two agents."""
    async with pictures.tournament(size) as pilot:
        await pilot.press("enter")
        await until(pilot, lambda: not pilot.app.jobs.running())
        yield pilot


@asynccontextmanager
async def sweep(size: Size) -> Any:
    """A finished sweep."""
    from tests.ui import sweeping

    async with sweeping.sweeping(make_app, size=size) as pilot:
        await until(pilot, lambda: not pilot.app.jobs.running())
        yield pilot


SCENES: dict[str, Scene] = {
    "start": after,
    "play": pictures.play,
    "discs": discs,
    "story": pictures.story,
    "review": review,
    "train": pictures.train,
    "two-learners": two_learners,
    "learn-why": pictures.learn,
    "learn-patterns": partial(learned, key="W", awaited="met"),
    "learn-past": partial(learned, key="t", awaited="It has been "),
    "learn-errors": partial(learned, key="E", awaited="never met|did not meet"),
    "learn-game": partial(learned, key="full_stop", awaited="error"),
    "search": pictures.search,
    "compare": pictures.compare,
    "tournament": pictures.tournament,
    "pairing": pairing,
    "sweep": sweep,
    "library": pictures.library,
}
FORMS = {"new-game": ("n",), "train-form": ("t", "N"), "settings": ("s",), "help": ("f1",), "palette": ("ctrl+p",)}


def scene(name: str, size: Size) -> AbstractAsyncContextManager[Any]:
    if name in SCENES:
        return SCENES[name](size)
    return after(size, *FORMS[name]) if name in FORMS else after(size, mode=name)


def main(arguments: Sequence[str] | None = None) -> int:
    """Draw the pictures; return 1 if some could not be drawn: all others are, then these are named."""
    from nimtui.ui.app.modes import MODES

    others = [mode.name for mode in MODES if mode.name not in SCENES]  # a new screen as it opens
    names = [*SCENES, *others, *FORMS]
    parser = argparse.ArgumentParser(prog="python -m tests.gallery", description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(names), choices=[*names, []])
    parser.add_argument("--to", type=Path, required=True, metavar="FOLDER", help="where to write them")
    parser.add_argument("--sizes", default=",".join(SIZES), metavar="SIZES", help=f"[default: {','.join(SIZES)}]")
    parser.add_argument("--themes", default=f"{DARK},{LIGHT}", help=f"[default: {DARK},{LIGHT}]")
    parser.add_argument("--png", action="store_true", help="write PNGs as well; needs rsvg-convert")
    asked = parser.parse_args(arguments)
    asked.to.mkdir(parents=True, exist_ok=True)
    failed = []
    for name in asked.names or names:
        for size in asked.sizes.split(","):
            columns, lines = map(int, size.split("x"))
            for theme in asked.themes.split(","):
                path = asked.to / f"{name}-{size}-{theme}.svg"
                try:
                    drawn = pictures.shown(name, partial(scene, name, (columns, lines)), theme)
                except Exception:  # noqa: BLE001 - a broken scene must not hide the others
                    traceback.print_exc()
                    failed.append(path.stem)
                    continue
                path.write_text(drawn, "utf-8")
                if asked.png:
                    subprocess.run(["rsvg-convert", path, "-o", path.with_suffix(".png")], check=True)
                print(path.name, flush=True)
    shown = (f'<h2>{escape(path.stem)}</h2><img src="{path.name}">' for path in sorted(asked.to.glob("*.svg")))
    (asked.to / "index.html").write_text("\n".join(shown), "utf-8")
    if failed:
        print(f"not drawn: {', '.join(failed)}", file=sys.stderr)
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main())
