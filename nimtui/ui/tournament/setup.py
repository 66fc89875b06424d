"""The settings of a new tournament: games, agents, pairings, number of games, openings and workers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from nimtui.errors import InputError, reading
from nimtui.report.copies import Copy, command
from nimtui.ui.kit.contract import Preset

if TYPE_CHECKING:
    from nimtui.arena.play.limits import Limits
    from nimtui.arena.play.plan import Plan

LONGEST_NAME = 60


class Entrant(NamedTuple):
    """A typed agent; an empty text holds a place. Those that joined later, the last ones, have their pairings last."""

    text: str
    later: bool = False


@dataclass(frozen=True)
class TournamentSetup:
    """One tournament, its games and agents as people type them. `plan` checks it."""

    games: tuple[str, ...]
    agents: tuple[str, ...]
    pairs: str = "round-robin"
    number: int = 100  # games per pairing
    openings: str = "start"
    seed: int = 0
    sprt: str | None = None  # a sequential test that ends a pairing early
    workers: int | None = None  # processes; None: one per core
    name: str = ""  # given by the user
    move_time: float | None = None  # seconds per move: 0 no limit, None the default
    game_time: float = 0.0  # seconds per game, for all moves of an agent
    joined: int = 0  # the number of last agents that joined later
    thoughts: bool = False  # save what the agents believed of their moves
    increment: float = 0.0  # seconds added to the time of the game after each move
    nodes: int = 0  # that programs are told
    fault: str = "game"  # what a fault costs
    folder: str = ""  # of a class, whose settings hold instead of all but game and workers; '': none

    @property
    def limits(self) -> Limits:
        """Return the time limits of the agents. InputError if they are invalid."""
        from nimtui.arena.play.limits import Limits

        return Limits(self.move_time, self.game_time, self.increment, self.nodes)

    def plan(self) -> Plan:
        """Return the plan. InputError, one line, if something is wrong."""
        from nimtui.arena.play.plan import plan

        settings = self.games, self.agents, self.pairs, self.number, self.openings, self.seed, self.sprt
        return plan(*settings, self.limits, joined=self.joined, thoughts=self.thoughts, fault=self.fault)

    @property
    def command(self) -> Copy:
        """The command that plays this tournament."""
        if self.folder:
            return command("class", self.folder, *self.games[:1], workers=self.workers)
        parted = len(self.agents) - self.joined
        return command(
            "tournament",
            *self.games,
            agent=self.agents[:parted],
            join=self.agents[parted:],
            games=self.number,
            pairs=self.pairs,
            openings=self.openings,
            sprt=self.sprt,
            seed=self.seed,
            move_time=self.move_time,
            game_time=self.game_time or None,
            increment=self.increment or None,
            nodes=self.nodes or None,
            fault=None if self.fault == "game" else self.fault,
            save_thoughts=self.thoughts or None,
            workers=self.workers,
            name=self.name or None,
        )

    @classmethod
    def of(cls, plan: Plan, workers: int | None = None, name: str = "") -> TournamentSetup:
        """Return the set-up of a plan."""
        return cls.from_document({**plan.document(), "workers": workers, "name": name})

    def document(self) -> dict[str, Any]:
        """Return it as plain values, from which `from_document` makes an equal one."""
        return {**asdict(self), "games": list(self.games), "agents": list(self.agents)}

    @classmethod
    def from_document(cls, keys: Mapping[str, Any]) -> TournamentSetup:
        """Return a saved set-up; its agents may be missing here. InputError if it is invalid."""
        from nimtui.arena.play.limits import Limits

        with reading(str(dict(keys)), "a set-up of a tournament"):
            return cls(
                _names(keys["games"]),
                _names(keys["agents"]),
                str(keys["pairs"]),
                int(keys["number"]),
                str(keys["openings"]),
                int(keys["seed"]),
                None if keys["sprt"] is None else str(keys["sprt"]),
                None if keys["workers"] is None else int(keys["workers"]),
                parse_name(str(keys["name"])),
                joined=int(keys.get("joined", 0)),
                thoughts=keys.get("thoughts", False) is True,
                fault=str(keys.get("fault", "game")),
                folder=str(keys.get("folder", "")),
                **Limits.from_document(keys).document(),
            )


def _names(texts: Sequence[Any]) -> tuple[str, ...]:
    if isinstance(texts, str):
        raise TypeError("one text is not a list of them")
    return tuple(str(text) for text in texts)


def parse_name(text: str) -> str:
    """Return a name with single spaces; may be empty. InputError if it is not a line of text."""
    name = " ".join(text.split())
    if not name.isprintable():
        raise InputError("a name is one line of printable characters")
    if len(name) > LONGEST_NAME:
        raise InputError(f"a name has at most {LONGEST_NAME} letters, not {len(name)}")
    return name


OWN = TournamentSetup(("tower:16",), ())  # without agents


PRESETS = (
    Preset(
        "Six agents, all 36 ordered pairs",
        "21 matches, take 1 to 3, misère",
        TournamentSetup(
            ("subtraction:21,3:misere",),
            (
                "random",
                "perfect",
                "value",
                "mc:playouts=1000",
                "mc:playouts=1000,policy=perfect-opponent",
                "mcts:simulations=500",
            ),
            "ordered",
        ),
    ),
    Preset(
        "What do a million games teach?",
        "learners on the tower of 16",
        TournamentSetup(("tower:16",), ("easy", "medium", "hard", "perfect"), openings="balanced:2"),
    ),
    Preset(
        "Who searches best?",
        "five searches on Connect Four, 4 × 4",
        TournamentSetup(
            ("connect4:4x4",),
            ("alphabeta:depth=2", "alphabeta:depth=6", "mcts:simulations=500", "mc:playouts=100", "random"),
            openings="random:4",
        ),
    ),
    Preset(
        "Do more simulations help?",
        "tree searches, until it is certain",
        TournamentSetup(
            ("connect4",),
            ("mcts:simulations=2000", "mcts:simulations=1000", "mcts:simulations=500"),
            "gauntlet",
            2_000,
            "random:4",
            sprt="elo0=0,elo1=50",
        ),
    ),
)
