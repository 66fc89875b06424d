"""Check files in child processes, one per file, and report how each check ended.

It reads one request per line and answers with one line, both JSON. It never runs a person's code itself. It ends with
the process that started it, and ends its own child first.
"""

from __future__ import annotations

import json
import mmap
import os
import select
import signal
from contextlib import suppress
from time import monotonic, sleep
from typing import Any, NamedTuple, NoReturn

from nimtui import children
from nimtui.check.child import Request, limit, request_of, work
from nimtui.check.verdict import Imported, failed
from nimtui.plugins import fault_text

LIMITS = {"load": 1.25, "rules": 15.0, "compiled": 60.0, "agents": 60.0}  # seconds per stage
MOST_FOUND = 1 << 20  # bytes that a child may send
CHECK_FAILED = 70  # the exit status of a child whose check failed, not its file
BY_OTHERS = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGXCPU)  # signals from outside
LEAVING = 0.2  # seconds that a child has to end after its last message
MOST_FILES = 1024  # the highest number of a file that the watching process may have open
DOING, PLACE = 100, 512  # bytes for the current step, and for step and place together


class Failure(NamedTuple):
    """How a child failed, and whether it will fail again."""

    said: str
    certain: bool = True


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
            self._break(str(message["broken"]), str(message.get("example", "")), bool(message.get("certain", True)))
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

    def _break(self, name: str, example: str, certain: bool) -> None:
        if name not in self.broken:
            self.broken[name] = example
            if not certain:
                self.uncertain.add(name)

    def ended(self, how: Failure, doing: str, where: str) -> None:
        """Note that the child ended, or was ended, before it had reported everything."""
        name = "load" if self.stage == "load" else "process"
        self.tried[name] = None
        self._break(name, f"{where}{': ' if where else ''}{doing} {how.said}".strip(), how.certain)

    def report(self) -> dict[str, Any]:
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
        }


def main() -> None:
    """Answer requests until the input ends."""
    children.adopt()
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    requests = os.dup(0)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)
    for name in ("SIGINT", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    pending = b""
    while True:
        while b"\n" not in pending:
            more = os.read(requests, 1 << 16)
            if not more:
                return
            pending += more
        line, _, pending = pending.partition(b"\n")
        asked = json.loads(line)
        if asked.pop("engine", False):  # several files follow: load shared libraries once
            import nimtui.engine.probe  # noqa: F401
        try:
            answer = check(request_of(asked), requests)
        except OSError as fault:  # no process or no memory available now
            answer = failed(f"cannot be checked now: {fault_text(fault)}").keys()
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


def check(request: Request, leash: int) -> dict[str, Any]:
    """Return what a child process finds."""
    import nimtui.agents.registry
    import nimtui.check.games
    import nimtui.learning.learner

    if request.kind == "agent":
        nimtui.agents.registry.modules()
    place = mmap.mmap(-1, PLACE)
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        _be_child(request, writing, place)
    os.close(writing)
    account, how = ChildReport(), None
    try:
        how = _listen(account, child, reading, leash)
    finally:  # never leave a child behind
        ended = _end(child, 0.0 if how or account.done else LEAVING)
        children.end_strays()
        doing, where = (part.rstrip(b"\0").decode(errors="replace") for part in (place[:DOING], place[DOING:]))
        os.close(reading)
        place.close()
    if not account.done:
        account.ended(how or ended, doing, where)
    return account.report()


def _be_child(request: Request, writing: int, place: mmap.mmap) -> NoReturn:
    status = CHECK_FAILED
    try:
        os.setsid()
        children.die_with_parent()
        os.closerange(3, writing)  # close all of the watching process's files except the pipe for reports
        os.closerange(writing + 1, MOST_FILES)
        limit()
        for name in ("SIGINT", "SIGTERM", "SIGHUP"):
            signal.signal(getattr(signal, name), signal.SIG_DFL)

        def tell(message: dict[str, Any]) -> None:
            os.write(writing, json.dumps(message).encode() + b"\n")

        def at(doing: str, where: str | None) -> None:
            place[:DOING] = doing.encode()[:DOING].ljust(DOING, b"\0")
            if where is not None:
                place[DOING:PLACE] = where.encode()[: PLACE - DOING].ljust(PLACE - DOING, b"\0")

        work(request, tell, at)
        status = 0
    finally:
        os._exit(status)


def _listen(account: ChildReport, child: int, reading: int, leash: int) -> Failure | None:
    """Listen to a child until it has reported everything, closes its pipe or runs out of time.

    Return how it failed, or None if its exit status tells. End this process if its parent ends.
    """
    pending, heard = b"", 0
    until = monotonic() + LIMITS["load"]
    while not account.done:
        left = until - monotonic()
        ready = select.select([reading, leash], [], [], max(0.0, left))[0]
        if leash in ready and not os.read(leash, 1):  # no request comes while an answer is due: the parent has ended
            _end(child)
            os._exit(1)
        if reading not in ready:
            if monotonic() < until:
                continue
            return Failure(f"does not end within {LIMITS[account.stage]:g} s", certain=False)
        more = os.read(reading, 1 << 16)
        heard += len(more)
        if not more:
            return None
        if heard > MOST_FOUND:
            return FOREIGN
        *lines, pending = (pending + more).split(b"\n")
        for line in lines:
            before = account.stage
            try:
                account.take(json.loads(line))
            except (ValueError, TypeError, RecursionError):
                return FOREIGN
            if account.stage != before:
                until = monotonic() + LIMITS[account.stage]
    return None


def _end(child: int, patience: float = 0.0) -> Failure:
    """Wait for a child to end, kill it after `patience` seconds, and return how it ended."""
    until = monotonic() + patience
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
