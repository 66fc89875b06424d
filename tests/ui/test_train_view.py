"""What the Train screen draws of a training, its parts that need no app, and its work on jobs that are done at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
import pytest

from nimtui.games import Game, base, parse_game
from nimtui.jobs import Jobs
from nimtui.jobs.job import Snapshot
from nimtui.jobs.work import State
from nimtui.learning.compiled import Episode
from nimtui.learning.curve_points import Point
from nimtui.learning.evaluate import NOTHING, RIGHT, UNDECIDED, WRONG, Standing
from nimtui.learning.run import FollowedGame, Run
from nimtui.learning.sweep_report import Rough
from nimtui.learning.training import Training
from nimtui.learning.views import View
from nimtui.report.lines import plain_text, width
from nimtui.theory.truth import Truth, truth
from nimtui.ui.kit.terminal.glyphs import ASCII, UNICODE, Glyphs
from nimtui.ui.train import position_panel
from nimtui.ui.train import view as train_view
from nimtui.ui.train.lane import PACES, USUAL_PACE, Lane
from nimtui.ui.train.position_list import Scores, order_of
from nimtui.ui.train.position_panel import Played, Ply, ScoredMove, ShortScore, ShownPosition, moments, spark
from nimtui.ui.train.setup import TrainSetup
from nimtui.ui.train.view import MOST_BACK, Atlas, Whereabouts
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
        ("without bars", played(*GAME), 7, 60, 14, UNICODE), ("without a board, ASCII", played(*GAME), 2, 50, 6, ASCII),
        ("narrow", played(*GAME), 9, 26, 8, UNICODE), ("before the first move", played(*GAME), -1, 60, 6, UNICODE),
        ("a proving learner", played((0, 100), (0, -100), (7, 7), sure=100), 3, 90, 12, UNICODE),
        ("none yet", None, 0, 34, 8, UNICODE),
    ],
)  # fmt: skip
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


class Trained(NamedTuple):
    curve: list[Point]
    game: Game

    @property
    def truth(self) -> Truth:
        return truth(self.game)  # not before it is drawn


def lane(title: str = "reward", *, games: int = 40, seen: View | None = None, game: Any = NIM, **more: Any) -> Any:
    points = [Point(1, 0.25, 0.5), Point(10, 0.5, 0.5), Point(90, 1.0, 1.0)]
    training = Trained(points, game)
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


SAVED = lane(seen=view(40))
SAVED.run.writer.games = 1_200
DONE = lane(seen=view(40, perfect=True, proof=True))
NEVER_LOSES = lane(seen=view(40, proof=True, undecided=0, wrong=1), game=ODD)
SURE = conductor(SEEN, lane("proof", seen=view(9, perfect=True)), lane("q", seen=view(9, proof=True)))
DRAWN_START = lane(seen=view(40), game=parse_game("noughts:2x3x3"))


def later(painter: Callable[..., Any]) -> Callable[..., Any]:
    """The same, but it asks what it draws only when it draws: games are solved within a test."""
    return lambda *given: lambda *size: painter(*given)(*size)


status, prompt, curve, caption = map(
    later, (train_view.status, train_view.prompt, train_view.curve, train_view.caption)
)


@pytest.mark.parametrize(
    ("name", "paint", "columns", "rows"),
    [
        ("status: at full speed", status(conductor(SEEN)), 90, 1),
        ("status: a word less", status(conductor(SEEN)), 56, 1), ("status: narrow", status(conductor(SEEN)), 30, 1),
        ("status: at a pace", status(conductor(SEEN, pace=PACES[3])), 90, 1),
        ("status: an unknown rate", status(conductor(lane(rate=None))), 90, 1),
        ("status: two", status(conductor(SEEN, SECOND)), 90, 1),
        ("status: two, narrow", status(conductor(SEEN, SECOND)), 36, 1),
        ("status: paused", status(conductor(SEEN, paused=True)), 90, 1),
        ("status: preparing", status(conductor(FRESH)), 90, 1),
        ("status: done", status(conductor(SEEN, ended=True)), 90, 1),
        ("status: measuring", status(conductor(lane(measured=False), ended=True)), 90, 1),
        ("status: failed", status(conductor(SEEN, lane(state=State.FAILED), ended=True)), 90, 1),
        ("status: endless", status(conductor(SEEN)), 60, 1),
        ("status: one game", status(conductor(lane(games=1))), 90, 1),
        ("status: none", status(conductor(setup=None)), 90, 1),
        ("prompt: a question", prompt(conductor(SEEN), True), 100, 1),
        ("prompt: a question about one game", prompt(conductor(lane(games=1)), True), 100, 1),
        ("prompt: a message", prompt(conductor(SEEN, message="Saving"), False), 100, 1),
        ("prompt: no training", prompt(conductor(), False), 100, 1),
        ("prompt: a fault", prompt(conductor(lane(fault="no file")), False), 100, 1),
        ("prompt: solving", prompt(conductor(FRESH), False), 100, 1),
        ("prompt: solving, nothing told", prompt(conductor(lane(state=State.PREPARING)), False), 100, 1),
        ("prompt: can still lose", prompt(conductor(SEEN), False), 100, 1),
        ("prompt: never loses", prompt(conductor(NEVER_LOSES), False), 100, 1),
        ("prompt: perfect", prompt(conductor(DONE), False), 100, 1), ("prompt: two", prompt(SURE, False), 100, 1),
        ("prompt: saved, 100", prompt(conductor(SAVED), False), 100, 1),
        ("prompt: saved, 60", prompt(conductor(SAVED), False), 60, 1), ("curve: one", curve(conductor(SEEN)), 70, 9),
        ("curve: before a view", curve(conductor(lane())), 70, 9),
        ("curve: a drawn start", curve(conductor(DRAWN_START)), 70, 9),
        ("curve: two", curve(conductor(SEEN, SECOND)), 70, 9), ("curve: none", curve(conductor()), 70, 9),
        ("caption: active", caption(SEEN, 0, True), 30, 1), ("caption: other", caption(SECOND, 1, False), 30, 1),
        ("caption: fresh", caption(FRESH, 1, True), 30, 1),
    ],
)  # fmt: skip
def test_what_is_drawn_of_lanes(name: str, paint: Any, columns: int, rows: int) -> None:
    as_drawn("train", name, paint(columns, rows, ASCII if name.startswith("curve") else UNICODE))


def test_the_first_sentences_of_a_message_stay_where_there_is_no_room_for_all() -> None:
    paint = prompt(conductor(SEEN, message="One. Two. Three"), False)
    for columns, shown in ((20, "One. Two. Three"), (12, "One. Two."), (6, "One.")):
        assert plain_text(paint(columns, 1, UNICODE)[0]).strip() == shown


def test_a_position_is_shown_as_the_table_rates_it() -> None:
    run = Run(Training(NIM, "reward", 1))
    run.goal(50)
    run.views.every = 1.0
    run.work()
    one = Lane(Jobs(), run)
    assert one.pull() and one.view is not None and one.training.truth is not None
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
