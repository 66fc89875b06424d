"""The sequential probability ratio test: a pairing ends once its question is answered."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite, log
from typing import TYPE_CHECKING

from nimtui.arena.limits import exact
from nimtui.errors import InputError, decimal, options_of, shortened, unknown

if TYPE_CHECKING:
    from nimtui.arena.likelihood_ratio import Results

MOST_ELO = 1000  # a score of 99.7 %
LEAST_PAIRS = 10  # before any verdict
LEAST_GAMES = 2 * LEAST_PAIRS
LOGISTIC, NORMALISED = "logistic", "normalised"
SCALES = {
    LOGISTIC: "400 log10(s / (1 − s)) for a score s: depends on the points alone",
    NORMALISED: "347.4 (s − 1/2) / σ for a score s of deviation σ per game: draws make it larger",
}
SPELLINGS = {"normalized": NORMALISED}
USUAL = {"elo0": 0.0, "elo1": 50.0, "alpha": 0.05, "beta": 0.05}
SCALE = "scale"


@dataclass(frozen=True, slots=True)
class Sprt:
    """A test of H0: the first agent of a pairing is `elo0` stronger than the second; H1: it is `elo1` stronger.

    Accepting H1 rejects every difference up to `elo0`, with error rate `alpha`. Accepting H0 rejects every difference
    from `elo1` on, with error rate `beta`. Neither shows the difference that the accepted hypothesis names.

    Logistic Elo is 400 log10(s / (1 − s)) of the expected score s, with 1/2 for a draw, as in fastchess, cutechess and
    Fishtest. Normalised Elo: see `normalised_elo`.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05  # the probability of accepting H1 if H0 is true
    beta: float = 0.05  # the probability of accepting H0 if H1 is true
    scale: str = LOGISTIC

    @property
    def name(self) -> str:
        """Return text that parses to an equal test. Without a scale it is logistic, as in tournaments saved so far."""
        numbers = ",".join(f"{key}={exact(getattr(self, key))}" for key in USUAL)
        return numbers if self.scale == LOGISTIC else f"{numbers},{SCALE}={self.scale}"

    @property
    def bounds(self) -> tuple[float, float]:
        """Return the log-likelihood ratios at which H0 and H1 are accepted: ln(β/(1 − α)), ln((1 − β)/α).

        A. Wald, "Sequential tests of statistical hypotheses", Annals of Mathematical Statistics 16, 1945: the errors
        are then about α and β, their sum never above α + β.
        """
        return log(self.beta / (1 - self.alpha)), log((1 - self.beta) / self.alpha)

    def llr(self, results: Results, paired: bool) -> float:
        """Return the log-likelihood ratio of H1 to H0 after these results: −1, 0, 1 for the first agent, in order.

        `paired`: games 2k and 2k + 1 had the same opening and swapped seats, and count as one outcome. A last game
        without its partner does not count. A missing game, −2, ends the row.
        """
        from nimtui.arena.likelihood_ratio import ratio

        return ratio(results, paired, self)

    def decide(self, results: Results, paired: bool, after: int = 0) -> tuple[int | None, float, str]:
        """Return the number of games that decide it, their log-likelihood ratio, and 'H0' or 'H1'; else (None, ratio
        now, '').

        It is the shortest row of at least LEAST_GAMES games, in whole pairs if `paired`, whose ratio is at a bound or
        beyond. So it does not depend on who played which game when, or how many games are played beyond it. The first
        `after` games are known not to decide it, which saves time.
        """
        from nimtui.arena.likelihood_ratio import first_beyond

        return first_beyond(results, paired, self, LEAST_GAMES, after)


def parse_sprt(text: str) -> Sprt:
    """Return the test of this name: 'elo0=0,elo1=50', with alpha=…, beta=… [default: 0.05] and scale=normalised
    [default: logistic]. InputError if it is invalid.
    """
    given = options_of(text, "parameter", "a sequential test", (*USUAL, SCALE), valued=False)
    scale = given.pop(SCALE, LOGISTIC).lower()
    scale = SPELLINGS.get(scale, scale)
    if scale not in SCALES:
        raise unknown("scale of a sequential test", scale, SCALES)
    values = USUAL | {key: _number(key, value) for key, value in given.items()}
    if values["elo0"] >= values["elo1"]:
        both = f"{exact(values['elo0'])} and {exact(values['elo1'])}"
        raise InputError(f"elo0 must be less than elo1, e.g. elo0=0,elo1=50, not {both}")
    return Sprt(**values, scale=scale)


def _number(key: str, text: str) -> float:
    chance = key in ("alpha", "beta")
    right = "between 0 and 0.5, e.g. 0.05" if chance else f"from {-MOST_ELO:,} to {MOST_ELO:,}"
    try:
        value = decimal(text)
    except ValueError:
        raise InputError(f"{key} must be a number {right}, not '{shortened(text)}'") from None
    if not isfinite(value) or not (0 < value < 0.5 if chance else abs(value) <= MOST_ELO):
        raise InputError(f"{key} must be {right}, not {shortened(text)}")
    return value
