"""What a column of a comparison holds: effort, shares and ranks by hand; and what all positions are asked with."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from nimtui.agents import parse_agent
from nimtui.agents.agent import Decision, Thinking, Thought, moves_of
from nimtui.arena.compare import comparison, comparison_report, effort_curve
from nimtui.arena.compare.comparison import (
    VISITED,
    WON,
    AtDistance,
    Cell,
    Column,
    Comparison,
    Kind,
    ask,
    cells_of,
    compare_positions,
    effort_of,
    ranks_of,
    verdicts_on,
)
from nimtui.arena.compare.comparison_report import settled_text
from nimtui.arena.compare.effort_curve import Curve, Step, curve_of, picture
from nimtui.engine.rng import Stream
from nimtui.engine.windows import DECIDED, WIN
from nimtui.games import parse_game
from nimtui.games.base import State
from nimtui.learning.evaluate import NOTHING, RIGHT, standing
from nimtui.learning.graph_table import on_graph
from nimtui.learning.learner import parse_learner
from nimtui.learning.opponents import train_interpreted
from nimtui.progress import Progress, TimeUp
from nimtui.theory.answers import known_moves
from nimtui.theory.truth import truth
from nimtui.trees import parse
from tests.arena.test_comparison import AGENTS, GAME, STATE, Scripted, compared, curve, everywhere


def visited(
    move: int, visits: int | None, value: float | None = None, mean: float | None = None, largest: int = 0
) -> Any:
    return Thought(move, value, visits=visits, mean=mean, largest=largest)


@pytest.mark.parametrize(
    ("thoughts", "nodes", "effort", "shares", "share_of"),
    [
        ((visited(0, 3), visited(1, 1), visited(2, None)), 9, (4, "simulations"), (0.75, 0.25, 0.0), VISITED),
        ((Thought(0, wins=3, losses=2, draws=1), Thought(1, wins=1), Thought(2, losses=4), Thought(3)), 9,
         (11, "playouts"), (0.75, 0.25, 0.0, 0.0), WON),
        ((Thought(0, wins=0), Thought(1, losses=3)), None, (3, "playouts"), (None, None), ""),
        ((visited(0, 0), visited(1, 0)), 7, (7, "nodes"), (None, None), ""),
        ((Thought(0, score=2.0),), 0, (0, "nodes"), (None,), ""),
        ((Thought(0),), None, (None, ""), (None,), ""),
    ],
)  # fmt: skip
def test_the_effort_is_the_work_of_all_moves_and_a_share_a_part_of_it(
    thoughts: tuple[Thought, ...], nodes: int | None, effort: Any, shares: Any, share_of: str
) -> None:
    cells, found = cells_of(thoughts, None)
    assert effort_of(thoughts, nodes) == effort and (tuple(cell.share for cell in cells), found) == (shares, share_of)


@pytest.mark.parametrize(
    ("thoughts", "played", "ranks"),
    [
        ((visited(0, 10, 0.3, 0.3), visited(1, 40, 0.1, 0.1)), None, {0: 2, 1: 1}),  # an estimate: by visits
        ((visited(0, 1, 0.0, 0.2), visited(1, 5, 0.1, 0.1)), None, {0: 2, 1: 1}),  # a proven draw is no win
        ((visited(0, 1, 1.0, 0.2), visited(1, 5, 0.1, 0.1)), None, {0: 1, 1: 2}),
        ((visited(0, 9, -1.0, 0.2), visited(1, 5, 0.1, 0.1)), None, {0: 2, 1: 1}),
        ((visited(0, 1, 0.5, 0.2, 9), visited(1, 5, 0.1, 0.1, 9)), None, {0: 2, 1: 1}),  # of payoffs none is proven
        ((visited(0, 5, mean=-0.5), visited(1, 5), visited(2, 5, mean=0.5)), None, {0: 3, 1: 2, 2: 1}),
        ((Thought(0, 0.1), Thought(1, 0.3), Thought(2), Thought(3, 0.1)), None, {0: 2, 1: 1, 3: 2}),
        ((Thought(0, 0.1), Thought(1, 0.3)), 0, {0: 1, 1: 1}),
        (tuple(Thought(move, score=each) for move, each in enumerate((3, 7, 7, 3, -1))), 2,
         {0: 3, 1: 1, 2: 1, 3: 3, 4: 5}),
        ((Thought(0, score=2.0, bound="exact"), Thought(1, score=2.0, bound="upper"), Thought(2)), 0, {0: 1, 1: 2}),
        ((visited(0, 90, -1.0, 0.3), visited(1, 40, 0.1, 0.1)), 1, {0: 2, 1: 1}),  # a proven loss is last
        ((Thought(0, 0.9, score=1.0), Thought(1, 0.1, score=2.0, bound="lower"), Thought(2, score=2.0)), None,
         {0: 3, 1: 2, 2: 1}),
    ],
)  # fmt: skip
def test_moves_are_ranked_by_the_numbers_that_an_agent_chooses_by(
    thoughts: tuple[Thought, ...], played: int | None, ranks: dict[int, int]
) -> None:
    assert ranks_of(thoughts, played) == ranks


def test_a_column_has_all_that_was_decided_or_thought() -> None:
    thoughts = (visited(1, 3, 0.5, 0.5), visited(0, 1, 0.25, 0.25))
    cells = (Cell(1, 1, 0.5, share=0.75), Cell(0, 2, 0.25, share=0.25))
    decision = Decision(1, thoughts, "It looks.", 2.5, 7, None, (1, 0))
    whole = Column("a", cells, 1, (1, 0), 4, "simulations", 7, 2.5, VISITED, "It looks.", decided=True)
    assert Column.of_decision("a", decision) == whole and whole.cell(5) == Cell(5) and whole.cell(0) == cells[1]
    assert Column.of_decision("a", Decision(1, ())) == Column("a", (), 1, (1,), decided=True)
    for unit, nodes in (("nodes", 9), ("playouts", None)):
        thinking = Thinking(thoughts, 1, (1, 0), 9, unit, seconds=2.5)
        assert Column.of_thinking("a", thinking) == Column("a", cells, 1, (1, 0), 9, unit, nodes, 2.5, VISITED)


def test_an_agent_is_prepared_before_its_clock_and_asked_with_the_seed_and_the_progress(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game, heard = parse_game("nim:1,2"), list[Any]()

    class Listening(Progress):
        def report(self, done: float, total: float, what: str = "") -> None:
            heard.append((done, total, what))

    class Ready(Scripted):
        def prepare(self, progress: Progress = Progress()) -> None:  # noqa: B008
            heard.append("prepared")

        def decide(self, state: State, stream: Stream, progress: Progress = Progress()) -> Decision:  # noqa: B008
            return super().decide(state, stream, progress)

    def fails(state: State, progress: Progress) -> Decision:
        raise ValueError("no idea")

    listening = Listening()
    monkeypatch.setattr(comparison, "perf_counter", iter((10.0, 12.0, 15.0)).__next__)
    column = ask(Ready(fails), game.start, 0, 0, listening)
    assert column == Column("scripted", seconds=3.0, fault="raised ValueError: no idea", decided=True)
    agent = Ready(lambda state, progress: Decision(moves_of(state)[0], ()))
    known = truth(game)
    found = verdicts_on(agent, game, known, progress=listening)
    assert heard == ["prepared", "prepared", (4, 4, "positions, scripted")]
    names = [game.position_name(comparison.state_of(game, known.graph, node)) for node in range(len(found))]
    first = {name: verdict == RIGHT for name, verdict in zip(names, found.tolist(), strict=True)}
    assert first == {"1,2": False, "0,2": False, "1,1": False, "1,0": True, "0,1": True}, "a1 or b1"


def test_shares_by_distance_are_counted_by_hand() -> None:
    """Of 0,1 and 1,0 every move wins, of 0,2 and of 1,2 one move; 1,1 is lost."""
    game = parse_game("nim:1,2")
    found = compare_positions(game, (parse_agent("random", game), parse_agent("perfect", game)))
    assert found.by_distance() == [AtDistance(1, 3, 2 / 3, 1.0), AtDistance(3, 1, 0.0, 1.0)]
    assert (found.share(0), found.share(1), found.counts) == (0.5, 1.0, (2, 0, 2, 0, 1))


# The steps of effort curves.


@pytest.mark.parametrize(
    ("score", "exact", "sure"),
    [
        (WIN - 5, False, 1.0), (5 - WIN, False, -1.0), (DECIDED + 1, False, 1.0), (-DECIDED - 1, False, -1.0),
        (DECIDED, True, None), (-DECIDED, True, None), (0, True, 0.0), (0, False, None),
        (1, True, None), (-1, True, None),
    ],
)  # fmt: skip
def test_a_search_is_sure_of_what_it_proved_and_of_no_number_of_a_heuristic(
    score: int, exact: bool, sure: float | None
) -> None:
    settings = parse("alphabeta:depth=4")
    assert effort_curve._sure(settings, score, exact) == sure
    assert effort_curve._sure(parse("alphabeta:depth=4,heuristic=original"), score, exact) is None
    assert effort_curve._sure(replace(settings, largest=9), score, exact) is None
    result: Any = SimpleNamespace(
        iterations=[SimpleNamespace(nodes=3, best_move=1, value=score, depth=1)] * 2, exact=exact, settings=settings,
        best_move=2, value=float(score), nodes=9,
    )  # fmt: skip
    proved = None if sure == 0.0 else sure  # a draw is proven by the last iteration alone
    first, last = Step(3, 1, proved, float(score), 1), Step(6, 1, sure, float(score), 1)
    assert [*effort_curve._iterations(result)] == [first, last]
    assert effort_curve._step(result) == Step(9, 2, sure, float(score), 4)


def test_steps_rise_until_the_time_is_up_and_where_none_is_there_the_curve_says_why(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def until_time_is_up() -> Iterator[Step]:
        yield from (Step(effort, move) for move, effort in enumerate((1, 1, 4, 3, 5)))
        raise TimeUp

    assert effort_curve._in_time(until_time_is_up()) == (Step(1, 1), Step(3, 3), Step(5, 4))
    game = parse_game("nim:1,3")
    agent = parse_agent("mc:playouts=9", game)
    for found, seconds, why in (
        (Curve("mc", "playouts"), 2.0, "has no step within 2 s"),
        (Curve("mc", "playouts"), 0.0, "has no step in its time"),
        (Curve("mc", why_none="odd"), 2.0, "odd"),
    ):  # fmt: skip
        monkeypatch.setattr(effort_curve, "_curve", lambda *of, found=found: found)
        assert curve_of(agent, game.start, 0, seconds=seconds).why_none == why


def test_a_learner_trained_in_one_go_or_game_by_game_has_the_same_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    game = parse_game("nim:1,3,5")
    for games, efforts in ((100, [1, 10, 100]), (300, [1, 10, 100, 300])):
        agent = parse_agent(f"reward:games={games}", game)
        with monkeypatch.context() as patch:
            at_once = curve_of(agent, game.new("1,3,4"), 2)
            patch.setattr(type(agent.opponent), "at_once", False)  # type: ignore[attr-defined]
            assert curve_of(agent, game.new("1,3,4"), 2) == at_once
        assert [step.effort for step in at_once.steps] == efforts and {step.value for step in at_once.steps} == {None}


@pytest.mark.parametrize(
    ("name", "line", "text"), [("nim:1", 56, 72), ("connect:3x3x3", 196, 190), ("nim:1,1", 336, 330)]
)
def test_a_picture_has_a_line_for_the_exact_value_with_its_words_inside(name: str, line: int, text: int) -> None:
    game = parse_game(name)
    compared = comparison.Comparison(game, game.start, (), known_moves(game, game.start))
    found = effort_curve._truth(compared)
    assert f'y1="{line}"' in found[0] and f'y="{text}"' in found[1]
    for efforts, last in (([], "10"), ([1], "10"), ([10], "10"), ([11], "100")):
        drawn = effort_curve.picture(compared, [Curve("a", "nodes", (Step(effort, 0),)) for effort in efforts])
        assert re.findall(r'class="mid">([\d,]+)<', drawn)[-1] == last


def test_a_depth_is_a_number_of_plies_or_the_end() -> None:
    curve = Curve("alphabeta", "nodes", tuple(Step(1, 0, depth=depth) for depth in (0, 1, 12, -1, None)))
    depth = comparison_report.steps(None, curve)[1]  # type: ignore[arg-type]
    assert (depth.head, [depth.value(step).text for step in curve.steps]) == ("depth", ["", "1", "12", "end", ""])


def test_a_step_of_playouts_has_the_value_of_its_move() -> None:
    game = parse_game("connect4:4x4")
    agent, state = parse_agent("mc:playouts=20", game), game.new("122")
    found = curve_of(agent, state, 3)
    assert [step.effort for step in found.steps] == [4 * n for n in (1, 2, 5, 10, 20)]
    for step in found.steps:
        alone = parse_agent(f"mc:playouts={step.effort // 4}", game).decide(state, Stream(3))
        assert (step.move, step.value) == (alone.move, {one.move: one.value for one in alone.thoughts}[alone.move])


# What agents, curves and tables of their own are compared by, as they are.


@pytest.mark.parametrize("name", [*AGENTS, "perfect"])
@pytest.mark.parametrize("place", ["connect4:4x4 1222", "nim:3,4,5 1,2,5", "nim:7 1"])
def test_shares_are_parts_of_one(name: str, place: str) -> None:
    text, position = place.split()
    game = parse_game(text)
    state = game.start if position == "-" else game.new(position)
    column = ask(parse_agent(name, game), state, 1)
    shares = [cell.share for cell in column.cells]
    if column.share_of:
        assert sum(share or 0 for share in shares) == pytest.approx(1)
    else:
        assert set(shares) <= {None}
    if "mcts" in name and "proven" not in name:
        assert column.cell(column.move or 0).share == max(share or 0 for share in shares)


def test_where_agents_part_both_moves_are_disputed() -> None:
    game = parse_game("connect4:4x4")
    found = compared(game, game.new("122"), ("alphabeta:depth=8", "perfect"))
    assert found.apart and found.decides
    first, second = found.columns
    assert found.right(first) is False and found.right(second) is True
    assert {move for move in found.moves if found.disputed(move)} == {first.move, second.move}
    assert comparison_report.verdict_text(found, first) == "mistake: draws"
    assert not compared(game, game.new("122"), ("value", "perfect")).apart


def test_thoughts_become_columns_that_grow() -> None:
    thoughts: list[Thinking] = []

    class Listening(Progress):
        def think(self, thinking: Callable[[], Any]) -> None:
            thoughts.append(thinking())

    game = parse_game("connect4")
    column = ask(parse_agent("mcts:simulations=60000", game), game.start, 0, 0, Listening())
    growing = [Column.of_thinking("a", thinking) for thinking in thoughts]
    efforts = [each.effort or 0 for each in growing]
    assert efforts == sorted(efforts) and efforts[-1] == column.effort == 60_000
    assert {each.unit for each in growing} == {"simulations"} and not any(each.decided for each in growing)
    assert growing[-1].cells == column.cells


@pytest.mark.parametrize("learner", ["reward", "proof", "quality"])
def test_a_learner_is_right_where_its_table_is(learner: str) -> None:
    game = parse_game("nim:1,3,5")
    table = train_interpreted(game, parse_learner(learner), 200, 0)
    known = truth(game)
    wanted = standing(known, on_graph(table, known.graph).cells)
    found = verdicts_on(parse_agent(f"{learner}:games=200", game), game, known)
    if learner != "reward":  # where no score is above 0 the reward learner plays any move, not the best-scored
        assert (found == wanted.verdicts).all()
    assert ((found == NOTHING) == (wanted.verdicts == NOTHING)).all()


def test_shares_by_distance_add_up_and_distances_are_of_the_position() -> None:
    found = everywhere("tower:16", "reward:games=1000", "proof:games=1000")
    rows = found.by_distance()
    decided = sum(row.positions for row in rows)
    assert decided == found.positions - found.counts[Kind.NOTHING]
    for at, name in enumerate(("first", "second")):
        right = sum(row.positions * getattr(row, name) for row in rows)
        assert right == pytest.approx(found.share(at) * decided)
    assert all(row.distance is not None and row.distance % 2 for row in rows)  # a won game ends with the winner's move
    assert found.counts[Kind.SECOND] > found.counts[Kind.FIRST]  # proof knows more after 1,000 games
    nodes = found.nodes(Kind.SECOND)  # the list starts near the end
    assert (np.diff(found.distances[nodes]) >= 0).all() and len(nodes) == found.counts[Kind.SECOND]


@pytest.mark.parametrize("name", ["mcts:simulations=700", "mc:playouts=300", "alphabeta:depth=5", "minimax:depth=3"])
def test_the_last_step_is_the_agents_decision(name: str) -> None:
    alone = parse_agent(name, GAME).decide(STATE, Stream(3))
    found = curve(name, 3)
    assert found.steps[-1].move == alone.move
    if alone.nodes is not None and "mcts" not in name:
        assert found.steps[-1].effort == alone.nodes
    assert found == curve(name, 3)
    assert [step.effort for step in found.steps] == sorted({step.effort for step in found.steps})


@pytest.mark.parametrize("name", ["mc:playouts=900000000", "alphabeta:depth=12"])
def test_a_curve_ends_with_its_time(name: str) -> None:
    game = parse_game("connect4")
    found = curve_of(parse_agent(name, game), game.start, 0, seconds=0.05)
    assert len(found.steps) < 40 and (found.steps or "within 0.05 s" in found.why_none)


@pytest.fixture(scope="module")
def found() -> tuple[Comparison, list[Curve]]:
    agents = [parse_agent(name, GAME) for name in ("mcts:simulations=2000", "alphabeta:depth=8", "perfect")]
    columns = tuple(ask(agent, STATE, 0) for agent in agents)
    curves = [curve_of(agent, STATE, 0) for agent in agents]
    return Comparison(GAME, STATE, columns, known_moves(GAME, STATE)), curves


def test_the_picture_names_every_agent_and_every_mark_lies_in_it(found: tuple[Comparison, list[Curve]]) -> None:
    compared, curves = found
    root = ElementTree.fromstring(picture(compared, [*curves[:2], Curve("<own & agent>", why_none="no <effort>")]))
    said = " ".join("".join(part.itertext()) for part in root.iter() if part.tag.endswith("text"))
    assert all(name in said for name in ("mcts:simulations=2000", "alphabeta:depth=8", "<own & agent>: no <effort>"))
    assert "exact value" in said and "effort, logarithmic: nodes, simulations" in said
    crosses = sum(part.tag.endswith("path") for part in root.iter())
    assert crosses == sum(step.move != 1 for each in curves for step in each.steps)  # a cross for each mistake
    wide, high = map(float, root.get("viewBox", "0 0 0 0").split()[2:])
    grid = [
        {key: float(part.get(key, "nan")) for key in ("x1", "y1", "x2", "y2")}
        for part in root.iter()
        if part.tag.endswith("line") and part.get("class") in ("grid", "axis")
    ]
    across = [one for one in grid if one["y1"] == one["y2"]]
    along = [one for one in grid if one["x1"] == one["x2"]]
    assert len(across) + len(along) == len(grid) and len(across) == 6 and len(along) > 3
    assert len({(one["x1"], one["x2"]) for one in across}) == len({(one["y1"], one["y2"]) for one in along}) == 1
    top, bottom = along[0]["y1"], along[0]["y2"]
    assert 0 < top < bottom < high and max(one["y1"] for one in across) == bottom
    assert sorted({one["y1"] for one in across}) == pytest.approx([top + (bottom - top) * at / 4 for at in range(5)])
    for part in root.iter():
        for key, most in (("x", wide), ("y", high), ("cx", wide), ("cy", high)):
            assert 0 <= float(part.get(key, "0")) <= most
    unsolved = picture(replace(compared, truths=None), curves)
    assert unsolved.count('fill="#888"') == sum(len(each.steps) for each in curves) and "<path" not in unsolved


def test_the_summary_of_an_agents_curve_is_computed(found: tuple[Comparison, list[Curve]]) -> None:
    compared, curves = found
    since = curves[0].settled_from
    assert settled_text(compared, curves[0]) == f"Plays 2 from {since:,} simulations on."
    assert settled_text(compared, curves[1]).endswith(" nodes, the last step: a mistake.")
    last = Curve("a", "nodes", (Step(1, 0), Step(2, 1)))
    assert settled_text(compared, last) == "Plays 2 after 2 nodes, the last step."
    assert settled_text(compared, Curve("a", "nodes", last.steps[1:])) == "Plays 2 from 2 nodes on."
