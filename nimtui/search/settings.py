"""How is searched: an algorithm and its options, which together have a name."""

from __future__ import annotations

from dataclasses import dataclass, fields
from math import isfinite
from typing import Any

from nimtui.engine.windows import LONGEST, slots
from nimtui.errors import InputError, shortened, unknown, whole_number

ALGORITHMS = MINIMAX, ALPHA_BETA, MCTS = ("minimax", "alphabeta", "mcts")
ORDERS = NATURAL, KILLER, BEST_FIRST = ("natural", "killer", "best-first")
HEURISTICS = DEFAULT, ORIGINAL, FLAT = ("default", "original", "flat")
"""What a position is worth where the search ends. `default`: a game that is over outweighs all else, sooner won is
better, later lost is better. `original`: positions in which the game is over are judged by the heuristic like any
other, as original 004 does. `flat`: a won game is worth 1000 whenever it ends."""
LOGS = ("parent", "root")
POLICIES = ("uniform", "perfect-opponent")

TO_THE_END = -1
ENTRIES = 1 << 20  # of a transposition table whose size is not said
MOST_ENTRIES = 1 << 28
MOST_SIMULATIONS = 100_000_000
MOST_C = 1000.0
LEAST_SECONDS, MOST_SECONDS = 0.001, 3600.0
AS_TIME_ALLOWS = 0  # simulations
YES, NO = ("yes", "on", "true"), ("no", "off", "false")


@dataclass(frozen=True, slots=True)
class Settings:
    """How one position is searched. InputError, in one line, for what cannot be.

    Options that the algorithm does not know are there and change nothing. A search with a time stops itself when the
    time is up: what it finds depends on the machine. Alpha-beta then searches one ply deep, then two, and so on.
    """

    algorithm: str = ALPHA_BETA
    depth: int = 4  # plies; −1 to the end of every game
    order: str = NATURAL
    table: int = 0  # entries of the transposition table: a power of two, 0 without one
    deepening: bool = False  # one ply deep, then two, … so that there is always an answer
    heuristic: str = DEFAULT
    simulations: int = 500
    c: float = 1.0
    log: str = "parent"
    policy: str = "uniform"
    proven: bool = False
    seed: int = 0
    time: float = 0.0  # seconds at most; 0 without a limit

    def __post_init__(self) -> None:
        for key, allowed in CHOICES.items():
            if getattr(self, key) not in allowed:
                raise unknown(key, str(getattr(self, key)), allowed)
        if self.depth != TO_THE_END and not 1 <= self.depth <= LONGEST:
            raise InputError(f"depth must be from 1 to {LONGEST:,}, or −1 to the end of the game, not {self.depth:,}")
        if not 0 <= self.table <= MOST_ENTRIES:
            raise InputError(f"table must be from 0 to {MOST_ENTRIES:,} entries, not {self.table:,}")
        if self.time and not (isfinite(self.time) and LEAST_SECONDS <= self.time <= MOST_SECONDS):
            raise InputError(_no_time(str(self.time)))
        if self.time and self.algorithm == MINIMAX:
            raise InputError("minimax has no time: alphabeta and mcts have")
        if not (1 <= self.simulations <= MOST_SIMULATIONS or (self.simulations == AS_TIME_ALLOWS and self.time)):
            raise InputError(f"simulations must be from 1 to {MOST_SIMULATIONS:,}, not {self.simulations:,}")
        if not 0 <= self.c <= MOST_C:
            raise InputError(f"c must be from 0 to {MOST_C:,.0f}, not {self.c}")
        if self.algorithm == MINIMAX and self.order != NATURAL:
            raise InputError(f"minimax looks at every move, so that order={self.order} would change nothing")
        if self.table:
            object.__setattr__(self, "table", slots(self.table))
        if self.time:
            object.__setattr__(self, "deepening", False)  # it does in any case

    @property
    def deepens(self) -> bool:
        """Is it searched one ply deep, then two, and so on?"""
        return self.deepening or self.order == BEST_FIRST or bool(self.time)

    @property
    def name(self) -> str:
        """The one name that parses to equal settings: 'alphabeta:depth=4,order=killer'."""
        defaults = default_options(bool(self.time))
        told = [
            f"{key}={_value_text(getattr(self, key))}"
            for key in OPTIONS[self.algorithm]
            if getattr(self, key) != defaults[key] or (key in ALWAYS and not (self.time and key in BY_TIME))
        ]
        return f"{self.algorithm}:{','.join(told)}"


CHOICES = {
    "algorithm": ALGORITHMS,
    "order": ORDERS,
    "heuristic": HEURISTICS,
    "log": LOGS,
    "policy": POLICIES,
}
OPTIONS = {
    MINIMAX: ("depth", "table", "deepening", "heuristic"),
    ALPHA_BETA: ("depth", "time", "order", "table", "deepening", "heuristic"),
    MCTS: ("simulations", "time", "c", "log", "policy", "proven", "seed"),
}
ALWAYS = ("depth", "simulations", "c")  # are told even where nothing else was said
BY_TIME = {"depth": TO_THE_END, "simulations": AS_TIME_ALLOWS}  # what a search with a time has where nothing is said
FORMS = (
    "minimax[:depth=4,heuristic=default|original|flat,table=ENTRIES,deepening=yes|no]",
    "alphabeta[:depth=4,time=SECONDS,order=natural|killer|best-first,heuristic=…,table=ENTRIES,deepening=yes|no]",
    "mcts[:simulations=500,time=SECONDS,c=1.0,log=parent|root,policy=uniform|perfect-opponent,proven=yes|no]",
)


def _defaults() -> dict[str, Any]:
    return {field.name: field.default for field in fields(Settings)}


def default_options(timed: bool) -> dict[str, Any]:
    """Return the value of each option that is not said, of a search with or without a time."""
    return _defaults() | (BY_TIME if timed else {})


def _no_time(text: str) -> str:
    return f"time must be a number of seconds from {LEAST_SECONDS} to {MOST_SECONDS:,.0f}, not '{shortened(text)}'"


def _value_text(value: object) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def parse(text: str) -> Settings:
    """The settings of this name, e.g. 'alphabeta:depth=4,order=killer'. InputError with what is wrong and allowed."""
    word, _, rest = text.strip().partition(":")
    algorithm = word.strip().lower()
    if algorithm not in OPTIONS:
        raise unknown("algorithm", word, ALGORITHMS)
    given: dict[str, Any] = {}
    for part in rest.split(",") if rest.strip() else ():
        key, equals, value = (piece.strip().lower() for piece in part.partition("="))
        if not equals or not value:
            options = ", ".join(f"{key}=…" for key in OPTIONS[algorithm])
            raise InputError(f"'{shortened(part)}' is not an option of {algorithm} ({options})")
        if key not in OPTIONS[algorithm]:
            raise unknown(f"option of {algorithm}", key, OPTIONS[algorithm])
        if key in given:
            raise InputError(f"the option '{key}' of {algorithm} is given twice")
        given[key] = _read(key, value)
    if given.get("time"):
        given = {key: value for key, value in BY_TIME.items() if key in OPTIONS[algorithm]} | given
    return Settings(algorithm, **given)


def _read(key: str, value: str) -> Any:
    default = _defaults()[key]
    if isinstance(default, bool):
        if value not in YES + NO:
            raise InputError(f"{key} is yes or no, not '{shortened(value)}'")
        return value in YES
    if key == "table" and value in YES + NO:
        return ENTRIES if value in YES else 0
    if isinstance(default, int):
        return whole_number(value.replace("−", "-"), key, *LIMITS[key])
    if isinstance(default, float):
        try:
            return float(value)
        except ValueError:
            told = f"{key} must be a number from 0 to {MOST_C:,.0f}, not '{shortened(value)}'"
            raise InputError(_no_time(value) if key == "time" else told) from None
    return value


LIMITS = {
    "depth": (TO_THE_END, LONGEST),
    "table": (0, MOST_ENTRIES),
    "simulations": (AS_TIME_ALLOWS, MOST_SIMULATIONS),
    "seed": (0, (1 << 63) - 1),
}
