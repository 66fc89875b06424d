"""Games of matches and octal games: values, periods and misère quotients, against published ones and all sums."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, partial, reduce
from itertools import accumulate, combinations_with_replacement, pairwise
from itertools import product as every
from operator import xor
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

from nimtui.engine import heap_values
from nimtui.engine.repeats import shared
from nimtui.games import parse_game
from nimtui.games.octal import GRUNDY, Rule, read_code
from nimtui.progress import Cancelled
from nimtui.theory import Outcome, adjacent, is_instant, octal, solve, why_unsolvable
from nimtui.theory import sequence as sequences
from nimtui.theory.nim import grundy_values
from nimtui.theory.quotient import Quotient, _fitting, quotients
from nimtui.theory.sequence import Period, Proof, family_of, family_values, of_set, row_of, sequence
from tests.examples import few, with_slow
from tests.games.literal import Split
from tests.games.refusal import refusal
from tests.stops import Noted, StopAfter
from tests.theory.force import Force, grundy, mex

OF_NEIGHBOURS = {  # sources: OEIS A002186 (Kayles), A071074
    2: (0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6, 4, 1, 2, 7, 1, 4, 3, 2, 1),
    4: (0, 1, 2, 3, 4, 5, 6, 7, 3, 2, 8, 9, 7, 6, 5, 4, 3, 2, 8, 9, 4),
}


def test_grundy_values_of_a_row_of_neighbours() -> None:
    assert {limit: grundy_values(limit)[:21] for limit in OF_NEIGHBOURS} == OF_NEIGHBOURS
    assert {len(grundy_values(limit)) for limit in (1, 63)} == {64}, "no row has more than 63 matches"
    for limit in (2, 3, 4):
        game, values = parse_game(f"adjacent:20:max={limit}"), tuple(grundy(size, limit, True) for size in range(21))
        assert values == grundy_values(limit)[:21] == sequence(game, 20).grundy
        assert solve(game, game.new()).grundy == values[20]
    game = parse_game("adjacent:63,40,17")
    assert solve(game, game.new()).grundy == 63 ^ 40 ^ 17, "with no limit a row is worth its length"


@pytest.mark.parametrize(("name", "limit"), [("kayles:1,5:misere", 2), ("adjacent:5:max=3:misere", 3)])
def test_where_the_simple_misere_rule_first_fails(name: str, limit: int) -> None:
    # source: theory.json; by that rule, of values alone, both would be won or lost the other way round
    force = Force(name)
    values = [grundy_values(limit)[int(row)] for row in name.split(":")[1].split(",")]
    by_the_rule = reduce(xor, values) == (0 if max(values) > 1 else 1)
    lost = force.value(force.game.new())[0] < 0
    assert (solve(force.game, force.game.new()).outcome is Outcome.LOSS) == lost != by_the_rule


@pytest.mark.parametrize("limit", with_slow([1, 2, 3], 2, 3))
def test_simplified_runs_decide_like_the_runs_themselves_and_are_not_more_than_counted(limit: int) -> None:
    dice, force = Random(limit), Force(f"adjacent:4,4,5:max={limit}:misere")
    for _ in range(25):
        lengths = [dice.randint(0, size) for size in (4, 4, 5)]
        position = "/".join(
            "1" * length + "0" * (size - length) for length, size in zip(lengths, (4, 4, 5), strict=True)
        )
        lost = force.value(force.game.new(position))[0] < 0
        assert adjacent.lost([length for length in lengths if length], limit) == lost, lengths
    for lengths in ((1, 3, 5, 7), (9, 9), (20,), (5, 5, 5)):
        queue = [adjacent.simplified(lengths, limit)]
        for runs in queue:  # it grows as it goes
            queue += sorted(set(adjacent.options(runs, limit)) - set(queue))
        assert len(queue) <= adjacent.how_many(lengths, limit)


def test_the_largest_boards_are_answered_by_formula() -> None:
    game = parse_game("nim:" + ",".join(["255"] * 25 + ["1"]))
    verdict = solve(game, game.new())
    assert why_unsolvable(game, game.new()) is None and is_instant(game, game.new()) and verdict.grundy == 254
    assert [game.move_name(move) for move in verdict.best_moves] == [f"{chr(97 + row)}254" for row in range(25)]
    for options in ("", ":misere", ":max=5"):
        game = parse_game("adjacent:" + ",".join(["63"] * 25) + options)
        verdict = solve(game, game.new())
        assert is_instant(game, game.new()) and verdict.outcome is Outcome.WIN and len(verdict.best_moves) >= 25


def test_long_work_can_be_cancelled_and_taken_up_again() -> None:
    game = parse_game("adjacent:17,19:max=7:misere")
    with pytest.raises(Cancelled):
        solve(game, game.new(), StopAfter(1))
    assert solve(game, game.new()).outcome is Outcome.WIN


# Sequences of one row.


@pytest.mark.parametrize("form", ["", ":misere"])
def test_a_subtraction_game_has_period_limit_plus_1(form: str) -> None:
    for limit in (1, 2, 5):
        found = sequence(parse_game(f"subtraction:40,{limit}{form}"), 40)
        assert found.period == Period(0, limit + 1, Proof.WINDOW)
        lost = [matches for matches, value in enumerate(found.values) if value < 0]
        assert lost == list(range(1 if form else 0, 41, limit + 1))
        assert found.grundy == (None if form else tuple(matches % (limit + 1) for matches in range(41)))
    whole = sequence(parse_game("nim:21"), 50)
    assert whole.grundy == tuple(range(51)) and whole.period is None, "without a limit nim has no period"


@pytest.mark.parametrize("form", ["kayles:{}:misere", "adjacent:{}:max=3:misere", "subtraction:{},4:misere"])
def test_outcomes_are_those_of_the_solver(form: str) -> None:
    values = sequence(parse_game(form.format(12)), 12).values
    for matches in range(5, 13):
        game = parse_game(form.format(matches))
        assert values[matches] == (1 if solve(game, game.start).outcome is Outcome.WIN else -1)


def test_a_subtraction_set_has_its_known_period(monkeypatch: pytest.MonkeyPatch) -> None:
    for takes, period in {
        (1, 3, 4): (0, 7), (2, 5, 7): (0, 22), (2, 3): (0, 5), (3, 5): (0, 8), (1, 4, 10): (16, 11)
    }.items():  # fmt: skip
        found = of_set(list(takes), False, 300)
        assert found.period == Period(*period, Proof.WINDOW) and found.grundy is not None
        for matches, value in enumerate(found.grundy):
            assert value == mex({found.grundy[matches - take] or 0 for take in takes if take <= matches})
    misere, values = of_set([2, 3], True, 9), (1, 1, -1, -1, 1, 1, 1, -1, -1, 1)  # a row too short for any move is won
    assert (misere.values, misere.grundy, misere.period) == (values, None, Period(0, 5, Proof.WINDOW))
    monkeypatch.setattr("nimtui.theory.sequence.INTERPRETED", 8)
    assert of_set([2, 3], True, 9) == misere, "compiled"
    least = next(to for to in range(40) if of_set([1, 3, 4], False, to).period)
    assert least == 7 + 4 - 1, "as many values must repeat as the largest take"
    assert of_set([2_000], False, 1).values == (-1, -1)


def test_a_family_gives_the_values_of_its_games() -> None:
    found = family_values(family_of("nim:1,2,N"), 7, heard := Noted())
    assert heard.lines == [(number, 8, "values") for number in range(8)]
    assert found.grundy == (None, *(1 ^ 2 ^ n for n in range(1, 8)))  # a row has one match at least
    towers = family_values(family_of("tower:16"), 16)
    assert [n for n, value in enumerate(towers.values) if value is not None] == [1, 4, 9, 16]
    assert towers.values[16] == -1 and towers.period is None
    drawn = family_values(family_of("connect:4xNx4"), 4)
    assert drawn.values[4] == 0 and drawn.grundy is None
    row = row_of("subtraction:N,3")
    assert row is not None and row.values(20).period == Period(0, 4, Proof.WINDOW)
    assert row_of("nim:1,2,N") is None


def test_what_is_no_sequence_is_refused() -> None:
    for call, line in (
        (lambda: sequence(parse_game("nim:1,3"), 9), "is not one row"),
        (lambda: sequence(parse_game("chomp:5x1"), 9), "is not one row"),
        *(
            (lambda takes=takes: of_set(takes, False, 9), "whole numbers from 1 to 2,000")
            for takes in ([], [0], [2_001])
        ),
        (lambda: family_of("nim:1,2"), "write N for it, as in nim:1,N"),
        (lambda: family_of("subtraction:21,3"), "write N for it, as in subtraction:21,N"),
        (lambda: family_of("connect4"), "write N for it, as in nim:1,2,N"),
        (lambda: family_values(family_of("nmi:3"), 3), "unknown game 'nmi'"),
        (lambda: family_values(family_of("connect:9xNx4"), 9), "connect:9xNx4 with N = 3: "),
    ):
        assert line in refusal(call)
    assert "Try --to 2" in refusal(family_values, family_of("connect:9xNx4"), 9)


# Octal games: sequences and periods against published ones, misère quotients against the outcomes of all sums.


PUBLISHED = {  # code -> period, the first heap from which it holds, and a heap up to which it is proven
    "0.07": (34, 53, 300),
    "0.137": (34, 52, 300),
    "0.77": (12, 71, 300),
    "0.45": (20, 498, 1_200),
    "0.055": (148, 259, 900),
    "0.644": (442, 3_256, 8_000),
    "0.356": (142, 7_315, 16_000),
    "0.165": (1_550, 5_181, 14_000),
    "0.127": (4, 46_578, 94_000),
}


@cache
def heap_grundy(code: str, heap: int) -> int:
    """The Grundy value of a heap, straight from the literal rules."""
    values = set()
    for after in left(code, heap):
        value = 0
        for piece in after:
            value ^= heap_grundy(code, piece)
        values.add(value)
    return mex(values)


@pytest.mark.parametrize("code", ["0.77", "0.137", "0.6", "4.7", "0.16", "0.376", "0.123", "4.3", "grundy"])
def test_the_values_over_rare_ones_are_those_of_the_plain_recursion(code: str) -> None:
    rule = GRUNDY if code == "grundy" else read_code(code)
    to = few(100, 150)
    fast, _ = heap_values.grundy_values(np.array(rule.digits, np.int64), rule.unequal, to)
    assert fast.tolist() == [heap_grundy(code, heap) for heap in range(to + 1)]
    for heaps in (0, 1, 66, 67):  # a stretch is of 66
        part, _ = heap_values.grundy_values(np.array(rule.digits, np.int64), rule.unequal, heaps)
        assert part.tolist() == fast.tolist()[: heaps + 1]
    row = row_of("grundy" if code == "grundy" else f"octal:{code}")
    assert row is not None and list(row.values(to).grundy or ()) == fast.tolist()


@pytest.mark.parametrize("code", with_slow(PUBLISHED, "0.127"))
def test_a_published_period_is_proven(code: str) -> None:
    length, preperiod, to = PUBLISHED[code]
    row = row_of(f"octal:{code}")
    assert row is not None
    period = row.values(to).period
    assert period == Period(preperiod, length, Proof.GUY_SMITH)


@pytest.mark.parametrize("name", ["octal:0.77:9", "kayles:9"])
def test_kayles_has_period_12_from_71_on_proven_from_the_bound_of_guy_and_smith_on(name: str) -> None:
    game = parse_game(name)
    periods = {to: sequence(game, to).period for to in range(160, 175)}
    assert [to for to, period in periods.items() if period and period.proven] == list(range(167, 175))
    assert (periods[166], periods[167]) == (Period(71, 12, None), Period(71, 12, Proof.GUY_SMITH))
    assert 2 * 71 + 2 * 12 + 2 - 1 == 167
    values = sequence(game, 400)
    assert values.period is not None and values.grundy is not None
    assert values.period.exceptions(values.grundy) == [0, 3, 6, 9, 11, 15, 18, 21, 22, 28, 34, 39, 57, 70]


def test_grundys_game_has_no_period_that_is_proven() -> None:
    grundys = row_of("grundy")
    assert grundys is not None and not any((period := grundys.values(to).period) and period.proven for to in (40, 300))


def test_values_after_a_proven_period_are_those_of_all_heaps() -> None:
    row = row_of("octal:0.137")
    assert row is not None
    values = row.values(1_200)
    assert values.computed is not None and values.computed < 1_200
    every, _ = heap_values.grundy_values(np.array(read_code("0.137").digits), False, 1_200)
    assert values.grundy == tuple(every.tolist())


@cache
def lost(code: str, heaps: tuple[int, ...]) -> bool:
    """Whether the player to move loses in misère play, by trying every move."""
    after = ((heaps[:at], pieces, heaps[at + 1 :]) for at, heap in enumerate(heaps) for pieces in left(code, heap))
    sums = {tuple(sorted((*before, *pieces, *behind), reverse=True)) for before, pieces, behind in after}
    return bool(sums) and not any(lost(code, heaps) for heaps in sums)


@cache
def left(code: str, heap: int) -> set[tuple[int, ...]]:
    """What a move of this heap leaves of it, straight from the literal rules."""
    return set(Split(code, heap).moves((heap,)).values())


def closed(code: str, to: int) -> Quotient:
    heard = StopAfter(99)
    [*_, quotient] = quotients(GRUNDY if code == "grundy" else read_code(code), to, progress=heard)
    assert quotient.closed and heard.left == 99 - to, "a report for each heap"
    return quotient


def test_a_closed_quotient_decides_a_game_of_misere_heaps_and_none_a_normal_or_a_large_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("octal:0.77:4,3:misere", "octal:0.123:5,4:misere"):
        game = parse_game(name)
        quotient = octal.closed(game.new())
        assert quotient is not None and quotient.closed and octal.has_rule(game.new())
        for heaps in every(*(range(int(heap) + 1) for heap in name.split(":")[2].split(","))):
            lost = solve(game, game.new(",".join(map(str, heaps)))).outcome is Outcome.LOSS
            assert quotient.lost([heap for heap in heaps if heap]) == lost, heaps
    normal = parse_game("octal:0.77:4,3").new()
    assert octal.closed(normal) is None and octal.has_rule(normal), "it has Grundy values"
    games = [parse_game(f"octal:0.3:{heap}:misere").new() for heap in (40, 41)]
    assert [octal.closed(game) is None for game in games] == [False, True]
    monkeypatch.setattr(octal, "MOST_MISERE", 4)
    games = [parse_game(f"octal:0.77:{heap}:misere").new() for heap in (4, 5)]
    assert [octal.closed(game) is None for game in games] == [False, True]


SUMS = [
    ("0.123", 11),
    ("0.333", 11),
    *(pytest.param(*row, marks=pytest.mark.slow) for row in (("0.07", 10), ("grundy", 8))),
]
MORE = [("0.77", 9), ("0.26", 10), ("0.3033", 11), ("0.56", 9), ("0.137", 9), ("0.75", 8), ("4.7", 7), ("0.6", 9)]


@pytest.mark.parametrize(("code", "to"), few(SUMS, SUMS + MORE))
def test_a_quotient_has_the_outcome_of_every_sum_of_up_to_five_heaps(code: str, to: int) -> None:
    quotient = closed(code, to)
    assert quotient.order == 1 or quotient.order % 2 == 0
    for number in range(6):
        for sums in combinations_with_replacement(range(to, 0, -1), number):
            assert quotient.lost(sums) is lost(code, sums), sums


@pytest.mark.parametrize(("to", "order", "lost_elements"), [(7, 6, 2), (8, 12, 3), (11, 20, 5)])
def test_0_123_has_its_published_quotients(to: int, order: int, lost_elements: int) -> None:
    quotient = closed("0.123", to)
    assert (quotient.order, len(quotient.p_portion), quotient.tame) == (order, lost_elements, order == 6)


@pytest.mark.parametrize(("code", "to"), [("0.123", 11), ("0.77", 12), ("grundy", 20)])
def test_a_quotient_is_a_reduced_monoid_that_its_relations_define(code: str, to: int) -> None:
    quotient = closed(code, to)
    order, times = quotient.order, quotient.times
    assert (times == times.T).all() and times[0].tolist() == list(range(order))
    assert all((times[times[one]] == times[one][times]).all() for one in range(order)), "associative"
    rows = {tuple(quotient.is_lost[times[one]]) for one in range(order)}
    assert len(rows) == order, "any two elements are told apart by a third"
    for relation in quotient.presentation:
        left, right = relation.split("=")
        assert product(quotient, left) == product(quotient, right) and left != right
    for one in range(order):
        assert product(quotient, quotient.name(one)) == one == quotient.of(quotient.sum_of(one))
        powers = list(accumulate([one] * 2 * order, lambda power, one: int(times[power, one]), initial=0))
        assert quotient.repeats(one) == next(n for n, power in enumerate(powers) if power in powers[n + 1 :])


def product(quotient: Quotient, word: str) -> int:
    """The element of a word such as 'ab^2'."""
    heaps: list[int] = []
    for letter, power in re.findall(r"([a-z])(?:\^(\d+))?", word):
        heaps += [quotient.generators[ord(letter) - 97]] * int(power or 1)
    return quotient.of(heaps)


@pytest.mark.parametrize(("code", "to", "order"), [("0.15", 14, 8), ("4.7", 11, 28), ("0.26", 15, 24)])
def test_a_quotient_closes_where_a_heap_no_longer_equals_its_sum_before(code: str, to: int, order: int) -> None:
    quotient = closed(code, to)
    assert quotient.order == order
    for number in range(3):
        for sums in combinations_with_replacement(range(to, 0, -1), number):
            assert quotient.lost(sums) is lost(code, sums), sums


@pytest.mark.parametrize(("code", "to"), [("0.123", 7), ("0.77", 12), ("4.7", 7)])
def test_a_heap_that_is_an_element_of_the_quotient_before_is_among_those_that_fit(code: str, to: int) -> None:
    rule, known = read_code(code), False
    for before, after in pairwise(quotients(read_code(code), to)):
        fits = _fitting(before, before.left_by(rule, after.to))
        if after.order == before.order:
            known = True
            assert after.heaps[-1] in fits and (len(fits) < before.order or before.order <= 2)
    assert known


@pytest.mark.slow
def test_dawsons_chess_has_its_published_quotients() -> None:
    orders = {quotient.order: quotient.to for quotient in quotients(read_code("0.137"), 24)[::-1]}
    assert orders == {1: 0, 2: 1, 6: 3, 12: 9, 24: 13, 144: 24}


def test_a_quotient_that_does_not_close_says_why() -> None:
    [*_, last] = quotients(read_code("0.137"), 30, most=100)
    assert not last.closed and last.to == 24 and last.bound == "more than 100 elements"
    [*_, few] = quotients(read_code("0.123"), 11, most=12)
    assert not few.closed and few.bound == "more than 12 elements"
    [*_, hasty] = quotients(read_code("0.77"), 30, words=2_000)
    assert not hasty.closed and hasty.to == 25 and hasty.bound == "more than 2,000 sums were tried"
    assert [quotients(read_code("0.1"), 1, words=few)[-1].bound for few in (7, 8)] == ["more than 1 kinds of sums", ""]


def test_sums_of_nim_heaps_are_tame() -> None:
    assert [quotient.order for quotient in quotients(Rule((0, *[3] * 8)), 8)] == [1, 2, 6, 6, 10, 10, 10, 10, 18]
    assert all(quotient.tame for quotient in quotients(Rule((0, *[3] * 8)), 8))
    assert not closed("0.77", 9).tame


def test_misere_outcomes_of_a_quotient_last_for_ever_by_its_elements(monkeypatch: pytest.MonkeyPatch) -> None:
    row = row_of("octal:0.75:misere")
    assert row is not None
    values = row.values(300)
    assert values.period is not None and values.period.proof is Proof.PLAMBECK
    assert [value == -1 for value in values.values[:13]] == [lost("0.75", (heap,)) for heap in range(13)]
    monkeypatch.setattr("nimtui.theory.sequence.quotients", partial(quotients, words=2_000))
    assert "from 0 to 24 for octal:0.07:misere, not 99: the misère quotient closes up to there (more than" in refusal(
        lambda: row_of("dawsons-kayles:misere").values(99)
    )  # type: ignore[union-attr]
    monkeypatch.setattr(sequences, "MOST_MISERE_SPLITS", 9)
    monkeypatch.setattr(sequences, "MOST_QUOTIENT", 20)  # less than 2 · 8 + 2 · 2 + 2 − 1: the period is not proven
    assert row.values(20) == sequences.Sequence(values.values[:21], None, None, computed=20)
    assert "to 20 for octal:0.75:misere, not 99: the misère quotient shows no period up" in refusal(row.values, 99)


def start(values: Sequence[int], length: int) -> int:
    """The first number from which on all values repeat after so many."""
    return next(n for n in range(len(values)) if list(values[n + length :]) == list(values[n:-length]))


def test_periods_are_the_shortest_that_hold_up_to_the_bound_of_their_proof() -> None:
    assert sequences.by_window([0, 1, 0, 1], 2) == Period(0, 2, Proof.WINDOW)
    assert [bool(sequences.by_window([0, 1, 0, 1, 0][:size], 2, least=1)) for size in (4, 5)] == [False, True]
    rows = [values for size in range(7) for values in every((0, 1), repeat=size)]
    for values in [*rows, (*range(10), *[1, 2] * 3), (*range(55), *[1, 2] * 3), (*range(54), *[1, 2] * 3)]:
        size = len(values)
        starts = {length: start(values, length) for length in range(1, size)}
        shown = [one for one, begins in starts.items() if size - begins >= max(3 * one, size / 10)]
        chance = Period(starts[shown[0]], shown[0], None) if shown else None
        assert sequences.seen(values) == chance and (chance is None or sequences.seen(values).checked_to == size - 1)
        for width, least in ((0, 0), (1, 0), (2, 0), (2, 1)):
            sure = [one for one, begins in starts.items() if size - one - width >= max(begins, least)]
            found = sequences.by_window(values, width, least)
            assert found == (Period(starts[sure[0]], sure[0], Proof.WINDOW) if width and sure else None)
            assert found is None or (found.proven and found.checked_to == size - 1)
        for digits in (0, 1):
            sure = [one for one, begins in starts.items() if size - 1 >= 2 * max(begins, 1) + 2 * one + digits - 1]
            proven = Period(starts[sure[0]], sure[0], Proof.GUY_SMITH) if sure else chance
            assert sequences.by_guy_smith(values, digits) == proven


def test_a_period_says_which_values_came_before_it_and_which_follow() -> None:
    period = Period(3, 2, Proof.WINDOW, 6)
    values = [7, 2, 1, 1, 2, 1, 2]  # from 3 on 1, 2, 1, 2: like them would be 1 and 2 at 1 and 2
    assert period.exceptions(values) == [0, 1, 2] and [period._like(n) for n in range(3)] == [4, 3, 4]
    assert period.extended(np.array(values), 10).tolist() == [*values, 1, 2, 1, 2]
    assert Period(0, 2, None) == Period(0, 2, None, None) and not Period(0, 2, None).proven


HEAPS = {  # a name -> the heap's name, title, whether it splits, and its name in the other play
    "kayles": ("octal:0.77", "Octal 0.77", True, "octal:0.77:misere"),
    "kayles:misere": ("octal:0.77:misere", "Octal 0.77", True, "octal:0.77"),
    "octal:0.77:misere:n": ("octal:0.77:misere", "Octal 0.77", True, "octal:0.77"),
    "nim:take=1,3": ("nim:N:take=1,3", "take 1 or 3", False, "nim:N:take=1,3:misere"),
    " Subtraction : take=2 : N": ("nim:N:take=2", "take 2", False, "nim:N:take=2:misere"),
    "kayles:normal": ("octal:0.77", "Octal 0.77", True, "octal:0.77:misere"),
    "grundy:N": ("grundy", "Grundy's game", True, "grundy:misere"),
    "nim:5:misere": ("nim:N:misere", "Nim", False, "nim:N"),
    "nim:5:max=3": ("octal:0.333", "Octal 0.333", False, "octal:0.333:misere"),
    "adjacent:5,1:max=3": ("octal:0.777", "Octal 0.777", True, "octal:0.777:misere"),
    "adjacent:5,1:max=5": ("nim:N", "Nim", False, "nim:N:misere"),
    "octal:0.07:9,1": ("octal:0.07", "Dawson's Kayles", True, "octal:0.07:misere"),
    **dict.fromkeys(("nim:take=1:take=2", "kayles:misere:normal", "kayles:best", "octal", "nim", "chomp:3x3")),
}


def test_names_of_one_heap() -> None:
    goals = ["the last move wins", "the last move loses"]
    for name, told in HEAPS.items():
        heap = sequences.of_name(name)
        if heap is None and re.search(r":\d", name):
            heap = sequences.of_heaps(parse_game(name))
        if heap is None or told is None:
            assert heap is told
            continue
        turned, ends = heap.turned(), [f"One heap of {told[1]} · {goal}" for goal in goals]
        assert (heap.name, heap.splits, turned.name) == (told[0], *told[2:])
        assert (heap.title, turned.title) == tuple(ends[:: -1 if heap.misere else 1])
        assert heap.quotient_name == ("" if told[1] == "Nim" else told[0].removesuffix(":misere"))
        assert (turned.misere, turned.rule) == (not heap.misere, heap.rule)
        most = 2_000 if heap.rule is None else 8_388_608
        for to in (-1, most + 1):
            limits = f"the largest number must be from 0 to {most:,} for {told[0]}, not {to:,}"
            assert refusal(heap.values, to) == limits
    assert row_of("nim:5,1") is row_of("octal:0.77:9,1") is None and row_of("adjacent:5").name == "adjacent:5"
    names = {"nim:1,2,N": "nim:1,2,N", "tower:16": "tower:N", " nim:1,N ": "nim:1,N", "nim:7": "nim:N"}
    assert {text: family_of(text) for text in names} == {text: sequences.Family(name) for text, name in names.items()}


@pytest.mark.parametrize("name", ["octal:0.6", "octal:0.77", "grundy", "nim:take=1,3,4", "nim:21"])
def test_a_sequence_has_the_value_of_every_heap(name: str) -> None:
    row = row_of(name)
    assert row is not None
    rules = {"octal:0.6": "0.6", "octal:0.77": "0.77", "grundy": "grundy", "nim:take=1,3,4": "0.3033"}
    for to in (0, 1, 2, 12, 1_001):
        found = row.values(to)
        grundy = found.grundy[:50]
        assert grundy == tuple(heap_grundy(rules[name], n) if name in rules else n for n in range(min(to + 1, 50)))
        assert found.values == tuple(1 if value else -1 for value in found.grundy) and len(found.grundy) == to + 1
        stretches = {("octal:0.77", 1_001): 198, ("nim:take=1,3,4", 1_001): 66}  # of 66 until the period is proven
        assert found.computed == (None if name == "nim:21" else stretches.get((name, to), to))
        if found.rare is not None:  # as few values share an even number of digits with the mask
            few = [n for n in range(1, found.computed + 1) if (found.grundy[n] & found.rare.mask).bit_count() % 2 == 0]
            values = tuple(sorted({found.grundy[n] for n in few}))
            assert found.rare == sequences.Rare(found.rare.mask, values, len(few), max(few)) and len(few) < to / 3
        assert (found.rare is None) == (to <= 1_000 or name.startswith("nim"))
    other = row.turned()
    for to in (0, 1, 2, 12):
        found = other.values(to)
        force = [lost(rules[name], (n,)) if name in rules else n == 1 for n in range(to + 1)]
        assert found.values == tuple(-1 if each else 1 for each in force) and found.grundy is found.rare is None
        assert found.computed == (to if name in rules else None)
        assert name in rules or found.period == (Period(2, 1, Proof.ANY) if to > 1 else None)


@given(some.lists(some.integers(0, 2), min_size=1, max_size=40))
def test_at_each_distance_so_many_values_at_the_end_repeat(values: list[int]) -> None:
    many = np.zeros(len(values), np.int64)
    shared(np.array(values), many)
    for distance in range(1, len(values)):
        alike = [one == before for one, before in zip(values[distance:], values, strict=False)][::-1]
        assert many[distance] == [*alike, False].index(False)
