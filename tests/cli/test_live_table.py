"""The table that a tournament shows while it runs: as much of it as the terminal holds."""

from __future__ import annotations

import io
import os
import signal
import sys
from pathlib import Path

import pytest
from rich.console import Console

from nimtui.arena.play.plan import plan
from nimtui.arena.rating.meetings import NO_PAIRS
from nimtui.arena.standings.standings import PairingScore
from nimtui.cli.standing_table import picture
from nimtui.jobs.tournament import View

AGENTS = ("perfect", "random", "easy", "medium", "mc:playouts=123", "mcts:simulations=77,c=1.0")


def view(played: int) -> View:
    """Each pairing has played so many of 100 games, and the earlier agent has won all of them."""
    asked = plan(["nim:3,5,7"], AGENTS, number=100)
    half = played // 2
    scores = [
        PairingScore(
            pairing, (half, half), (0, 0), (0, 0), (played, played), (half, half), (0, half), (0, half), NO_PAIRS, 100
        )
        for pairing in asked.pairings
    ]
    return View(asked, tuple(scores), 15 * played, 1500, 12.0, 125.0, 80.4, (), (), "")


def drawn(of: View, width: int, height: int, encoding: str = "utf-8") -> list[str]:
    out = io.StringIO()
    console = Console(file=out, width=width, height=height, color_system=None, legacy_windows=False)
    console.print(picture(of, "games", width, height, encoding))
    return [line.rstrip() for line in out.getvalue().splitlines()]


def test_it_says_who_leads_and_how_far_it_is() -> None:
    lines = drawn(view(20), 120, 30)
    assert len(lines) == 2 + len(AGENTS) + 1
    assert lines[0] == "Nim 3,5,7 · the last match wins", "which game it is"
    assert all(word in lines[1] for word in ("agent", "points", "score", "Elo", "mistakes", "faults"))
    assert lines[2].split()[:3] == ["1", "perfect", "100/100"] and lines[7].split()[1:4] == ["mcts", "77", "0/100"]
    assert lines[-1] == "300 of 1,500 games · 120/s · 1:20 left"


def test_before_the_first_game_nothing_is_known() -> None:
    lines = drawn(view(0), 120, 30)
    assert all("–" in line and "%" not in line for line in lines[2:-1])


@pytest.mark.slow
@pytest.mark.parametrize("width", [24, 40, 60, 80, 100, 140])
@pytest.mark.parametrize("height", [5, 8, 24])
def test_it_is_never_higher_or_wider_than_the_terminal(width: int, height: int) -> None:
    lines = drawn(view(20), width, height)
    assert len(lines) < height and all(len(line) <= width for line in lines)
    assert lines[2].split()[0] == "1", "the best one stays"


def test_without_unicode_it_is_ascii() -> None:
    lines = drawn(view(20), 120, 30, "ascii")
    assert all(line.isascii() for line in lines) and ">= +" in lines[2] and "<= -" in lines[7]


pseudo_terminals = pytest.mark.skipif(os.name != "posix", reason="pseudo-terminals")
WORDS = "tournament nim:3,5,7 -a mcts:simulations=20000 -a mc:playouts=5000 -a random -n 1000"
COMMAND = [sys.executable, "-m", "nimtui", *WORDS.split()]


@pytest.mark.slow
@pseudo_terminals
def test_on_a_terminal_it_is_there_until_the_report(tmp_path: Path) -> None:
    from tests.e2e.terminal import Terminal

    with Terminal(COMMAND, tmp_path, columns=100, lines=30) as terminal:
        assert terminal.sees("of 3,000 games") and terminal.sees("left")
        assert terminal.sees("agent") and terminal.sees("points")
        terminal.signal(signal.SIGINT)
        assert terminal.sees("Resume: nimtui tournament --resume 1")
        assert terminal.ends() == 130
        assert "saved as tournament 1" in terminal.text


@pytest.mark.slow
@pseudo_terminals
def test_a_link_that_drops_stops_it_and_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from nimtui.store.database import Database
    from nimtui.store.tournaments import count, info
    from tests.e2e.terminal import Terminal

    with Terminal(COMMAND, tmp_path, columns=100, lines=30) as terminal:
        assert terminal.sees("/s") and terminal.sees("left")
        terminal.hang_up()
        assert terminal.ends() == 128 + signal.SIGHUP
    monkeypatch.setenv("NIMTUI_HOME", str(tmp_path))
    with Database() as database:
        kept = info(database, 1)
        assert kept.state == "stopped" and 0 < kept.played == count(database) < kept.total == 3000
