"""Parses what reports say and checks every fact in it against plain sums of the games.

A sentence of no known form fails, so none is left unchecked.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from math import erf, exp, isnan, log, sqrt

import pytest

from nimtui.arena.rating.ratings import Anchor, Ratings, Seat, rate
from tests.arena.crosstables import Field
from tests.arena.formulas import few

ELO = 400 / log(10)
COUNT = r"[\d,]+"
SIGNED = r"(?:0|[+−][\d,]+)"
SHARE = r"\d+(?:\.\d)?"

Checks = list[tuple[str, Callable[[re.Match[str]], None]]]


def whole(text: str) -> int:
    return int(text.replace(",", "").replace("−", "-").replace("+", ""))


def all_games(text: str) -> int:
    """Return the number of 'all 20 games', or 1 of 'its only game'."""
    if text.endswith(" only game"):
        return 1
    assert text.startswith("all ") and text != "all 1 game"
    return games(text.removeprefix("all "))


def games(text: str) -> int:
    """Return the number of '1 game' or '20 games'."""
    number, word = text.split()
    assert word == ("game" if number == "1" else "games"), text
    return whole(number)


def share_is(text: str, value: float) -> None:
    """Check '83.4 %': to a tenth; '0 %' and '100 %' only if exact."""
    said = float(text.removesuffix(" %"))
    assert (said in (0, 100)) == (value in (0, 1)), (text, value)
    assert said == pytest.approx(min(99.9, max(0.1, 100 * value)) if said not in (0, 100) else said, abs=0.0501)


def likelihood_is(text: str, value: float) -> None:
    """Check '97.5 %', '> 99.9 %', '< 0.1 %', with or without a space."""
    plain = text.replace(" ", "").removesuffix("%")
    if plain.startswith(">"):
        assert value > 0.999
    elif plain.startswith("<"):
        assert value < 0.001
    else:
        assert float(plain) == pytest.approx(100 * value, abs=0.0501)


def elo_is(text: str, value: float) -> None:
    assert whole(text) == pytest.approx(value, abs=0.5001)


def same(said: object, true: object) -> None:
    assert said == true


def named(text: str, names: list[str]) -> None:
    """Check 'a, b and c', of more than three 'a, b, c and 2 more'."""
    *first, last = names if len(names) <= 3 else [*names[:3], f"{len(names) - 3} more"]
    assert text == (f"{', '.join(first)} and {last}" if first else last)


def check(lines: Iterable[str], forms: Checks) -> None:
    """Check each line by the form it has."""
    for said in lines:
        fits = [(form, test, match) for form, test in forms if (match := re.fullmatch(form, said))]
        assert len(fits) == 1, f"{len(fits)} forms for {said!r}"
        _, test, match = fits[0]
        test(match)


def superiority(field: Field, one: int, other: int) -> float | None:
    """Return the LOS of two agents by their own games, which say it by one fit: of the Elo that stands beside it.

    None where these games say nothing. After winning all of them: 1 less the chance of that between equals.
    """
    own = only(field, one, other)
    if silent(own):
        return None
    meetings = [meeting for meeting in own.view.standings.meetings if meeting.played]
    rated = rate(2, [meeting._replace(first=int(meeting.first != one), second=int(meeting.second != one),
                                      results=None) for meeting in meetings], Anchor(1))  # fmt: skip
    rating, counts = rated.ratings[0], field.between(one, other)
    if not counts.all_alike:
        half = max(rating.high - rating.elo, rating.elo - rating.low)
        return (1 + erf(rating.elo / half * 1.959964 / sqrt(2))) / 2 if half > 1e-3 else 0.5
    chance = 0.0
    for two, part in ((one, field.cell(one, other)), (other, field.cell(other, one))):
        sign = 1 if (two == one) == (counts.won > 0) else -1  # moved the winner first?
        chance -= part.games * log(1 + exp(-sign * rated.seat.elo / ELO)) * (0.5 if field.paired else 1)
    return 1 - exp(chance) if counts.won else exp(chance)


def only(field: Field, one: int, other: int) -> Field:
    """Return the field with the games of two agents alone."""
    met = [{first, second} == {one, other} for _, first, second in field.plan.pairings]
    rows = (row if there else row * 0 - 2 for row, there in zip(field.results, met, strict=True))
    return Field(field.plan, tuple(rows), tuple(frozenset[int]() for _ in met))


# What moving first is worth.


def silent(field: Field) -> bool:
    """Return whether the games of a field say nothing about strength."""
    return not any(one != other for one, other in field.cells) or bool(why_silent(field))


def why_silent(field: Field) -> str:
    """Return why the games between different agents say nothing about strength; '' if they do, or there are none."""
    apart = [two for two in field.cells if two[0] != two[1]]
    counts = field.first_movers
    if not apart:
        return ""
    if counts.all_alike:
        return "all"
    places = [at for at, (_, one, other) in enumerate(field.plan.pairings) if one != other and any(field.games(at))]
    if field.paired:
        rows = [field.results[at][field.results[at] > -2] for at in places]
        if all(set(field.pairs(at)) == {1.0} and 2 * len(field.pairs(at)) == len(row) and row.all()
               for at, row in zip(places, rows, strict=True)):  # fmt: skip
            return "pairs"
    height: dict[int, int] = {}  # a strength for each agent that explains all by the seat alone
    while left := [two for two in field.cells if not (two[0] in height and two[1] in height)]:
        first, second = next((two for two in left if two[0] in height or two[1] in height), left[0])
        if second not in height:
            height[second] = height.get(first, 1) - 1
        height.setdefault(first, height[second] + 1)
    return "" if any(height[one] != height[other] + 1 for one, other in field.cells) else "seats"


def seat_forms(field: Field, seat: Seat) -> Checks:
    counts = field.first_movers
    itself = any(one == other for one, other in field.cells)
    why = why_silent(field)

    def all_won(match: re.Match[str]) -> None:
        assert bool(match[3]) == (why == "all")
        assert all_games(match[2]) == counts.games == (counts.won if match[1] == "first" else counts.lost) > 0

    def worth(match: re.Match[str]) -> None:
        assert not counts.all_alike and not why
        value = whole(match[2]) * (1 if match[1] == "first" else -1)
        assert value == pytest.approx(seat.elo, abs=0.5001) and whole(match[3]) == pytest.approx(seat.error, abs=0.5001)
        assert bool(match[4]) == itself
        both = all(field.cell(*two).games == field.cell(*two[::-1]).games for two in field.cells)
        if both:  # then each agent was first as often as second against each
            assert value * (counts.won - counts.lost) >= 0

    return [
        (
            rf"The player who moved (first|second) won (all {COUNT} games|the only game)\."
            r"( These games say nothing about strength\.)?",
            all_won,
        ),
        (r"In every pair of games the same seat won twice\. These .* strength\.", lambda match: same(why, "pairs")),
        (r"Nobody met an opponent in both seats\. These .* strength\.", lambda match: same(why, "seats")),
        (
            rf"Moving (first|second): (\+{COUNT}|0) ± ({COUNT}) Elo(\. Self-play counts for the seat, not for the"
            r" ratings)?\.",
            worth,
        ),
    ]


# Ratings.


def rating_forms(field: Field, ratings: Ratings) -> Checks:
    names = field.names

    def extreme(match: re.Match[str]) -> None:
        at = names.index(match[1])
        counts = field.of_agents[at]
        assert all_games(match[3]) == counts.games == (counts.won if match[2] == "won" else counts.lost) > 0
        assert match[4] == ("at least" if match[2] == "won" else "at most")
        elo_is(match[5], (ratings.ratings[at].at_least if match[2] == "won" else ratings.ratings[at].at_most) or 0.0)

    def few(match: re.Match[str]) -> None:
        thin = unsure(field)
        if match[1] is None:
            assert len(thin) == len(names)
        else:
            named(match[1], [names[at] for at in thin])

    def explained(match: re.Match[str]) -> None:
        assert ratings.fit is not None
        chance, places = ratings.fit.p_value, 2 if ratings.fit.p_value >= 0.05 else 3
        how = "explain the" if chance >= 0.05 else "may not explain all" if chance >= 0.005 else "do not explain all"
        assert match[1] == how and (match[2] == "< 0.001") == (chance < 0.001)
        if chance >= 0.001:
            assert len(match[2]) == 4 + places
            assert float(match[2][2:]) == pytest.approx(chance, abs=0.501 / 10**places)

    def by_strength(match: re.Match[str]) -> None:
        surplus = []
        for one in range(len(names)):
            for other in range(one):
                two = field.cell(one, other), field.cell(other, one)
                if min(cell.games for cell in two) > 0:
                    over = sum(cell.points / cell.games for cell in two)
                    over -= expected(ratings, one, other) + expected(ratings, other, one)
                    surplus.append((ratings.ratings[one].elo + ratings.ratings[other].elo, over))
        level = sum(place for place, _ in surplus) / len(surplus)
        trend = sum((place - level) * over for place, over in surplus)
        assert (trend > 0) == (match[1] == "strong")

    def against(match: re.Match[str]) -> None:
        one, other = names.index(match[1]), names.index(match[3])
        counts = field.between(one, other)
        share_is(match[2], counts.points / counts.games)
        first, second = field.cell(one, other).games, field.cell(other, one).games
        said = first * expected(ratings, one, other) + second * (1 - expected(ratings, other, one))
        share_is(match[4], said / counts.games)
        assert match[2] != match[4]

    def seats(match: re.Match[str]) -> None:
        one, other = names.index(match[1]), names.index(match[2])
        counts = field.cell(one, other) + field.cell(other, one)
        share_is(match[3], counts.points / counts.games)
        first, second = field.cell(one, other).games, field.cell(other, one).games
        said = first * expected(ratings, one, other) + second * expected(ratings, other, one)
        share_is(match[4], said / counts.games)

    def itself(match: re.Match[str]) -> None:
        counts = field.cell(*[names.index(match[1])] * 2)
        share_is(match[2], counts.points / counts.games)
        share_is(match[3], 1 / (1 + exp(-ratings.seat.elo / ELO)))

    says = rf"; the ratings say ({SHARE} %)\."
    return [
        (rf"(.+) (won|lost) (all {COUNT} games|its only game): (at least|at most) ({SIGNED}) Elo\.", extreme),
        (
            r"(?:All Elo intervals are|The Elo interval of (.+) is) uncertain: an interval needs 10 pairs of games"
            r" above and below the mean score(?:, and 20 openings)?\.",
            few,
        ),
        *seat_forms(field, ratings.seat),
        (r"The ratings (.+) results \(goodness of fit: p (= \d\.\d+|< 0\.001)\)\.", explained),
        (r"Moving first is worth more to (strong|weak) agents\.", by_strength),
        (rf"((?!Between|Moving).+) scored ({SHARE} %) against ((?!itself).+){says}", against),
        (rf"Between (.+) and (.+), moving first scored ({SHARE} %){says}", seats),
        (rf"Moving first, (.+) scored ({SHARE} %) against itself{says}", itself),
    ]


def unsure(field: Field) -> list[int]:
    """Return the agents with too few games for their intervals. A bound (of all won or lost) is none, nor is 0 if it is
    one agent."""
    between = [at for at in sorted(field.group) if not field.of_agents[at].all_alike]
    meetings = field.view.standings.meetings
    return [at for at in between if few(meetings, at)] if len(between) > 1 else []


def check_ratings(field: Field, ratings: Ratings, said: list[str]) -> None:
    """Check the sentences about ratings, and that none is missing."""
    check(said, rating_forms(field, ratings))
    why = why_silent(field)
    assert any("say nothing about strength" in line for line in said) == bool(why) and (not why or len(said) == 1)
    extremes = {
        f"{field.names[at]} {'won' if counts.lost == counts.drawn == 0 else 'lost'}"
        for at, counts in enumerate(field.of_agents)
        if at in field.group and counts.all_alike and not why
    }
    bounded = (re.match(r"(.+ (?:won|lost)) .*: at (?:most|least) ", line) for line in said)
    assert {found[1] for found in bounded if found is not None} == extremes
    counts = field.first_movers
    assert any("who moved" in line for line in said) == (counts.games > 0 and counts.all_alike)
    assert any("uncertain: an" in line for line in said) == (bool(unsure(field)) and not why)
    for at, rating in enumerate(ratings.ratings):
        assert isnan(rating.elo) == (at not in field.group)


def expected(ratings: Ratings, one: int, other: int) -> float:
    """Return the points that `one` is expected to score moving first, by the ratings and the seat."""
    ahead = 0.0 if one == other else ratings.ratings[one].elo - ratings.ratings[other].elo
    seat = 0.0 if isnan(ratings.seat.elo) else ratings.seat.elo
    return 1 / (1 + exp(-(ahead + seat) / ELO))
