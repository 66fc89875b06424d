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
from contextlib import asynccontextmanager
from functools import partial
from html import escape
from pathlib import Path
from typing import Any

from nimtui.ui.app.modes import MODES
from nimtui.ui.kit.widgets.virtual_list import VirtualList
from nimtui.ui.train.setup import TrainSetup
from tests import pictures
from tests.pictures import DARK, LIGHT, Scene, Size, Step, game, make_app, moment, moved, then, until
from tests.ui import sweeping
from tests.ui.playing import session, settled
from tests.ui.training import ended, panel, training

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


def idle(pilot: Any) -> bool:
    return not pilot.app.jobs.running()


def discs(size: Size) -> Scene:
    """Connect Four on five columns against tree search, with what each column is worth."""
    keys = "3 enter", moved(2), "2 enter", moved(4), "w", settled
    return game("connect:5x4x4", "me", "mcts:simulations=500", size, *keys)


def review(size: Size) -> Scene:
    """A finished game of two learners, judged."""
    steps: list[Step] = [lambda pilot: session(pilot).over, settled, "r"]
    opened = game("tower:16", "random", "medium", size, *steps)
    return then(opened, lambda pilot: bool(pilot.app.screen.query(VirtualList)), idle)


def two_learners(size: Size) -> Scene:
    """Two learners beside each other."""
    return then(training(make_app, TrainSetup(rival="quality", goal="3,000"), size=size), ended)


def learned(size: Size, key: str, awaited: str) -> Scene:
    """What this key shows of a function that has learned Connect Four, when a panel says this pattern."""

    def ends(pilot: Any) -> bool:
        sight = pilot.app.screen.stage.sight
        return sight.game is not None and not sight.film.running

    def says(pilot: Any) -> bool:
        text = " ".join(panel(pilot, name) for name in ("why", "prompt", "episode", "position"))
        return re.search(awaited, text) is not None

    async def mapped(pilot: Any) -> None:
        if (found := pilot.app.training.meetings.searched) is not None:  # its positions are on the map a moment later
            await until(pilot, lambda: pilot.app.screen.stage.sight.atlas.truth is found.truth)
            await pilot.press("x")

    # The game ends with what the learner plays now: some moves before. `w` ends what it shows first.
    before: list[Step] = [ends, " ".join(["less_than_sign"] * 5)] if key == "full_stop" else []
    return then(pictures.learn(size), f"w {key}", *before, says, mapped, moment)


def pairing(size: Size) -> Scene:
    """The games of two agents."""
    return then(pictures.tournament(size), "enter", idle)


def sweep(size: Size) -> Scene:
    """A finished sweep."""
    return then(sweeping.sweeping(make_app, size=size), idle)


SCENES: dict[str, Callable[[Size], Scene]] = {
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


def scene(name: str, size: Size) -> Scene:
    if name in SCENES:
        return SCENES[name](size)
    return after(size, *FORMS[name]) if name in FORMS else after(size, mode=name)


def main(arguments: Sequence[str] | None = None) -> int:
    """Draw the pictures; return 1 if some could not be drawn: all others are, then these are named."""
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
