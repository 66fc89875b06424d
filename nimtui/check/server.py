"""Check files in child processes, one per file, and report how each check ended.

It reads a list of requests per line and answers with a list in one line, both JSON. The files of a list are checked
side by side. It never runs a person's code itself. It ends with
the process that started it, and ends its own child first.
"""

from __future__ import annotations

import json
import mmap
import os
import select
import signal
import struct
from collections.abc import Sequence
from contextlib import suppress
from time import monotonic, sleep
from typing import Any, NamedTuple, NoReturn

from nimtui import children
from nimtui.check import trial
from nimtui.check.child import Request, limit, request_of, work
from nimtui.check.verdict import Imported, failed
from nimtui.plugins import fault_text

LIMITS = {"load": 1.25, "rules": 15, "compiled": 60, "agents": 60}  # seconds per stage
MOST_FOUND = 1 << 20  # bytes that a child may send
CHECK_FAILED = 70  # the exit status of a child whose check failed, not its file
BY_OTHERS = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGXCPU)  # signals from outside
TOGETHER = 32  # files that are checked side by side at most
SEAL = 8  # random bytes
BUSY = 0.6  # a file that had less than this share of its time limit was kept waiting by a busy machine
MOST_TIMES = 8  # time limits that it may wait then
LEAVING = 0.2  # seconds that a child has to end after its last message
MOST_FILES = 1024  # the highest number of a file that the watching process may have open
DOING, PLACE = 100, 512  # bytes for the current step, and for step and place together; the deadline follows
DEADLINE = struct.Struct("d")  # of the current step, 0: none
DEAF = 1.0  # seconds after its deadline until a step that heard no alarm is ended
LOOK = 0.5  # seconds between two looks at deadlines


class Failure(NamedTuple):
    """How a child failed, and whether it will fail again."""

    said: str
    certain: bool = True
    late: bool = False


FOREIGN = Failure("uses a file that it did not open")


class ChildReport:
    """What a child has reported so far."""

    def __init__(self) -> None:
        self.stage = "load"
        self.loaded = self.done = False
        self.missing = self.refused = ""
        self.tried: dict[str, None] = {}
        self.broken: dict[str, str] = {}
        self.uncertain: set[str] = set()  # broken rules whose finding depends on a clock or on another program
        self.late: set[str] = set()  # those that depend on a clock
        self.imports: dict[str, Imported] = {}
        self.facts: dict[str, Any] | None = None

    def take(self, message: dict[str, Any]) -> None:
        if not isinstance(message, dict):
            raise TypeError(message)
        if message.get("stage") in LIMITS:
            self.stage = str(message["stage"])
        elif "tries" in message:
            self.tried[str(message["tries"])] = None
        elif "broken" in message:
            how = Failure(
                str(message.get("example", "")), bool(message.get("certain", True)), bool(message.get("late", False))
            )
            self._break(str(message["broken"]), how)
        elif "imports" in message:
            self.imports |= {
                str(path): Imported(str(path), int(at), int(size)) for path, at, size in message["imports"]
            }
        elif "facts" in message:
            self.facts = dict(message["facts"])
        elif "missing" in message:
            self.missing = str(message["missing"])
        elif "refused" in message:
            self.refused = str(message["refused"])
        self.loaded = self.loaded or "loaded" in message
        self.done = self.done or "done" in message

    def _break(self, name: str, how: Failure) -> None:
        if name not in self.broken:
            self.broken[name] = how.said
            self.uncertain |= set() if how.certain else {name}
            self.late |= {name} if how.late else set()

    def ended(self, how: Failure, doing: str, where: str) -> None:
        """Note that the child ended, or was ended, before it had reported everything."""
        name = "load" if self.stage == "load" else "process"
        self.tried[name] = None
        self._break(name, how._replace(said=f"{where}{': ' if where else ''}{doing} {how.said}".strip()))

    def report(self) -> dict[str, Any]:
        """Return the verdict as JSON keys, once the child has ended."""
        checks = [
            {"name": name, "ok": name not in self.broken, "example": self.broken.get(name)}
            for name in dict.fromkeys([*self.tried, *self.broken])
        ]
        first = next(iter(self.broken.items()), None)
        checks.sort(key=lambda check: check["name"] != (first and first[0]))  # the first broken rule comes first
        return {
            "loaded": self.loaded,
            "ok": not self.broken,
            "missing": self.missing,
            "refused": self.refused,
            "checks": checks,
            "certain": not self.broken or bool(set(self.broken) - self.uncertain),
            "imports": list(self.imports.values()),
            "facts": self.facts,
            "late": bool(self.broken) and set(self.broken) <= self.late,
        }


def main() -> None:
    """Answer requests until the input ends."""
    children.adopt()
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    requests = os.dup(0)
    children.silence()
    children.handle(("SIGINT", "SIGHUP"), signal.SIG_IGN)
    pending = b""
    while True:
        while b"\n" not in pending:
            more = os.read(requests, 1 << 16)
            if not more:
                return
            pending += more
        line, _, pending = pending.partition(b"\n")
        asked = json.loads(line)
        if asked["engine"]:  # several files follow: load shared libraries once
            import nimtui.engine.probe  # noqa: F401
        answers.write(json.dumps(check([request_of(one) for one in asked["files"]], requests)) + "\n")
        answers.flush()


def check(requests: Sequence[Request], leash: int) -> list[dict[str, Any]]:
    """Return what a child process finds in each file. The processes run side by side."""
    import nimtui.agents.registry
    import nimtui.check.games
    import nimtui.learning.learner

    if any(request.kind == "agent" for request in requests):
        nimtui.agents.registry.modules()
    found: list[dict[str, Any]] = []
    for first in range(0, len(requests), TOGETHER):
        found += _check_together(requests[first : first + TOGETHER], leash)
    return found


def _check_together(requests: Sequence[Request], leash: int) -> list[dict[str, Any]]:
    running: list[Child | Failure] = []
    try:
        for request in requests:
            try:
                running.append(Child(request))
            except OSError as fault:  # no process or no memory available now
                running.append(Failure(f"cannot be checked now: {fault_text(fault)}"))
        _listen([child for child in running if isinstance(child, Child)], leash)
    finally:  # never leave a child behind
        until = monotonic() + LEAVING
        for child in running:
            if isinstance(child, Child):
                child.end(until)
        children.end_strays()
    return [child.account.report() if isinstance(child, Child) else failed(child.said).keys() for child in running]


class Child:
    """A process that checks one file, and what it has reported."""

    def __init__(self, request: Request) -> None:
        """Start the process. Raises OSError if that fails."""
        self.account, self._place = ChildReport(), mmap.mmap(-1, PLACE + DEADLINE.size)
        self._how: Failure | None = None
        self._over = False
        self._pending, self._heard = b"", 0
        self._seal = os.urandom(SEAL).hex().encode()  # begins each message, so that no file can forge one
        self.reading, writing = os.pipe()
        try:
            self._number = os.fork()
            if not self._number:
                _be_child(request, writing, self._place, self._seal)
        except OSError:
            os.close(self.reading)
            raise
        finally:
            os.close(writing)
        self.begun = monotonic()
        self.until = self.begun + LIMITS["load"]

    def listen(self, ready: bool) -> bool:
        """Read what has arrived if the pipe is `ready`. Returns False once nothing more is due."""
        if ready:
            more = os.read(self.reading, 1 << 16)
            self._heard += len(more)
            self._over = not more or not self._take(more)
        elif monotonic() >= self.until and not self._starved():
            self._fail(Failure(f"does not end within {LIMITS[self.account.stage]} s", certain=False, late=True))
        elif 0 < DEADLINE.unpack(self._place[PLACE:])[0] < monotonic() - DEAF:
            self._fail(Failure("does not return in time", certain=False, late=True))
        return not self._over and not self.account.done

    def _starved(self) -> bool:
        """Return whether a busy machine kept the file from loading, and give it more time then, but not for ever."""
        limit = LIMITS["load"]
        if self.account.stage != "load" or monotonic() > self.begun + MOST_TIMES * limit:
            return False
        self.until += LOOK
        return children.starved(self._number, BUSY * limit)

    def _take(self, more: bytes) -> bool:
        """Take whole messages. Returns False if there is anything else."""
        *lines, self._pending = (self._pending + more).split(b"\n")
        for line in lines:
            before = self.account.stage
            try:
                if not line.startswith(self._seal):
                    raise ValueError(line)
                self.account.take(json.loads(line.removeprefix(self._seal)))
            except (ArithmeticError, ValueError, TypeError, RecursionError):
                self._fail(FOREIGN)
                return False
            if self.account.stage != before:
                self.until = monotonic() + LIMITS[self.account.stage]
        if self._heard > MOST_FOUND:
            self._fail(FOREIGN)
            return False
        return True

    def _fail(self, how: Failure) -> None:
        self._how, self._over = how, True
        children.kill(self._number)  # it would only take time from the others

    def end(self, until: float = 0.0) -> None:
        """Wait for the process to end, kill it at `until`, and note how it ended if it did not report everything."""
        ended = _end(self._number, 0.0 if self._how else until)
        os.close(self.reading)
        if not self.account.done:
            doing, where = (
                part.rstrip(b"\0").decode(errors="replace") for part in (self._place[:DOING], self._place[DOING:PLACE])
            )
            self.account.ended(self._how or ended, doing, where)
        self._place.close()


def _be_child(request: Request, writing: int, place: mmap.mmap, seal: bytes) -> NoReturn:
    status = CHECK_FAILED
    try:
        os.setsid()
        children.die_with_parent()
        os.closerange(3, writing)  # close all of the watching process's files except the pipe for reports
        os.closerange(writing + 1, MOST_FILES)
        limit()
        signal.signal(signal.SIGINT, signal.default_int_handler)  # as in the program: a file may interrupt itself
        children.handle(("SIGTERM", "SIGHUP"), signal.SIG_DFL)

        def tell(message: dict[str, Any]) -> None:
            os.write(writing, seal + json.dumps(message).encode() + b"\n")

        def at(doing: str, where: str | None) -> None:
            place[:DOING] = doing.encode()[:DOING].ljust(DOING, b"\0")
            if where is not None:
                place[DOING:PLACE] = where.encode()[: PLACE - DOING].ljust(PLACE - DOING, b"\0")

        def due(until: float) -> None:
            place[PLACE:] = DEADLINE.pack(until)

        trial.announce = due
        work(request, tell, at)
        status = 0
    finally:
        os._exit(status)


def _listen(running: Sequence[Child], leash: int) -> None:
    """Listen to children until each has reported everything, closes its pipe or runs out of time.

    End this process if its parent ends.
    """
    left = {child.reading: child for child in running}
    while left:
        wait = min(child.until for child in left.values()) - monotonic()
        ready = select.select([*left, leash], [], [], min(max(0.0, wait), LOOK))[0]
        if leash in ready and not os.read(leash, 1):  # no request comes while an answer is due: the parent has ended
            for child in running:
                child.end()
            os._exit(1)
        left = {reading: child for reading, child in left.items() if child.listen(reading in ready)}


def _end(child: int, until: float) -> Failure:
    """Wait for a child to end, kill it at `until`, and return how it ended."""
    while monotonic() < until:
        found, status = os.waitpid(child, os.WNOHANG)
        if found:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(child, signal.SIGKILL)  # its group holds the processes that it started
            return _died(status)
        sleep(0.005)
    children.kill(child)
    status = os.waitpid(child, 0)[1]
    killed = os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL
    return FOREIGN if killed else _died(status)


def _died(status: int) -> Failure:
    how = children.how_it_ended(status)
    if os.WIFSIGNALED(status):
        return Failure(f"crashes ({how.replace('signal SIG', 'SIG')})", certain=os.WTERMSIG(status) not in BY_OTHERS)
    return Failure(f"ends the process ({how})", certain=os.waitstatus_to_exitcode(status) != CHECK_FAILED)


if __name__ == "__main__":
    main()
