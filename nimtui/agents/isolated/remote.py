"""An own agent as the program sees it: it runs in its own process, within a time limit."""

from __future__ import annotations

from time import perf_counter
from types import ModuleType
from typing import TYPE_CHECKING, Any

from nimtui.agents.agent import LONGEST, USUAL_SECONDS, Decision, Deterministic, Limited, LimitedMemoryless, OverTime
from nimtui.agents.isolated.agent_process import AgentDescription, AgentProcess, AgentRequest, Listener
from nimtui.agents.isolated.values import WrongAnswer, decode_decision, decode_move, decode_policy, decode_thinking
from nimtui.engine.policy import Policy
from nimtui.engine.rng import Stream
from nimtui.games import Game
from nimtui.games.base import Move, State
from nimtui.progress import SILENT, Progress
from nimtui.sandbox.wire import Message

if TYPE_CHECKING:
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
                    raise WrongAnswer(str(message["not_thinking"])[: 2 * LONGEST])
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


KINDS = {
    (False, False): RemoteAgent,
    (False, True): _Deterministic,
    (True, False): _Memoryless,
    (True, True): _Both,
}

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
