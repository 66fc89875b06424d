"""Check files in sandboxes, one per file and side by side, and tell how each check ended."""

from __future__ import annotations

import os
import select
import signal
from collections.abc import Sequence
from time import monotonic
from typing import Any, NamedTuple

from nimtui.check.verdict import Check, Imported, Request, Verdict, facts_of, failed
from nimtui.process import children
from nimtui.process.plugins import Facts, fault_text
from nimtui.sandbox.client import Sandbox
from nimtui.sandbox.closing import Bounds, Limits
from nimtui.sandbox.server import FAILED
from nimtui.sandbox.wire import BadMessage
from nimtui.store import paths

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


def check(requests: Sequence[Request]) -> list[Verdict]:
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
            select.select(waiting, [], [], min(max(0.0, until), LOOK))
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
        bounds = Bounds.of(request.file, paths.home()) if request.file.endswith(".py") else Bounds()
        self.sandbox = Sandbox(SERVICE, bounds, LIMITS, loads=loads, environment=children.ONE_THREAD)
        self.sandbox.send(request.message())
        self.begun = monotonic()
        self.until = self.begun + SECONDS["load"]

    def fileno(self) -> int:
        """Return the number of the file to wait for, for `select`."""
        return self.sandbox.fileno()

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
            hint = ": put long work into `prepare`" if (self.stage, self._request.kind) == ("load", "agent") else ""
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
        elif "missing" in message:
            self._missing = str(message["missing"])
        elif "refused" in message:
            self._refused = str(message["refused"])
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
