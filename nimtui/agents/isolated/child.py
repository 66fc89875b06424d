"""The process of one own agent: answers the questions of `remote`, and may be killed at any moment."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from hashlib import blake2b
from time import monotonic
from typing import Any

import numpy as np

from nimtui.agents import registry
from nimtui.agents.agent import Agent, Deterministic, Memoryless, Terse, short_text
from nimtui.agents.isolated import values
from nimtui.engine.rng import Stream
from nimtui.errors import InputError
from nimtui.games import Game, parse_game
from nimtui.games import registry as games
from nimtui.games.base import State
from nimtui.learning import learner as learners
from nimtui.process import children
from nimtui.process.plugins import OwnFile
from nimtui.progress import Progress
from nimtui.sandbox.server import Page
from nimtui.sandbox.wire import Message, Wire
from nimtui.theory.truth import truth

BEAT = 0.05  # seconds between two reports of progress
REGISTRIES = {"game": games, "learner": learners}
BEFORE = ("parse", "prepare")  # questions whose InputError is the person's mistake, not the agent's


def load() -> None:
    """Load what every agent may need, before its process is forked. An agent's file imports the rest."""
    registry.modules()
    games.families()


def serve(wire: Wire, page: Page) -> None:
    """Answer questions until the other end closes. Each answer is {"ok": …} or describes a fault."""
    here = LocalAgent()
    deeds: dict[str, Callable[[Message, Progress], Message]] = {
        "parse": here.parse,
        "prepare": here.prepare,
        "decide": here.decide,
        "choose": here.choose,
        "policy": here.policy,
    }
    progress = _SentProgress(wire)
    while True:
        question = wire.receive()
        progress.aloud = question["do"] == "decide"
        try:
            with children.no_copies():
                answer = deeds[question["do"]](question, progress)
        except values.WrongAnswer as wrong:
            answer = {"fault": str(wrong)}
        except BaseException as fault:  # noqa: BLE001 - an agent may do anything, `sys.exit()` too
            if isinstance(fault, InputError) and question["do"] in BEFORE:
                answer = {"wrong": str(fault)}
            else:
                answer = {"fault": f"raised {type(fault).__name__}: {short_text(fault)}".removesuffix(": ")}
        wire.send(answer)


class _SentProgress(Progress):
    """Sends the agent's progress and its thoughts to the main process, each at most 20 times a second.

    Thoughts are sent while the agent decides: `choose` needs no reasons. An invalid Thinking is described instead, and
    changes nothing else.
    """

    def __init__(self, wire: Wire) -> None:
        self._wire = wire
        self._last_report = self._last_thought = 0.0
        self.aloud = False

    def report(self, done: float, total: float, what: str = "") -> None:
        now = monotonic()
        if now - self._last_report >= BEAT:
            self._last_report = now
            self._wire.send({"far": [float(done), float(total), str(what)[: values.LONGEST]]})

    def think(self, thinking: Callable[[], Any]) -> None:
        if not self.aloud or monotonic() - self._last_thought < BEAT:
            return
        try:
            message: Message = {"thinks": values.encode_thinking(thinking())}
        except values.WrongAnswer as wrong:
            message = {"not_thinking": str(wrong)}
        except Exception as fault:  # noqa: BLE001 - the agent's own code
            message = {"not_thinking": f"raised {type(fault).__name__} while it thought aloud"}
        self._wire.send(message)
        self._last_thought = monotonic()  # after the work of encoding it: a long list must not fill all the time


class LocalAgent:
    """The agent of this process."""

    agent: Agent
    game: Game

    def parse(self, question: Message, progress: Progress) -> Message:
        """Load the files and create the agent."""
        registry.isolate = False  # an agent that uses other agents runs them in its own process
        for other in map(OwnFile.unpacked, question["others"]):  # that the main process accepted
            REGISTRIES[other.kind].add(other.load())
        module = OwnFile.unpacked(question["own"]).load()
        self.game = parse_game(question["game"])
        agent = module.parse(question["word"], question["text"], self.game)
        about = values.description(agent)
        self.agent = agent
        kinds = [kind for kind in (Terse, Deterministic, Memoryless) if isinstance(agent, kind)]
        about["kinds"] = [kind.__name__ for kind in kinds if kind is not Memoryless or agent.memoryless]
        return {"ok": about}

    def prepare(self, question: Message, progress: Progress) -> Message:
        self.agent.prepare(progress)
        return {"ok": None}

    def decide(self, question: Message, progress: Progress) -> Message:
        """Return the agent's decision."""
        state, stream = self._position_and_stream(question)
        decision = self.agent.decide(state, stream, progress)
        return {"ok": values.encode_decision(decision), "counter": int(stream.counter[0])}

    def choose(self, question: Message, progress: Progress) -> Message:
        """Return the move without reasons."""
        state, stream = self._position_and_stream(question)
        if isinstance(self.agent, Terse):
            move: object = self.agent.choose(state, stream, progress)
        else:
            decision = self.agent.decide(state, stream, progress)
            move = values.attribute(decision, "move", "decided {}, which is not a Decision")
        return {"ok": values.move(move), "counter": int(stream.counter[0])}

    def policy(self, question: Message, progress: Progress) -> Message:
        """Return the agent's policy, or None if it has none."""
        agent: Any = self.agent
        return {"ok": values.encode_policy(agent.policy(truth(self.game, progress)))}

    def _position_and_stream(self, question: Message) -> tuple[State, Stream]:
        """Return the position and the random stream of a question."""
        stream, board = Stream(0), bytes.fromhex(question["board"])
        stream.counter[0] = question["counter"]
        seed_global_generators(question["counter"], board)
        return self.game.at(np.frombuffer(board, np.int64)), stream


def seed_global_generators(counter: int, board: bytes) -> None:
    """Seed both from an agent's stream and its position: equal in any process, different in every position.

    The position matters because the stream does not advance if the agent does not draw from it.
    """
    seed = int.from_bytes(blake2b(b"%d " % counter + board, digest_size=8).digest(), "big")
    random.seed(seed)
    if "numpy.random" in sys.modules:
        np.random.seed(seed & 0xFFFFFFFF)
