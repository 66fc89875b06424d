"""Start Python programs in milliseconds: a server that has loaded the libraries forks a process for each of them.

`Popen` and `run` stand for those of `subprocess` in tests of what a program does. Tests of how it starts (what is
imported, the first signal, limits of a new process) start a new interpreter.
"""

from __future__ import annotations

import array
import atexit
import fcntl
import gc
import importlib
import inspect
import io
import json
import os
import pkgutil
import runpy
import selectors
import signal
import socket
import subprocess
import sys
import tempfile
import termios
import threading
import traceback
import warnings
from collections.abc import Callable
from contextlib import redirect_stdout, suppress
from multiprocessing import popen_fork, popen_spawn_posix
from pathlib import Path
from types import ModuleType
from typing import Any, NoReturn

import nimtui
from nimtui.process import children
from nimtui.sandbox import client

ROOT = Path(__file__).parents[1]
PLACE = "NIMTUI_TEST_FORKS"  # environment variable: the socket of the server
NOT_LOADED = ("nimtui.ui.", "nimtui.check.templates", "nimtui.jobs.cluster", "nimtui.__main__")
WARMING = ("solve nim:1,2 --json", "match nim:1,2 --first random --second mc:playouts=5 -n 2", "games list")
PATIENCE = 600.0  # seconds until the server has loaded the libraries, and compiled kernels, and forked
MOST_FILES, FREE = 64, 256  # that a process is given; a number that no file of it has
POSSIBLE = hasattr(os, "fork") and hasattr(socket, "SCM_RIGHTS")

_server: subprocess.Popen[bytes] | None = None


class Popen(subprocess.Popen):  # type: ignore[type-arg]
    """A process as of `subprocess`; one that runs `sys.executable -c` or `-m` is forked by the server."""

    _told: socket.socket | None = None  # the server sends the status, and closes it

    def _execute_child(self, *given: Any) -> None:
        named = inspect.signature(subprocess.Popen._execute_child).bind(self, *given).arguments  # type: ignore[attr-defined]
        words = named["args"]
        plain = POSSIBLE and not (named["preexec_fn"] or named["shell"])
        if not (plain and len(words) > 2 and words[0] == sys.executable and words[1] in ("-c", "-m")):
            super()._execute_child(*given)  # type: ignore[misc]
            return
        wanted = {
            "words": [str(word) for word in words],
            "environment": dict(os.environ if named["env"] is None else named["env"]),
            "folder": str(named["cwd"] or Path.cwd()),
            "session": bool(named["start_new_session"]),
            "blocked": list(signal.pthread_sigmask(signal.SIG_BLOCK, ())),
            "files": [0, 1, 2, *named["pass_fds"]],
        }
        files = [named["p2cread"], named["c2pwrite"], named["errwrite"]]
        own = [*(number if file == -1 else file for number, file in enumerate(files)), *named["pass_fds"]]
        self._told, said = _asked(wanted, own)
        if not said:  # the server that all share was killed
            os.environ.pop(PLACE, None)
            self._told, said = _asked(wanted, own)
        self.pid = int(said)
        self._child_created = True
        self._told.settimeout(None)
        for file in {*files} - {-1}:
            os.close(file)

    def _try_wait(self, wait_flags: int) -> tuple[int, int]:
        if self._told is None:
            found: tuple[int, int] = super()._try_wait(wait_flags)  # type: ignore[misc]
            return found
        if self._told.fileno() < 0:  # asked again after its end, by the standard library's list of unread ends
            return self.pid, int(signal.SIGKILL)
        self._told.setblocking(not wait_flags & os.WNOHANG)
        try:
            said = _line(self._told)
        except BlockingIOError:
            return 0, 0
        self._told.close()
        return self.pid, int(said or signal.SIGKILL)  # no word: the server was killed

    def _internal_poll(self, *given: Any, **named: Any) -> int | None:
        if self._told is None:
            ended: int | None = super()._internal_poll(*given, **named)  # type: ignore[misc]
            return ended
        if self.returncode is None and self._waitpid_lock.acquire(False):  # type: ignore[attr-defined]
            try:
                if self.returncode is None:
                    found, status = self._try_wait(os.WNOHANG)
                    if found:
                        self._handle_exitstatus(status)  # type: ignore[attr-defined]
            finally:
                self._waitpid_lock.release()  # type: ignore[attr-defined]
        return self.returncode


def _asked(wanted: dict[str, Any], files: list[int]) -> tuple[socket.socket, str]:
    """Ask the server for a process; return the socket, and the number of the process, '' if no server answers."""
    heard = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    heard.settimeout(PATIENCE)
    with suppress(ConnectionError, FileNotFoundError):
        heard.connect(address())
        heard.sendmsg([b"."], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", files))])
        heard.sendall(json.dumps(wanted).encode() + b"\n")
        if said := _line(heard):
            return heard, said
    heard.close()
    return heard, ""


def run(words: list[str], *, capture_output: bool = False, timeout: float | None = None, **named: Any) -> Any:
    """Run a program to its end, as `subprocess.run` does."""
    check = named.pop("check", False)
    if capture_output:
        named |= {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with Popen(words, **named) as process:
        try:
            out, err = process.communicate(timeout=timeout)
        except BaseException:
            process.kill()
            raise
    done = subprocess.CompletedProcess(words, process.returncode, out, err)
    if check:
        done.check_returncode()
    return done


_spawned: dict[int, Popen] = {}


def spawn(path: bytes, words: list[Any], files: list[int]) -> int:
    """Start a process of `multiprocessing`'s own, in the place of its `util.spawnv_passfds`.

    Its own servers wait for their processes themselves, so these must be children of this process.
    """
    if not any("spawn_main" in str(word) for word in words):
        return plain_spawn(path, words, files)
    plain = [sys.executable, *words[words.index("-c") :]]
    process = Popen(plain, pass_fds=files, close_fds=True)
    _spawned[process.pid] = process
    return process.pid


def poll(self: Any, flag: int = os.WNOHANG) -> int | None:
    """Say how a process of `multiprocessing` ended, in the place of its `Popen.poll`."""
    process = _spawned.get(self.pid)
    if process is None:
        return plain_poll(self, flag)
    if self.returncode is None:
        self.returncode = process.poll() if flag & os.WNOHANG else process.wait()
    if self.returncode is not None:
        _spawned.pop(self.pid, None)
    return self.returncode  # type: ignore[no-any-return]


plain_poll = popen_fork.Popen.poll
plain_spawn = popen_spawn_posix.util.spawnv_passfds


def replace(patch: Callable[[Any, str, Any], object]) -> None:
    """Let this process start the server of sandboxes and workers by the server: `patch(owner, name, value)`."""
    patch(client, "Popen", Popen)
    patch(popen_spawn_posix.util, "spawnv_passfds", spawn)
    patch(popen_spawn_posix.Popen, "poll", poll)


def _line(heard: socket.socket) -> str:
    """Return the next line, '' at the end. Raise BlockingIOError if it has not come and the socket does not block."""
    with suppress(ConnectionResetError):
        found = heard.recv(32, socket.MSG_PEEK)  # so short a line comes whole
        return heard.recv(found.find(b"\n") + 1 or len(found)).decode().strip()
    return ""


def address() -> str:
    """Return the place of the server's socket; start the server if it does not run."""
    if _server is not None and _server.poll() is not None:
        os.environ.pop(PLACE, None)
    if PLACE not in os.environ:
        start()
    return os.environ[PLACE]


def start() -> None:
    """Start the server, also for the processes that this one starts. Whoever asks before it is ready waits for it."""
    global _server
    place = Path(tempfile.mkdtemp(prefix="nimtui-forks-"), "socket")
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listening:
        listening.bind(str(place))
        listening.listen(64)
        number = listening.fileno()
        _server = subprocess.Popen(
            [sys.executable, "-c", "from tests import forks; forks.serve()", str(place), str(number)],
            cwd=ROOT,
            env={**os.environ, **children.ONE_THREAD, "PYTHONPATH": str(ROOT), PLACE: str(place)},
            stdin=subprocess.PIPE,
            pass_fds=[number],
            start_new_session=True,
        )
    os.environ[PLACE] = str(place)


def end() -> None:
    """End the server, if this process has started it."""
    global _server
    client.end()
    for sandboxes in client._servers.values():
        sandboxes._process.wait()
    if _server is not None:
        assert _server.stdin is not None
        _server.stdin.close()
        _server.wait()
        _server = None
        os.environ.pop(PLACE, None)


class Server:
    """Forks what is asked for at its socket until its standard input ends, and says how each process ended."""

    def __init__(self, listening: socket.socket) -> None:
        self._path = [entry for entry in sys.path[1:] if entry != str(ROOT)]  # without PYTHONPATH
        self._told: dict[int, socket.socket] = {}
        self._listening = listening
        self._died, dies = socket.socketpair()
        dies.setblocking(False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(dies.fileno(), warn_on_full_buffer=False)
        self._dies = dies

    def loop(self) -> None:
        with selectors.DefaultSelector() as selector:
            for file in (0, self._listening, self._died):
                selector.register(file, selectors.EVENT_READ)
            while True:
                ready = [key.fileobj for key, _ in selector.select()]
                if self._died in ready:
                    self._died.recv(4096)
                    self._bury()
                if self._listening in ready:
                    self._answer(self._listening.accept()[0])
                if 0 in ready:  # who started it has ended, or was killed amid its tests
                    for pid in self._told:
                        os.kill(pid, signal.SIGKILL)
                    return

    def _bury(self) -> None:
        with suppress(ChildProcessError):
            while found := os.waitpid(-1, os.WNOHANG):
                pid, status = found
                if not pid:
                    return
                asked = self._told.pop(pid)
                with suppress(OSError):
                    asked.sendall(b"%d\n" % status)
                asked.close()

    def _answer(self, asked: socket.socket) -> None:
        numbers = array.array("i")
        _, control, *_ = asked.recvmsg(1, socket.CMSG_SPACE(MOST_FILES * numbers.itemsize))
        if not control:  # it has gone
            asked.close()
            return
        numbers.frombytes(control[0][2])
        line = b""
        with suppress(ConnectionResetError):
            line = asked.makefile("rb").readline()
        if whole := line.endswith(b"\n"):  # else who asked was killed meanwhile
            pid = os.fork()
            if not pid:
                _become(json.loads(line), list(numbers), self._path)
            self._told[pid] = asked
            with suppress(BrokenPipeError):
                asked.sendall(b"%d\n" % pid)
        for number in numbers:
            os.close(number)
        if not whole:
            asked.close()


def serve() -> None:
    """Load the libraries, then serve at the socket whose place and number the arguments say."""
    for module in pkgutil.walk_packages(nimtui.__path__, "nimtui."):
        if not module.name.startswith(NOT_LOADED):
            importlib.import_module(module.name)
    _warm_up()
    replace(setattr)
    for number, handler in ((signal.SIGINT, signal.default_int_handler), (signal.SIGQUIT, signal.SIG_DFL)):
        signal.signal(number, handler)  # a shell ignores them for what it starts in the background
    server = Server(socket.socket(fileno=int(sys.argv[2])))
    del os.environ["PYTHONPATH"]
    gc.collect()
    gc.freeze()
    server.loop()
    place = Path(sys.argv[1])
    place.unlink()
    place.parent.rmdir()
    os._exit(0)


def _warm_up() -> None:
    """Run some commands: the next ones need not be built, nor kernels be loaded."""
    from nimtui.cli import names
    from nimtui.cli.app import run
    from nimtui.engine import limits

    before = os.environ.get("NIMTUI_HOME")
    with tempfile.TemporaryDirectory() as home, redirect_stdout(io.StringIO()):
        os.environ["NIMTUI_HOME"] = home
        for words in WARMING:
            assert run(words.split()) == 0
    names.own_files.cache_clear()  # each process has a home of its own
    limits._learned.clear()
    os.environ.pop("NIMTUI_HOME")
    if before is not None:
        os.environ["NIMTUI_HOME"] = before
    assert threading.active_count() == 1, "threads do not survive a fork"


def _become(wanted: dict[str, Any], files: list[int], path: list[str]) -> NoReturn:
    """Be the program that is wanted, to its end."""
    status: int = 1
    try:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_SETMASK, wanted["blocked"])
        if wanted["session"]:
            os.setsid()
        _take(files, wanted["files"])
        if wanted["session"] and os.isatty(0):
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)  # as a shell does it: Ctrl+C and a link that drops come as signals
        os.chdir(wanted["folder"])
        os.environ.clear()
        os.environ.update(wanted["environment"])
        _words_and_paths(wanted["words"], path)
        _open_streams()
        if "PYTHONWARNINGS" in os.environ:
            warnings.simplefilter("ignore")
        if "NUMBA_CACHE_DIR" in os.environ or any(name.startswith("NUMBA_") for name in os.environ):
            importlib.import_module("numba").config.reload_config()
        gc.unfreeze()
        status = _ended(lambda: _run(wanted["words"]))
    finally:
        os._exit(status)


def _take(files: list[int], numbers: list[int]) -> None:
    """Give the files these numbers, and close all others."""
    high = [fcntl.fcntl(file, fcntl.F_DUPFD, FREE) for file in files]
    os.closerange(0, FREE)
    for file, number in zip(high, numbers, strict=True):
        os.dup2(file, number)
        os.close(file)


def _words_and_paths(words: list[str], path: list[str]) -> None:
    own = os.environ.get("PYTHONPATH", "")
    first = "" if words[1] == "-c" else os.getcwd()  # noqa: PTH109 - as the interpreter does
    sys.path[:] = [first, *filter(None, own.split(os.pathsep)), *path]
    sys.argv[:] = [words[1], *words[3:]]
    sys.orig_argv[:] = words


def _open_streams() -> None:
    """Open the streams as a new interpreter does; one that is closed is None."""
    with suppress(OSError):
        sys.stdin = sys.__stdin__ = io.TextIOWrapper(io.FileIO(0, closefd=False), encoding="utf-8")  # type: ignore[misc]
    for name, number, errors in (("stdout", 1, "strict"), ("stderr", 2, "backslashreplace")):
        raw = io.FileIO(number, "w", closefd=False)
        at_once = bool(os.environ.get("PYTHONUNBUFFERED"))
        lines = number == 2 or os.isatty(number)
        stream = io.TextIOWrapper(
            raw if at_once else io.BufferedWriter(raw),  # type: ignore[arg-type]
            encoding="utf-8",
            errors=errors,
            line_buffering=lines,
            write_through=at_once,
        )
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)


def _run(words: list[str]) -> None:
    if words[1] == "-m":
        runpy.run_module(words[2], run_name="__main__", alter_sys=True)
        return
    main = ModuleType("__main__")
    sys.modules["__main__"] = main
    exec(compile(words[2], "<string>", "exec"), main.__dict__)


def _ended(program: Callable[[], None]) -> int:
    """Return the status with which an interpreter ends that ran this."""
    status = 0
    try:
        program()
    except SystemExit as said:
        if said.code is not None and not isinstance(said.code, int):
            print(said.code, file=sys.stderr)
        status = said.code if isinstance(said.code, int) else int(said.code is not None)
    except BaseException as fault:  # noqa: BLE001 - as the interpreter does
        traceback.print_exception(fault)
        status = 1
        if isinstance(fault, KeyboardInterrupt):
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            os.kill(os.getpid(), signal.SIGINT)
    threading._shutdown()  # type: ignore[attr-defined] # waits for threads that are no daemons
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    return status & 0xFF
