"""What a tournament shows: its standings, its crosstable, its sequential tests, and what they mean."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from nimtui.arena.play import judge
from nimtui.arena.play.entrants import labels
from nimtui.arena.play.plan import ONE_SIDED, ORDERED, Plan
from nimtui.arena.standings import ledger, statements
from nimtui.arena.standings.standings import PairingScore
from nimtui.arena.standings.standings_report import brief, field_blocks, headings
from nimtui.arena.standings.statements import errors_text, question, sentence
from nimtui.games.notation import plural
from nimtui.jobs.tournament import View
from nimtui.report.blocks import Block, Facts, Gap, Report, Sentence
from nimtui.report.lines import FIRM
from nimtui.report.values import Count, Duration, Elo, Named
from nimtui.version import __version__

MOST_FAULTS = 20  # lines of different faults


def tournament(view: View, remarks: Sequence[str], seconds: float, sandbox: str = "") -> Report:
    """Return the report of a tournament, of which the last run took so many `seconds`; `remarks` are theory's,
    `sandbox` says what closes programs in.

    In the document unknown numbers are null, and `superiority` is head to head, [row][column].
    """
    plan = view.plan
    lines = [sandbox] if sandbox else []
    lines += [f"{kind_text(plan)}, seed{FIRM}{plan.seed}", *(question(plan) if plan.sprt is not None else [])]
    lines += statements.rules(plan.limits, plan.fault)
    head: list[Block] = [
        *headings(plan.games),
        *map(Sentence, (*lines, speed_text(view, seconds))),
        Gap(),
        Facts({**_facts(view), "sandbox": sandbox or None}),
    ]
    below: list[Block] = [*map(Sentence, (*notes(view), *remarks)), Facts({"theory": list(remarks)})]
    return Report([*head, *field_blocks(view.standings), *brief(plan, view.scores), *below])


def _facts(view: View) -> dict[str, Any]:
    plan = view.plan
    document = plan.document()
    return {
        "game": plan.games[0],
        "game_names": document["games"],
        "agents": document["agents"],
        "recipes": document.get("recipes", {}),
        "pairs": document["pairs"],
        "openings": document["openings"],
        "games_a_pairing": document["number"],
        "seed": document["seed"],
        "sprt": document["sprt"],
        **plan.limits.facts,
        "fault_rule": plan.fault,
        "faults": [_fault(kind) for kind in view.kinds],
        "games": view.done,
        "of_games": view.total,
        "pairings": [_pairing(plan, score) for score in view.scores],
        "seconds": view.seconds,
        "games_per_second": view.done / view.seconds if view.seconds else None,
        "version": __version__,
    }


def _fault(kind: ledger.EqualFaults) -> dict[str, Any]:
    """Return the games lost by one fault, with the particulars of the first."""
    particulars = kind.first.document() if kind.first is not None else {"text": kind.text, "kind": None}
    return {**particulars, "games": kind.games, "where": kind.where or None}


def _pairing(plan: Plan, score: PairingScore) -> dict[str, Any]:
    game, first, second = score.pairing
    return {
        "game": plan.games[game],
        "first": plan.agents[first],
        "second": plan.agents[second],
        "played": score.played,
        "wanted": score.wanted,
        "wins": sum(score.wins),
        "losses": sum(score.losses),
        "draws": sum(score.draws),
        "pentanomial": list(score.pentanomial),
        **({} if score.payoff is None else score.payoff.keys),
        "mistakes": list(score.mistakes),
        "faults": list(score.faults),
        **_test(plan, score),
    }


def _test(plan: Plan, score: PairingScore) -> dict[str, Any]:
    """Return the facts of a pairing's sequential test; all null without one."""
    test = plan.sprt
    if test is None or score.llr is None:
        return dict.fromkeys(("llr", "bounds", "elo0", "elo1", "alpha", "beta", "scale", "pairs", "verdict"))
    return {
        "llr": Elo(score.llr).raw,
        "bounds": list(test.bounds),
        **{key: getattr(test, key) for key in ("elo0", "elo1", "alpha", "beta", "scale")},
        "pairs": score.pairs,
        "verdict": score.verdict or None,
    }


def kind_text(plan: Plan) -> str:
    """Return the kind of tournament: 'round-robin of 4 agents, 100 games per pairing, from the start'."""
    kind = {ORDERED: "all ordered pairs", ONE_SIDED: "match"}.get(plan.pairs, plan.pairs)
    agents, games = plural(len(plan.agents), "agent", "agents"), plural(plan.number, "game", "games")
    return f"{kind} of {agents}, {games} per pairing, {plan.openings.title}"


def speed_text(view: View, seconds: float) -> str:
    """Return the number of games, the time and the speed."""
    whole = Duration(view.seconds)
    games = Named(view.done, "game", "games") if view.finished else f"{view.done:,} of {view.total:,} games"
    fast = f", {Count(view.done / view.seconds)} a second" if view.seconds > 0 and view.done > 1 else ""
    now = f" ({Duration(seconds)} of it now)" if 0 < seconds < 0.9 * view.seconds else ""
    return f"{games} in {whole}{now}{fast}"


def notes(view: View) -> Iterator[str]:
    """Give what the columns mean and what they show, a sentence or two each."""
    plan, standings = view.plan, view.standings
    judged = judge.least_judged(plan.games)
    yield from statements.of_tables(standings, judged=None if judged is None or judged >= plan.number else judged)
    if not standings.paid:
        yield from statements.of_ratings(standings.ratings, standings.meetings, labels(plan.agents))
    yield from filter(None, (sentence(plan, score) for score in view.scores))
    if plan.sprt is not None:
        yield errors_text(plan.sprt)
    if lost := sum(sum(score.faults) for score in view.scores):
        yield f"{ledger.lost(lost)} of an agent:"
        yield from ledger.lines(view.kinds, MOST_FAULTS)
