"""The check of a file in this process, or in a copy of it that may come to harm."""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable
from contextlib import nullcontext
from itertools import count
from typing import Any, NoReturn

import pytest
from numba import config

from nimtui.agents import registry as agents
from nimtui.check import child, games, learners
from nimtui.check.quarantine import Failure
from nimtui.check.verdict import Request
from nimtui.games import registry
from nimtui.learning import learner

INTERPRETED = 0.03  # seconds for the rules of a game, on a clock that goes on by TICK when it is looked at
TICK = 0.001  # so as many positions are checked on a busy machine as on another
FEW = 2  # games of a file, beside those that FORMS names
PREPARED = 300.0  # seconds for an agent: its kernels may have to be compiled
PATIENT = 60.0  # seconds for one question: the machine may be busy
LIMITS = ("rules.PATIENCE", "games.PATIENCE", "naming.PATIENCE", "learners.PATIENCE", "agents.SECONDS")


class Findings:
    """What a check tells: the rules that it tried, the broken ones, and its other messages."""

    def __init__(self) -> None:
        self.tried: set[str] = set()
        self.broken: dict[str, Failure] = {}
        self.others: list[dict[str, Any]] = []

    def take(self, message: dict[str, Any]) -> None:
        if "tries" in message:
            self.tried.add(message["tries"])
        elif "broken" in message:
            self.broken[message["broken"]] = Failure(message["example"], message["certain"], message["late"])
        elif "stage" not in message:
            self.others.append(message)


def check_here(
    request: Request, patch: pytest.MonkeyPatch, watched: bool = False, patience: float = PATIENT
) -> Findings:
    """Check a file, or a module of the program, without compiled rules. Only this check adds it to the others.

    `watched`: look for traces, too, which takes longer than the rules; `patience`: seconds for one question.
    """
    findings = Findings()
    with patch.context() as here:
        for place in ("games", "naming", "learners"):
            here.setattr(f"nimtui.check.{place}.monotonic", count(0.0, TICK).__next__)
        for place in LIMITS:
            here.setattr(f"nimtui.check.{place}", patience, raising=False)
        here.setattr(games, "LINE_SECONDS", PATIENT)
        here.setattr(games, "SECONDS", INTERPRETED)
        here.setattr(games, "MOST_GAMES", FEW)
        here.setattr(learners, "GAMES", {name: number // 5 for name, number in learners.GAMES.items()})
        here.setattr("nimtui.check.agents.TO_PREPARE", PREPARED)
        here.setattr(games, "_compiled", lambda tried, trial: None)
        here.setattr(learners, "_compiled", lambda played, trial: None)
        here.setattr(registry, "_added", [])
        here.setattr(agents, "_added", [])
        here.setattr(learner, "_added", [])
        here.setattr(os, "waitpid", _no_children)
        for setting in ("OPT", "BOUNDSCHECK"):  # a check changes them; other kernels of this process are compiled fast
            here.setattr(config, setting, getattr(config, setting))
        if not watched:
            here.setattr(child, "_watched", lambda *given: nullcontext())
        child.work(request, findings.take, lambda doing, where: None)
    return findings


def _no_children(*_: int) -> NoReturn:
    """The children of the tests are none of the file's, and must not be waited for."""
    raise ChildProcessError


def in_a_copy(deed: Callable[[], Any]) -> Any:
    """Return what a function returns in a fork of this process."""
    reading, writing = os.pipe()
    process = os.fork()
    if process == 0:
        _answer(deed, writing)
    os.close(writing)
    with os.fdopen(reading, "rb") as answers:
        answer = answers.read(int.from_bytes(answers.read(4), "big"))
    os.waitpid(process, 0)
    return pickle.loads(answer)


def _answer(deed: Callable[[], Any], writing: int) -> NoReturn:
    number = os.getpid()
    try:
        answer = pickle.dumps(deed())
        if os.getpid() == number:  # a process that the deed started says nothing
            os.write(writing, len(answer).to_bytes(4, "big") + answer)
    finally:
        os._exit(0)
