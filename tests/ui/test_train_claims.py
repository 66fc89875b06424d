"""What the Train screen says of a position, compared with the moves that the table's agent then plays there."""

from __future__ import annotations

import re
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from nimtui.agents.learned import OfTable
from nimtui.engine.rng import Stream
from nimtui.games import parse_game
from nimtui.jobs import Jobs
from nimtui.learning.learner import fresh, parse_learner
from nimtui.learning.run import Run
from nimtui.learning.training import Training
from nimtui.report.lines import plain_text
from nimtui.theory.nim import nim_sum
from nimtui.theory.truth import truth
from nimtui.ui.kit.terminal.glyphs import UNICODE
from nimtui.ui.train import position_panel
from nimtui.ui.train import view as train_view
from nimtui.ui.train.lane import Lane, Meetings, Searched
from nimtui.ui.train.screen import HELP
from nimtui.ui.train.view import Atlas
from tests.theory.force import Force
from tests.theory.literal_table import Literal

RIGHT, WRONG, SOME = frozenset({True}), frozenset({False}), frozenset({True, False})
PLAYED = {RIGHT: "the table plays it right", WRONG: "the table plays it wrong", SOME: "undecided"}
BEST = {RIGHT: "best (move is )?right", WRONG: "best (move is )?wrong", SOME: "some|undecided"}


def trained(game: str, learner: str, seed: int, games: int) -> Run:
    run = Run(Training(parse_game(game), parse_learner(learner), seed))
    run.goal(games)
    run.views.every = 1.0
    run.work()
    return run


@pytest.mark.slow
@pytest.mark.parametrize(
    ("learner", "seed"), [("reward", 3), ("reward:pick=uniform-move", 0), ("q", 1), ("quality", 1), ("average", 1)]
)
def test_the_agent_of_a_table_plays_every_position_as_the_screen_says(learner: str, seed: int) -> None:
    run = trained("nim:2,3,4", learner, seed, 3_000)
    view, known = run.views.newest, run.training.truth
    assert view is not None and known is not None
    atlas, claims = Atlas(run.training.game, known), set()
    agent = OfTable(run.training.table, "random", "Random")

    def is_right(edge: int) -> bool:
        after = int(atlas.graph.to[edge])  # below 0: the last match is taken
        return after < 0 or not nim_sum(map(int, atlas.name(after).split(",")))

    for node in range(len(known.values)):
        edges = {int(atlas.graph.move[edge]): edge for edge in atlas.edges(node)}
        top = max(view.scores[edge] for edge in edges.values())
        played = {edges[agent.choose(atlas.state(node), Stream(number))] for number in range(60)}
        best = {edge for edge in edges.values() if view.scores[edge] == top}
        lost = not nim_sum(map(int, atlas.name(node).split(",")))
        for columns in (38, 120):
            shown = train_view.position(atlas, view, Lane(Jobs(), run), node, None)
            claim = plain_text(position_panel.paint(shown)(columns, 20, UNICODE)[0]).partition(UNICODE.mark[1])[2][3:]
            claims.add(claim)
            if lost:
                assert claim == "lost: every move loses"
            elif "random" not in claim:
                assert claim.startswith(PLAYED[frozenset(map(is_right, played))]) and played <= best
            else:
                assert re.search(BEST[frozenset(map(is_right, best))], claim)
                assert best == {*edges.values()} or not played <= best
    assert any("random" in claim for claim in claims) == learner.startswith("reward")
    assert PLAYED[RIGHT] in claims


@pytest.mark.slow
@pytest.mark.parametrize("name", ["nim:3,2,1", "noughts:2x3x2"])
def test_the_curve_says_over_what_its_accuracy_is_counted_and_starts_before_the_first_game(name: str) -> None:
    run = trained(name, "quality", 1, 40)
    lane = Lane(Jobs(), run)
    assert lane.pull() and lane.view is not None
    assert lane.history.of(0, 7.0, 7)[0] == fresh(parse_learner("quality"))
    force = Force(name)
    table = Literal(force, run.training.table)
    conductor: Any = SimpleNamespace(lanes=[lane])
    for columns, population in ((100, "over positions not lost "), (55, "")):
        legend = plain_text(train_view.curve(conductor)(columns, 12, UNICODE)[0])
        assert "unbeaten moving" in legend or force.value(parse_game(name).new())[0] == 0
        match = re.search(rf"accuracy {population}([\d.]+) %", legend)
        assert match, legend
        assert abs(float(match[1]) - 100 * table.accuracy) <= 0.0501
    everywhere = sum(map(table.right, table.states)) / len(table.states)
    assert len(table.states) > len(table.not_lost) and abs(everywhere - table.accuracy) > 0.001
    assert "Lost positions do not count." in HELP


def test_positions_are_met_as_often_as_their_moves_in_training_or_in_games_against_a_search() -> None:
    known, meetings = truth(parse_game("nim:2,1")), Meetings(SimpleNamespace())  # type: ignore[arg-type]
    ptr = known.graph.ptr.tolist()
    visits = np.arange(ptr[-1]) % 2 * (np.arange(ptr[-1]) < 4)
    one: Any = SimpleNamespace(view=None, listed=known, training=SimpleNamespace(estimator=None, truth=known))
    assert meetings.times(one) is meetings.unmet(one) is None
    one.view = SimpleNamespace(visits=visits)
    met = [int(visits[begin:end].sum()) for begin, end in pairwise(ptr)]
    times = meetings.times(one)
    assert times is not None and times.number.tolist() == met and 1 in met and 0 in met
    assert [times.of(met.index(number)) for number in (1, 0)] == ["1 time in training", "no times in training"]
    assert meetings.unmet(one) is None, "a table is met everywhere in the end"
    one.training.estimator = object()
    never = meetings.unmet(one)
    assert never is not None and never.tolist() == [number == 0 for number in met]
    against: Any = SimpleNamespace(
        games=7,
        errors=2,
        times=[1, 2, 3],
        share="50 %",
        opponent="mcts",
        text="It won half",
        unmet=lambda times: int((times == 0).sum()) - 1,  # it erred in all but one of them
    )
    found = Searched(against, known, np.full(len(met), 5), one, np.array([0, 4, 0]), "in training", 1)
    meetings.searched = found
    assert (now := meetings.times(one)) and now.of(0) == "5 times in 7 games against a search"
    never = meetings.unmet(one)
    assert never is not None and never.tolist() == [number == 0 for number in met], "all its positions are known"
    one.training.truth = None
    never = meetings.unmet(one)
    assert never is not None and never.tolist() == [True, False, True]
    assert meetings.unmet(SimpleNamespace(**vars(one))) is None, "another lane did not play"  # type: ignore[arg-type]
    assert found.texts == (
        "After 1 game: It won half. 1 of these it did not meet in training.",
        "50 % against mcts: wrong in 2 of 3 positions, 1 never met.",
        "50 % against mcts: wrong in 2 of 3, 1 never met.",
        "Wrong in 2 of 3, 1 never met.",
    )
    against.errors = 0
    assert found.texts[0] == "After 1 game: It won half."
