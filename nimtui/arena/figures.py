"""Format the figures of a tournament for the app and the commands: Elo differences, counts, paces."""

from __future__ import annotations

from math import isnan
from typing import TYPE_CHECKING

from nimtui.report.values import UNKNOWN

if TYPE_CHECKING:
    from nimtui.arena.ratings import Rating

MISTAKES = "mistakes: moves that worsened the outcome, of all positions not lost"


def elo(value: float) -> str:
    """Return '+412', '−61', '0', or '–' if unknown."""
    if isnan(value):
        return UNKNOWN
    whole = round(value)
    return "0" if whole == 0 else f"{'+' if whole > 0 else '−'}{abs(whole):,}"


def rated(rating: Rating) -> str:
    """Return a rating: '+412', or '–' if it is unknown or one seat won every game."""
    return UNKNOWN if rating.by_seat else elo(rating.elo)


def elo_interval(rating: Rating) -> str:
    """Return half of the 95 % interval, '±40'; after winning or losing every game its bound, 'at least +412'.

    '' for an unknown rating, for the anchor, and if one seat won every game.
    """
    if rating.by_seat:
        return ""
    if rating.at_least is not None:
        return f"at least {elo(rating.at_least)}"
    if rating.at_most is not None:
        return f"at most {elo(rating.at_most)}"
    return "" if isnan(rating.elo) or rating.low == rating.high else f"±{rating.high - rating.elo:,.0f}"


def advantage(value: float, error: float) -> str:
    """Return what moving first is worth: 'Moving second: +527 ± 41 Elo'; '' if unknown."""
    if isnan(value):
        return ""
    if round(value) == 0:
        return f"Moving first: 0 ± {error:,.0f} Elo"
    return f"Moving {'first' if value > 0 else 'second'}: +{abs(value):,.0f} ± {error:,.0f} Elo"


def points(value: float) -> str:
    """Return '834' or '12.5'."""
    return f"{value:,.0f}" if value == int(value) else f"{value:,.1f}"


def games_text(number: int) -> str:
    """Return '1 game' or '2,000 games'."""
    return "1 game" if number == 1 else f"{number:,} games"


def pace(games: float) -> str:
    """Return games per second: '125/s', '2.5/s'."""
    return f"{games:,.0f}/s" if games >= 10 else f"{games:.1f}/s"
