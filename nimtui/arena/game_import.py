"""Import of a text of games into the database: whole tournaments and single games."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from nimtui.arena.transcript import parted
from nimtui.arena.transcript_reader import read_lines
from nimtui.errors import InputError
from nimtui.foreign import values
from nimtui.foreign.document import WrongDocument, parse_object
from nimtui.progress import Progress
from nimtui.store.imports import ImportedGame, keep_all
from nimtui.store.rows import short_id
from nimtui.store.tournament_imports import ImportedTournament

if TYPE_CHECKING:
    from nimtui.arena.transcript import Transcript
    from nimtui.store.database import Database


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


TRANSCRIPTS = "transcripts"  # the key of a tournament's games in its JSON document
NO_GAMES = (
    "it is JSON without games: import reads the text of 'nimtui games export', and text or JSON of"
    " 'nimtui tournaments export'"
)


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
    return Read(*parted(games))


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
