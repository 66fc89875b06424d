"""The model of a running game: whose turn, undo and redo with a machine, the same game from the same seed."""

from __future__ import annotations

import pytest

from nimtui.agents import Decision, Thought
from nimtui.errors import InputError
from nimtui.playing.session import Hold, Learned, Session
from nimtui.playing.setup import PlaySetup


def session(game: str = "tower:16", first: str = "me", second: str = "random", seed: int = 1) -> Session:
    return Session(PlaySetup(game, None, (first, second), seed))


def typed(game: Session, *names: str) -> None:
    for name in names:
        game.play(game.game.parse_move(name, game.state))


def answered(game: Session) -> str:
    """Let the agent to move decide and play; the name of its move."""
    agent = game.waiting_for
    assert agent is not None
    decision = agent.decide(game.state, game.stream())
    game.play(decision.move, decision)
    return game.game.move_name(decision.move)


def played_out(game: Session) -> list[str]:
    while not game.over:
        answered(game)
    return game.move_names()


def test_a_person_moves_then_the_machine_is_asked() -> None:
    game = session()
    assert game.person_may_move and game.waiting_for is None and (game.opponent, game.me) == (1, 0)
    typed(game, "c3")
    assert not game.person_may_move
    assert game.waiting_for is not None and game.waiting_for.name == "random"
    assert session(second="me").opponent is None and session(first="random", second="me").me == 1
    assert game.sides == [0, 1] and session(first="random", second="me").sides == [1, 0]


def test_the_same_seed_replays_the_same_game_and_another_seed_another() -> None:
    games = [played_out(session(first="random", seed=seed)) for seed in (5, 5, 6)]
    assert games[0] == games[1] != games[2]


def test_a_machine_asked_again_after_undo_gives_the_same_answer() -> None:
    game = session(seed=9)
    typed(game, "d4")
    first = answered(game)
    game.undo()
    typed(game, "d4")
    assert answered(game) == first


def test_undo_takes_back_the_machines_answer_too_and_redo_brings_both_again() -> None:
    game = session()
    typed(game, "d4")
    answered(game)
    moves = game.move_names()
    assert game.undo() and game.record.ply == 0 and game.person_may_move
    assert game.move_names() == moves  # what was taken back is still known
    assert game.redo() and game.record.ply == 2 and game.person_may_move


def test_undo_goes_back_to_ones_own_last_move() -> None:
    game = session()
    typed(game, "d4")
    assert game.waiting_for is not None  # while the machine thinks
    assert game.undo() and game.record.ply == 0
    game = session(first="random", second="me")
    answered(game)
    assert game.undo_ply is None and not game.undo() and game.record.ply == 1  # its opening move stays
    game = session("nim:1,1", "me", "random")
    typed(game, "a1")
    answered(game)
    assert game.over and game.record.winner == 1
    assert game.undo() and game.record.ply == 0


def test_between_two_people_undo_is_one_move_and_another_move_forgets_what_was_taken_back() -> None:
    game = session(second="me")
    typed(game, "a1", "b2", "c3")
    assert game.undo() and game.record.ply == 2 and game.redo_ply == 3
    assert game.redo() and game.record.ply == 3 and game.redo_ply is None and not game.redo()
    game.goto(1)
    typed(game, "b3")
    assert game.move_names() == ["a1", "b3"] and game.redo_ply is None


def test_two_agents_are_paused_by_undo_and_step_by_single_moves() -> None:
    game = session(first="random")
    answered(game)
    answered(game)
    game.undo()
    assert game.hold is Hold.PAUSED and game.waiting_for is None and not game.person_may_move
    game.step()
    answered(game)
    assert game.record.ply == 2 and game.waiting_for is None
    game.resume()
    assert game.waiting_for is not None


def test_a_person_may_move_for_an_agent_that_failed_and_the_game_goes_on() -> None:
    game = session()
    typed(game, "a1")
    game.fail("it broke")
    assert game.hold is Hold.FAILED and game.waiting_for is None and game.person_may_move
    typed(game, "b1")
    assert game.hold is None and game.to_move.is_person and game.fault == ""


def test_seats_are_taken_over_and_swapped_and_what_is_wrong_changes_nothing() -> None:
    game = session(seed=7)
    typed(game, "a1")
    with pytest.raises(ValueError, match="does not allow the move"):
        game.play(0, Decision(0, (Thought(0),)))  # a1 is gone
    assert game.record.ply == 1 and game.reflection is None
    game.fail("it broke")
    with pytest.raises(InputError, match="perfekt"):
        game.seat(1, "perfekt")
    assert game.players[1].spec == "random" and game.hold is Hold.FAILED
    game.seat(1, "perfect")
    assert game.waiting_for is not None and game.waiting_for.name == "perfect" and game.fault == ""
    game.swap()
    assert game.to_move.is_person and game.me == 1 and game.move_names() == ["a1"]
    assert game.setup() == PlaySetup("tower:16", None, ("perfect", "me"), 7)
    watched = session(first="random")
    watched.stop()
    watched.swap()
    assert watched.hold is Hold.PAUSED and not watched.person_may_move


def test_thoughts_belong_to_their_ply() -> None:
    game = session(first="perfect", second="perfect")
    answered(game)
    answered(game)
    assert game.reflection is not None and game.reflection.ply == 1
    game.undo()
    assert game.reflection is not None and game.reflection.ply == 0
    other = next(move for move in range(16) if game.game.move_name(move) not in game.move_names())
    game.play(other)
    assert set(game.reflections) == {0}


def test_taken_matches_are_known_by_who_took_them() -> None:
    game = session(second="me")
    typed(game, "b2", "d3")
    assert game.owners() == {(1, 1): 0, (1, 2): 0, (3, 4): 1, (3, 5): 1, (3, 6): 1}
    assert game.owners(1) == {(1, 1): 0, (1, 2): 0}


def test_only_a_learned_opponent_learns_only_once_and_only_at_the_end() -> None:
    game = session("nim:1,1", "me", "easy")
    assert not game.can_learn and session(second="random").pupil is None
    typed(game, "a1")
    answered(game)
    assert game.can_learn
    game.learn(Learned((), (), ()))
    assert not game.can_learn and game.learned is not None
    game.unlearn()
    assert game.can_learn and game.learned is None


def test_a_position_can_be_played_from() -> None:
    game = Session(PlaySetup("tower:16", "1,0,0,2", ("me", "me"), 0))
    typed(game, "d2", "a1")
    assert game.over and game.record.winner == 1
    with pytest.raises(InputError):
        Session(PlaySetup("tower:16", "9,9", ("me", "me"), 0))


def test_moves_stay_those_of_who_made_them_when_the_players_change() -> None:
    game = session(second="random")
    typed(game, "a1")
    answered(game)
    assert game.labels == ["you", "random"] and set(game.owners().values()) == {0, 1}
    before = game.owners()
    game.swap()
    assert game.labels == ["you", "random"] and game.owners() == before and game.sides == [1, 0]
    answered(game)  # the machine has the first seat now
    assert game.labels == ["you", "random", "random"] and game.authors[2].side == 1
    game.seat(0, "perfect")
    assert game.labels == ["you", "random", "random"] and game.names_at(2) == ("Random", "You")
    assert game.names_at(0) == ("You", "Random")


def test_a_move_made_for_an_agent_is_the_persons() -> None:
    game = session(second="random")
    typed(game, "a1")
    game.stop()
    typed(game, "b2")
    assert game.labels == ["you", "you"] and game.authors[1].person and game.authors[1].side == 0
    assert game.names_at(1) == ("You", "Random")


def test_a_move_made_again_is_of_who_made_it_last_and_what_follows_stays_known() -> None:
    game = session(second="me")
    typed(game, "a1", "b2", "c3")
    assert game.labels == ["first", "second", "first"]
    game.goto(0)
    game.seat(1, "random")
    typed(game, "a1")
    assert game.labels == ["you", "second", "first"] and game.move_names() == ["a1", "b2", "c3"]
    game.goto(0)
    typed(game, "d1")
    assert game.labels == ["you"]


def test_two_agents_of_one_kind_are_told_apart() -> None:
    game = session(first="random", second="random")
    answered(game)
    answered(game)
    assert game.labels == ["first", "second"] and game.names_at(0) == ("Random (first)", "Random (second)")
