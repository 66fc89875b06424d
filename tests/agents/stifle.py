"""Leaves the opponent as few moves as it can."""

from nimtui.agents.agent import AlwaysReady, Decision, Thinking, Thought, moves_of
from nimtui.games import base
from nimtui.progress import SILENT

NAMES = ("stifle",)
FORMS = (("stifle", "leaves the opponent as few moves as it can"),)
PRESETS = (("Stifle", "stifle"),)


class Stifle(AlwaysReady):
    name, title = "stifle", "Stifle"

    def decide(self, state, stream, progress=SILENT):
        after, left = base.copy(state), {}
        for move in moves_of(state):
            base.play(after, move)
            left[move] = len(base.legal_moves(after))
            base.undo(after, move)
            progress.think(lambda: Thinking(thoughts_of(left)))
        best = [move for move in left if left[move] == min(left.values())]
        return Decision(stream.choose(best), thoughts_of(left))


def thoughts_of(left):
    return tuple(Thought(move, score=-moves) for move, moves in left.items())


def parse(word, text, game):
    return Stifle()
