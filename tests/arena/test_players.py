"""Asked for their moves alone, agents play what they decide, with the same random numbers."""

from __future__ import annotations

from pathlib import Path

import pytest

from nimtui.agents import Decision, parse_agent
from nimtui.agents.agent import AlwaysReady, Deterministic
from nimtui.arena.play import players
from nimtui.arena.play.pairings import policy_of
from nimtui.arena.play.players import CachingPlayer, Player, PolicyPlayer, player
from nimtui.engine.rng import Stream
from nimtui.games import Game, base, parse_game
from nimtui.games.base import State
from nimtui.progress import SILENT, Progress
from nimtui.theory.truth import truth

AGENTS = (
    "random",
    "perfect",
    "value",
    "mc:playouts=30",
    "mc:playouts=30,policy=perfect-opponent",
    "mc:playouts=30,pick=row-then-count",
    "mcts:simulations=40",
    "mcts:simulations=40,proven=yes",
    "alphabeta:depth=3",
    "minimax:depth=2",
    "easy",
    "quality:games=100",
    "q:games=100",
)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NIMTUI_HOME", str(tmp_path))


def positions(game: Game, number: int) -> list[State]:
    """Some positions of random games."""
    stream, state, found = Stream(9), game.new(), []
    while len(found) < number:
        found.append(base.copy(state))
        base.play(state, stream.choose(base.legal_moves(state)))
        if base.outcome(state) != base.GOING_ON:
            state = game.new()
    return found


@pytest.mark.slow
@pytest.mark.parametrize("name", AGENTS)
@pytest.mark.parametrize("game", ["nim:1,3,5,7", "nim:4,5:max=2:misere", "connect:3x3x3"])
def test_a_player_plays_what_its_agent_decides(name: str, game: str) -> None:
    board = parse_game(game)
    agent = parse_agent(name, board)
    known = truth(board)
    policy = policy_of(agent, known)
    asked = [Player(agent), player(agent)]
    if policy is not None:
        asked.append(player(agent, policy, known))
        assert isinstance(asked[-1], PolicyPlayer)
    for seed, state in enumerate(positions(board, 12)):
        stream = Stream(seed)
        move, left = agent.decide(state, stream).move, stream.bits64()
        for other in asked:
            stream = Stream(seed)
            assert (other.choose(base.copy(state), stream, SILENT), stream.bits64()) == (move, left)


class Counting(AlwaysReady, Deterministic):
    """The last of all moves, and how often that was asked for."""

    name = title = "counting"
    asked = 0

    def decide(self, state: State, stream: Stream, progress: Progress = SILENT) -> Decision:
        self.asked += 1
        return Decision(base.legal_moves(state)[-1], ())


def test_who_always_plays_alike_is_asked_once_about_a_position(monkeypatch: pytest.MonkeyPatch) -> None:
    board, agent = parse_game("nim:3,4"), Counting()
    asked = player(agent)
    assert isinstance(asked, CachingPlayer)
    seen = [*positions(board, 30)] * 2
    moves = [asked.choose(base.copy(state), Stream(0), SILENT) for state in seen]
    assert moves == [base.legal_moves(state)[-1] for state in seen]
    assert agent.asked == len({state.board.tobytes() for state in seen}) < 30

    monkeypatch.setattr(players, "REMEMBERED", 0)  # then it remembers nothing
    forgetful, agent.asked = player(agent), 0
    assert [forgetful.choose(base.copy(state), Stream(0), SILENT) for state in seen] == moves
    assert agent.asked == len(seen)
