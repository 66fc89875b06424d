"""The set-up of a comparison of agents. It lives below the rooms that open the Compare screen."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from nimtui.errors import InputError
from nimtui.playing.setup import ME, parse_game, parse_position, parse_seed, usual_name
from nimtui.report.copies import Copy, command
from nimtui.ui.kit.contract import Preset

if TYPE_CHECKING:
    from nimtui.agents import Agent
    from nimtui.games import Game
    from nimtui.playing.session import Session

MOST_AGENTS = 4
TABLE, CURVE, DEPTHS, TREES, MAP, LIST = ("table", "curve", "depths", "trees", "map", "list")
TREE_SEARCH, ALPHA_BETA = "mcts:simulations=10000,c=1.0", "alphabeta:depth=8"


@dataclass(frozen=True, slots=True)
class CompareSetup:
    """A position and the agents on it, as people type them; `validate` checks them."""

    game: str = "connect4:4x4"
    position: str | None = None  # None: the game's own start
    agents: tuple[str, ...] = (TREE_SEARCH, ALPHA_BETA)
    seed: int = 0
    view: str = TABLE  # shown first

    def validate(self) -> CompareSetup:
        """Return the setup in canonical form. Raises InputError with one line if a text is invalid."""
        game = parse_game(self.game)
        position = parse_position(self.position or "", game)
        agents = tuple(agent.name for agent in self.parsed(game))
        return replace(self, game=self.game.strip(), position=position, agents=agents, seed=parse_seed(str(self.seed)))

    @property
    def command(self) -> Copy:
        """The command that compares these agents."""
        return command("compare", self.game, position=self.position, agent=self.agents, seed=self.seed)

    def parsed(self, game: Game) -> list[Agent]:
        """Return the agents. Raises InputError if one is invalid or named twice, or if there are none or too many."""
        from nimtui.agents import parse_agent
        from nimtui.arena.compare.comparison import check

        game = game.beginning(self.position or None)
        agents = [parse_agent(name, game) for name in self.agents]
        check(game, game.first, agents)
        if len(agents) > MOST_AGENTS:
            raise InputError(f"the screen shows at most {MOST_AGENTS} agents, not {len(agents)}")
        return agents


def beside(game: str, position: str | None, agent: str, view: str = TABLE) -> CompareSetup:
    """Return a comparison of this agent with a search: alpha-beta beside a tree search, else a tree search."""
    first = TREE_SEARCH if agent in ("", ME) else agent
    second = ALPHA_BETA if first.startswith("mcts") else TREE_SEARCH
    return CompareSetup(usual_name(game), position, (first, second), view=view)


def of_game(session: Session) -> CompareSetup:
    """Return a comparison on the position of a game, the opponent first."""
    agent = next((player.spec for player in session.players if player.spec != ME), ME)
    return beside(session.game.name, session.game.position_name(session.state), agent)


PRESETS = (
    Preset("Connect Four, 4 × 4: two searches", "MCTS, alpha-beta; lost position", CompareSetup(position="1222")),
    Preset(
        "Tower of 16, two learners",
        "reward, proof: 1,000 games each",
        CompareSetup("tower:16", "1,3,5,6", ("reward:games=1000,seed=0", "proof:games=1000,seed=0")),
    ),
    Preset(
        "Nim 3,5,4,2,6, two searches",
        "flat Monte Carlo sees nothing",
        CompareSetup("nim:3,5,4,2,6", None, ("mc:playouts=10000", "mcts:simulations=100000,c=1.0")),
    ),
    Preset(
        "Connect Four, 4 × 4: effort until right",
        "more effort, another move",
        CompareSetup("connect4:4x4", "122", (TREE_SEARCH, "mc:playouts=2000", "alphabeta:depth=10"), 0, CURVE),
    ),
)
