"""The sequential test: its name, its ratio against printed figures, when it ends, and how often it errs."""

from __future__ import annotations

from math import exp, log

import numpy as np
import pytest

from nimtui.arena.rating.sprt import LEAST_GAMES, LEAST_PAIRS, LOGISTIC, NORMALISED, PER_RATIO, Sprt, parse_sprt
from nimtui.errors import InputError
from tests.examples import with_slow

USUAL = Sprt(0, 50)


def games(wins: int, draws: int, losses: int) -> np.ndarray:
    return np.repeat(np.array([1, 0, -1], np.int8), [wins, draws, losses])


def pairs(*counts: int) -> np.ndarray:
    """Pairs of 0, 1/2, 1, 3/2, 2 points, so many of each."""
    kinds = np.array([[-1, -1], [-1, 0], [1, -1], [1, 0], [1, 1]], np.int8)
    return np.repeat(kinds, counts, axis=0).ravel()


def test_names_and_bounds() -> None:
    assert parse_sprt("") == USUAL
    assert parse_sprt(" elo1 = 10, elo0=-2.5 ,alpha=0.01") == Sprt(-2.5, 10, 0.01, 0.05)
    assert USUAL.name == "elo0=0,elo1=50,alpha=0.05,beta=0.05"
    assert Sprt(0, 5, scale=NORMALISED).name == "elo0=0,elo1=5,alpha=0.05,beta=0.05,scale=normalised"
    assert parse_sprt("elo0=-1000,elo1=1000,alpha=0.499") == Sprt(-1000, 1000, 0.499)
    assert parse_sprt("scale=normalized,elo1=5") == Sprt(0, 5, scale=NORMALISED)
    assert parse_sprt("elo0=0,elo1=50,alpha=0.05,beta=0.05") == USUAL, "as saved before there were scales"
    for test in (USUAL, Sprt(-0.123456789, 1 / 3, 0.012345678, 1e-9), Sprt(-1, 1, scale=NORMALISED)):
        assert parse_sprt(test.name) == test
    assert USUAL.bounds == pytest.approx((-2.9444, 2.9444), abs=1e-4)  # ln 19
    assert Sprt(0, 5, 0.05, 0.1).bounds == pytest.approx((log(0.1 / 0.95), log(0.9 / 0.05)))


def test_bad_names_are_answered_in_one_line() -> None:
    for text, right in (
        ("elo2=5", "Parameters of a sequential test: elo0, elo1, alpha, beta, scale"),
        ("scale=bayes", "unknown scale of a sequential test 'bayes'. Allowed: logistic, normalised"),
        ("elo0=0,elo0=1", "the parameter 'elo0' of a sequential test is given twice"),
        ("elo1=", "from -1,000 to 1,000, not ''"), ("elo1=fifty", "not 'fifty'"),
        ("elo1=nan", "from -1,000 to 1,000, not nan"), ("elo1=inf", "not inf"), ("elo1=1001", "not 1001"),
        ("elo0=50,elo1=50", "elo0 must be less than elo1, e.g. elo0=0,elo1=50, not 50 and 50"),
        ("elo1=-3", "not 0 and -3"), ("alpha=0", "alpha must be between 0 and 0.5, e.g. 0.05, not 0"),
        ("beta=0.5", "beta must be between 0 and 0.5"), ("beta=nan", "beta must be between 0 and 0.5"),
        ("elo0", "elo0 must be a number"), ("elo0=0,,elo1=5", "unknown parameter"),
    ):  # fmt: skip
        with pytest.raises(InputError) as caught:
            parse_sprt(text)
        assert right in str(caught.value) and "\n" not in str(caught.value)


# Wins, draws, losses, or pairs from 0 to 2 points; elo0, elo1; the ratio: fastchess, app/tests/sprt_test.cpp, its tests
# "logistic trinomial", "logistic pentanomial", "normalized trinomial" and "normalized pentanomial" 1 and 2. The third
# normalised ones, of equal games, are not of the most likely probabilities: see the test below.
@pytest.mark.parametrize(
    ("results", "paired", "elo0", "elo1", "scale", "printed"),
    [
        (games(21404, 40708, 21184), False, 0.5, 2.5, LOGISTIC, -1.57),
        (games(57433, 106593, 57030), False, 0, 2, LOGISTIC, -2.59),
        (pairs(223, 9863, 20279 + 1000, 10037, 246), True, 0.5, 2.5, LOGISTIC, -3.07),
        (pairs(871, 26175, 55003 + 980, 26678, 821), True, 0, 2, LOGISTIC, -4.98),
        (games(36433, 68692, 36027), False, 0, 2, NORMALISED, 0.92),
        (games(10871, 20431, 10650), False, -1.75, 0.25, NORMALISED, 2.30),
        (pairs(365, 16618, 36029 + 200, 16974, 390), True, 0, 2, NORMALISED, 2.25),
        (pairs(127, 4883, 10311 + 401, 5150, 104), True, -1.75, 0.25, NORMALISED, 3.01),
    ],
)
def test_the_ratio_as_fastchess_has_it(
    results: np.ndarray, paired: bool, elo0: float, elo1: float, scale: str, printed: float
) -> None:
    assert Sprt(elo0, elo1, scale=scale).llr(results, paired) == pytest.approx(printed, abs=0.006)


@pytest.mark.parametrize(
    "counts", [(9, 5, 3), (40, 2, 30), (3, 100, 9), (50, 0, 0), (0, 50, 0), (0, 0, 50), (1, 0, 0), (0, 0, 1)]
)
@pytest.mark.parametrize("elo", [5, -50, 1000])
def test_the_ratio_is_that_of_the_most_likely_probabilities(counts: tuple[int, ...], elo: float) -> None:
    """Three outcomes of a given mean s, or of a given ratio t, are one free number, the draws d: a search finds the
    likeliest. (s − 1/2)² (1 + t²) = t² (1 − d) / 4."""
    weights, draws = np.maximum(counts, 1e-3), np.linspace(0, 1, 400_001)[1:-1]

    def best(elo: float, scale: str) -> float:
        t = elo * log(10) / 800
        normalised = np.sign(t) * np.sqrt(t * t * (1 - draws) / 4 / (1 + t * t))
        ahead = normalised if scale == NORMALISED else 1 / (1 + 10 ** (-elo / 400)) - 0.5
        won, lost = (1 - draws) / 2 + ahead, (1 - draws) / 2 - ahead
        with np.errstate(invalid="ignore"):
            found = weights[0] * np.log(won) + weights[1] * np.log(draws) + weights[2] * np.log(lost)
        return float(np.nanmax(found))

    for scale, near in ((LOGISTIC, 1e-5), (NORMALISED, 1e-3))[elo == 1000 :]:
        test = Sprt(min(0, elo), max(0, elo), scale=scale)
        ratio = best(test.elo1, scale) - best(test.elo0, scale)
        assert test.llr(games(*counts), False) == pytest.approx(ratio, abs=near)
        few = games(*counts)[:19]
        assert test.decide(few, False) == (None, pytest.approx(test.llr(few, False)), "")


def test_it_ends_with_the_first_games_that_decide() -> None:
    results = np.random.default_rng(2).choice([-1, 0, 1], 4000, p=[0.2, 0.4, 0.4]).astype(np.int8)
    for paired, step in ((False, 1), (True, 2)):
        stop, ratio, verdict = USUAL.decide(results, paired)
        assert stop is not None and stop % step == 0 and verdict == "H1"
        assert USUAL.llr(results[:stop], paired) == pytest.approx(ratio) and ratio >= USUAL.bounds[1]
        for before in range(0, stop, step):
            assert USUAL.bounds[0] < USUAL.llr(results[:before], paired) < USUAL.bounds[1]
        assert USUAL.decide(results[:stop], paired) == USUAL.decide(results, paired)  # whatever follows
        nothing, now, verdict = USUAL.decide(results[: stop - step], paired)
        assert (nothing, verdict) == (None, "") and now == pytest.approx(USUAL.llr(results[: stop - step], paired))
        for known in (0, 1, 2, 3, stop // 2, stop - 2):  # games that are known not to decide
            assert USUAL.decide(results, paired, known)[::2] == (stop, "H1")
        nothing, now, _ = USUAL.decide(results[: stop - 2], paired, stop - 2)
        assert nothing is None and now == pytest.approx(USUAL.llr(results[: stop - 2], paired), abs=1e-9)


def test_only_games_that_were_played_count_and_only_whole_pairs() -> None:
    results = games(7, 3, 2)
    gap = np.concatenate([results, np.array([-2, 1, 1], np.int8)])
    assert USUAL.decide(games(1, 0, 0), False) == (None, USUAL.llr(games(1, 0, 0), False), "")
    assert USUAL.llr(gap, False) == USUAL.llr(results, False)
    assert USUAL.llr(gap[:13], True) == USUAL.llr(np.append(results, np.int8(1)), True) == USUAL.llr(results, True)
    for paired in (False, True):
        assert USUAL.llr(games(0, 0, 0), paired) == 0
        assert USUAL.decide(games(0, 0, 0), paired) == (None, 0, "")


@pytest.mark.parametrize("paired", [False, True])
def test_results_all_alike_decide_neither_at_once_nor_never(paired: bool) -> None:
    each = 2 if paired else 1
    ratio = (1 / (1 + 10 ** (-50 / 400))) / 0.5  # of the expected scores: what one win more is worth
    needed = int(np.ceil(USUAL.bounds[1] / log(ratio)))
    stop, llr, verdict = USUAL.decide(games(500, 0, 0), paired)
    assert verdict == "H1" and abs(stop / each - needed) <= 1 and exp(llr * each / stop) == pytest.approx(ratio, 0.01)
    for results in (games(0, 500, 0), games(0, 0, 500)):
        stop, llr, verdict = USUAL.decide(results, paired)
        assert verdict == "H0" and np.isfinite(llr) and stop == 20 * each


@pytest.mark.parametrize("scale", ["logistic", NORMALISED])
def test_no_verdict_comes_before_ten_pairs(scale: str) -> None:
    test = Sprt(0, 400, scale=scale)
    for results, verdict in ((games(100, 0, 0), "H1"), (games(0, 0, 100), "H0")):
        early = test.llr(results[: LEAST_GAMES - 2], True)
        assert not test.bounds[0] < early < test.bounds[1], "beyond a bound already"
        assert test.decide(results[: LEAST_GAMES - 1], True) == (None, pytest.approx(early), "")
        assert test.decide(results, True)[::2] == (LEAST_GAMES, verdict)
        assert test.decide(results, True, LEAST_GAMES - 6)[::2] == (LEAST_GAMES, verdict)
        assert test.decide(results, False)[::2] == (LEAST_GAMES, verdict)
    assert LEAST_GAMES == 2 * LEAST_PAIRS == 20


def test_normalised_and_logistic_elo_are_one_where_nothing_is_drawn() -> None:
    """Near 0, as games; and as pairs of independent games, because √2 makes their ratio that of a game."""
    source = np.random.default_rng(6)
    results = source.choice([-1, 1], 20_000, p=[0.497, 0.503]).astype(np.int8)
    for paired in (False, True):
        logistic, normalised = (Sprt(0, 4, scale=scale).llr(results, paired) for scale in ("logistic", NORMALISED))
        assert normalised == pytest.approx(logistic, abs=0.03) and abs(logistic) > 0.5
    drawn = np.where(source.random(20_000) < 0.75, 0, results).astype(np.int8)  # half the deviation: twice the Elo
    assert Sprt(0, 8, scale=NORMALISED).llr(drawn, False) == pytest.approx(Sprt(0, 4).llr(drawn, False), rel=0.02)


def simulated(test: Sprt, kinds: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Of rows of pairs (0 to 4, in half points) the verdict of each, −1, 0 or 1, and after how many pairs it came."""
    verdicts, ends = np.zeros(len(kinds), int), np.full(len(kinds), kinds.shape[1])
    counts, going, step = np.zeros((len(kinds), 5), int), np.arange(len(kinds)), 25
    for first in range(0, kinds.shape[1], step):
        some = kinds[going, first : first + step]
        rows = counts[going, None] + np.cumsum(some[:, :, None] == np.arange(5), axis=1)
        counts[going] = rows[:, -1]
        found = test.ratios(rows.reshape(-1, 5)).reshape(some.shape)
        beyond = (found <= test.bounds[0]) | (found >= test.bounds[1])
        beyond[:, : max(0, LEAST_PAIRS - 1 - first)] = False
        ended, at = beyond.any(1), beyond.argmax(1)
        verdicts[going[ended]] = np.sign(found[ended, at[ended]])
        ends[going[ended]] = first + at[ended] + 1
        going = going[~ended]
    return verdicts, ends


@pytest.mark.parametrize("scale", ["logistic", NORMALISED])
@pytest.mark.parametrize("drawn", with_slow([0.0, 0.3, 0.6], 0.3, 0.6))
def test_errors_are_as_rare_as_said_and_it_ends_early(scale: str, drawn: float) -> None:
    """At elo0 and at elo1, 500 pairings each: how often H1 and H0 are wrongly accepted, and after how many pairs."""
    source, test, number = np.random.default_rng(4), Sprt(0, 100, scale=scale), 500
    for elo, wrong in ((test.elo0, 1), (test.elo1, -1)):
        t = elo / PER_RATIO
        ahead = (
            np.sqrt(t * t * (1 - drawn) / 4 / (1 + t * t))
            if scale == NORMALISED
            else 1 / (1 + 10 ** (-elo / 400)) - 0.5
        )
        lost = (1 - drawn) / 2 - ahead
        points = source.choice(3, (number, 200, 2), p=[lost, drawn, 1 - drawn - lost]).sum(2)
        verdicts, pairs = simulated(test, points)
        assert np.mean(verdicts == wrong) < 0.05 + 3 * np.sqrt(0.05 * 0.95 / number)
        assert np.mean(verdicts == 0) < 0.01
        deviation = np.sqrt((1 - drawn) / 8)  # of a pair's mean, at elo0
        apart = 100 / PER_RATIO * np.sqrt(2) * deviation if scale == NORMALISED else 1 / (1 + 10**-0.25) - 0.5
        assert pairs.mean() < 0.7 * (2 * 1.645 * deviation / apart) ** 2, "a fixed number for the same errors"
        row = int(source.integers(number))  # and `decide` says the same
        results = np.array([[-1, -1], [-1, 0], [0, 0], [0, 1], [1, 1]], np.int8)[points[row]].ravel()
        stop, _, verdict = test.decide(results, True)
        assert (stop, verdict) == (2 * pairs[row], "H1" if verdicts[row] > 0 else "H0")
