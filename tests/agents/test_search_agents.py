"""The agents that search: their names, what they play, what they think, how they are stopped and refused."""

from __future__ import annotations

import pytest

from nimtui.agents import Decision, parse_agent
from nimtui.engine.rng import Stream
from nimtui.games import Game, base, parse_game
from nimtui.progress import Cancelled
from tests.agents.subtraction import right
from tests.stops import StopAfter

MATCHES = parse_game("subtraction:21,3:misere")
TOWER = parse_game("tower:16")
FOUR = parse_game("connect4")


def decide(spec: str, game: Game, position: str | None = None, seed: int = 0) -> Decision:
    return parse_agent(spec, game).decide(game.new(position), Stream(seed))


def test_a_tree_search_plays_the_move_it_visited_most_and_says_what_it_knows() -> None:
    decision = decide("mcts:simulations=1000", FOUR, "4455")
    assert sum(thought.visits or 0 for thought in decision.thoughts) == 1000
    most = max(thought.visits or 0 for thought in decision.thoughts)
    assert [thought.visits for thought in decision.thoughts if thought.move == decision.move] == [most]
    assert all(thought.mean is not None and thought.ucb is not None for thought in decision.thoughts)
    assert decision.note == ""
    few = decide("mcts:simulations=6", TOWER)
    assert few.note == "10 of 16 moves were not tried: too few simulations."
    assert [thought.value is None for thought in few.thoughts] == [False] * 6 + [True] * 10
    proven = decide("mcts:simulations=9000,proven=yes", MATCHES, "10")
    assert [proven.move + 1] == right(10) and proven.note.startswith("Proven won after ")
    assert decide("mcts:simulations=9000,proven=yes", MATCHES, "5").note.startswith("Proven lost after ")


def test_it_is_the_same_with_the_same_seed_and_leaves_the_position_alone() -> None:
    for spec in ("mcts", "mcts:policy=perfect-opponent,proven=yes"):
        first, again, other = (decide(spec, TOWER, seed=seed).thoughts for seed in (1, 1, 2))
        assert first == again != other
    state = TOWER.new("1,2,3,4")
    parse_agent("mcts", TOWER).decide(state, Stream(0))
    assert TOWER.position_name(state) == "1,2,3,4"


@pytest.mark.slow
@pytest.mark.parametrize("spec", ["mcts:simulations=1000000", "mcts:simulations=1000000,policy=perfect-opponent"])
def test_a_tree_search_is_stopped_between_chunks(spec: str) -> None:
    agent = parse_agent(spec, MATCHES)
    agent.prepare()
    assert agent.ready
    with pytest.raises(Cancelled):
        agent.decide(MATCHES.new(), Stream(0), StopAfter(2))


# Minimax and alpha-beta.


def replies(spec: str) -> tuple[list[int], int]:
    """The computer's columns against a person who plays 4 3 2 1, and how the last move of either ended the game."""
    agent, state, answers = parse_agent(spec, FOUR), FOUR.new(), []
    for column in (4, 3, 2, 1):
        base.play(state, column - 1)
        if base.outcome(state) != base.GOING_ON:
            break
        move = agent.decide(state, Stream(0)).move
        answers.append(move + 1)
        base.play(state, move)
    return answers, base.outcome(state)


@pytest.mark.slow
@pytest.mark.parametrize("algorithm", ["minimax", "alphabeta"])
def test_the_printed_connect_four_game_of_the_original(algorithm: str) -> None:
    # source: original 004: 7 × 6, depth 4, the computer answers 4, 4, 4 and loses; its heuristic values a lost game
    # like any other position. Where a decided game outweighs the heuristic it is not lost.
    assert replies(f"{algorithm}:depth=4,heuristic=original") == ([4, 4, 4], base.WON)
    answers, outcome = replies(f"{algorithm}:depth=4")
    assert len(answers) == 4 and outcome == base.GOING_ON


def test_alpha_beta_plays_the_first_best_move_and_tells_bounds() -> None:
    # source: original 004: c3 with −2 is the first best of Nim (1, 2, 3, 4) at depth 4; d3 shows −2 and is −3
    game = parse_game("nim:1,2,3,4")
    decision = decide("alphabeta:depth=4,heuristic=original", game)
    thoughts = {game.move_name(thought.move): thought for thought in decision.thoughts}
    assert game.move_name(decision.move) == "c3"
    assert (thoughts["c3"].score, thoughts["c3"].bound) == (-2, "exact")
    assert (thoughts["d3"].score, thoughts["d3"].bound) == (-2, "upper")
    assert all(thought.value is None for thought in decision.thoughts)
    assert decide("alphabeta:depth=4,heuristic=original", game, seed=1).thoughts == decision.thoughts  # without chance
    minimax = decide("minimax:depth=4,heuristic=original", game)
    assert minimax.move == decision.move
    assert {game.move_name(thought.move): thought.score for thought in minimax.thoughts}["d3"] == -3
