"""Every line of the Tournament screen about results is true: random crosstables, each fact counted from the games."""

from __future__ import annotations

import re

import pytest
from hypothesis import HealthCheck, given, settings

from nimtui.ui.tournament import crosstable, view
from nimtui.ui.tournament.crosstable import Share
from tests.arena import facts
from tests.arena.crosstables import Field, fields
from tests.arena.facts import COUNT, Checks, check, likelihood_is, whole
from tests.examples import examples


def pairings(field: Field, row: int, column: int) -> list[int]:
    return [at for at, (_, one, two) in enumerate(field.plan.pairings) if {one, two} == {row, column}]


def few(field: Field, row: int, column: int) -> bool:
    """Return whether the games of two agents are too few to say who is stronger; not if all were drawn."""
    below = above = 0
    for place in pairings(field, row, column):
        low, high = field.sides(place)
        first = field.plan.pairings[place][1] == row
        below, above = (below + low, above + high) if first else (below + high, above + low)
    los, counts = facts.superiority(field, row, column), field.between(row, column)
    return min(below, above) < 10 and los is not None and 0.025 < los < 0.975 and counts.drawn < counts.games


def cell_forms(field: Field, row: int, column: int) -> Checks:
    names = field.names
    both = field.between(row, column) if row != column else field.cell(row, row)
    opened, answered = field.cell(row, column), field.cell(column, row).turned
    own = facts.only(field, row, column)

    def agents(match: re.Match[str]) -> None:
        assert match[1] == names[row] and (match[2] == names[column] if row != column else match[2] == "itself")

    def nothing(match: re.Match[str]) -> None:
        assert both.games == 0 and pairings(field, row, column)

    def never(match: re.Match[str]) -> None:
        assert not pairings(field, row, column)
        if match[0].startswith("no games"):
            assert match[1] == names[0] and all(one == 0 for _, one, _ in field.plan.pairings)

    def itself(match: re.Match[str]) -> None:
        assert (whole(match[1]), whole(match[2])) == (both.won, both.games) and row == column
        assert whole(match[3] or "0") == both.drawn

    def total(match: re.Match[str]) -> None:
        counts = [whole(match[at]) for at in (1, 2, 3, 4) if match[at]]
        wanted = [both.won, both.drawn, both.lost, both.games] if match[2] else [both.won, both.games]
        assert counts == wanted and (match[2] is not None) == (both.drawn > 0)
        seats = [seat for seat, part in (("first", opened), ("second", answered)) if part.games]
        assert match[5] == (f", moving {seats[0]}" if len(seats) == 1 else None)

    def by_seat(match: re.Match[str]) -> None:
        counts = [whole(text) for text in match.groups()]
        assert both.drawn == 0 and counts == [opened.won, opened.games, answered.won, answered.games]

    def by_seat_drawn(match: re.Match[str]) -> None:
        counts = [whole(text) for text in match.groups()]
        seats = (opened, answered)
        assert both.drawn and counts == [n for part in seats for n in (part.won, part.drawn, part.lost)]

    def superior(match: re.Match[str]) -> None:
        los = facts.superiority(field, row, column)
        assert los is not None
        likelihood_is(match[1], los)
        assert bool(match[2]) == few(field, row, column)

    return [
        (r"(.+) against (.+)", agents),
        (r"no finished game yet", nothing),
        (r"played only with ordered pairs", never),
        (r"no games: in a gauntlet only (.+) plays the others", never),
        (rf"the first player won ({COUNT}) of ({COUNT})(?:, ({COUNT}) draws?)?", itself),
        (rf"won ({COUNT})(?:, drew ({COUNT}), lost ({COUNT}))? of ({COUNT})(, moving (?:first|second))?", total),
        (rf"({COUNT}) of ({COUNT}) moving first, ({COUNT}) of ({COUNT}) moving second", by_seat),
        (
            rf"moving first ({COUNT}), ({COUNT}), ({COUNT}); moving second ({COUNT}), ({COUNT}), ({COUNT})",
            by_seat_drawn,
        ),
        (r"LOS (.+ %) by these games(; too few games to say)?", superior),
        (r"These games say nothing about strength\.", lambda match: facts.same(facts.silent(own), True)),
    ]


@settings(max_examples=examples(16), deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(fields())
def test_every_line_about_a_cell_is_true(field: Field) -> None:
    standings = field.view.standings
    agents = range(len(field.names))
    for row in agents:
        for column in agents:
            lines = view.of_cell(standings, field.names, row, column)
            check(lines, cell_forms(field, row, column))
            counts = field.between(row, column)
            silent = row == column or facts.silent(facts.only(field, row, column))
            assert any("LOS" in line for line in lines) == (counts.games > 0 and not silent)
            check_shares(field, row, column)
    [seat] = view.of_standings(standings, field.names, running=True) or [""]
    check([seat] if seat else [], facts.seat_forms(field, standings.seat))
    counts = field.first_movers
    assert (" won " in seat) == (counts.games > 0 and counts.games in (counts.won, counts.lost))
    mistakes = view.of_mistakes(standings, field.names, list(agents))
    for at, name in enumerate(field.names):
        known = re.search(rf"(?:mistakes: |, ){re.escape(name)} (<?[\d.]+) %", mistakes)
        lost, games = field.of_agents[at].lost, field.of_agents[at].games  # each loss has one mistake in 4 moves
        assert bool(known) == (games > 0)
        if known:
            assert float(known[1].lstrip("<")) == pytest.approx(
                25 * lost / games, abs=0.0501 + 0.05 * ("<" in known[1])
            )


def check_shares(field: Field, row: int, column: int) -> None:
    """Check what the crosstable's cell shows."""
    both = field.between(row, column) if row != column else field.cell(row, row)
    for share, counts in ((Share.BOTH, both), (Share.FIRST, field.cell(row, column))):
        found = crosstable.share(field.view.standings, row, column, share)
        assert found == (counts.points / counts.games if counts.games else None)
    los = None if row == column else facts.superiority(field, row, column)
    found = crosstable.share(field.view.standings, row, column, Share.STRONGER)
    assert found == (None if los is None else pytest.approx(los, abs=1e-6))
