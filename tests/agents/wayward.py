"""An agent that goes wrong in a chosen way, in the process that it is given; else it plays a random move."""

import ctypes
import os
import random
import signal
import time
from pathlib import Path

import numpy as np

from nimtui.agents.agent import AlwaysReady, Decision, Memoryless, Thinking, Thought, moves_of
from nimtui.engine.policy import Policy
from nimtui.errors import InputError

NAMES = ("wayward",)
FORMS = (("wayward:HOW", "goes wrong at every move, or with 'once' behind it at its first"),)
MARK = "WAYWARD_MARK"  # names a file


def deaf_loop():
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    while True:
        pass


def native_sleep():
    ctypes.PyDLL(None).sleep(1000)  # and nobody else here runs meanwhile


DEEDS = {
    "exit": lambda: os._exit(3),
    "crash": lambda: ctypes.string_at(0),
    "raise": lambda: 1 / 0,
    "loop": deaf_loop,
    "native": native_sleep,
}
ANSWERS = {
    "none": lambda move: None,
    "illegal": lambda move: Decision(99, ()),
    "thoughts": lambda move: Decision(move, ("x",)),
}
ALOUD = {
    "good": lambda moves: Thinking(
        (Thought(moves[0], value=0.5, visits=7),), moves[0], (moves[0],), 7, "dreams", 3.5, 2
    ),
    "word": lambda moves: "the first one",
    "foreign": lambda moves: Thinking((Thought(99, value=0.5),)),
    "raises": lambda moves: 1 / 0,
}


class Wayward(AlwaysReady):
    def __init__(self, how):
        self.how, self.name, self.title = how, f"wayward:{how}", f"Wayward ({how})"

    def decide(self, state, stream, progress=None):
        moves = moves_of(state)
        how = self.how
        if how.endswith("-once"):
            how = "" if Path(os.environ[MARK]).exists() else how.removesuffix("-once")
            Path(os.environ[MARK]).touch()
        if how == "random":
            return Decision(random.choice(moves), ())
        if how == "reports":
            for done in range(1000):
                progress.report(done, 1000, "dreams")
                time.sleep(0.02)
        if how == "endless-report":
            progress.report(float("inf"), 1)
        move = stream.choose(moves)
        if how.startswith("aloud-"):
            for done in range(60 if how.endswith("-long") else 3):
                progress.think(lambda: ALOUD[how.split("-")[1]](moves))
                progress.report(done, 3, "dreams")
                time.sleep(0.06)
        if how == "writes":
            state.board[:] = 0
        if how in DEEDS:
            DEEDS[how]()
        return ANSWERS[how](move) if how in ANSWERS else Decision(move, (Thought(move, score=1),), "why not")


class Unready(Wayward):
    ready = False

    def prepare(self, progress=None):
        deaf_loop()


class Written(Wayward, Memoryless):
    """The first move of every position, or an array that points nowhere."""

    def policy(self, known):
        if self.how == "policy-loop":
            deaf_loop()
        if self.how == "policy-raise":
            raise ValueError("no table")
        graph = known.graph
        edges = graph.ptr[:-1] + (len(graph.to) if self.how == "astray" else 0)
        return Policy(np.arange(len(edges) + 1), edges, np.zeros(len(edges), np.bool_))

    def decide(self, state, stream, progress=None):
        return Decision(moves_of(state)[0], ())


def parse(word, text, game):
    if text == "parse-loop":
        deaf_loop()
    if text == "parse-exit":
        os._exit(1)
    if text == "parse-none":
        return None
    if text == "made-once":
        if Path(os.environ[MARK]).exists():
            raise ValueError("not again")
        Path(os.environ[MARK]).touch()
    if text == "unready":
        return Unready(text)
    if text == "unwanted":
        raise InputError("nobody wants that")
    return Written(text) if text in ("written", "astray", "policy-loop", "policy-raise") else Wayward(text)
