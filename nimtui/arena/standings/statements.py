"""What a tournament shows, in sentences. Each is computed from the counts or estimates that it states.

Every place uses these words for a sequential test: its hypotheses, its ratio, its verdict.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import isnan
from typing import TYPE_CHECKING

from nimtui.arena.play.entrants import labels
from nimtui.arena.play.limits import Limits
from nimtui.arena.play.plan import FAULT_RULES, GAUNTLET, LOSES_GAME, Plan
from nimtui.arena.rating.goodness import Misfit
from nimtui.arena.rating.meetings import ENOUGH, Meeting, decided_by_seat, seat_wins, swapped
from nimtui.arena.rating.ratings import HeadToHead, Ratings, Seat
from nimtui.arena.rating.sprt import LEAST_PAIRS, LOGISTIC, Sprt
from nimtui.games.notation import plural
from nimtui.report.blocks import Column, Table
from nimtui.report.values import Count, Difference, Elo, Level, Mean, Named, Share, Typed, Word, nearest

if TYPE_CHECKING:
    from nimtui.arena.standings.standings import Field, PairingScore

MISTAKES = "mistakes: moves that worsened the outcome, of all positions not lost"
PAID = "mistakes: moves that gave points away, of all moves"
WIDEST = 20  # agents of a crosstable in text
NOTHING = "These games say nothing about strength."
UNSWAPPED = "Nobody met an opponent in both seats"
UNSURE = 0.05  # p-value below which it is in doubt whether the ratings explain the results
SOME = 1e-6  # Elo: an interval has a width
NAMED = 3  # agents that a sentence names; of more it gives the number


def rules(limits: Limits, fault: str) -> list[str]:
    """Return a line on the clock and one on what a fault costs, as far as they are not the usual ones."""
    lines = [f"time limit: {limits.title}"] if limits.title else []
    return lines + ([FAULT_RULES[fault]] if fault != LOSES_GAME else [])


def of_tables(field: Field, zero: str = "", judged: int | None = None) -> Iterator[str]:
    """Explain the columns and the crosstable; `zero` says what 0 Elo is [default: a mean]. Mistakes are counted in the
    first `judged` games of a pairing [default: in all].
    """
    if len(field.rows) > 1:
        if field.paid:
            yield "Payoff: the mean of the agent's games, with its 95 % interval. A game lost by a fault pays the most."
        elif not any(row.rating.by_seat for row in field.rows):
            apart = {row.rating.bounded for row in field.rows if not isnan(row.rating.elo)} == {False, True}
            whose = "the agents that neither won nor lost all games" if apart else "the agents"
            counted = zero or f"above the mean of {whose}"
            yield f"Elo: {counted}. The difference of two ratings predicts what they score."
            yield (
                "LOS: probability that an agent is stronger than the next one. It counts all games, not only those"
                " between the two."
            )
        if len(field.rows) > WIDEST:
            yield f"The crosstable of {len(field.rows)} agents is too wide for text: use --json."
        else:
            drawn = any(cell is not None and cell.draws for row in field.cells for cell in row)
            yield f"Crosstable: the row moves first. Wins of the first–wins of the second{' =draws' if drawn else ''}."
    if any(row.mistake_rate is not None for row in field.rows):
        what = PAID if field.paid else MISTAKES
        yield f"{what.capitalize()}{'' if judged is None else f', in the first {judged} games of a pairing'}."


def of_ratings(ratings: Ratings, meetings: Sequence[Meeting], names: Sequence[str]) -> Iterator[str]:
    """Give what the ratings show: agents that won or lost everything, too few games, the seat, the fit."""
    seat = of_seat(ratings.seat, meetings)
    if decided_by_seat(meetings):
        yield seat
        return
    for name, rating, score in zip(names, ratings.ratings, ratings.scores, strict=True):
        if rating.bounded and score.points in (0, score.games):  # else the bound is the anchor's
            yield f"{name} {'won' if score.points else 'lost'} {all_of(score.games)}: {rating.range} Elo."
    yield from filter(None, (of_few(ratings, meetings, names), seat, *of_fit(ratings, names)))


def all_of(games: int, whose: str = "its") -> str:
    """Return 'all 300 games', or 'its only game'."""
    return f"{whose} only game" if games == 1 else f"all {plural(games, 'game', 'games')}"


def of_few(ratings: Ratings, meetings: Sequence[Meeting], names: Sequence[str]) -> str:
    """Say whose intervals rest on too few games; '' if all have enough. A bound is no interval, nor is 0 Elo itself."""
    exact = [one.by_seat or one.bounded or one.high - one.low <= SOME for one in ratings.ratings]
    few = [name for name, one, sure in zip(names, ratings.ratings, exact, strict=True) if one.few and not sure]
    if not few:
        return ""
    whose = "All Elo intervals are" if len(few) == len(names) else f"The Elo interval of {listed(few)} is"
    openings = f", and {2 * ENOUGH} openings" if any(meeting.openings is not None for meeting in meetings) else ""
    needs = f"{ENOUGH} pairs of games above and below the mean score{openings}"
    return f"{whose} uncertain: an interval needs {needs}."


def of_seat(seat: Seat, meetings: Iterable[Meeting]) -> str:
    """Say what moving first is worth, in Elo; or why these games say nothing about strength; '' if unknown."""
    played = [meeting for meeting in meetings if meeting.played]
    first, second = seat_wins(played)
    games = sum(meeting.played for meeting in played)
    nothing = f" {NOTHING}" if decided_by_seat(played) else ""
    if games and games in (first, second):
        return f"The player who moved {'first' if first else 'second'} won {all_of(games, 'the')}.{nothing}"
    if nothing:
        return f"{'In every pair of games the same seat won twice' if swapped(played) else UNSWAPPED}.{nothing}"
    if isnan(seat.elo):
        return ""
    itself = any(meeting.first == meeting.second for meeting in played)
    counted = ". Self-play counts for the seat, not for the ratings" if itself else ""
    return f"{advantage(seat)}{counted}."


def advantage(seat: Seat) -> str:
    """Return what moving first is worth: 'Moving second: +527 ± 41 Elo'; '' if unknown."""
    if isnan(seat.elo):
        return ""
    size = Elo(abs(seat.elo)).text
    return f"Moving {'second' if seat.elo < 0 and size != '0' else 'first'}: {size} ± {Count(seat.error)} Elo"


def of_fit(ratings: Ratings, names: Sequence[str]) -> Iterator[str]:
    """Say how well the ratings explain the results, and which results they do not explain; nothing if untested."""
    fit = ratings.fit
    if fit is None:
        return
    chance = "p < 0.001" if fit.p_value < 0.001 else f"p = {nearest(fit.p_value, 3 if fit.p_value < UNSURE else 2)}"
    explain = "do not explain all" if fit.doubtful else "may not explain all" if fit.p_value < UNSURE else "explain the"
    yield f"The ratings {explain} results (goodness of fit: {chance})."
    if fit.seat_by_strength:
        more = "strong" if fit.seat_by_strength > 0 else "weak"
        yield f"Moving first is worth more to {more} agents."
    for misfit in fit.worst:
        yield _misfit(misfit, names)


def _misfit(misfit: Misfit, names: Sequence[str]) -> str:
    first, second = names[misfit.first], names[misfit.second]
    scored = f"scored {Share(misfit.observed)}"
    if misfit.first == misfit.second:
        who = f"Moving first, {first} {scored} against itself"
    elif misfit.seat:
        who = f"Between {first} and {second}, moving first {scored}"
    else:
        who = f"{first} {scored} against {second}"
    return f"{who}; the ratings say {Share(misfit.expected)}."


def of_pair(pair: HeadToHead) -> str:
    """Say that there are too few games to tell who is stronger, or that all were drawn; '' if neither is so."""
    thin = pair.few and not pair.ahead.by_seat and pair.ahead.low <= 0 <= pair.ahead.high
    if thin and all(sum(meeting.draws) == meeting.played for meeting in pair.meetings):
        games = pair.score.games
        return f"All {games:,} games were drawn." if games > 1 else "The game was drawn."
    return f"Too few games to say: fewer than {ENOUGH} pairs above or below the mean score." if thin else ""


def listed(names: Sequence[str]) -> str:
    """Return 'a', 'a and b', 'a, b and c', 'a, b, c and 12 more'."""
    parts = list(names[:NAMED]) + ([f"{len(names) - NAMED:,} more"] if len(names) > NAMED else [])
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


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
