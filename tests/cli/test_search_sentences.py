"""Every line that `nimtui search` prints, and the numbers of the Search screen, beside literal searches."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import pytest

from nimtui.engine.windows import WIN
from nimtui.games import base, parse_game
from nimtui.games.base import Move, State
from nimtui.games.place import Place
from nimtui.report.values import Bytes
from nimtui.theory.answers import MoveValue, known_moves
from nimtui.trees import search_of
from nimtui.trees.replay import Kind
from nimtui.trees.report import searched
from nimtui.trees.result import Result
from nimtui.trees.settings import parse
from nimtui.ui.search import view as search_view
from tests.patterns import COUNT, Patterns, check, real, same
from tests.printed import printed
from tests.theory.force import Force, is_true
from tests.trees.test_replay import Aloud

GAMES = ["nim:3,2,1", "nim:2,2:misere", "noughts:2x2x2"]
SEARCHES = [
    "minimax:depth=3",
    "minimax:depth=-1",
    "alphabeta:depth=1",
    "alphabeta:depth=4",
    "alphabeta:depth=-1",
    "alphabeta:depth=4,order=best-first",
    "alphabeta:depth=5,order=killer",
    "alphabeta:depth=4,deepening=yes,table=1024",
    "alphabeta:depth=-1,table=1024",
    "alphabeta:depth=3,heuristic=original",
    "alphabeta:depth=3,heuristic=flat",
    "alphabeta:time=0.02",
    "mcts:simulations=60",
    "mcts:simulations=200,proven=yes,seed=3",
]
VALUE = r"(?:wins|loses) in \d+|[+−]?[\d,]+(?:\.\d+)?"


def number(text: str) -> float:
    """Return a value: of a decided game, the plies away from a win."""
    decided = re.fullmatch(r"(wins|loses) in (\d+)(?: pl(?:y|ies))?", text)
    return (1 if decided[1] == "wins" else -1) * (WIN - int(decided[2])) if decided else real(text)


class Searched:
    """A search, its position and its result, with minimax by brute force."""

    def __init__(self, force: Force, how: str, record: bool = False) -> None:
        self.force, self.game, self.state = force, force.game, force.game.new()
        self.search = search_of(self.game, self.state, parse(how), record=record).run()
        self.result: Result = self.search.result
        self.truths: dict[Move, MoveValue] | None = known_moves(self.game, self.state, seconds=600)  # type: ignore[assignment]
        settings = self.result.settings
        self.tree, self.original, self.flat = (
            settings.algorithm == "mcts",
            *(settings.heuristic == name for name in ("original", "flat")),
        )
        depth = self.result.depth if settings.time else settings.depth
        self.depth = 1000 if depth == -1 else depth or 0
        self.plain = not self.tree and not settings.time and settings.order == "natural" and not settings.table
        self.known: dict[tuple[bytes, int], int] = {}

    @property
    def aloud(self) -> Aloud:
        """The same search as a person writes it."""
        cutting = self.result.settings.algorithm == "alphabeta"
        return told_aloud(self.game.name, self.depth, cutting, self.original)

    def after(self, name: str) -> State:
        return self.force.after(self.state, self.game.parse_move(name, self.state))

    def value(self, state: State, depth: int, ply: int) -> int:
        """The value of minimax for the player to move."""
        key = state.board.tobytes(), ply
        if key not in self.known:
            over = int(base.outcome(state))
            if over != base.GOING_ON and not self.original:
                won = 1000 if self.flat else WIN - ply
                self.known[key] = 0 if over == base.DRAW else -over * won
            elif over != base.GOING_ON or not depth:
                self.known[key] = int(base.evaluate(state))
            else:
                moves = base.legal_moves(state)
                self.known[key] = max(-self.value(self.force.after(state, m), depth - 1, ply + 1) for m in moves)
        return self.known[key]

    def of_move(self, name: str) -> int:
        return -self.value(self.after(name), self.depth - 1, 1)


@cache
def told_aloud(name: str, depth: int, cutting: bool, original: bool) -> Aloud:
    return Aloud(name, depth, cutting, original)


def plays(one: Searched, how: str, name: str, time: str, early: str | None) -> None:
    assert how == one.result.settings.name and name == one.game.move_name(one.result.best_move, one.state)
    assert bool(early) == (not one.result.finished)
    if not one.tree:
        assert one.of_move(name) == max(one.of_move(other) for other in names(one))


def names(one: Searched) -> list[str]:
    return [one.game.move_name(move, one.state) for move in base.legal_moves(one.state)]


def worth(one: Searched, text: str) -> None:
    if not one.tree:
        assert number(text) == one.value(one.state, one.depth, 0)
        assert bool(re.search("pl(y|ies)$", text)) == bool(re.match("wins|loses", text))
        assert text.endswith("ply") == text.endswith("in 1 ply")
    elif one.result.settings.proven and one.search.settled:
        assert real(text) == one.force.value(one.state)[0]
    else:
        assert -1 <= real(text) <= 1


def line(one: Searched, text: str) -> None:
    """The line is legal, and each move is a best one by minimax at the remaining depth."""
    state = one.state
    for ply, name in enumerate(text.split()):
        after = one.force.after(state, one.game.parse_move(name, state))
        if one.plain:
            assert -one.value(after, one.depth - ply - 1, ply + 1) == one.value(state, one.depth - ply, ply)
        state = after


def truth(one: Searched, name: str, word: str) -> None:
    keeping = one.force.keeping(one.state)
    assert word == ("all equal" if len(keeping) == len(names(one)) else "best" if name in keeping else "mistake")


def move_row(
    one: Searched, name: str, played: str | None, bound: str | None, value: str, nodes: str, word: str
) -> None:
    best = one.game.move_name(one.result.best_move, one.state)
    assert bool(played) == (name == best)
    exact, given = one.of_move(name), number(value)
    assert exact <= given <= one.of_move(best) if bound else exact == given
    if one.plain:
        assert int(real(nodes)) == below(one)[names(one).index(name)]
    truth(one, name, word)


def below(one: Searched) -> list[int]:
    """The nodes below each move of the root."""
    entered = [len(frames) for kind, _, frames in one.aloud.told if kind is Kind.ENTER]
    counts: list[int] = []
    for frames in entered[1:]:
        if frames == 2:
            counts.append(0)
        counts[-1] += 1
    return counts


def tree_row(
    one: Searched, name: str, played: str | None, visits: str, mean: str, ucb: str, proven: str | None, word: str
) -> None:
    assert bool(played) == (name == one.game.move_name(one.result.best_move, one.state))
    assert int(real(visits)) <= one.result.simulations and -1 <= real(mean) <= 1
    if proven:
        assert {"wins": 1, "draws": 0, "loses": -1}[proven] == -one.force.value(one.after(name))[0]
    truth(one, name, word)


def count(one: Searched, what: str, text: str) -> None:
    found = int(real(text))
    assert (
        found
        == {
            "nodes": one.result.nodes,
            "leaves": one.result.leaves,
            "cutoffs": one.result.cutoffs,
            "skipped": one.result.skipped,
            "table hits": one.result.table_hits,
            "depth": one.result.depth,
        }[what]
    )
    if one.plain and not one.flat:
        assert found == literal(one)[what]
    if one.tree and what == "nodes":
        visits = sum(move.visits for move in one.result.moves)
        assert found <= visits + 1 and sum(move.visits > 0 for move in one.result.moves) < found


def literal(one: Searched) -> dict[str, int]:
    kinds = [kind for kind, _, _ in one.aloud.told]
    found = {"nodes": kinds.count(Kind.ENTER), "leaves": kinds.count(Kind.EVALUATE), "cutoffs": kinds.count(Kind.CUT)}
    told, at = one.aloud.told, 0

    def walk(state: State) -> int:
        """Return the moves that were not searched below this node, whose events come next."""
        nonlocal at
        at += 1  # ENTER
        skipped, moves = 0, iter(base.legal_moves(state))
        while told[at][0] is not Kind.RETURN:
            if told[at][0] is Kind.ENTER:
                skipped += walk(one.force.after(state, next(moves)))
            elif told[at][0] is Kind.CUT:
                skipped += len(list(moves))
                at += 1
            else:
                at += 1
        at += 1
        return skipped

    return found | {"skipped": walk(one.game.new()), "table hits": 0}


def memory(one: Searched, what: str, size: str, text: str) -> None:
    """Check the bytes of a part: so many units of so many bytes."""
    space = one.result.space
    if what == "tree":
        found = re.fullmatch(
            rf"({COUNT}) nodes of (\d+) bytes, (stored|not stored|the first ({COUNT}) stored, .+)", text
        )
        assert found and Bytes(int(real(found[1])) * int(found[2])).text == size
        assert (found[3] == "not stored") == (space.recorded == 0) and not found[4]
        if one.plain and not one.flat:
            assert int(real(found[1])) == literal(one)["nodes"]
    elif what == "stack":
        found = re.fullmatch(rf"({COUNT}) (ply|plies)", text)
        assert found and (found[2] == "ply") == (found[1] == "1")
        if one.plain and not one.flat:
            assert int(real(found[1])) == max(len(frames) for _, _, frames in one.aloud.told) - 1
    elif what == "table":
        found = re.fullmatch(rf"({COUNT}) of ({COUNT}) entries used", text)
        assert found and int(real(found[1])) <= int(real(found[2]))
    else:
        assert (what, text) in (("simulations", "to replay them"), ("memory", "in all"))
    if what == "memory":
        parts = space.recorded * space.node_bytes + space.stack_bytes + space.table_bytes + space.simulation_bytes
        assert size == Bytes(parts).text


def pace(one: Searched, text: str) -> None:
    if text != "–":
        size = {"k": 1e3, "M": 1e6}.get(text[-1], 1)
        assert real(text.split()[0]) * size == pytest.approx(one.result.nodes / one.result.seconds, rel=0.06)


def bounded(one: Searched) -> None:
    best = one.of_move(one.game.move_name(one.result.best_move, one.state))
    some = [move for move in one.result.moves if move.bound == "upper"]
    assert some and all(one.of_move(one.game.move_name(move.move, one.state)) <= best for move in some)


ROW = r"(\S+) +(plays +)?"
TRUTH = r" +(best|mistake|all equal)"
LINES: Patterns = {
    r"position  .+": lambda one: None,  # held by the lines of `nimtui solve`
    r"(\S+) plays (\S+)  \((.+?)(, stopped early)?\)": plays,
    r"value +(.+)": worth,
    r"line +(.+)": line,
    r"move +(?:value +nodes|visits +mean +ucb(?: +proven)?) +truth": lambda one: None,
    rf"{ROW}(≤ )?({VALUE}) +({COUNT}){TRUTH}": move_row,
    rf"{ROW}({COUNT}) +([+−]?\d\.\d+) +([+−]?\d\.\d+)(?: +(wins|draws|loses))?{TRUTH}": tree_row,
    rf"(nodes|leaves|cutoffs|skipped|table hits|depth) +({COUNT})": count,
    rf"simulations +({COUNT})": lambda one, text: same(int(real(text)), one.result.simulations),
    r"nodes/s +(–|.+)": pace,
    r"(tree|stack|table|simulations|memory) +([\d.,]+ \S+)   (.+)": memory,
    r"≤ marks a bound: the move is not better than the one that is played, so its own value is not needed\.": bounded,
    r"A search with a time limit depends on the machine: a faster one searches more\.": lambda one: is_true(
        one.result.settings.time > 0
    ),
}


def lines_of(one: Searched) -> Iterator[str]:
    title, *texts = printed(searched(Place(one.game, one.state, None), [one.result], one.truths))
    assert title.endswith(f"({one.game.name})")
    yield from texts


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_every_line_of_a_search_is_true(name: str) -> None:
    force, told = Force(name), set[str]()
    for how in SEARCHES:
        one = Searched(force, how)
        for text in lines_of(one):
            told.add(check(text, LINES, one))
    assert len(told) >= len(LINES) - 2


# The numbers of the Search screen.


@pytest.mark.parametrize(
    ("how", "minimax", "narrow", "wide", "memory"),
    [
        (
            "alphabeta:depth=4,table=1024",
            500,
            "nodes 85  170/s | cutoffs 20 | table 15 hits, 20 used | minimax 500  5.9 × | plays a1  −2",
            "nodes 85  leaves 31  170/s | cutoffs 20, 31 moves pruned | table 15 hits, 20 of 1,024 entries, 19.5 kB"
            " | minimax 500  5.9 × as many | plays a1  value −2",
            "tree 85 nodes, 2.12 kB | stack 4 plies, 256 bytes",
        ),
        (
            "alphabeta:depth=-1",
            None,
            "nodes 195  390/s | cutoffs 75 | plays a1  loses in 6 plies",
            "nodes 195  leaves 69  390/s | cutoffs 75, 41 moves pruned | plays a1  value loses in 6 plies, proven",
            "tree 195 nodes, 4.88 kB | stack 6 plies, 384 bytes",
        ),
        (
            "mcts:simulations=60",
            None,
            "nodes 57  110/s | plays c1  −0.176 | seconds 0.500",
            "nodes 57  leaves 36  110/s | plays c1  −0.176 | seconds 0.500",
            "tree 71 nodes, 2.91 kB | stack 4 plies, 20 bytes",
        ),
    ],
)
def test_the_screen_shows_what_a_search_counted(
    how: str, minimax: int | None, narrow: str, wide: str, memory: str
) -> None:
    game = parse_game("nim:3,2,1")
    result = replace(search_of(game, game.new(), parse(how)).run().result, seconds=0.5)
    shown = [search_view.counts(result, minimax, game, game.new(), size) for size in (False, True)]
    texts = [" | ".join(" ".join(pair) for pair in pairs) for pairs in (*shown, search_view.memory(result))]
    assert texts == [narrow, wide, memory]
