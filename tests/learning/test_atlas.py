"""The orders of all positions: nothing is lost, and what belongs together lies together."""

from __future__ import annotations

import numpy as np
import pytest

from nimtui.games import parse_game
from nimtui.learning.atlas import orders
from nimtui.theory.truth import truth

GAMES = ["nim:3,5", "subtraction:21,3:misere", "adjacent:1,2", "connect:3x2x2"]


@pytest.mark.parametrize("name", GAMES)
def test_every_order_has_every_position_once_and_groups_that_follow_each_other(name: str) -> None:
    game = parse_game(name)
    known = truth(game)
    found = orders(known, game)
    assert len({order.name for order in found}) == 3
    for order in found:
        assert np.array_equal(np.sort(order.nodes), np.arange(len(known.graph.order)))
        for axis in (order.across, order.down):
            if axis is not None:
                assert (np.diff(axis.of) >= 0).all()
                assert 0 <= axis.of.min() <= axis.of.max() == len(axis.labels) - 1


def test_connect_is_ordered_by_plies_left_and_by_exact_value() -> None:
    game = parse_game("connect:3x3x3")
    known = truth(game)
    by_level, by_value, _ = orders(known, game)
    assert (by_level.name, by_value.name) == ("plies left", "exact value")
    assert by_value.down is not None
    labels = [by_value.down.labels[group] for group in by_value.down.of.tolist()]
    words = {-1: "lost", 0: "drawn", 1: "won"}
    assert labels == [words[value] for value in known.values[by_value.nodes].tolist()]


def test_nim_sum_0_is_lost_in_normal_play() -> None:
    game = parse_game("nim:7,5,3")
    known = truth(game)
    order = orders(known, game)[1]
    assert order.name == "nim-sum" and order.down is not None
    sums = [int(np.bitwise_xor.reduce(known.graph.boards[node, :3])) for node in order.nodes]
    assert [int(order.down.labels[group]) for group in order.down.of] == sums
    assert [total == 0 for total in sums] == (known.values[order.nodes] == -1).tolist()


def test_limited_takes_have_grundy_values_not_nim_sums() -> None:
    game = parse_game("subtraction:21,3")
    assert [order.name for order in orders(truth(game), game)] == ["matches left", "Grundy value", "number"]


def test_numbers_count_like_an_odometer() -> None:
    game = parse_game("tower:16")
    order = orders(truth(game), game)[2]
    assert (order.periods, order.lead) == ((2, 8, 48, 384), 1)
    game = parse_game("connect:3x3x3")  # its numbers have gaps
    order = orders(truth(game), game)[2]
    assert (order.periods, order.lead) == ((), 0)
