"""An agent that makes trouble of a chosen kind, and else plays a random move."""

import os
import time
from pathlib import Path

from nimtui.agents.agent import AlwaysReady, Decision, Thought, moves_of
from nimtui.errors import InputError

NAMES = ("awkward",)
FORMS = (("awkward:HOW", "raises, cheats, is slow, or plays"),)
KINDS = ("raises", "cheats", "plays", "slow")


class Awkward(AlwaysReady):
    def __init__(self, how):
        self.how, self.name, self.title = how, f"awkward:{how}", how

    def decide(self, state, stream, progress=None):
        moves = moves_of(state)
        move = stream.choose(moves)
        if self.how == "raises" and len(moves) == 3:
            raise ValueError("three is\ntoo many")
        if self.how == "cheats" and len(moves) == 3:
            move = 1_000
        if self.how == "slow":
            Path(os.environ["NIMTUI_HOME"], "agents", f"pid {os.getpid()}").touch()
            time.sleep(0.05)
        return Decision(move, tuple(Thought(move) for move in moves))


def parse(word, text, game):
    if text not in KINDS:
        raise InputError(f"an awkward agent is one of {', '.join(KINDS)}")
    return Awkward(text)
