"""An agent is seen thinking on a real terminal: its bars grow before it moves."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

if sys.platform == "win32":
    pytest.skip("needs a pty", allow_module_level=True)

from tests.e2e.terminal import Terminal

APP = (sys.executable, "-m", "nimtui")
COUNT = re.compile(r"([\d,]+) simulations")


def shown(terminal: Terminal) -> int:
    """Return how many simulations the panel of the thinking agent shows; 0 if there is none."""
    text = terminal.text
    found = COUNT.search(text) if "Tree search thinks" in text else None
    return int(found[1].replace(",", "")) if found else 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("columns", "lines", "agent"), [(80, 24, "mcts:simulations=3000000"), (200, 60, "mcts:time=60")]
)
def test_bars_grow_while_a_tree_search_thinks(tmp_path: Path, columns: int, lines: int, agent: str) -> None:
    words = ("play", "connect4:5x4", "--second", agent)
    with Terminal([*APP, *words], tmp_path, columns=columns, lines=lines) as terminal:
        assert terminal.sees("your move")
        terminal.press("3", "enter")
        seen: set[int] = set()

        def two_snapshots() -> bool:
            seen.add(shown(terminal))
            return len(seen - {0}) >= 2 or "2 mcts" in terminal.text

        assert terminal.becomes(two_snapshots)
        assert len(seen - {0}) >= 2, "it moved before two of its thoughts were painted"
        terminal.press("escape")
        assert terminal.sees("Tree search was stopped") or "2 mcts" in terminal.text
        assert shown(terminal) == 0


@pytest.mark.slow
def test_an_analysis_follows_a_storm_of_keys(tmp_path: Path) -> None:
    with Terminal([*APP, "play", "connect4", "--second", "me"], tmp_path) as terminal:
        assert terminal.sees("move")
        terminal.press("AA3\ru2\rA")  # several keys in one write
        assert terminal.sees("Analysis") and terminal.becomes(lambda: COUNT.search(terminal.text) is not None)
        terminal.press("A")
        assert terminal.becomes(lambda: "Analysis" not in terminal.text)
        terminal.press("q")
