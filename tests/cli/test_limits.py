"""Time limits on the command line; agents of one's own that do not answer, and how soon they are ended."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from nimtui.sandbox import client
from tests import forks
from tests.agents import wayward
from tests.cli.conftest import Nimtui
from tests.jobs.test_processes import ROOT

pytestmark = pytest.mark.skipif(not client.possible(), reason="processes cannot be forked here")
TOURNAMENT = "tournament nim:3,4,5 -a wayward:exit -a random -a wayward:raise -n 6 --headless"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home with an agent that goes wrong as it is told."""
    folder = tmp_path / "home"
    (folder / "agents").mkdir(parents=True)
    shutil.copy(str(wayward.__file__), folder / "agents")
    return folder


def begun(home: Path, words: str) -> subprocess.Popen[str]:
    return forks.Popen(
        [sys.executable, "-m", "nimtui", *words.split()],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={
            **os.environ,
            "NIMTUI_HOME": str(home),
            wayward.MARK: str(home / "agents" / "mark"),
            "PYTHONPATH": str(ROOT),
        },
    )


def done(home: Path, words: str) -> tuple[int, str, str]:
    process = begun(home, words)
    out, err = process.communicate(timeout=120)
    return process.returncode, out, err


@pytest.mark.slow
@pytest.mark.parametrize("option", ["--move-time", "--game-time"])
@pytest.mark.parametrize("value", ["-1", "x", "nan", "1e9", ""])
def test_a_time_that_cannot_be_is_refused_in_a_line(nimtui: Nimtui, option: str, value: str) -> None:
    for words in (["match", "nim:3,5", "--first", "random", "--second", "easy"], ["tournament", "nim:3,5"]):
        answer = nimtui(*words, option, value)
        assert (answer.status, answer.out, answer.err.count("\n")) == (2, "", 1)
        assert f"the {option[2:6]} time must be 0 (none) or 0.001 to 86,400 seconds" in answer.err


def test_documents_name_the_limits(nimtui: Nimtui) -> None:
    plain = nimtui("match nim:3,5 --first random --second easy --json").document
    timed = nimtui("match nim:3,5 --first random --second easy --move-time 20 --game-time 600s --json").document
    assert [(keys["move_time"], keys["game_time"]) for keys in (plain, timed)] == [(0, 0), (20, 600)]
    assert plain["transcript"] == timed["transcript"]


def test_a_tournament_is_resumed_with_its_limits(nimtui: Nimtui) -> None:
    first = nimtui("tournament nim:3,5 -a random -a easy -n 4 --move-time 20 --json").document
    again = nimtui("tournament --resume 1 --json").document
    assert first["move_time"] == again["move_time"] == 20 and again["game_time"] == 0
    told = nimtui("tournament --resume 1 --headless")
    assert "time limit: 20 s a move" in told.out
    refused = nimtui("tournament --resume 1 --move-time 10")
    assert (refused.status, refused.err.count("\n")) == (2, 1) and "leave out --move-time" in refused.err


@pytest.mark.slow
def test_faults_of_agents_of_ones_own_are_told_and_the_tournament_is_played(home: Path) -> None:
    status, out, err = done(home, TOURNAMENT)
    out = " ".join(out.split())  # the lines may be broken
    assert (status, err) == (0, "")
    assert "wayward:exit ended without an answer: exit status 3" in out
    assert "wayward:raise raised ZeroDivisionError: division by zero" in out
    assert "18 games" in out


@pytest.mark.slow
@pytest.mark.parametrize(
    ("how", "said"),
    [
        ("exit", "nimtui: wayward:exit ended without an answer: exit status 3"),
        ("thoughts", "nimtui: wayward:thoughts has thoughts that are not Thoughts: ('x',)"),
        ("parse-none", "nimtui: the agent wayward is not an agent: None lacks a name, a title or ready"),
    ],
)
def test_an_agent_that_gives_no_answer_is_one_line_and_status_2(home: Path, how: str, said: str) -> None:
    assert done(home, f"moves nim:3,4,5 -a wayward:{how}") == (2, "", f"{said}\n")


@pytest.mark.slow
def test_a_tournament_with_an_agent_that_cannot_be_made_is_not_begun(home: Path) -> None:
    status, out, err = done(home, "tournament nim:3,4,5 -a random -a wayward:parse-exit -n 4")
    assert (status, out) == (2, "")
    assert err == "nimtui: the agent wayward ended without an answer: exit status 1\n"


@pytest.mark.slow
@pytest.mark.parametrize("how", ["loop", "native"])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_all_while_an_agent_of_ones_own_thinks(home: Path, how: str, number: int) -> None:
    """How soon is no matter of this test: a wait for the agent would last for ever."""
    process = begun(home, f"moves nim:3,4,5 -a wayward:{how}-once --json")
    until = time.monotonic() + 60
    while not (home / "agents" / "mark").exists() and time.monotonic() < until:  # it thinks
        time.sleep(0.05)
    process.send_signal(number)
    out, _ = process.communicate(timeout=60)
    assert process.returncode in (128 + number, -number) and out == ""
