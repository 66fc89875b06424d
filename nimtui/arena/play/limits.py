"""Time limits of agents: per move, and for all moves of a game.

An agent that exceeds a limit loses the game. Only its own thinking counts, in wall-clock time; preparation and pauses
do not. Games that the engine plays whole need no thinking: all moves are looked up.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, NamedTuple

from nimtui.agents.agent import USUAL_SECONDS
from nimtui.errors import InputError, decimal, options_of, shortened, whole_number
from nimtui.foreign.values import exact
from nimtui.report.values import Named, Seconds, Typed

IN_TIME = 0.9  # share of its limit after which a self-stopping agent is told to move,
TO_MOVE = 0.02  # or so many seconds before its end if that is earlier, but not before half of it
OF_A_GAME = 0.1  # share of the time left for the game that it may use for one move
LEAST, MOST = 0.001, 86_400  # seconds
MOST_NODES = 10**12
WORDS = {"move": "the move time", "game": "the game time", "increment": "the increment", "nodes": "the nodes"}


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits in seconds; 0 is no limit. Without a move limit (None), a user's own agent has USUAL_SECONDS."""

    move: float | None = None
    game: float = 0.0
    increment: float = 0.0  # added to the game's time after each move
    nodes: int = 0  # that programs may search for a move; nimtui cannot count them

    def __post_init__(self) -> None:
        """Raise InputError for an invalid time."""
        for key, seconds in (("move", self.move), ("game", self.game), ("increment", self.increment)):
            if seconds and not LEAST <= seconds <= MOST:
                raise _out_of_range(WORDS[key], str(Typed(seconds)))
        if self.increment and not self.game:
            raise InputError("an increment needs a time for the game, such as 60 s")
        if not 0 <= self.nodes <= MOST_NODES:
            raise InputError(f"{WORDS['nodes']} must be 0 (no limit) to {MOST_NODES:,}, not {self.nodes:,}")

    @classmethod
    def from_document(cls, keys: Mapping[str, Any]) -> Limits:
        """Return the limits in a document: none if it is older than they are."""
        move = keys.get("move_time")
        times = None if move is None else float(move), float(keys.get("game_time", 0)), float(keys.get("increment", 0))
        return cls(*times, int(keys.get("nodes", 0)))

    def document(self) -> dict[str, Any]:
        """Return the limits as values of a document; the move limit is None if it is unset."""
        times = {"move_time": self.move, "game_time": self.game}
        return times | {key: value for key, value in self.facts.items() if value}

    @property
    def facts(self) -> dict[str, float]:
        """Return all limits as keys of a report; 0 is none."""
        return {"move_time": self.move or 0.0, "game_time": self.game, "increment": self.increment, "nodes": self.nodes}

    @property
    def name(self) -> str:
        """Return text that parses to equal limits: 'move=2,game=60'; '' without limits."""
        values = [(key, getattr(self, key)) for key in WORDS]
        return ",".join(f"{key}={exact(value)}" for key, value in values if value or (key == "move" and value == 0))

    @property
    def title(self) -> str:
        """Return them as people say them: '2 s a move, 60 s a game'; '' without limits."""
        parts = [f"{Seconds(self.move)} a move"] if self.move else []
        more = f" and {Seconds(self.increment)} for each move" if self.increment else ""
        parts += [f"{Seconds(self.game)} a game{more}"] if self.game else []
        return ", ".join(parts + ([f"{Named(self.nodes, 'node', 'nodes')} a move"] if self.nodes else []))

    def now(self, spent: float, limited: bool) -> Limit | None:
        """Return the limit of the next move after `spent` seconds of the game's time; None without one.

        `limited`: the agent always has a limit.
        """
        seconds = self.move or 0.0
        if limited and not seconds:  # its process must end at some time
            seconds = USUAL_SECONDS if self.move is None else MOST
        remaining = max(0.0, self.game - spent) if self.game else MOST
        most = seconds or MOST
        warning = max(most / 2, min(IN_TIME * most, most - TO_MOVE))  # then a self-stopping agent is told to move
        share = min(warning, OF_A_GAME * remaining if self.game else MOST)
        if remaining < most:
            return Limit(remaining, f"{Seconds(self.game)} for the game", share)
        return Limit(seconds, str(Seconds(seconds)), share) if seconds else None


class Limit(NamedTuple):
    """The limit of the next move: seconds, words for it, and the seconds after which a self-stopping agent moves."""

    seconds: float
    words: str
    share: float


UNLIMITED = Limits()


def parse_limits(text: str) -> Limits:
    """Return the limits of 'move=2' or 'move=2,game=60'; '2' is per move. InputError for an invalid text."""
    parts = (part if "=" in part else f"move={part}" for part in text.split(","))
    limits: dict[str, Any] = {}
    for key, value in options_of(",".join(parts) if text.strip() else "", "time limit", "an agent", WORDS).items():
        what = WORDS[key]
        limits[key] = whole_number(value, what, 0, MOST_NODES) if key == "nodes" else parse_seconds(value, what)
    return Limits(**limits)


def parse_seconds(text: str, what: str) -> float:
    """Return seconds as people type them: '2', '0.5', '2s'; 0 is no limit. InputError for anything else."""
    with suppress(ValueError):
        seconds = decimal(text.strip().lower().removesuffix("s").strip())
        if seconds == 0 or LEAST <= seconds <= MOST:
            return seconds
    raise _out_of_range(what, f"'{shortened(text)}'")


def _out_of_range(what: str, value: str) -> InputError:
    return InputError(f"{what} must be 0 (none) or {LEAST} to {MOST:,} seconds, not {value}")
