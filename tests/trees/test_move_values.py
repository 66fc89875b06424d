"""What a search believes beside what is so."""

from __future__ import annotations

from nimtui.games import parse_game
from nimtui.theory import Outcome
from nimtui.theory.answers import move_values
from nimtui.trees.report import judged_moves
from tests.trees.helpers import ORIGINAL, search


def test_the_original_move_is_marked_wrong() -> None:
    # Source: the heuristic of minimax and alpha-beta values won and lost ends alike; from (1,2,3,4) only d4 wins.
    game = parse_game("nim:1,2,3,4")
    truths = move_values(game, game.new())
    assert [game.move_name(truth.move) for truth in truths if truth.optimal] == ["d4"]
    found = {
        game.move_name(one.truth.move): one for one in judged_moves(truths, search("nim:1,2,3,4", ORIGINAL).result)
    }
    assert [name for name, one in found.items() if one.wrong] == ["c3"]
    assert found["c3"].preferred and found["c3"].claim is None


def test_a_search_to_the_end_claims_and_is_right() -> None:
    for name in ("nim:1,2,3:misere", "connect:3x3x3", "kayles:4,3"):
        game = parse_game(name)
        result = search(name, "alphabeta:depth=-1").result
        found = judged_moves(move_values(game, game.new()), result)
        assert not any(one.wrong for one in found)
        [best] = [one for one in found if one.preferred]
        assert best.claim is best.truth.outcome


def test_bounds_claim_only_what_they_leave_no_doubt_of() -> None:
    found = judged_moves(
        move_values(parse_game("nim:2,3"), parse_game("nim:2,3").new()),
        search("nim:2,3", "alphabeta:depth=-1").result,
    )
    assert {one.claim for one in found if one.believed.bound == "upper"} <= {None, Outcome.LOSS}
    assert Outcome.WIN in {one.claim for one in found}
