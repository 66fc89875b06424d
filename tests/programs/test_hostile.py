"""Sound programs and hostile ones in one tournament, whole and killed: none changes a game of the others.

Three hostile programs and two sound ones; in the long form (NIMTUI_FUZZ=2, some minutes) twelve, and all languages.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from nimtui.store import game_list
from nimtui.store.database import Database
from nimtui.store.rows import unpacked
from tests import forks
from tests.examples import few
from tests.programs.bots import FIRST, HOSTILE, hostile, sound

GAME = "nim:3,4,5"
KINDS = {what: kind for what, (kind, _) in HOSTILE.items() if what not in ("answers nonsense", "answers late")}
LIMIT = few(20.0, 2.0)  # seconds for a move
START = 1.0  # seconds for a program that does not start

Key = tuple[str, str, int]


class Played(NamedTuple):
    """A saved game: who began, its moves, its result for the first agent, and by which fault it ended."""

    opener: int
    moves: tuple[int, ...]
    result: int
    kind: str


def start(data: Path, agents: Sequence[str], *more: str) -> subprocess.Popen[bytes]:
    """Start a tournament that stores its games in the folder `data`; without agents the one in it."""
    settings = [GAME, "--games", "2", "--move-time", str(LIMIT), "--workers", "2"] if agents else []
    words = [*settings, *(word for agent in agents for word in ("--agent", agent)), "--json", *more]
    command, environment = (
        [sys.executable, "-m", "nimtui", "tournament", *words],
        {**os.environ, "NIMTUI_HOME": str(data)},
    )
    return forks.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment)


def finish(running: subprocess.Popen[bytes]) -> dict[str, Any]:
    """Return the document of a tournament."""
    text = running.communicate()[0]
    assert running.returncode == 0
    return dict(json.loads(text))


def games(data: Path, monkeypatch: pytest.MonkeyPatch) -> dict[Key, Played]:
    """Return the saved games by their agents and numbers."""
    monkeypatch.setenv("NIMTUI_HOME", str(data))
    with Database() as db:
        infos = game_list.games(db, tournament=1, limit=None)
    return {
        (one.first, one.second, one.row.number): Played(
            one.row.opener, tuple(one.codes), one.row.result,
            unpacked(one.row.packed_fault).kind if one.row.packed_fault else "",
        )
        for one in infos
    }  # fmt: skip


def left(folder: Path, home: Path) -> list[str]:
    """Return what is left of the programs: processes in their folder, and files in the person's home."""
    lines = [str(path) for path in home.iterdir()]
    for path in Path("/proc").glob("[0-9]*"):
        try:
            command = (path / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            if str((path / "cwd").readlink()) == str(folder) and "pytest" not in command:
                lines.append(command)
        except OSError:
            continue
    return lines


@pytest.mark.slow
def test_hostile_programs_change_no_game_of_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "person"
    home.mkdir()
    named = [name for language in few(["sh", "python"], [*FIRST]) if (name := sound(tmp_path, language))]
    fine = [f"{name} {number}" for name in named for number in range(1, few(1, 4) + 1)]
    faults = {}
    for what in few(["hangs at start", "dies", "writes and connects"], [*KINDS]):
        seconds = START if KINDS[what] == "no-start" else 10.0
        name = hostile(tmp_path, what, LIMIT, home).replace(":", f":--start={seconds:g} ", 1)
        faults[name] = KINDS[what]
    every = [*fine, *faults]

    began = time.monotonic()
    document, whole = finish(start(tmp_path / "whole", every)), games(tmp_path / "whole", monkeypatch)
    took = time.monotonic() - began
    assert document["games"] == len(whole) == len(every) * (len(every) - 1)
    kinds: Counter[str] = Counter()
    for (first, second, _), game in whole.items():
        seats = (second, first) if game.opener else (first, second)
        loser = next((agent for agent in seats if agent in faults), None)
        assert game.kind == ("" if loser is None else faults[loser]), game
        if loser is not None:
            assert (game.result < 0) == (loser == first), game
            kinds[game.kind] += 1
    assert {one["kind"] for one in document["faults"]} == kinds.keys()
    assert sum(one["games"] for one in document["faults"]) == kinds.total()
    assert sum(sum(row["fault_counts"].values()) for row in document["standings"]) == kinds.total()
    assert document["sandbox"].startswith("sandbox: ") and left(tmp_path, home) == []

    finish(start(tmp_path / "alone", fine))
    alone = games(tmp_path / "alone", monkeypatch)
    assert {key: game for key, game in whole.items() if key in alone} == alone and len(alone) > 1

    killed = start(tmp_path / "killed", every)
    while killed.poll() is None and not (tmp_path / "killed" / "nimtui.sqlite").exists():
        time.sleep(0.1)
    time.sleep(min(30.0, took / 4))
    killed.send_signal(signal.SIGKILL)
    killed.wait()
    time.sleep(2.0)  # the servers notice it, and end all that they forked
    assert left(tmp_path, home) == [], "after kill -9"
    assert 0 < len(games(tmp_path / "killed", monkeypatch)) < len(whole)
    finish(start(tmp_path / "killed", [], "--resume"))
    assert games(tmp_path / "killed", monkeypatch) == whole and left(tmp_path, home) == []
