"""What the Train screen says of a position, and where a learner errs: most met first, against a search, over time."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise
from random import Random
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from nimtui.agents.learned import OfTable
from nimtui.engine import limits
from nimtui.engine.rng import Stream
from nimtui.games import parse_game
from nimtui.jobs import Jobs
from nimtui.learning import compiled, sample
from nimtui.learning.evaluate import NOTHING, RIGHT, UNDECIDED, WORDS, WRONG
from nimtui.learning.learner import fresh, parse_learner
from nimtui.learning.run import Run
from nimtui.learning.sample import truth_of
from nimtui.learning.training import Training
from nimtui.report.lines import plain_text
from nimtui.theory.nim import nim_sum
from nimtui.theory.truth import truth
from nimtui.ui.kit.terminal.glyphs import UNICODE
from nimtui.ui.train import position_panel, reasons_panel
from nimtui.ui.train import view as train_view
from nimtui.ui.train.form import TrainDraft
from nimtui.ui.train.lane import Lane, Meetings, Searched
from nimtui.ui.train.position_list import MOST_NAMED, by_name
from nimtui.ui.train.reasons_panel import Picture, ShownPast
from nimtui.ui.train.screen import HELP
from nimtui.ui.train.setup import TrainSetup
from nimtui.ui.train.view import Atlas
from tests.examples import with_slow
from tests.theory.force import Force
from tests.theory.literal_table import Literal
from tests.ui.conftest import screen_text
from tests.ui.playing import until
from tests.ui.test_train_functions import LARGE
from tests.ui.training import ended, panel, training

ALL, NONE, SOME = frozenset({True}), frozenset({False}), frozenset({True, False})
PLAYED = {ALL: "the table plays it right", NONE: "the table plays it wrong", SOME: "undecided"}
BEST = {ALL: "best (move is )?right", NONE: "best (move is )?wrong", SOME: "some|undecided"}


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
    assert PLAYED[ALL] in claims


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


# Where a learner errs.

TWO = TrainSetup("connect:3x3x3", "q", "linear", 1, "300")


@pytest.fixture
def too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    """No game has room for a table, but a search of depth 2 has its room."""
    monkeypatch.setattr(limits, "MOST_BYTES", 5_000)
    monkeypatch.setattr(sample, "of", lambda game, progress: sample.make(game, 60, 1, progress))


def message(pilot: Any) -> str:
    return str(pilot.app.training.message)


@pytest.mark.slow
async def test_x_goes_from_the_most_met_mistake_to_the_least_met(make_app: Any) -> None:
    async with training(make_app, TrainSetup("nim:3,4,5", "average", "", 1, "300")) as pilot:
        lane = (await ended(pilot)).lanes[0]
        stage = pilot.app.screen.stage
        await until(pilot, lambda: stage.seen and lane.games == 300)
        truth, visits = lane.training.truth, lane.view.visits
        wrong = np.flatnonzero(lane.view.standing.verdicts == WRONG).tolist()
        times = {node: int(visits[truth.graph.ptr[node] : truth.graph.ptr[node + 1]].sum()) for node in wrong}
        assert len(wrong) > 5 and len(set(times.values())) > 2
        went = []
        for _ in range(len(wrong)):
            stage.next_wrong()
            went.append(stage.node)
            often = "1 time" if times[stage.node] == 1 else f"{times[stage.node]:,} times"
            await until(pilot, lambda often=often: message(pilot).endswith(f"met {often} in training"))
        assert sorted(went) == wrong and [times[node] for node in went] == sorted(times.values(), reverse=True)


async def searched(pilot: Any) -> Any:
    """Let the learner play against a search; return the positions that it met there."""
    conductor = await ended(pilot)
    await until(pilot, lambda: pilot.app.screen.stage.seen)
    await pilot.press("E")
    await until(pilot, lambda: conductor.meetings.searched is not None or "No games" in message(pilot))
    assert not message(pilot)
    return conductor.meetings.searched


@pytest.mark.slow
@pytest.mark.usefixtures("too_large")
async def test_the_map_shows_the_positions_of_games_against_a_search_and_again_the_sample(make_app: Any) -> None:
    async with training(make_app, replace(LARGE, goal="10")) as pilot:
        lane, stage = (await ended(pilot)).lanes[0], pilot.app.screen.stage
        await until(pilot, lambda: stage.sight.atlas is not None)
        sample, found = stage.sight.atlas.truth, await searched(pilot)
        await until(pilot, lambda: stage.sight.atlas.truth is found.truth and stage.seen)
        assert len(found.truth.values) == len(found.met.times) and (found.times == found.met.times).all()
        values = lane.training.estimator.all_values(found.truth.graph.boards)
        nodes = np.repeat(np.arange(len(values)), np.diff(found.truth.graph.ptr))
        assert np.array_equal(lane.view.scores, values[nodes, found.truth.graph.move])
        own = compiled.times_met(lane.training.estimator, found.truth)
        new = sum(wrong > 0 and not times for wrong, times in zip(found.met.wrong, own, strict=True))
        errors, number = np.count_nonzero(found.met.wrong), len(own)
        assert errors and found.games == 10
        assert f"wrong in {errors} of {number} positions, {new} never met." in found.texts[1]
        assert f"it erred in {errors} of {number} positions with a choice. {new} of these it" in found.texts[0]
        assert found.texts[1] in panel(pilot, "prompt")
        await pilot.press("E")
        await until(pilot, lambda: stage.seen and stage.sight.atlas.truth.lists_as(sample))
        assert pilot.app.training.meetings.searched is None


async def test_a_small_game_keeps_its_map_and_counts_the_games_against_the_search(make_app: Any) -> None:
    async with training(make_app, TrainSetup("nim:1,2,3", "quality", "", 1, "20")) as pilot:
        found, conductor = await searched(pilot), pilot.app.training
        assert found.truth is conductor.lanes[0].training.truth and found.times.sum() == found.met.times.sum()
        game = conductor.game
        named = {game.position_name(game.at(board)) for board in found.met.sample.boards}
        name = pilot.app.screen.stage.sight.atlas.name
        assert {name(node) for node in np.flatnonzero(found.times)} == named


@pytest.mark.parametrize("size", with_slow([(80, 24), (120, 36)], (120, 36)))
async def test_of_two_learners_d_goes_to_what_only_one_plays_right(make_app: Any, size: tuple[int, int]) -> None:
    async with training(make_app, TWO, size=size) as pilot:
        conductor = await ended(pilot)
        stage = pilot.app.screen.stage
        await until(pilot, lambda: stage.seen and all(each is not None for each in stage.sight.views))
        right = [lane.view.standing.verdicts == RIGHT for lane in conductor.lanes]
        assert (right[0] != right[1]).any()
        for _ in range(3):
            await pilot.press("D")
            at = int(not right[0][stage.node])
            assert right[at][stage.node] and not right[1 - at][stage.node]
            ptr = conductor.lanes[at].training.truth.graph.ptr.tolist()
            visits = [lane.view.visits for lane in conductor.lanes]
            met = [[int(each[first:end].sum()) for first, end in pairwise(ptr)] for each in visits]
            counts, names = list[int](), [conductor.lanes[one].title for one in (at, 1 - at)]
            for one in (at, 1 - at):
                alone = [node for node, own in enumerate(right[one]) if own and not right[1 - one][node]]
                counts += [len(alone), *(sum(met[each][node] == 0 for node in alone) for each in (1 - one, one))]
            only = r"Only {} is right in ([\d,]+): never met by {} ([\d,]+), by itself ([\d,]+)"
            last = rf"{names[0]} met this one ([\d,]+) times?"
            text = re.fullmatch(r"\. ".join([only.format(*names), only.format(*reversed(names)), last]), message(pilot))
            assert text is not None and message(pilot).partition(". ")[0] in screen_text(pilot.app)
            assert [int(number.replace(",", "")) for number in text.groups()] == [*counts, met[at][stage.node]]


async def test_a_position_over_time_is_what_the_stored_pictures_say(make_app: Any) -> None:
    async with training(make_app, TrainSetup("connect:3x3x3", "linear", "", 1, "300")) as pilot:
        lane = (await ended(pilot)).lanes[0]
        stage = pilot.app.screen.stage
        await until(pilot, lambda: stage.seen)
        await pilot.press("t")
        await until(pilot, lambda: "games" in panel(pilot, "why"))
        atlas, truth = stage.sight.atlas, lane.training.truth
        for node in range(0, len(truth.values), 7):
            past = train_view.past(atlas, lane.view, lane, node)
            edges = slice(int(truth.graph.ptr[node]), int(truth.graph.ptr[node + 1]))
            assert past is not None and past.worth == truth.values[node] and past.pictures[-1].games == 300
            for picture, (games, scores) in zip(past.pictures, lane.history.pictures(edges), strict=False):
                verdict = lane.training.listed_standing(dict(lane.history._copies)[games]).verdicts[node]
                assert (picture.games, picture.verdict, picture.score) == (games, verdict, max(scores))
        await pilot.press("t")
        await until(pilot, lambda: not stage.query_one("#why").display)


@pytest.mark.usefixtures("too_large")
def test_the_past_of_a_position_goes_on_whatever_other_positions_are_shown_meanwhile() -> None:
    run = Run(Training(parse_game("connect:3x3x3"), LARGE.learner, 1))
    training, lane = run.training, Lane(Jobs(), run)
    training.prepare()
    run.views.every = 0
    few, seen = truth_of(training.sample, 20), dict[str, list[tuple[int, float]]]()
    for positions in (None, None, few, few, None, None):
        run.show(positions)
        assert not lane.pull()  # nothing is to be seen of them yet
        training.advance(5)
        run.views.look_now()
        assert lane.pull() and lane.view.games == training.games
        atlas = train_view.Atlas(training.game, lane.listed)
        for node, first in enumerate(atlas.graph.ptr[:-1]):
            best = float(lane.view.scores[first : atlas.graph.ptr[node + 1]].max())
            seen.setdefault(atlas.name(node), [(0, 0.0)]).append((training.games, best))
    assert len(lane.histories) == 2 and {len(pictures) for pictures in seen.values()} == {5, 7}
    for node in range(len(atlas.graph.ptr) - 1):
        past = train_view.past(atlas, lane.view, lane, node)
        assert [(picture.games, picture.score) for picture in past.pictures] == seen[atlas.name(node)]
        shown = train_view.position(atlas, lane.view, lane, node, None)
        assert any(move.keeps for move in shown.moves) is (past.worth >= 0), "a draw can be kept, a loss cannot"
    run.reset()
    run.training = Training(parse_game("connect:3x3x3"), LARGE.learner, 1)
    run.training.prepare()
    run.views.look_now()
    assert lane.pull() and len(train_view.past(atlas, lane.view, lane, 0).pictures) == 1


def test_the_sentence_of_the_past_names_the_last_change() -> None:
    random = Random(1)
    for _ in range(200):
        verdicts = random.choices((RIGHT, WRONG, UNDECIDED), k=random.randrange(1, 7))
        games = sorted(random.sample(range(1_000), len(verdicts)))
        pictures = [Picture(number, "a", 0.0, verdict) for number, verdict in zip(games, verdicts, strict=True)]
        text = ShownPast("p", 1, pictures).text
        others = [number for number, verdict in zip(games, verdicts, strict=True) if verdict != verdicts[-1]]
        since = min((number for number in games if others and number > others[-1]), default=0)
        rest = f"since game {since:,}; after game {others[-1]} it was not." if others else "in every picture."
        assert text == f"It has been {WORDS[verdicts[-1]]} {rest}"
    assert ShownPast("p", -1, [Picture(1, "a", 0.0, NOTHING)]).text == "Lost: every move loses."


def test_a_few_pictures_are_the_ends_and_the_newest_changes() -> None:
    for number in range(1, 40):
        for most in range(1, 12):
            changes = list(range(2, number, 5))
            places = reasons_panel.few(number, most, changes)
            assert places == sorted(set(places)) and len(places) == min(most, number) and places[-1] == number - 1
            if most > 2:
                assert places[0] == 0 and (number <= most or set(changes[-(most - 2) :]) <= set(places))


@pytest.mark.parametrize("text", ["ntuple:tuples=70", "q", "linear:mirror=off", "proof"])
def test_the_same_learner_without_something_is_offered_beside_it(text: str) -> None:
    own = parse_learner(text)
    offered = list(TrainDraft.of(TrainSetup("connect4:4x4", text)).variants())
    for choice in offered:
        other = parse_learner(choice.value)
        differs = [name for name in own._fields if getattr(own, name) != getattr(other, name)]
        assert len(differs) == 1 and differs[0] in ("mirror", "trace", "explore", "epsilon")
    assert len(offered) == {"ntuple:tuples=70": 3, "q": 1, "linear:mirror=off": 2, "proof": 0}[text]


def test_the_list_is_sorted_by_name_and_numbers_by_their_size() -> None:
    names = ["10,2", "", "9,11", "9,2", "776", "45", "9"]
    order = [names[node] for node in by_name(len(names), names.__getitem__)]
    assert order == ["", "9", "9,2", "9,11", "10,2", "45", "776"]
    assert by_name(MOST_NAMED + 1, lambda node: 1 / 0).tolist() == [*range(MOST_NAMED + 1)], "naming them takes long"


def test_a_score_below_zero_is_drawn_to_the_left_of_zero() -> None:
    pictures = [Picture(1, "a", -0.5, WRONG), Picture(2, "b", 0.5, RIGHT), Picture(3, "c", 0.0, RIGHT)]
    lines = [plain_text(line) for line in reasons_panel.paint_past(ShownPast("p", 1, pictures))(70, 12, UNICODE)]
    below, above, zero = (line[line.index("0.50") + 4 :] if "0.50" in line else line[-30:] for line in lines[-3:])
    assert below.index(UNICODE.less) < below.index(UNICODE.stem) < above.index(UNICODE.full)
    assert UNICODE.less not in below.partition(UNICODE.stem)[2] and UNICODE.full not in above.partition(UNICODE.stem)[0]
    assert UNICODE.stem in zero and UNICODE.full not in zero and UNICODE.less not in zero
