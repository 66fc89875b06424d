"""Monte Carlo tree search: grows a tree of games towards what looks good, and plays the move it visited most."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from time import perf_counter
from typing import TYPE_CHECKING

from nimtui.agents.agent import Decision, Thought, moves_of
from nimtui.agents.options import Options, canonical
from nimtui.engine.rng import Stream
from nimtui.errors import InputError
from nimtui.games import Game, base
from nimtui.games.base import State
from nimtui.progress import SILENT, Progress
from nimtui.search.mcts import MOST_C, MOST_SIMULATIONS, SIMULATIONS, C, MonteCarloSearch, why_not

if TYPE_CHECKING:
    from nimtui.theory.truth import Truth

NAMES = ("mcts",)
FORMS = (
    (
        "mcts[:simulations=500,c=1.0,log=parent|root,policy=uniform|perfect-opponent,proven=yes|no]",
        "tree search by Monte Carlo (UCB1): plays the move it has visited most",
    ),
)
PRESETS = (
    ("Monte Carlo tree search, 500 simulations", "mcts"),
    ("Monte Carlo tree search, 10,000 simulations", "mcts:simulations=10000"),
)


class Log(Enum):
    """Whose count stands under the logarithm of the bound."""

    PARENT = "parent"
    ROOT = "root"  # as original 002 has it


class Policy(Enum):
    """How the playouts are played."""

    UNIFORM = "uniform"
    PERFECT_OPPONENT = "perfect-opponent"  # of the player whose move led to the leaf; that one moves at random


@dataclass
class MonteCarloTreeSearch:
    """So many simulations, a new tree for every decision."""

    game: Game
    simulations: int = SIMULATIONS
    c: float = C
    log: Log = Log.PARENT
    policy: Policy = Policy.UNIFORM
    proven: bool = False
    _loaded: bool = field(default=False, repr=False)
    _truth: Truth | None = field(default=None, repr=False)  # held, so that it is not worked out for every decision

    @property
    def name(self) -> str:
        return canonical(
            "mcts",
            {
                "simulations": (self.simulations, SIMULATIONS),
                "c": (self.c, C),
                "log": (self.log, Log.PARENT),
                "policy": (self.policy, Policy.UNIFORM),
                "proven": ("yes" if self.proven else "no", "no"),
            },
        )

    @property
    def title(self) -> str:
        told = [f"{self.simulations:,} simulation{'s' if self.simulations != 1 else ''}"]
        if self.c != C:
            told.append(f"c {self.c:g}")
        if self.log is Log.ROOT:
            told.append("root's count")
        if self.policy is Policy.PERFECT_OPPONENT:
            told.append("perfect opponent")
        if self.proven:
            told.append("proving")
        return f"Tree search ({', '.join(told)})"

    @property
    def ready(self) -> bool:
        return self._loaded

    def prepare(self, progress: Progress = SILENT) -> None:
        """Load the engine, compiled for this game; for a perfect opponent work out its moves."""
        if self._loaded:
            return
        if self.policy is Policy.PERFECT_OPPONENT:
            from nimtui.theory.truth import truth

            self._truth = truth(self.game, progress)
        if base.outcome(self.game.start) == base.GOING_ON:
            self.search(self.game.start, Stream(0), 1).run(progress)
        self._loaded = True

    def search(self, state: State, stream: Stream, simulations: int | None = None) -> MonteCarloSearch:
        """A search of this position, as this agent makes them, not yet run."""
        return MonteCarloSearch(
            self.game,
            state,
            simulations or self.simulations,
            self.c,
            self.log.value,
            self.policy.value,
            self.proven,
            stream,
        )

    def decide(self, state: State, stream: Stream, progress: Progress = SILENT) -> Decision:
        began = perf_counter()
        moves_of(state)
        self.prepare(progress)
        search = self.search(state, stream).run(progress)
        thoughts = tuple(
            Thought(found.move, found.value, visits=found.visits, mean=found.mean, ucb=found.ucb)
            for found in search.moves
        )
        return Decision(search.best.move, thoughts, _note(search), perf_counter() - began)


def _note(search: MonteCarloSearch) -> str:
    """What is proven, where it ended the search early; which moves it had no time for."""
    if search.settled:
        word = {1.0: "won", -1.0: "lost"}.get(search.value, "drawn")
        return f"Proven {word} after {search.done:,} of {search.simulations:,} simulations."
    untried = sum(not found.visits for found in search.moves)
    return f"{untried} of {len(search.moves)} moves were not tried in so few simulations." if untried else ""


def parse(word: str, text: str, game: Game) -> MonteCarloTreeSearch:
    options = Options(word, text, ("simulations", "c", "log", "policy", "proven"))
    agent = MonteCarloTreeSearch(
        game,
        options.whole("simulations", SIMULATIONS, 1, MOST_SIMULATIONS),
        options.real("c", C, 0.0, MOST_C),
        options.choice("log", Log.PARENT),
        options.choice("policy", Policy.UNIFORM),
        options.yes("proven"),
    )
    if (fault := why_not(game.start, agent.simulations, agent.policy.value, agent.proven)) is not None:
        raise InputError(fault)
    return agent
