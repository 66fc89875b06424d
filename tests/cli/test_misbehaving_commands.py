"""Every misbehaving file meets real commands: each ends in time, with its work done or one line, and no traceback."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from nimtui.check import quarantine
from tests import forks
from tests.check.files import File, agent
from tests.check.misbehaving import AGENTS, DECISION, LEARNERS, LOADING, RUNNING, TRACES
from tests.check.misbehaving_games import GAMES

if sys.platform == "win32":
    pytest.skip("needs a fork", allow_module_level=True)

PATIENCE = 60.0
NEVER_RETURN = {
    "dreams",
    "following_loops",
    "holds",
    "play_loops",
    "rule_loops",
    "swallows",
    "undo_loops",
}  # tests of Ctrl+C have these
ALONE = {"covers", "rule_leaves"}  # games that end their process, or its output
FAIL = {
    "divides": "failed: ZeroDivisionError",
    "not_a_number": "wrote nan as a score",
}  # learners
LOSE = {"holding", "illegal", "leaving", "raising", "slow"} | ({"hoards"} if sys.platform == "linux" else set())
REFUSED_GAMES = {"any_word", "float_board", "parse_exits", "parse_none", "parse_raises"}  # others by their moves
REFUSED = {
    "nobody": "is not an agent: None lacks a name",
    "untitled": "ZeroDivisionError",
    "two_lines": "its title",
    "wrong_kind": "TypeError",
}


HALF = "        import os\n        bytearray(os.sysconf('SC_PHYS_PAGES') * os.sysconf('SC_PAGE_SIZE') * 6 // 10)"
HOARDS = agent("hoards", "decide", "", (DECISION, f"{HALF}\n{DECISION}"))  # more than half of the memory


def put(home: Path, files: list[File]) -> None:
    for file in files:
        path = home / f"{file.kind}s" / f"{file.name}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(file.text.encode() if isinstance(file.text, str) else file.text)


def nimtui_of(home: Path, *words: str, program: str = "") -> subprocess.CompletedProcess[str]:
    start = ["-c", program] if program else ["-m", "nimtui"]
    environment = {name: value for name, value in os.environ.items() if name != quarantine.UNCHECKED}
    return forks.run(
        [sys.executable, *start, *words],
        env={**environment, "NIMTUI_HOME": str(home)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )


def bound(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as one:
        one.bind(str(path))


ODD: dict[str, tuple[Callable[[Path], object], str]] = {  # what is no readable file, and what is said of it
    "folder": (Path.mkdir, "it is a folder"),
    "pipe": (os.mkfifo, "it is a pipe, not a file"),
    "socket": (bound, "no such device or address"),
    "loop": (lambda path: path.symlink_to(path), "too many levels of symbolic links"),
    "dangling": (lambda path: path.symlink_to("/nowhere"), "no such file or directory"),
    "device": (lambda path: path.symlink_to("/dev/zero"), "it is a device, not a file"),
    "huge": (lambda path: (path.touch(), os.truncate(path, 200_000_000)), "it has 200 MB; the limit is 1 MB"),
    "süß 中": (lambda path: path.write_bytes(b"\xff"), "SyntaxError"),
    "line\nbreak\x1b[2J": (lambda path: path.write_text("raise ValueError"), "cannot be used: ValueError"),
}


@pytest.mark.slow
def test_every_file_that_fails_to_load_or_leaves_traces_is_one_line_of_every_command(tmp_path: Path) -> None:
    files = [*LOADING, *TRACES]
    put(tmp_path, files)
    for name, (make, _) in ODD.items():
        make(tmp_path / "games" / f"{name}.py")
    told = ""
    for words in ("match nim:1,2 --first random --second random -n 2", "solve nim:1,2", "train nim:1,2 --games 9"):
        done = nimtui_of(tmp_path, *words.split(), "--json")
        assert done.returncode == 0 and json.loads(done.stdout)["game"].endswith(":1,2")
        told, before = done.stderr, told
        assert before in ("", told)  # the same of every command
    lines = told.splitlines()
    bad_agents = {file.name for file in TRACES if file.kind == "agent"}
    assert len(lines) == len(files) + len(ODD) - len(bad_agents) and all(len(line) < 700 for line in lines)
    for file in files:
        [mine] = [line for line in lines if f"/{file.name}.py" in line]
        assert file.says in mine and mine.startswith(f"nimtui: the {file.kind} file ")
    for name, (_, says) in ODD.items():
        [mine] = [line for line in lines if f"/{name.replace(chr(10), '‹0A›').replace(chr(27), '‹1B›')}.py" in line]
        assert says in mine


ONE_BY_ONE = """
import io, json, sys
from nimtui.cli.app import run
for name, words in json.loads(sys.argv[1]).items():
    sys.stdin = io.StringIO("a1\\nb1\\na2\\nb2\\nundo\\nquit\\n")
    status = run(words)
    for stream in (sys.stdout, sys.stderr):
        print(f"\\0{name} {status}", file=stream, flush=True)
"""


def one_by_one(home: Path, commands: dict[str, str]) -> dict[str, tuple[int, str, str]]:
    """Run commands in one process; return the status of each, and what it wrote to stdout and stderr."""
    given = json.dumps({name: words.split() for name, words in commands.items()})
    done = nimtui_of(home, given, program=ONE_BY_ONE)
    out, err = (re.split("\0(\\w+) (\\d+)\n", text) for text in (done.stdout, done.stderr))
    assert out[1::3] == list(commands), (out[-1][-500:], err[-1][-2000:])
    found = zip(out[1::3], out[2::3], out[0::3], err[0::3], strict=False)
    return {name: (int(status), written, told) for name, status, written, told in found}


@pytest.mark.slow
def test_games_that_break_their_contract_are_played_or_end_in_one_line(tmp_path: Path) -> None:
    games = [file for file in [*GAMES, *RUNNING] if file.kind == "game" and file.name not in NEVER_RETURN]
    put(tmp_path, games)
    names = [file.name for file in games if file.name not in ALONE]
    play = "--unchecked --plain play {}:3,5 --second random"
    again = {f"chance{time}": play.format("chance") for time in range(40)}  # its rules answer at random
    found = one_by_one(tmp_path, {name: play.format(name) for name in names} | again)
    for name, (status, _, err) in found.items():
        assert status in (0, 2) and "Traceback" not in err, (name, err)
        assert status == 0 or name in err.splitlines()[-1], (name, err)
    assert {name for name, (status, _, _) in found.items() if status == 2} >= REFUSED_GAMES
    words = json.dumps({"rule_leaves": ["--unchecked", "--plain", "play", "rule_leaves:3,5", "--second", "random"]})
    ended = nimtui_of(tmp_path, words, program=ONE_BY_ONE)
    assert ended.returncode == 7 and "own code ended it. Own files loaded: games/" in ended.stderr


@pytest.mark.slow
def test_agents_that_break_their_contract_play_and_lose_or_are_refused_in_one_line(tmp_path: Path) -> None:
    agents = [*AGENTS, HOARDS]
    put(tmp_path, agents)
    match = "match nim:1 --first {} --second random -n 1 --move-time 0.5 --json"
    for name, (status, out, err) in one_by_one(
        tmp_path, {file.name: match.format(file.name) for file in agents}
    ).items():
        assert (status == 2) == (name in REFUSED) and len(err.splitlines()) == (name in REFUSED), (name, err)
        assert REFUSED.get(name, "") in err and (status == 2 or json.loads(out)["games"] == 1)
        assert name not in LOSE or json.loads(out)["second_wins"] == 1


@pytest.mark.slow
def test_learners_that_fail_while_they_run_end_the_run_in_one_line(tmp_path: Path) -> None:
    put(tmp_path, [file for file in LEARNERS if file.name in FAIL])
    train = "--unchecked train nim:1 --learner {} --games 50 --headless"
    for name, (status, _, err) in one_by_one(tmp_path, {name: train.format(name) for name in FAIL}).items():
        assert status == 2 and len(err.splitlines()) == 1 and FAIL[name] in err, (name, status, err)
