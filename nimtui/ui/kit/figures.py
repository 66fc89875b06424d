"""Figures in words: shares, rates, differences in Elo, how many games."""

from __future__ import annotations

import math


def tenths(value: float) -> str:
    """'84.0'; '100' and '0' only where that is exactly so."""
    if value in (0.0, 1.0):
        return f"{100 * value:.0f}"
    return f"{min(99.9, max(0.1, 100 * value)):.1f}"


def rate(value: float) -> str:
    """A rate of mistakes: '0.4 %', '0 %' only where there was none, '<0.1 %' for the fewest."""
    if value == 0.0:
        return "0 %"
    return "<0.1 %" if value < 0.001 else f"{100 * value:.1f} %"


def signed(value: float) -> str:
    """'+412', '−8', '0', '∞', '−∞'."""
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    whole = round(value)
    return "0" if whole == 0 else f"{'+' if whole > 0 else '−'}{abs(whole)}"


def games_text(number: int) -> str:
    """'1 game', '2,000 games'."""
    return "1 game" if number == 1 else f"{number:,} games"
