"""Games as text that people can read, and that is read back as exactly the same games.

    Game: nim:3,5,7
    First: perfect
    Second: random
    Result: 1-0

    (b1 c2) 1. a1 c3 2. b2 c2 … 1-0

Above, the facts of the game, one per line. Below, its moves as people type them: the opening in brackets, made for both
players; then the moves of first and second player by turns; at the end the result again. A move whose name would not
be read back as itself is written as its code, '#17'. An empty line separates two games.

What a player believed of its move, if that was saved, follows the move as a word in braces: '3 {+0.25/500}', see
`belief.word`. A line may describe the games' tournament, which is read back from it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from math import floor, isfinite
from typing import TYPE_CHECKING, Any

from nimtui.agents.belief import Belief, of_game
from nimtui.agents.belief import word as belief_word
from nimtui.agents.levels import former_agents
from nimtui.arena.play.batch import DRAWN, Played
from nimtui.arena.play.plan import Plan
from nimtui.arena.play.steps import Steps
from nimtui.errors import InputError, reading
from nimtui.foreign import values
from nimtui.foreign.reading import WrongDocument, parse_object
from nimtui.foreign.values import utc
from nimtui.games import base, parse_game
from nimtui.store import game_list, saved_games, tournaments
from nimtui.store.imports import ImportedTournament
from nimtui.store.rows import GameInfo, TournamentInfo
from nimtui.store.tournaments import Names

if TYPE_CHECKING:
    from nimtui.store.database import Database

FIRST_WINS, SECOND_WINS, DRAW, UNFINISHED = "1-0", "0-1", "1/2-1/2", "*"
RESULTS = (FIRST_WINS, SECOND_WINS, DRAW, UNFINISHED)
LINE = 78  # columns
ODD = re.compile(r"[\s():\x00-\x1f\x7f-\x9f]|^[#{]|^\d+\.$|^$")  # names that would be read as something else


@dataclass(frozen=True, slots=True)
class Transcript:
    """One game and its facts. None and '': unknown."""

    game: str
    first: str  # the agents, as `row` numbers the players; not always the first player
    second: str
    row: Played
    id: str | None = None  # of the saved game, as people type it
    name: str = ""
    tournament: int | None = None
    pairing: int | None = None
    seed: int | None = None
    ended: int | None = None  # seconds since 1970
    plan: str | None = None  # the settings of its tournament, a line of JSON: once, if all its games are there

    @property
    def seats(self) -> tuple[str, str]:
        """Return the first and the second player, after the opening."""
        return (self.second, self.first) if self.row.opener else (self.first, self.second)


def result_word(steps: Steps, row: Played) -> str:
    """Return the first player's result, after the opening: '1-0', '0-1', '1/2-1/2'; '*' if it is unfinished."""
    if row.result != DRAWN:
        return FIRST_WINS if row.winner == row.opener else SECOND_WINS
    return DRAW if row.fault or steps.outcome(row.codes()) != base.GOING_ON else UNFINISHED


def write(games: Iterable[Transcript]) -> Iterator[str]:
    """Return the text of these games, piece by piece. Unknown games and games against the rules get move codes."""
    steps_of: dict[str, Steps | None] = {}  # None: the game is unknown here
    between = ""
    for transcript in games:
        if (name := transcript.game) not in steps_of:
            steps_of[name] = None
            with suppress(InputError):
                steps_of[name] = Steps(parse_game(name), reading=True)
        yield between + _known_or_coded(steps_of[name], transcript)
        between = "\n"


def _known_or_coded(steps: Steps | None, of: Transcript) -> str:
    """Return a game with its moves as people type them; as codes those that would not be read back, or all."""
    codes = of.row.codes()
    if steps is not None:
        with suppress(InputError):
            pairs = zip(codes, steps.follow(codes), strict=True)
            names = [f"#{code}" if not step.reads or _odd(step.name) else step.name for code, step in pairs]
            return _text(of, result_word(steps, of.row), names)
    result = DRAW if of.row.result == DRAWN else FIRST_WINS if of.row.winner == of.row.opener else SECOND_WINS
    return _text(of, result, [f"#{code}" for code in codes])


def _text(of: Transcript, result: str, moves: Iterable[str]) -> str:
    date = utc(of.ended, " ")  # None if the time is unknown or cannot be written
    facts = {
        "Game": of.game,
        "First": of.seats[0],
        "Second": of.seats[1],
        "Seats": "swapped" if of.row.opener else None,
        "Id": of.id,
        "Name": " ".join(of.name.split()) or None,
        "Tournament": of.tournament,
        "Pairing": None if of.pairing is None else of.pairing + 1,
        "Number": of.row.number + 1,
        "Seed": of.seed,
        "Plan": of.plan,
        "Date": date and f"{date} UTC",
        "Seconds": of.row.seconds or None,
        "Chances": _two(of.row, of.row.chances),
        "Mistakes": _two(of.row, of.row.mistakes),
        "Fault": " ".join(of.row.packed_fault.split()) or None,
        "Result": result,
    }
    head = "\n".join(f"{key}: {value}" for key, value in facts.items() if value is not None)
    return f"{head}\n\n{_filled([*_words(moves, of.row), result])}\n"


def _two(row: Played, numbers: tuple[int, int]) -> str | None:
    """Return two numbers of the players, by seat; None if the exact value is unknown or no mistake was possible."""
    first, second = numbers[row.opener], numbers[1 - row.opener]
    return f"{first} {second}" if any(row.chances) else None


def _words(moves: Iterable[str], row: Played) -> Iterator[str]:
    """Return the moves, with numbers, the opening's brackets, and what the players believed."""
    believed = of_game(row.beliefs, len(row.moves) // 2)
    for ply, word in enumerate(moves):
        if ply < row.opening:
            word = f"{'(' if ply == 0 else ''}{word}{')' if ply == row.opening - 1 else ''}"
        elif (ply - row.opening) % 2 == 0:
            yield f"{(ply - row.opening) // 2 + 1}."
        yield word
        if believed and (belief := believed[ply]) is not None:
            yield belief_word(belief)


@lru_cache(4096)
def _odd(word: str) -> bool:
    return ODD.search(word) is not None or word in RESULTS


def _filled(words: Iterable[str]) -> str:
    """Return lines of at most LINE columns; a word is never broken."""
    lines, line = [], ""
    for word in words:
        if line and len(line) + 1 + len(word) > LINE:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}" if line else word
    return "\n".join([*lines, line])


PAGE = 1_000  # games per read


def transcripts(database: Database, games: Iterable[GameInfo], whole: bool = False) -> Iterator[Transcript]:
    """Return saved games as transcripts with their seeds. If `whole` tournaments are given, add their plans."""
    seeds: dict[int, int | None] = {}
    for game in saved_games.with_beliefs(database, games):
        if (number := game.tournament) is None:
            yield transcript(game)
        elif number in seeds:
            yield transcript(game, seeds[number])
        else:
            of = tournaments.info(database, number)
            seed = of.document.get("seed")
            seeds[number] = seed if isinstance(seed, int) else None
            yield replace(transcript(game, seeds[number]), plan=line(of) if whole else None)


def transcript(info: GameInfo, seed: int | None = None) -> Transcript:
    """Return a saved game as a transcript; `seed` is that of its tournament."""
    game = info.game, info.first, info.second, Played._make(info.row)
    pairing = None if info.tournament is None else info.pairing
    return Transcript(*game, info.short, info.name, info.tournament, pairing, seed, floor(info.ended))


def beliefs_of(database: Database, id: int, plies: int) -> list[Belief | None]:
    """Return the beliefs of a saved game of so many moves; [] if they were not saved. Raise StoreError."""
    [info] = saved_games.with_beliefs(database, [game_list.game(database, id)])
    return of_game(info.row.beliefs, plies)


def games_of(database: Database, tournament: int) -> Iterator[GameInfo]:
    """Read the games of a tournament page by page, the oldest first. StoreError if the database cannot be read."""
    after = 0
    while page := game_list.games(database, tournament=tournament, limit=PAGE, after=after):
        yield from page
        after = page[-1].id


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
        texts = settings["games"], settings["agents"]
        if not (all(map(values.is_whole, numbers)) and all(map(values.are_texts, texts))):
            raise ValueError("a setting has the wrong type")
        plan = Plan.from_document(settings)
        created, seconds = float(keys["made"]), float(keys["seconds"])
        fits = keys["kind"] in KINDS and values.is_whole(keys["total"], 0, plan.total) and values.is_text(keys["name"])
        if not fits or not values.FIRST_DATE <= created <= values.LAST_DATE or not (isfinite(seconds) and seconds >= 0):
            raise ValueError("a value is out of range")
        name = values.name(keys["name"], "the name of the tournament") if keys["name"].strip() else ""
    return {**keys, "name": name, "made": created, "seconds": seconds}, plan


def parted(games: Sequence[Transcript]) -> tuple[list[Transcript], list[ImportedTournament]]:
    """Part games into single ones and whole tournaments. InputError if a game contradicts its tournament's plan."""
    plans: dict[int, tuple[dict[str, Any], Plan]] = {}
    for game in games:
        if game.plan is not None:
            if game.tournament is None or game.tournament in plans:
                raise InputError("'Plan' must be given once for each tournament, with its number")
            plans[game.tournament] = parse(game.plan)
    tournaments = {number: _empty(*plan) for number, plan in plans.items()}
    former = {number: former_agents(keys["settings"]) for number, (keys, _) in plans.items()}
    single: list[Transcript] = []
    there = set[tuple[int, int, int]]()
    for game in games:
        if game.tournament is None or game.tournament not in tournaments:
            single.append(game)
            continue
        of = tournaments[game.tournament]
        at = _pairing(game, plans[game.tournament][1], of.pairings, former[game.tournament])
        place = game.tournament, at, game.row.number
        if place in there:
            raise InputError(f"{_called(game)} is there twice")
        there.add(place)
        of.games.append((at, game.row, game.ended))
    return single, list(tournaments.values())


def _empty(keys: dict[str, Any], plan: Plan) -> ImportedTournament:
    names = [Names(plan.games[one.game], plan.agents[one.first], plan.agents[one.second]) for one in plan.pairings]
    document = {**plan.document(), "version": str(keys["settings"].get("version", ""))[:40]}
    return ImportedTournament(
        keys["kind"], keys["name"], document, keys["made"], keys["seconds"], keys["total"], names, []
    )


def _pairing(game: Transcript, plan: Plan, pairings: Sequence[Names], former: Mapping[str, str]) -> int:
    """Return the pairing of a game. Raises InputError if the game cannot be one of its tournament's."""
    at, number = game.pairing, game.row.number
    players = (former.get(name, name) for name in (game.first, game.second))
    if at is None or at >= len(pairings) or pairings[at] != (game.game, *players):
        raise _unfit(game)
    if number >= plan.number or game.row.opener != plan.opener(number):
        raise _unfit(game)
    return at


def _unfit(game: Transcript) -> InputError:
    return InputError(f"{_called(game)} does not fit the plan of its tournament")


def _called(game: Transcript) -> str:
    pairing = "" if game.pairing is None else f", pairing {game.pairing + 1}"
    return f"tournament {game.tournament}{pairing}, game {game.row.number + 1}"
