"""Names of settings: a round trip for all, one line for what is wrong."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nimtui.engine.windows import LONGEST
from nimtui.errors import InputError
from nimtui.search import Settings, parse
from nimtui.search import settings as ways

ANY = st.one_of(
    st.builds(
        Settings,
        algorithm=st.just(ways.MINIMAX),
        depth=st.just(-1) | st.integers(1, LONGEST),
        table=st.integers(0, 1 << 28),
        deepening=st.booleans(),
        heuristic=st.sampled_from(ways.HEURISTICS),
    ),
    st.builds(
        Settings,
        algorithm=st.just(ways.ALPHA_BETA),
        depth=st.just(-1) | st.integers(1, LONGEST),
        order=st.sampled_from(ways.ORDERS),
        table=st.integers(0, 1 << 28),
        deepening=st.booleans(),
        heuristic=st.sampled_from(ways.HEURISTICS),
    ),
    st.builds(
        Settings,
        algorithm=st.just(ways.MCTS),
        simulations=st.integers(1, 10**8),
        c=st.floats(0, 1000),
        log=st.sampled_from(ways.LOGS),
        policy=st.sampled_from(ways.POLICIES),
        proven=st.booleans(),
        seed=st.integers(0, (1 << 63) - 1),
    ),
)


@given(ANY)
def test_a_name_parses_to_the_same_settings(settings: Settings) -> None:
    assert parse(settings.name) == settings
    assert parse(settings.name.upper()) == settings


def test_names_are_short() -> None:
    assert parse("alphabeta").name == "alphabeta:depth=4"
    assert parse(" AlphaBeta: order=killer , depth=−1").name == "alphabeta:depth=-1,order=killer"
    assert parse("minimax:table=yes").name == "minimax:depth=4,table=1048576"
    assert parse("mcts:c=1.4,proven=yes").name == "mcts:simulations=500,c=1.4,proven=yes"
    assert parse("alphabeta:table=no,deepening=off").name == "alphabeta:depth=4"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("alphabet", "did you mean 'alphabeta'?"),
        ("alphabeta:depth=0", "or −1 to the end"),
        ("alphabeta:depth=9999", "6,630"),
        ("alphabeta:depth=x", "whole number"),
        ("alphabeta:c=1", "unknown option of alphabeta 'c'"),
        ("alphabeta:order=worst", "natural, killer, best-first"),
        ("alphabeta:order", "not an option of alphabeta"),
        ("alphabeta:depth=4,depth=5", "given twice"),
        ("alphabeta:deepening=maybe", "yes or no"),
        ("minimax:order=killer", "unknown option of minimax 'order'"),
        ("mcts:c=nan", "c must be from 0"),
        ("mcts:c=much", "c must be a number"),
        ("mcts:simulations=0", "simulations must be from 1"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(text: str, said: str) -> None:
    with pytest.raises(InputError) as fault:
        parse(text)
    assert said in str(fault.value) and "\n" not in str(fault.value)


def test_settings_that_cannot_be_are_refused() -> None:
    with pytest.raises(InputError, match="minimax looks at every move"):
        Settings(ways.MINIMAX, order=ways.KILLER)
    with pytest.raises(InputError, match="unknown heuristic 'best'"):
        Settings(heuristic="best")
