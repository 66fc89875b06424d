"""The agents minimax and alphabeta: their names, the moves of the original, what they know for certain."""

from __future__ import annotations

import pytest

from nimtui import theory
from nimtui.agents import Decision, parse_agent
from nimtui.arena import play_match
from nimtui.engine.rng import Stream
from nimtui.errors import InputError
from nimtui.games import Game, base, parse_game
from nimtui.progress import Cancelled
from tests.stops import StopAfter

TOWER = parse_game("tower:16")
FOUR = parse_game("connect4")


def decide(spec: str, game: Game, position: str | None = None) -> Decision:
    return parse_agent(spec, game).decide(game.new(position), Stream(0))


@pytest.mark.parametrize(
    ("given", "name", "title"),
    [
        ("minimax", "minimax:depth=4", "Minimax (depth 4)"),
        ("AlphaBeta: depth=6", "alphabeta:depth=6", "Alpha-beta (depth 6)"),
        ("alphabeta:depth=-1", "alphabeta:depth=-1", "Alpha-beta (to the end)"),
        (
            "alphabeta:order=killer,heuristic=original,depth=3",
            "alphabeta:depth=3,order=killer,heuristic=original",
            "Alpha-beta (depth 3, killer moves first, the document's heuristic)",
        ),
        (
            "alphabeta:depth=5,table=1000,deepening=yes,order=best-first",
            "alphabeta:depth=5,order=best-first,table=1024,deepening=yes",
            "Alpha-beta (depth 5, best first, deepening, with a table)",
        ),
    ],
)
def test_a_search_is_named(given: str, name: str, title: str) -> None:
    agent = parse_agent(given, TOWER)
    assert (agent.name, agent.title) == (name, title)
    assert parse_agent(agent.name, TOWER).name == name


@pytest.mark.parametrize(
    ("spec", "game", "line"),
    [
        ("alphabeta:depth=0", TOWER, "depth must be from"),
        ("alphabeta:dept=3", TOWER, "did you mean depth?"),
        ("alphabeta:order=killers", TOWER, "did you mean killer?"),
        ("minimax:order=killer", TOWER, "minimax"),
        ("alphabeta:heuristic=none", TOWER, "unknown heuristic 'none'"),
        ("alphabeta:depth=-1", FOUR, "give a smaller depth"),
        ("minimax:simulations=3", TOWER, "minimax"),
    ],
)
def test_what_a_search_cannot_be_is_refused_in_one_line(spec: str, game: Game, line: str) -> None:
    with pytest.raises(InputError) as refused:
        parse_agent(spec, game)
    assert line in str(refused.value) and "\n" not in str(refused.value)


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
    minimax = decide("minimax:depth=4,heuristic=original", game)
    assert minimax.move == decision.move
    assert {game.move_name(thought.move): thought.score for thought in minimax.thoughts}["d3"] == -3


@pytest.mark.slow
@pytest.mark.parametrize("name", ["nim:1,2,3", "nim:2,3:misere", "adjacent:2,3", "connect:3x3x3"])
@pytest.mark.parametrize("spec", ["minimax:depth=-1", "alphabeta:depth=-1,order=killer", "alphabeta:depth=-1"])
def test_to_the_end_it_keeps_the_outcome_and_what_it_says_for_certain_is_so(name: str, spec: str) -> None:
    game, stream = parse_game(name), Stream(3)
    agent = parse_agent(spec, game)
    for _ in range(12):
        state = game.new()
        while base.outcome(state) == base.GOING_ON:
            verdict = theory.solve(game, state)
            decision = agent.decide(state, stream)
            assert decision.move in verdict.best_moves
            worth = {theory.Outcome.WIN: 1.0, theory.Outcome.LOSS: -1.0, theory.Outcome.DRAW: 0.0}
            for thought in decision.thoughts:
                if thought.value is not None:
                    base.play(state, thought.move)
                    after = worth[theory.solve(game, state).outcome]
                    base.undo(state, thought.move)
                    assert thought.value == -after
            [played] = [thought for thought in decision.thoughts if thought.move == decision.move]
            assert played.value == worth[verdict.outcome]
            base.play(state, stream.choose(base.legal_moves(state)))


def test_it_wins_matches_against_random_play_and_leaves_nothing_to_chance() -> None:
    game = parse_game("connect:5x4x4")
    searcher, random = parse_agent("alphabeta:depth=5", game), parse_agent("random", game)
    result = play_match(game, searcher, random, games=20, seed=2, alternate=True)
    assert result.by_agent[0].wins >= 16
    first, again = (searcher.decide(game.new("33"), Stream(seed)).thoughts for seed in (1, 2))
    assert first == again


def test_it_is_stopped_between_chunks_and_a_finished_game_has_no_decision() -> None:
    deep = parse_agent("alphabeta:depth=14", FOUR)
    deep.prepare()
    assert deep.ready
    with pytest.raises(Cancelled):
        deep.decide(FOUR.new(), Stream(0), StopAfter(3))
    with pytest.raises(InputError, match="the game is over"):
        parse_agent("minimax", TOWER).decide(TOWER.new("0,0,0,0"), Stream(0))
