"""A person's own agent at work in its process, and what is asked there: started when needed, ended when it fails."""

from __future__ import annotations

import base64
import os
import sys
import threading
import weakref
from collections.abc import Callable
from math import isfinite
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple, TypeVar

from nimtui import plugins
from nimtui.agents.faults import LONGEST, AgentFault, OverTime
from nimtui.agents.isolated import processes
from nimtui.agents.isolated.messages import BadMessage, Message, MessageSocket
from nimtui.agents.isolated.values import WrongAnswer
from nimtui.errors import InputError
from nimtui.progress import Progress

T = TypeVar("T")

LOADS = 5.0  # seconds to load its file and make it
PREPARES = 600.0  # seconds to get ready
SENDS = 30.0  # seconds in which a process that waits for a question has read it, on a busy machine
BEAT = 0.05  # seconds between two looks at whether it shall stop


class AgentRequest(NamedTuple):
    """An agent, as a person has named it."""

    module: str
    file: str
    word: str
    text: str
    game: str  # its canonical name


class AgentDescription(NamedTuple):
    """What is known of an agent before it plays."""

    name: str
    title: str
    ready: bool
    kinds: frozenset[str]


class AgentProcess:
    """One agent; its process lives as long as this, if it answers. For any thread: one is heard after the other."""

    def __init__(self, asked: AgentRequest) -> None:
        self._asked = asked
        self._lock = threading.RLock()  # guards all below
        self._process: processes.ForkedProcess | None = None
        self._wire: MessageSocket | None = None
        self._about: AgentDescription | None = None
        self._prepared = False
        self._let_go: Any = None

    @property
    def ready(self) -> bool:
        """Does its process run, and has it nothing left to prepare?"""
        return self._wire is not None and self._prepared

    def start(self, progress: Progress) -> AgentDescription:
        """Start its process and make the agent there; what it says of itself.

        InputError where its file says that there is no such agent; AgentFault where it gives no answer.
        """
        asked = self._asked
        with self._lock:
            try:
                process = processes.start()
            except OSError as fault:
                raise AgentFault(f"no process for the agent {asked.word}: {fault.strerror or fault}") from fault
            self._process, self._wire = process, MessageSocket(process.link)
            self._let_go = weakref.finalize(self, process.let_go)
            self._let_go.atexit = False  # the processes end with this one
            try:
                message = {
                    "do": "parse",
                    **asked._asdict(),
                    "source": _source(asked.module),
                    "others": _others(),
                    "environment": dict(os.environ),
                    "folder": _folder(),
                    "paths": sys.path,
                }
                found = self._ask(message, progress, LOADS)["ok"]
                self._about = about = self.read(lambda: _about(found))
            except BaseException:
                self._end()  # there is no agent in it to be asked anything
                raise
            self._prepared = about.ready
            return about

    def prepare(self, progress: Progress) -> None:
        """Let it get ready, in a new process where it has none. OverTime after PREPARES."""
        with self._lock:
            if self._wire is None:
                self.start(progress)
            if not self._prepared:
                self._ask({"do": "prepare"}, progress, PREPARES)
                self._prepared = True

    def ask(self, message: Message, progress: Progress, seconds: float) -> Message:
        """What it answers, {"ok": …}; getting ready does not count. AgentFault where it gives no answer, OverTime
        where not within so many seconds.
        """
        with self._lock:
            if not self.ready:
                self.prepare(progress)
            return self._ask(message, progress, seconds)

    def read(self, reading: Callable[[], T]) -> T:
        """Read an answer. AgentFault where it is none."""
        try:
            return reading()
        except WrongAnswer as wrong:
            raise AgentFault(f"{self._called} {wrong}") from None
        except (ArithmeticError, LookupError, TypeError, ValueError) as fault:
            raise AgentFault(f"{self._called} answered something that cannot be read") from fault

    def _ask(self, message: Message, progress: Progress, seconds: float) -> Message:
        assert self._wire is not None and self._process is not None
        try:
            self._process.link.settimeout(SENDS)
            self._wire.send(message)
            self._process.link.settimeout(BEAT)
            answer = _answer(self._wire, progress, seconds)
        except TimeoutError:
            self._end()
            raise OverTime(f"{self._called} took longer than {seconds:g} s") from None
        except BadMessage:
            self._end()
            raise AgentFault(f"{self._called} answered something that cannot be read") from None
        except (EOFError, ConnectionError):
            how = self._process.how_it_ended()
            self._end()
            raise AgentFault(f"{self._called} ended without an answer{f': {how}' if how else ''}") from None
        except BaseException:  # cancelled, also by Ctrl+C: nobody waits for what it is thinking
            self._end()
            raise
        if "wrong" in answer:
            raise InputError(str(answer["wrong"]))
        if "raised" in answer:
            raise AgentFault(f"{self._called} raised {str(answer['raised'])[: 2 * LONGEST]}")
        if "not_one" in answer:
            raise AgentFault(f"{self._called} {str(answer['not_one'])[: 4 * LONGEST]}")
        if "ok" not in answer:
            raise AgentFault(f"{self._called} answered something that cannot be read")
        return answer

    def _end(self) -> None:
        if self._process is not None:
            self._let_go.detach()
            self._process.end()
        self._process = self._wire = None
        self._prepared = False

    @property
    def _called(self) -> str:
        return self._about.name if self._about is not None else f"the agent {self._asked.word}"


def _answer(wire: MessageSocket, progress: Progress, seconds: float) -> Message:
    """What comes back. TimeoutError after so many seconds; those for which the progress is paused do not count."""
    until = monotonic() + seconds
    far: tuple[float, float, str] = (0.0, 0.0, "")
    while True:
        try:
            answer = wire.receive()
        except TimeoutError:
            answer = None
        if answer is not None and "far" not in answer:
            return answer
        if answer is not None:
            far = _far(answer["far"])
        began = monotonic()
        if began > until:
            raise TimeoutError
        progress.report(*far)
        until += monotonic() - began


def _far(found: Any) -> tuple[float, float, str]:
    try:
        done, total, what = found
        far = float(done), float(total), str(what)
    except (TypeError, ValueError, OverflowError) as fault:
        raise BadMessage from fault
    if not (isfinite(far[0]) and isfinite(far[1])):
        raise BadMessage
    return far


def _about(found: Any) -> AgentDescription:
    return AgentDescription(
        str(found["name"]), str(found["title"]), bool(found["ready"]), frozenset(map(str, found["kinds"]))
    )


def _source(module: str) -> str:
    """What was run here as this module, in letters for a message: every process runs the same."""
    return base64.b64encode(plugins.source_of(module)).decode("ascii")


def _others() -> list[tuple[str, str, str, str]]:
    """The person's own games and learners that are loaded here: kind, module, file, source."""
    files = [one for one in plugins.loaded() if one.kind != "agent"]
    return [(one.kind, one.module, str(one.path), _source(one.module)) for one in files]


def _folder() -> str:
    try:
        return str(Path.cwd())
    except OSError:  # it was removed
        return os.sep
