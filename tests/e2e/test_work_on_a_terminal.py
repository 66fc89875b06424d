"""Work that is seen on a real terminal: a search grows, and the tour is walked by its keys."""

from __future__ import annotations

import re
import sys
import time
from pathlib import Path

import pytest

from tests.e2e.conftest import Open
from tests.e2e.terminal import Terminal

pytestmark = pytest.mark.slow
SIMULATIONS = 5_000_000
OPEN = f"""
from nimtui import ui
from nimtui.ui.search.setup import SearchSetup
ui.run(setup=SearchSetup("connect4", None, "mcts:simulations={SIMULATIONS}"), mode="search")
"""
WALK = (  # what the step shows, and its key
    ("positions right", "\x07"),
    ("find a position still wrong", "x"),
    ("play it: the table moves first", "P"),
    ("ow you can win", "w"),
    ("hatever", "h"),
    ("then the table is lost", "\r"),
    ("end the tour and play on", "\x07"),
)


def visits(terminal: Terminal) -> int:
    shown = re.search(r"root +([\d,]+)", terminal.text)
    return int(shown[1].replace(",", "")) if shown else 0


def test_the_visits_of_the_root_grow_and_a_pause_holds_them(tmp_path: Path) -> None:
    with Terminal([sys.executable, "-c", OPEN], tmp_path) as terminal:
        seen = [0]
        for _ in range(3):
            assert terminal.becomes(lambda: visits(terminal) > seen[-1])
            seen.append(visits(terminal))
        assert seen[-1] < SIMULATIONS
        terminal.press(" ")
        assert terminal.sees("Paused. Space continues")
        terminal.settles()
        held = visits(terminal)
        time.sleep(0.6)
        assert seen[-1] <= held == visits(terminal) < SIMULATIONS
        terminal.press(" ")
        assert terminal.sees("Searching.") and terminal.becomes(lambda: visits(terminal) > held)


def test_the_tour_from_its_first_step_to_its_last(app: Open) -> None:
    terminal = app("tour", "--slow", "--ascii", columns=60, lines=20, NO_COLOR="1")
    for at, (shown, key) in enumerate(WALK, 1):
        assert terminal.sees(f"{at}/{len(WALK)}  "), at
        assert terminal.sees(shown), shown
        terminal.press(key)
    assert terminal.becomes(lambda: "7/7" not in terminal.text)
    assert terminal.sees("Why")


def test_all_keys_of_the_tour_in_one_write_leave_a_tour_that_goes_on(app: Open) -> None:
    terminal = app("tour", columns=200, lines=60)
    assert terminal.sees("1/7  ") and terminal.sees(WALK[0][0])  # before, its first key does nothing
    terminal.press("".join(key for _, key in WALK))
    for at, key in ((2, "x"), (3, "P"), (4, "")):  # as many as are heard, the others once more
        assert terminal.becomes(lambda: any(f"{step}/7  " in terminal.text for step in range(at, 8)))  # noqa: B023
        if f"{at}/7  " in terminal.text:
            terminal.press(key)
