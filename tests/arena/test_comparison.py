"""Agents beside each other on one position, on all, and by their effort, against brute force and each asked alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from time import sleep

import pytest

from nimtui.agents import parse_agent
from nimtui.agents.agent import AlwaysReady, Decision, moves_of
from nimtui.arena.compare import comparison_report as words
from nimtui.arena.compare.comparison import (
    VISITED,
    WON,
    Cell,
    Column,
    Comparison,
    Kind,
    PositionComparison,
    ask,
    check,
    check_agents,
    compare_positions,
    state_of,
    verdicts_on,
)
from nimtui.arena.compare.comparison_report import settled_text
from nimtui.arena.compare.effort_curve import Curve, Step, crossings, curve_of, ladder, picture
from nimtui.engine import playouts
from nimtui.engine.rng import Stream
from nimtui.engine.windows import WIN
from nimtui.errors import InputError
from nimtui.games import Game, parse_game
from nimtui.games.base import State
from nimtui.games.rule_text import Place
from nimtui.learning.evaluate import RIGHT
from nimtui.progress import SILENT, Cancelled, Progress
from nimtui.report.document import document, file_text
from nimtui.theory.answers import known_moves
from nimtui.theory.truth import truth
from nimtui.trees import parse, search_of
from tests.stops import StopAfter
from tests.theory.oracles import heaps_lost, takes
from tests.ui.drawn import as_reported, as_written

AGENTS = ("mc:playouts=50", "mcts:simulations=200", "mcts:simulations=300,proven=yes", "alphabeta:depth=4", "random")
EVERY = (*AGENTS, "minimax:depth=3", "perfect", "value", "easy", "reward:games=100", "proof:games=100")


def compared(game: Game, state: State, agents: tuple[str, ...], seed: int = 0) -> Comparison:
    columns = tuple(ask(parse_agent(name, game), state, seed) for name in agents)
    return Comparison(game, state, columns, known_moves(game, state))


@pytest.mark.parametrize("position", ["1,2,3", "1,1,3", "0,2,3", "2,2,1", "3,2,0", "0,0,1"])
@pytest.mark.parametrize("misere", [False, True])
def test_an_agent_is_right_if_its_move_wins_by_brute_force(position: str, misere: bool) -> None:
    game = parse_game("nim:3,3,3" + ":misere" * misere)
    state, rows = game.new(position), tuple(map(int, position.split(",")))
    winning = {name for name, after in takes(rows, 3) if heaps_lost(after, 3, misere)}
    found = compared(game, state, AGENTS, seed=4)
    for column in found.columns:
        assert column.move is not None
        name = game.move_name(column.move, state)
        assert found.right(column) == (not winning or name in winning)
    assert found.decides == bool(winning and len(winning) < len(found.moves))
    parted = {column.move for column in found.columns}
    assert found.apart == (len(parted) > 1)
    assert {move for move in found.moves if found.disputed(move)} == (parted if found.apart else set())
    assert {game.move_name(move, state) for move in found.best_moves or ()} == (
        winning or {name for name, _ in takes(rows, 3)}
    )


@pytest.mark.parametrize("name", EVERY)
def test_a_column_is_the_agents_own_decision(name: str) -> None:
    game = parse_game("nim:3,4,5")
    state = game.new("3,4,2")
    agent = parse_agent(name, game)
    column, alone = ask(agent, state, 9), agent.decide(state, Stream(9))
    assert (column.move, column.nodes) == (alone.move, alone.nodes)
    assert [cell.value for cell in column.cells] == [thought.value for thought in alone.thoughts]
    assert [cell.score for cell in column.cells] == [thought.score for thought in alone.thoughts]
    if alone.thoughts:
        assert column.cell(alone.move).rank in (1, None)


@dataclass
class Scripted(AlwaysReady):
    """An agent that does what it is told."""

    act: Callable[[State, Progress], Decision]
    name: str = "scripted"
    title: str = "Scripted"

    def decide(self, state: State, stream: Stream, progress: Progress = SILENT) -> Decision:
        return self.act(state, progress)


def test_an_agent_that_fails_or_is_late_says_so_in_its_column_and_a_stop_is_no_fault() -> None:
    def raises(state: State, progress: Progress) -> Decision:
        raise ValueError("no idea")

    def sleeps(state: State, progress: Progress) -> Decision:
        for _ in range(1000):
            sleep(0.01)
            progress.report(0, 1)
        return Decision(moves_of(state)[0], ())

    game = parse_game("connect4")
    column = ask(Scripted(raises), game.start, 0)
    assert column.move is None and column.fault == "raised ValueError: no idea"
    assert column.decided and column.cells == ()
    assert ask(Scripted(sleeps), game.start, 0, 0.02).fault == "no answer within 0.02 s"
    search = parse_agent("mcts:simulations=1000000", game)
    column = ask(search, game.start, 0, 0.05)
    assert column.move is not None and not column.fault and 0 < (column.effort or 0) < 1_000_000, "its best so far"
    with pytest.raises(Cancelled):
        ask(search, game.start, 0, 0, StopAfter(1))


def test_what_cannot_be_compared_is_refused_in_a_line() -> None:
    game = parse_game("nim:1,2")
    perfect, mc = (parse_agent(name, game) for name in ("perfect", "mc"))
    check(game, game.start, [perfect])
    for position, agents, said in (
        ("1,2", [], "name the agents"), ("1,2", [mc, mc], "named twice"), ("0,0", [mc], "the game is over"),
    ):  # fmt: skip
        with pytest.raises(InputError, match=said):
            check(game, game.new(position), agents)
    for name, two, said in (("connect4", ("mc", "mcts"), "too large"), ("nim:1,2", ("mc", "mc"), "named twice"),
                            ("nim:1,2", ("mc",), "two agents, not 1")):  # fmt: skip
        board = parse_game(name)
        with pytest.raises(InputError, match=said):
            check_agents(board, [parse_agent(agent, board) for agent in two])


def test_reports_and_files_of_a_comparison_are_as_drawn() -> None:
    """Columns, sentences, curves and their pictures, of agents that are made up: one has no answer, one looks up."""
    game = parse_game("connect4:4x4")
    state = game.new("122")
    first, second, third, fourth = moves_of(state)
    cells = [
        Cell(first, 2, 0.125, None, "exact", 0.0004), Cell(second, 1, None, WIN - 5, "exact", 0.9996),
        Cell(third, None, None, -2.0, "upper", 0.0), Cell(fourth),
    ]  # fmt: skip
    columns = (
        Column("mc:playouts=10", tuple(cells), second, (second, first), 10_000, "playouts", 9_800, 0.012, WON),
        Column("alphabeta", tuple(cells[:2]), first, (first,), 1, "nodes", 1, 61.5, note="It looks one move ahead."),
        Column("perfect", (), second, (second,), seconds=0.5),
        Column("ann", fault="raised ValueError: no idea"),
        Column("bob", (replace(cells[0], rank=1),), first, (first,), 0, "simulations", 5, 0.0, VISITED),
    )
    curves = [
        Curve("mc:playouts=10", "playouts", (Step(1, first, -1.0), Step(10, second, 0.5), Step(100, second, 1.0))),
        Curve("alphabeta", "nodes", (Step(1, second, None, 3.0, 1), Step(20, first, None, WIN - 5, -1))),
        Curve("perfect", why_none="looks the move up"),
        Curve("bob", "playouts", (Step(1, second, 0.75), Step(50, second, 0.25))),
        Curve("eve", "nodes", (Step(7, second, None, 0.0, 2),)),
    ]
    place = Place(game, state, "122")
    known = Comparison(game, state, columns, known_moves(game, state))
    unknown = replace(known, truths=None)
    as_reported("comparison", "known", words.compared(place, known, 7, curves), 100)
    as_reported("comparison", "narrow", words.compared(place, replace(known, columns=columns[1:3]), 7), 40)
    as_reported("comparison", "unknown", words.compared(place, unknown, 7, curves[:2]), 100)
    as_written("comparison", "moves as CSV", words.csv(known))
    as_written("comparison", "curves as CSV", words.csv(unknown, curves))
    as_written("comparison", "curves as a picture", picture(known, curves))
    unsolved = picture(unknown, curves)
    assert unsolved.count('fill="#888"') == sum(len(each.steps) for each in curves) and "<path" not in unsolved
    texts = {kind: words.file_of(kind, place, known, 7, curves) for kind in (".json", ".svg", ".csv")}
    assert texts == {
        ".json": file_text(document(words.compared(place, known, 7, curves))),
        ".svg": picture(known, curves),
        ".csv": words.csv(known, curves),
    }
    pays = parse_game("tree:((3,9),(2,7))")
    left, right = moves_of(pays.start)
    paid = [Cell(left, 1, 1 / 3, None, None, 0.75, 9), Cell(right, 2, None, 2.0, "lower", 0.25, 9)]
    columns = (Column("mcts", tuple(paid), left, (left,), 8, "simulations", 5, 0.0, VISITED),)
    curve = Curve("mcts", "simulations", (Step(1, right, 2 / 9, largest=9), Step(8, left, 1 / 3, largest=9)))
    for title, truths in (("payoffs", known_moves(pays, pays.start)), ("payoffs, unknown", None)):
        comparison = Comparison(pays, pays.start, columns, truths)
        as_reported("comparison", title, words.compared(Place(pays, pays.start, None), comparison, 0, [curve]), 60)


# Two agents on all positions: against brute force, the standing of tables, and any number of workers.


def everywhere(game: str, first: str, second: str, seed: int = 0, workers: int = 1) -> PositionComparison:
    board = parse_game(game)
    return compare_positions(board, (parse_agent(first, board), parse_agent(second, board)), seed, workers)


@pytest.mark.parametrize("misere", [False, True])
def test_random_play_is_right_only_where_every_move_wins_by_brute_force(misere: bool) -> None:
    found = everywhere("nim:2,3,3" + ":misere" * misere, "random", "perfect")
    for node in range(found.positions):
        rows = tuple(map(int, found.name(node).split(",")))
        after = [heaps_lost(left, 3, misere) for _, left in takes(rows, 3)]
        wanted = Kind.NOTHING if not any(after) else Kind.BOTH if all(after) else Kind.SECOND
        assert found.kinds[node] == wanted, rows
    assert found.share(1) == 1.0 and sum(found.counts) == found.positions
    assert everywhere("nim:1:misere", "random", "perfect").share(0) == 1.0, "all lost"


def test_drawn_positions_have_no_distance_and_come_last_and_a_search_to_the_end_keeps_them() -> None:
    found = everywhere("connect:3x3x3", "random", "perfect")
    as_reported("comparison", "everywhere", words.compared_everywhere(found, 7), 80)
    assert found.by_distance()[-1].distance is None
    assert (found.solution.values[found.distances < 0] == 0).all()
    game = parse_game("connect:3x2x3")
    known = truth(game)
    assert (known.values >= 0).all() and (known.values == 0).any()
    assert (verdicts_on(parse_agent("alphabeta:depth=6", game), game, known) == RIGHT).all()


@pytest.mark.parametrize("names", [("mcts:simulations=30", "mc:playouts=5"), ("alphabeta:depth=2", "easy")])
def test_workers_change_nothing_and_seeds_do(names: tuple[str, str]) -> None:
    one, many = (everywhere("nim:2,3,4", *names, seed=3, workers=workers) for workers in (1, 3))
    assert all((a == b).all() for a, b in zip(one.verdicts, many.verdicts, strict=True))
    if names[0].startswith("mcts"):
        other = everywhere("nim:2,3,4", *names, seed=4)
        assert any((a != b).any() for a, b in zip(one.verdicts, other.verdicts, strict=True))


def test_each_position_is_decided_with_its_own_numbers() -> None:
    game = parse_game("nim:2,3,4")
    known, agent = truth(game), parse_agent("mc:playouts=5", game)
    found = verdicts_on(agent, game, known, seed=8)
    assert (verdicts_on(agent, game, known) == verdicts_on(agent, game, known, 0)).all()
    for node in range(0, len(known.values), 7):
        state = state_of(game, known.graph, node)
        move = agent.decide(state, Stream(8, node)).move
        edges = range(int(known.graph.ptr[node]), int(known.graph.ptr[node + 1]))
        keeps = next(bool(known.keeps[edge]) for edge in edges if known.graph.move[edge] == move)
        assert known.values[node] < 0 or (found[node] == RIGHT) == keeps


def test_files_hold_every_position() -> None:
    found = everywhere("nim:1,2", "random", "perfect")
    keys = document(words.compared_everywhere(found, 0)) | {"positions": list(words.rows(found, SILENT))}
    assert len(keys["positions"]) == found.positions == sum(keys["counts"].values())
    assert keys["positions"][0] == {
        "position": "1,0", "outcome": "win", "remoteness": 1, "first": "right", "second": "right", "right": "both",
    }  # fmt: skip
    assert words.positions_csv(found, SILENT).splitlines()[1] == '"1,0",win,1,right,right,both'


# Effort curves: every step is what the agent itself would do with so much effort.


GAME = parse_game("connect4:4x4")
STATE = GAME.new("122")  # only column 2 wins


def curve(name: str, seed: int = 0, game: Game = GAME, state: State = STATE, seconds: float = 0.0) -> Curve:
    return curve_of(parse_agent(name, game), state, seed, seconds=seconds)


def test_a_ladder_climbs_in_ones_twos_and_fives_to_its_top() -> None:
    assert list(ladder(1)) == [1] and list(ladder(2)) == [1, 2]
    assert list(ladder(120)) == [1, 2, 5, 10, 20, 50, 100, 120]


@pytest.mark.parametrize("options", ["", ",proven=yes", ",c=0.3", ",log=root"])
def test_a_tree_after_n_simulations_is_that_of_a_search_of_n(options: str) -> None:
    found = curve(f"mcts:simulations=2000{options}", seed=5)
    assert [step.effort for step in found.steps] == list(ladder(found.steps[-1].effort))
    for step in found.steps:
        alone = parse_agent(f"mcts:simulations={step.effort}{options}", GAME).decide(STATE, Stream(5))
        value = next(thought.value for thought in alone.thoughts if thought.move == alone.move)
        assert (step.move, step.value) == (alone.move, pytest.approx(value))


def test_depths_cost_the_nodes_of_a_search_to_each_depth() -> None:
    game = parse_game("nim:1,2,3,4")
    wanted = [
        search_of(game, game.start, parse(f"alphabeta:depth={depth},heuristic=original"), record=False).run().nodes
        for depth in (1, 2, 3, 4)
    ]
    for name, last in (("alphabeta", 669), ("minimax", 2978)):  # source: minimax and alpha-beta
        efforts = [step.effort for step in curve(f"{name}:depth=4,heuristic=original", 0, game, game.start).steps]
        assert efforts[-1] == last and (efforts == wanted or name == "minimax")


def test_a_search_claims_what_its_iterations_have_proven() -> None:
    found = curve("alphabeta:depth=4,deepening=yes")
    result = search_of(GAME, STATE, parse("alphabeta:depth=4,deepening=yes"), record=False).run().result
    assert [step.depth for step in found.steps] == [1, 2, 3, 4] and found.steps[-1].effort == result.nodes
    steps = curve("alphabeta:depth=14,deepening=yes").steps
    assert steps[-1].value == 1.0 and len(steps) > 3 and {step.value for step in steps[:-1]} == {None}
    to_the_end = curve("alphabeta:depth=-1").steps
    assert (to_the_end[-1].value, to_the_end[-1].move) == (1.0, 1) and len(to_the_end) > 3
    assert all(step.value in (None, 1.0) for step in to_the_end)
    assert curve("perfect") == Curve("perfect", why_none="has no effort to vary")
    units = {"mcts:simulations=9,c=1.0": "simulations", "minimax:depth=1": "nodes", "mc:playouts=2": "playouts"}
    found_units = {each.agent: each.unit for each in map(curve, [*units, "reward:games=9"])}
    assert found_units == {**units, "reward:games=9,seed=0": "games"}


@pytest.mark.parametrize("policy", ["", ",policy=perfect-opponent"])
def test_a_curve_claims_only_the_playouts_that_its_time_allowed(policy: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def until_the_third_round(n: int, left: Callable[[], float]) -> Iterator[tuple[int, int]]:
        yield from ((before, after) for before, after in ((0, 1), (1, 4), (4, 16)) if before < n)

    monkeypatch.setattr(playouts, "rounds", until_the_third_round)
    game = parse_game("nim:1,3,5")
    found = curve_of(parse_agent(f"mc:time=60{policy}", game), game.new("1,1,1"), 0)
    assert [step.effort for step in found.steps] == [3 * n for n in (1, 4, 16)]


@pytest.mark.parametrize("learner", ["reward", "proof"])
def test_a_learners_steps_are_learners_of_fewer_games(learner: str) -> None:
    game = parse_game("nim:1,3,5")
    state = game.new("1,3,4")
    found = curve_of(parse_agent(f"{learner}:games=300", game), state, 2)
    assert found.unit == "games" and [step.effort for step in found.steps][:3] == [1, 10, 100]
    for step in found.steps:
        alone = parse_agent(f"{learner}:games={step.effort}", game).decide(state, Stream(2))
        score = next(thought.score for thought in alone.thoughts if thought.move == alone.move)
        assert (step.move, step.score) == (alone.move, score)


def test_when_it_becomes_right_is_the_first_step_of_the_last_right_ones() -> None:
    found = Curve("a", "nodes", tuple(Step(n, move) for n, move in ((1, 5), (2, 3), (5, 4), (10, 3), (20, 5))))
    assert found.settled_from == 20 and found.right_from(frozenset({3, 5})) == 10
    assert found.right_from(frozenset({3})) is None and found.right_from(frozenset({3, 4, 5})) == 1


def test_curves_cross_where_the_higher_one_becomes_the_lower_one() -> None:
    one = Curve("a", "nodes", tuple(Step(n, 0, value) for n, value in ((1, 0.5), (10, 0.5), (100, -0.5))))
    other = Curve("b", "nodes", tuple(Step(n, 0, value) for n, value in ((2, 0.0), (20, 0.7), (200, 0.7))))
    assert crossings(one, other) == crossings(other, one) == [20]
    assert crossings(one, Curve("c", "playouts", other.steps)) == []  # efforts of other units do not compare
    assert crossings(one, one) == []


def test_the_summary_of_a_curve_is_computed() -> None:
    compared = Comparison(GAME, STATE, (), known_moves(GAME, STATE))
    for moves, said in (
        ((0, 1, 1), "Plays 2 from 10 nodes on."), ((1, 0), "Plays 1 after 10 nodes, the last step: a mistake."),
        ((0, 1), "Plays 2 after 10 nodes, the last step."), ((1,), "Plays 2 from 1 node on."),
        ((1, 0, 0), "Plays 1 from 10 nodes on: a mistake."),
    ):  # fmt: skip
        curve = Curve("a", "nodes", tuple(Step(10**at, move) for at, move in enumerate(moves)))
        assert settled_text(compared, curve) == said
        unsolved = settled_text(replace(compared, truths=None), curve)
        assert unsolved == said.replace(": a mistake", "")
    heaps = parse_game("nim:2,2,2")  # a2 and b2 win
    steps = tuple(
        Step(effort, heaps.parse_move(move, heaps.start)) for effort, move in ((1, "a1"), (5, "a2"), (10, "b2"))
    )
    compared = Comparison(heaps, heaps.start, (), known_moves(heaps, heaps.start))
    said = "Plays b2 after 10 nodes, the last step. Right from 5 nodes on."
    assert settled_text(compared, Curve("a", "nodes", steps)) == said


def test_moves_with_a_payoff_are_told_by_what_they_are_worth_and_a_column_by_what_it_cost() -> None:
    for tree, moves, best, verdicts in (
        ("tree:((3,9),(3,7),2)", (0, 2), "Best: 1, 2, each worth +3.", ["right", "mistake: +2"]),
        ("tree:((3,9),(1,7))", (1,), "Best: 1, worth +3.", ["mistake: +1"]),
        ("tree:((3,9),(3,7))", (1,), "Every move is worth +3.", ["every move is worth +3"]),
    ):
        game = parse_game(tree)
        columns = tuple(Column(str(move), move=move) for move in moves)
        found = Comparison(game, game.start, columns, known_moves(game, game.start))
        assert words.best_text(found) == best
        assert [words.verdict_text(found, column) for column in columns] == verdicts
    for column, said in (
        (Column("a", seconds=0.5), ("500 ms",)),
        (Column("a", effort=1, unit="nodes", nodes=1), ("1 node, 0.0 ms", "1 node")),
        (Column("a", effort=0, unit="playouts", nodes=9_800),
         ("0 playouts, 9,800 nodes, 0.0 ms", "0 playouts, 0.0 ms", "0 playouts")),
    ):  # fmt: skip
        assert words.effort_texts(column) == said
