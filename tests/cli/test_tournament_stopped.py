"""`nimtui tournament` as a process: stopped by Ctrl+C, killed, gone on with; agents that fail."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests import forks

ROOT = Path(__file__).resolve().parents[2]
WORDS = (
    "tournament nim:3,5,7 -a mcts:simulations=5000 -a mc:playouts=2500 -a random -n 40 --openings random:2"
    " --sprt elo0=0,elo1=400 --json"
)
FAULTY = """
from nimtui.agents.agent import AlwaysReady, Decision, moves_of

NAMES = ("faulty",)
FORMS = (("faulty", "raises in rows of less than two"),)


class Faulty(AlwaysReady):
    name, title = "faulty", "Faulty"

    def decide(self, state, stream, progress=None):
        move = stream.choose(moves_of(state))
        if state.board[0] == 1:
            raise RuntimeError("one match\\nleft")
        return Decision(999 if state.board[0] == 0 else move, ())


def parse(word, text, game):
    return Faulty()
"""

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals")


def begin(home: Path, *words: str) -> subprocess.Popen[str]:
    return forks.Popen(
        [sys.executable, "-m", "nimtui", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "NIMTUI_HOME": str(home)},
        cwd=ROOT,
        start_new_session=True,
    )


def run(home: Path, *words: str) -> tuple[int, str, str]:
    running = begin(home, *words)
    out, err = running.communicate(timeout=120)
    return running.returncode, out, err


def kept(home: Path) -> int:
    """How many games are in the database, as another process sees it."""
    import sqlite3

    path = home / "nimtui.sqlite"
    if not path.exists():
        return 0
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as connection:
        try:
            ((games,),) = connection.execute("SELECT count(*) FROM games").fetchall()
        except sqlite3.OperationalError:  # not made yet
            return 0
    connection.close()
    return int(games)


def wait_for(home: Path, games: int) -> None:
    until = time.monotonic() + 60
    while time.monotonic() < until and kept(home) < games:
        time.sleep(0.02)


def result(out: str) -> dict[str, Any]:
    keys: dict[str, Any] = json.loads(out)
    return {key: value for key, value in keys.items() if key not in ("seconds", "games_per_second", "id")}


@pytest.mark.slow
def test_killed_or_stopped_it_goes_on_to_the_result_of_an_unbroken_run(tmp_path: Path) -> None:
    """Ctrl+C first, then kill -9 in the middle of the resumed run, then to the end."""
    home = tmp_path / "home"
    first = begin(home, *WORDS.split())
    wait_for(home, 3)
    os.killpg(first.pid, signal.SIGINT)  # as a terminal does it: to the workers as well
    out, err = first.communicate(timeout=60)
    assert first.returncode == 130
    before = json.loads(out)
    assert 3 <= before["games"] < before["of_games"] == 120 and before["id"] == 1
    assert "Resume: nimtui tournament --resume 1" in err and "Traceback" not in err
    assert kept(home) == before["games"]

    second = begin(home, "tournament", "--resume", "--workers", "1", "--json")
    wait_for(home, before["games"] + 5)
    os.killpg(second.pid, signal.SIGSTOP)  # it holds still while another one tries
    status, out, err = run(home, "tournament", "--resume", "1")
    assert (status, out, err) == (2, "", "nimtui: tournament 1 is in use by another nimtui: stop that one first\n")
    os.killpg(second.pid, signal.SIGKILL)
    second.communicate(timeout=60)
    survived = kept(home)
    assert before["games"] + 5 <= survived < 120

    status, out, err = run(home, "tournament", "--resume", "--json")
    assert (status, err) == (0, "")
    status, unbroken, _ = run(tmp_path / "other", *WORDS.split(), "--workers", "1")
    assert status == 0 and result(out) == result(unbroken)
    assert kept(home) == json.loads(out)["games"]


@pytest.mark.slow
def test_an_agent_that_fails_loses_that_game_and_no_other(tmp_path: Path) -> None:
    (tmp_path / "agents").mkdir()
    (tmp_path / "agents" / "faulty.py").write_text(FAULTY)
    words = ("tournament", "nim:2,3", "-a", "faulty", "-a", "random", "-n", "60")
    status, out, err = run(tmp_path, *words, "--json")
    keys = json.loads(out)
    assert (status, err, keys["games"]) == (0, "", 60)
    rows = {row["agent"]: row for row in keys["standings"]}
    faults = rows["faulty"]["faults"]
    assert 0 < faults <= rows["faulty"]["losses"] and rows["random"]["faults"] == 0
    listed = json.loads(run(tmp_path, "games", "list", "--faults", "--limit", "100", "--json")[1])
    assert listed["of_games"] == len(listed["games"]) == faults
    assert {game["fault"] for game in listed["games"]} == {
        "faulty raised RuntimeError: one match left",
        "faulty played 999, which is not legal",
    }
    assert all(game["winner"] == "random" for game in listed["games"])
    status, out, err = run(tmp_path, *words)
    assert f"{faults} games were lost by a fault" in out and "faulty raised RuntimeError: one match left" in out
    assert out.count("RuntimeError") == 1 and out.count("played 999") == 1  # equal faults are one line
    counted = sum(int(number) for number in re.findall(r"lost by a fault in (\d+) games", out))
    assert counted + out.count(", game ") == faults
