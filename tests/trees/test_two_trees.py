"""Two search trees walked by the same moves, against each tree alone."""

from __future__ import annotations

import pytest

from nimtui.games import base, parse_game
from nimtui.trees import Search, parse, search_of
from nimtui.trees.compare import Half, Place, TwoTrees

GAME = parse_game("connect4:4x4")
STATE = GAME.new("122")


def grown(one: str, other: str) -> tuple[TwoTrees, Search, Search]:
    first, second = (search_of(GAME, STATE, parse(name)).run() for name in (one, other))
    return TwoTrees(GAME, STATE, first.tree, second.tree), first, second


def test_a_place_has_what_both_trees_say_of_its_move() -> None:
    trees, first, second = grown("mcts:simulations=300", "alphabeta:depth=4")
    places = {place.path: place for place in trees.lines()}
    assert set(places) == {(move,) for move in base.legal_moves(STATE)}
    for found, alone in zip(first.result.moves, second.result.moves, strict=True):
        one, other = places[(found.move,)].halves
        assert one is not None and (one.size, one.value) == (found.visits, pytest.approx(found.mean))
        assert other is not None and (other.value, other.bound) == (alone.value, alone.bound)
        assert one.best == (found.move == first.result.best_move)
        assert other.best == (alone.move == second.result.best_move)


def test_the_sizes_below_a_place_add_up() -> None:
    trees, _, second = grown("minimax:depth=4", "alphabeta:depth=4")
    for path in ((), (0,), (1, 2)):
        here = [trees.node(path, at) for at in (0, 1)]
        below = trees.children(path)
        for at, node in enumerate(here):
            size = sum(half.size for place in below if (half := place.halves[at]) is not None)
            assert node is not None and size == trees.trees[at].below(node)  # type: ignore[attr-defined]
    whole = sum(half.size for place in trees.children(()) if (half := place.halves[1]) is not None)
    assert whole + 1 == second.nodes


def test_what_alpha_beta_pruned_only_minimax_has() -> None:
    trees, _, second = grown("minimax:depth=4", "alphabeta:depth=4")
    todo, only = [()], 0
    while todo:
        for place in trees.children(todo.pop()):
            assert place.halves[0] is not None  # minimax searches every move
            if place.only == 0:
                only += 1
            else:
                todo.append(place.path)
    assert only == second.result.skipped > 0


def test_the_best_lines_part_where_the_best_moves_first_differ() -> None:
    trees, first, second = grown("mcts:simulations=300", "alphabeta:depth=4")
    one, other = first.result.principal_variation, second.result.principal_variation
    ply = next(at for at, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1])
    assert trees.parting() == one[: ply + 1]
    alike, _, _ = grown("minimax:depth=4", "alphabeta:depth=4")
    assert alike.parting() == ()  # alpha-beta finds the line of minimax


def test_lines_unfold_and_fold() -> None:
    trees, _, _ = grown("minimax:depth=2", "alphabeta:depth=2")
    before = [place.path for place in trees.lines()]
    assert trees.unfold((1,)) and not trees.unfold((1, 0, 0))
    shown = [place.path for place in trees.lines()]
    assert shown == sorted(shown) and set(shown) - set(before) == {(1, move) for move in range(4)}
    trees.fold((1,))
    assert [place.path for place in trees.lines()] == before
    trees.reveal((2, 0))
    assert (2, 0) in [place.path for place in trees.lines()]


@pytest.mark.parametrize(
    ("one", "other", "opposed"),
    [
        ((0.5, "exact"), (-2.0, "exact"), True),
        ((0.5, "exact"), (-2.0, "lower"), False),  # at least −2 may be an advantage
        ((0.5, "exact"), (-2.0, "upper"), True),
        ((-0.5, "exact"), (2.0, "upper"), False),
        ((0.5, "exact"), (2.0, "exact"), False),
        ((0.0, "exact"), (-2.0, "exact"), False),
    ],
)
def test_values_contradict_each_other_only_if_both_are_sure_of_a_side(
    one: tuple[float, str], other: tuple[float, str], opposed: bool
) -> None:
    halves = (Half(1, *one, 1, True), Half(1, *other, 1, True))
    assert Place((0,), halves).opposed == opposed and not Place((0,), halves).parts
    assert Place((0,), (halves[0], None)).only == 0 and Place((0,), (None, halves[1])).parts
