"""What the Play screen says an agent thinks, against own searches, exact chances and brute force."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from math import sqrt

import pytest

from nimtui import theory
from nimtui.agents.mcts import thinking_of as mcts_thinking
from nimtui.agents.searching import thinking_of
from nimtui.engine.windows import WIN
from nimtui.games import base
from nimtui.games.base import Move, State
from nimtui.playing import advice
from nimtui.playing.analysis import best_by
from nimtui.report.lines import plain_text
from nimtui.theory.answers import known_moves
from nimtui.trees import search_of
from nimtui.trees.mcts import MonteCarloSearch
from nimtui.trees.settings import parse
from nimtui.ui.kit.terminal.glyphs import UNICODE
from nimtui.ui.play.thinking import Belief, depths_of, facts_of
from tests.examples import examples
from tests.patterns import COUNT, real
from tests.theory.force import Force

GAMES = ["nim:2,3,1:misere", "nim:5,4:max=2", "chomp:2x4", "noughts:3x3x3", "connect:3x3x3"]


def searched(state: State, depth: int, ply: int = 0) -> int:
    """The value of minimax for the player to move."""
    if (over := int(base.outcome(state))) != base.GOING_ON:
        return 0 if over == base.DRAW else -over * (WIN - ply)
    if not depth:
        return int(base.evaluate(state))
    best = -(10**12)
    for move in base.legal_moves(state):
        after = base.copy(state)
        base.play(after, move)
        best = max(best, -searched(after, depth - 1, ply + 1))
    return best


def chances(force: Force, state: State, known: dict[bytes, tuple[float, float]]) -> tuple[float, float]:
    """How often the player to move wins and loses if both play at random."""
    key = state.board.tobytes()
    if key not in known:
        if (over := int(base.outcome(state))) != base.GOING_ON:
            known[key] = {base.WON: (0.0, 1.0), base.LOST: (1.0, 0.0), base.DRAW: (0.0, 0.0)}[over]
        else:
            replies = [chances(force, force.after(state, move), known) for move in base.legal_moves(state)]
            known[key] = tuple(sum(side) / len(replies) for side in zip(*replies, strict=True))[::-1]  # type: ignore[assignment]
    return known[key]


def positions(force: Force, number: int) -> Iterator[State]:
    found = [state for state in force.positions(6) if base.outcome(state) == base.GOING_ON]
    yield from random.Random(force.game.name).sample(found, min(number, len(found)))


def score(text: str) -> int:
    """A value of a search as it is written: '−4', 'wins in 7'."""
    decided = re.fullmatch(r"(wins|loses) in (\d+)", text)
    return (1 if decided[1] == "wins" else -1) * (WIN - int(decided[2])) if decided else int(real(text))


def test_a_line_beside_exact_values_is_called_best_only_if_it_is() -> None:
    """A tree search of few simulations often begins with another move than the best one."""
    others = 0
    for game in GAMES[1:4]:
        force = Force(game)
        for state in positions(force, 10):
            name, search = partial(force.game.move_name, state=state), MonteCarloSearch(force.game, state, 30)
            search.run()
            truths = known_moves(force.game, state)
            assert truths is not None
            thinking = replace(mcts_thinking(search, 1.0), move=best_by(truths, None))
            if len(thinking.line) < 2:
                continue
            belief = Belief(0, "T", thinking, name, base.legal_moves(state), truths)
            found = re.fullmatch(r"(best line|the search expects) (.+)", facts_of(belief, 80)[0])
            assert found and found[2].split() == [name(move) for move in thinking.line]
            is_best = found[2].split()[0] in force.keeping(state)
            assert is_best or found[1] == "the search expects"
            assert facts_of(replace(belief, truths={}), 80)[0] == f"best line {found[2]}"
            others += not is_best
    assert others


@pytest.mark.parametrize("game", GAMES[:3])
def test_every_finished_depth_of_a_deepening_search_has_the_value_of_minimax(game: str) -> None:
    force = Force(game)
    for state in positions(force, 2):
        search = search_of(force.game, state, parse("alphabeta:depth=3,table=64,deepening=yes"), record=False).run()
        name = partial(force.game.move_name, state=state)
        belief = Belief(0, "T", thinking_of(search.result, 1.0), name, base.legal_moves(state))
        done = re.fullmatch(rf"depth (\d+) searched · ({COUNT}) table hits", facts_of(belief, 30)[-1])
        assert done and int(done[1]) == search.result.depth and real(done[2]) < search.result.nodes
        listed = depths_of(belief, UNICODE)
        assert len(listed) != 1  # one depth alone is not listed
        for at, line in enumerate(listed, 1):
            found = re.fullmatch(rf"depth (\d+) +(\S+) (.+) · ({COUNT}) nodes", plain_text(line))
            assert found and int(found[1]) == at and real(found[4]) > 0
            after = force.after(state, force.game.parse_move(found[2], state))
            assert score(found[3]) == searched(state, at) == -searched(after, at - 1, 1)


HINT = r"(Column )?(\S+) looks best: it (won|scored) ([\d.]+) % (of|in) 1,000 random games\. Not solved exactly\."


@pytest.mark.parametrize("game", ["nim:5,4:max=2", "noughts:3x3x3", "connect:3x3x3"])
def test_a_hint_without_a_solution_says_what_random_games_give(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def unsolvable(*_: object) -> None:
        raise theory.Unsolvable("too large")

    monkeypatch.setattr(advice.plain, "explained", unsolvable)
    force, known = Force(game), dict[bytes, tuple[float, float]]()
    for state in positions(force, examples(3)):
        hint = advice.hint(force.game, state)
        found = re.fullmatch(HINT, hint.text)
        assert found, f"a sentence without a pattern: {hint.text}"
        assert bool(found[1]) == (force.game.board_kind == "columns")
        assert found[2] == force.game.move_name(hint.move, state)
        points: dict[Move, float] = {}
        for move in base.legal_moves(state):
            lose, win = chances(force, force.after(state, move), known)
            points[move] = (win + 1 - lose) / 2
        share = points[hint.move]
        slack = 5 * sqrt(max(share * (1 - share), 0.0) / 1000)
        assert abs(real(found[4]) / 100 - share) <= slack + 0.00051
        assert share >= max(points.values()) - 2 * 5 * 0.5 / sqrt(1000)
        drawn = any(int(base.outcome(one)) == base.DRAW for one in force.positions(60))
        assert (found[3], found[5]) in (("scored", "in"), ("won", "of")) and not (drawn and found[3] == "won")
