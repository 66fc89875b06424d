"""What own code does wrong, and what that costs: one table, for a file that is checked and for an agent that plays."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import NamedTuple
from unittest.mock import Mock

import pytest

from nimtui.agents import parse_agent, registry
from nimtui.agents.agent import AgentFault, Clock
from nimtui.check import quarantine
from nimtui.check.verdict import Request
from nimtui.cli.new import Kind, template
from nimtui.engine.rng import Stream
from nimtui.games import base, parse_game
from nimtui.process.plugins import OwnFile
from nimtui.sandbox import client
from nimtui.sandbox.closing import STORE, Bounds

pytestmark = pytest.mark.skipif(not client.possible(), reason="processes cannot be forked here")
GAME = parse_game("nim:3,4,5")
SOON = 0.3  # seconds to load, and to think
LATE = "does not end within 0.3 s", "took longer than 0.3 s"
FOREIGN = "uses a file that it did not open", "sent an unreadable answer"
HUNG_UP = FOREIGN[0], "ended without an answer"
FINE = ("", "")
DEAF = "import signal\nfor n in (2, 15): signal.signal(n, signal.SIG_IGN)"


class Deed(NamedTuple):
    """Lines that own code runs, and what the check of the file and a player hear; "" if nothing is wrong."""

    name: str
    code: str
    heard: tuple[str, str]


DEEDS = [
    Deed("loops", "while True: pass", LATE), Deed("loops in C", "import itertools; any(itertools.repeat(0))", LATE),
    Deed("sleeps", "import time; time.sleep(1000)", LATE), Deed("ignores signals", f"{DEAF}\nwhile True: pass", LATE),
    Deed("tracks back", "import re; re.match('(a|a)*b', 'a' * 99)", LATE),
    Deed("leaves", "import os; os._exit(3)", ("ends the process (exit status 3)", "exit status 3")),
    Deed("leaves in order", "import os; os._exit(0)", ("ends the process (exit status 0)", "exit status 0")),
    Deed("exits", "import sys; sys.exit(3)", ("SystemExit: 3", "raised SystemExit: 3")),
    Deed("dies", "import os; os.kill(os.getpid(), 9)", ("crashes (SIGKILL)", "signal SIGKILL")),
    Deed("crashes", "import ctypes; ctypes.string_at(0)", ("crashes (SIGSEGV)", "signal SIGSEGV")),
    Deed("aborts", "import os; os.abort()", ("crashes (SIGABRT)", "signal SIGABRT")),
    Deed("raises", "raise ValueError('one\\ntwo')", ("ValueError: one two", "raised ValueError: one two")),
    Deed("interrupts", "raise KeyboardInterrupt", ("KeyboardInterrupt", "raised KeyboardInterrupt")),
    Deed("interrupts all", "import _thread; _thread.interrupt_main()", ("KeyboardInterrupt",) * 2),
    Deed("ends oddly", "raise GeneratorExit", ("GeneratorExit", "raised GeneratorExit")),
    Deed("recurses", "def deep(): deep()\ndeep()", ("RecursionError",) * 2),
    Deed("wants memory", "much = bytearray(10**13)", ("MemoryError",) * 2),
    Deed("fills memory", "import numpy; much = [numpy.zeros(10**8) for _ in range(10**4)]", ("MemoryError",) * 2),
    Deed("lacks a module", "import nothing_of_this_name", ("nothing_of_this_name",) * 2),
    Deed("hangs up", "import os, time; os.closerange(3, 256); time.sleep(1000)", HUNG_UP),
    Deed("babbles", "import os\nfor n in range(3, 64):\n  try: os.write(n, b'[]\\n')\n  except OSError: pass", FOREIGN),
    Deed(
        "forges",
        "import json, os, struct\ntext = json.dumps({'ok': 0, 'loaded': True, 'done': True}).encode()\n"
        "for n in range(3, 64):\n  try: os.write(n, bytes(8) + struct.pack('!I', len(text)) + text)\n"
        "  except OSError: pass",
        FOREIGN,
    ),
    Deed("floods", "import os\nfor n in range(2000): os.write(n % 2 + 1, b'x' * 10**5)\nprint('x' * 10**7)", FINE),
    Deed("says no JSON", "import sys; sys.stdout.write('{]'); sys.stderr.write('\\xff')", FINE),
    Deed("closes its output", "import os; os.close(0); os.close(1); os.close(2)", FINE),
    Deed("copies itself", "import os\nfor _ in range(3): os.fork()", FINE),
    Deed("starts a program", "import subprocess; subprocess.Popen(['sleep', '1000'], start_new_session=True)", FINE),
    Deed("starts a thread", "import threading, time; threading.Thread(target=time.sleep, args=(1000,)).start()", FINE),
    Deed("is deaf", DEAF, FINE),
    Deed("changes its surroundings", "import os; os.environ.clear(); os.chdir('/'); os.nice(1)", FINE),
    Deed("uses libraries", "import ctypes, json, sqlite3, ssl, numpy.linalg, numba", FINE),
]  # fmt: skip


def file(folder: Path, code: str, when: str) -> Path:
    """An agent that does this when it is loaded, or before it decides."""
    lines = code.splitlines()
    text = template(Kind.AGENT, "mine")
    if when == "load":
        text = "\n".join([*lines, text])
    else:
        head, _, tail = text.partition("    def decide")
        first, _, rest = tail.partition("\n")
        body = "\n".join(f"        {line}" for line in ["global deep", *lines] if line)
        text = f"{head}    def decide{first}\n{body}\n{rest}"
    path = folder / "mine.py"
    path.write_text(text)
    return path


def checked(path: Path) -> str:
    """What the check says when it loads the file."""
    return quarantine.checked([Request(OwnFile("agent", path, path.read_bytes()), deep=False)])[0].fault


def played(path: Path) -> str:
    """What a player hears of the agent, which then answers no more, or moves."""
    assert registry.add_folder(path.parent) == []
    agent = parse_agent("mine", GAME)
    try:
        agent.prepare()
        agent.clock = Clock(SOON)  # type: ignore[attr-defined]
        move = agent.choose(GAME.new(), Stream(0))  # type: ignore[attr-defined]
    except AgentFault as fault:
        return str(fault)
    assert base.legal(GAME.start, move)
    return ""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty folder of agents, in a home in which nothing else lies but a diary."""
    monkeypatch.setenv("NIMTUI_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setitem(quarantine.SECONDS, "load", SOON)
    monkeypatch.setattr(registry, "_added", [])
    monkeypatch.setattr(registry, "_own", set())
    monkeypatch.delitem(sys.modules, "nimtui_agents_mine", raising=False)
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "diary").write_text("dear diary")
    (tmp_path / "data" / "agents").mkdir(parents=True)
    yield tmp_path / "data" / "agents"
    sys.modules.pop("nimtui_agents_mine", None)


USES: list[tuple[str, Callable[[Path], str], int]] = [("load", checked, 0), ("decide", played, 1)]
both = pytest.mark.parametrize(("when", "use", "place"), USES, ids=["checked", "playing"])


QUICK = ("leaves", "exits", "dies", "raises", "forges", "closes its output", "copies itself")


@both
@pytest.mark.parametrize(
    "deed", [pytest.param(deed, marks=[pytest.mark.slow] * (deed.name not in QUICK), id=deed.name) for deed in DEEDS]
)
def test_whatever_it_does_is_one_line(
    deed: Deed, when: str, use: Callable[[Path], str], place: int, folder: Path
) -> None:
    heard = use(file(folder, deed.code, when))
    assert deed.heard[place] in heard and "\n" not in heard
    assert bool(heard) == bool(deed.heard[place])


@pytest.mark.slow
@both
def test_no_process_of_it_is_left(when: str, use: Callable[[Path], str], place: int, folder: Path) -> None:
    code = (
        "import os, subprocess\none = subprocess.Popen(['sleep', '1000'], start_new_session=True)\n"
        f"open({str(folder / 'numbers')!r}, 'w').write(f'{{one.pid}} {{os.getpid()}}')\nwhile True: pass"
    )
    assert LATE[place] in use(file(folder, code, when))
    until = time.monotonic() + 30
    for number in map(int, (folder / "numbers").read_text().split()):
        while time.monotonic() < until:
            try:
                os.kill(number, 0)
            except ProcessLookupError:
                break
            time.sleep(0.01)
        else:
            pytest.fail(f"{number} still runs")


def test_kernels_that_own_code_compiles_are_stored_where_only_own_code_loads_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from nimtui.engine.jit import KernelFiles

    ours, apart = tmp_path / "engine" / "__pycache__", tmp_path / "apart"
    ours.mkdir(parents=True), apart.mkdir()
    files, one, other = KernelFiles(str(ours), "kernel"), (("place",), ("stamp",)), (("another",), ("stamp",))
    files.save(one, "of nimtui")
    before = {path: path.read_bytes() for path in ours.iterdir()}
    monkeypatch.setenv(STORE, str(apart))
    files.save(other, "of own code")
    assert (files.load(one), files.load(other)) == ("of nimtui", "of own code")
    monkeypatch.delenv(STORE)
    assert (files.load(one), files.load(other)) == ("of nimtui", None)
    assert {path: path.read_bytes() for path in ours.iterdir()} == before


def test_one_server_forks_all_sandboxes_and_a_lost_one_is_replaced_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made, fates = list[SimpleNamespace](), list[tuple[OSError | None, bool]]()

    def server(bounds: Bounds) -> SimpleNamespace:
        fault, lost = fates.pop(0)
        made.append(SimpleNamespace(bounds=bounds, start=Mock(side_effect=fault, return_value=(7, "link")), lost=lost))
        return made[-1]

    monkeypatch.setattr(client, "_Server", server)
    monkeypatch.setattr(client, "_servers", {})
    one, other, gone = Bounds(("/1",)), Bounds(("/2",)), OSError("gone")
    for wrapped in ("", "/bin/bwrap"):
        monkeypatch.setattr(client.closing, "bubblewrap", lambda wrapped=wrapped: wrapped)
        fates[:] = [(None, False)] * 2
        made.clear()
        assert not client.runs()
        found = [client._start({}, [9], bounds) for bounds in (one, other, one)]  # type: ignore[arg-type]
        assert found == [(made[at], 7, "link") for at in (0, bool(wrapped), 0)] and client.runs()
        made[0].start.assert_called_with({}, [9])
        for server_ in made:
            server_.lost = True
    for fates[:], number in (
        ([(gone, True), (None, False)], 2),
        ([(gone, True), (gone, True)], 2),
        ([(gone, False)], 1),
    ):
        made.clear()
        client._servers.clear()
        if fates[-1][0] is None:
            assert client._start({}, [], one)[0] is made[1]
        else:
            with pytest.raises(OSError, match="gone"):
                client._start({}, [], one)
        assert len(made) == number and {each.bounds for each in made} == {one}


def test_a_sandbox_starts_although_the_process_that_forks_them_was_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "_servers", {})
    before = client.Sandbox("nimtui.sandbox.program:idle", Bounds())
    [server] = client._servers.values()
    server._process.kill()
    server._process.wait()
    after = client.Sandbox("nimtui.sandbox.program:idle", Bounds())
    assert (before.lost, after.lost) == (True, False)
    after.end()
    client.end()
