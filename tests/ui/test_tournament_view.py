"""What the Tournament and Pairing screens draw of standings made by hand: tables, cells, games, lines, offers."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import combinations_with_replacement, product
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from nimtui.arena.play.entrants import labels
from nimtui.arena.play.plan import ORDERED, plan
from nimtui.arena.play.steps import MeanPayoff
from nimtui.arena.rating.meetings import Meeting
from nimtui.arena.rating.ratings import head_to_head
from nimtui.arena.standings.ledger import EqualFaults
from nimtui.arena.standings.standings import PairingScore, Standings
from nimtui.games import parse_game
from nimtui.jobs.live_games import LiveGame
from nimtui.jobs.tournament import View
from nimtui.jobs.work import State
from nimtui.report.lines import Ink, plain_text, width
from nimtui.store.rows import GameInfo, GameRow, TournamentInfo
from nimtui.ui.kit.terminal.glyphs import ASCII, UNICODE, Glyphs
from nimtui.ui.kit.widgets.panel import Paint
from nimtui.ui.tournament import crosstable, pairing_view, view
from nimtui.ui.tournament.crosstable import PAID_SORTS, SORTS, Place, Share, Table, against, share, whisker
from nimtui.ui.tournament.pairing_view import Filter, Listing, apart_in, course
from nimtui.ui.tournament.screen import Marked, Read
from tests.ui.at_once import look_up_at_once
from tests.ui.drawn import as_drawn
from tests.ui.tournaments import AGENTS, GAME, score, standings

SIX, ORDER, MANY = standings(), standings(3, pairs=ORDERED), standings(12)
FAULTY, UNJUDGED = standings(3, faults=3), standings(3, judged=False)
TWO = plan((GAME,), ("perfect", "random"), number=8)


@pytest.mark.parametrize("columns", [58, 198])
@pytest.mark.parametrize("cursor", [(2, 3), (11, 11)])
def test_every_cell_is_found_where_it_is_painted(columns: int, cursor: tuple[int, int]) -> None:
    found = Table.of(MANY, Place(cursor, chosen=True))
    lines = crosstable.paint(found, columns, 9, UNICODE)
    [(y, x)] = [
        (y, sum(width((run,)) for run in line[:at]))
        for y, line in enumerate(lines)
        for at, run in enumerate(line)
        if run.ink is Ink.CURSOR
    ]
    score = plain_text(lines[0]).index("score")
    targets = [[run.target for run in line for _ in run.text] for line in lines]
    row, column = cursor
    assert [targets[y][x + 2], targets[y - 1][x + 2]] == [(row, str(column)), (row - 1, str(column))]
    assert targets[y - 1][3] == (row - 1, "name") and targets[0][x + 2] == str(column) and targets[0][score] == "score"


def test_the_cursor_follows_its_agents_and_moves_within_the_table() -> None:
    order, place = [2, 0, 1], Place()
    assert place.on(order).cursor == (2, 0) and place.on([4]).cursor == (4, 4)
    chosen = place.on(order).moved(order, 1, 1)
    assert (chosen.cursor, chosen.chosen, chosen.on([1, 0, 2])) == ((0, 1), True, chosen)
    assert chosen.moved(order, -9, 9).cursor == (2, 1) and chosen.moved(order, 9, -9).cursor == (1, 2)
    names = labels(SIX.plan.agents)
    assert [names[at] for at in Place(sort="name").order(SIX, names)] == sorted(names)
    assert all(Place(sort=sort).order(SIX, names) == [0, 1, 2, 3, 4, 5] for sort in SORTS[:4])
    backwards = replace(SIX, rows=(*SIX.rows[:0:-1], replace(SIX.rows[0], judged=False)))
    unrated = replace(
        backwards,
        rows=tuple(
            replace(row, rating=replace(row.rating, elo=math.nan)) if row.entrant == 3 else row
            for row in backwards.rows
        ),
    )
    paid = replace(
        SIX, rows=tuple(replace(row, payoff=MeanPayoff(100, 250 - 100 * row.entrant, 4000)) for row in backwards.rows)
    )
    found = {sort: Place(sort=sort).order(unrated, names) for sort in SORTS[:4]}
    assert found == {
        "score": [5, 4, 3, 2, 1, 0], "Elo": [0, 1, 2, 4, 5, 3], "points": [0, 1, 2, 3, 4, 5],
        "mistakes": [1, 2, 3, 4, 5, 0],
    }  # fmt: skip
    assert [Place(sort=sort).order(paid, names) for sort in ("payoff", "score")] == [
        [5, 4, 3, 2, 1, 0],
        [0, 1, 2, 3, 4, 5],
    ]
    as_drawn("tournament", "table: payoffs", crosstable.paint(Table.of(paid, Place()), 110, 7, UNICODE))
    turned, shares = place, []
    for _ in SORTS:
        turned = turned.next_sort()
    assert place.at((2, 1)).on([1, 0]).cursor == (1, 0), "of fewer entrants the first two are marked"
    walk = [Place(sort=PAID_SORTS[0])]
    for _ in range(5):
        walk.append(walk[-1].next_sort(paid=True).next_share(paid=True))
    assert [each.sort for each in walk] == [*PAID_SORTS, PAID_SORTS[0]]
    assert [each.share for each in walk] == [Share.BOTH, Share.FIRST] * 3
    for _ in Share:
        place = place.next_share()
        shares.append(place.share)
    assert turned.sort == SORTS[0] and shares == [Share.FIRST, Share.STRONGER, Share.BOTH]


def test_shares_of_a_cell_and_their_whiskers() -> None:
    assert against(ORDER, 1, 2) == (150.0, 200) and against(ORDER, 1, 2, both=False) == (75.0, 100)
    half = tuple(tuple(None if at == (2, 1) else cell for at, cell in each) for each in (
        [((row, column), cell) for column, cell in enumerate(cells)] for row, cells in enumerate(ORDER.cells)
    ))  # fmt: skip
    assert against(replace(ORDER, cells=half), 1, 2) == (75.0, 100), "the other seat was not played"
    assert against(ORDER, 1, 1) == (50.0, 100) and share(SIX, 1, 1, Share.BOTH) is None
    assert [share(ORDER, 1, 2, what) for what in (Share.BOTH, Share.FIRST)] == [0.75, 0.75]
    assert crosstable.most_games(SIX.plan) == 500 and crosstable.most_games(ORDER.plan) == 400
    assert whisker(0.5, 0.499, 0.501, 10, UNICODE) == "█████     "
    assert whisker(0.5, 0.25, 0.75, 8, ASCII) == "##[-+-] " and whisker(0.3, 0.25, 0.75, 8, ASCII) == "##[---] "
    assert whisker(0.0, 0.0, 1.0, 6, UNICODE) == "      " and whisker(0.5, 0.1, 0.9, 0, UNICODE) == ""
    assert whisker(1.0, 0.5, 1.0, 4, UNICODE) == "██├┤" and whisker(0.9, 0.0, 0.9, 2, UNICODE) == "├┤"
    for wide, (low, value, high) in product(range(9), combinations_with_replacement([at / 10 for at in range(11)], 3)):
        ends = [min(wide - 1, math.floor(share * wide)) for share in (low, high)]
        expected = UNICODE.bar(value, wide)
        if (low, high) == (0.0, 1.0):
            expected = " " * wide
        elif wide and ends[0] < ends[1] and (high - low) * wide >= 1:
            expected = "█" * ends[0] + "├" + "─" * (ends[1] - ends[0] - 1) + "┤" + " " * (wide - 1 - ends[1])
            if ends[0] < (at := math.floor(value * wide)) < ends[1]:
                expected = f"{expected[:at]}┼{expected[at + 1 :]}"
        assert whisker(value, low, high, wide, UNICODE) == expected, (wide, low, value, high)
    copied = crosstable.of_table(Table.of(MANY, Place()), UNICODE)
    assert copied.what == "table" and copied.text.count("\n") == 12
    rating = SIX.rows[1].rating
    assert (rating.brief.text, rating.error.text, rating.line) == ("+400", "±60", "+400 ±60")
    assert replace(rating, elo=-900.0, at_most=-300.0).line == "≤ −300"
    assert replace(rating, elo=float("nan")).line == replace(rating, by_seat=True).line == "?"


def test_the_marked_two_stay_marked_while_games_are_played_and_the_table_is_sorted_again() -> None:
    first = Place().on([2, 0, 1])
    assert first.cursor == (2, 0) and first.on([0, 1, 2]).cursor == (0, 1)
    going = replace(first, picked=True)
    assert going.on([0, 1, 2]).cursor == (2, 0) and replace(going, picked=False).on([0, 1, 2]).cursor == (0, 1)


# The marked cell.


def conductor(found: Standings | None = SIX, state: State = State.FINISHED, **more: Any) -> Any:
    """A conductor that shows these standings."""
    task, seen = None, None
    if found is not None:
        cells, made = found.cells, found.plan
        scores = tuple(score(made, at, lambda row, column: cells[row][column]) for at in range(len(made.pairings)))
        done = sum(each.played for each in scores)
        seen = View(made, scores, done, made.total, 61.0, 0.0, None, (), (), "")
        task = SimpleNamespace(plan=made, name="", view=seen, unkept="")
    usual = {"plan": task and task.plan, "view": seen, "state": state, "task": task, "message": "", "programs": ()}
    usual |= {"remarks": (), "fault": "", "stuck": "", "getting_ready": "", "at_work": 2}
    return SimpleNamespace(**{**usual, **more})


FAILED = conductor()
FAILED.view = replace(
    FAILED.view,
    scores=(replace(FAILED.view.scores[0], faults=(0, 2)), *FAILED.view.scores[1:]),
    kinds=(EqualFaults("it fell asleep", 2, "A against B, game 3"),),
)
THEORY = conductor(remarks=(f"The start of {parse_game(GAME).name} is lost. --openings balanced",))


# Games in progress, the lines, the offers.

MOVES = (0, 1, 0)
LIVE = LiveGame(0, 33, MOVES)


def test_who_plays_a_game_and_how_it_ended() -> None:
    assert view.who(TWO, LiveGame(0, 0, ())) == (["perfect", "random"], "game 1")
    assert view.who(TWO, LiveGame(0, 1, ())) == (["random", "perfect"], "game 2")
    assert [view.ended(TWO, LIVE, result) for result in (1, 0, -1)] == ["perfect won", "draw", "random won"]
    alone = plan((GAME,), ("random",), ORDERED, 4)
    assert [view.ended(alone, LiveGame(0, 0, ()), result) for result in (1, -1, 0)] == [
        "the first player won", "the second player won", "draw"
    ]  # fmt: skip
    words = view.told_moves(("A", "B"), ("a1", "a2", "a3", "a1"), 1).replace("\N{NO-BREAK SPACE}", " ")
    assert words == "opening a1  2 A a2  3 B a3  4 A a1"
    assert view.told_moves(("A", "B"), ("a1",), 0).replace("\N{NO-BREAK SPACE}", " ") == "1 A a1"


def test_plans_in_words() -> None:
    one = plan((GAME, "tower:16"), ("perfect", "random"), number=1)
    assert view.games(one) == "2 games: 21 matches, take 1 to 3; Tower of 16"
    assert view.games(SIX.plan) == "21 matches, take 1 to 3 · the last match loses"
    assert view.played(plan((GAME,), ("random",), ORDERED, 1)) == "1 ordered pair × 1 game"
    told = view.on_screen("The start of nim:21:max=3:misere is lost. --openings balanced:2", one)
    assert told == "The start of subtraction:21,3:misere is lost. Balanced openings avoid this."
    assert view.on_screen("It is drawn. --openings random", one) == "It is drawn."


def named(setup: Any, name: str = "") -> Any:
    return conductor(task=SimpleNamespace(plan=setup, name=name, view=SimpleNamespace(faults=()), unkept=""))


TESTED = plan((GAME,), AGENTS[:3], number=1_000, openings="random:4", seed=7, sprt="elo0=0,elo1=50")
RATED = conductor(state=State.GOING)
RATED.view = replace(RATED.view, done=300, rate=250.0, left=62.0)


def test_offers_say_what_they_are_and_what_they_open() -> None:
    document = {"agents": ["a", "b"], "games": [GAME]}
    info = TournamentInfo(3, "tournament", "", document, "stopped", 0.0, 0.0, 0.0, 41, 100, False)
    done = info._replace(id=4, state="done", name="a name that is a good deal longer than the list", document={})
    offers = view.offers([info], [done])
    assert [view.taken(offer.value)[0] for offer in offers] == ["kept", *["preset"] * 4, "form", "ended"]
    assert view.taken(offers[0].value) == ("kept", 3) and view.taken(offers[-1].value) == ("ended", 4)
    assert view.taken("form") == ("form", None) and view.taken("preset 1")[1] is view.PRESETS[1].setup
    assert (offers[0].label, offers[0].detail.partition(" · ")[0]) == ("Resume: tournament 3, 2 agents", "41 %")
    assert offers[-1].label == "Show: a name that is a good …" and offers[-1].detail.startswith("finished · ")
    assert len(offers[0].detail) <= 36 and view._detail(info._replace(total=0)).startswith(" · ")


# One pairing.


def test_pairings_of_two_and_their_names() -> None:
    assert pairing_view.pairings_of(SIX.plan, (2, 1)) == [Listing(5, 1)]
    both = pairing_view.pairings_of(ORDER.plan, (2, 1))
    assert [(listing.side, ORDER.plan.pairings[listing.pairing][1:]) for listing in both] == [(0, (2, 1)), (1, (1, 2))]
    made = plan((GAME,), ("random", "random"), number=2, saved=True)
    assert pairing_view.names(made, Listing(0, 0)) == ("random (1)", "random (2)")
    assert pairing_view.names(made, Listing(0, 1)) == ("random (2)", "random (1)")
    alone = plan((GAME,), ("random",), ORDERED, 4)
    assert pairing_view.names(alone, Listing(0, 0)) == ("random (first)", "random (second)")
    listing, filters = Listing(0, 0, at=3), []
    for _ in Filter:
        listing = listing.next_filter()
        filters.append(listing.filter)
    assert filters == [*list(Filter)[1:], Filter.ALL] and listing.at == 0
    for others, name in ((0, "alone"), (1, "one other"), (2, "others")):
        for side in (0, 1):
            paint = pairing_view.title(ORDER.plan, Listing(1, side), others)
            as_drawn("tournament", f"pairing: {name}, side {side}", paint(90, 1, UNICODE))


COUNTS = ((30, 20), (5, 0), (15, 30), (90, 90), (80, 40), (4, 8), (0, 1), (3, 5, 20, 12, 10))
SCORED = PairingScore(TWO.pairings[0], *COUNTS, wanted=100)
PROVEN = plan((GAME,), ("perfect", "random"), number=100, sprt="elo0=0,elo1=50")
UNPLAYED = replace(SCORED, wins=(0, 0), draws=(0, 0), losses=(0, 0), chances=(0, 0), pentanomial=(0,) * 5)
ONE_SEAT = replace(SCORED, wins=(30, 0), draws=(0, 0), losses=(20, 0), pentanomial=(0,) * 5)


def info(number: int, result: int, mistakes: tuple[int, int], fault: str = "") -> GameInfo:
    chances = (0, 0) if fault else (3, 3)
    moves = b"".join(code.to_bytes(2, "little") for code in (0, 1, 2))
    row = GameRow(number, number % 2, 2, moves, result, (2, 1), chances, mistakes, fault, 0.0)
    return GameInfo(number, 1, "tournament", GAME, "perfect", "random", row, 0.0, "", 0, False)


GAMES = [info(9, 1, (0, 2)), info(8, -1, (1, 0)), info(1_203, 0, (0, 0), "it slept for so long that nobody waited")]


@pytest.mark.parametrize(
    ("name", "setup", "listing", "found", "columns", "signs"),
    [
        ("wide", plan((GAME,), ("perfect", "random"), openings="random:2"), Listing(0, 0, at=1), GAMES, 110, UNICODE),
        ("narrow, ASCII", TWO, Listing(0, 1, Filter.LOST, worst=True, at=2), GAMES, 58, ASCII),
        ("none", TWO, Listing(0, 0, Filter.FAULTS), [], 58, UNICODE),
    ],
)
def test_the_list_of_games(name: str, setup: Any, listing: Listing, found: Any, columns: int, signs: Glyphs) -> None:
    asked: list[Any] = []
    rows = pairing_view.listed(setup, listing, found, "No such games.", asked.append, lambda: None, asked.append)
    as_drawn("tournament", f"games: {name}", rows.paint(range(rows.count), columns, signs))
    if found:
        head = rows.paint(range(3), 110, UNICODE)[1]
        for column in ("game", "mistakes"):
            [target] = {run.target for run in head if run.text.strip() == column}
            rows.sort(str(target))
        assert asked == [False, True] and (rows.count, rows.at) == (3, listing.at)


def test_games_are_sorted_by_mistakes_of_the_side_looked_from() -> None:
    assert pairing_view.in_order(GAMES, Listing(0, 0)) == GAMES
    assert [one.row.number for one in pairing_view.in_order(GAMES, Listing(0, 0, worst=True))] == [8, 9, 1_203]
    assert [one.row.number for one in pairing_view.in_order(GAMES, Listing(0, 1, worst=True))] == [9, 8, 1_203]
    whole, won = Listing(0, 0), Listing(0, 0, Filter.WON)
    asked = (None, whole, False, False), (None, whole, False, True), ([], whole, True, True), ([], whole, False, True)
    texts = [pairing_view.summary(*what) for what in (*asked, ([], won, False, True))]
    assert texts == [
        "The games of this tournament are not saved.", "Reading the games …", "Reading the games …", "No games yet.",
        "No such games.",
    ]  # fmt: skip
    two = ("mcts 500 prior=heuristic,c=1.0", "mcts 500 prior=heuristic,c=2.0")
    one, other = apart_in(13, two, UNICODE)
    assert one != other and len(one) == len(other) == 13 and one.endswith("c=1.0")
    assert apart_in(13, ("perfect", "random"), UNICODE) == ("perfect", "random")


def test_the_course_of_a_pairing_is_points_by_number() -> None:
    results = np.array([1, -1, 0, 1, 1, 1, -2, 1], np.int8)
    found = course(TWO, (results, 0))
    assert found.shares == ((1, 1.0), (2, 0.5), (3, 0.5), (4, 0.625), (5, 0.7), (6, 0.75), (7, 5.5 / 7))
    whole = head_to_head([Meeting(0, 1, (2, 3), (1, 0), (0, 1))]).score
    assert (found.lows[-1][1], found.highs[-1][1]) == pytest.approx((whole.low, whole.high))
    assert course(TWO, (results, 1)).shares[-1] == (7, 1.5 / 7)
    assert course(TWO, (np.full(4, -2, np.int8), 0)).shares == ()
    made = plan((GAME,), ("perfect", "random"), "ordered", 100)  # the second seat's games are another pairing
    lost = np.full(100, -1, np.int8)
    both = course(made, (lost, 0), (lost, 1))
    assert both.shares[-1] == (200, 0.5) and course(made, (lost, 0)).shares[-1] == (100, 0.0)
    assert all(0.4 < value < 0.6 for games, value in both.shares if games > 10)
    shared = course(plan((GAME,), ("perfect", "random"), number=8, openings="random:2"), (results, 0))
    assert shared.shares == found.shares and shared.lows != found.lows
    as_drawn("tournament", "course", pairing_view.curve(found, 8)(60, 9, ASCII))
    assert pairing_view.curve(None, 8)(60, 9, ASCII) == []
    first, second = found.seats  # perfect moves first in games 1, 3 (a draw) and 5
    assert first == ((1, 1.0), (2, 1.0), (3, 0.75), (4, 0.75), *((games, 2.5 / 3) for games in (5, 6, 7)))
    assert second == ((2, 0.0), (3, 0.0), (4, 0.5), (5, 0.5), (6, 2 / 3), (7, 0.75))
    assert course(TWO, (results, 1)).seats[0][-1] == (7, 0.25), "the other side moves first in the other games"
    as_drawn("tournament", "course by seat", pairing_view.by_seat(found, 8, "perfect")(60, 9, ASCII))
    assert pairing_view.by_seat(None, 8, "perfect")(60, 9, ASCII) == []


def table(found: Standings, place: Place) -> Paint:
    return lambda *size: crosstable.paint(Table.of(found, place), *size)


def meaning(found: Any, place: Place, **more: bool) -> Paint:
    return view.meaning(found, ORDER if found.plan.pairs == ORDERED else SIX, place, **more)


def playing(state: State, going: Any, latest: Any, large: bool) -> Paint:
    holder: Any = SimpleNamespace(plan=TWO, view=SimpleNamespace(playing=going), state=state)
    return view.playing(holder, latest, large)


def results(score: PairingScore, side: int = 0, setup: Any = TWO) -> Paint:
    return pairing_view.results(setup, Listing(0, side), score)


FAULTY_TASK, UNKEPT_TASK = named(TWO), named(TWO)
FAULTY_TASK.task.view.latest_fault = "last"
UNKEPT_TASK.task.unkept = "Its games are not saved"
STOPPED = conductor(message="Stopped")
STOPPED.task.unkept = "Its games are not saved"
FULL = conductor(fault="the disk is full", message="Stopped")
ONE_SIDED = plan((GAME,), ("perfect", "random"), "one-sided", 50)
DECIDED = replace(SCORED, chances=(0, 8), mistakes=(0, 2))


@pytest.mark.parametrize(
    ("name", "paint", "columns", "rows", "signs"),
    [
        ("table: six at 80 columns", table(SIX, Place()), 78, 20, UNICODE),
        ("table: six at 60, ASCII", table(SIX, Place()), 58, 20, ASCII),
        ("table: with points and whiskers", table(SIX, Place((2, 3), chosen=True)), 198, 20, UNICODE),
        ("table: twelve, the cursor in the middle", table(MANY, Place((5, 7), chosen=True)), 58, 6, UNICODE),
        ("table: twelve, the last", table(MANY, Place((11, 11), sort="mistakes", chosen=True)), 78, 11, UNICODE),
        ("table: the row moving first", table(ORDER, Place((1, 1), Share.FIRST, chosen=True)), 78, 20, UNICODE),
        ("table: who is stronger, by name", table(ORDER, Place(share=Share.STRONGER, sort="name")), 78, 20, UNICODE),
        ("table: faults", table(FAULTY, Place(sort="Elo")), 78, 20, UNICODE),
        ("table: two lines", table(MANY, Place((11, 0), chosen=True)), 46, 2, UNICODE),
        ("table: hardly any room", table(MANY, Place((3, 6), chosen=True)), 20, 4, UNICODE),
        ("table: wide cells", table(SIX, Place((0, 0), chosen=True)), 127, 8, ASCII),
        ("table: one column less", table(SIX, Place((0, 0), chosen=True)), 126, 8, ASCII),
        ("table: mistakes unknown", table(UNJUDGED, Place(sort="points")), 118, 20, UNICODE),
        ("meaning: both seats", meaning(conductor(), Place((1, 2))), 70, 20, UNICODE),
        (
            "meaning: running, in a frame",
            meaning(conductor(state=State.GOING), Place((1, 2), Share.FIRST), framed=True),
            70,
            20,
            UNICODE,
        ),
        ("meaning: with mistakes and theory", meaning(THEORY, Place((1, 2)), mistakes=True), 70, 20, UNICODE),
        ("meaning: with lost games", meaning(FAILED, Place((1, 2))), 70, 20, UNICODE),
        ("meaning: against itself", meaning(conductor(ORDER), Place((1, 1))), 70, 20, UNICODE),
        ("meaning: few rows", meaning(conductor(), Place((1, 2))), 70, 4, UNICODE),
        ("game: in play", playing(State.GOING, (LIVE,), None, False), 50, 8, UNICODE),
        ("game: in play, large", playing(State.PAUSED, (LIVE,), None, True), 50, 24, UNICODE),
        ("game: the latest one, large", playing(State.FINISHED, (), (LIVE, 1), True), 50, 20, UNICODE),
        ("game: the last one, until the next", playing(State.GOING, (), (LIVE, None), True), 50, 20, UNICODE),
        ("game: no game while it runs", playing(State.GOING, (), None, True), 50, 8, UNICODE),
        ("game: none", playing(State.FINISHED, (), None, True), 50, 8, UNICODE),
        ("game: none, small", playing(State.FINISHED, (), None, False), 50, 8, UNICODE),
        ("said: a fault", view.said(FULL), 70, 1, UNICODE),
        ("said: a message", view.said(STOPPED), 70, 1, UNICODE),
        ("said: lost games", view.said(FAULTY_TASK), 70, 1, UNICODE),
        ("said: not saved", view.said(UNKEPT_TASK), 70, 1, UNICODE),
        ("results: first side", results(SCORED), 74, 12, UNICODE),
        ("results: second side", results(SCORED, 1), 74, 12, UNICODE),
        ("results: one seat", results(ONE_SEAT, 0, ONE_SIDED), 74, 12, UNICODE),
        ("results: nothing played", results(UNPLAYED), 74, 12, UNICODE),
        ("results: one side never decided", results(DECIDED), 74, 12, UNICODE),
        ("results: a test", results(replace(SCORED, llr=2.97, verdict="H1"), 0, PROVEN), 74, 12, UNICODE),
        ("latest games: two", pairing_view.latest(TWO, [Listing(0, 0)], GAMES), 110, 5, UNICODE),
        ("latest games: none yet", pairing_view.latest(TWO, [Listing(0, 0)], []), 110, 5, UNICODE),
        ("latest games: apart", pairing_view.latest(TWO, [], []), 110, 5, UNICODE),
        *(
            (f"{name}, {columns} columns", paint, columns, 1, UNICODE)
            for columns in (120, 78, 40)
            for name, paint in (
                ("title: with all", view.title(named(TESTED))),
                ("title: of its own", view.title(named(TESTED, "the cup"))),
                ("title: none", view.title(conductor(None))),
                ("progress: finished", view.progress(conductor())),
                ("progress: starting", view.progress(conductor(state=State.PREPARING, getting_ready="training hard"))),
                ("progress: at a rate", view.progress(RATED)),
                ("progress: paused", view.progress(conductor(state=State.PAUSED))),
                ("progress: none", view.progress(conductor(None))),
            )
        ),
    ],
)
def test_what_the_panels_show(name: str, paint: Paint, columns: int, rows: int, signs: Glyphs) -> None:
    lines = paint(columns, rows, signs)
    assert len(lines) <= rows and all(width(shown) <= columns for shown in lines)
    as_drawn("tournament", name, lines)


@pytest.mark.parametrize(("name", "found"), [("twelve", MANY), ("six", SIX), ("faulty", FAULTY)])
def test_as_many_columns_are_shown_as_there_is_room_for(name: str, found: Standings) -> None:
    heads = {columns: table(found, Place())(columns, 9, UNICODE)[0] for columns in range(44, 212, 8)}
    assert all(width(head) <= columns for columns, head in heads.items())
    as_drawn("tournament", f"heads by columns: {name}", heads.values())


def test_the_marked_pairing_is_read_once_until_there_is_news(monkeypatch: pytest.MonkeyPatch) -> None:
    look_up_at_once(monkeypatch)
    reads: list[object] = []
    results = np.array([1, -1], np.int8)
    task = SimpleNamespace(plan=SIX.plan, number=None, view=conductor().view, results=lambda place: results)
    holder: Any = SimpleNamespace(task=task, state=State.FINISHED, database=None)
    marked = Marked(holder, lambda: reads.append(1))
    assert marked.look((1, 1)) == Read() and not reads, "self-play has no pairing here"
    marked.look((1, 2))
    found = marked.look((1, 2))
    assert (found.course and found.course.shares, found.wanted, found.latest) == (((1, 1.0), (2, 0.5)), 100, None)
    assert len(reads) == 1
    assert marked.look((2, 1)).course is not found.course and len(reads) == 2
    scores = tuple(replace(each, wins=(99, 99)) for each in task.view.scores)
    task.view, holder.state = replace(task.view, scores=scores), State.GOING
    marked.look((2, 1))
    assert len(reads) == 2, "not again so soon while games are played"
    holder.state = State.FINISHED
    marked.look((2, 1))
    assert len(reads) == 3
    marked.forget()
    holder.task = None
    assert marked.look((1, 2)) == Read()
