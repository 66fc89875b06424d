"""What nimtui and a sandbox share: messages, a page of memory, limits and bounds; tried in copies of this process."""

from __future__ import annotations

import os
import re
import resource
import signal
import socket
import struct
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nimtui.process.children import session
from nimtui.sandbox import closing
from nimtui.sandbox.closing import LARGEST_FILE, Bounds, Limits, close_in
from nimtui.sandbox.server import DOING, PAGE, PLACE, Page, Server
from nimtui.sandbox.wire import HEAD, LENGTH, BadMessage, Wire
from tests.check.here import in_a_copy
from tests.examples import examples
from tests.opened import open_files, opened_since

SEAL = b"sealseal"
MESSAGES = st.dictionaries(st.text(max_size=5), st.none() | st.integers() | st.text(max_size=9), max_size=3)


@pytest.fixture
def links() -> Iterator[tuple[socket.socket, socket.socket]]:
    one, other = socket.socketpair()
    other.setblocking(False)
    with one, other:
        yield one, other


@settings(max_examples=examples(30), deadline=None)
@given(st.lists(MESSAGES, max_size=4), st.integers(1, 40))
def test_messages_arrive_whole_in_whatever_parts_they_come(messages: list[dict[str, Any]], length: int) -> None:
    one, other = socket.socketpair()
    with one, other:
        whole, sender = bytearray(), Wire(one, SEAL)
        sender.link = type("Link", (), {"sendall": staticmethod(whole.extend)})  # type: ignore[assignment]
        for message in messages:
            sender.send(message)
        receiver, heard = Wire(other, SEAL), []
        other.setblocking(False)
        for first in range(0, len(whole), length):
            one.sendall(whole[first : first + length])
            try:
                while True:
                    heard.append(receiver.receive())
            except TimeoutError:
                pass
        assert heard == messages
        one.close()
        with pytest.raises(EOFError):
            receiver.receive()


@pytest.mark.parametrize(
    ("received", "ok"),
    [
        (SEAL + LENGTH.pack(2) + b"{}", True),
        (SEAL + LENGTH.pack(9) + b'{"a": 12}', True),
        (SEAL + LENGTH.pack(10) + b'{"a": 123}', False),  # more than is allowed
        (b"sealsea!" + LENGTH.pack(2) + b"{}", False), (b"x", False), (SEAL + LENGTH.pack(2) + b"[]", False),
        (SEAL + LENGTH.pack(2) + b"{]", False),
    ],
)  # fmt: skip
def test_anything_else_is_no_message(received: bytes, ok: bool, links: tuple[socket.socket, socket.socket]) -> None:
    links[0].sendall(received)
    wire = Wire(links[1], SEAL, 9)
    if ok:
        assert wire.receive() in ({}, {"a": 12})
    else:
        with pytest.raises(BadMessage):
            wire.receive()
    assert HEAD == 12


def test_a_page_says_what_is_done_where_and_until_when() -> None:
    with tempfile.TemporaryFile() as file:
        file.truncate(PAGE)
        here, there = Page(file.fileno()), Page(file.fileno())
        assert there.read() == ("", "", 0.0)
        here.note("parse", "nim:3")
        here.due(12.5)
        here.note("undo")
        assert there.read() == ("undo", "nim:3", 12.5)
        here.note("x" * 200, "é" * 300)
        doing, where, _ = there.read()
        assert (len(doing), len(where.encode())) == (DOING, PLACE - DOING)
        here.due(0.0)
        assert there.read()[2] == 0.0


def closed(deed: Callable[[], object], bounds: Bounds) -> tuple[tuple[str, ...], str]:
    """Return what closed a copy of this process in, and the error of what it then did."""

    def run() -> tuple[tuple[str, ...], str]:
        done = close_in(bounds)
        try:
            deed()
        except OSError as fault:
            return done, type(fault).__name__
        return done, ""

    found: tuple[tuple[str, ...], str] = in_a_copy(run)
    return found


class Kernel:
    """A Linux with this version of Landlock: notes what it is told, closes nothing, and says that it `restricts`."""

    def __init__(self, version: int, made: bool = True, restricts: int = 0) -> None:
        self.version, self.fields, self.rules = version, tuple[int, ...](), dict[str, int]()
        self.made, self.restricts, self.ruleset = made, restricts, -1

    def syscall(self, number: int, *given: Any) -> int:
        if number == 444 and given[0] is None:
            assert (given[1].value, given[2]) == (0, 1)  # LANDLOCK_CREATE_RULESET_VERSION
            return self.version
        if number == 444:
            assert (given[1].value, given[2]) == (len(given[0]), 0)
            self.fields = struct.unpack(f"={len(given[0]) // 8}Q", given[0])
            self.ruleset = os.open(os.devnull, os.O_RDONLY) if self.made else -1
            return self.ruleset
        assert given[0] == self.ruleset
        if number == 445:
            assert (given[1], given[3]) == (1, 0)  # LANDLOCK_RULE_PATH_BENEATH
            rights, handle = struct.unpack("=Qi", given[2])
            self.rules[str(Path(f"/proc/self/fd/{handle}").readlink())] = rights
            return 0
        assert (number, given[1:]) == (446, (0,))
        return self.restricts


@pytest.mark.skipif(sys.platform != "linux", reason="/proc")
def test_each_version_of_landlock_is_told_the_rights_that_it_knows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "store").mkdir()
    monkeypatch.setattr(closing, "_readable", lambda bounds: ("/usr", "/missing", *bounds.reads))
    bounds = Bounds((str(tmp_path / "file"),), (str(tmp_path),), str(tmp_path / "store"))
    for version, (rights, *more) in {1: (13,), 2: (14,), 3: (15,), 4: (15, 3), 5: (16, 3), 6: (16, 3, 3)}.items():
        kernel, every, files = Kernel(version), (1 << rights) - 1, open_files()
        assert closing._close_files(kernel, bounds)  # type: ignore[arg-type]
        assert kernel.fields == (every, *more)
        # execute, read files, read folders; of a file also write, truncate and control, but for what is a folder's
        assert kernel.rules == {"/usr": 13, str(tmp_path / "file"): 5} | dict.fromkeys(
            (str(tmp_path), str(tmp_path / "store")), every
        ) | dict.fromkeys(filter(os.path.exists, closing.DEVICES), (1 | 2 | 4 | 1 << 14 | 1 << 15) & every)
        assert not opened_since(files), "every file is closed"
    assert not closing._close_files(Kernel(0), bounds)  # type: ignore[arg-type]
    assert not closing._close_files(Kernel(1, made=False), bounds)  # type: ignore[arg-type]
    assert not closing._close_files(Kernel(1, restricts=-1), bounds)  # type: ignore[arg-type]


@pytest.mark.skipif(sys.platform != "linux", reason="Landlock and seccomp")
def test_a_closed_process_has_no_network_and_its_own_files_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for name in ("home/diary", "home/agents/mine.py", "home/data/table"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x")
    home = tmp_path / "home"
    bounds = Bounds.of(str(home / "agents" / "mine.py"), home / "data")
    assert bounds == Bounds(
        (str(home / "agents" / "mine.py"), str(home / "data")), (str(home / "agents"),), str(home / "data" / "sandbox")
    )
    assert Bounds.of(str(home / "mine.py"), home) == Bounds((str(home / "mine.py"),), (), str(home / "sandbox"))
    assert closing.holds_home(str(tmp_path)) and not closing.holds_home(str(home / "data"))
    deeds: dict[str, tuple[Callable[[], object], str, str]] = {
        "diary": (lambda: (home / "diary").read_text(), "Landlock", "PermissionError"),
        "own folder": (lambda: (home / "agents" / "notes").write_text("x"), "Landlock", ""),
        "data": (lambda: (home / "data" / "table").read_text(), "Landlock", ""),
        "write data": (lambda: (home / "data" / "table").write_text("x"), "Landlock", "PermissionError"),
        "system": (lambda: list(Path("/usr").iterdir()), "Landlock", ""),
        "nowhere": (lambda: Path(os.devnull).write_text("x"), "Landlock", ""),
        "socket": (lambda: socket.socket(), "seccomp", "PermissionError"),
        "pair": (lambda: socket.socketpair(), "seccomp", ""),
        "datagrams": (lambda: socket.socketpair(type=socket.SOCK_DGRAM), "seccomp", "PermissionError"),
    }
    for name, (deed, by, fault) in deeds.items():
        done, said = closed(deed, bounds)
        assert said == (fault if by in done else ""), name


# Real processes and their limits, and the numbers of this system.


def test_a_server_that_ends_leaves_no_process_and_no_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))

    def sleeping() -> int:
        """Start a process in a session of its own, as a sandbox is, and an orphan of one."""
        if (number := os.fork()) == 0:
            os.setsid()
            signal.alarm(60)
            signal.pause()
        return number

    def run() -> tuple[list[int], list[str]]:
        server, sandbox, orphan = Server(socket.socketpair()[0]), sleeping(), sleeping()
        server._running[sandbox] = server._scratch
        server.end()
        with suppress(ChildProcessError):
            os.waitpid(sandbox, 0)
        return [number for number in (sandbox, orphan) if session(number)], [*map(str, tmp_path.iterdir())]

    assert in_a_copy(run) == ([], [])


def test_limits_are_those_of_the_process() -> None:
    names = ("CORE", "FSIZE", "DATA", "AS", "CPU")

    def limited(wanted: Limits) -> list[int]:
        wanted.apply()
        return [resource.getrlimit(getattr(resource, f"RLIMIT_{name}"))[0] for name in names]

    before = [resource.getrlimit(getattr(resource, f"RLIMIT_{name}"))[0] for name in names]
    half = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2
    assert in_a_copy(lambda: limited(Limits())) == [0, LARGEST_FILE, half, *before[3:]]
    assert in_a_copy(lambda: limited(Limits(5 << 30, 9 << 30, 77))) == [0, LARGEST_FILE, 5 << 30, 9 << 30, 77]
    assert 0 < closing._running() < 1 << 20


def test_where_the_number_of_threads_is_unknown_it_may_be_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(closing, "Path", lambda name: Path("/nowhere", name.lstrip("/")))
    assert closing._running() >= 1 << 16  # 0 would forbid all threads where others run


HEADERS = ("linux/landlock.h", "asm-generic/unistd.h", "x86_64-linux-gnu/asm/unistd_64.h")


@pytest.mark.parametrize(
    ("header", "name", "mine"),
    [
        *((HEADERS[0], f"LANDLOCK_ACCESS_FS_{name}", right) for name, right in (
            ("EXECUTE", closing.EXECUTE), ("WRITE_FILE", closing.WRITE_FILE), ("READ_FILE", closing.READ_FILE),
            ("READ_DIR", closing.READ_FOLDER), ("TRUNCATE", closing.TRUNCATE), ("IOCTL_DEV", closing.IOCTL),
        )),
        *((HEADERS[1], f"__NR_landlock_{name}", number) for name, number in (
            ("create_ruleset", closing.CREATE_RULESET), ("add_rule", closing.ADD_RULE),
            ("restrict_self", closing.RESTRICT_SELF),
        )),
        *((HEADERS[1], f"__NR_{name}", number) for machine in ("aarch64", "riscv64")
          for name, number in zip(("socket", "socketpair"), closing.MACHINES[machine][1:], strict=True)),
        *((HEADERS[2], f"__NR_{name}", number)
          for name, number in zip(("socket", "socketpair"), closing.MACHINES["x86_64"][1:], strict=True)),
        *((header, "__NR_io_uring_setup", closing.IO_URING) for header in HEADERS[1:]),
    ],
)  # fmt: skip
def test_rights_and_system_calls_have_the_numbers_of_linux(header: str, name: str, mine: int) -> None:
    place = Path("/usr/include", header)
    found = re.search(rf"#define {name}\s+(?:\(1ULL << )?(\d+)", place.read_text() if place.exists() else "")
    if not found:
        pytest.skip("no such header")
    assert mine == (1 << int(found[1]) if "<<" in found[0] else int(found[1]))
