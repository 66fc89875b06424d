"""An own agent as the program sees it: it runs in its own process, within a time limit.

Its connection starts the process when needed, asks it, and ends it when it fails.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from math import isfinite
from pathlib import Path
from time import monotonic, perf_counter
from types import ModuleType
from typing import Any, NamedTuple, TypeAlias, TypeVar

from nimtui.agents import agent
from nimtui.agents.agent import USUAL_SECONDS, AgentFault, Decision, Deterministic, Limited, LimitedMemoryless, OverTime
from nimtui.agents.isolated.values import WrongAnswer, decode_decision, decode_move, decode_policy, decode_thinking
from nimtui.engine.policy import Policy
from nimtui.engine.rng import Stream
from nimtui.errors import InputError
from nimtui.games import Game
from nimtui.games.base import Move, State
from nimtui.process import children, plugins
from nimtui.progress import SILENT, Progress, preparation
from nimtui.report.values import Seconds
from nimtui.sandbox.client import Sandbox
from nimtui.sandbox.closing import Bounds
from nimtui.sandbox.wire import BadMessage, Message
from nimtui.store import paths
from nimtui.theory.truth import Truth


class RemoteAgent(Limited):
    """Checks every answer of the agent. Anything else raises AgentFault; the next question starts a new process."""

    def __init__(self, process: AgentProcess, about: AgentDescription) -> None:
        self._process, self._about = process, about
        self.faults: list[str] = []  # one line per fault that did not stop the agent

    @property
    def name(self) -> str:
        return self._about.name

    @property
    def title(self) -> str:
        return self._about.title

    @property
    def ready(self) -> bool:
        return self._process.ready

    def prepare(self, progress: Progress = SILENT) -> None:
        """Start the process if needed, and prepare the agent. Raises AgentFault if that fails."""
        self._process.prepare(progress)

    def decide(self, state: State, stream: Stream, progress: Progress = SILENT) -> Decision:
        began = perf_counter()
        self.faults.clear()
        answer = self._think("decide", state, stream, progress)
        return self._process.read(lambda: decode_decision(answer, state, perf_counter() - began))

    def choose(self, state: State, stream: Stream, progress: Progress = SILENT) -> Move:
        answer = self._think("choose", state, stream, progress)
        return self._process.read(lambda: decode_move(answer, state))

    def _listener(self, state: State, progress: Progress) -> Listener:
        """Return what passes on the thoughts about a position. Invalid ones are dropped; `faults` has the last."""

        def listener(message: Message) -> None:
            try:
                if "thinks" not in message:
                    raise WrongAnswer(str(message["not_thinking"])[: 2 * agent.LONGEST])
                thinking = decode_thinking(message["thinks"], state)
            except WrongAnswer as wrong:
                self.faults[:] = [f"{self.name} {wrong}"]
            except (ArithmeticError, LookupError, TypeError, ValueError):
                self.faults[:] = [f"{self.name} thinks something unreadable"]
            else:
                progress.think(lambda: thinking)

        return listener

    def _think(self, what: str, state: State, stream: Stream, progress: Progress) -> Any:
        counter = int(stream.counter[0])
        question = {"do": what, "board": state.board.tobytes().hex(), "counter": counter}
        answer = self._process.ask(question, progress, self.clock.seconds, self._listener(state, progress))
        counter_after = answer.get("counter")
        stream.counter[0] = counter_after if isinstance(counter_after, int) and 0 <= counter_after < 2**64 else counter
        return answer["ok"]


class _Deterministic(RemoteAgent, Deterministic):
    pass


class _Memoryless(RemoteAgent, LimitedMemoryless):
    def policy(self, truth: Truth, progress: Progress = SILENT) -> Policy | None:
        answer = self._process.ask({"do": "policy"}, progress, USUAL_SECONDS)["ok"]
        return self._process.read(lambda: decode_policy(answer, truth.graph))


class _Both(_Memoryless, Deterministic):
    pass


KINDS = {(False, False): RemoteAgent, (False, True): _Deterministic, (True, False): _Memoryless, (True, True): _Both}

_descriptions: dict[AgentRequest, AgentDescription] = {}  # so that reading a name again starts no process
_slow: dict[AgentRequest, str] = {}  # agents that did not answer in time: they are not asked again


def parse(module: ModuleType, word: str, text: str, game: Game) -> RemoteAgent:
    """Return the agent of this name in an own file. Raises InputError if there is none, or no answer."""
    request = AgentRequest(module.__name__, str(module.__file__), word, text, game.whole_name)
    if request in _slow:
        raise OverTime(_slow[request])
    process = AgentProcess(request)
    about = _descriptions.get(request)
    if about is None:
        try:
            about = _descriptions[request] = process.start(SILENT)
        except OverTime as fault:
            _slow[request] = str(fault)
            raise
    return KINDS["Memoryless" in about.kinds, "Deterministic" in about.kinds](process, about)


T = TypeVar("T")
Listener: TypeAlias = Callable[[Message], object]

LOADS = 5.0  # seconds to load the file and create the agent
PREPARES = 600.0  # seconds for `prepare`
BEAT = 0.05  # seconds between two checks for a stop
SERVICE = "nimtui.agents.isolated.child:serve"
THOUGHTS = {"thinks", "not_thinking"}  # messages that say what the agent believes before it answers


class AgentRequest(NamedTuple):
    """An agent as a person named it."""

    module: str
    file: str
    word: str
    text: str
    game: str  # its canonical name


class AgentDescription(NamedTuple):
    """What an agent declares before it plays."""

    name: str
    title: str
    ready: bool
    kinds: frozenset[str]


class AgentProcess:
    """One agent, whose process lives as long as this object and answers. Thread-safe: questions are serialised."""

    def __init__(self, request: AgentRequest) -> None:
        self._request = request
        self._lock = threading.RLock()  # guards all fields below
        self._sandbox: Sandbox | None = None
        self._about: AgentDescription | None = None
        self._prepared = False

    @property
    def ready(self) -> bool:
        """Return whether the process runs and the agent is prepared."""
        return self._sandbox is not None and self._prepared

    def start(self, progress: Progress) -> AgentDescription:
        """Start the process, create the agent there, and return its description.

        Raises InputError if the agent's file refuses the name, AgentFault if there is no answer.
        """
        request = self._request
        with self._lock:
            try:
                self._sandbox = Sandbox(SERVICE, Bounds.of(request.file, paths.home()))
            except OSError as fault:
                raise AgentFault(f"no process for the agent {request.word}: {fault.strerror or fault}") from fault
            try:
                own = plugins.OwnFile("agent", Path(request.file), plugins.source_of(request.module))
                others = [one.packed() for one in plugins.loaded() if one.kind != "agent"]
                message = {"do": "parse", **request._asdict(), "own": own.packed(), "others": others}
                try:
                    answer = self._ask(message, progress, LOADS)["ok"]
                except OverTime as late:
                    raise OverTime(f"{late} to load: put long work into `prepare`") from late
                self._about = about = self.read(lambda: _about(answer))
            except BaseException:
                self._end()  # the process has no agent
                raise
            self._prepared = about.ready
            return about

    @preparation()
    def prepare(self, progress: Progress) -> None:
        """Prepare the agent, in a new process if it has none. Raises OverTime after PREPARES seconds."""
        with self._lock:
            if self._sandbox is None:
                self.start(progress)
            if not self._prepared:
                self._ask({"do": "prepare"}, progress, PREPARES)
                self._prepared = True

    def ask(self, message: Message, progress: Progress, seconds: float, listener: Listener = bool) -> Message:
        """Return the answer, {"ok": …}. Raises AgentFault without an answer, OverTime after `seconds`.

        The time for `prepare` does not count. `listener` gets what the agent thinks before it answers.
        """
        with self._lock:
            if not self.ready:
                self.prepare(progress)
            return self._ask(message, progress, seconds, listener)

    def read(self, reading: Callable[[], T]) -> T:
        """Decode an answer. Raises AgentFault if it is invalid."""
        try:
            return reading()
        except WrongAnswer as wrong:
            raise AgentFault(f"{self._called} {wrong}") from None
        except (ArithmeticError, LookupError, TypeError, ValueError) as fault:
            raise AgentFault(f"{self._called} sent an unreadable answer") from fault

    def _ask(self, message: Message, progress: Progress, seconds: float, listener: Listener = bool) -> Message:
        assert self._sandbox is not None
        try:
            self._sandbox.send(message)
            answer = _answer(self._sandbox, progress, seconds, listener)
        except TimeoutError:
            self._end()
            raise OverTime(f"{self._called} took longer than {Seconds(seconds)}") from None
        except BadMessage:
            self._end()
            raise AgentFault(f"{self._called} sent an unreadable answer") from None
        except (EOFError, ConnectionError):
            status = self._sandbox.how_it_ended()
            self._end()
            how = "" if status is None else f": {children.how_it_ended(status)}"
            raise AgentFault(f"{self._called} ended without an answer{how}") from None
        except BaseException:  # cancelled, also by Ctrl+C: its answer is no longer needed
            self._end()
            raise
        if "wrong" in answer:
            raise InputError(str(answer["wrong"]))
        if "fault" in answer:
            raise AgentFault(f"{self._called} {str(answer['fault'])[: 4 * agent.LONGEST]}")
        if "ok" not in answer:
            raise AgentFault(f"{self._called} sent an unreadable answer")
        return answer

    def _end(self) -> None:
        if self._sandbox is not None:
            self._sandbox.end()
        self._sandbox, self._prepared = None, False

    @property
    def _called(self) -> str:
        return self._about.name if self._about is not None else f"the agent {self._request.word}"


def _answer(box: Sandbox, progress: Progress, seconds: float, listener: Listener) -> Message:
    """Return the next answer. Raises TimeoutError after `seconds`, not counting pauses of the progress."""
    until = monotonic() + seconds
    far: tuple[float, float, str] = (0.0, 0.0, "")
    while True:
        try:
            answer = box.receive(BEAT)
        except TimeoutError:
            answer = None
        if answer is not None and "far" in answer:
            far = _far(answer["far"])
        elif answer is not None and not THOUGHTS.isdisjoint(answer):
            listener(answer)
        elif answer is not None:
            return answer
        began = monotonic()
        if began > until:
            raise TimeoutError
        progress.report(*far)
        until += monotonic() - began


def _far(value: Any) -> tuple[float, float, str]:
    try:
        done, total, what = value
        far = float(done), float(total), str(what)
    except (TypeError, ValueError, OverflowError) as fault:
        raise BadMessage from fault
    if not (isfinite(far[0]) and isfinite(far[1])):
        raise BadMessage
    return far


def _about(facts: Any) -> AgentDescription:
    return AgentDescription(
        str(facts["name"]), str(facts["title"]), bool(facts["ready"]), frozenset(map(str, facts["kinds"]))
    )
