"""Every line of the Tournament screen about results is true: random crosstables, each fact counted from the games."""

from __future__ import annotations

import re
from math import floor
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from nimtui.jobs.work import State
from nimtui.report.lines import plain_text
from nimtui.ui.kit.terminal.glyphs import UNICODE
from nimtui.ui.tournament import crosstable, pairing_view, view
from nimtui.ui.tournament.crosstable import Place, Share, Table
from nimtui.ui.tournament.pairing_view import Listing
from tests.arena import facts
from tests.arena.crosstables import Field, Tally, fields
from tests.arena.facts import COUNT, Checks, check, likelihood_is, whole
from tests.examples import examples

RANDOM = settings(max_examples=examples(16), deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))


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


@pytest.mark.slow
@RANDOM
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
    check_shares(field)
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


def check_shares(field: Field) -> None:
    """Check the crosstable's cells, as they are drawn."""
    both, first, stronger = (drawn(field, share) for share in (Share.BOTH, Share.FIRST, Share.STRONGER))
    for row, column in both:
        opened = field.cell(row, column)
        assert both[row, column] == shown(field.between(row, column) if row != column else opened)
        assert first[row, column] == shown(opened)
        found = crosstable.share(field.view.standings, row, column, Share.STRONGER)
        los = None if row == column else facts.superiority(field, row, column)
        assert found == (None if los is None else pytest.approx(los, abs=1e-6))
        assert stronger[row, column] == ("" if found is None else nearest(found))


def shown(counts: Tally) -> str:
    if not counts.games:
        return ""
    if counts.points in (0, counts.games):
        return "100" if counts.points else "0"
    return nearest(counts.points / counts.games)


def nearest(share: float) -> str:
    """The whole per cent of a share that is neither 0 nor 1, halves up."""
    return "<1" if share < 0.005 else ">99" if share >= 0.995 else str(floor(round(100 * share, 9) + 0.5))


def drawn(field: Field, share: Share) -> dict[tuple[int, int], str]:
    """Return what stands in each cell of the crosstable; '' for a dot."""
    table = Table.of(field.view.standings, Place(share=share))
    lines = [plain_text(line) for line in crosstable.paint(table, 160, 20, UNICODE)]
    _, laid = crosstable.shape(table, 160, 20, UNICODE)
    cells, left = dict[tuple[int, int], str](), 0
    for each in laid.blocks[0]:
        if each.column.key.isdecimal():
            for place, row in enumerate(table.order, 1):
                text = lines[place][left : left + each.width].strip()
                cells[row, int(each.column.key)] = "" if text == "·" else text
        left += each.width + laid.gap
    assert len(cells) == len(field.names) ** 2
    return cells


@RANDOM
@given(fields())
def test_every_line_about_a_pairing_is_true(field: Field) -> None:
    for place in range(len(field.plan.pairings)):
        for side in (0, 1):
            listing = Listing(place, side)
            course = pairing_view.course(field.plan, (field.ledgers[place].results(), side))
            paint = pairing_view.results(field.plan, listing, field.scores[place])
            text = [plain_text(line) for line in paint(200, 40, UNICODE)]
            check(text, pairing_forms(field, place, side))
            if course.shares:
                counts = of_side(field, place, side)["in all"]
                assert course.shares[-1] == (counts.games, counts.points / counts.games)
    assert view.played(field.plan).startswith(("gauntlet of ",)) == (field.plan.pairs == "gauntlet")


@RANDOM
@given(fields())
def test_the_panel_counts_all_faults(field: Field) -> None:
    """Those of self-play, too: they are listed."""
    conductor: Any = SimpleNamespace(view=field.view, remarks=(), programs=(), state=State.FINISHED)
    paint = view.meaning(conductor, field.view.standings, Place((0, len(field.names) - 1)))
    text = [plain_text(line) for line in paint(200, 80, UNICODE)]
    faults = sum(map(len, field.faults))
    said = [line for line in text if "by a fault" in line]
    games = "1 game" if faults == 1 else f"{faults:,} games"
    equal = [f"ended by a fault in {faults:,} games: it fell asleep"] if faults > 1 else []
    assert said == ([f"{games} ended by a fault:", *equal] if faults else [])
    assert sum("fell asleep" in line for line in text) == min(1, faults)


def of_side(field: Field, place: int, side: int) -> dict[str, Tally]:
    """Return a pairing's results as one side's: moving first, second, in all."""
    seats = [[0, 0, 0], [0, 0, 0]]  # won, drawn, lost
    for number, result in enumerate(field.results[place].tolist()):
        if result > -2:
            seats[field.plan.opener(number) != side][1 - result if side == 0 else 1 + result] += 1
    first, second = (Tally(*counts) for counts in seats)
    return {"moving first": first, "moving second": second, "in all": first + second}


def pairing_forms(field: Field, place: int, side: int) -> Checks:
    counts = of_side(field, place, side)
    pairs = [points if side == 0 else 2 - points for points in field.pairs(place)]
    row = counts["in all"]

    def results(match: re.Match[str]) -> None:
        own = counts[match[1]]
        assert [whole(match[at]) for at in (2, 3, 4)] == [own.won, own.drawn, own.lost]
        if own.games:
            facts.share_is(f"{match[5]} %", own.points / own.games)

    def interval(match: re.Match[str]) -> None:
        share = 100 * row.points / row.games
        low, high = (float(match[at].strip("<>")) for at in (1, 2))
        assert low - 0.11 <= share <= high + 0.11
        _, one, two = field.plan.pairings[place]
        alone = Field(field.plan, tuple(found if at == place else found * 0 - 2 for at, found in
                                        enumerate(field.results)), field.faults)  # fmt: skip
        silent = one == two or facts.silent(alone)
        assert match[3] == (
            " These games say nothing about strength." if silent
            else " Too few games to say." if few(alone, one, two) else None
        )  # fmt: skip

    def rates(match: re.Match[str]) -> None:
        names = pairing_view.names(field.plan, Listing(place, side))
        for at, (name, lost) in enumerate(zip(names, (row.lost, row.won), strict=True)):  # a mistake in each lost game
            text = match[1].split(", ")[at]
            assert text.startswith(f"{name} ") and float(text.removesuffix(" %").split()[-1].strip("<")) == (
                pytest.approx(25 * lost / row.games, abs=0.0501)
            )

    def paired(match: re.Match[str]) -> None:
        assert [whole(text) for text in match[1].split()] == [pairs.count(points / 2) for points in range(5)]
        assert pairs and field.plan.alternate

    return [
        (r" +won +drawn +lost +score", lambda match: None),
        (rf"(moving first|moving second|in all) +({COUNT}) +({COUNT}) +({COUNT})(?: +(?:([\d.]+) %|–))", results),
        (r"95 % interval of the score: ([<>\d.]+)–([<>\d.]+)\.( Too few games to say\.| These games .*)?", interval),
        (r"Mistakes: (.+)\.", rates),
        (rf"Pairs with 0, ½, 1, 1½, 2: ((?:{COUNT} ?)+)\.", paired),
    ]
