"""Work that is seen on a real terminal: an agent thinks, a search grows, and the tour is walked by its keys."""

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
COUNT = re.compile(r"([\d,]+) simulations")
WALK = (  # what the step shows, and its key
    ("positions right", "\x07"),
    ("find a position still wrong", "x"),
    ("play it: the table moves first", "P"),
    ("ow you can win", "w"),
    ("hatever", "h"),
    ("then the table is lost", "\r"),
    ("end the tour and play on", "\x07"),
)


def number(shown: re.Match[str] | None) -> int:
    return int(shown[1].replace(",", "")) if shown else 0


def visits(terminal: Terminal) -> int:
    return number(re.search(r"root +([\d,]+)", terminal.text))


def thoughts(terminal: Terminal) -> int:
    """Return how many simulations the panel of the thinking agent shows; 0 if there is none."""
    return number(COUNT.search(terminal.text)) if "Tree search thinks" in terminal.text else 0


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


def test_bars_grow_while_a_tree_search_thinks(app: Open) -> None:
    terminal, seen = app("play", "connect4:5x4", "--second", "mcts:time=60", columns=200, lines=60), set[int]()
    assert terminal.sees("your move")
    terminal.press("3", "enter")

    def two_snapshots() -> bool:
        seen.add(thoughts(terminal))
        return len(seen - {0}) >= 2

    assert terminal.becomes(two_snapshots)
    terminal.press("escape")
    assert terminal.sees("Tree search was stopped") and terminal.becomes(lambda: thoughts(terminal) == 0)


def test_an_analysis_follows_a_storm_of_keys(app: Open) -> None:
    terminal = app("play", "connect4", "--second", "me")
    assert terminal.sees("move")
    terminal.press("AA3\ru2\rA")  # several keys in one write
    assert terminal.sees("Analysis") and terminal.becomes(lambda: COUNT.search(terminal.text) is not None)
    terminal.press("A")
    assert terminal.becomes(lambda: "Analysis" not in terminal.text)


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
