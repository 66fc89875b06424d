from __future__ import annotations

from itertools import product

import pytest

from nimtui.arena.play.plan import GAUNTLET, ORDERED, ROUND_ROBIN, Plan, plan
from nimtui.errors import InputError


@pytest.mark.parametrize(
    ("pairs", "games", "founders", "late"),
    list(product((ROUND_ROBIN, GAUNTLET, ORDERED), (("tower:16",), ("tower:16", "nim:3,5")), (2, 3), (1, 2))),
)
def test_an_extended_plan_keeps_the_numbers_of_all_pairings(
    pairs: str, games: tuple[str, ...], founders: int, late: int
) -> None:
    agents = ("random", "easy", "hard", "perfect", "mc:playouts=5")
    first = plan(games, agents[:founders], pairs, 10)
    added = agents[founders : founders + late]
    extended = first.extended(5, added)
    assert extended.pairings[: len(first.pairings)] == first.pairings
    assert set(extended.pairings) == set(plan(games, (*first.agents, *added), pairs).pairings)
    assert extended.number == 15 and len(set(extended.pairings)) == len(extended.pairings)
    one_by_one = first.extended(2)
    for agent in added:
        one_by_one = one_by_one.extended(0, (agent,))
    assert one_by_one.extended(3) == extended  # the order of the extensions does not matter
    assert Plan.from_document(extended.document()) == extended
    assert plan(games, extended.agents, pairs, 15, joined=late) == extended


def test_where_the_order_of_pairings_allows_it_the_plan_is_that_of_a_new_tournament() -> None:
    for pairs in (ROUND_ROBIN, GAUNTLET):
        two = plan(("tower:16",), ("random", "easy"), pairs)
        assert two.extended(0, ("hard",)) == plan(("tower:16",), ("random", "easy", "hard"), pairs)
        assert "joined" not in two.extended(0, ("hard",)).document()
    four = plan(("tower:16",), ("random", "easy", "hard"), ROUND_ROBIN).extended(0, ("perfect",))
    assert four.joined == 1 and four.document()["joined"] == 1
    assert four.pairings != plan(("tower:16",), four.agents, ROUND_ROBIN).pairings


@pytest.mark.parametrize("joined", [-1, 2, 10**30, "1", None, 1.5])
def test_a_wrong_number_of_joined_agents_is_one_line(joined: object) -> None:
    keys = plan(("tower:16",), ("random", "easy", "hard"), ROUND_ROBIN).document()
    with pytest.raises(InputError):
        Plan.from_document({**keys, "joined": joined})
    with pytest.raises(InputError, match="entered twice"):
        plan(("tower:16",), ("random", "easy")).extended(0, ("easy",))
