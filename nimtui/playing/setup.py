"""How people write games, positions, seeds, workers and agents; and the settings of a new game.

The settings are the game, its start position, the players and the seed; and the same as a command.
"""

from __future__ import annotations

import contextlib
import os
import re
import shlex
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from nimtui.errors import InputError, shortened, unknown, whole_number
from nimtui.report.copies import Copy, command

if TYPE_CHECKING:
    from nimtui.agents import Agent
    from nimtui.games import Game

LARGEST_SEED = 2**63 - 1
MOST_WORKERS = 1_000
ALL = "all"  # workers: one per core
# The names of the presets whose games are called otherwise; the start screen needs them without loading a game.
USUAL_NAMES = {
    "nim:1,3,5,7": "tower:16",
    "nim:1,3,5,7:misere": "tower:16:misere",
    "nim:1,3,5,7,9": "tower:25",
    "nim:1,3,5,7,9,11": "tower:36",
    "nim:21:max=3:misere": "subtraction:21,3:misere",
    "adjacent:1,3,5,7:max=2": "kayles:1,3,5,7",
    "connect:7x6x4": "connect4",
    "connect:4x4x4": "connect4:4x4",
}


def parse_game(text: str) -> Game:
    """Return the game of this name. Raises InputError if it is unknown or empty."""
    from nimtui.games import parse_game

    if not text.strip():
        raise InputError("enter a game, for example tower:16 or nim:3,5,4,2,6")
    return parse_game(text)


def presets() -> list[tuple[str, str]]:
    """Return the title and the name of each game that lists offer."""
    from nimtui.games import registry

    return [(preset.title, preset.game) for preset in registry.presets()]


def usual_name(game: str) -> str:
    """Return the common name of a game: 'tower:16' for 'nim:1,3,5,7'. Every screen names a game so."""
    return USUAL_NAMES.get(game, game)


def parse_seed(text: str) -> int:
    """Return the seed. Raises InputError if it is invalid."""
    return whole_number(text, "the seed", 0, LARGEST_SEED)


def fresh_seed() -> int:
    """Return a random seed of few digits."""
    return int.from_bytes(os.urandom(3), "big")


def parse_workers(text: str) -> int | None:
    """Return the number of processes; None for 'all' and for '': one per core."""
    if text.strip().lower() in (ALL, ""):
        return None
    return whole_number(text, f"the number of workers, or {ALL},", 1, MOST_WORKERS)


def parse_position(text: str, game: Game) -> str | None:
    """Return the position's canonical name, None for the game's start. Raises InputError if it has no moves."""
    from nimtui.games import base

    if not text.strip():
        return None
    state = game.new(text)
    name = game.position_name(state)
    if base.outcome(state) != base.GOING_ON:
        raise InputError(f"the game is over at {name}: choose a position with a legal move")
    return None if name == game.position_name(game.start) else name


def how_written(seat: str, also: str = "") -> str:
    """Return what the named agent does and which options its name takes; for any other text, the allowed names.

    `also`: what else the field accepts.
    """
    from nimtui.agents import agent_forms

    word = seat.strip().lower().partition(":")[0]
    words = []
    for form, about in agent_forms():
        words.append(re.split(r"[\[:]", form)[0])
        if words[-1] == word:
            return about if form == word else f"{about} · {form}"
    return f"{also}one of {' · '.join(words)}"


ME = "me"
USUAL_OPPONENT = "hard"  # of a person, in every game


@dataclass(frozen=True, slots=True)
class PlaySetup:
    """The settings of one game, as people type them; `validate` checks them."""

    game: str = "tower:16"
    position: str | None = None  # None: the game's own start
    seats: tuple[str, str] = (ME, "hard")  # the first and the second player: 'me' or an agent
    seed: int = 0

    def validate(self) -> PlaySetup:
        """Return the setup with canonical position and seats. Raises InputError, one line, if one is invalid."""
        game = parse_game(self.game)
        position = parse_position(self.position or "", game)
        first, second = (seat_name(seat, game.beginning(position)) for seat in self.seats)
        return PlaySetup(self.game.strip(), position, (first, second), parse_seed(str(self.seed)))

    @property
    def command(self) -> Copy:
        """The command that starts this game."""
        first, second = self.seats
        return command("play", self.game, position=self.position, first=first, second=second, seed=self.seed)

    def swapped(self) -> PlaySetup:
        """Return the setup with the players swapped."""
        return replace(self, seats=(self.seats[1], self.seats[0]))


def parse_seat(text: str, game: Game) -> Agent | None:
    """Return an agent that can play this game, or None for a person. Raises InputError otherwise."""
    from nimtui.agents import parse_agent

    if not text.strip():
        raise InputError("enter a player: me, or an agent such as hard or perfect")
    return None if text.strip().lower() == ME else parse_agent(text, game)


def seat_name(text: str, game: Game) -> str:
    """Return the canonical name of a player."""
    agent = parse_seat(text, game)
    return ME if agent is None else agent.name


def default_seats(first: str | None = None, second: str | None = None) -> tuple[str, str]:
    """Return who plays. The defaults are a person first, and the default opponent against a person."""
    if second is None:
        second = USUAL_OPPONENT if first is None or first.lower() == ME else ME
    return first or ME, second


def usual_setup(game: str) -> PlaySetup:
    """Return a game with a person first, against the default opponent."""
    return PlaySetup(game, None, (ME, USUAL_OPPONENT), fresh_seed())


# Who plays: people or machines, how strong, and who starts; read from the two seats, and back.

Players = Literal["machine", "people", "machines"]
USUAL = ""  # the default machine of the game
SECOND_MACHINE = "medium"  # takes the person's seat when two machines play, if it can play the game


@dataclass(frozen=True, slots=True)
class Seating:
    """Who plays. A machine that cannot play a game is replaced there, and comes back with the next game it can play."""

    players: Players = "machine"
    you_start: bool = True  # of two machines: `other` starts
    opponent: str = USUAL
    other: str = USUAL  # the machine at your seat

    @classmethod
    def of(cls, seats: tuple[str, str]) -> Seating:
        """Return who sits in these seats. The default opponent of this game stands for that of any game."""
        first, second = (USUAL if seat == USUAL_OPPONENT else seat for seat in seats)
        if seats == (ME, ME):
            return cls("people")
        if ME in seats:
            return cls("machine", first == ME, second if first == ME else first)
        return cls("machines", True, second, seats[0])

    def seats(self, game: Game) -> tuple[str, str]:
        """Return the first and the second player of this game."""
        you = self.machine("other", game) if self.players == "machines" else ME
        opponent = ME if self.players == "people" else self.machine("opponent", game)
        return (you, opponent) if self.you_start else (opponent, you)

    def machine(self, role: Literal["opponent", "other"], game: Game) -> str:
        """Return the agent in this role in this game."""
        wanted = self.opponent if role == "opponent" else self.other or SECOND_MACHINE
        with contextlib.suppress(InputError):
            parse_seat(wanted, game)
            return wanted
        return USUAL_OPPONENT

    def with_machine(self, field: str, agent: str) -> Seating:
        """Return the players with another agent in this field of the form."""
        return replace(self, opponent=agent) if self.role(field) == "opponent" else replace(self, other=agent)

    def role(self, field: str) -> Literal["opponent", "other"]:
        """Return whom a field of the form sets: 'opponent', or the 'first' or 'second' machine."""
        return "other" if field != "opponent" and (field == "first") == self.you_start else "opponent"

    def swapped(self) -> Seating:
        """Return the same players in each other's seats."""
        return replace(self, you_start=not self.you_start)


# The settings as a command: `nimtui play tower:16 --first me --second hard --seed 7`, and back.

OPTIONS = ("--position", "--first", "--second", "--seed")
COMMAND = "GAME [--position POSITION] [--first PLAYER] [--second PLAYER] [--seed NUMBER]"


def parse_command(text: str, seed: int) -> PlaySetup:
    """Return the setup of a command, with or without 'nimtui play'. Raises InputError, one line, if it is invalid.

    `seed`: used if the command names none. Players have the defaults of `nimtui play`.
    """
    try:
        words = list(_apart(shlex.split(text)))
    except ValueError:
        raise InputError("a quotation mark is open: close it, or delete it") from None
    for start in ("nimtui", "play"):
        if words[:1] == [start]:
            del words[0]
    game, options, rest = "", {"--seed": str(seed)}, iter(words)
    for word in rest:
        if word in OPTIONS:
            if (value := next(rest, None)) is None:
                raise InputError(f"{word} needs a value; expected {COMMAND}")
            options[word] = value
        elif word.startswith("-"):
            raise unknown("option", word, OPTIONS)
        elif game:
            raise InputError(f"unexpected word '{shortened(word)}'; expected {COMMAND}")
        else:
            game = word
    parse_game(game)  # of several faults the game's is told
    seats = default_seats(options.get("--first"), options.get("--second"))
    return PlaySetup(game, options.get("--position"), seats, parse_seed(options["--seed"])).validate()


def last_option(text: str) -> tuple[str, str]:
    """Return the last option of a command that is being typed, and its value so far; '' for each that is missing."""
    words = list(_apart(text.split()))
    at = max((at for at, word in enumerate(words) if word in OPTIONS), default=-1)
    return (words[at], " ".join(words[at + 1 :])) if at >= 0 else ("", "")


def _apart(words: Iterable[str]) -> Iterator[str]:
    """Yield the words of a command, each option by its long name and apart from its value: '--seed=7' is two words."""
    for word in words:
        option, sign, value = word.partition("=")
        if sign and option in OPTIONS:
            yield from (option, value)
        else:
            yield "--position" if word == "-p" else word
