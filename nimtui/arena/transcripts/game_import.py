"""Read games back from text, the inverse of `transcript.write`, and save them: whole tournaments and single games."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from nimtui.agents.belief import Belief, packed, parse_word
from nimtui.arena.play.batch import DRAWN, LOST, MOVES, WON, Played
from nimtui.arena.transcripts import transcript
from nimtui.arena.transcripts.transcript import DRAW, FIRST_WINS, RESULTS, SECOND_WINS, UNFINISHED, Transcript
from nimtui.errors import InputError, naming, shortened, unknown, whole_number
from nimtui.foreign import values
from nimtui.foreign.reading import WrongDocument, parse_object
from nimtui.games import Game, base, parse_game
from nimtui.games.base import Move
from nimtui.progress import Progress
from nimtui.store.imports import ImportedGame, ImportedTournament, keep_all
from nimtui.store.rows import MOST_NUMBERS, parse_game_id, short_id

if TYPE_CHECKING:
    from nimtui.store.database import Database

NUMBER = re.compile(r"\d+\.")  # of a pair of moves
TRANSCRIPTS = "transcripts"  # the key of a tournament's games in its JSON document
NO_GAMES = (
    "it is JSON without games: import reads the text of 'nimtui games export', and text or JSON of"
    " 'nimtui tournaments export'"
)


class Read(NamedTuple):
    """The games of a text."""

    single: list[Transcript]
    whole: list[ImportedTournament]

    @property
    def games(self) -> int:
        return len(self.single) + sum(len(one.games) for one in self.whole)


class Imported(NamedTuple):
    """What an import has saved."""

    games: int  # new ones, with those of tournaments
    already: int  # games that were saved before
    ids: list[str]  # of the single games
    tournaments: list[tuple[int, ImportedTournament]]  # the number of each new one

    @property
    def text(self) -> str:
        """Return it as people say it: '12 games imported, tournament 3 with 10 of them, 4 were saved already'."""
        parts = ["1 game imported" if self.games == 1 else f"{self.games:,} games imported"]
        parts += [f"{one.kind} {number} with {len(one.games):,} of them" for number, one in self.tournaments]
        if self.already:
            parts.append("1 was saved already" if self.already == 1 else f"{self.already:,} were saved already")
        return ", ".join(parts)


def read(lines: Iterable[str], progress: Progress) -> Read:
    """Read the games of a text, or of a tournament's JSON document.

    InputError if a line is wrong, a game contradicts its tournament, or none is there.
    """
    games = []
    for game in read_lines(_text(lines)):
        games.append(game)
        progress.report(len(games), 0, "reading")
    if not games:
        raise InputError("it contains no games")
    return Read(*transcript.parted(games))


def _text(lines: Iterable[str]) -> Iterable[str]:
    """Return the lines of the text of games; those inside a JSON document if it is one."""
    rest = iter(lines)
    start = []  # blank lines, and the first other one: they count for the number of a wrong line
    for line in rest:
        start.append(line)
        if line.strip():
            break
    if not (start and start[-1].lstrip().startswith("{")):
        return chain(start, rest)
    try:
        texts = parse_object("\n".join(chain(start, rest))).get(TRANSCRIPTS)
    except WrongDocument as fault:
        raise InputError(str(fault)) from None
    if not values.are_texts(texts):
        raise InputError(NO_GAMES)
    return "\n".join(texts or ()).splitlines()


def save(database: Database, text: Read, progress: Progress) -> Imported:
    """Save the games that are not saved yet, or nothing if that fails: StoreError, InputError."""
    new = list(map(imported_game, text.single))
    game_ids, numbers = keep_all(database, new, text.whole, lambda done: progress.report(done, len(new), "saving"))
    ids = [short_id(id, alone=True) for id in game_ids if id is not None]
    tournaments = [(number, one) for number, one in zip(numbers, text.whole, strict=True) if number is not None]
    games = len(ids) + sum(len(one.games) for _, one in tournaments)
    return Imported(games, text.games - games, ids, tournaments)


def imported_game(game: Transcript) -> ImportedGame:
    """Return a transcript as a row to save. A game without a name is named after its tournament."""
    source = {"tournament": game.tournament, "pairing": None if game.pairing is None else game.pairing + 1}
    where = [f"{word} {number}" for word, number in source.items() if number is not None]
    name = game.name or ", ".join([*where, f"game {game.row.number + 1}"] if where else [])
    return ImportedGame(game.game, game.first, game.second, game.row, name, game.ended)


# The games of lines.


def read_lines(lines: Iterable[str]) -> Iterator[Transcript]:
    """Return the games of these lines. InputError with the line if it is invalid."""
    boards: dict[str, Game] = {}
    head: dict[str, tuple[int, str]] = {}
    body: list[tuple[int, str]] = []
    for number, line in enumerate(lines, 1):
        line = line.strip().removeprefix("\ufeff")
        if not line:
            continue
        key, colon, value = line.partition(":")
        if not (colon and key.isalpha() and value[:1] in (" ", "")):
            if not head:
                raise _wrong(number, f"expected 'Game: NAME', not '{shortened(line)}'")
            body += [(number, word) for word in line.split()]
            continue
        if body:
            yield _game(boards, head, body)
            head, body = {}, []
        key = key.capitalize()
        with naming(f"line {number}"):
            if key not in KEYS:
                raise unknown("key", key.lower(), map(str.lower, KEYS))
        if key in head:
            raise _wrong(number, f"'{key}' is given twice for one game")
        head[key] = number, value.strip()
    if head:
        if not body:
            raise _wrong(number, "the moves of the last game are missing")
        yield _game(boards, head, body)


def _wrong(line: int, why: str) -> InputError:
    return InputError(f"line {line}: {why}")


def _spec(key: str, value: str) -> str:
    return values.name(value, f"'{key}'", values.LONGEST_SPEC)


def _one(key: str, value: str) -> int:
    return values.whole(value, key, 1)


def _plan(key: str, value: str) -> str:
    transcript.parse(value)
    return value


def _pair(key: str, value: str) -> tuple[int, int]:
    parts = value.split()
    if len(parts) != 2:
        raise InputError(f"{key} need two numbers, the first and the second player's, not '{shortened(value)}'")
    return values.whole(parts[0], key), values.whole(parts[1], key)


def _choice(*allowed: str) -> Callable[[str, str], str]:
    def check(key: str, value: str) -> str:
        if value not in allowed:
            raise InputError(f"{key} must be {' or '.join(allowed)}, not '{shortened(value)}'")
        return value

    return check


KEYS: dict[str, Callable[[str, str], Any]] = {
    "Game": _spec,
    "First": _spec,
    "Second": _spec,
    "Seats": _choice("swapped"),
    "Id": lambda key, value: str(parse_game_id(value)),
    "Name": lambda key, value: values.name(value, f"'{key}'"),
    "Tournament": _one,
    "Pairing": _one,
    "Number": lambda key, value: values.whole(value, key, 1, MOST_NUMBERS),
    "Seed": lambda key, value: values.whole(value, key),
    "Plan": _plan,
    "Date": lambda key, value: values.date(value, key),
    "Seconds": lambda key, value: values.seconds(value, key),
    "Chances": _pair,
    "Mistakes": _pair,
    "Fault": lambda key, value: values.text(value, f"'{key}'"),
    "Result": _choice(*RESULTS),
}


def _game(boards: dict[str, Game], head: dict[str, tuple[int, str]], body: list[tuple[int, str]]) -> Transcript:
    """Return the game of these lines."""
    begun = min(line for line, _ in head.values())
    for key in ("Game", "First", "Second"):
        if key not in head:
            raise _wrong(begun, f"this game has no line '{key}'")
    facts: dict[str, Any] = {}
    for key, (line, value) in head.items():
        with naming(f"line {line}"):
            facts[key] = KEYS[key](key, value)
            if key == "Game" and facts[key] not in boards:
                boards[facts[key]] = parse_game(facts[key])
    game = boards[facts["Game"]]
    believed, body = _beliefs(body)
    opening, moves, result, outcome = _moves(game, body)
    for at, (line, _) in believed.items():
        if not opening < at <= len(moves):
            raise _wrong(line, "a belief must follow a move of a player")
    if facts.get("Result", result) != result:
        raise _wrong(head["Result"][0], f"the result is {facts['Result']} here, but {result} after the moves")
    _check_result(outcome, len(moves) - opening, result, bool(facts.get("Fault")), body[-1][0])
    swap = int("Seats" in facts)
    seats = facts["First"], facts["Second"]
    own = ((len(moves) - opening + 1) // 2, (len(moves) - opening) // 2)
    chances, mistakes = facts.get("Chances", (0, 0)), facts.get("Mistakes", (0, 0))
    limits = ("Chances", chances, own, "moves"), ("Mistakes", mistakes, chances, "chances for them")
    for key, some, most, of in limits:
        if some[0] > most[0] or some[1] > most[1]:
            raise _wrong(head[key][0], f"{key} {some[0]} {some[1]} exceed the {of}, {most[0]} {most[1]}")
    row = Played(
        facts.get("Number", 1) - 1,
        swap,
        opening,
        np.array(moves, MOVES).tobytes(),
        DRAWN if result in (DRAW, UNFINISHED) else WON if (result == FIRST_WINS) != bool(swap) else LOST,
        _of_players(own, swap),
        _of_players(chances, swap),
        _of_players(mistakes, swap),
        facts.get("Fault", ""),
        facts.get("Seconds", 0.0),
        packed([entry[1] if (entry := believed.get(at)) else None for at in range(1, len(moves) + 1)]),
    )
    pairing = facts["Pairing"] - 1 if "Pairing" in facts else None
    source = facts.get("Id"), facts.get("Name", ""), facts.get("Tournament"), pairing
    more = facts.get("Seed"), facts.get("Date"), facts.get("Plan")
    return Transcript(game.name, seats[swap], seats[1 - swap], row, *source, *more)


def _beliefs(body: Sequence[tuple[int, str]]) -> tuple[dict[int, tuple[int, Belief]], list[tuple[int, str]]]:
    """Return the beliefs by the number of moves before them, each with its line, and the other words."""
    beliefs: dict[int, tuple[int, Belief]] = {}
    rest: list[tuple[int, str]] = []
    moves = 0
    for line, word in body:
        if not word.startswith("{"):
            moves += not NUMBER.fullmatch(word)
            rest.append((line, word))
            continue
        with naming(f"line {line}"):
            if moves in beliefs:
                raise InputError(f"'{shortened(word)}' is a second belief about one move")
            beliefs[moves] = line, parse_word(word)
    return beliefs, rest


def _of_players(by_seat: tuple[int, int], swap: int) -> tuple[int, int]:
    return (by_seat[swap], by_seat[1 - swap])


def _moves(game: Game, body: Sequence[tuple[int, str]]) -> tuple[int, list[Move], str, int]:
    """Return the opening's number of moves, all moves, the result, and the board's outcome, as `base.outcome`."""
    *body, (end, result) = body
    if result not in RESULTS:
        raise _wrong(end, f"the moves must end with the result, {', '.join(RESULTS)}, not '{shortened(result)}'")
    state = game.new()
    moves: list[Move] = []
    opening, inside = 0, False
    for line, word in body:
        if NUMBER.fullmatch(word):
            if inside or word != f"{(len(moves) - opening) // 2 + 1}." or (len(moves) - opening) % 2:
                raise _wrong(line, f"the move number {word} is out of place")
            continue
        if word.startswith("(") and not moves:
            inside, word = True, word[1:]
        closing = inside and word.endswith(")")
        with naming(f"line {line}"):
            move = _move(game, word.removesuffix(")") if closing else word, state)
        base.play(state, move)
        moves.append(move)
        if closing:
            inside, opening = False, len(moves)
    if inside:
        raise _wrong(body[-1][0], "the bracket of the opening is not closed")
    return opening, moves, result, int(base.outcome(state))


def _move(game: Game, word: str, state: base.State) -> Move:
    if not word.startswith("#"):
        return game.parse_move(word, state)
    code = whole_number(word[1:], "the code of a move", 0, game.size - 1)
    if base.outcome(state) != base.GOING_ON or not base.legal(state, code):
        raise InputError(f"the move {word} is not legal here")
    return code


def _check_result(outcome: int, own: int, result: str, fault: bool, line: int) -> None:
    """Raise InputError if the board contradicts the result after these moves: only a fault ends a game early."""
    if outcome == base.GOING_ON:
        if result not in ((FIRST_WINS, SECOND_WINS) if fault else (UNFINISHED,)):
            why = "after a fault it must be 1-0 or 0-1" if fault else "the game is not over after these moves"
            raise _wrong(line, f"the result is {result} here, but {why}")
        return
    if fault:
        raise _wrong(line, "a fault ends a game early, but this game is over after its moves")
    first_moved_last = own % 2 == 1
    on_board = (
        DRAW if outcome == base.DRAW else FIRST_WINS if (outcome == base.WON) == first_moved_last else SECOND_WINS
    )
    if on_board != result:
        raise _wrong(line, f"the result is {result} here, but {on_board} by the moves")
