"""Files as students hand them in, written from the published interface of CS50 AI: right ones, and wrong ones."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import xor

NIM = """\
import random
class Nim:
    def __init__(self, initial=[1, 3, 5, 7]):
        self.piles = initial.copy(); self.player = 0; self.winner = None
    @classmethod
    def available_actions(cls, piles):
        return {(i, j) for i, n in enumerate(piles) for j in range(1, n + 1)}
    def move(self, action):
        i, j = action
        self.piles[i] -= j
        self.player = 1 - self.player
        if all(n == 0 for n in self.piles):
            self.winner = self.player
class NimAI:
    def __init__(self, alpha=0.5, epsilon=0.1):
        self.q = {}; self.alpha = alpha; self.epsilon = epsilon
    def update(self, old_state, action, new_state, reward):
        old_q = self.get_q_value(old_state, action)
        self.update_q_value(old_state, action, old_q, reward, self.best_future_reward(new_state))
    def get_q_value(self, state, action):
        return self.q.get((tuple(state), action), 0)
    def update_q_value(self, state, action, old_q, reward, future_rewards):
        self.q[tuple(state), action] = old_q + self.alpha * (reward + future_rewards - old_q)
    def best_future_reward(self, state):
        return max((self.get_q_value(state, a) for a in Nim.available_actions(state)), default=0)
    def choose_action(self, state, epsilon=True):
        actions = sorted(Nim.available_actions(state))
        if epsilon and random.random() < self.epsilon:
            return random.choice(actions)
        return max(actions, key=lambda a: self.get_q_value(state, a))
def train(n):
    ai = NimAI()
    for i in range(n):
        print(f"Playing training game {i + 1}")
        game = Nim(); last = {0: None, 1: None}
        while game.winner is None:
            state = game.piles.copy(); action = ai.choose_action(state)
            mover = game.player; last[mover] = state, action
            game.move(action)
            new = game.piles.copy()
            if game.winner is not None:
                ai.update(state, action, new, -1)
                ai.update(*last[game.player], new, 1)
            elif last[game.player] is not None:
                ai.update(*last[game.player], new, 0)
    print("Done training")
    return ai
"""

TICTACTOE = """\
import copy
X, O, EMPTY = "X", "O", None
def initial_state():
    return [[EMPTY] * 3 for _ in range(3)]
def player(board):
    n = sum(c is not EMPTY for r in board for c in r)
    return X if n % 2 == 0 else O
def actions(board):
    return {(i, j) for i in range(3) for j in range(3) if board[i][j] is EMPTY}
def result(board, action):
    if action not in actions(board):
        raise ValueError("not legal")
    new = copy.deepcopy(board)
    new[action[0]][action[1]] = player(board)
    return new
def winner(board):
    lines = [*board, *zip(*board), [board[i][i] for i in range(3)], [board[i][2 - i] for i in range(3)]]
    for line in lines:
        if line[0] is not EMPTY and line[0] == line[1] == line[2]:
            return line[0]
    return None
def terminal(board):
    return winner(board) is not None or not actions(board)
def utility(board):
    return {X: 1, O: -1, None: 0}[winner(board)]
def value(board, bound):
    print("thinking")
    if terminal(board):
        return utility(board)
    sign = 1 if player(board) == X else -1
    best = -2
    for action in actions(board):
        best = max(best, sign * value(result(board, action), -best))
        if best >= bound or best == 1:
            break
    return sign * best
def minimax(board):
    if terminal(board):
        return None
    sign = 1 if player(board) == X else -1
    return max(actions(board), key=lambda a: sign * value(result(board, a), 2))
"""

STEP = "old_q + self.alpha * (reward + future_rewards - old_q)"
BEST = "max((self.get_q_value(state, a) for a in Nim.available_actions(state)), default=0)"
CHOICE = "max(actions, key=lambda a: self.get_q_value(state, a))"
RATE = "epsilon and random.random() < self.epsilon"
UPDATE = "reward, self.best_future_reward(new_state))"
ACTIONS = "actions = sorted(Nim.available_actions(state))"
LOOK = "self.q.get((tuple(state), action), 0)"

RIGHT_NIM = {  # other ways to write it: what stands in NIM, what instead, the least share that the rule 'learns' finds
    "as it is": ("", "", 0.958),
    "moves in no order": (ACTIONS, ACTIONS.replace("sorted", "list"), 0.967),
    "ties at random": (CHOICE, f"max(random.sample(actions, len(actions)), key={CHOICE.partition('key=')[2]}", 0.979),
    "weighted mean": (STEP, "(1 - self.alpha) * old_q + self.alpha * (reward + future_rewards)", 0.958),
    "a test before each look": (LOOK, "self.q[tuple(state), action] if (tuple(state), action) in self.q else 0", 0.958),
}

WRONG_NIM = {  # what is wrong: what stands in NIM, what instead, the rule that says so
    "sign of the old value": (STEP, "old_q + self.alpha * (reward + future_rewards + old_q)", "step"),
    "no old value": (STEP, "self.alpha * (reward + future_rewards)", "step"),
    "no future": (STEP, "old_q + self.alpha * (reward - old_q)", "step"),
    "alpha is 0.5": (STEP, STEP.replace("self.alpha", "0.5"), "step"),
    "reward subtracted": (STEP, STEP.replace("(reward", "(-reward"), "step"),
    "nothing for the last move": (BEST, BEST.replace(", default=0", ""), "last move"),
    "known actions only": (
        BEST,
        "max([self.q[tuple(state), a] for a in Nim.available_actions(state) if (tuple(state), a) in self.q] or [0])",
        "unknown counts as 0",
    ),
    "worst future": (BEST, BEST.replace("max(", "min("), "best future"),
    "None for the unknown": (LOOK, LOOK.replace(", 0", ""), "unknown value"),
    "optimistic": (LOOK, LOOK.replace("0", "1"), "unknown value"),
    "keys are lists": (LOOK, LOOK.replace("tuple(state)", "state"), "unknown value"),
    "epsilon ignored": (RATE, "random.random() < self.epsilon", "no exploring without epsilon"),
    "never explores": (RATE, "False", "explores"),
    "always explores": (RATE, "epsilon", "explores by epsilon"),
    "worst move": (CHOICE, CHOICE.replace("max(", "min("), "greedy"),
    "known moves only": (
        CHOICE,
        "max([a for a in actions if (tuple(state), a) in self.q] or actions, key=lambda a: self.get_q_value(state, a))",
        "greedy over all moves",
    ),
    "own state changed": (ACTIONS, ACTIONS + "; state[0] -= 1", "choose keeps the state"),
    "own state sorted": (ACTIONS, ACTIONS + "; state.sort()", "choose keeps the state"),
    "update does nothing": (UPDATE, UPDATE + " if reward else None", "update looks ahead"),
    "update forgets the future": (UPDATE, "reward, 0)", "update looks ahead"),
    "no train": ("def train(n):", "def learn(n):", "defines"),
    "syntax error": ("def train(n):", "def train(n:", "loads"),
    "ends while it loads": ("import random", "import random, sys; sys.exit()", "loads"),
}

COPY, PLACE = "copy.deepcopy(board)", "new[action[0]][action[1]] = player(board)"
SIGN, SEARCH = "    sign = 1 if player(board) == X else -1\n", "    return max("
RIGHT_TICTACTOE = {
    "as it is": ("", ""),
    "rows copied": (COPY, "[row[:] for row in board]"),
    "without pruning": ("if best >= bound or best == 1:", "if False:"),
}
WRONG_TICTACTOE = {
    "shallow copy": (COPY, "board.copy()", "result keeps its board"),
    "no copy": (COPY, "board", "result keeps its board"),
    "always X": (PLACE, PLACE.replace("player(board)", "X"), "result"),
    "no refusal": ("if action not in actions(board):", "if False:", "result refuses"),
    "O starts": ("return X if n % 2 == 0 else O", "return O if n % 2 == 0 else X", "player"),
    "one diagonal": (", [board[i][2 - i] for i in range(3)]]", "]", "winner"),
    "a full board goes on": (" or not actions(board)", "", "terminal"),
    "O wins 1": ("O: -1", "O: 1", "utility"),
    "loses on purpose": ("key=lambda a: sign *", "key=lambda a: -sign *", "minimax"),
    "first free cell": (SIGN + SEARCH, "    return min(actions(board)) or max(", "minimax"),
    "never ends": (SIGN + SEARCH, f"    while True: pass\n{SEARCH}", "minimax"),
    "a move at the end": ("        return None\n    sign", "        return (0, 0)\n    sign", "minimax at the end"),
}


def lost(piles: Sequence[int]) -> bool:
    """Return whether the player to move loses in misère Nim: Bouton's rule."""
    return sum(piles) % 2 == 1 if max(piles) <= 1 else reduce(xor, piles) == 0
