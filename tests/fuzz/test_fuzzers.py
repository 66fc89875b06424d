"""Random events for the screens and random command lines find no fault, nor does what was found before.

All run in forks of one process that has loaded and compiled what they need: so they are in one file. NIMTUI_FUZZ=5
gives five times as many events and lines.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fuzz.home import template
from tests.fuzz.hunt import TIMES, drivers, hunt
from tests.fuzz.steps import Step
from tests.fuzz.trial import Trial, run


@pytest.mark.slow
@pytest.mark.parametrize("seed", [101, 102])
def test_the_screens_bear_300_random_events(seed: int) -> None:
    report = hunt(drivers()["pilot"]._replace(lengths=(60,)), seed, 300 * TIMES, shrinking=20)
    assert report.events >= 300 * TIMES
    assert not report.found, report.told


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="needs to fork")
def test_20_random_command_lines_are_answered() -> None:
    """An answer or a line that says what is wrong, over damaged files: never a traceback."""
    report = hunt(drivers()["cli"]._replace(lengths=(10,)), 301, 20 * TIMES, shrinking=20)
    assert report.events >= 20 * TIMES
    assert not report.found, report.told


# Every sequence that once brought the app down, or broke a rule: none does so any more. What `python -m tests.fuzz`
# prints for a fault is pasted here as it is.


def replay(start: str, size: tuple[int, int], steps: list[Step]) -> Trial:
    return Trial(start, size, tuple(steps))


DOWN, SLOW = b"\x1b[B", b"mcts:simulations=300000"
TO_FOUR = (b"\x15", b"connect4", b"\t", b"\t", b"\x15")  # in the form of a new game: Connect Four, and who moves first
FOUND = [
    # Two keys in one write, where the first one closes what both are meant for.
    replay("train choice", (80, 24), [b"\r\r"]),
    replay("search choice", (80, 24), [b"\r\r"]),
    replay("new game", (80, 24), [b"\r\r"]),
    replay("sweep choice", (80, 24), [b"\r\r"]),
    replay("train runs", (60, 20), [b"   "]),
    replay("library export", (80, 24), [b"\r\r"]),
    replay("train choice", (80, 24), [b"\x1b[B\x1b[B\x1b[B\r\x1b[B\x1b[B\x1b[B\r"]),
    replay("train choice", (80, 24), [b"\x1b[<0;40;8M\x1b[<0;40;8m\x1b[<0;40;8M\x1b[<0;40;8m"]),
    replay("start", (80, 24), [b"\r\x1bOP\x1b"]),
    replay("train two", (60, 20), [b"N", b"\x1b[<0;40;8M\x1b[<0;40;8m" * 3]),
    replay("play rows", (200, 60), [b"\x10\x1b[<1;163;31M\x1b[<1;163;31m\x1b[<1;163;31m"]),
    # The settings run in a circle.
    replay("settings", (80, 24), [b"\r\r"]),
    replay("play", (120, 40), [b"\x1b[20~", b"\x1b[<2;52;21M\x1b[H\x1b[H\r\r"]),
    replay("help", (200, 60), [b"\x1b[20~\x1b[D\x1b[D\x1b[D\x1b[D\x1b[D"]),
    # A key that is held down on the theme: all colours anew for each was a circle of ten seconds.
    replay("settings", (200, 60), [b"\x1b[C" * 60]),
    # A form that is closed before it is there.
    replay(
        "new game",
        (80, 24),
        [
            b"\r\x1b[B",
            b"\x1bOR" * 4,
            b"\x08",
            b"\x1b[B",
            b"\x1bOP\x1b[<0;48;19M\x1b[<0;48;19m",
            b"\x1b[B",
            b"\x1b[A\x1b[5~",
            b"\x1b[6~\x1b[6~",
            b"\x1bOS \t \x1b[<1;42;18M\x1b[<1;42;18m\x08 \x1b[5~",
        ],
    ),
    # Small terminals.
    replay("start", (80, 24), [(40, 10), b"\x10", b"\x10"]),
    replay("palette", (80, 24), [(40, 10), b"\x10"]),
    replay("help", (80, 24), [(40, 10), b"\x10", b"\x10"]),
    replay("play", (80, 24), [(2, 24), (3, 24), (1, 1)]),
    # The mark of one game is asked of the next.
    replay("start", (80, 24), [b"p", 0.3, *[DOWN] * 3, b"n", *[DOWN] * 9, b"\r", 0.3]),
    replay("play", (80, 24), [*[DOWN] * 3, b"n", *TO_FOUR, SLOW, b"\t", b"\x15", b"me", b"\r", 0.3]),
    # A page in the palette while its list is empty.
    replay("library export", (200, 60), [b"\x10\x1b[6~\x1b[6~\x1b[6~\x1b[6~\x1b[6~\x1b\x08"]),
    # Nothing is found in the palette, and said so while it is being closed.
    replay("palette", (60, 20), [b"!", b"\x1b[[E"]),
    # A job's result takes the question away that Ctrl+Q has just asked.
    replay("tournament choice", (200, 60), [b"\x1bOP\x1b[17~", b"\x1b[20~", DOWN * 3, b"\x08", b"\r"]),
    # What had the focus is hidden when its screen comes back.
    replay("train", (200, 60), [b"\t", b"\x1bOS", (80, 24), b"\x1bOR"]),
    replay("tournament set-ups", (200, 60), [b"\x1bOS ", b"b", b"b"]),
    # A click outside of the window takes the focus from everything.
    replay("train choice", (80, 24), [b"\x1b[<2;81;25M"]),
    # A game that teaches, in a panel of two lines.
    replay(
        "library filter",
        (60, 20),
        [
            b"\x1b[<65;38;13M\x1b[<65;38;13M\x1b[<65;38;13M",
            b"\x1b[B",
            b"s",
            b"\x1b[<66;44;9M",
            b"\x1bOR",
            b"\x1b[<35;18;13M",
            b"\x1b[<0;45;11M\x1b[<32;45;10M\x1b[<0;45;10m",
            0.01,
            b"\x1b\t",
            b"\x1b[B",
            b"\x1b[<66;7;6M",
            b"S",
            b"}",
            b"\x1b[<67;63;3M\x1b[<67;63;3M\x1b[<67;63;3M",
            b"\x1b]11;rgb:0000/0000/0000\x1b\\",
            b" ",
            b"\r",
            b"\x1b[<65;40;15M\x1b[<65;40;15M\x1b[<65;40;15M",
            b".",
            b"\x1b[B",
            (58, 84),
            (76, 21),
        ],
    ),
    # Curves of a comparison that has been started again end late.
    replay(
        "sweep form",
        (60, 20),
        [
            b"\x1b[5^\x1b[B",
            (120, 40),
            b"\x1b[7$",
            b"\x1b[A",
            b"\x1b[<2;73;11M\x1b[<2;73;11m",
            b"\x1b[<67;72;13M",
            b"\r",
            b"\x1b[C\x1b[C\x1b[C\x1b[C\x1b[C",
            b"\x1b[20~",
            b"\x1b[<2;38;15M\x1b[<2;38;15m",
            b"\x1b[18~",
            b"\r\r\x10\x1b[A\x1b[20~\x1b[B\x1b[B\x1b[B\x1b[<0;24;5M\x1b[<0;24;5m",
        ],
    ),
]


@pytest.fixture(scope="module")
def home() -> Iterator[Path]:
    with template() as folder:
        yield folder


@pytest.mark.slow
@pytest.mark.parametrize("found", FOUND, ids=lambda found: f"{found.start} {found.steps!r}")
def test_what_was_found_is_mended(found: Trial, home: Path) -> None:
    outcome = run(found, home)
    assert outcome.fault is None, f"{outcome.fault}\n{outcome.text}"
