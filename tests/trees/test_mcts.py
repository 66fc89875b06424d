"""Monte Carlo tree search: what it plays and reports, its replay by simulations, and how it continues after a move."""

from __future__ import annotations

import json
from itertools import count
from math import inf, log, sqrt
from typing import Any

import numpy as np
import pytest

from nimtui.engine import mcts
from nimtui.engine.rng import Stream
from nimtui.games import Game, base, parse_game
from nimtui.games.base import Move
from nimtui.progress import Cancelled, Progress
from nimtui.report.values import Bytes
from nimtui.theory.answers import known_moves
from nimtui.trees.export import as_json
from nimtui.trees.mcts import MonteCarloSearch, bytes_needed, children, proof_of
from nimtui.trees.mcts_replay import Branch, GrowingTree
from tests.agents.subtraction import lost, right
from tests.examples import with_slow
from tests.games.refusal import refusal
from tests.stops import StopAt
from tests.trees.helpers import growing

MATCHES = parse_game("subtraction:21,3:misere")


def accuracy(simulations: int, repeats: int, **how: Any) -> float:
    """Over the 15 winnable positions of 2 to 20 matches."""
    good = [
        MonteCarloSearch(MATCHES, MATCHES.new(str(matches)), simulations, stream=Stream(seed, matches), **how)
        .run()
        .best.move
        + 1
        in right(matches)
        for matches in range(2, 21)
        if not lost(matches)
        for seed in range(repeats)
    ]
    return sum(good) / len(good)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("simulations", "how", "repeats", "expected", "tolerance"),
    [
        # source: original 002 re-run with 0.711 and 0.80. For its own bound (the root's count) the re-run has
        # 0.679; its program word for word gave 0.709 ± 0.015 over 900 searches, and grows the same trees as this one
        # (tests/engine/test_searches.py). A share of 15 × repeats searches varies by 0.015, 0.015 and 0.023 (σ).
        (500, {}, 60, 0.711, 0.06),
        (500, {"log": "root"}, 60, 0.695, 0.06),
        (2000, {}, 20, 0.80, 0.08),
        (20_000, {"proven": True}, 1, 1.0, 0.0),
    ],
)
def test_accuracy_is_that_of_the_original(
    simulations: int, how: dict[str, Any], repeats: int, expected: float, tolerance: float
) -> None:
    found = accuracy(simulations, repeats, **how)
    assert abs(found - expected) <= tolerance
    if how == {} and simulations == 500:
        assert accuracy(500, 40, proven=True) > found + 0.02, "proving helps"


@pytest.mark.parametrize(
    ("name", "position", "value"),
    [
        *((MATCHES.name, str(matches), 1) for matches in (4, 6, 7)),
        *((MATCHES.name, "5", -1), ("nim:2,1", None, 1), ("nim:2,2", None, -1), ("nim:1,1:misere", None, 1)),
        ("noughts:3x2x3", None, 0),
    ],
)
def test_a_proven_search_ends_with_the_exact_value_and_plays_it(name: str, position: str | None, value: int) -> None:
    search = growing(name, 3_000, position, proven=True).run()
    assert search.settled and search.finished and search.done < 3_000 and search.value == value
    truths = known_moves(search.game, search.state)
    assert truths[search.best.move].optimal and search.best.proven == value
    assert value >= 0 or {move.proven for move in search.moves} == {-1}
    tree, node = search.columns, 0
    for move in search.principal_variation:
        below = [child for child in children(tree, node) if tree.visits[child]]
        means = {child: float(tree.total[child]) / int(tree.visits[child]) for child in below}
        node = max(below, key=lambda child: (proof_of(tree, child) or 0, tree.visits[child], means[child]))
        assert move == tree.move[node]
    assert not any(tree.visits[child] for child in children(tree, node)), "as far as moves were visited"
    replay = GrowingTree(search)
    last = next(
        step for n in range(1, replay.simulations + 1) if (step := replay.simulation(n)).backup[-1].proven is not None
    )
    assert last.backup[-1].node == 0 and last.backup[-1].proven == value == replay.seek(search.done).proven(0)
    below = search.after(search.best.move, Stream(4))  # a proof below stays a proof
    assert below.settled and below.value == -value


@pytest.mark.parametrize("name", ["tower:16", "connect:3x3x3", "tree:((3,9),(2,7))"])
def test_what_it_reports(name: str) -> None:
    search = growing(name, 300, c=0.5).run()
    game, moves = search.game, search.moves
    assert [move.move for move in moves] == base.legal_moves(game.start)
    assert sum(move.visits for move in moves) == 300
    assert search.best.visits == max(move.visits for move in moves)
    for move in moves:
        assert -search.scale <= move.mean <= search.scale and move.mean < move.ucb
        assert move.ucb == pytest.approx(move.mean + 0.5 * search.scale * sqrt(log(300) / move.visits))
        assert move.value == move.mean
    line, state = search.principal_variation, game.new()
    assert line[0] == search.best.move
    for made in line:
        assert base.legal(state, made)
        base.play(state, made)
    parents, visited = search.columns.parent.tolist(), np.flatnonzero(search.columns.visits).tolist()
    below = dict.fromkeys(children(search.columns, 0), 0)
    for node in visited[1:]:
        while parents[node]:
            node = parents[node]
        below[node] += 1
    assert search.survey == (len({*visited} - {parents[node] for node in visited[1:]}), list(below.values()))
    assert search.nodes == len(visited) <= 301 and search.scale == (9 if game.pays else 1)
    assert 0 < search.space.used_bytes < bytes_needed(game.start, 300, valued=game.pays)


@pytest.mark.slow
def test_stopped_in_a_playout_it_is_valid_as_far_as_it_came_and_continues_and_extends_to_the_same_end() -> None:
    search = growing("connect4", 30_000)
    assert search.moves[0].visits == 0 and search.nodes == 1
    with pytest.raises(Cancelled):
        search.run(StopAt(1))
    assert 0 < search.done < 30_000 and not search.finished
    assert sum(move.visits for move in search.moves) == search.done
    search.extend(40_000)
    assert search.run(until=30_000).done == 30_000 and not search.finished
    assert search.moves == growing("connect4", 30_000).run().moves
    assert search.run().finished and search.moves == growing("connect4", 40_000).run().moves


@pytest.mark.parametrize(
    ("game", "how"),
    [
        ("connect:4x3x3", {}),
        ("subtraction:9,3:misere", {"proven": True}),
        ("nim:3,4", {"policy": "perfect-opponent", "log": "root"}),
    ],
)
@pytest.mark.parametrize("steps", [(1, 2, 3, 90), (10, 50, 51, 90)])
def test_extended_or_run_by_parts_it_grows_the_tree_of_one_long_search(
    game: str, how: dict[str, Any], steps: tuple[int]
) -> None:
    whole, search, parts = (
        growing(game, 90, **how).run(),
        growing(game, steps[0], **how).run(),
        growing(game, 90, **how),
    )
    for simulations in steps[1:]:
        search.extend(simulations)
        search.run()
        assert parts.run(until=simulations).done == search.done
    assert parts.moves == search.moves == whole.moves and search.done == whole.done
    mine, theirs = search.columns, whole.columns
    visited = theirs.visits > 0
    for column in ("parent", "move", "visits", "width", "proof"):
        assert np.array_equal(getattr(mine, column), getattr(theirs, column)), column
    for column in ("total", "mean", "doubt", "ended"):
        assert np.array_equal(getattr(mine, column)[visited][1:], getattr(theirs, column)[visited][1:]), column
    assert np.array_equal(mine.first[mine.width > 0], theirs.first[theirs.width > 0])
    assert all(map(np.array_equal, search.growth, whole.growth))


def test_memory_left_by_one_search_changes_nothing_in_the_next() -> None:
    clean = growing("nim:3,4", 120).run().moves
    for simulations in (300, 120, 20):  # the next finds more room than it needs, or less
        used = growing(MATCHES.name, simulations, seed=1).run()
        used.release()
        assert used.done == 0 and used.moves[0].visits == 0
        search = growing("nim:3,4", 120).run()
        assert search.moves == clean
        search.release()
        assert growing("nim:3,4", 120, proven=True).run().proven


def test_the_memory_of_two_small_plain_searches_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    for game, how, most, kept in (
        ("nim:3,4", {}, 10**9, 2),
        ("nim:3,4", {"proven": True}, 10**9, 0),
        ("tree:((3,9),(2,7))", {}, 10**9, 0),
        ("nim:3,4", {}, growing("nim:3,4", 20).bytes_needed, 2),
        ("nim:3,4", {}, growing("nim:3,4", 20).bytes_needed - 1, 0),
    ):
        spare: list[Any] = []
        monkeypatch.setattr("nimtui.trees.mcts._spare", spare)
        monkeypatch.setattr("nimtui.trees.mcts.MOST_SPARE_BYTES", most)
        searches = [growing(game, 20, **how).run() for _ in range(3)]
        wholes = [search._whole for search in searches]
        growing(game, 20).release()  # it has none yet
        for search in searches:
            search.release()
        assert [whole for whole, _ in spare] == wholes[:kept] and (searches[0].done, searches[0].nodes) == (0, 1)
    branches = [Branch(1, 0, 3, 0.5, bonus, proven) for bonus, proven in ((0.25, None), (None, -1), (None, None))]
    assert [branch.bound for branch in branches] == [0.75, -1.0, None]


def test_playouts_against_a_perfect_opponent() -> None:
    # After a losing move the perfect opponent wins every playout, so all means tell at once.
    for matches in (6, 10, 14, 18):
        search = growing(MATCHES.name, 3, str(matches), policy="perfect-opponent").run()
        assert all(move.mean == -1 for move in search.moves if move.move + 1 not in right(matches))
    late = parse_game("nim:3,2")
    from_there = Game(late.module, base.with_board(late.start, late.parse_position("1,2")))
    search = MonteCarloSearch(from_there, late.new("3,2"), 500, policy="perfect-opponent").run()
    assert late.move_name(search.best.move, late.new()) == "a1"


def test_the_roots_of_all_visits_are_known_and_the_clock_starts_at_0(monkeypatch: pytest.MonkeyPatch) -> None:
    asked, roots = list[int](), mcts.roots
    monkeypatch.setattr(mcts, "roots", lambda visits: asked.append(visits) or roots(visits))
    search = growing("nim:1,2", 30)
    assert (search.seconds, search.spent, search.done, search.deepest) == (0, 0, 0, 0)
    assert search.run().done == max(asked) == 30
    asked.clear()
    timed = growing("nim:1,2", 0, time=0.001).run()
    assert timed.done <= max(asked)
    ticks = count()
    monkeypatch.setattr("nimtui.trees.mcts.perf_counter", lambda: next(ticks) / 8)
    timed = growing("connect4", 0, time=1.0).run()  # each part of it takes an eighth of a second of this clock
    assert (timed.spent, timed.finished) == (1.0, True) and timed.done >= 8 and timed.seconds > 1
    assert growing("connect4", timed.done).run().moves == timed.moves
    monkeypatch.setattr("nimtui.engine.limits._learned", {})
    assert growing("connect4", 0, time=0.001).run().done == 1  # some calls of a few plies, until there is one


def test_a_tree_search_tells_how_far_it_is_and_a_proof_as_its_end() -> None:
    told, whole = list[tuple[float, float, str]](), Progress()
    whole.report = lambda *report: told.append(report)
    for name, simulations, until, how, last in (
        ("nim:1,2", 30, None, {}, (30, 30)),
        ("nim:1,2", 30, 20, {}, (20, 30)),
        ("nim:1,1", 6, None, {"proven": True}, (6, 6)),
        ("nim:1,2", 0, 20, {"time": inf}, (20, 0)),
        ("nim:1,2", 90, None, {"time": 60.0}, (60, 60)),
    ):
        assert growing(name, simulations, **how).run(whole, until).done in (until, simulations, 4)
        assert told[-1] == (*last, "simulations")
    search = growing("nim:1,2", 90, time=60.0).run(whole, 20)
    assert told[-1] == (search.spent, 60, "simulations") and 0 < search.spent <= search.seconds < 60


def test_what_cannot_be_is_said_before_anything_is_allocated() -> None:
    pays = growing("tree:((3,9),(2,7))", 50)
    assert pays.scale == 9
    needed = bytes_needed(pays.game.start, 50, valued=True)
    assert needed == growing(pays.game.name, 50, most_bytes=needed).bytes_needed
    assert refusal(growing, pays.game.name, 50, most_bytes=needed - 1) == (
        f"50 simulations could need {Bytes(needed)} ({needed:,} bytes) for their tree, more than the "
        f"{Bytes(needed - 1)} allowed: at most 49 fit"
    )
    many = refusal(growing, "connect4", 10_000_000)
    assert "10,000,000 simulations could need " in many and " GB " in many and ": at most " in many
    for option in ("proven=yes", "policy=perfect-opponent"):
        key, value = option.replace("yes", "").split("=")
        said = refusal(growing, pays.game.name, 5, **{key: value or True})
        assert said == f"this game ends with a number: mcts has no {option} for it"
    plain = MonteCarloSearch(MATCHES, MATCHES.start)
    assert (plain.simulations, plain.c, plain.log, plain.policy, plain.proven) == (500, 1.0, "parent", "uniform", False)
    assert (plain.time, plain.stream.counter.tolist()) == (0, Stream(0).counter.tolist())
    # With a time alone: the nodes of one simulation and those that fit into its bytes, 41 each, and 33 a simulation.
    timed = growing("connect4", 0, time=1.0, timed_bytes=41 * 100 + 40)
    assert timed.simulations == 20_000_000 and timed.bytes_needed == (1 + 7 + 100) * 41 + 20_000_000 * 33
    timed = growing("connect4", 0, time=1.0, timed_bytes=46 * 100 + 45, proven=True)
    assert timed.bytes_needed == (1 + 7 + 100) * 46 + 20_000_000 * 33
    least = bytes_needed(timed.game.start, 1)
    assert least == (1 + 7) * 41 + 33 and growing("connect4", 0, time=1.0, most_bytes=least)
    assert "1 simulations could" in refusal(growing, "connect4", 0, time=1.0, most_bytes=least - 1)
    assert "no perfect opponent for the playouts" in refusal(growing, "connect4", 500, policy="perfect-opponent")
    assert "the game is over at 0" in refusal(growing, MATCHES.name, 500, "0")
    search = growing("nim:1", 5).run()
    assert "the game is over" in refusal(search.after, int(base.legal_moves(search.state)[0]), Stream(4))


# The replay: every simulation's four phases, and the tree before and after each.

HOW: list[tuple[str, dict[str, Any]]] = [
    ("nim:1,3,4", {"log": "root", "c": 0.4}),
    ("nim:3,2:misere", {"policy": "perfect-opponent"}),
    ("connect:3x3x3", {"proven": True}),
    ("nim:2,2,1", {"proven": True, "policy": "perfect-opponent"}),
]


@pytest.mark.parametrize(("name", "how"), HOW)
def test_the_tree_after_any_simulation_is_that_of_a_search_of_so_many(name: str, how: dict[str, Any]) -> None:
    replay = GrowingTree(growing(name, 120, **how).run())
    assert replay.choice(0).chosen == -1, "no simulation chooses here"
    tried = [child for child in replay.children(0) if replay.visits[child]]
    total = sum(int(replay.visits[child]) * (replay.mean(child) or 0.0) for child in tried)
    assert replay.mean(0) == pytest.approx(total / sum(int(replay.visits[child]) for child in tried))
    written = json.loads(as_json(replay))
    assert written["nodes"][0]["mean"] == replay.mean(0) and "at the root the player to move" in written["mean_of"]
    if replay.proven(0) is not None:
        assert replay.proven(0) == max(replay.proven(child) or -1 for child in tried)
        assert written["nodes"][0]["proven"] == replay.proven(0)
    for at in (1, 40, 119, 120, 3, 0, 60):
        if at > replay.simulations:
            continue
        replay.seek(at)
        if not at:
            assert replay.children(0) == range(0)
            continue
        shorter = GrowingTree(growing(name, at, **how).run())
        nodes, told = len(shorter.visits), replay.choice(0)
        assert (
            not told.untried
            and [each.visits for each in told.branches] == replay.visits[1 : 1 + len(told.branches)].tolist()
        )
        assert replay.visits[:nodes].tolist() == shorter.visits.tolist() and not replay.visits[nodes:].any()
        for node in range(nodes):
            ranks = {child: (replay.proven(child) or 0, replay.visits[child]) for child in replay.visited(node)}
            best = max(ranks.values(), default=None)
            assert replay.best_child(node) == next((child for child, rank in ranks.items() if rank == best), None)
            assert replay.children(node) == shorter.children(node)
            assert replay.mean(node) == shorter.mean(node)
            assert replay.proven(node) == shorter.proven(node)


@pytest.mark.parametrize(("name", "how"), HOW)
def test_the_four_phases_follow_from_each_other(name: str, how: dict[str, Any]) -> None:
    search = growing(name, 100, **how).run()
    replay, leaves = GrowingTree(search), list[int]()
    assert len(replay) == len(search.columns.parent)
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
        assert (base.outcome(state) == base.GOING_ON and replay.proven(step.leaf) is None) or not step.playout
        for move in step.playout:
            assert base.legal(state, move)
            base.play(state, move)
        if replay.proven(step.leaf) is None:
            worth = {base.WON: 1, base.LOST: -1, base.DRAW: 0}[base.outcome(state)]
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
    paths = [replay.path(leaf) for leaf in leaves]
    for node in range(1, len(replay)):
        through = [number for number, path in enumerate(paths, 1) if node in path]
        assert len(through) == replay.visits[node] and replay.reached_first(node) == (through or [0])[0]


# A search continues after a move with what it found below that move.


def numbers(search: MonteCarloSearch, below: tuple[Move, ...] = ()) -> dict[tuple[Move, ...], tuple[Any, ...]]:
    """Return visits, total and proof of each visited node strictly below some moves, by the path from there."""
    tree, found = search.columns, {}
    for node in range(1, len(tree.parent)):
        path, at = (), node
        while at:
            path, at = (int(tree.move[at]), *path), int(tree.parent[at])
        if tree.visits[node] and path[: len(below)] == below and len(path) > len(below):
            found[path[len(below) :]] = int(tree.visits[node]), int(tree.total[node]), proof_of(tree, node)
    return found


def is_sound(search: MonteCarloSearch) -> bool:
    """Return whether every node lies after its parent, beside its siblings, and counts what its children count."""
    tree = search.columns
    if not np.allclose(tree.doubt[tree.visits > 0], tree.visits[tree.visits > 0] ** -0.5):
        return False
    for node in range(len(tree.parent)):
        inside = children(tree, node)
        if any(int(tree.parent[child]) != node for child in inside) or any(child <= node for child in inside):
            return False
        visits = sum(int(tree.visits[child]) for child in inside)
        own = int(node > 0 and tree.visits[node] > 0)
        if (inside or node == 0) and int(tree.visits[node]) != visits + own:
            return False
    return int(tree.visits[0]) == search.done


@pytest.mark.parametrize("how", [{}, {"proven": True}, {"log": "root"}], ids=str)
@pytest.mark.parametrize("name", with_slow(["nim:3,4", "connect:4x3x3"], "connect:4x3x3"))
def test_the_subtree_keeps_its_visits_results_and_proofs_and_continues(name: str, how: dict[str, Any]) -> None:
    search = growing(name, 300, **how).run()
    own = numbers(search)
    for move in [found.move for found in search.moves if found.visits]:
        if base.outcome(search.game.after(search.state, move)) != base.GOING_ON:
            continue
        after = search.after(move, Stream(4))
        before = numbers(after)
        assert before == numbers(search, (move,))
        child = next(node for node in children(search.columns, 0) if search.columns.move[node] == move)
        assert after.done == int(search.columns.visits[child]) - 1
        assert is_sound(after)
        assert max(map(len, before), default=0) <= after.deepest == search.deepest - 1
        assert after.growth.leaf.shape == (after.done,)
        after.run()
        assert numbers(search) == own and is_sound(search), "the search that it came from stays valid"
        assert (after.done == 300 or after.settled) and is_sound(after)
        assert all(numbers(after)[path][0] >= visits for path, (visits, _, _) in before.items())
        simulated = np.zeros(len(after.columns.parent), np.int64)
        for leaf in after.growth.leaf:  # each simulation counts once in every node from its leaf up to the root
            node = int(leaf)
            while True:
                simulated[node] += 1
                if node == 0:
                    break
                node = int(after.columns.parent[node])
        assert np.array_equal(simulated, after.columns.visits)


def test_the_tree_after_two_moves_is_that_of_the_two_in_turn_and_an_untried_move_starts_an_empty_search() -> None:
    search = growing("connect:4x3x3", 900).run()
    line = search.principal_variation[:2]
    assert numbers(search.after(line[0], Stream(4)).after(line[1], Stream(5))) == numbers(search, tuple(line))
    search = growing("tower:16", 1).run()
    after = search.after(next(found.move for found in search.moves if not found.visits), Stream(4))
    assert after.done == 0 and after.run().done == 1


@pytest.mark.slow
def test_a_simulation_that_was_interrupted_in_its_playout_is_left_out() -> None:
    search = growing("connect4:5x4", 2000).run()
    scratch, path = search._scratch
    search.simulations = 4000
    search._whole, search._growth = mcts.tree(40_000, False), mcts.growth(4000)
    search._at = mcts.at_first()
    options = mcts.Options(1.0, False, False, False)
    grown = (search._whole, search._growth, mcts.opponent(), None, None)
    given = (scratch, search.state.board, *grown, options, mcts.roots(4000))
    path = np.empty(4002, np.int32)
    for plies in range(1, 400):  # until a chunk ends within a playout that expanded a node
        mcts.grow(*given, search._at, path, search.stream.counter, 4000, plies)
        if search._at[mcts.DEPTH] > 1 and search.done > 200:
            break
    assert search._at[mcts.DEPTH] > 1
    after = search.after(search.best.move, Stream(4))
    assert is_sound(after) and numbers(after) == numbers(search, (search.best.move,))
    assert is_sound(after.run())
