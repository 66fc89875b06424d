"""What the Train screen draws of a training, its parts that need no app, and its work on jobs that are done at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from nimtui.games import base, parse_game
from nimtui.jobs import Jobs
from nimtui.jobs.job import Snapshot
from nimtui.jobs.work import State
from nimtui.learning.compiled import Episode
from nimtui.learning.curve_points import Point
from nimtui.learning.evaluate import NOTHING, RIGHT, UNDECIDED, WRONG, Standing
from nimtui.learning.run import FollowedGame, Run
from nimtui.learning.sweep_report import Rough
from nimtui.learning.views import History, View
from nimtui.report.lines import plain_text, width
from nimtui.theory.truth import truth
from nimtui.ui.kit.terminal.glyphs import ASCII, UNICODE, Glyphs
from nimtui.ui.train import position_panel
from nimtui.ui.train import view as train_view
from nimtui.ui.train import work as train_work
from nimtui.ui.train.lane import PACES, USUAL_PACE, Lane
from nimtui.ui.train.position_list import Scores, order_of
from nimtui.ui.train.position_panel import Played, Ply, ScoredMove, ShortScore, ShownPosition, moments, spark
from nimtui.ui.train.setup import TrainSetup
from nimtui.ui.train.view import MOST_BACK, Atlas, Whereabouts
from nimtui.ui.train.work import TrainWork
from tests.ui.at_once import Changes
from tests.ui.drawn import as_drawn

NIM = parse_game("nim:3,2")
TOWER = parse_game("tower:16")


# The position panel.


def position(
    scores: Sequence[float] = (), *, verdict: int = RIGHT, drawn: bool | None = False, **more: Any
) -> ShownPosition:
    rated = scores or [30 - 7 * at for at in range(12)]
    moves = [
        ScoredMove(move, TOWER.move_name(move, TOWER.start), score, 100 * at, at < 2, [0.0, float(at), float(score)])
        for at, (move, score) in enumerate(zip(base.legal_moves(TOWER.start), rated, strict=False))
    ]
    usual = {"name": "1,3,5,7", "worth": 1, "marked": 0}
    return ShownPosition(TOWER, TOWER.start, moves=moves, verdict=verdict, drawn=drawn, **{**usual, **more})


@pytest.mark.parametrize(
    ("name", "shown", "columns", "rows", "signs"),
    [
        ("as large as it gets", position(marked=6), 60, 30, UNICODE),
        ("nineteen rows have no air", position(), 60, 19, UNICODE),
        ("low and narrow, ASCII", position(marked=11), 38, 8, ASCII),
        ("fractions beside large scores", position([5_963, 0.5, 0, -1, -5.25, -40]), 60, 14, UNICODE),
        ("all scores are 0", position([0, 0]), 60, 14, UNICODE),
        ("a head alone", position(), 30, 2, UNICODE),
        ("one row", position(), 12, 1, UNICODE),
        ("without moves", replace(position(verdict=NOTHING), moves=(), name=""), 40, 9, UNICODE),
        ("nothing", None, 40, 9, UNICODE),
    ],
)
def test_a_position(name: str, shown: Any, columns: int, rows: int, signs: Glyphs) -> None:
    lines = position_panel.paint(shown)(columns, rows, signs)
    assert len(lines) <= rows and all(width(line) <= columns for line in lines)
    as_drawn("train", f"position: {name}", lines)


@pytest.mark.parametrize("drawn", [False, True, None])
@pytest.mark.parametrize("verdict", [NOTHING, RIGHT, WRONG, UNDECIDED])
def test_what_the_table_does_here_is_never_cut(verdict: int, drawn: bool | None) -> None:
    shown = position([1, 0, 0], verdict=verdict, drawn=drawn)
    heads = [position_panel.paint(shown)(columns, 3, UNICODE)[:1] for columns in range(38, 110)]
    whole = list({plain_text(head[0]): head[0] for head in heads}.values())
    assert all(width(head[0]) <= columns for columns, head in enumerate(heads, 38))
    as_drawn("train", f"claim: {verdict} {drawn}", whole)
    kept = replace(shown, moves=shown.moves[:2], name="3,5,4,2,6")
    assert width(position_panel.paint(kept)(34, 3, UNICODE)[0]) <= 34
    assert "draws" not in kept.claims[0]


def test_numbers_are_short() -> None:
    assert [ShortScore(score).text for score in (0, 37266, -3, 0.53, -1.0, 2.499)] == [
        "0", "+37,266", "−3", "+0.53", "−1", "+2.50"
    ]  # fmt: skip
    counts = (0, 412, 9_999, 37_512, 1_234_567, 2_000_000_000)
    assert [Rough(visits).text for visits in counts] == ["0", "412", "9,999", "37.5k", "1.23M", "2G"]
    assert spark([0, 5, 10], UNICODE, 5) == "  ▁▅█" and spark([1, 1], ASCII, 3) == " --"
    assert spark([-1, 1, 0], ASCII, 3) == "_#+"


# A game move by move.


def played(
    *changes: tuple[float, float], outcome: int = base.WON, sure: int | None = None, exact: bool = False
) -> Played:
    state, plies = base.copy(TOWER.start), []
    for at, (before, after) in enumerate(changes):
        move = base.legal_moves(state)[0]
        worth = {"exact": (-1, 1, -1, 0)[at % 4], "was": (1, 1, -1, 0)[at % 4]} if exact else {}
        name, here = TOWER.move_name(move, state), TOWER.position_name(state)
        plies.append(Ply(base.copy(state), here, move, name, before, after, **worth))
        base.play(state, move)
    return Played(TOWER, 1_007, plies, outcome, sure)


GAME = [(50, 79), (50, 39), (89, 100), (0, 0), (100, 100), (-1000, -1000), (1000, 1000)]


@pytest.mark.parametrize(
    ("name", "game", "frame", "columns", "rows", "signs"),
    [
        ("in play, with a board and bars", played(*GAME, exact=True), 3, 110, 14, UNICODE),
        ("what changed", played(*GAME, exact=True), 7, 110, 14, UNICODE),
        ("without bars", played(*GAME), 7, 60, 14, UNICODE),
        ("without a board, ASCII", played(*GAME), 2, 50, 6, ASCII),
        ("narrow", played(*GAME), 9, 26, 8, UNICODE),
        ("before the first move", played(*GAME), -1, 60, 6, UNICODE),
        ("a proving learner", played((0, 100), (0, -100), (7, 7), sure=100), 3, 90, 12, UNICODE),
        ("none yet", None, 0, 34, 8, UNICODE),
    ],
)
def test_a_game(name: str, game: Any, frame: int, columns: int, rows: int, signs: Glyphs) -> None:
    lines = position_panel.paint_game(game, frame)(columns, rows, signs)
    assert len(lines) <= rows and all(width(line) <= columns for line in lines)
    as_drawn("train", f"game: {name}", lines)


@pytest.mark.parametrize(
    ("columns", "game", "said"),
    [
        (85, played(*GAME), "First wins: its moves +29 +11 0, the others 0 −11"),
        (51, played(*GAME), "First wins: its moves +29 +11 0, the others 0 −11"),
        (48, played(*GAME), "First wins: 0 to +29, others −11 to 0"),
        (40, played(*GAME), "First wins: 0 to +29, others −11 to 0"),
        (36, played(*GAME), "First wins: its moves 0 to +29"),
        (85, played((0, 0), (1, 1), (2, 2)), "First wins: no score changed"),
        (85, played((0.5, 0.25), (0, 0), (0, 0), outcome=base.DRAW), "A draw: its moves 0 −0.25"),
        (20, played((0.5, 0.25), (0, 0), (0, 0), outcome=base.DRAW), "A draw: its moves …"),
        (85, played((0, 0), outcome=base.DRAW), "A draw: no score changed"),
        (85, played((0, 1)), "First wins: its moves +1"),
        (85, played((0, 1), (0, 2), outcome=base.LOST), "First wins: its moves +1, the others +2"),
        (85, played((0, 1), (0, 2)), "Second wins: its moves +2, the others +1"),
        (85, played((0, 9), (0, -9), (9, 9), sure=9), "First wins. Proven: 1 won, 1 lost"),
        (85, played((0, -9), (0, -9), sure=9), "Second wins. Proven: 2 lost"),
        (85, played((0, 3), sure=9), "First wins. Nothing new is proven"),
        (85, played((9, 9), sure=9), "First wins. No score changed"),
    ],
)
def test_a_game_says_what_every_move_got(columns: int, game: Played, said: str) -> None:
    lines = position_panel.paint_game(game, game.frames - 1)(columns, 20, UNICODE)
    assert plain_text(lines[-1]) == said


def test_the_history_of_a_game_is_scores_as_shares_beside_exact_values() -> None:
    game = played((50, 80), (-200, 10), exact=True)
    before, after = moments(game, False), moments(game, True)
    assert [moment.belief.number for moment in before if moment.belief] == [0.25, -1.0]
    assert [moment.estimate.number for moment in after if moment.estimate] == [0.4, 0.05]
    assert all(moment.estimate is None for moment in before)
    assert [(moment.ply, moment.seat, moment.gave_away) for moment in after] == [(0, 0, "win → loss"), (1, 1, "")]
    assert [moment.belief.number for moment in moments(played((9, 0), sure=3), False) if moment.belief] == [1.0]


# The parts of a training.


def test_the_history_is_thinned_and_stays_small() -> None:
    history = History(most_bytes=100 * 800)
    games = 1
    for step in range(2_000):
        games += 1 + games // 20
        history.add(games, np.full(100, step))
    assert 8 <= len(history) <= 64  # of 800 bytes each
    values = history.of(3, 2_000, 7)
    assert len(values) == 7 and values[-1] == 2_000 and list(values) == sorted(values)
    kept = len(history)
    history.add(games, np.zeros(100))
    history.add(games + 1, np.zeros(100))
    assert len(history) == kept, "too soon after the last copy"
    history.add(5, np.zeros(100))  # it was reset
    assert len(history) == 1 and history.of(0, 7.0, 7) == [0.0, 7.0]
    history.clear()
    assert len(history) == 0
    tiny = History(most_bytes=10)
    tiny.add(1, np.zeros(100))
    assert len(tiny) == 0 and tiny.of(0, 7.0, 7) == [7.0]
    few = History()
    for games in (1, 1, 2, 3):
        few.add(games, np.full(2, games))
    assert len(few) == 3 and few.of(1, 9.0, 3) == [1.0, 3.0, 9.0] and few.of(1, 9.0, 1) == [9.0]


def test_the_usual_pace_grows_with_the_games_while_it_is_seen() -> None:
    assert [USUAL_PACE.of(games, True) for games in (0, 10, 100)] == [12, 12, 120] and USUAL_PACE.of(100, False) is None
    assert [pace.speed for pace in PACES if pace.singly] == [0.2, 1, 2]
    assert [pace.of(9, seen) for pace in (PACES[0], PACES[-1]) for seen in (True, False)] == [0.2, 0.2, None, None]


def test_the_way_back() -> None:
    place = Whereabouts(5)
    place.edge = 3
    place.go(5, keep=True)
    assert place.edge == 3, "it is there already"
    place.go(7, keep=True)
    assert (place.node, place.edge) == (7, None)
    place.go(8, keep=False)
    place.go(9, keep=True)
    assert [place.back(), place.back(), place.back()] == [8, 5, None]
    nowhere = Whereabouts()
    nowhere.go(1, keep=True)
    assert nowhere.back() is None
    for node in range(2, MOST_BACK + 50):
        nowhere.go(node, keep=True)
    assert len(nowhere._way) == MOST_BACK + 1


def test_the_list_knows_best_moves_and_orders_them() -> None:
    ptr = np.array([0, 2, 3, 6])
    scores, visits = np.array([1, 4, -2, 7, 7, 0]), np.array([1, 1, 9, 0, 0, 3])
    rows = Scores(scores, visits, np.array([1, 0, 2], np.int8), ptr)
    assert [rows.best(node) for node in range(3)] == [(1, 4, 2), (2, -2, 9), (3, 7, 3)] and len(rows) == 3
    assert rows.numbers.plays.tolist() == [2, 9, 3] and rows.numbers.best.tolist() == [4, -2, 7]
    orders = {sort: order_of(rows, sort, np.arange(3)).tolist() for sort in ("verdict", "score", "played", "position")}
    assert orders == {"verdict": [2, 0, 1], "score": [2, 0, 1], "played": [1, 2, 0], "position": [0, 1, 2]}
    mixed = replace(rows, verdict=np.array([UNDECIDED, RIGHT, WRONG], np.int8))
    assert order_of(mixed, "verdict", np.arange(3)).tolist() == [2, 0, 1]
    assert order_of(replace(rows, scores=np.zeros(6)), "score", np.array([1, 2, 0])).tolist() == [1, 2, 0]


# What is drawn of lanes.


def standing(right: int, wrong: int = 0, undecided: int = 0, **more: Any) -> Standing:
    usual = {"accuracy": 0.875, "reachable": 0.9, "unbeaten": 0.75, "proof": False, "perfect": False}
    return Standing(
        **{**usual, **more}, right=right, wrong=wrong, undecided=undecided, nothing=2, verdicts=np.zeros(0, np.int8)
    )


def view(games: int, **more: Any) -> View:
    return View(games, 9, 0.1, np.zeros(0), np.zeros(0, np.int32), standing(**{"right": 7, "wrong": 2, **more}))


def lane(title: str = "reward", *, games: int = 40, seen: View | None = None, game: Any = NIM, **more: Any) -> Any:
    points = [Point(1, 0.25, 0.5), Point(10, 0.5, 0.5), Point(90, 1.0, 1.0)]
    training = SimpleNamespace(curve=points, truth=truth(game), game=game)
    run = SimpleNamespace(last=5_000, writer=SimpleNamespace(games=None))
    usual = {"state": State.GOING, "rate": 12_345.6, "measured": True, "fault": "", "job": None, "foreign": None}
    return SimpleNamespace(title=title, games=games, view=seen, training=training, run=run, **{**usual, **more})


def conductor(*lanes: Any, **more: Any) -> Any:
    usual = {"setup": TrainSetup("nim:3,2", seed=4), "message": "", "ended": False, "paused": False, "pace": PACES[-1]}
    idle = {"meetings": SimpleNamespace(searched=None), "doing": lambda errand: None}
    return SimpleNamespace(lanes=list(lanes), **{**usual, **idle, **more})


SEEN = lane(seen=view(40))
SECOND = lane("proof", seen=view(60, accuracy=1.0), games=60)
ODD = parse_game("nim:2,2")  # lost for the first player
FRESH = lane(state=State.PREPARING, job=SimpleNamespace(snapshot=Snapshot(3, 9, "positions")))


@pytest.mark.parametrize(
    ("name", "found", "columns"),
    [
        ("at full speed", conductor(SEEN), 90),
        ("a word less", conductor(SEEN), 56),
        ("narrow", conductor(SEEN), 30),
        ("at a pace", conductor(SEEN, pace=PACES[3]), 90),
        ("an unknown rate", conductor(lane(rate=None)), 90),
        ("two", conductor(SEEN, SECOND), 90),
        ("two, narrow", conductor(SEEN, SECOND), 36),
        ("paused", conductor(SEEN, paused=True), 90),
        ("preparing", conductor(FRESH), 90),
        ("done", conductor(SEEN, ended=True), 90),
        ("measuring", conductor(lane(measured=False), ended=True), 90),
        ("failed", conductor(SEEN, lane(state=State.FAILED), ended=True), 90),
        ("endless", conductor(SEEN), 60),
        ("one game", conductor(lane(games=1)), 90),
        ("none", conductor(setup=None), 90),
    ],
)
def test_the_line_above(name: str, found: Any, columns: int) -> None:
    as_drawn("train", f"status: {name}", train_view.status(found)(columns, 1, UNICODE))


@pytest.mark.parametrize(
    ("name", "found", "asking"),
    [
        ("a question", conductor(SEEN), True),
        ("a question about one game", conductor(lane(games=1)), True),
        ("a message", conductor(SEEN, message="Saving"), False),
        ("no training", conductor(), False),
        ("a fault", conductor(lane(fault="no file")), False),
        ("solving", conductor(FRESH), False),
        ("solving, nothing told", conductor(lane(state=State.PREPARING)), False),
        ("can still lose", conductor(SEEN), False),
        ("never loses", conductor(lane(seen=view(40, proof=True, undecided=0, wrong=1), game=ODD)), False),
        ("perfect", conductor(lane(seen=view(40, perfect=True, proof=True))), False),
        ("two", conductor(SEEN, lane("proof", seen=view(9, perfect=True)), lane("q", seen=view(9, proof=True))), False),
    ],
)
def test_the_line_below(name: str, found: Any, asking: bool) -> None:
    as_drawn("train", f"prompt: {name}", train_view.prompt(found, asking)(100, 1, UNICODE))


def test_a_saved_training_says_so_where_there_is_room() -> None:
    saved = lane(seen=view(40))
    saved.run.writer.games = 1_200
    for columns in (100, 60):
        as_drawn("train", f"prompt: saved, {columns}", train_view.prompt(conductor(saved), False)(columns, 1, UNICODE))


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("one", conductor(SEEN)),
        ("before a view", conductor(lane())),
        ("a drawn start", conductor(lane(seen=view(40), game=parse_game("noughts:2x3x3")))),
        ("two", conductor(SEEN, SECOND)),
        ("none", conductor()),
    ],
)
def test_the_curve(name: str, found: Any) -> None:
    as_drawn("train", f"curve: {name}", train_view.curve(found)(70, 9, ASCII))


def test_captions_of_two_maps() -> None:
    for name, at, active, found in (("active", 0, True, SEEN), ("other", 1, False, SECOND), ("fresh", 1, True, FRESH)):
        as_drawn("train", f"caption: {name}", train_view.caption(found, at, active)(30, 1, UNICODE))


# Work, without a loop: what a job calls is called in its thread.


def rested(work: TrainWork) -> TrainWork:
    """Wait for all jobs."""
    while jobs := work.jobs.running():
        assert all(job.join(20) for job in jobs)
    return work


def trained(setup: TrainSetup) -> TrainWork:
    """A training at its goal, at full speed, seen once, at its end."""
    work = TrainWork(Jobs())
    work.pace = PACES[-1]
    work.watch(1e9)
    work.start(setup)
    rested(work).tick()
    rested(work).tick()
    return work


SMALL = TrainSetup("nim:3,2", "reward", "", 1, "50")


def test_a_training_ends_at_its_goal_is_saved_and_goes_past_it_in_a_new_file(home: Path) -> None:
    work = trained(SMALL)
    changes = Changes(work)
    [one] = work.lanes
    assert work.ended and not work.going and not work.paused and not work.idle and work.lost_by_leaving == ""
    assert one.view is not None and not work.tick()
    one.view = None  # as if it were not yet seen
    assert work.tick() and one.games == one.training.games == 50 and one.place is not None and one.place.exists()
    before = one.place
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(train_work, "FURTHER", 30)
        work.pause_or_go_on()
        rested(work)
    assert work.message.startswith("Training past the goal to ") and "(new file; the old one stays)" in work.message
    assert one.place.name == f"{before.stem}-further.npz" and Run.load(before).training.games == 50
    assert one.training.games == 100 and not one.beyond and changes.number > 0
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(train_work, "further_goal", lambda trainings: None)
        work.pause_or_go_on()
        rested(work)
    assert work.message == "The table cannot count more games"


def test_a_saved_run_is_restored_paused_or_continued(home: Path) -> None:
    work = trained(SMALL)
    place = work.lanes[0].place
    assert place is not None
    run = Run.load(place)
    run.goal(20)
    run.save()
    work.resume(place, held=False)
    rested(work)
    assert work.message == "Restored after 50 games. Continuing" and work.lanes[0].training.games == 70
    assert work.setup == TrainSetup("nim:3,2", "reward", "", 1, "70")
    work.resume(place, held=False)
    rested(work)
    assert work.message == "Restored after 70 games"
    work.resume(home / "none.npz")
    rested(work)
    assert work.message.startswith("Cannot resume: ")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Lane, "ended", False)
        work.resume(place)
    assert work.message == "This training is already open"


def test_paces_messages_saves_and_copies(home: Path) -> None:
    work = trained(SMALL)
    [one] = work.lanes
    work.change_pace(-1)
    for watched, speed in ((1e9, 60), (None, None), (1e9, 60)):  # as long as somebody looks, ever faster
        work.watch(watched)
        assert one.run.speed == speed
    changes = Changes(work)
    work.change_pace(-1)
    assert (
        changes.number == 1
        and work.message == "10,000 games per second"
        and one.run.speed == 10_000
        and not work.following
    )
    work.change_pace(-99)
    assert work.pace is PACES[0] and work.following and work.message == "1 game in 5 seconds"
    work.change_pace(99)
    assert work.pace is PACES[-1] and one.run.speed is None
    work.change_pace(-3)
    work.hurry()
    assert (changes.number, work.message) == (5, "Full speed") and one.run.speed is None
    work.change_pace(0)
    assert one.run.speed == 1_000
    work.watch(None)
    assert one.run.views.every is None
    work.checkpoint()
    rested(work)
    assert work.message == "Saving"
    work.tick()
    assert work.message == "Saved at 50 games"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("nimtui.ui.train.work.MESSAGE_SECONDS", -1.0)
        work.tick()
        work.tick()
    assert work.message == ""
    copies: list[Path] = []
    work.copy(0, copies.append)
    rested(work)
    assert [path.name for path in copies] == ["reward-50.npz"]
    work.reset()
    rested(work)
    assert work.message == "Started over with a new table and the same settings" and work.lanes[0] is not one
    assert work.lanes[0].training.games == 50


def test_where_nothing_can_be_saved_it_trains_in_memory_and_says_so(home: Path) -> None:
    (home / "runs").write_text("in the way")
    work = trained(SMALL)
    assert work.message.startswith("Not saved: ") and work.lanes[0].training.games == 50
    work.checkpoint()
    rested(work)
    work.tick()
    assert work.message == "" and work.lanes[0].fault
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Lane, "ended", False)
        assert work.lost_by_leaving == "The training of reward is not saved in a file."


def test_a_position_is_shown_as_the_table_rates_it(home: Path) -> None:
    work = trained(SMALL)
    [one] = work.lanes
    assert one.view is not None and one.training.truth is not None
    atlas = Atlas(NIM, one.training.truth)
    start = int(atlas.graph.start)
    shown = train_view.position(atlas, one.view, one, start, None)
    assert shown is not None and train_view.position(atlas, one.view, one, -1, None) is None
    as_drawn("train", "position: of a training", position_panel.paint(shown)(50, 14, UNICODE))
    assert [scored.keeps for scored in shown.moves] == [scored.name == "a1" for scored in shown.moves]
    scores = [scored.score for scored in shown.moves]
    assert shown.moves[0].history[0] == 0 and scores == sorted(scores, reverse=True)
    edges, at = train_view.ranked(atlas, one.view, start)
    assert at == 0 and train_view.ranked(atlas, one.view, start, edges[-1]) == (edges, len(edges) - 1)
    assert (marked := train_view.position(atlas, one.view, one, start, edges[2])) and marked.marked == 2
    assert atlas.node("3,2") == start and atlas.node("0,0") == -1 and atlas.name(start) == "3,2"
    walked = [start, atlas.node("2,2")]
    edge = next(edge for edge in edges if atlas.move_name(start, edge) == "a1")
    there = train_view.ranked(atlas, one.view, walked[1])[0][0]
    numbers = [np.array(one, np.int32) for one in (walked, [edge, there])]
    episode = Episode(7, *numbers, np.array([1.0, 2.0]), np.array([3.0, 1.0]), base.WON)
    game = train_view.played(atlas, FollowedGame(episode, None, one.view, one.view), one.training.learner)
    assert [(ply.position, ply.before, ply.after, ply.exact, ply.was) for ply in game.plies] == [
        ("3,2", 1.0, 3.0, 1, 1), ("2,2", 2.0, 1.0, 1, -1)
    ]  # fmt: skip
    assert (game.number, game.outcome, game.sure, game.plies[0].name) == (7, base.WON, None, "a1")
