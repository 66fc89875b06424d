"""Every line of the reports of matches and tournaments is true: random results, each fact counted from the games."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings

from nimtui.arena.play.match import MatchResult, Sums
from nimtui.arena.play.plan import ONE_SIDED, ROUND_ROBIN, Plan, parse_openings, plan
from nimtui.arena.standings import match_report
from nimtui.games import parse_game
from nimtui.jobs.tournament_report import notes
from tests.arena import facts
from tests.arena.crosstables import Field, batch, fields
from tests.arena.facts import COUNT, Checks, check, likelihood_is, share_is, whole

RANDOM = settings(max_examples=100, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))


def said(match: re.Match[str]) -> None:
    """Check nothing: the sentence explains a column."""


def tournament_forms(field: Field) -> Checks:
    ratings = field.view.standings.ratings
    drawn = any(counts.drawn for counts in field.cells.values())
    faults = sum(map(len, field.faults))

    def mean(match: re.Match[str]) -> None:
        counts = field.of_agents
        some = [at for at in field.group if counts[at].games not in (counts[at].won, counts[at].lost)]
        counted = some if match[1] else field.group
        assert bool(match[1]) == (0 < len(some) < len(field.group))
        assert sum(ratings.ratings[at].elo for at in counted) == pytest.approx(0, abs=1e-3)

    def lost(match: re.Match[str]) -> None:
        assert whole(match[1]) == faults and (match[1] == "1") == (match[2] == "game")

    def equal(match: re.Match[str]) -> None:
        assert whole(match[1]) == faults > 1

    def fault(match: re.Match[str]) -> None:
        names = field.plan.agents
        assert faults == 1
        for place, (game, one, other) in enumerate(field.plan.pairings):
            where = f"{field.plan.games[game]}, " if len(field.plan.games) > 1 else ""
            head = f"{where}{names[one]} – {names[other]}"
            if match[1] == head and whole(match[2]) - 1 in field.faults[place]:
                return
        raise AssertionError(match[0])

    return [
        *facts.rating_forms(field, ratings),
        (
            r"Elo: above the mean of the agents( that neither won nor lost all games)?\. The difference of two ratings"
            r" predicts what they score\.",
            mean,
        ),
        (
            r"LOS: probability that an agent is stronger than the next one\. It counts all games, not only those"
            r" between the two\.",
            said,
        ),
        (
            r"Crosstable: the row moves first\. Wins of the first–wins of the second( =draws)?\.",
            lambda match: facts.same(bool(match[1]), drawn),
        ),
        (
            r"Mistakes: moves that worsened the outcome, of all positions not lost"
            r"(, in the first 40 games of a pairing)?\.",
            said,
        ),
        (rf"({COUNT}) (games?) ended by a fault of an agent:", lost),
        (rf"ended by a fault in ({COUNT}) games: it fell asleep", equal),
        (rf"(.+), game ({COUNT}): it fell asleep", fault),
    ]


@pytest.mark.slow
@RANDOM
@given(fields())
def test_every_line_of_a_tournament_is_true(field: Field) -> None:
    lines = list(notes(field.view))
    check(lines, tournament_forms(field))
    faults = sum(map(len, field.faults))
    assert any("by a fault" in line for line in lines) == (faults > 0)
    assert sum("fell asleep" in line for line in lines) == min(1, faults)


# A match.


def played(field: Field) -> MatchResult:
    """Return the first pairing as a match."""
    _, one, other = field.plan.pairings[0]
    games, sums = batch(field.plan, field.results[0], field.faults[0]), Sums()
    sums.add(games)
    names = field.plan.agents[one], field.plan.agents[other]
    openings = parse_openings(field.plan.openings.name)
    return MatchResult(parse_game(field.plan.games[0]), names, games, sums, 1.0, field.plan.alternate, openings)


def open_question(field: Field) -> bool:
    """Return whether an interval of the first pairing has both agents as the stronger one."""
    los = facts.superiority(field, 0, 1)
    return los is not None and 0.025 < los < 0.975


def pair_forms(field: Field, result: MatchResult) -> Checks:
    one, other = result.agents

    def superior(match: re.Match[str]) -> None:
        assert (match[1], match[2]) == (one, other)
        likelihood_is(match[3], facts.superiority(field, 0, 1) or 0.0)

    def few(match: re.Match[str]) -> None:
        assert min(field.sides(0)) < 10 and open_question(field)

    def drawn(match: re.Match[str]) -> None:
        counts = field.between(0, 1)
        assert counts.drawn == counts.games == (1 if match[1] is None else whole(match[1])) and match[1] != "1"

    def first(match: re.Match[str]) -> None:
        assert match[1] == one and {mover for mover, *_ in field.games(0)} == {0}

    return [
        (r"LOS \(the probability that (.+) is stronger than (.+)\): (.+ %|[<>].+ %)\.", superior),
        (r"Elo ahead: the difference of the two agents\. A tournament .* here half of it\.", said),
        (r"Too few games to say: fewer than 10 pairs above or below the mean score\.", few),
        (rf"(?:All ({COUNT}) games were|The game was) drawn\.", drawn),
        *facts.seat_forms(field, result.head_to_head.seat),
        (r"(.+) moved first in every game: --alternate swaps seats\.", first),
    ]


@pytest.mark.slow
@RANDOM
@given(fields())
def test_every_line_of_a_match_is_true(field: Field) -> None:
    assume(len(field.plan.agents) > 1 and field.plan.pairings[0].second == 1)
    row = field.results[0]
    row = np.r_[row[row > -2], row[row == -2]]  # a stopped match has its first games
    one = Field(_pairing(field), (row,), field.faults[:1])
    result = played(one)
    lines = list(match_report.notes(result))
    check(lines, pair_forms(one, result))
    counts = one.between(0, 1)
    assert bool(lines) == (counts.games > 0)
    thin = counts.games > 0 and min(one.sides(0)) < 10 and open_question(one)
    assert any("Too few" in line or "drawn" in line for line in lines) == thin
    assert any("LOS" in line for line in lines) == (not facts.silent(one)) == (result.head_to_head.los is not None)
    table = match_report.agents(result)
    for agent, own in zip(table.rows, (counts, counts.turned), strict=True):
        cells = [column.value(agent).text for column in table.columns if column.head is not None]
        assert cells[1:4] == [f"{own.won:,}", f"{own.lost:,}", f"{own.drawn:,}"]
        if own.games:
            share_is(cells[4], own.points / own.games)
            low, high = map(float, cells[5].split("–"))
            assert 0 <= low <= round(100 * own.points / own.games, 1) + 1e-9 and high <= 100
            assert cells[7].startswith("at least") == (own.won == own.games and not facts.silent(one))
            assert cells[7].startswith("at most") == (own.lost == own.games and not facts.silent(one))
            assert (cells[6] == "–") == facts.silent(one)
    seats = one.first_movers
    assert (result.first_wins, result.second_wins, result.draws) == (seats.won, seats.lost, seats.drawn)


def _pairing(field: Field) -> Plan:
    """Return the plan of the first pairing alone."""
    pairs = ROUND_ROBIN if field.plan.alternate else ONE_SIDED
    return plan(field.plan.games[:1], field.plan.agents[:2], pairs, field.plan.number, field.plan.openings.name)
