"""The settings of a game as a command: `nimtui play tower:16 --first me --second hard --seed 7`, and back.

And what else Ctrl+Y copies on the Play screen and in a replay.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from nimtui.errors import InputError, shortened, unknown
from nimtui.store.rows import short_id
from nimtui.ui.kit.clipboard import Copy, command
from nimtui.ui.kit.entries import parse_game, parse_seed
from nimtui.ui.play.setup import PlaySetup, default_seats

if TYPE_CHECKING:
    from nimtui.ui.play.replay import Replay
    from nimtui.ui.play.session import Session

OPTIONS = ("--position", "--first", "--second", "--seed")
FORM = "GAME [--position POSITION] [--first PLAYER] [--second PLAYER] [--seed NUMBER]"


def copy_of(setup: PlaySetup) -> Copy:
    """Return the command that starts this game, to be copied."""
    first, second = setup.seats
    return command("play", setup.game, position=setup.position, first=first, second=second, seed=setup.seed)


def of_game(session: Session) -> list[Copy]:
    """Return the shown position, and the moves that led to it."""
    found = [Copy("position", session.game.position_name(session.state))]
    if session.record.ply:
        found.append(Copy("moves", session.record.transcript()))
    return found


def of_session(session: Session) -> list[Copy]:
    """Return what a game offers: the position, the moves, and the command that starts this game again."""
    return [*of_game(session), copy_of(session.setup())]


def of_replay(replay: Replay) -> list[Copy]:
    """Return what a replay offers: the position, the moves so far, all moves, and the command of a saved game."""
    found = of_game(replay)
    if not replay.at_end:
        found.append(Copy("whole game", " ".join(replay.move_names())))
    id = replay.kept.id
    return [*found, command("games", "show", short_id(id))] if id is not None else found


def parse_command(text: str, seed: int) -> PlaySetup:
    """Return the setup of a command, with or without 'nimtui play'. Raises InputError, one line, if it is invalid.

    `seed`: used if the command names none. Players have the defaults of `nimtui play`.
    """
    game, given = _split(text)
    parse_game(game)
    seats = default_seats(given.get("--first"), given.get("--second"))
    number = parse_seed(given["--seed"]) if "--seed" in given else seed
    return PlaySetup(game, given.get("--position"), seats, number).validate()


def last_option(text: str) -> tuple[str, str]:
    """Return the last option of a command that is being typed, and its value so far; '' for each that is missing."""
    words = list(_apart(text.split()))
    at = max((at for at, word in enumerate(words) if word in OPTIONS), default=-1)
    return (words[at], " ".join(words[at + 1 :])) if at >= 0 else ("", "")


def _split(text: str) -> tuple[str, dict[str, str]]:
    """Return the game and the options of a command."""
    try:
        words = list(_apart(shlex.split(text)))
    except ValueError:
        raise InputError("a quotation mark is open: close it, or delete it") from None
    for start in ("nimtui", "play"):
        if words[:1] == [start]:
            del words[0]
    game, given = "", {}
    while words:
        word = words.pop(0)
        if word in OPTIONS:
            if not words:
                raise InputError(f"{word} needs a value; expected {FORM}")
            given[word] = words.pop(0)
        elif word.startswith("-"):
            raise unknown("option", word, OPTIONS)
        elif game:
            raise InputError(f"unexpected word '{shortened(word)}'; expected {FORM}")
        else:
            game = word
    return game, given


def _apart(words: Iterable[str]) -> Iterator[str]:
    """Yield the words of a command, each option by its long name and apart from its value: '--seed=7' is two words."""
    for word in words:
        option, sign, value = word.partition("=")
        if sign and option in OPTIONS:
            yield from (option, value)
        else:
            yield "--position" if word == "-p" else word
