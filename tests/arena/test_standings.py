"""Standings, crosstable, faults, and what reports say of plans, tests and sweeps, against sums made game by game."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from math import inf
from statistics import median
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nimtui.arena.compare.comparison import Column, Comparison
from nimtui.arena.compare.comparison_report import agreement_text, best_text, verdict_text
from nimtui.arena.play.batch import Batch, Played
from nimtui.arena.play.limits import Limits
from nimtui.arena.play.match import Sums
from nimtui.arena.play.plan import LOSES_GAME, LOSES_MATCH, VOID, Plan, plan
from nimtui.arena.rating.goodness import Fit, Misfit
from nimtui.arena.rating.ratings import Rating, Seat
from nimtui.arena.rating.sprt import Sprt
from nimtui.arena.standings import standings_report, statements
from nimtui.arena.standings.ledger import NOT_PLAYED, EqualFaults, Ledger, joined, lines
from nimtui.arena.standings.standings import PairingScore, Standings, rank, remark, standings
from nimtui.games import parse_game
from nimtui.jobs.tournament_report import kind_text
from nimtui.learning.sweep import Cell, Needed
from nimtui.learning.sweep import plan as sweep_plan
from nimtui.learning.sweep_report import Unit, best
from nimtui.report.blocks import Report, Sentence, Words
from nimtui.report.cells import cells
from nimtui.report.values import Count, Share
from nimtui.store.rows import OTHER, unpacked
from nimtui.theory.answers import known_moves
from nimtui.ui.tournament.view import played
from tests.arena.crosstables import AGENTS
from tests.ui.drawn import as_drawn, as_reported, as_written

NUMBER = 30
FOUR = ("random", "perfect", "mc:playouts=5", "value")


def games(plan: Plan, seed: int) -> dict[int, list[Played]]:
    """Made-up games of all pairings: the first entrant of a pairing is the better the lower its place."""
    rng = random.Random(seed)
    made: dict[int, list[Played]] = {}
    for place in range(len(plan.pairings)):
        made[place] = []
        for number in range(plan.number):
            result = rng.choices([-1, 0, 1], [1 + place, 1, 3])[0]
            own, chances = (rng.randrange(5, 9), rng.randrange(5, 9)), (rng.randrange(3, 5), rng.randrange(3, 5))
            fault = "it fell asleep" if result and rng.random() < 0.1 else ""
            mistakes = (rng.randrange(3), rng.randrange(3))
            played = Played(number, plan.opener(number), 0, b"", result, own, chances, mistakes, fault, 0.1)
            made[place].append(played)
    return made


def entered(plan: Plan, made: dict[int, list[Played]], seed: int = 0) -> list[Ledger]:
    """These games in some order and in pieces of some sizes."""
    rng = random.Random(seed)
    ledgers = [Ledger(plan, place) for place in range(len(plan.pairings))]
    for ledger, whole in zip(ledgers, made.values(), strict=True):
        cuts = sorted({0, len(whole), *(rng.randrange(len(whole)) for _ in range(6))})
        for first, last in rng.sample([*pairwise(cuts)], len(cuts) - 1):
            ledger.add(Batch.of(whole[first:last]))
    return ledgers


def results(found: list[int]) -> list[Played]:
    """Games with these results, in which the seats take turns."""
    return [Played(n, n % 2, 0, b"", result, (5, 5), (3, 3), (0, 0), "", 0.1) for n, result in enumerate(found)]


def of(plan: Plan, made: dict[int, list[Played]]) -> Standings:
    return standings(plan, [ledger.score for ledger in entered(plan, made)])


def players(plan: Plan, made: dict[int, list[Played]]) -> Iterator[tuple[int, int, int, Played]]:
    """Every game with who moved first, who moved second, and the points of the one who moved first."""
    for place, found in made.items():
        _, *pair = plan.pairings[place]
        for game in found:
            first, second = (pair[0], pair[1]) if game.opener == 0 else (pair[1], pair[0])
            yield first, second, game.result if game.opener == 0 else -game.result, game


@pytest.mark.parametrize("pairs", ["round-robin", "gauntlet", "ordered"])
def test_a_table_adds_up_what_each_game_says_and_its_cells_those_that_the_row_began(pairs: str) -> None:
    wanted = plan(["nim:3,5", "nim:1,2,3"], FOUR, pairs=pairs, number=NUMBER)
    made = games(wanted, 3)
    found = of(wanted, made)
    assert sorted(row.entrant for row in found.rows) == [0, 1, 2, 3]
    for row in found.rows:
        here, own = row.entrant, [0, 0, 0, 0]
        seats: list[list[int]] = [[], []]
        for first, second, points, game in players(wanted, made):
            if first == second or here not in (first, second):
                continue
            seats[0 if here == first else 1].append(points if here == first else -points)
            player = game.opener if here == first else 1 - game.opener
            for kind, column in enumerate((game.own, game.chances, game.mistakes)):
                own[kind] += column[player]
            own[3] += bool(game.fault) and (game.result == -1) == (player == 0)
        for results, column in ((1, row.wins), (0, row.draws), (-1, row.losses)):
            assert column == tuple(seat.count(results) for seat in seats)
        assert [row.own, row.chances, row.mistakes, row.faults] == own
        assert row.agent == wanted.agents[here] and row.judged
        assert row.scored.low < row.score < row.scored.high and row.rating.low < row.rating.elo < row.rating.high
        assert row.mistake_rate == own[2] / own[1]
    assert [row.score for row in found.rows] == sorted((row.score for row in found.rows), reverse=True)
    counted: dict[tuple[int, int], list[int]] = {}
    for first, second, points, _ in players(wanted, made):
        counted.setdefault((first, second), [0, 0, 0])[(1, -1, 0).index(points)] += 1
    there = {
        (row, column): [cell.first_wins, cell.second_wins, cell.draws]
        for row, line in enumerate(found.cells)
        for column, cell in enumerate(line)
        if cell is not None
    }
    assert there == counted and len(there) == {"round-robin": 12, "gauntlet": 6, "ordered": 16}[pairs]
    for row, column in ((0, 2), (2, 0)):
        between = found.between(row, column)
        assert {(one.first, one.second) for one in between} <= {(row, column)}
        assert sum(one.played for one in between) == sum(
            {first, second} == {row, column} for first, second, *_ in players(wanted, made)
        )
        assert sum(sum(one.wins) - sum(one.losses) for one in between) == sum(
            points if first == row else -points
            for first, second, points, _ in players(wanted, made)
            if {first, second} == {row, column}
        )


def drawn_plan(pairs: str, sprt: str | None = None) -> tuple[Plan, list[PairingScore]]:
    """Games with draws and faults, of two games, from openings."""
    wanted = plan(["nim:3,5", "nim:1,2,3"], FOUR, pairs=pairs, number=NUMBER, sprt=sprt, openings="random:1")
    return wanted, [ledger.score for ledger in entered(wanted, games(wanted, 5))]


@pytest.mark.parametrize(("pairs", "columns"), [("round-robin", 130), ("gauntlet", 40), ("ordered", 130)])
def test_tables_are_as_drawn(pairs: str, columns: int) -> None:
    wanted, scores = drawn_plan(pairs)
    field = standings(wanted, scores)
    told = map(Sentence, statements.of_tables(field))
    report = Report([*standings_report.headings(wanted.games), *standings_report.field_blocks(field), *told])
    as_reported("standings", pairs, report, columns)
    as_reported("standings", f"{pairs}, openings", standings_report.openings(wanted, scores), 80)
    as_written("standings", f"{pairs}, CSV", standings_report.sheet(field))
    assert {field.superiority[one][one] for one in range(len(FOUR))} == {None}


@pytest.mark.parametrize("pairs", ["round-robin", "gauntlet"])
@pytest.mark.parametrize("sprt", ["elo0=-10,elo1=40", "elo0=0,elo1=300,scale=normalised,beta=0.1"])
def test_sentences_about_tests_are_as_drawn(pairs: str, sprt: str) -> None:
    wanted, scores = drawn_plan(pairs, sprt)
    assert wanted.sprt is not None
    told = [*statements.question(wanted), statements.errors_text(wanted.sprt), statements.brief(wanted.sprt)]
    told += [statements.brief_question(wanted.sprt), *(statements.far(wanted, scores[:count]) for count in (1, 99))]
    told += [text for score in scores for text in statements.shown(wanted, score)]
    blocks = [*map(Words, zip(told, strict=True)), statements.tests(wanted, scores, 5)]
    as_drawn("standings", f"{pairs}, {sprt}", cells(Report(blocks), 170))


def test_nothing_played_says_nothing_nor_do_mistakes_on_a_large_board() -> None:
    empty = plan(["nim:3,5"], FOUR, number=NUMBER)
    found = standings(empty, [Ledger(empty, place).score for place in range(6)])
    assert [row.entrant for row in found.rows] == [0, 1, 2, 3]
    assert all(row.score is None and row.scored[2:] == (0.0, 1.0) and math.isnan(row.rating.elo) for row in found.rows)
    large = plan(["connect4:8x6"], ["random", "mc:playouts=5"], number=2)
    assert all(not row.judged and row.mistake_rate is None for row in of(large, games(large, 0)).rows)


@pytest.mark.parametrize("sprt", [None, "elo0=0,elo1=100"])
def test_the_order_of_the_games_does_not_matter(sprt: str | None) -> None:
    wanted = plan(["nim:3,5"], FOUR, number=190, sprt=sprt)
    made = games(wanted, 5)
    first, *others = ([ledger.score for ledger in entered(wanted, made, seed)] for seed in range(8))
    assert all(other == first for other in others)
    ended = [score for score in first if score.verdict]
    assert bool(ended) == (sprt is not None)
    assert all(score.played == score.wanted < 190 and score.wanted % 2 == 0 for score in ended)
    assert all(score.played == score.wanted == 190 for score in first if not score.verdict)


@pytest.mark.parametrize("sprt", [None, "elo0=0,elo1=100"])
@given(st.permutations(range(12)), st.integers(0, 99))
@settings(max_examples=30, deadline=None)
def test_pairs_are_those_of_the_counted_games_in_any_order(sprt: str | None, order: list[int], seed: int) -> None:
    """12 pieces of 16 games, cut within pairs, and the last ones missing."""
    wanted = plan(["nim:3,5"], ["random", "perfect"], number=191, sprt=sprt)
    played = games(wanted, seed)[0]
    ledger = Ledger(wanted, 0)
    for piece in order[:-2]:
        ledger.add(Batch.of(played[16 * piece + 1 : 16 * piece + 17] if piece else played[:17]))
    row = ledger.results().tolist()
    pairs = [0, 0, 0, 0, 0]
    for one, other in zip(row[::2], row[1::2], strict=False):
        if NOT_PLAYED not in (one, other):
            pairs[one + other + 2] += 1
    assert ledger.score.pentanomial == tuple(pairs) and ledger.played == sum(result != NOT_PLAYED for result in row)


def test_a_tested_game_counts_when_all_before_it_are_there() -> None:
    wanted = plan(["nim:3,5"], ["random", "perfect"], number=20, sprt="elo0=0,elo1=5")
    ledger, played = Ledger(wanted, 0), games(wanted, 1)[0]
    assert (ledger.score.llr, Ledger(plan(["nim:3,5"], ["random", "perfect"]), 0).score.llr) == (0.0, None)
    ledger.add(Batch.of(played[6:12]))
    assert ledger.played == 0 and ledger.there(6) and set(ledger.results()) == {NOT_PLAYED}
    assert ledger.missing() == [(0, 6), (12, 20)]
    ledger.add(Batch.of(played[:6]))
    assert ledger.played == 12 and ledger.missing() == [(12, 20)]
    assert ledger.results().tolist() == [game.result for game in played[:12]] + [NOT_PLAYED] * 8


@pytest.mark.parametrize("rule", [LOSES_GAME, LOSES_MATCH, VOID])
@pytest.mark.parametrize(
    ("openings", "pairs"), [("random:1", "round-robin"), ("random:2", "round-robin"), ("random:2", "ordered")]
)
def test_a_fault_costs_what_its_rule_says_in_any_order_of_arrival(rule: str, openings: str, pairs: str) -> None:
    wanted = plan(["nim:3,5"], ["random", "perfect"], number=31, fault=rule, openings=openings, pairs=pairs)
    openers = [game % 2 * wanted.alternate for game in range(31)]
    for seed in range(6):
        moves = random.Random(seed)
        made = [
            game._replace(moves=bytes([moves.randrange(3), 0] * moves.randrange(3))) for game in games(wanted, seed)[0]
        ]
        made = [game._replace(packed_fault=game.fault and f"{game.fault} {moves.randrange(2)}") for game in made]
        ledger, *_ = entered(wanted, dict.fromkeys(range(len(wanted.pairings)), made), seed)
        fell = next((at for at, game in enumerate(made) if game.fault), len(made))
        ended = rule == LOSES_MATCH and fell < len(made)
        there = made[: fell + 1] if ended else made
        counted = [game for game in there if not (rule == VOID and game.fault)]
        row = [made[fell].result] * 31 if ended else [-2 if game not in counted else game.result for game in made]
        score, sums = ledger.score, Sums(rule)
        for cut in range(0, len(there), 7):
            sums.add(Batch.of(there[cut : cut + 7]))
        if ended:
            sums.forfeit(int(row[0] == 1), openers)
        seats = [[one for one, opener in zip(row, openers, strict=True) if opener == seat] for seat in (0, 1)]
        won, drawn, lost = ([own.count(kind) for own in seats] for kind in (1, 0, -1))
        assert [list(score.wins), list(score.draws), list(score.losses)] == [won, drawn, lost]
        assert sums.results.T.tolist() == [lost, drawn, won] and (sums.games, sums.forfeited) == (len(there), ended)
        both = [a + b for a, b in zip(row[::2], row[1::2], strict=False) if min(a, b) > -2]
        assert [*score.pentanomial] == sums.pentanomial.tolist() == [both.count(kind) for kind in range(-2, 3)]
        columns = [[sum(getattr(game, name)[side] for game in counted) for side in (0, 1)]
                   for name in ("own", "chances", "mistakes")]  # fmt: skip
        assert [list(score.own), list(score.chances), list(score.mistakes)] == columns
        faults = [(game.number, int(game.result == 1), game.fault) for game in there if game.fault]
        assert [(number, loser, fault.text) for number, loser, fault in sums.faults] == faults
        assert score.faults == tuple(sum(loser == side for _, loser, _ in faults) for side in (0, 1))
        assert score.kinds == tuple(((OTHER, count),) if count else () for count in score.faults)
        assert {each.text: each.games for each in ledger.new_kinds()} == Counter(text for *_, text in faults)
        assert ledger.new_kinds() == () and sums.plies == sum(len(game.codes()) for game in there)
        movers = [(game.codes()[0], game.result * (1 - 2 * (game.opener ^ wanted.openings.plies % 2)))
                  for game in counted if game.moves]  # fmt: skip
        assert score.firsts == tuple((*key, count) for key, count in sorted(Counter(movers).items()))
        assert ledger.results().tolist() == row and ledger.played == 31 - row.count(-2) == ledger.wanted == score.wanted
        assert (ledger.decided, ledger.kept, ledger.missing()) == (ended, len(there), [])
        assert ledger.played_out == len(there) and all(map(ledger.there, range(31)))


def test_between_equals_of_whom_the_seat_won_nobody_is_likely_stronger() -> None:
    three = plan(["nim:3,5"], FOUR[:3], number=4)
    for pair, text in (([1, -1, 1, -1], "–"), ([1, 1, -1, -1], "50.0 %")):
        field = of(three, {0: results(pair), 1: results([1, 1, 1, -1]), 2: results([1, 1, 1, -1])})
        assert standings_report._ahead(field, 0).text == text
        assert sorted(column.rank for column in standings_report.standings(field).columns)[5:] == [*range(1, 10)]


def test_the_fault_after_one_that_ends_a_match_does_not_count() -> None:
    ledger = Ledger(plan(["nim:3,5"], ["random", "perfect"], number=6, fault=LOSES_MATCH), 0)
    made = [game._replace(packed_fault="odd" * (game.number in (2, 3))) for game in results([1, 1, -1, 1, 1, 1])]
    ledger.add(Batch.of(made))
    assert (ledger.score.faults, ledger.score.losses, ledger.kept) == ((1, 0), (3, 3), 3)


@pytest.mark.parametrize("pairs", ["round-robin", "gauntlet"])
@pytest.mark.parametrize(
    "won", [(30, 30, 30), (30, 15, 20), (0, 15, 30), (30, 0, 20), (28, 30, 29), (28, 30, 10), (15, 15, 15)]
)
def test_a_bound_stands_where_its_elo_puts_it(pairs: str, won: tuple[int, int, int]) -> None:
    """As docs/tournaments.md says it: points per game, then Elo; in a gauntlet Elo, and '–' for an open place."""
    plan_ = plan(("tower:16",), FOUR, pairs, NUMBER)
    wins = [won[second - 1] if first == 0 else 20 for _, first, second in plan_.pairings]  # of the agent named first
    field = of(plan_, {place: results([1] * some + [-1] * (NUMBER - some)) for place, some in enumerate(wins)})
    elos, scores = [row.rating.elo for row in field.rows], [row.score or 0.0 for row in field.rows]
    keys = list(zip(elos, scores, strict=True)) if pairs == "gauntlet" else list(zip(scores, elos, strict=True))
    assert all(one >= other or one == pytest.approx(other) for one, other in pairwise(keys))
    for at, row in enumerate(field.rows):
        others = elos[:at] + elos[at + 1 :]
        settled = row.score not in (0, 1) or pairs != "gauntlet"
        settled |= row.rating.at_least is not None and row.rating.at_least > max(others)
        settled |= row.rating.at_most is not None and row.rating.at_most < min(others)
        assert field.place(at) == (str(at + 1) if settled else "–")


def test_where_the_seat_decides_every_game_no_place_is_open() -> None:
    rated, unrated = Rating(100.0, 90.0, 110.0), Rating(math.nan, math.nan, math.nan)
    assert [rank(0.5, one, 7, by_elo=by_elo) for one in (rated, unrated) for by_elo in (False, True)] == [
        (-0.5, -100.0, 7), (-100.0, -0.5, 7), (-0.5, math.inf, 7), (math.inf, -0.5, 7),
    ]  # fmt: skip
    assert rank(None, rated, 7, by_elo=False) == (1.0, -100.0, 7), "who has not played comes last"
    asked = plan(("tower:16",), FOUR, "gauntlet", 1)
    field = of(asked, {place: results([1]) for place in range(len(asked.pairings))})
    assert all(row.rating.by_seat for row in field.rows) and {row.score for row in field.rows} == {0, 1}
    paid: Any = SimpleNamespace(paid=True)
    assert [field.place(at) for at in range(4)] == [Standings.place(paid, at) for at in range(4)] == [*"1234"]


def test_equal_faults_are_one_line_in_any_order_of_arrival_and_what_does_not_fit_is_counted() -> None:
    ledger = Ledger(plan(["nim:3,5", "nim:1,2,3"], ["random", "perfect"], number=4), 1)
    ledger.add(Batch.of([Played(2, 0, 0, b"", -1, (1, 1), (0, 0), (0, 0), "random raised ValueError: no", 0.1)]))
    assert ledger.latest_fault == "nim:1,2,3, random – perfect, game 3: random raised ValueError: no"
    assert ledger.score.faults == (1, 0)
    found = joined((), (EqualFaults("a raised ValueError: no", 1, f"a – b, game {game}") for game in range(1, 31)))
    assert lines(found, 20) == ["ended by a fault in 30 games: a raised ValueError: no"]
    one = joined(found, [EqualFaults("a played 9, which is not legal", 1, "a – b, game 31")])
    assert lines(one, 20)[1:] == ["a – b, game 31: a played 9, which is not legal"]
    late, early, untold = (
        EqualFaults("a", 1, f"game {at}", (0, at), unpacked("a") if at else None) for at in (5, 3, 0)
    )
    assert joined([late], [early]) == joined([early], [late]) == joined([early], [untold]) == (early._replace(games=2),)
    texts = [f"fault {number}" for number in random.Random(5).choices(range(12), k=500)]
    whole, second = (joined((), (EqualFaults(text, 1, "x") for text in some)) for some in (texts, texts[250:]))
    assert joined(second, (EqualFaults(text, 1, "x") for text in texts[:250])) == whole
    assert {each.text: each.games for each in whole} == Counter(texts)
    assert [each.games for each in whole] == sorted((each.games for each in whole), reverse=True)
    many = joined((), (EqualFaults(f"fault {at}", 2, "x") for at in range(100 + 50)))
    assert sum(each.games for each in many) == 2 * (100 + 50) and len(many) == 100 + 1
    known = max(each.text for each in many if each.text.startswith("fault"))
    more = {each.text: each.games for each in joined(many, [EqualFaults(known, 5, "x")])}
    assert more == {each.text: each.games + 5 * (each.text == known) for each in many}, "what is known is counted apart"
    said = lines(many, 5)
    shown = sum(each.games for each in many[:4])
    assert len(said) == 5 and said[-1] == f"other faults in {2 * (100 + 50) - shown} games"


# What reports say of plans, sequential tests, positions and sweeps: exact sentences, and which cell is the best.


AVOIDS = "between perfect players the seat decides. --openings balanced:2 avoids this."
DRAWN = "is a draw: perfect players draw every game. --openings random:2 avoids this."
PLANS = [  # games, kind of pairs, agents, number, openings; kind and pairings in words; remarks on the start
    ("nim:2,2:misere", "round-robin", 2, 1, "start", "round-robin of 2 agents, 1 game per pairing, from the start",
     "1 pair × 1 game", [f"The start is lost for the player to move: {AVOIDS}"]),
    ("connect:3x3x3", "gauntlet", 4, 2, "random:1", "gauntlet of 4 agents, 2 games per pairing, after 1 random move",
     "gauntlet of 3 pairs × 2 games, seats swapped",
     ["The start is a draw.", "Games start after 1 random move. Each is played twice, with the seats swapped."]),
    ("nim:3,2", "ordered", 2, 21, "random:2",
     "all ordered pairs of 2 agents, 21 games per pairing, after 2 random moves", "4 ordered pairs × 21 games",
     ["The start is won for the player to move.", "Games start after 2 random moves."]),
    ("nim:3,2", "round-robin", 2, 1, "random:1", "round-robin of 2 agents, 1 game per pairing, after 1 random move",
     "1 pair × 1 game", ["The start is won for the player to move.", "Games start after 1 random move."]),
    ("connect:3x3x3 nim:3,2", "round-robin", 4, 1000, "start",
     "round-robin of 4 agents, 1,000 games per pairing, from the start", "6 pairs × 1,000 games, seats swapped",
     [f"The start of connect:3x3x3 {DRAWN}", f"The start of nim:3,2 is won for the player to move: {AVOIDS}"]),
    ("nim:3,2", "gauntlet", 2, 21, "balanced:2",
     "gauntlet of 2 agents, 21 games per pairing, balanced, after 2 random moves",
     "gauntlet of 1 pair × 21 games, seats swapped",
     ["The start is won for the player to move.",
      "Every other opening is won for the player to move, the rest are lost. Each is played twice, with the seats"
      " swapped, the last one once."]),
]  # fmt: skip


@pytest.mark.parametrize("games, pairs, agents, number, openings, kind, short, remarks", PLANS)
def test_a_plan_is_told_in_words(
    games: str, pairs: str, agents: int, number: int, openings: str, kind: str, short: str, remarks: list[str]
) -> None:
    made = plan(games.split(), AGENTS[:agents], pairs, number, openings)
    assert (kind_text(made), played(made), list(remark(made))) == (kind, short, remarks)


def test_clocks_rules_and_misfits_are_told_where_there_are_any() -> None:
    assert statements.rules(Limits(), LOSES_GAME) == [] and statements.of_seat(Seat(math.nan, math.nan), ()) == ""
    assert statements.rules(Limits(2), VOID) == ["time limit: 2 s a move", "a game with a fault does not count"]
    for clocks, said in ((("mc:time=0.5",), "mc:time=0.5 plays"),
                         (("mc:time=0.5", "mc:time=0.25"), "mc:time=0.5 and mc:time=0.25 play")):  # fmt: skip
        lines_ = remark(plan(["nim:3,2"], ["random", *clocks], number=2))
        assert lines_[1:] == [f"{said} by the clock: another machine plays other games."]
    fit = Fit(0.001, 3, (Misfit(0, 1, True, 0.6, 0.5, 3.0), Misfit(1, 0, False, 0.1, 0.2, -4.0)), 0)
    names = ("first", "second", "about", "observed", "expected", "standard_errors")
    rows = [("x", "y", "seat", 0.6, 0.5, 3.0), ("y", "x", "score", 0.1, 0.2, -4.0)]
    assert standings_report.fit_keys(None, ()) is None and standings_report.fit_keys(fit, ("x", "y")) == {
        "p_value": 0.001, "degrees_of_freedom": 3, "worst": [dict(zip(names, row, strict=True)) for row in rows],
    }  # fmt: skip


def test_a_sequential_test_is_told_in_words_that_need_no_minus() -> None:
    for test, verdict, text in (
        (Sprt(0, 50), "H1", "a is stronger than b (α 5 %)"),
        (Sprt(5, 60), "H1", "a is more than 5 Elo stronger than b (α 5 %)"),
        (Sprt(-60, -2.5, 0.001, scale="normalised"), "H1", "a is less than 60 normalised Elo weaker than b (α 0.1 %)"),
        (Sprt(-60, 0, beta=0.1), "H0", "a is not stronger than b (β 10 %)"),
        (Sprt(5, 60), "H0", "a is not 60 Elo stronger than b (β 5 %)"),
        (Sprt(-60, -5), "H0", "a is more than 5 Elo weaker than b (β 5 %)"),
    ):
        assert statements.conclusion(test, verdict, "a", "b") == text
    two = plan(("nim:3,2",), AGENTS[:2], number=4000, sprt=Sprt(0, 50).name)
    none = (0, 0)
    score = PairingScore(two.pairings[0], (1, 0), none, (0, 1), none, none, none, none, (0, 0, 1, 0, 0), 4000, 0.0, "")
    assert statements.question(two)[0] == (
        "sequential test: is the logistic Elo of random against perfect 0 or less (H0), or +50 or more (H1)?"
    )
    ratio = "LLR 0.00 of −2.94 … 2.94"
    assert statements.shown(two, score) == [
        f"random against perfect: undecided after 1 pair, {ratio}; a verdict needs 10 pairs.",
        "H0 ├─────────●─────────┤ H1",
    ]
    decided = replace(score, verdict="H1", llr=6.7)
    assert statements.shown(two, decided) == [
        "H1 accepted after 1 pair: random is stronger than perfect (α 5 %). LLR 6.70 of −2.94 … 2.94.",
        "H0 ├─────────┼─────────● H1",
    ]
    assert statements.shown(two, replace(decided, llr=-6.7))[1] == "H0 ●─────────┼─────────┤ H1"
    for pairs in (9, 10):  # the least number of pairs for a verdict
        [said, _] = statements.shown(two, replace(score, wins=(pairs, 0), losses=(0, pairs)))
        assert said == f"random against perfect: undecided after {pairs} pairs, {ratio}" + (
            "; a verdict needs 10 pairs." if pairs < 10 else "."
        )
    assert [statements.far(two, scores) for scores in ([score], [decided], [score, decided])] == [
        ratio, "H1 accepted", "1 of 2 tests decided",
    ]  # fmt: skip
    untested = plan(("nim:3,2",), AGENTS[:2])
    assert statements.shown(two, replace(score, llr=None)) == statements.shown(untested, score) == []
    assert statements.far(untested, [score]) == ""


@pytest.mark.parametrize(
    ("rows", "moves", "agree", "best_moves", "verdicts"),
    [
        ("2,1", "a1 - a1", "All with an answer play a1.", "Only a1 wins.", ["right", "", "right"]),
        ("2,1", "a2 a1", "They disagree: 1 plays a2, 2 plays a1.", "Only a1 wins.", ["mistake: loses in 2", "right"]),
        ("1,1,1", "a1 b1 a1", "They disagree: 1 and 3 play a1, 2 plays b1.", "Every move wins: no mistake is possible.",
         ["every move wins"] * 3),
        ("2,2", "a1 a1", "All play a1.", "Every move loses: no mistake is possible.", ["every move loses"] * 2),
        ("2,2,2", "a2 b2 c2 a1", "They disagree: 1 plays a2, 2 plays b2, 3 plays c2, 4 plays a1.",
         "Best: a2, b2, c2 (win).", ["right", "right", "right", "mistake: loses in 6"]),
        ("2,1", "a1", "", "Only a1 wins.", ["right"]),
    ],
)  # fmt: skip
def test_agents_on_one_position_agree_or_not(
    rows: str, moves: str, agree: str, best_moves: str, verdicts: list[str]
) -> None:
    game = parse_game(f"nim:{rows}")
    state = game.new()
    chosen = [None if name == "-" else game.parse_move(name, state) for name in moves.split()]
    columns = tuple(Column(f"agent {at}", move=move) for at, move in enumerate(chosen))
    known, unknown = (Comparison(game, state, columns, moves) for moves in (known_moves(game, state), None))
    assert (agreement_text(known), best_text(known)) == (agree, best_moves)
    assert [verdict_text(known, column) for column in columns] == verdicts
    assert (best_text(unknown), verdict_text(unknown, columns[0])) == ("", "")


def test_the_best_cell_of_a_sweep_is_the_best() -> None:
    source = np.random.default_rng(3)
    for _ in range(300):
        repeats = int(source.integers(1, 6))
        made = sweep_plan(parse_game("nim:2,1"), "quality", ["margin=50,70,90"], repeats, 500, 1)
        cells = []
        for setting in made.settings:
            seeds = repeats if source.random() < 0.8 else int(source.integers(0, repeats + 1))
            runs = []
            for seed in range(seeds):
                needed = None if source.random() < 0.4 else int(source.choice([40, 70, 90, 7224]))
                runs.append((seed, Needed(needed, needed, 500, float(source.choice([0.5, 0.75, 1.0])), 1.0)))
            cells.append(Cell(setting, tuple(runs)))
        done = [cell for cell in cells if len(cell.runs) == repeats]
        so_far = " so far" if len(done) < len(cells) else ""
        for unit in Unit.all_of(made):
            found = []  # of each cell its value, lower is better, how many seeds never got there, and its margin
            for cell in done:
                worth = [-run.accuracy if unit is Unit.SHARE else run.perfect or inf for _, run in cell.runs]
                never = sum(run.perfect is None for _, run in cell.runs)
                found += [(median(worth), never, cell.setting.params["margin"])] * (median(worth) < inf)
            text = best(cells, made, unit, "See the accuracy.")
            if not found:
                none = f"No cell became perfect with most of its seeds{so_far}. See the accuracy."
                assert text == (none if done else "")
                continue
            value, never, _ = min(found)
            same = [margin for *key, margin in found if key == [value, never]]
            margin = f"margin {same[0]}" + ("", " and 1 other cell", " and 2 other cells")[len(same) - 1]
            all_seeds = "" if repeats == 1 else f" (median of {repeats} seeds)"
            if unit is Unit.SHARE:
                assert text == f"Most accurate{so_far}: {margin}, with {Share(-value)}{all_seeds}."
            elif not never:
                assert text == f"Quickest{so_far}: {margin}, perfect after {Count(value)} games{all_seeds}."
            else:
                there = f"Of {repeats} seeds, {repeats - never} got there."
                assert text == f"Quickest median{so_far}: {margin}, {Count(value)} games. {there}"
