"""Leaves the opponent as few moves as it can."""

from nimtui.agents.agent import AlwaysReady, Decision, Thought, moves_of
from nimtui.games import base

NAMES = ("stifle",)
FORMS = (("stifle", "leaves the opponent as few moves as it can"),)
PRESETS = (("Stifle", "stifle"),)


class Stifle(AlwaysReady):
    name, title = "stifle", "Stifle"

    def decide(self, state, stream, progress=None):
        after, left = base.copy(state), {}
        for move in moves_of(state):
            base.play(after, move)
            left[move] = len(base.legal_moves(after))
            base.undo(after, move)
        best = [move for move in left if left[move] == min(left.values())]
        return Decision(stream.choose(best), tuple(Thought(move, score=-left[move]) for move in left))


def parse(word, text, game):
    return Stifle()
