"""The settings of a search: an algorithm and its options, with one canonical name."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any

from nimtui.engine.windows import LONGEST, slots
from nimtui.errors import InputError, decimal, options_of, shortened, unknown, whole_number

ALGORITHMS = MINIMAX, ALPHA_BETA, MCTS = ("minimax", "alphabeta", "mcts")
ORDERS = NATURAL, KILLER, BEST_FIRST = ("natural", "killer", "best-first")
HEURISTICS = DEFAULT, ORIGINAL, FLAT = ("default", "original", "flat")
"""The value of a position where the search ends. `default`: a finished game outweighs every estimate; an earlier win
is better, and a later loss is better. `original`: the heuristic also judges finished games (source:
minimax and alpha-beta). `flat`: a won game is worth 1000 whenever it ends."""
LOGS = ("parent", "root")
POLICIES = UNIFORM, PERFECT_OPPONENT = ("uniform", "perfect-opponent")

TO_THE_END = -1
ENTRIES = 1 << 20  # of a transposition table without a given size
MOST_ENTRIES = 1 << 28
MOST_SIMULATIONS = 100_000_000
MOST_C = 1000
LEAST_SECONDS, MOST_SECONDS = 0.001, 3600
AS_TIME_ALLOWS = 0  # simulations
YES, NO = ("yes", "on", "true"), ("no", "off", "false")


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of one search. Raises InputError with one line if they are invalid.

    Options of other algorithms exist and change nothing. A search with a time stops when the time is up, so its result
    depends on the machine. Alpha-beta with a time searches to depth 1, then 2, and so on.
    """

    algorithm: str = ALPHA_BETA
    depth: int = 4  # plies; −1: to the end of the game
    order: str = NATURAL
    table: int = 0  # entries of the transposition table: a power of two; 0: none
    deepening: bool = False  # search to depth 1, then 2, … so that there is always a result
    heuristic: str = DEFAULT
    simulations: int = 500
    c: float = 1.0
    log: str = "parent"
    policy: str = "uniform"
    proven: bool = False
    seed: int = 0
    time: float = 0.0  # seconds at most; 0: no limit
    value: str = ""  # the saved run whose function values positions where the search ends; '': none
    largest: int = field(default=0, compare=False)  # set by the search: the largest payoff; 0 in a game without

    def __post_init__(self) -> None:
        for key, allowed in CHOICES.items():
            if getattr(self, key) not in allowed:
                raise unknown(key, str(getattr(self, key)), allowed)
        if self.depth != TO_THE_END and not 1 <= self.depth <= LONGEST:
            raise InputError(f"depth must be from 1 to {LONGEST:,}, or −1 to the end of the game, not {self.depth:,}")
        if not 0 <= self.table <= MOST_ENTRIES:
            raise InputError(f"table must be from 0 to {MOST_ENTRIES:,} entries, not {self.table:,}")
        if self.time and not LEAST_SECONDS <= self.time <= MOST_SECONDS:
            raise InputError(no_time(str(self.time)))
        if self.time and self.algorithm == MINIMAX:
            raise InputError("minimax has no time limit: use alphabeta or mcts")
        if not (1 <= self.simulations <= MOST_SIMULATIONS or (self.simulations == AS_TIME_ALLOWS and self.time)):
            raise InputError(f"simulations must be from 1 to {MOST_SIMULATIONS:,}, not {self.simulations:,}")
        if not 0 <= self.c <= MOST_C:
            raise InputError(f"c must be from 0 to {MOST_C:,}, not {self.c}")
        if self.algorithm == MINIMAX and self.order != NATURAL:
            raise InputError(f"minimax searches every move: order={self.order} changes nothing; use alphabeta")
        if self.value and (self.heuristic, self.policy) != (DEFAULT, UNIFORM):
            instead = f"policy={self.policy}" if self.algorithm == MCTS else f"heuristic={self.heuristic}"
            raise InputError(f"value names a function that takes the place of {instead}: give one of them")
        if self.table:
            object.__setattr__(self, "table", slots(self.table))
        if self.time:
            object.__setattr__(self, "deepening", False)  # a time implies deepening

    @property
    def pays(self) -> bool:
        """Are values payoffs, and none a code of a won game?"""
        return self.largest > 0

    @property
    def deepens(self) -> bool:
        """Does the search deepen: to depth 1, then 2, and so on?"""
        return self.deepening or self.order == BEST_FIRST or bool(self.time)

    @property
    def name(self) -> str:
        """The canonical name, which parses to equal settings: 'alphabeta:depth=4,order=killer'."""
        defaults = default_options(bool(self.time))
        options = [
            f"{key}={_value_text(getattr(self, key))}"
            for key in OPTIONS[self.algorithm]
            if getattr(self, key) != defaults[key] or (key in ALWAYS and not (self.time and key in BY_TIME))
        ]
        return f"{self.algorithm}:{','.join(options)}"


CHOICES = {"algorithm": ALGORITHMS, "order": ORDERS, "heuristic": HEURISTICS, "log": LOGS, "policy": POLICIES}
OPTIONS = {
    MINIMAX: ("depth", "table", "deepening", "heuristic", "value"),
    ALPHA_BETA: ("depth", "time", "order", "table", "deepening", "heuristic", "value"),
    MCTS: ("simulations", "time", "c", "log", "policy", "proven", "value", "seed"),
}
ALWAYS = ("depth", "simulations", "c")  # part of the name even at their default
BY_TIME = {"depth": TO_THE_END, "simulations": AS_TIME_ALLOWS}  # the defaults of a search with a time
FORMS = (
    "minimax[:depth=4,heuristic=default|original|flat,table=ENTRIES,deepening=yes|no,value=RUN]",
    "alphabeta[:depth=4,time=SECONDS,order=natural|killer|best-first,heuristic=…,table=ENTRIES,deepening=yes|no,value=RUN]",
    "mcts[:simulations=500,time=SECONDS,c=1.0,log=parent|root,policy=uniform|perfect-opponent,proven=yes|no,value=RUN]",
)


def default_options(timed: bool) -> dict[str, Any]:
    """Return the default of each option, for a search with or without a time."""
    return {option.name: option.default for option in fields(Settings)} | (BY_TIME if timed else {})


def no_time(text: str) -> str:
    """Return what is wrong with a time."""
    return f"time must be a number of seconds from {LEAST_SECONDS} to {MOST_SECONDS:,}, not '{shortened(text)}'"


def _value_text(value: object) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def parse(text: str) -> Settings:
    """Return the settings of this name, e.g. 'alphabeta:depth=4'. Raises InputError with what is wrong and allowed."""
    word, _, rest = text.strip().partition(":")
    algorithm = word.strip().lower()
    if algorithm not in OPTIONS:
        raise unknown("algorithm", word, ALGORITHMS)
    options = options_of(rest, "option", algorithm, OPTIONS[algorithm])
    values = {key: _read(key, value) for key, value in options.items()}
    if values.get("time"):
        values = {key: value for key, value in BY_TIME.items() if key in OPTIONS[algorithm]} | values
    return Settings(algorithm, **values)


def _read(key: str, value: str) -> Any:
    if key == "value":
        return value
    default, value = default_options(timed=False)[key], value.lower()
    if isinstance(default, bool):
        if value not in YES + NO:
            raise InputError(f"{key} must be yes or no, not '{shortened(value)}'")
        return value in YES
    if key == "table" and value in YES + NO:
        return ENTRIES if value in YES else 0
    if isinstance(default, int):
        return whole_number(value, key, *LIMITS[key])
    if isinstance(default, float):
        try:
            return decimal(value)
        except ValueError:
            wrong = f"{key} must be a number from 0 to {MOST_C:,}, not '{shortened(value)}'"
            raise InputError(no_time(value) if key == "time" else wrong) from None
    return value


LIMITS = {
    "depth": (TO_THE_END, LONGEST),
    "table": (0, MOST_ENTRIES),
    "simulations": (AS_TIME_ALLOWS, MOST_SIMULATIONS),
    "seed": (0, (1 << 63) - 1),
}
