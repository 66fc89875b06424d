"""The events of a search are those that a plain recursion says aloud, and any of them is found at once."""

from __future__ import annotations

from dataclasses import astuple
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nimtui.engine import limits
from nimtui.engine.windows import INFINITY, WIN
from nimtui.games import base, parse_game
from nimtui.progress import Cancelled
from nimtui.trees import depth_first
from nimtui.trees.tree import Kind, Replay
from tests.stops import StopAfter
from tests.trees.helpers import ORIGINAL, begun, line, tree

Told = list[tuple[Kind, int, list[tuple[Any, ...]]]]  # what happens, to which node, and what is open then


class Aloud:
    """Alpha-beta (or minimax) as a person writes it, saying what it does."""

    def __init__(self, name: str, depth: int, cutting: bool, original: bool) -> None:
        self.state: Any = parse_game(name).new()
        self.cutting, self.original = cutting, original
        self.told: Told = []
        self.open: list[list[Any]] = []  # node, α, β, and the best value so far
        self.nodes = self.skipped = 0
        self.search(depth, -INFINITY, INFINITY, 0)

    def say(self, kind: Kind, node: int) -> None:
        self.told.append((kind, node, [tuple(frame) for frame in self.open]))

    def search(self, depth: int, alpha: int, beta: int, ply: int) -> int:
        node = self.nodes
        self.nodes += 1
        frame = [node, alpha, beta, None]
        self.open.append(frame)
        self.say(Kind.ENTER, node)
        ended = base.outcome(self.state)
        best = -INFINITY
        if ended == base.GOING_ON and depth:
            moves = base.legal_moves(self.state)
            for searched, move in enumerate(moves, 1):
                base.play(self.state, move)
                value = -self.search(depth - 1, *((-beta, -frame[1]) if self.cutting else (alpha, beta)), ply + 1)
                base.undo(self.state, move)
                raised = value > (frame[1] if self.cutting else best)
                best = max(best, value)
                if raised:
                    if self.cutting:
                        frame[1] = value
                    self.say(Kind.RAISE, node)
                if self.cutting and frame[1] >= beta:
                    self.say(Kind.CUT, node)
                    self.skipped += len(moves) - searched
                    break
        else:
            decided = ended != base.GOING_ON and not self.original
            won = 0 if ended == base.DRAW else -ended * (WIN - ply)
            frame[3] = best = won if decided else int(base.evaluate(self.state))
            self.say(Kind.EVALUATE, node)
        self.open.pop()
        if self.open:
            self.open[-1][3] = max(-INFINITY if self.open[-1][3] is None else self.open[-1][3], -best)
        self.say(Kind.RETURN, node)
        return best


@pytest.mark.parametrize(
    ("name", "how", "depth", "heuristic"),
    [
        ("nim:1,2,3", "alphabeta", 3, "original"),
        ("nim:1,2,3", "minimax", 2, "original"),
        ("adjacent:2,2:misere", "alphabeta", 4, "default"),
        ("connect:3x2x2", "minimax", 3, "default"),
        ("connect:3x2x2", "alphabeta", 1, "default"),
    ],
)
def test_events_and_windows_are_those_of_a_search_that_thinks_aloud(
    name: str, how: str, depth: int, heuristic: str
) -> None:
    replay = Replay(tree(name, f"{how}:depth={depth},heuristic={heuristic}"))
    aloud = Aloud(name, depth, how == "alphabeta", heuristic == "original")
    events = [replay.event(number) for number in range(len(replay))]
    told = [(event.kind, event.node, [astuple(frame) for frame in replay.path(event.number)]) for event in events]
    assert told == aloud.told


def test_the_example_of_the_original_event_by_event() -> None:
    found = tree("nim:1,2,3,4", ORIGINAL)
    replay = Replay(found)
    kinds = [replay.event(number).kind for number in range(len(replay))]
    assert kinds.count(Kind.ENTER) == kinds.count(Kind.RETURN) == 669
    assert kinds.count(Kind.EVALUATE) == 393 and kinds.count(Kind.CUT) == 199
    node = line(found, "b1")
    returned = replay.returned(line(found, "b1 d1"))
    raised, cut = replay.event(returned + 1), replay.event(returned + 2)
    assert (raised.kind, cut.kind, cut.node) == (Kind.RAISE, Kind.CUT, node)
    frame = replay.path(cut.number)[-1]
    assert (frame.node, frame.alpha, frame.beta, frame.best) == (node, 4, 4, 4)
    assert replay.event(replay.entered(node)).node == node
    assert replay.returned(0) == len(replay) - 1 and replay.path(len(replay) - 1) == []
    cuts = [number for number, kind in enumerate(kinds) if kind is Kind.CUT]
    for at in range(-1, len(replay) + 1):
        assert replay.next_cut(at) == next((cut for cut in cuts if cut > at), None)
        assert replay.next_cut(at, backwards=True) == next((cut for cut in cuts[::-1] if cut < at), None)


@pytest.mark.slow
@settings(max_examples=6, deadline=None)
@given(st.integers(1, 668))
def test_a_tree_with_a_limit_replays_what_it_has(most: int) -> None:
    replay, whole = Replay(tree("nim:1,2,3,4", ORIGINAL, most=most)), Replay(tree("nim:1,2,3,4", ORIGINAL))
    kept = [event for event in map(whole.event, range(len(whole))) if max(event.node, event.child or 0) < most]
    events = [replay.event(number) for number in range(len(replay))]
    assert [(event.kind, event.node, event.child) for event in events] == [
        (event.kind, event.node, event.child) for event in kept
    ]


@pytest.mark.slow
@pytest.mark.parametrize("how", ["minimax:depth=5", "alphabeta:depth=9,table=64,order=killer"])
def test_a_search_that_was_stopped_replays_as_far_as_it_came(how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(depth_first, "FIRST_CHUNK", 300)
    monkeypatch.setattr(limits, "CAREFUL", 1)
    monkeypatch.setattr(limits, "_learned", {})  # how fast other tests were
    stopped = begun("nim:1,2,3,4", how)
    with pytest.raises(Cancelled):
        stopped.run(StopAfter(1))
    whole, part = Replay(tree("nim:1,2,3,4", how)), Replay(stopped.tree)
    assert 300 < len(part) < len(whole) and part.returned(0) is None
    for number in range(len(part)):
        assert part.event(number) == whole.event(number) and part.path(number) == whole.path(number)
