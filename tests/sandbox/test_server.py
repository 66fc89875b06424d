"""The process that forks sandboxes, step by step in this process: what it asks of the system is noted, not done."""

from __future__ import annotations

import os
import signal
import socket
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from nimtui.process import children
from nimtui.sandbox import server
from nimtui.sandbox.closing import Bounds, Limits
from nimtui.sandbox.server import OVER_MEMORY, OVER_PROCESSES, SURVIVED, Server
from nimtui.sandbox.wire import Wire

KILL = signal.SIGKILL


class Notes(list[Any]):
    """What is called in the place of a module's functions."""

    def of(self, name: str, answer: Any = None) -> Callable[..., Any]:
        def noted(*given: Any, **more: Any) -> Any:
            self.append((name, *given, *more.items()))
            said = answer.pop(0) if isinstance(answer, list) else answer
            if isinstance(said, BaseException):
                raise said
            return said

        return noted

    def module(self, real: Any, *names: str, **answers: Any) -> Any:
        """Return a module of which these functions are noted instead of called."""
        fakes = {name: self.of(name, answers.get(name)) for name in (*names, *answers)}
        return SimpleNamespace(**{**vars(real), **fakes})


@pytest.fixture
def notes() -> Notes:
    return Notes()


@pytest.fixture
def served(notes: Notes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Server:
    """A server whose folder is `tmp_path/deep/nimtui-scratch-`, and whose parent has its `link`."""
    fakes = notes.module(children, "end_strays", "kill", temporary_folder=str(tmp_path / "deep" / "scratch"))
    monkeypatch.setattr(server, "children", fakes)
    found = Server(socket.socketpair()[0])
    assert notes.pop() == ("temporary_folder", "nimtui-scratch-")
    return found


@pytest.mark.parametrize("fault", [None, ValueError()])
def test_a_sandbox_leads_a_session_and_has_its_streams_and_its_socket_alone(
    fault: Exception | None, notes: Notes, monkeypatch: pytest.MonkeyPatch
) -> None:
    system = notes.module(os, "setsid", "dup2", "closerange", "_exit", getppid=5, kill=ProcessLookupError())
    monkeypatch.setattr(server, "os", system)
    monkeypatch.setattr(server, "children", notes.module(children, "die_with_parent", "handle"))
    monkeypatch.setattr(server, "signal", notes.module(signal, "signal"))
    for name, answer in (("Page", "page"), ("Wire", "wire"), ("_serve", fault)):
        monkeypatch.setattr(server, name, notes.of(name, answer))
    monkeypatch.setattr(server, "socket", notes.module(socket, socket="socket"))
    try:
        server.begin(7, 8, [10, 11], "/scratch")
    except ValueError:
        assert fault is not None
    assert notes == [
        ("setsid",), ("die_with_parent",), ("Page", 8), ("dup2", 10, 0), ("dup2", 11, 1),
        ("closerange", 3, 7), ("closerange", 8, 1024), ("signal", signal.SIGINT, signal.default_int_handler),
        ("handle", ("SIGHUP", "SIGTERM", "SIGQUIT"), signal.SIG_DFL), ("socket", ("fileno", 7)), ("Wire", "socket"),
        ("_serve", "wire", "page", "/scratch"), ("getppid",), ("kill", 5, signal.SIGCONT),
        ("_exit", 70 if fault else 0),
    ]  # fmt: skip


def test_a_sandbox_takes_its_surroundings_from_its_order_and_closes_itself_in(
    notes: Notes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    service = SimpleNamespace(run=notes.of("run"))
    monkeypatch.setitem(sys.modules, "a_service", service)  # type: ignore[arg-type]
    surroundings = {"OLD": "1"}
    monkeypatch.setattr(server, "os", SimpleNamespace(**{**vars(os), "environ": surroundings}))
    monkeypatch.setattr(server, "close_in", notes.of("close_in", ("seccomp",)))
    monkeypatch.setattr(Limits, "apply", lambda limits: notes.append(limits))
    monkeypatch.setattr(sys, "path", ["/old"])
    monkeypatch.setattr(tempfile, "tempdir", "/old")
    monkeypatch.chdir("/")
    order = {
        "seal": "00ff", "bounds": [["/r"], ["/w"], "/s", "/h"], "environment": {"A": "2", "TMPDIR": "/old"},
        "folder": str(tmp_path), "paths": ["/new"], "limits": [1, 2, 3, 4], "service": "a_service:run",
    }  # fmt: skip
    wire: Any = SimpleNamespace(receive=lambda: order, send=notes.of("send"))
    server._serve(wire, "page", "/scratch")  # type: ignore[arg-type]
    assert notes == [
        Limits(1, 2, 3, 4), ("close_in", Bounds(["/r"], ("/w", "/scratch"), "/s", "/h")),  # type: ignore[arg-type]
        ("send", {"closed": ("seccomp",)}), ("run", wire, "page"),
    ]  # fmt: skip
    assert (wire.seal, tempfile.tempdir, sys.path, Path.cwd()) == (b"\0\xff", None, ["/new"], tmp_path)
    assert surroundings == {"A": "2", "NIMTUI_SANDBOX_STORE": "/s", "TMPDIR": "/scratch"}
    assert Limits() == (0, 0, 0, 1 << 30)
    order["folder"] = str(tmp_path / "hidden")
    server._serve(wire, "page", "/scratch")  # type: ignore[arg-type]
    assert Path.cwd() == tmp_path


def test_a_server_serves_until_its_parent_is_gone(notes: Notes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "children", notes.module(children, "handle", "silence", "adopt"))
    monkeypatch.setattr(server, "os", notes.module(os, "_exit"))
    monkeypatch.setattr(server, "socket", notes.module(socket, socket="socket"))
    ready = ("handle", ("SIGINT", "SIGHUP", "SIGTERM", "SIGQUIT"), signal.SIG_IGN), ("silence",), ("adopt",)
    for answers in ([True, True, False], [True, OSError()], [EOFError()]):
        notes.clear()
        fake = SimpleNamespace(serve=notes.of("serve", [*answers]), end=notes.of("end"))
        monkeypatch.setattr(server, "Server", notes.of("Server", fake))
        server.main(9)
        served = [("serve",)] * len(answers)
        assert notes == [*ready, ("socket", ("fileno", 9)), ("Server", "socket"), *served, ("end",), ("_exit", 0)]


def test_an_order_is_obeyed_and_answered(notes: Notes, monkeypatch: pytest.MonkeyPatch, served: Server) -> None:
    here, there = socket.socketpair()
    served.wire, told, served._running = Wire(here), Wire(there), {5: "/five"}
    looks, strays, waiting = iter([[], [], [here]]), ("end_strays", {5: "/five"}), ([here], [], [], 0.05)
    receive = SimpleNamespace(recv_fds=lambda link, size, most: (link.recv(size), [f"{most} files"], 0, None))
    monkeypatch.setattr(server, "socket", receive)
    monkeypatch.setattr(server, "select", SimpleNamespace(select=lambda *of: notes.append(of) or (next(looks),)))
    for name, answer in (("_start", 55), ("_end", 256), ("_look", None)):
        monkeypatch.setattr(served, name, notes.of(name, answer))
    for order, answer, done in (
        ({"do": "start", "loads": []}, 55, [("_start", {"do": "start", "loads": []}, ["5 files"])]),
        ({"do": "end", "number": 5}, 256, [("_end", 5, 0.0), strays]),
        ({"do": "lost", "number": 5}, 256, [("_end", 5, 0.2), strays]),
        ({"do": "end", "number": 6}, 0, [strays]),
        ({"do": "end"}, 0, [strays]),
    ):
        there.send(b".")
        told.send(order)  # type: ignore[arg-type]
        assert served.serve() and told.receive() == {"answer": answer} and notes == done
        notes.clear()
    served._watched = {5: {"memory": 1}}
    there.close()
    assert not served.serve() and notes == [waiting, ("_look",), waiting, ("_look",), waiting]


def test_a_sandbox_is_forked_with_a_folder_of_its_own(
    notes: Notes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, served: Server
) -> None:
    for name, load in (("has_load", notes.of("load")), ("fails", notes.of("load fails", ValueError()))):
        monkeypatch.setitem(sys.modules, name, SimpleNamespace(load=load))  # type: ignore[arg-type]
    order = {"loads": ["fails", "no_such_module", "json", "has_load"], "watch": {}}
    some, forked = {"memory": 1}, ((55, 55), (56, 56), (-11, OSError(11, "x")), (-1, OSError()))
    for number, fork in forked:
        watch = some if number == 56 else {}
        monkeypatch.setattr(server, "os", notes.module(os, fork=fork, close=None))
        assert served._start({**order, "watch": watch}, [7, 8, 9]) == number
        assert notes == [("load fails",), ("load",), ("fork",), ("close", 7), ("close", 8), ("close", 9)]
        notes.clear()
        assert served._watched == ({56: some} if 56 in served._running else {})
        if number > 0:
            scratch = Path(served._running[number])
            assert scratch.is_dir() and scratch.parent == tmp_path / "deep" / "scratch"
            assert scratch.parent.stat().st_mode & 0o777 == 0o700
    assert [*served._running] == [55, 56]
    link = served.wire.link
    monkeypatch.setattr(server, "os", notes.module(os, fork=0, close=None))
    monkeypatch.setattr(server, "begin", notes.of("begin", SystemExit()))
    with pytest.raises(SystemExit):
        served._start(order, [7, 8, 9, 10, 11])
    [begun] = [note for note in notes if note[0] == "begin"]
    assert begun[1:4] == (7, 8, [9, 10, 11]) and Path(begun[4]).is_dir() and link.fileno() == -1


def test_who_uses_too_much_is_killed_with_its_descendants(
    notes: Notes, monkeypatch: pytest.MonkeyPatch, served: Server
) -> None:
    families = {5: [5, 51], 6: [6, 61, 62], 7: [7, 71, 72, 73], 8: [8, 81, 82, 83]}
    memory = {5: 50, 51: 50, 6: 99, 61: 1, 62: 1, **dict.fromkeys(families[7], 25), **dict.fromkeys(families[8], 26)}
    fakes = notes.module(children, "kill", "end_strays")
    fakes.family, fakes.memory = families.__getitem__, memory.__getitem__
    monkeypatch.setattr(server, "children", fakes)
    monkeypatch.setattr(server, "os", notes.module(os, kill=ProcessLookupError()))
    served._watched = {number: {"memory": 100, "processes": 3} for number in families}
    served._running = dict.fromkeys(families, "/x")
    served._look()
    killed = [("kill", one, *[KILL] * (one != number)) for number in (6, 7, 8) for one in families[number]]
    assert notes == [*killed, ("end_strays", served._running)] and [*served._watched] == [5]
    assert served._over == {6: OVER_MEMORY, 7: OVER_PROCESSES, 8: OVER_MEMORY}
    assert (SURVIVED, OVER_MEMORY, OVER_PROCESSES) == (1 << 32, (1 << 32) + 1, (1 << 32) + 2)  # no status of 16 bits


@pytest.mark.parametrize(
    ("grace", "looks", "over", "found"),
    [
        (0.0, [(5, 256)], None, 256), (0.004, [(5, 0)], None, 0), (0.0, [(0, 0)], None, SURVIVED),
        (0.004, [(0, 0), (0, 0), (5, 9)], None, 9), (0.004, [(0, 0), (0, 0), (0, 0)], None, SURVIVED),
        (0.004, [(0, 0), (5, 9)], OVER_MEMORY, OVER_MEMORY),
    ],
)  # fmt: skip
def test_a_process_that_hung_up_has_a_moment_to_end(
    grace: float,
    looks: list[Any],
    over: int | None,
    found: int,
    notes: Notes,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    served: Server,
) -> None:
    now, left = [0.0], [*looks, (5, 9)]
    system = notes.module(os, killpg=ProcessLookupError())
    system.waitpid = lambda *given: notes.append(given) or left.pop(0)
    monkeypatch.setattr(server, "os", system)
    monkeypatch.setattr(server, "monotonic", lambda: now[0])
    monkeypatch.setattr(server, "sleep", lambda seconds: now.__setitem__(0, now[0] + seconds))
    served._running, served._watched = {5: str(tmp_path / "five"), 6: ""}, {5: {}, 6: {}}
    if over is not None:
        (tmp_path / "five" / "deep").mkdir(parents=True)
        served._over, served._watched = {5: over}, {6: {}}
    assert served._end(5, grace) == found
    ended = looks[-1][0] == 5
    last = [("killpg", 5, KILL)] if ended else [("kill", 5), (5, 0)]
    assert notes == [*[(5, os.WNOHANG)] * len(looks), *last] and not (tmp_path / "five").exists()
    assert (served._running, served._watched, served._over) == ({6: ""}, {6: {}}, {})


def test_a_server_that_ends_kills_all_and_leaves_no_folder(notes: Notes, tmp_path: Path, served: Server) -> None:
    (tmp_path / "deep" / "scratch" / "one").mkdir(parents=True)
    served._running = {5: "", 6: ""}
    for _ in range(2):
        served.end()
        assert notes == [("kill", 5), ("kill", 6), ("end_strays",)] and [*(tmp_path / "deep").iterdir()] == []
        notes.clear()
