"""Where a learner errs, on the Train screen: the most met first, against a search, over time, and beside another."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise
from random import Random
from typing import Any

import numpy as np
import pytest

from nimtui.engine import limits
from nimtui.games import parse_game
from nimtui.jobs import Jobs
from nimtui.learning import compiled, sample
from nimtui.learning.evaluate import NOTHING, RIGHT, UNDECIDED, WORDS, WRONG
from nimtui.learning.learner import parse_learner
from nimtui.learning.run import Run
from nimtui.learning.sample import truth_of
from nimtui.learning.training import Training
from nimtui.report.lines import plain_text
from nimtui.ui.kit.terminal.glyphs import UNICODE
from nimtui.ui.train import reasons_panel
from nimtui.ui.train import view as train_view
from nimtui.ui.train.form import TrainDraft
from nimtui.ui.train.lane import Lane
from nimtui.ui.train.position_list import MOST_NAMED, by_name
from nimtui.ui.train.reasons_panel import Picture, ShownPast
from nimtui.ui.train.setup import TrainSetup
from tests.ui.conftest import screen_text
from tests.ui.playing import until
from tests.ui.test_train_functions import LARGE
from tests.ui.training import ended, panel, training

SMALL = TrainSetup("connect:3x3x3", "q", "linear", 1, "300")


@pytest.fixture
def too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    """No game has room for a table, but a search of depth 2 has its room."""
    monkeypatch.setattr(limits, "MOST_BYTES", 5_000)
    monkeypatch.setattr(sample, "of", lambda game, progress: sample.make(game, 60, 1, progress))


def message(pilot: Any) -> str:
    return str(pilot.app.training.message)


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
    await until(pilot, lambda: conductor.meetings.searched is not None or "No games" in message(pilot), 60)
    assert not message(pilot)
    return conductor.meetings.searched


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


@pytest.mark.parametrize("size", [(80, 24), (120, 36)])
async def test_of_two_learners_d_goes_to_what_only_one_plays_right(make_app: Any, size: tuple[int, int]) -> None:
    async with training(make_app, SMALL, size=size) as pilot:
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
