"""Random events for the screens find no fault, nor does what was found before.

All run in forks of one process that has loaded and compiled what they need: so they are in one file. NIMTUI_FUZZ=5
gives five times as many events.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

if sys.platform == "win32":
    pytest.skip("needs to fork", allow_module_level=True)

from tests.fuzz.home import template
from tests.fuzz.hunt import TIMES, hunt
from tests.fuzz.steps import KEYS, Step, click
from tests.fuzz.trial import Trial, run

pytestmark = pytest.mark.slow


def test_the_screens_bear_180_random_events() -> None:
    report = hunt(101, 180 * TIMES, shrinking=20, lengths=(60,))
    assert report.events >= 180 * TIMES
    assert not report.found, report.told


# Every sequence that once brought the app down, or broke a rule: none does so any more. What `python -m tests.fuzz`
# prints for a fault is pasted here as it is.


def replay(start: str, size: tuple[int, int], steps: list[Step]) -> Trial:
    return Trial(start, size, tuple(steps))


DOWN, SLOW = b"\x1b[B", b"mcts:simulations=300000"
F1, F3, F4, F6, F7, F9 = (KEYS[f"f{number}"] for number in (1, 3, 4, 6, 7, 9))
PAGE_UP, PAGE_DOWN, RIGHT, PALETTE = b"\x1b[5~", b"\x1b[6~", b"\x1b[C", b"\x10"
TO_FOUR = (b"\x15", b"connect4", b"\t", b"\t", b"\x15")  # in the form of a new game: Connect Four, and who moves first
UNBORN = [b"\r" + DOWN, F3 * 4, b"\x08", DOWN, F1 + click(0, 47, 18), DOWN, b"\x1b[A" + PAGE_UP, PAGE_DOWN * 2]
UNBORN += [F4 + b" \t " + click(1, 41, 17) + b"\x08 " + PAGE_UP]
TEACHING = [b"\x1b[<65;38;13M" * 3, DOWN, b"s", b"\x1b[<66;44;9M", F3, b"\x1b[<35;18;13M"]
TEACHING += [b"\x1b[<0;45;11M\x1b[<32;45;10M\x1b[<0;45;10m", 0.01, b"\x1b\t", DOWN, b"\x1b[<66;7;6M", b"S", b"}"]
TEACHING += [
    b"\x1b[<67;63;3M" * 3,
    b"\x1b]11;rgb:0000/0000/0000\x1b\\",
    b" ",
    b"\r",
    b"\x1b[<65;40;15M" * 3,
    b".",
    DOWN,
]
LATE = [b"\x1b[5^" + DOWN, (120, 40), b"\x1b[7$", b"\x1b[A", click(2, 72, 10), b"\x1b[<67;72;13M", b"\r", RIGHT * 5, F9]
LATE += [click(2, 37, 14), F7, b"\r\r" + PALETTE + b"\x1b[A" + F9 + DOWN * 3 + click(0, 23, 4)]
FOUND = [
    # Two keys in one write, where the first one closes what both are meant for.
    *(replay(f"{name} choice", (80, 24), [b"\r\r"]) for name in ("train", "search", "sweep")),
    replay("new game", (80, 24), [b"\r\r"]),
    replay("train runs", (60, 20), [b"   "]),
    replay("library export", (80, 24), [b"\r\r"]),
    replay("train choice", (80, 24), [(DOWN * 3 + b"\r") * 2]),
    replay("train choice", (80, 24), [click(0, 39, 7) * 2]),
    replay("start", (80, 24), [b"\r" + F1 + b"\x1b"]),
    replay("train two", (60, 20), [b"N", click(0, 39, 7) * 3]),
    replay("play rows", (200, 60), [PALETTE + click(1, 162, 30) + b"\x1b[<1;163;31m"]),
    # The settings run in a circle; a key that is held down on the theme gave all colours anew each time.
    replay("settings", (80, 24), [b"\r\r"]),
    replay("play", (120, 40), [F9, b"\x1b[<2;52;21M\x1b[H\x1b[H\r\r"]),
    replay("help", (200, 60), [F9 + b"\x1b[D" * 5]),
    replay("settings", (200, 60), [RIGHT * 60]),
    # A form that is closed before it is there.
    replay("new game", (80, 24), UNBORN),
    # Small terminals.
    replay("start", (80, 24), [(40, 10), PALETTE, PALETTE]),
    replay("palette", (80, 24), [(40, 10), PALETTE]),
    replay("help", (80, 24), [(40, 10), PALETTE, PALETTE]),
    replay("play", (80, 24), [(2, 24), (3, 24), (1, 1)]),
    # The mark of one game is asked of the next.
    replay("start", (80, 24), [b"p", 0.3, *[DOWN] * 3, b"n", *[DOWN] * 9, b"\r", 0.3]),
    replay("play", (80, 24), [*[DOWN] * 3, b"n", *TO_FOUR, SLOW, b"\t", b"\x15", b"me", b"\r", 0.3]),
    # A page in the palette while its list is empty; nothing is found in it, and said so while it is being closed.
    replay("library export", (200, 60), [PALETTE + PAGE_DOWN * 5 + b"\x1b\x08"]),
    replay("palette", (60, 20), [b"!", b"\x1b[[E"]),
    # A job's result takes the question away that Ctrl+Q has just asked.
    replay("tournament choice", (200, 60), [F1 + F6, F9, DOWN * 3, b"\x08", b"\r"]),
    # What had the focus is hidden when its screen comes back.
    replay("train", (200, 60), [b"\t", F4, (80, 24), F3]),
    replay("tournament set-ups", (200, 60), [F4 + b" ", b"b", b"b"]),
    # A click outside of the window takes the focus from everything.
    replay("train choice", (80, 24), [b"\x1b[<2;81;25M"]),
    # A game that teaches, in a panel of two lines.
    replay("library filter", (60, 20), TEACHING),
    # Curves of a comparison that has been started again end late.
    replay("sweep form", (60, 20), LATE),
]


@pytest.fixture(scope="module")
def home() -> Iterator[Path]:
    with template() as folder:
        yield folder


@pytest.mark.parametrize("found", FOUND, ids=lambda found: f"{found.start} {found.steps!r}")
def test_what_was_found_is_mended(found: Trial, home: Path) -> None:
    outcome = run(found, home)
    assert outcome.fault is None, f"{outcome.fault}\n{outcome.text}"
