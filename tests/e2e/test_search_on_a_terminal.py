"""A search on a terminal: the visits of the root are seen to grow before its end."""

from __future__ import annotations

import re
import sys
import time
from pathlib import Path

import pytest

if sys.platform == "win32":
    pytest.skip("needs a pty", allow_module_level=True)

from tests.e2e.terminal import PATIENCE, Terminal

SIMULATIONS = 5_000_000
OPEN = f"""
from nimtui import ui
from nimtui.ui.search.setup import SearchSetup
ui.run(setup=SearchSetup("connect4", None, "mcts:simulations={SIMULATIONS}"), mode="search")
"""


def visits(terminal: Terminal) -> int:
    shown = re.search(r"root +([\d,]+)", terminal.text)
    return int(shown[1].replace(",", "")) if shown else 0


@pytest.mark.slow
def test_the_visits_of_the_root_grow_and_a_pause_holds_them(tmp_path: Path) -> None:
    with Terminal([sys.executable, "-c", OPEN], tmp_path) as terminal:
        seen: list[int] = []
        end = time.monotonic() + PATIENCE
        while len(seen) < 4 and time.monotonic() < end:
            if (now := visits(terminal)) > (seen[-1] if seen else 0):
                seen.append(now)
            time.sleep(0.01)
        assert len(seen) == 4 and seen[-1] < SIMULATIONS
        terminal.press(" ")
        assert terminal.sees("Paused. Space continues")
        terminal.settles()
        held = visits(terminal)
        time.sleep(0.6)
        assert seen[-1] <= held == visits(terminal) < SIMULATIONS
        terminal.press(" ")
        assert terminal.sees("Searching.")
        end = time.monotonic() + PATIENCE
        while visits(terminal) <= held and time.monotonic() < end:
            time.sleep(0.01)
        assert visits(terminal) > held
