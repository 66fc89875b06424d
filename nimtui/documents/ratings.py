"""The keys of ratings, and numbers that JSON can hold."""

from __future__ import annotations

from math import isfinite

from nimtui.arena.ratings import Rating


def finite(value: float) -> float | None:
    """Return the number for a document, or None if it is infinite or NaN, which JSON cannot hold."""
    return value if isfinite(value) else None


def elo_keys(rating: Rating) -> dict[str, float | bool | None]:
    """Return a rating for a document; null: unknown. After winning (losing) every game `at_least` (`at_most`) is a
    bound, and all others have one if the anchor lost (won) all; none if the games say nothing about strength.
    """
    return {
        "elo": finite(rating.elo),
        "elo_low": finite(rating.low),
        "elo_high": finite(rating.high),
        "at_least": None if rating.by_seat else rating.at_least,
        "at_most": None if rating.by_seat else rating.at_most,
        "too_few_games": rating.few,
        "decided_by_seat": rating.by_seat,
    }
