"""The line of a text of games that describes their tournament, and the tournament that is read back from it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from math import isfinite
from typing import TYPE_CHECKING, Any

from nimtui.agents.levels import known_as
from nimtui.arena.plan import Plan
from nimtui.errors import InputError, reading
from nimtui.foreign import values
from nimtui.foreign.document import WrongDocument, parse_object
from nimtui.store.rows import GameRow
from nimtui.store.tournament_imports import ImportedTournament
from nimtui.store.tournament_writer import Names

if TYPE_CHECKING:
    from nimtui.arena.transcript import Transcript
    from nimtui.store.rows import TournamentInfo

KINDS = ("tournament", "match")
RIGHT = "the settings of a tournament, as 'nimtui games export' writes them"


NEEDED = {"games", "agents", "pairs", "number", "openings", "seed", "sprt"}  # settings of every tournament


def line(info: TournamentInfo) -> str | None:
    """Return a tournament's settings as one line of JSON; None if its row is damaged or lacks a setting."""
    if not info.sound or not info.document.keys() >= NEEDED:
        return None
    keys = {"kind": info.kind, "name": info.name, "made": info.made, "seconds": info.seconds, "total": info.total}
    return json.dumps({**keys, "settings": info.document}, ensure_ascii=True)


def parse(text: str) -> tuple[dict[str, Any], Plan]:
    """Read such a line. InputError if it is invalid, or if an agent or a game is unknown here."""
    try:
        keys = parse_object(text)
    except WrongDocument as fault:
        raise InputError(f"Plan: {fault}") from None
    with reading(text, RIGHT):
        settings = keys["settings"]
        numbers = settings["number"], settings["seed"], settings.get("joined", 0)
        if not all(map(values.is_whole, numbers)) or not all(
            map(values.are_texts, (settings["games"], settings["agents"]))
        ):
            raise ValueError("a setting has the wrong type")
        plan = Plan.from_document(settings)
        made, seconds = float(keys["made"]), float(keys["seconds"])
        fits = keys["kind"] in KINDS and values.is_whole(keys["total"], 0, plan.total) and values.is_text(keys["name"])
        if not fits or not values.FIRST_DATE <= made <= values.LAST_DATE or not (isfinite(seconds) and seconds >= 0):
            raise ValueError("a value is out of range")
        name = values.name(keys["name"], "the name of the tournament") if keys["name"].strip() else ""
    return {**keys, "name": name, "made": made, "seconds": seconds}, plan


def parted(games: Sequence[Transcript]) -> tuple[list[Transcript], list[ImportedTournament]]:
    """Part games into single ones and whole tournaments. InputError if a game contradicts its tournament's plan."""
    plans: dict[int, tuple[dict[str, Any], Plan]] = {}
    for game in games:
        if game.plan is not None:
            if game.tournament is None or game.tournament in plans:
                raise InputError("'Plan' must be given once for each tournament, with its number")
            plans[game.tournament] = parse(game.plan)
    found = {number: _empty(*plan) for number, plan in plans.items()}
    known = {number: known_as(keys["settings"]) for number, (keys, _) in plans.items()}
    single: list[Transcript] = []
    there = set[tuple[int, int, int]]()
    for game in games:
        if game.tournament is None or game.tournament not in found:
            single.append(game)
            continue
        _check(game, plans[game.tournament][1], found[game.tournament].pairings, known[game.tournament])
        place = game.tournament, game.pairing or 0, game.row.number
        if place in there:
            raise InputError(f"{_called(game)} is there twice")
        there.add(place)
        found[game.tournament].games.append((place[1], GameRow._make(game.row), game.ended))
    return single, list(found.values())


def _empty(keys: dict[str, Any], plan: Plan) -> ImportedTournament:
    names = [Names(plan.games[one.game], plan.agents[one.first], plan.agents[one.second]) for one in plan.pairings]
    document = {**plan.document(), "version": str(keys["settings"].get("version", ""))[:40]}
    return ImportedTournament(
        keys["kind"], keys["name"], document, keys["made"], keys["seconds"], keys["total"], names, []
    )


def _check(game: Transcript, plan: Plan, pairings: Sequence[Names], known: Mapping[str, str]) -> None:
    """Raise InputError if a game cannot be one of its tournament's."""
    at, number = game.pairing, game.row.number
    players = (known.get(name, name) for name in (game.first, game.second))
    fits = at is not None and at < len(pairings) and pairings[at] == (game.game, *players)
    if not fits or number >= plan.number or game.row.opener != plan.opener(number):
        raise InputError(f"{_called(game)} does not fit the plan of its tournament")


def _called(game: Transcript) -> str:
    pairing = "" if game.pairing is None else f", pairing {game.pairing + 1}"
    return f"tournament {game.tournament}{pairing}, game {game.row.number + 1}"
