"""The sequential probability ratio test: a pairing ends once its question is answered.

An outcome is one game (0, 1/2, 1), or one pair of games with the same opening and swapped seats (0, 1/4, 1/2, 3/4, 1).
Each outcome has an unknown probability; a hypothesis fixes only their mean s, or with normalised Elo their (s − 1/2) /
σ. The generalised ratio compares the most likely probabilities under both hypotheses. Let pᵢ be the shares of the
outcomes aᵢ among n. The most likely probabilities with mean s are pᵢ / (1 + θ (aᵢ − s)), see below. So

LLR = n Σ pᵢ [ln(1 + θ₀ (aᵢ − s₀)) − ln(1 + θ₁ (aᵢ − s₁))].

(M. Van den Bergh, "Comments on normalized Elo", and "A practical introduction to the GSPRT", cantate.be/Fishtest.)
Fishtest and fastchess do this. For many games it nears n (s₁ − s₀) (2 s − s₀ − s₁) / (2 σ²), with s and σ² the observed
mean and variance. The likelihood on the normalised scale does the same.

Pairs are used because their two games are not independent. An opening that is won for one seat gives each side a point,
which scatters far less than two independent games. With pairs the test ends sooner, and its error rates are right.

An unseen outcome counts as 0.001 of one, as in Fishtest and fastchess, so that no hypothesis is impossible. If all
games were won, the ratio is then that of the two expected scores, once per outcome, as in Wald's own test of a share.
With elo0=0,elo1=50 it decides after 23 won pairs, or 20 drawn ones. The parabola above would divide by a variance of 0.

The variance of a few outcomes is a guess, and for elo0 and elo1 far apart very few outcomes reach a bound. So the test
gives no verdict before `LEAST_PAIRS` pairs.

**Empirical likelihood**: the most likely probabilities of outcomes under one linear condition, for many rows of
outcomes at once; and under a normalised Elo difference, which is not linear.

Let pᵢ be the shares of the outcomes, and let a condition say that Σ qᵢ dᵢ = 0 for their true probabilities qᵢ. The
most likely probabilities that meet it are qᵢ = pᵢ / (1 + θ dᵢ), where θ solves Σ pᵢ dᵢ / (1 + θ dᵢ) = 0. (A. B. Owen,
"Empirical likelihood ratio confidence intervals for a single functional", Biometrika 75, 1988.)

**Normalised Elo.** Let s be the expected score of a game and σ the standard deviation of its points. The signal-to-
noise ratio of a game is t = (s − 1/2) / σ, and the normalised Elo difference is 800 / ln 10 · t ≈ 347.4 t. The games
needed to show a difference depend on t alone, whatever the share of draws. For equal agents without draws σ is 1/2, and
near 0 one normalised Elo is one logistic Elo: 400 log10(s / (1 − s)) ≈ (400 / ln 10) · 4 (s − 1/2) = (800 / ln 10) · (s
− 1/2) / (1/2).

With pairs, an outcome is the mean of two games. If these were independent, its deviation would be σ / √2. So σ is √2
times the deviation of a pair's mean, and the ratio of a pair is √2 times the t of a game.

A condition on t is not linear in the probabilities q of the outcomes aᵢ: F(q) = μ(q) − 1/2 − t σ(q) = 0. Its tangent
at q is Σ q'ᵢ dᵢ = 0, with dᵢ = aᵢ − 1/2 − t σ (1 + ((aᵢ − μ) / σ)²) / 2: up to a constant, the derivative of σ by qᵢ is
(aᵢ − μ)² / 2σ, and Σ qᵢ dᵢ = F(q). The most likely probabilities on the tangent are the next q, until q stays. For
t ≥ 0, σ is concave and so F is convex: every q' on a tangent has F ≥ 0, so the next tangent has outcomes on both of its
sides. The first q needs F ≥ 0 as well. t < 0 is the same with the two agents swapped.

(M. Van den Bergh, "Normalized Elo" and "Comments on normalized Elo", cantate.be/Fishtest. Fishtest and fastchess use
this definition and these tangents.)
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log, sqrt
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from nimtui.errors import InputError, decimal, options_of, shortened, unknown
from nimtui.foreign.values import exact

Floats: TypeAlias = npt.NDArray[np.float64]

STEPS = 60  # Newton's method takes 2 to 6, halving the rest
INSIDE = 1 - 1e-14  # of the ends of θ, so that rounding never reaches them
NEAR = 1e-8  # of the sum of the probabilities to 1
NORMALISED = "normalised"  # the name of the scale
PER_RATIO = 800 / log(10)  # normalised Elo of t = 1
ROUNDS = 200  # of tangents; 3 to 10 are usual
SETTLED = 1e-6  # of the probabilities; the cost changes with its square, because tangents touch
HALVINGS = 50


def tilt(shares: Floats, deviations: Floats) -> Floats:
    """Return θ for each row. Both arrays are [outcomes, rows]; each row has deviations below and above 0.

    The slope falls from ∞ to −∞ between the two ends of θ. So Newton's steps stay between the values known to be too
    low and too high. The probabilities sum to 1 − θ times the slope. A row ends by itself, whatever the other rows are.
    """
    low, high = -INSIDE / deviations.max(0), -INSIDE / deviations.min(0)
    unit = np.minimum(-low, high)  # of θ
    theta: Floats = (shares * deviations).sum(0) / (shares * deviations**2).sum(0)
    theta = np.where((theta > low) & (theta < high), theta, (low + high) / 2)
    for _ in range(STEPS):
        parts = deviations / (1 + theta * deviations)
        slope = (shares * parts).sum(0)
        moving = (np.abs(theta) + unit) * np.abs(slope) > NEAR
        if not moving.any():
            break
        low, high = np.where(slope > 0, theta, low), np.where(slope > 0, high, theta)
        there = theta + slope / (shares * parts**2).sum(0)
        there = np.where((there > low) & (there < high), there, (low + high) / 2)
        theta = np.where(moving, there, theta)
    return theta


def likeliest(shares: Floats, deviations: Floats, theta: Floats) -> Floats:
    """Return the most likely probabilities q."""
    likely: Floats = shares / (1 + theta * deviations)
    likely /= likely.sum(0)
    return likely


def cost(shares: Floats, deviations: Floats, theta: Floats) -> Floats:
    """Return Σ pᵢ ln(1 + θ dᵢ) for each row: the loss of log-likelihood per outcome by the condition."""
    loss: Floats = (shares * np.log1p(theta * deviations)).sum(0)
    return loss


# Normalised Elo.


def normalised_cost(shares: Floats, outcomes: Floats, elo: float) -> Floats:
    """Return the loss of log-likelihood per outcome if the difference is `elo`. `shares` is [outcomes, rows]."""
    t = elo / PER_RATIO * (sqrt(2) if len(outcomes) == 5 else 1.0)  # of a pair of games, or of a game
    if t < 0:
        shares, t = shares[::-1], -t  # the outcomes are symmetric about 1/2
    level = np.broadcast_to((outcomes - 0.5)[:, None], shares.shape)
    costs = cost(shares, level, theta := tilt(shares, level))
    if t == 0:
        return costs
    likely = _first(likeliest(shares, level, theta), outcomes, t)
    there = np.arange(shares.shape[1])  # rows that are not finished
    for _ in range(ROUNDS):
        deviations = _tangent(likely, outcomes, t)
        own = shares[:, there]
        theta = tilt(own, deviations)
        following = likeliest(own, deviations, theta)
        costs[there] = cost(own, deviations, theta)
        moving = np.abs(following - likely).max(0) > SETTLED
        there, likely = there[moving], following[:, moving]
        if not len(there):
            break
    return costs


def _moments(likely: Floats, outcomes: Floats) -> tuple[Floats, Floats]:
    """Return the mean and the standard deviation of each row."""
    mean = outcomes @ likely
    return mean, np.sqrt((likely * (outcomes[:, None] - mean) ** 2).sum(0))


def _tangent(likely: Floats, outcomes: Floats, t: float) -> Floats:
    mean, deviation = _moments(likely, outcomes)
    from_mean = (outcomes[:, None] - mean) / deviation
    return outcomes[:, None] - 0.5 - t * deviation * (1 + from_mean**2) / 2


def _first(level: Floats, outcomes: Floats, t: float) -> Floats:
    """Return probabilities of this ratio t: those of mean 1/2, mixed with as much of the best outcome as needed."""
    best = np.eye(len(outcomes))[:, -1:]
    low, high = np.zeros(level.shape[1]), np.ones(level.shape[1])
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        mean, deviation = _moments((1 - middle) * level + middle * best, outcomes)
        short = mean - 0.5 < t * deviation
        low, high = np.where(short, middle, low), np.where(short, high, middle)
    return (1 - high) * level + high * best


Results: TypeAlias = npt.NDArray[np.int8]  # −1, 0, 1 for the first agent, in the games' order; −2: not played

MOST_ELO = 1000  # a score of 99.7 %
LEAST_PAIRS = 10  # before any verdict
LEAST_GAMES = 2 * LEAST_PAIRS
LOGISTIC = "logistic"
SCALES = {
    LOGISTIC: "400 log10(s / (1 − s)) for a score s: depends on the points alone",
    NORMALISED: "347.4 (s − 1/2) / σ for a score s of deviation σ per game: draws make it larger",
}
SPELLINGS = {"normalized": NORMALISED}
USUAL = {"elo0": 0.0, "elo1": 50.0, "alpha": 0.05, "beta": 0.05}
SCALE = "scale"

UNSEEN = 1e-3
AT_ONCE = 16_384  # rows of outcomes per round, which stay in the cache
FIRST = 128  # rows of the first round, doubled in every round: most tests end early


@dataclass(frozen=True, slots=True)
class Sprt:
    """A test of H0: the first agent of a pairing is `elo0` stronger than the second; H1: it is `elo1` stronger.

    Accepting H1 rejects every difference up to `elo0`, with error rate `alpha`. Accepting H0 rejects every difference
    from `elo1` on, with error rate `beta`. Neither shows the difference that the accepted hypothesis names.

    Logistic Elo is 400 log10(s / (1 − s)) of the expected score s, with 1/2 for a draw, as in fastchess, cutechess and
    Fishtest. Normalised Elo: see above.
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
        """Return the log-likelihood ratio of H1 to H0 after these results; 0 without games.

        `paired`: games 2k and 2k + 1 had the same opening and swapped seats, and count as one outcome. A last game
        without its partner does not count. A missing game ends the row.
        """
        counts = _counts(results, paired)
        return float(self.ratios(counts[-1:])[0]) if len(counts) else 0.0

    def decide(self, results: Results, paired: bool, after: int = 0) -> tuple[int | None, float, str]:
        """Return the number of games that decide it, their log-likelihood ratio, and 'H0' or 'H1'; else (None, ratio
        now, '').

        It is the shortest row of at least LEAST_GAMES games, in whole pairs if `paired`, whose ratio is at a bound or
        beyond. So it does not depend on who played which game when, or how many games are played beyond it. The first
        `after` games are known not to decide it, which saves time.
        """
        counts = _counts(results, paired)
        each = 2 if paired else 1
        decided = min(after // each, len(counts))
        (lower, upper), now = self.bounds, 0.0
        last = max(0, decided - 1)  # the last of these rows is computed again, so that there is a ratio
        while last < len(counts):
            first, last = last, min(max(2 * last, FIRST), last + AT_ONCE, len(counts))
            ratios = self.ratios(counts[first:last])
            beyond = np.flatnonzero((ratios <= lower) | (ratios >= upper))
            beyond = beyond[beyond >= LEAST_GAMES // each - 1 - first]
            if len(beyond):
                place = int(beyond[0])
                return (first + place + 1) * each, float(ratios[place]), "H0" if ratios[place] < 0 else "H1"
            now = float(ratios[-1])
        return None, now, ""

    def ratios(self, counts: npt.NDArray[np.int64]) -> Floats:
        """Return the ratio for each row of counts: [rows, kinds of outcome], three of games or five of pairs."""
        weights = np.maximum(counts.T, UNSEEN)
        number = weights.sum(0)
        shares = weights / number
        outcomes = np.linspace(0, 1, len(weights))
        cost_of = normalised_cost if self.scale == NORMALISED else _logistic_cost
        ratios: Floats = number * (cost_of(shares, outcomes, self.elo0) - cost_of(shares, outcomes, self.elo1))
        return ratios


def _counts(results: Results, paired: bool) -> npt.NDArray[np.int64]:
    """Return [outcomes, kinds]: how often each kind was seen up to each outcome."""
    missing = np.flatnonzero(results < -1)
    played = results[: missing[0]] if len(missing) else results
    if paired:
        played = played[: len(played) // 2 * 2]
        played = played[::2] + played[1::2]
    kinds = np.arange(5) - 2 if paired else np.arange(3) - 1
    return np.cumsum(played[:, None] == kinds, axis=0, dtype=np.int64)


def _logistic_cost(shares: Floats, outcomes: Floats, elo: float) -> Floats:
    """Return the loss of log-likelihood per outcome if the expected score is that of `elo`."""
    score = 1 / (1 + 10 ** (-elo / 400))
    from_score = np.broadcast_to((outcomes - score)[:, None], shares.shape)
    return cost(shares, from_score, tilt(shares, from_score))


def parse_sprt(text: str) -> Sprt:
    """Return the test of this name: 'elo0=0,elo1=50', with alpha=…, beta=… [default: 0.05] and scale=normalised
    [default: logistic]. InputError if it is invalid.
    """
    options = options_of(text, "parameter", "a sequential test", (*USUAL, SCALE), valued=False)
    scale = options.pop(SCALE, LOGISTIC).lower()
    scale = SPELLINGS.get(scale, scale)
    if scale not in SCALES:
        raise unknown("scale of a sequential test", scale, SCALES)
    values = USUAL | {key: _number(key, value) for key, value in options.items()}
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
    if not (0 < value < 0.5 if chance else abs(value) <= MOST_ELO):  # nan, too
        raise InputError(f"{key} must be {right}, not {shortened(text)}")
    return value
