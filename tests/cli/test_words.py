"""Numbers and sentences as the commands say them."""

from __future__ import annotations

from math import nan

import pytest

from nimtui.arena.rating.ratings import Rating, Seat
from nimtui.arena.standings.statements import advantage
from nimtui.cli.output import wrapped


@pytest.mark.parametrize("width", range(30, 80))
def test_an_option_stays_with_its_value(width: int) -> None:
    hint = "nimtui: 2,000 of 3,000 games are left: nimtui tournament --resume 8 goes on, --openings balanced:2 as well"
    lines = wrapped(hint, width)
    assert " ".join(lines) == hint and all(len(line) <= width for line in lines)
    assert any("--resume 8" in line for line in lines) and any("--openings balanced:2" in line for line in lines)


def test_elo_is_said_as_in_the_app() -> None:
    ratings = [Rating(elo, elo - 9, elo + 9) for elo in (-1595.2, 0.3, 1200, nan)]
    assert [rating.value.text for rating in ratings] == ["−1,595", "0", "+1,200", "–"]
    assert Rating(1200, 1161.4, 1238.6).range.text == "±39"
    assert Rating(1200, 1000, 2000, at_least=1000).range.text == "at least +1,000"
    assert Rating(-90, -900, -80, at_most=-80).range.text == "at most −80"
    assert Rating(nan, nan, nan).range.text == Rating(100, 100, 100).range.text == ""
    by_seat = Rating(1200, 1000, 2000, at_least=1000, by_seat=True)
    assert by_seat.value.text == "–" and by_seat.range.text == "", "the seat won, not the agent"


def test_what_moving_first_is_worth() -> None:
    assert advantage(Seat(-526.6, 41.2)) == "Moving second: +527 ± 41 Elo"
    assert advantage(Seat(12, 30)) == "Moving first: +12 ± 30 Elo"
    assert advantage(Seat(0.2, 3)) == "Moving first: 0 ± 3 Elo"
    assert advantage(Seat(nan, nan)) == ""
