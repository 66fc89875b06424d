"""Closes a process in: no network, only some folders, and limits. By Landlock and seccomp of Linux, without any rights.

Landlock (<linux/landlock.h>) names the folders that this process and its children may read and write. seccomp
(<linux/seccomp.h>) refuses them new sockets. Both hold until the process ends. Where the kernel has no Landlock, the
program bubblewrap starts the fork server, and closes in all that it forks. Landlock comes first because it needs no
server for each folder. A system with none of them closes nothing in.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import stat
import struct
import subprocess
import sys
from collections.abc import Collection, Iterable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import NamedTuple

from nimtui.sandbox.wire import MOST_BYTES

SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/etc", "/opt", "/nix", "/gnu")
KERNEL = ("/proc", "/sys")
DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")
PACKAGE = Path(__file__).parents[1]
STORE = "NIMTUI_SANDBOX_STORE"  # environment variable: where sandboxes store what only sandboxes load

NO_NEW_PRIVILEGES, SECCOMP, FILTER = 38, 22, 2  # of prctl(2)
CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446  # system calls of Landlock, on every machine
EXECUTE, WRITE_FILE, READ_FILE, READ_FOLDER, TRUNCATE, IOCTL = 1, 2, 4, 8, 1 << 14, 1 << 15
READ = EXECUTE | READ_FILE | READ_FOLDER
OF_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL  # rights that a file has; the others are a folder's
FILE_RIGHTS = (13, 14, 15, 15, 16)  # how many rights the versions 1 to 5 know
TCP, ABSTRACT_SOCKETS_AND_SIGNALS = 3, 3  # from version 4 and from version 6 on

MACHINES = {  # name: number for seccomp, system calls socket and socketpair
    "x86_64": (0xC000003E, 41, 53),
    "aarch64": (0xC00000B7, 198, 199),
    "riscv64": (0xC00000F3, 198, 199),
}
IO_URING, OTHER_CALLS = 425, 0x40000000  # io_uring opens sockets, too; x86_64 has a second set of calls
DATAGRAM, KINDS = 2, 14  # the type of a pair that can send to any other socket, as 3, which is the same


class Bounds(NamedTuple):
    """The folders and files that own code may use beside the system, Python and its libraries."""

    reads: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()
    store: str = ""  # a folder for what is compiled in a sandbox: only sandboxes load it
    hides: str = ""  # a folder that must not be read because modules are searched there or above

    @classmethod
    def of(cls, file: str, data: Path) -> Bounds:
        """Return the bounds of an own file: it reads nimtui's data, and writes in its own folder.

        It has no folder of its own if that is the home folder, or one above.
        """
        own = str(Path(file).absolute().parent)
        reads = () if holds_home(str(data)) else (str(data),)
        return cls((file, *reads), () if holds_home(own) else (own,), str(data / "sandbox"))


def close_in(bounds: Bounds) -> tuple[str, ...]:
    """Close this process in, which must have one thread. Returns what did it: Landlock, seccomp, both or nothing."""
    if sys.platform != "linux":
        return ()
    library = ctypes.CDLL(None, use_errno=True)
    if library.prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0):
        return ()
    done = {"Landlock": _close_files(library, bounds), "seccomp": _close_network(library)}
    return tuple(name for name, closed in done.items() if closed)


def _close_files(library: ctypes.CDLL, bounds: Bounds) -> bool:
    if (version := _landlock(library)) < 1:
        return False
    every = (1 << FILE_RIGHTS[min(version, len(FILE_RIGHTS)) - 1]) - 1
    fields = [every, TCP, ABSTRACT_SOCKETS_AND_SIGNALS][: 1 + (version >= 4) + (version >= 6)]
    ruleset = struct.pack(f"={len(fields)}Q", *fields)
    handle = library.syscall(CREATE_RULESET, ruleset, ctypes.c_size_t(len(ruleset)), 0)
    if handle < 0:
        return False
    try:
        for rights, paths in ((READ, _readable(bounds)), (every, (*DEVICES, *bounds.writes, bounds.store))):
            for path in dict.fromkeys(paths):
                _allow(library, handle, path, rights & every)
        return bool(library.syscall(RESTRICT_SELF, handle, 0) == 0)
    finally:
        os.close(handle)


def _allow(library: ctypes.CDLL, ruleset: int, path: str, rights: int) -> None:
    """Allow these rights to a path and to everything below. A missing path gives none."""
    with suppress(OSError, ValueError):
        handle = os.open(path, os.O_PATH | os.O_CLOEXEC)
        if not stat.S_ISDIR(os.fstat(handle).st_mode):
            rights &= OF_FILES
        library.syscall(ADD_RULE, ruleset, 1, struct.pack("=Qi", rights, handle), 0)
        os.close(handle)


def _landlock(library: ctypes.CDLL) -> int:
    """Return the version of Landlock, or a number below 1."""
    return int(library.syscall(CREATE_RULESET, None, ctypes.c_size_t(0), 1))


def _readable(bounds: Bounds) -> Iterable[str]:
    """Return the system, Python, nimtui and all libraries, except folders in which the home folder lies."""
    searched = [entry or "." for entry in sys.path]
    if bounds.hides:
        hidden = Path(bounds.hides).resolve()
        searched = [folder for folder in searched if not hidden.is_relative_to(Path(folder).resolve())]
    folders = [sys.prefix, sys.base_prefix, sys.exec_prefix, str(PACKAGE), *searched]
    folders += os.environ.get("LD_LIBRARY_PATH", "").split(os.pathsep)
    return (*SYSTEM, *KERNEL, *(folder for folder in folders if folder and not holds_home(folder)), *bounds.reads)


def holds_home(folder: str) -> bool:
    """Return whether this is the person's home folder, or one above."""
    return Path(os.path.expanduser("~")).resolve().is_relative_to(Path(folder).resolve())  # noqa: PTH111


def _close_network(library: ctypes.CDLL) -> bool:
    """Refuse every new socket, except pairs in which both ends are this process's."""
    numbers = MACHINES.get(os.uname().machine)
    if numbers is None or struct.calcsize("P") != 8:  # a process of 32 bits has other numbers
        return False
    machine, socket, pair = numbers
    load, equal, at_least, mask, answer = 0x20, 0x15, 0x35, 0x54, 0x06  # of <linux/bpf_common.h>
    refused, allowed = 0x50000 | 13, 0x7FFF0000  # EACCES
    straight = 0, 0  # where nothing is compared nothing jumps
    program = (  # code, jump if true, jump if false, value
        (load, *straight, 4),  # the machine
        (equal, 0, 8, machine),
        (load, *straight, 0),  # the number of the call
        (at_least, 6, 0, OTHER_CALLS),
        (equal, 5, 0, socket),
        (equal, 4, 0, IO_URING),
        (equal, 0, 4, pair),
        (load, *straight, 24),  # its second argument: the type
        (mask, *straight, KINDS),
        (equal, 0, 1, DATAGRAM),
        (answer, *straight, refused),
        (answer, *straight, allowed),
    )
    code = ctypes.create_string_buffer(b"".join(struct.pack("=HBBI", *step) for step in program))
    filters = ctypes.create_string_buffer(struct.pack("@HP", len(program), ctypes.addressof(code)))
    return bool(library.prctl(SECCOMP, FILTER, filters, 0, 0) == 0)


def open_to(closed: Collection[str]) -> list[str]:
    """Return what is open to a process that these close in: 'files', 'connections'; nothing if all is closed."""
    ways = []
    if not {"Landlock", "bubblewrap"} & set(closed):
        ways.append("files")
    if not {"seccomp", "bubblewrap"} & set(closed):
        tcp = "Landlock" in closed and _landlock(ctypes.CDLL(None)) >= 4
        ways.append("all connections but TCP" if tcp else "connections")
    return ways


def account(closed: Collection[str]) -> str:
    """Return one line on what closes programs in, and what is open to them."""
    ways = open_to(closed)
    return f"sandbox: {' and '.join(closed) or 'none'}" + (f"; open: {', '.join(ways)}" if ways else "")


@cache
def bubblewrap() -> str:
    """Return the path of bubblewrap if the fork server needs it, and it works; '' otherwise."""
    if sys.platform != "linux" or _landlock(ctypes.CDLL(None)) > 0 or (program := shutil.which("bwrap")) is None:
        return ""
    trial = [program, "--ro-bind", "/", "/", "--unshare-net", "true"]
    done = subprocess.run(trial, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    return "" if done.returncode else program


def wrapping(bounds: Bounds) -> list[str]:
    """Return the words before a command that close it in by bubblewrap; none if it is not needed or does not work."""
    if not bubblewrap():
        return []
    words = [bubblewrap(), "--unshare-net", "--dev", "/dev", "--tmpfs", "/tmp", "--chdir", "/"]
    for option, paths in (("--ro-bind-try", _readable(bounds)), ("--bind-try", (*bounds.writes, bounds.store))):
        places = {os.path.abspath(path) for path in paths if path}  # noqa: PTH100 - a link stays a link
        for path in sorted(places):
            inside = any(str(folder) in places for folder in Path(path).parents)  # its link is there already
            words += [option, os.path.realpath(path), os.path.realpath(path) if inside else path]
    return words


MORE_PROCESSES = 1024  # than the whole machine runs when the process starts; the system counts threads, too
LARGEST_FILE = 1 << 32  # bytes


class Limits(NamedTuple):
    """Limits that the system keeps, except for `message`. 0: none, for `memory` half of the machine's."""

    memory: int = 0  # bytes
    addresses: int = 0  # bytes: memory, mapped files and shared memory together
    seconds: int = 0  # of processor time
    message: int = MOST_BYTES  # bytes that the process may send at once

    def apply(self) -> None:
        """Limit this process as far as the system can, and have the system end it first if memory runs out."""
        with suppress(ImportError, AttributeError, OSError, ValueError):  # not every system has all of this
            import resource

            half = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2
            wanted = {
                resource.RLIMIT_CORE: 0,
                resource.RLIMIT_FSIZE: LARGEST_FILE,
                resource.RLIMIT_DATA: self.memory or half,
                resource.RLIMIT_AS: self.addresses or resource.RLIM_INFINITY,
                resource.RLIMIT_CPU: self.seconds or resource.RLIM_INFINITY,
                resource.RLIMIT_NPROC: _running() + MORE_PROCESSES,
            }
            for what, most in wanted.items():
                hard = resource.getrlimit(what)[1]
                if most != resource.RLIM_INFINITY and (hard == resource.RLIM_INFINITY or hard > most):
                    with suppress(OSError, ValueError):  # macOS refuses some
                        resource.setrlimit(what, (most, hard))
        with suppress(OSError):
            Path("/proc/self/oom_score_adj").write_text("1000")


def _running() -> int:
    """Return the number of threads on this machine, a large one if the system does not tell."""
    try:
        return int(Path("/proc/loadavg").read_text().split()[3].partition("/")[2])
    except (OSError, ValueError, IndexError):
        return 1 << 20
