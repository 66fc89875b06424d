"""The words for a sequential test: its hypotheses, its ratio, its verdict. Every place uses these."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from nimtui.arena.play.entrants import labels
from nimtui.arena.rating.sprt import LEAST_PAIRS, LOGISTIC, Sprt
from nimtui.report.blocks import Column, Table
from nimtui.report.values import Difference, Level, Mean, Named, Typed, Word

if TYPE_CHECKING:
    from nimtui.arena.play.plan import Plan
    from nimtui.arena.standings.standings import PairingScore

WIDTH = 21  # cells of the bar


class LogRatio(Mean):
    """A log-likelihood ratio: '1.23', '−2.94'."""

    SIGNED = False


def sentence(plan: Plan, score: PairingScore) -> str:
    """Return the state of a pairing's sequential test, with a full stop; '' if there is no test.

    'H1 accepted after 67 pairs: A is stronger than B (α 5 %). LLR 2.97 of −2.94 … 2.94.'
    """
    if plan.sprt is None or score.llr is None:
        return ""
    test, names = plan.sprt, labels(plan.agents)
    first, second = names[score.pairing.first], names[score.pairing.second]
    number, ratio = Named(score.pairs, "pair", "pairs"), ratio_text(test, score.llr)
    if score.verdict:
        verdict = conclusion(test, score.verdict, first, second)
        return f"{score.verdict} accepted after {number}: {verdict}. {ratio}."
    needs = f"; a verdict needs {LEAST_PAIRS} pairs" if score.pairs < LEAST_PAIRS else ""
    return f"{first} against {second}: undecided after {number}, {ratio}{needs}."


def unit_of(test: Sprt) -> str:
    """Return 'Elo' for the logistic scale, else 'normalised Elo'."""
    return "Elo" if test.scale == LOGISTIC else f"{test.scale} Elo"


def conclusion(test: Sprt, verdict: str, first: str, second: str) -> str:
    """Return what the verdict shows: 'A is stronger than B (α 5 %)'.

    H1 rejects differences up to elo0, at error rate α; H0 rejects those from elo1 on, at error rate β. The words fit
    the sign of the rejected end, so that no number needs a minus.
    """
    if verdict == "H1":
        elo, rate, weaker, stronger = test.elo0, f"α {Level(test.alpha)}", "less than", "more than"
    else:
        elo, rate, weaker, stronger = test.elo1, f"β {Level(test.beta)}", "more than", "not"
    size = f" {Typed(abs(elo))} {unit_of(test)}"
    if elo < 0:
        return f"{first} is {weaker}{size} weaker than {second} ({rate})"
    start = f"{stronger}{size} " if elo else "" if verdict == "H1" else "not "
    return f"{first} is {start}stronger than {second} ({rate})"


def question(plan: Plan) -> list[str]:
    """Return what is tested, about whom, on which scale, with which errors: lines for a report."""
    assert plan.sprt is not None
    test, (first, second) = plan.sprt, who(plan)
    ends = f"{Difference(test.elo0)} or less (H0), or {Difference(test.elo1)} or more (H1)?"
    errors = f"α {Level(test.alpha)}, β {Level(test.beta)}"
    return [
        f"sequential test: is the {test.scale} Elo of {first} against {second} {ends}",
        f"{errors}; two games with swapped seats are a pair, a verdict needs {LEAST_PAIRS} pairs",
    ]


def who(plan: Plan) -> tuple[str, str]:
    """Return whom the hypotheses are about: 'A', 'B'; 'A', 'each other agent'; or 'the first agent', 'the second'."""
    from nimtui.arena.play.plan import GAUNTLET

    names = labels(plan.agents)
    if len(names) == 2:
        return names[0], names[1]
    return (names[0], "each other agent") if plan.pairs == GAUNTLET else ("the agent named first", "the other")


def errors_text(test: Sprt) -> str:
    """Return what α and β mean: two sentences."""
    low, high = (f"{Difference(elo)} {unit_of(test)}" for elo in (test.elo0, test.elo1))
    return (
        f"If the true difference is {low} or less, at most about {Level(test.alpha)} of such tests accept H1 (α)."
        f" If it is {high} or more, at most about {Level(test.beta)} accept H0 (β)."
    )


def ratio_text(test: Sprt, llr: float) -> str:
    """Return 'LLR 1.23 of −2.94 … 2.94': the log-likelihood ratio, and its bounds for H0 and H1."""
    low, high = test.bounds
    return f"LLR {LogRatio(llr)} of {LogRatio(low)} … {LogRatio(high)}"


def bar(test: Sprt, llr: float, width: int = WIDTH) -> str:
    """Return where the ratio is between its bounds: '├─────┼──●──┤'. The cross is 0; beyond a bound it is the end."""
    low, high = test.bounds
    cells = ["├", *"─" * (width - 2), "┤"]
    for value, sign in ((0.0, "┼"), (llr, "●")):
        cells[round((min(max(value, low), high) - low) / (high - low) * (width - 1))] = sign
    return "".join(cells)


def shown(plan: Plan, score: PairingScore) -> list[str]:
    """Return the sentence and the bar of a pairing's test; nothing if there is no test."""
    if plan.sprt is None or score.llr is None:
        return []
    return [sentence(plan, score), f"H0 {bar(plan.sprt, score.llr)} H1"]


def brief(test: Sprt) -> str:
    """Return the test for a title: 'SPRT 0 … +50 Elo'."""
    return f"SPRT {Difference(test.elo0)} … {Difference(test.elo1)} {unit_of(test)}"


def brief_question(test: Sprt) -> str:
    """Return the question for a form, at most 33 characters for whole numbers: 'first agent: 0 or +50 Elo ahead?'"""
    first = "first agent: " if test.scale == LOGISTIC else ""
    return f"{first}{Difference(test.elo0)} or {Difference(test.elo1)} {unit_of(test)} ahead?"


def far(plan: Plan, scores: Sequence[PairingScore]) -> str:
    """Return how far the tests are: the ratio of a single pairing, else '3 of 10 tests decided'; '' without tests."""
    if plan.sprt is None:
        return ""
    if len(scores) == 1 and scores[0].llr is not None:
        return f"{scores[0].verdict} accepted" if scores[0].verdict else ratio_text(plan.sprt, scores[0].llr)
    return f"{sum(bool(score.verdict) for score in scores):,} of {len(scores):,} tests decided"


def tests(plan: Plan, scores: Sequence[PairingScore], most: int) -> Table:
    """Return a row per pairing with its ratio, bar and pairs, at most `most`: tests that run, then decided ones."""
    assert plan.sprt is not None
    test, names = plan.sprt, labels(plan.agents)
    there = sorted((score for score in scores if score.pairs), key=lambda score: bool(score.verdict))

    def called(score: PairingScore) -> Word:
        game, first, second = score.pairing
        return Word(f"{names[first]} – {names[second]}" + f", {plan.games[game]}" * (len(plan.games) > 1))

    def state(score: PairingScore) -> Word:
        return Word(f"{score.verdict} accepted, " * bool(score.verdict) + Named(score.pairs, "pair", "pairs").text)

    columns = [
        Column("", called, left=True),
        Column("", lambda score: Word(ratio_text(test, score.llr or 0.0)), left=True),
        Column("", lambda score: Word(bar(test, score.llr or 0.0)), left=True, rank=1),
        Column("", state, left=True),
    ]
    return Table("", columns, there[:most], gap=2)
