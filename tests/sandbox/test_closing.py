"""How a process is closed in: the filter of seccomp step by step, the rules of Landlock, the words of bubblewrap."""

from __future__ import annotations

import ctypes
import errno
import os
import resource
import struct
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from nimtui.sandbox import closing
from nimtui.sandbox.closing import Bounds, Limits
from tests.check.here import in_a_copy

REFUSED, ALLOWED = 0x50000 | errno.EACCES, 0x7FFF0000  # SECCOMP_RET_ERRNO, SECCOMP_RET_ALLOW
STREAM, DATAGRAM, RAW, SEQUENCED, FLAGS = 1, 2, 3, 5, 0o2004000  # SOCK_CLOEXEC and SOCK_NONBLOCK
MACHINES = {"x86_64": (0xC000003E, 41, 53), "aarch64": (0xC00000B7, 198, 199), "riscv64": (0xC00000F3, 198, 199)}


def answer(steps: list[tuple[int, int, int, int]], machine: int, call: int, kind: int) -> int:
    """Return what a filter says of a call with this second argument, as <linux/filter.h> defines its steps."""
    data, at, value = {0: call, 4: machine, 24: kind}, 0, 0
    while True:
        (code, yes, no, number), at = steps[at], at + 1
        match code:
            case 0x20:
                value = data[number]
            case 0x54:
                value &= number
            case 0x15 | 0x35:
                at += yes if (value == number if code == 0x15 else value >= number) else no
            case 0x06:
                return number
            case _:
                raise AssertionError(code)


@pytest.mark.parametrize("name", MACHINES)
def test_every_new_socket_is_refused_but_a_pair_that_can_reach_nobody_else(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    told, status = list[list[tuple[int, int, int, int]]](), 0

    def prctl(*given: Any) -> int:
        length, place = struct.unpack("@HP", given[2].raw[: struct.calcsize("@HP")])
        assert (given[:2], given[3:]) == ((22, 2), (0, 0))  # PR_SET_SECCOMP, SECCOMP_MODE_FILTER
        told.append(list(struct.iter_unpack("=HBBI", ctypes.string_at(place, 8 * length))))  # type: ignore[misc]
        return status

    library: Any = SimpleNamespace(prctl=prctl)
    monkeypatch.setattr(closing.os, "uname", lambda: SimpleNamespace(machine=name))
    assert closing._close_network(library)
    (machine, opens, pair), [steps] = MACHINES[name], told
    for call in {0, 1, 42, opens - 1, opens, opens + 1, pair, pair + 1, 424, 425, 426, 0x3FFFFFFF, 0x40000000, 1 << 31}:
        for kind in (STREAM, DATAGRAM, RAW, SEQUENCED, STREAM | FLAGS, DATAGRAM | FLAGS, RAW | FLAGS):
            wrong = call in (opens, 425) or call >= 0x40000000 or (call == pair and kind & 15 in (DATAGRAM, RAW))
            assert answer(steps, machine, call, kind) == (REFUSED if wrong else ALLOWED), (call, kind)
            assert answer(steps, machine + 1, call, kind) == REFUSED, "the numbers of another machine"
    status = -1
    assert not closing._close_network(library)
    with monkeypatch.context() as patch:
        patch.setattr(closing, "struct", SimpleNamespace(calcsize={"P": 4}.get))
        assert not closing._close_network(library), "a process of 32 bits"
    monkeypatch.setattr(closing.os, "uname", lambda: SimpleNamespace(machine="pdp11"))
    assert not closing._close_network(library) and len(told) == 2


def test_what_closed_a_process_in_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    status, asked = 0, list[tuple[int, ...]]()
    library = SimpleNamespace(prctl=lambda *given: asked.append(given) or status)
    monkeypatch.setattr(closing.ctypes, "CDLL", lambda name, use_errno: library)
    monkeypatch.setattr(closing.sys, "platform", "linux")
    for files, network in ((True, True), (True, False), (False, True), (False, False)):
        monkeypatch.setattr(closing, "_close_files", lambda used, bounds, done=files: used is library and done)
        monkeypatch.setattr(closing, "_close_network", lambda used, done=network: used is library and done)
        assert closing.close_in(Bounds()) == ("Landlock",) * files + ("seccomp",) * network
    assert {*asked} == {(38, 1, 0, 0, 0)}  # PR_SET_NO_NEW_PRIVS
    status = -1
    assert closing.close_in(Bounds()) == ()
    monkeypatch.setattr(closing.sys, "platform", "darwin")
    assert closing.close_in(Bounds()) == () and len(asked) == 5


def test_rights_and_calls_are_those_of_the_kernel() -> None:
    # sources: <linux/landlock.h>, <linux/prctl.h>, <asm-generic/unistd.h>
    rights = closing.EXECUTE, closing.WRITE_FILE, closing.READ_FILE, closing.READ_FOLDER
    rights = *rights, closing.TRUNCATE, closing.IOCTL
    assert rights == tuple(1 << at for at in (0, 1, 2, 3, 14, 15))
    assert (closing.NO_NEW_PRIVILEGES, closing.SECCOMP, closing.FILTER) == (38, 22, 2)
    assert (closing.CREATE_RULESET, closing.ADD_RULE, closing.RESTRICT_SELF) == (444, 445, 446)


def test_what_is_open_to_a_process_depends_on_what_closes_it_in(monkeypatch: pytest.MonkeyPatch) -> None:
    for version, connections in ((3, "connections"), (4, "all connections but TCP")):
        monkeypatch.setattr(closing, "_landlock", lambda library, version=version: version)
        table = {
            ("Landlock", "seccomp"): "sandbox: Landlock and seccomp",
            ("Landlock",): f"sandbox: Landlock; open: {connections}", ("seccomp",): "sandbox: seccomp; open: files",
            ("bubblewrap",): "sandbox: bubblewrap", ("bubblewrap", "seccomp"): "sandbox: bubblewrap and seccomp",
            (): "sandbox: none; open: files, connections",
        }  # fmt: skip
        assert {closed: closing.account(closed) for closed in table} == table


@pytest.mark.parametrize(
    ("platform", "version", "path", "status", "found"),
    [
        ("linux", 0, "/bin/bwrap", 0, "/bin/bwrap"),
        ("linux", -1, "/bin/bwrap", 0, "/bin/bwrap"),
        ("linux", 0, "/bin/bwrap", 1, ""),  # it does not work here
        ("linux", 0, None, 0, ""),
        ("linux", 1, "/bin/bwrap", 0, ""),  # Landlock does it
        ("darwin", 0, "/bin/bwrap", 0, ""),
    ],
)
def test_bubblewrap_is_used_where_it_is_needed_and_works(
    platform: str, version: int, path: str | None, status: int, found: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def run(words: list[str], **more: Any) -> SimpleNamespace:
        assert words == [path, "--ro-bind", "/", "/", "--unshare-net", "true"]
        assert more == {"stdin": subprocess.DEVNULL, "capture_output": True, "check": False}
        return SimpleNamespace(returncode=status)

    monkeypatch.setattr(closing.sys, "platform", platform)
    monkeypatch.setattr(closing, "_landlock", lambda library: version)
    monkeypatch.setattr(closing.shutil, "which", lambda name: path if name == "bwrap" else None)
    monkeypatch.setattr(closing.subprocess, "run", run)
    assert closing.bubblewrap.__wrapped__() == found


def test_bubblewrap_binds_each_place_once_and_a_link_within_another_place_where_it_leads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = tmp_path.resolve()
    (here / "real" / "deep").mkdir(parents=True)
    (here / "link").symlink_to(here / "real")
    (here / "real" / "inner").symlink_to(here / "real" / "deep")
    reads = (f"{here}/real", "/usr/../usr", f"{here}/link", "", "/usr", f"{here}/real/inner")
    monkeypatch.setattr(closing, "_readable", lambda bounds: (*reads, *bounds.reads))
    monkeypatch.setattr(closing, "bubblewrap", lambda: "/bin/bwrap")
    words = closing.wrapping(Bounds(("/etc",), (f"{here}/link/x",), f"{here}/store"))
    assert words[:8] == ["/bin/bwrap", *["--unshare-net", "--dev", "/dev", "--tmpfs", "/tmp", "--chdir", "/"]]
    bound = [tuple(words[at : at + 3]) for at in range(8, len(words), 3)]
    assert bound == [
        ("--ro-bind-try", "/etc", "/etc"),
        ("--ro-bind-try", f"{here}/real", f"{here}/link"),
        ("--ro-bind-try", f"{here}/real", f"{here}/real"),
        ("--ro-bind-try", f"{here}/real/deep", f"{here}/real/deep"),  # its link is in the place above
        ("--ro-bind-try", "/usr", "/usr"),
        ("--bind-try", f"{here}/real/x", f"{here}/link/x"),
        ("--bind-try", f"{here}/store", f"{here}/store"),
    ]
    monkeypatch.setattr(closing, "bubblewrap", lambda: "")
    assert closing.wrapping(Bounds()) == []


def test_the_system_python_and_all_libraries_may_be_read_but_no_home_and_no_hidden_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = tmp_path.resolve()
    monkeypatch.setenv("HOME", f"{here}/people/ann")
    monkeypatch.setenv("LD_LIBRARY_PATH", os.pathsep.join(["", "/somewhere", f"{here}/people", ""]))
    monkeypatch.setattr(closing.sys, "path", ["", f"{here}/class", f"{here}/class/deep", f"{here}/lib", str(here)])
    monkeypatch.chdir(here)
    ours = [sys.prefix, sys.base_prefix, sys.exec_prefix, str(Path(closing.__file__).parents[1])]
    assert list(closing._readable(Bounds(("/r",), ("/w",), "/s"))) == [
        *closing.SYSTEM, *closing.KERNEL, *ours, f"{here}/class", f"{here}/class/deep", f"{here}/lib", "/somewhere",
        "/r",
    ]  # fmt: skip
    hidden = list(closing._readable(Bounds(hides=f"{here}/class")))  # what is below it has no hidden folder in it
    assert hidden == [*closing.SYSTEM, *closing.KERNEL, *ours, f"{here}/class/deep", f"{here}/lib", "/somewhere"]


def test_limits_are_set_where_they_are_lower(monkeypatch: pytest.MonkeyPatch) -> None:
    names, told = ("CORE", "FSIZE", "DATA", "AS", "CPU", "NPROC"), list[str]()
    files = {"/proc/loadavg": "0.1 0.2 0.3 4/567 890"}

    def path(name: str) -> Any:
        return SimpleNamespace(read_text=lambda: files[name], write_text=lambda text: told.append(name + text))

    monkeypatch.setattr(closing, "Path", path)
    monkeypatch.setattr(os, "sysconf", {"SC_PAGE_SIZE": 10, "SC_PHYS_PAGES": 7}.get)
    kinds = [getattr(resource, f"RLIMIT_{name}") for name in names]
    for limits, wanted in (
        (Limits(), (0, 1 << 32, 35, None, None, 1591)),
        (Limits(40, 50, 60), (0, 1 << 32, 40, 50, 60, 1591)),
    ):
        for beyond in (-1, 0, 1, None):
            hard = [-1 if most is None or beyond is None else most + beyond for most in wanted]
            made = dict[int, tuple[int, int]]()

            def setrlimit(what: int, both: tuple[int, int], made: dict[int, tuple[int, int]] = made) -> None:
                made[what] = both
                raise ValueError  # a system that refuses one limit may allow another one

            monkeypatch.setattr(resource, "getrlimit", lambda what, hard=hard: (0, hard[kinds.index(what)]))
            monkeypatch.setattr(resource, "setrlimit", setrlimit)
            limits.apply()
            lower = [beyond in (1, None) or (most == 0 and beyond == -1) for most in wanted]  # -1: no limit
            assert [made.get(kind) for kind in kinds] == [
                (most, end) if low and most is not None else None
                for most, end, low in zip(wanted, hard, lower, strict=True)
            ]
    assert told == ["/proc/self/oom_score_adj1000"] * 8
    for text in ("", "0.1 0.2 0.3 4:567", "0.1"):
        files["/proc/loadavg"] = text
        assert closing._running() == 1 << 20


def test_a_limit_that_is_lower_already_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    def limited(soft: int, hard: int) -> tuple[tuple[int, int], tuple[int, int], str]:
        resource.setrlimit(resource.RLIMIT_CPU, (soft, hard))
        threads = resource.getrlimit(resource.RLIMIT_NPROC)[1]
        Limits(seconds=7_000).apply()
        processes, most = resource.getrlimit(resource.RLIMIT_NPROC)
        assert most == threads
        return resource.getrlimit(resource.RLIMIT_CPU), (processes, 0), Path("/proc/self/oom_score_adj").read_text()

    monkeypatch.setattr(closing, "_running", lambda: 5)
    for before, after in (((600, 6_999), (600, 6_999)), ((600, 7_000), (600, 7_000)), ((600, 7_001), (7_000, 7_001))):
        assert in_a_copy(lambda before=before: limited(*before)) == (after, (1_029, 0), "1000\n")
