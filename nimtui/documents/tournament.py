"""The document of `nimtui tournament`."""

from __future__ import annotations

from typing import Any

from nimtui.arena.plan import Plan
from nimtui.arena.sprt import Sprt
from nimtui.arena.tally import PairingScore
from nimtui.documents.ratings import finite
from nimtui.documents.standings import field_document
from nimtui.jobs.tournament import View
from nimtui.version import __version__


def document(view: View) -> dict[str, Any]:
    """Return the JSON document. Unknown numbers are null. `superiority` is head to head, [row][column]."""
    plan, standings = view.plan, view.standings
    asked = plan.document()
    return {
        "game": plan.games[0],
        "game_names": asked["games"],
        "agents": asked["agents"],
        "recipes": asked.get("recipes", {}),
        "pairs": asked["pairs"],
        "openings": asked["openings"],
        "games_a_pairing": asked["number"],
        "seed": asked["seed"],
        "sprt": asked["sprt"],
        "move_time": plan.limits.move or 0.0,
        "game_time": asked["game_time"],
        "games": view.done,
        "of_games": view.total,
        **field_document(standings),
        "pairings": [_pairing(plan, score) for score in view.scores],
        "seconds": view.seconds,
        "games_per_second": view.done / view.seconds if view.seconds else None,
        "version": __version__,
    }


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
        "mistakes": list(score.mistakes),
        "faults": list(score.faults),
        **_test(plan.sprt, score),
    }


def _test(test: Sprt | None, score: PairingScore) -> dict[str, Any]:
    """Return the facts of a pairing's sequential test; all null without one."""
    if test is None or score.llr is None:
        return dict.fromkeys(("llr", "bounds", "elo0", "elo1", "alpha", "beta", "scale", "pairs", "verdict"))
    return {
        "llr": finite(score.llr),
        "bounds": list(test.bounds),
        **{key: getattr(test, key) for key in ("elo0", "elo1", "alpha", "beta", "scale")},
        "pairs": score.pairs,
        "verdict": score.verdict or None,
    }
