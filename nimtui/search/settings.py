"""How is searched: an algorithm and its options, which together have a name."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from nimtui.engine.windows import LONGEST, slots
from nimtui.errors import InputError, shown, unknown, whole_number

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
YES, NO = ("yes", "on", "true"), ("no", "off", "false")


@dataclass(frozen=True, slots=True)
class Settings:
    """How one position is searched. InputError, in one line, for what cannot be.

    Options that the algorithm does not know are there and change nothing.
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

    def __post_init__(self) -> None:
        for key, allowed in CHOICES.items():
            if getattr(self, key) not in allowed:
                raise unknown(key, str(getattr(self, key)), allowed)
        if self.depth != TO_THE_END and not 1 <= self.depth <= LONGEST:
            raise InputError(f"depth must be from 1 to {LONGEST:,}, or −1 to the end of the game, not {self.depth:,}")
        if not 0 <= self.table <= MOST_ENTRIES:
            raise InputError(f"table must be from 0 to {MOST_ENTRIES:,} entries, not {self.table:,}")
        if not 1 <= self.simulations <= MOST_SIMULATIONS:
            raise InputError(f"simulations must be from 1 to {MOST_SIMULATIONS:,}, not {self.simulations:,}")
        if not 0 <= self.c <= MOST_C:
            raise InputError(f"c must be from 0 to {MOST_C:,.0f}, not {self.c}")
        if self.algorithm == MINIMAX and self.order != NATURAL:
            raise InputError(f"minimax looks at every move, so that order={self.order} would change nothing")
        if self.table:
            object.__setattr__(self, "table", slots(self.table))

    @property
    def name(self) -> str:
        """The one name that parses to equal settings: 'alphabeta:depth=4,order=killer'."""
        told = [
            f"{key}={_told(getattr(self, key))}"
            for key in OPTIONS[self.algorithm]
            if key in ALWAYS or getattr(self, key) != _defaults()[key]
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
    ALPHA_BETA: ("depth", "order", "table", "deepening", "heuristic"),
    MCTS: ("simulations", "c", "log", "policy", "proven", "seed"),
}
ALWAYS = ("depth", "simulations", "c")  # are told even where nothing else was said
FORMS = (
    "minimax[:depth=4,heuristic=default|original|flat,table=ENTRIES,deepening=yes|no]",
    "alphabeta[:depth=4,order=natural|killer|best-first,heuristic=…,table=ENTRIES,deepening=yes|no]",
    "mcts[:simulations=500,c=1.0,log=parent|root,policy=uniform|perfect-opponent,proven=yes|no]",
)


def _defaults() -> dict[str, Any]:
    return {field.name: field.default for field in fields(Settings)}


def _told(value: object) -> str:
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
            raise InputError(f"'{shown(part)}' is not an option of {algorithm} ({options})")
        if key not in OPTIONS[algorithm]:
            raise unknown(f"option of {algorithm}", key, OPTIONS[algorithm])
        if key in given:
            raise InputError(f"the option '{key}' of {algorithm} is given twice")
        given[key] = _read(key, value)
    return Settings(algorithm, **given)


def _read(key: str, value: str) -> Any:
    default = _defaults()[key]
    if isinstance(default, bool):
        if value not in YES + NO:
            raise InputError(f"{key} is yes or no, not '{shown(value)}'")
        return value in YES
    if key == "table" and value in YES + NO:
        return ENTRIES if value in YES else 0
    if isinstance(default, int):
        return whole_number(value.replace("−", "-"), key, *LIMITS[key])
    if isinstance(default, float):
        try:
            return float(value)
        except ValueError:
            raise InputError(f"{key} must be a number from 0 to {MOST_C:,.0f}, not '{shown(value)}'") from None
    return value


LIMITS = {
    "depth": (TO_THE_END, LONGEST),
    "table": (0, MOST_ENTRIES),
    "simulations": (1, MOST_SIMULATIONS),
    "seed": (0, (1 << 63) - 1),
}
