"""Openings: the same for the same seed, half of the balanced ones won and half lost, and what cannot be is refused."""

from __future__ import annotations

from itertools import pairwise

import pytest

from nimtui.arena.play.pairings import Terms
from nimtui.arena.play.plan import FROM_THE_START, parse_openings
from nimtui.errors import InputError
from nimtui.games import Game, base, parse_game
from nimtui.games.base import State
from tests.agents.chance import uniform
from tests.examples import few

MATCHES = parse_game("subtraction:21,3:misere")


def after(game: Game, moves: tuple[int, ...]) -> State:
    """The position after these moves, all of which must be legal in a game that goes on."""
    state = game.new()
    for move in moves:
        assert base.outcome(state) == base.GOING_ON and base.legal(state, move)
        base.play(state, move)
    return state


def won(state: State) -> bool:
    """Does the player to move win? By trying everything."""
    if (ended := base.outcome(state)) != base.GOING_ON:
        return ended == base.LOST
    found = False
    for move in base.legal_moves(state):
        base.play(state, move)
        found = found or not won(state)
        base.undo(state, move)
    return found


@pytest.mark.parametrize("name", ["start", "random:1", "random:5", "balanced:2", "balanced:4"])
def test_openings_are_named_and_the_same_again(name: str) -> None:
    openings = parse_openings(name)
    assert openings.name == name and parse_openings(openings.name) == openings
    made = [openings.opening(MATCHES, 3, number) for number in range(50)]
    assert made == [openings.opening(MATCHES, 3, number) for number in range(50)]
    assert {len(opening) for opening in made} == {openings.plies}
    assert all(base.outcome(after(MATCHES, opening)) == base.GOING_ON for opening in made)
    if openings.plies > 1:
        assert made != [openings.opening(MATCHES, 4, number) for number in range(50)]


@pytest.mark.slow
@pytest.mark.parametrize("game", ["subtraction:21,3:misere", "nim:1,3,5", "nim:2,3,3:misere", "kayles:7"])
def test_balanced_openings_are_won_and_lost_by_turns(game: str) -> None:
    board, openings = parse_game(game), parse_openings("balanced:2")
    worth = [won(after(board, openings.opening(board, 1, number))) for number in range(few(8, 20))]
    assert worth == [True, False] * (len(worth) // 2)


def test_random_openings_are_any_moves() -> None:
    first = [parse_openings("random:1").opening(MATCHES, 0, number)[0] for number in range(900)]
    assert uniform([first.count(move) for move in range(3)])


def test_the_two_games_of_a_pair_share_an_opening_and_so_do_all_pairings() -> None:
    openings = parse_openings("random:3")
    terms = [Terms(MATCHES, 5, pairing, True, openings) for pairing in (0, 8)]
    opened = [[each.opening(number) for number in range(20)] for each in terms]
    assert opened[0] == opened[1]
    assert opened[0][::2] == opened[0][1::2]
    assert any(a != b for a, b in pairwise(opened[0][::2]))
    ordered = Terms(MATCHES, 5, 0, False, openings)
    assert [ordered.opening(number) for number in range(10)] == opened[0][::2]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("balenced", "did you mean balanced"),
        ("random:0", "from 1 to 60"),
        ("random:x", "whole number"),
        ("start:2", "take no number"),
    ],
)
def test_what_is_not_understood_is_said_in_a_line(name: str, said: str) -> None:
    with pytest.raises(InputError, match=said) as raised:
        parse_openings(name)
    assert "\n" not in str(raised.value)


def test_openings_that_a_game_cannot_have_are_refused() -> None:
    short = parse_game("nim:1,1")  # both moves of every game are forced, but for their order
    parse_openings("random:1").check(short)
    with pytest.raises(InputError, match=r"not over.* after 2 moves"):
        parse_openings("random:2").check(short)
    with pytest.raises(InputError, match=r"a (win|loss) for the player to move after 1 move,"):
        parse_openings("balanced:1").check(short)
    with pytest.raises(InputError, match="need a solved game; connect:8x6x4"):
        parse_openings("balanced:2").check(parse_game("connect4:8x6"))
    FROM_THE_START.check(parse_game("connect4"))
