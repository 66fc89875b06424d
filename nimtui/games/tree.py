"""Game trees as textbooks draw them: numbers at the leaves, MAX against MIN.

`tree:((3,5),(6,9,7),(0,1))`: a pair of brackets is a node, a number is a leaf, and MAX gets the number at the leaf
where the game ends; MIN pays it. MAX moves first, with `:min` at the end MIN. Names may stand before brackets,
`A(B(3,5),C(6,9))`; then they are the names of the moves, which otherwise are places: 1, 2, …
`tree:@FILE` reads the text of a file, `tree:@-` that of the standard input, and `tree:random:depth=3` grows a tree.
"""

from __future__ import annotations

import random
import re
import sys
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from nimtui.errors import InputError, invalid, options_of, shortened, whole_number
from nimtui.games.base import DRAW, GOING_ON, LARGEST, LOST, WON, Board, Move
from nimtui.games.offer import Offer
from nimtui.process import shelf

NAMES = ("tree",)
FORMS = ("tree:((3,5),(6,9,7),(0,1))", "tree:A(B(3,5),C(6,9))[:min]", "tree:random:depth=3,branching=2..3,seed=7")
RULES = "MAX gets the number at the leaf where the game ends, and MIN pays it. In turn, choose a branch."
PLAYERS = ("MAX", "MIN")  # by `side`
OFFERS = (
    Offer(
        "tree",
        "Game tree",
        "MAX against MIN, for the number at a leaf",
        {
            "3 branches": "tree:((3,5),(6,9,7),(0,1))",
            "3 × 3 leaves": "tree:((3,12,8),(2,4,6),(14,5,2))",
            "random": "tree:random:depth=4,branching=2..3,leaves=-9..9,seed=7",
        },
        rank=10,
    ),
)

MOST_NODES, MOST_DEPTH = 100_000, 64
LONGEST_TITLE = 40
LONGEST_TEXT, LONGEST_LEAF = 1 << 24, 20  # letters of a file, and of a number
TOKEN = re.compile(r"\s*([(),]|[-−+]?\d+|[^\W\d]\w*|$)")
STORED = re.compile(r"~([0-9a-f]+)$")  # the end of a short name
LONGEST_NAME, BEGINNING = 200, 30  # letters of a name; of one that is shortened
RANGE = re.compile(r"([-−]?\d+)(?:\.\.([-−]?\d+))?")
DEFAULTS = {"depth": "3", "branching": "2", "leaves": "-9..9", "seed": "0"}


class GameTree(NamedTuple):
    """A node of a tree. Nodes are numbered level by level, so the children of one node stand side by side."""

    board: Board  # [1]: the number of the node; 0 is the root
    first: Board  # [nodes]: its first child
    width: Board  # [nodes]: the number of its children
    parent: Board  # [nodes]
    value: Board  # [nodes]: of a leaf, for MAX
    ply: Board  # [nodes]
    text: Board  # the codes of the letters of the name, from which the names of moves are read
    largest: int  # no leaf exceeds it
    widest: int
    min_first: int


class _Node(NamedTuple):
    name: str
    value: int | None
    children: list[_Node]


# The rules. A move's code is the place of the child, from 0.


def size(state: GameTree) -> int:
    return state.widest


def legal(state: GameTree, move: Move) -> bool:
    return move < state.width[state.board[0]]


def play(state: GameTree, move: Move) -> None:
    state.board[0] = state.first[state.board[0]] + move


def undo(state: GameTree, move: Move) -> None:
    state.board[0] = state.parent[state.board[0]]


def side(state: GameTree) -> int:
    return (state.ply[state.board[0]] + state.min_first) & 1


def payoff(state: GameTree) -> int:
    value = state.value[state.board[0]]
    return value if side(state) else -value


def outcome(state: GameTree) -> int:
    if state.width[state.board[0]] > 0:
        return GOING_ON
    points = payoff(state)
    return WON if points > 0 else LOST if points < 0 else DRAW


def largest_payoff(state: GameTree) -> int:
    return state.largest


def count(state: GameTree) -> int:
    return state.width[state.board[0]]


def positions(state: GameTree) -> int:
    return state.width.shape[0]


def index(state: GameTree) -> int:
    return state.board[0]


# Names of games, moves and positions.


def parse(word: str, fields: list[str]) -> GameTree:
    """Return the game of the parts of its name, split at the colons."""
    min_first = len(fields) > 1 and fields[-1].strip().lower() == "min"
    text = ":".join(fields[:-1] if min_first else fields).strip()
    if not text:
        raise InputError(f"'tree' needs a tree, as in {FORMS[0]}")
    if text.startswith("@"):
        text = _read(text[1:])
    elif stored := STORED.search(text):
        text = shelf.find(stored[1]) or ""
        if not text:
            raise InputError(f"no tree with the hash {stored[1]} is stored here: give its text, or tree:@FILE")
    return new(text, min_first)


def _read(file: str) -> str:
    if not file:
        raise InputError("name the file of the tree, as in tree:@FILE")
    try:
        if file == "-":
            text = _standard_input()
        else:
            with Path(file).expanduser().open(encoding="utf-8") as opened:
                text = opened.read(LONGEST_TEXT + 1)
    except (OSError, ValueError) as fault:
        reason = getattr(fault, "strerror", None) or "it is no text in UTF-8"
        raise InputError(f"cannot read the tree in {file}: {reason}") from None
    if len(text) > LONGEST_TEXT:
        raise _too_large()
    return " ".join(text.split()).removeprefix("tree:")


@cache
def _standard_input() -> str:
    """Return the text of the standard input. A command may name its game more than once, and reads it once."""
    if sys.stdin.isatty():
        raise InputError("tree:@- reads what a command is given: pipe a tree into it, or name a file")
    return sys.stdin.read(LONGEST_TEXT + 1)


def new(text: str, min_first: bool = False) -> GameTree:
    """Return the root of the tree of this text. Raises InputError with what is wrong, and where."""
    whole = _random_name(text) if text.lower().startswith("random") else _canonical(tree_of(text))
    nodes, firsts = [(tree_of(whole), 0, 0)], []
    for node, _, ply in nodes:  # `nodes` grows in the loop
        firsts.append(len(nodes))
        nodes += [(child, len(firsts) - 1, ply + 1) for child in node.children]
    width = np.array([len(node.children) for node, _, _ in nodes], np.int64)
    value = np.array([node.value or 0 for node, _, _ in nodes], np.int64)
    return GameTree(
        np.zeros(1, np.int64),
        np.array(firsts, np.int64),
        width,
        np.array([parent for _, parent, _ in nodes], np.int64),
        value,
        np.array([ply for _, _, ply in nodes], np.int64),
        np.array([ord(letter) for letter in whole], np.int64),
        max(1, int(np.abs(value).max())),
        int(width.max()),
        int(min_first),
    )


@lru_cache(maxsize=16)
def tree_of(text: str) -> _Node:
    """Return the root of this text: of a written tree, or of `random:…`."""
    return _grown(text) if text.startswith("random:") else _Reader(text).root()


class _Reader:
    """Reads a tree from its text, token by token."""

    def __init__(self, text: str) -> None:
        self.text, self.at, self.nodes = text, 0, 0

    def root(self) -> _Node:
        root = self.node(0)
        if self.peek():
            raise self.wrong("expected the end of the tree")
        if root.value is not None:
            raise invalid("tree", self.text, f"it is one leaf; expected a node with children, as in {FORMS[0]}")
        return root

    def peek(self) -> str:
        match = TOKEN.match(self.text, self.at)
        if match is None:
            raise self.wrong("expected a bracket, a comma, a whole number or a name")
        return match[1]

    def next(self) -> str:
        token = self.peek()
        match = TOKEN.match(self.text, self.at)
        self.at = match.end() if match else self.at
        return token

    def wrong(self, what: str) -> InputError:
        rest = self.text[self.at :].lstrip()
        place = f"at '{shortened(rest)}'" if rest else "where the text ends"
        return invalid("tree", self.text, f"{what} at letter {len(self.text) - len(rest) + 1:,}, {place}")

    def node(self, ply: int) -> _Node:
        self.nodes += 1
        if self.nodes > MOST_NODES or ply > MOST_DEPTH:
            raise _too_large()
        token = self.peek()
        name = self.next() if token[:1].isalpha() or token[:1] == "_" else ""
        token = self.peek()
        if token == "(":
            self.next()
            children = [self.node(ply + 1)]
            while self.peek() == ",":
                self.next()
                children.append(self.node(ply + 1))
            if self.peek() != ")":
                raise self.wrong("expected a comma or a closing bracket")
            self.check_names(children)
            self.next()
            return _Node(name, None, children)
        if name or not token[-1:].isdigit():
            raise self.wrong("expected an opening bracket" if name else "expected a number or an opening bracket")
        if len(token) > LONGEST_LEAF or abs(value := int(token.replace("−", "-"))) > LARGEST:
            raise self.wrong(f"expected a leaf from −{LARGEST:,} to {LARGEST:,}")
        self.next()
        return _Node("", value, [])

    def check_names(self, children: list[_Node]) -> None:
        names = [child.name.lower() for child in children if child.name]
        if names and len(names) < len(children):
            raise self.wrong("expected names for all children of a node or for none")
        if len(set(names)) < len(names):
            raise self.wrong("expected children of one node with different names")


def _too_large() -> InputError:
    return InputError(f"the tree is too large: at most {MOST_NODES:,} nodes and {MOST_DEPTH} plies")


def _canonical(node: _Node) -> str:
    if node.value is not None:
        return str(node.value)
    return f"{node.name}({','.join(map(_canonical, node.children))})"


def _random_name(text: str) -> str:
    """Return the canonical text of a random tree, with all its options."""
    word, _, rest = text.partition(":")
    if word.strip().lower() != "random":
        raise invalid("tree", text, f"expected {FORMS[2]}")
    options = DEFAULTS | options_of(rest, "option", "tree:random", tuple(DEFAULTS))
    depth = whole_number(options["depth"], "depth", 1, MOST_DEPTH)
    seed = whole_number(options["seed"], "seed", 0, (1 << 63) - 1)
    low, high = _range("branching", options["branching"], 1, 1_000)
    least, most = _range("leaves", options["leaves"], -LARGEST, LARGEST)
    return f"random:depth={depth},branching={_span(low, high)},leaves={_span(least, most)},seed={seed}"


def _range(what: str, text: str, low: int, high: int) -> tuple[int, int]:
    match = RANGE.fullmatch(text.strip())
    if match is None:
        raise invalid(what, text, "expected a number or a range, as in 2..3")
    ends = [whole_number(end, what, low, high) for end in (match[1], match[2] or match[1])]
    if ends[0] > ends[1]:
        raise invalid(what, text, "the range ends before it starts")
    return ends[0], ends[1]


def _span(low: int, high: int) -> str:
    return str(low) if low == high else f"{low}..{high}"


def _grown(text: str) -> _Node:
    """Return the random tree of this canonical text: all its leaves are at the same depth."""
    options = options_of(text.partition(":")[2], "option", "tree:random", tuple(DEFAULTS))
    chance, depth, nodes = random.Random(int(options["seed"])), int(options["depth"]), 0
    low, high = _range("branching", options["branching"], 1, 1_000)
    least, most = _range("leaves", options["leaves"], -LARGEST, LARGEST)

    def grow(ply: int) -> _Node:
        nonlocal nodes
        nodes += 1
        if nodes > MOST_NODES:
            raise _too_large()
        if ply == depth:
            return _Node("", chance.randint(least, most), [])
        return _Node("", None, [grow(ply + 1) for _ in range(chance.randint(low, high))])

    return grow(0)


def _text(state: GameTree) -> str:
    return "".join(map(chr, state.text.tolist()))


def whole_name(state: GameTree) -> str:
    """Return the name with the whole text."""
    return f"tree:{_text(state)}{':min' * state.min_first}"


def name(state: GameTree) -> str:
    """Return the name: of a long tree what it begins with and the hash under which its text is stored."""
    text = whole_name(state)
    if len(text) <= LONGEST_NAME or (stored := shelf.keep(_text(state))) is None:
        return text
    return f"{text[:BEGINNING]}…~{stored}{':min' * state.min_first}"


def title(state: GameTree) -> str:
    text = _text(state)
    short = text if len(text) <= LONGEST_TITLE else f"{text[: LONGEST_TITLE - 1]}…"
    return f"Game tree {short} · {PLAYERS[state.min_first]} moves first"


def path_of(state: GameTree) -> list[tuple[int, Move]]:
    """Return each node on the way to this one with the move made there."""
    path, node = [], int(state.board[0])
    while node:
        above = int(state.parent[node])
        path.append((above, node - int(state.first[above])))
        node = above
    return path[::-1]


_roots: list[tuple[Board, _Node]] = []  # the latest texts, with their trees
MOST_ROOTS = 8


def _root(state: GameTree) -> _Node:
    """Return the root as it was written. A long text is read once: all positions of a game share its array."""
    for text, root in _roots:
        if text is state.text:
            return root
    root = tree_of(_text(state))
    _roots[:] = [(state.text, root), *_roots[: MOST_ROOTS - 1]]
    return root


def _written(state: GameTree) -> _Node:
    node = _root(state)
    for _, move in path_of(state):
        node = node.children[move]
    return node


def move_name(state: GameTree, move: Move) -> str:
    return _written(state).children[move].name or str(move + 1)


def parse_move(state: GameTree, text: str) -> Move:
    names = [child.name.lower() or str(place) for place, child in enumerate(_written(state).children, 1)]
    if text.lower() not in names:
        raise invalid("move", text, f"expected one of {shortened(', '.join(names))}")
    return names.index(text.lower())


def position_name(state: GameTree) -> str:
    """Return the path of moves from the root: '2.1'; '' at the root."""
    node, names = _root(state), []
    for _, move in path_of(state):
        node = node.children[move]
        names.append(node.name or str(move + 1))
    return ".".join(names)


def parse_position(state: GameTree, text: str) -> Board:
    at = state._replace(board=state.board.copy())
    for part in filter(None, text.split(".")):
        if outcome(at) != GOING_ON:
            raise invalid("position", text, f"the game was over before {part}")
        play(at, parse_move(at, part.strip()))
    return at.board
