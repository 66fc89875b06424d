"""The replay of a tree search: every simulation's four phases, and the tree before and after each."""

from __future__ import annotations

import json
from math import log, sqrt

import pytest

from nimtui.engine.rng import Stream
from nimtui.games import base, parse_game
from nimtui.trees.export import as_json
from nimtui.trees.mcts import MonteCarloSearch
from nimtui.trees.mcts_replay import GrowingTree

HOW: list[tuple[str, dict[str, object]]] = [
    ("nim:1,3,4", {"log": "root", "c": 0.4}),
    ("nim:3,2:misere", {"policy": "perfect-opponent"}),
    ("connect:3x3x3", {"proven": True}),
    ("nim:2,2,1", {"proven": True, "policy": "perfect-opponent"}),
]


def searched(name: str, simulations: int, how: dict[str, object], seed: int = 3) -> MonteCarloSearch:
    game = parse_game(name)
    search = MonteCarloSearch(game, game.start, simulations, stream=Stream(seed), **how)  # type: ignore[arg-type]
    return search.run()


@pytest.mark.parametrize(("name", "how"), HOW)
def test_the_tree_after_any_simulation_is_that_of_a_search_of_so_many(name: str, how: dict[str, object]) -> None:
    replay = GrowingTree(searched(name, 120, how))
    for at in (1, 40, 119, 120, 3, 0, 60):
        if at > replay.simulations:
            continue
        replay.seek(at)
        if not at:
            assert replay.children(0) == range(0)
            continue
        shorter = GrowingTree(searched(name, at, how))
        nodes = len(shorter.visits)
        assert replay.visits[:nodes].tolist() == shorter.visits.tolist() and not replay.visits[nodes:].any()
        for node in range(nodes):
            assert replay.children(node) == shorter.children(node)
            assert replay.mean(node) == shorter.mean(node)
            assert replay.proven(node) == shorter.proven(node)


@pytest.mark.parametrize(("name", "how"), HOW)
def test_the_root_is_worth_to_the_player_to_move_what_his_moves_are(name: str, how: dict[str, object]) -> None:
    search = searched(name, 120, how)
    replay = GrowingTree(search)
    tried = [child for child in replay.children(0) if replay.visits[child]]
    total = sum(int(replay.visits[child]) * (replay.mean(child) or 0.0) for child in tried)
    assert replay.mean(0) == pytest.approx(total / sum(int(replay.visits[child]) for child in tried))
    written = json.loads(as_json(replay))
    assert written["nodes"][0]["mean"] == replay.mean(0) and "at the root the player to move" in written["mean_of"]
    if replay.proven(0) is not None:
        assert replay.proven(0) == max(replay.proven(child) or -1 for child in tried)
        assert written["nodes"][0]["proven"] == replay.proven(0)


@pytest.mark.parametrize(("name", "value"), [("nim:2,1", 1), ("nim:2,2", -1), ("nim:1,1:misere", 1)])
def test_a_proven_root_has_the_exact_value_for_the_player_to_move(name: str, value: int) -> None:
    replay = GrowingTree(searched(name, 400, {"proven": True}))
    assert replay.proven(0) == value
    last = next(step for n in range(1, replay.simulations + 1) if (step := replay.simulation(n)).backup[-1].proven)
    assert last.backup[-1].node == 0 and last.backup[-1].proven == value


@pytest.mark.parametrize(("name", "how"), HOW)
def test_the_four_phases_follow_from_each_other(name: str, how: dict[str, object]) -> None:
    search = searched(name, 100, how)
    replay = GrowingTree(search)
    leaves: list[int] = []
    for number in range(1, replay.simulations + 1):
        step = replay.simulation(number)
        assert replay.at == number - 1
        # Selection: the first move not tried, or the highest bound.
        node = 0
        for choice in step.select:
            assert choice.node == node
            tried = [branch for branch in choice.branches if branch.mean is not None]
            if choice.untried:
                assert choice.chosen == choice.branches[len(tried)].node
            else:
                assert len(tried) == len(choice.branches)
                best = max(branch.bound for branch in tried if branch.bound is not None)
                [chosen] = [branch for branch in tried if branch.node == choice.chosen]
                assert chosen.bound == pytest.approx(best, abs=1e-12)
                if chosen.proven is None and chosen.visits:
                    assert chosen.bonus == pytest.approx(search.c * sqrt(log(choice.count) / chosen.visits))
            node = choice.chosen
        assert node == step.leaf
        # Expansion and the playout, which ends the game with the result.
        leaves.append(step.leaf)
        assert step.expanded == (leaves.count(step.leaf) == 1)
        state = replay.state(step.leaf)
        assert base.outcome(state) == base.GOING_ON or not step.playout
        for move in step.playout:
            assert base.legal(state, move)
            base.play(state, move)
        if replay.proven(step.leaf) is None:
            outcome = base.outcome(state)
            worth = {base.WON: 1, base.LOST: -1, base.DRAW: 0}[outcome]
            assert step.result == (-worth if len(step.playout) % 2 else worth)
        else:
            assert step.result == replay.proven(step.leaf)
        # Backing up: from the leaf to the root, the sign alternating; the root has that of the moves from it.
        assert [change.node for change in step.backup] == replay.path(step.leaf)[::-1]
        for above, change in enumerate(step.backup):
            assert change.result == (-step.result if (above - (change.node == 0)) % 2 else step.result)
            assert change.before == replay.mean(change.node)
        replay.seek(number)
        for change in step.backup:
            assert change.after == replay.mean(change.node)
            assert replay.visits[change.node] == change.visits + 1
            if change.proven is not None:
                assert replay.proven(change.node) == change.proven


def test_the_first_simulation_through_a_node_is_found() -> None:
    replay = GrowingTree(searched("nim:1,3", 60, {}))
    paths = [replay.path(int(leaf)) for leaf in replay.growth.leaf]
    for node in [*replay.children(0), *replay.children(replay.children(0)[0])]:
        through = [number for number, path in enumerate(paths, 1) if node in path]
        assert len(through) == replay.visits[node] and replay.reached_first(node) == through[0]
