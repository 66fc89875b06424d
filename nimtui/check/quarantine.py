"""Loads own files that may be used: checks each version once, in a separate process, and caches the verdict.

A file that cannot be loaded is left out. So is a game or learner that breaks its contract, unless --unchecked is set.
Each file is read once, so that the checked source is the one that runs. Rooms above `check` use it.
The own files are the games, learners and agents in the person's folders, and those of installed packages.

Files are checked in sandboxes, one per file and side by side; a `FileCheck` tells how each check ended.
"""

from __future__ import annotations

import os
import select
import signal
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple

from nimtui.check.verdict import (
    Check,
    Imported,
    Request,
    Verdict,
    facts_of,
    failed,
    find_verdict,
    is_new,
    keep_verdict,
    registry_of,
)
from nimtui.errors import InputError
from nimtui.foreign.reading import exists
from nimtui.process import children, plugins
from nimtui.process.plugins import Chosen, Facts, OwnFile, fault_text
from nimtui.sandbox import client
from nimtui.sandbox.client import Sandbox
from nimtui.sandbox.closing import Bounds, Limits
from nimtui.sandbox.server import FAILED
from nimtui.sandbox.wire import BadMessage
from nimtui.store import paths

UNCHECKED = "NIMTUI_UNCHECKED"  # in the environment, so that child processes inherit it
DEEP = ("game", "learner")  # kinds that must keep their contract; a bad agent only loses its games
BEFORE = {"agent": ("game", "learner")}  # kinds that a file of this kind may use while it loads
NO_PROCESS = "your own files run unchecked: this system cannot fork a process"

announce: Callable[[Path], object] = lambda path: None  # noqa: E731 - called with each file before its check
_again: set[tuple[Path, bytes]] = set()  # files that were checked again because a person named them
_said: list[str] = []  # messages that each process prints once


def unchecked() -> bool:
    """Return whether --unchecked or the settings allow games and learners that fail their check."""
    if os.environ.get(UNCHECKED):
        return True
    from nimtui.store import settings

    return settings.load()[0].unchecked


def usable(verdict: Verdict, kind: str) -> bool:
    """Return whether a file with this verdict may be used. A bad agent may: it only loses its games."""
    if kind not in DEEP:
        return verdict.loaded and verdict.facts is not None
    return verdict.loaded and (verdict.ok or unchecked())


def add_folder(folder: Path, kind: str, add: Callable[[Path, Mapping[Path, Chosen] | None], list[str]]) -> list[str]:
    """Call `add(folder, chosen)` for the usable files of a folder. Returns a line for each file that is left out."""
    if not _files(folder, kind):
        return []
    if not client.possible():
        return [*_once(NO_PROCESS), *add(folder, None)]
    sources, verdicts = _judged(folder, kind)
    out = sorted(path for path, verdict in verdicts.items() if not usable(verdict, kind))
    lines = [plugins.left_out(_line(path, kind, verdicts[path]), kind, plugins.names_of(path, kind)) for path in out]
    chosen = {path: Chosen(source, verdicts[path].facts) for path, source in sources.items() if path not in out}
    return lines + add(folder, chosen)


def _files(folder: Path, kind: str) -> list[Path]:
    """Return the Python files of a folder but students' hand-ins, which play as they are."""
    files = plugins.files(folder)
    if kind != "agent" or not files:
        return files
    from nimtui.agents.parse import is_hand_in

    return [path for path in files if not is_hand_in(path)]


def _once(line: str) -> list[str]:
    if line in _said:
        return []
    _said.append(line)
    return [line]


def _line(path: Path, kind: str, verdict: Verdict) -> str:
    again = f" ({'change it, or ' * verdict.late}'nimtui check {path}' tries again)" if not verdict.certain else ""
    if not verdict.loaded:
        return plugins.unusable(path, kind, verdict.fault.removeprefix("load: ")) + again
    return f"the {kind} file {path} is left out: {verdict.fault} (--unchecked uses it anyway)"


def _judged(folder: Path, kind: str) -> tuple[dict[Path, bytes], dict[Path, Verdict]]:
    """Return the contents and the verdicts of a folder's files. An unreadable file has only a verdict."""
    sources, verdicts = {}, {}
    for path in _files(folder, kind):
        try:
            sources[path] = plugins.contents(path)
        except (OSError, InputError) as fault:
            verdicts[path] = _unreadable(fault)
    return sources, {**verdicts, **verdicts_of(sources, kind)}


@contextmanager
def together(folders: Mapping[str, Path]) -> Iterator[None]:
    """Within, one fork server serves all checks. First load the files of these folders, by kind, without a verdict.

    They load side by side, so that files that never end cost their time once, together.
    """
    runs = client.runs()
    try:
        if client.possible():
            _load_new(folders)
        yield
    finally:
        if not runs:
            client.end()


def _load_new(folders: Mapping[str, Path]) -> None:
    """Store a verdict on each new file that fails to load in time, or in any way if it may use no other own file."""
    new = []
    for kind, folder in folders.items():
        for path in _files(folder, kind):
            with suppress(OSError, InputError):
                own = OwnFile(kind, path, plugins.contents(path))
                if is_new(own):
                    new.append(Request(own, deep=False))
    if len(new) < 2:
        return
    for request, verdict in zip(new, checked(new), strict=True):
        if verdict.late or (verdict.certain and not verdict.loaded and request.own.kind not in BEFORE):
            keep_verdict(request, verdict)


def verdicts_of(sources: Mapping[Path, bytes], kind: str) -> dict[Path, Verdict]:
    """Return the verdicts on files with these contents, from the cache or by a check now."""
    deep = kind in DEEP and not unchecked()
    before = _before(kind)
    verdicts: dict[Path, Verdict] = {}
    for path, source in sources.items():
        request = Request(OwnFile(kind, path, source), deep, before=before)
        verdict = find_verdict(request)
        if verdict is None:
            announce(path)
            verdict = _check(request)
        verdicts[path] = verdict
    return verdicts


def _check(request: Request) -> Verdict:
    """Check a file now, and cache the verdict if the name that a person gave was not refused."""
    [verdict] = checked([request])
    if not verdict.refused:
        keep_verdict(request, verdict)
    return verdict


def check(file: str, kind: str, wanted: str = "") -> Verdict:
    """Check one file, or a module of the package, and cache the verdict on a file.

    `wanted` is the game, learner or agent to test first. Raises InputError if this system cannot fork.
    """
    if not client.possible():
        raise InputError("nothing can be checked here: the system cannot fork a process")
    if not file.endswith(".py"):
        return checked([Request(OwnFile(kind, Path(file), b""), wanted=wanted)])[0]
    try:
        source = plugins.contents(Path(file))
    except (OSError, InputError) as fault:
        return _unreadable(fault)
    return _check(Request(OwnFile(kind, Path(file), source), wanted=wanted, before=_before(kind)))


def look_again(kind: str, name: str) -> bool:
    """Check the file of this name again, once for each version, and use it if that is possible now.

    Returns whether it is used.
    """
    folder = paths.OWN_CODE[kind]()
    for path in plugins.files(folder):
        with suppress(OSError, InputError):
            source = plugins.contents(path)
            if name in plugins.names_of(path, kind) and (path, source) not in _again:
                _again.add((path, source))
                if usable(verdict := check(str(path), kind), kind):
                    registry_of(kind).add_folder(folder, {path: Chosen(source, verdict.facts)})
                    return True
    return False


plugins.look_again = look_again


def _unreadable(fault: OSError | InputError) -> Verdict:
    reason = fault.strerror or "" if isinstance(fault, OSError) else ""
    return failed(f"{reason[0].lower()}{reason[1:]}" if reason else plugins.one_line(fault))


def _before(kind: str) -> tuple[OwnFile, ...]:
    """Return the usable own files that must load before a file of this kind."""
    files: list[OwnFile] = []
    for other in BEFORE.get(kind, ()):
        sources, verdicts = _judged(paths.OWN_CODE[other](), other)
        files += [OwnFile(other, path, source) for path, source in sources.items() if usable(verdicts[path], other)]
    return tuple(files)


@cache
def add_own_files(kinds: tuple[str, ...] = ("game", "learner", "agent")) -> tuple[str, ...]:
    """Load installed packages and own files of these kinds once per process. Returns a line for each left out."""
    folders = {kind: paths.OWN_CODE[kind]() for kind in kinds}
    faults: list[str] = []
    if plugins.any_packaged():
        for kind in folders:
            faults += plugins.add_packaged(kind, registry_of(kind).add)
    with together(folders):
        for kind, folder in folders.items():
            if not exists(folder):
                continue  # and the import can wait
            if folder.is_dir():
                faults += add_folder(folder, kind, registry_of(kind).add_folder)
            else:
                faults.append(f"{folder}: your own {kind}s belong into a folder of this name, but it is a file")
    return tuple(faults)


SERVICE, ENGINE = "nimtui.check.child:serve", "nimtui.engine.probe"
SECONDS = {"load": 1.25, "rules": 15, "compiled": 60, "agents": 60}  # per stage
GIGABYTE = 1 << 30
LIMITS = Limits(memory=3 * GIGABYTE, addresses=3 * GIGABYTE, seconds=300, message=1 << 20)  # with the engine's 0.4 GB
BY_OTHERS = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGXCPU)  # signals from outside
TOGETHER = 32  # files that are checked side by side at most
BUSY = 0.6  # a file that had less than this share of its time limit was kept waiting by a busy machine
MOST_TIMES = 8  # time limits that it may wait then
DEAF = 1.0  # seconds after its deadline until a step that heard no alarm is ended
LOOK = 0.5  # seconds between two looks at deadlines
UNANSWERED = "the checking process ended without an answer: run the check again"


class Failure(NamedTuple):
    """How a sandbox failed, and whether it will fail again."""

    text: str
    certain: bool = True
    late: bool = False


FOREIGN = Failure("uses a file that it did not open")


def checked(requests: Sequence[Request]) -> list[Verdict]:
    """Return the verdict on each file. The files are checked side by side."""
    engine = (ENGINE,) if any(request.deep for request in requests) else ()  # loaded once, also for files that follow
    verdicts: list[Verdict] = []
    for first in range(0, len(requests), TOGETHER):
        verdicts += _check_together(requests[first : first + TOGETHER], engine)
    return verdicts


def _check_together(requests: Sequence[Request], loads: Sequence[str]) -> list[Verdict]:
    checks: list[FileCheck | Verdict] = []
    try:
        for request in requests:
            try:
                checks.append(FileCheck(request, loads))
            except (ConnectionError, TimeoutError):  # of the fork server
                checks.append(failed(UNANSWERED, request.deep))
            except OSError as fault:  # no process or no memory available now
                checks.append(failed(f"cannot be checked now: {fault_text(fault)}", request.deep))
        waiting = [one for one in checks if isinstance(one, FileCheck)]
        while waiting:
            until = min(one.until for one in waiting) - monotonic()
            select.select([one.sandbox for one in waiting], [], [], min(max(0.0, until), LOOK))
            waiting = [one for one in waiting if one.listen()]
        return [one.verdict() if isinstance(one, FileCheck) else one for one in checks]
    finally:  # never leave a process behind
        for one in checks:
            if isinstance(one, FileCheck):
                one.sandbox.end()


class FileCheck:
    """A sandbox that checks one file, and what it has reported so far."""

    def __init__(self, request: Request, loads: Sequence[str] = ()) -> None:
        """Start the sandbox. Raises OSError if that fails."""
        self.stage = "load"
        self.done = False
        self._request, self._loaded = request, False
        self._missing = self._refused = ""
        self._tried: dict[str, None] = {}
        self._broken: dict[str, Failure] = {}
        self._imports: dict[str, Imported] = {}
        self._facts: Facts | None = None
        self._failure: Failure | None = None
        bounds = Bounds.of(str(request.own.path), paths.home()) if request.is_file else Bounds()
        self.sandbox = Sandbox(SERVICE, bounds, LIMITS, loads=loads, environment=children.ONE_THREAD)
        self.sandbox.send(request.message())
        self.begun = monotonic()
        self.until = self.begun + SECONDS["load"]

    def listen(self) -> bool:
        """Read what has arrived. Returns False once nothing more is due."""
        try:
            while not self.done:
                self.take(self.sandbox.receive(0))
        except TimeoutError:
            self._failure = self._late()
        except EOFError:
            return False
        except (BadMessage, ArithmeticError, LookupError, TypeError, ValueError):
            self._failure = FOREIGN
        if self._failure:
            self.sandbox.end()  # it would only take time from the others
        return not self._failure and not self.done

    def _late(self) -> Failure | None:
        if monotonic() >= self.until and not self._starved():
            hint = ": put long work into `prepare`" if (self.stage, self._request.own.kind) == ("load", "agent") else ""
            return Failure(f"does not end within {SECONDS[self.stage]} s{hint}", certain=False, late=True)
        if 0 < self.sandbox.page.read()[2] < monotonic() - DEAF:
            return Failure("does not return in time", certain=False, late=True)
        return None

    def _starved(self) -> bool:
        """Return whether a busy machine kept the file from loading, and give it more time then, but not for ever."""
        limit = SECONDS["load"]
        if self.stage != "load" or monotonic() > self.begun + MOST_TIMES * limit:
            return False
        self.until += LOOK
        return children.starved(self.sandbox.number, BUSY * limit)

    def take(self, message: dict[str, Any]) -> None:
        """Note what the sandbox reports. Raises TypeError, LookupError or ValueError if it is invalid."""
        if message.get("stage") in SECONDS:
            if message["stage"] != self.stage:
                self.until = monotonic() + SECONDS[message["stage"]]
            self.stage = str(message["stage"])
        elif "tries" in message:
            self._tried[str(message["tries"])] = None
        elif "broken" in message:
            failure = Failure(str(message["example"]), bool(message["certain"]), bool(message["late"]))
            self._broken.setdefault(str(message["broken"]), failure)
        elif "imports" in message:
            self._imports |= {
                str(path): Imported(str(path), int(at), int(size)) for path, at, size in message["imports"]
            }
        elif "facts" in message:
            self._facts = facts_of(message["facts"])
        self._missing = str(message.get("missing", self._missing))
        self._refused = str(message.get("refused", self._refused))
        self._loaded = self._loaded or "loaded" in message
        self.done = self.done or "done" in message

    def verdict(self) -> Verdict:
        """End the sandbox, and return the verdict."""
        deep = self._request.deep
        if not self.done:
            status = None if self._failure else self.sandbox.how_it_ended()
            if self.sandbox.lost:
                return failed(UNANSWERED, deep)
            doing, where, _ = self.sandbox.page.read()
            failure = self._failure or (FOREIGN if status is None else ended(status))
            name = "load" if self.stage == "load" else "process"
            text = f"{where}{': ' if where else ''}{doing} {failure.text}".strip()
            self._broken.setdefault(name, failure._replace(text=text))
        broken = self._broken
        first = next(iter(broken), None)
        names = sorted(dict.fromkeys([*self._tried, *broken]), key=lambda name: name != first)  # the first broken one
        return Verdict(
            self._loaded,
            not broken,
            tuple(Check(name, name not in broken, broken[name].text if name in broken else None) for name in names),
            self._missing,
            self._refused,
            deep,
            not broken or any(failure.certain for failure in broken.values()),
            tuple(self._imports.values()),
            self._facts,
            bool(broken) and all(failure.late for failure in broken.values()),
            self.sandbox.closed or (),
        )


def ended(status: int) -> Failure:
    """Return what a status of `os.waitpid` says of the checked file."""
    how = children.how_it_ended(status)
    if os.WIFSIGNALED(status):
        return Failure(f"crashes ({how.replace('signal SIG', 'SIG')})", certain=os.WTERMSIG(status) not in BY_OTHERS)
    return Failure(f"ends the process ({how})", certain=os.waitstatus_to_exitcode(status) != FAILED)
