"""The sequential probability ratio test: a pairing ends as soon as its question is answered."""

from __future__ import annotations

from dataclasses import dataclass

from nimtui.errors import InputError, unknown


@dataclass(frozen=True, slots=True)
class Sprt:
    """H0: the first agent is `elo0` stronger than the second; H1: it is `elo1` stronger."""

    elo0: float
    elo1: float
    alpha: float = 0.05  # the probability to accept H1 where H0 is true
    beta: float = 0.05  # the probability to accept H0 where H1 is true

    @property
    def name(self) -> str:
        """What parses to an equal test."""
        return f"elo0={self.elo0:g},elo1={self.elo1:g},alpha={self.alpha:g},beta={self.beta:g}"


def parse_sprt(text: str) -> Sprt:
    """The test of this name: 'elo0=0,elo1=50', with alpha=…, beta=… (0.05). InputError for a bad one."""
    values = {"elo0": 0.0, "elo1": 50.0, "alpha": 0.05, "beta": 0.05}
    for part in text.split(",") if text.strip() else ():
        key, _, value = (piece.strip() for piece in part.partition("="))
        if key not in values:
            raise unknown("parameter of a sequential test", key, values)
        try:
            values[key] = float(value)
        except ValueError:
            raise InputError(f"{key} must be a number, not '{value}'") from None
    return Sprt(**values)
