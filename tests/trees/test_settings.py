"""Names of settings: a round trip for all, one line for what is wrong."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nimtui.engine.windows import LONGEST
from nimtui.errors import InputError
from nimtui.trees import Settings, parse
from nimtui.trees.settings import ALPHA_BETA, HEURISTICS, KILLER, LOGS, MCTS, MINIMAX, ORDERS, POLICIES
from tests.games.refusal import refusal

DEPTHS, TABLES, TIMES = st.just(-1) | st.integers(1, LONGEST), st.integers(0, 1 << 28), st.floats(0.001, 3600)
PLAIN = {"depth": DEPTHS, "table": TABLES, "deepening": st.booleans(), "heuristic": st.sampled_from(HEURISTICS)}
GROWN = {"c": st.floats(0, 1000), "log": st.sampled_from(LOGS), "policy": st.sampled_from(POLICIES)}
ANY = st.one_of(
    st.builds(Settings, algorithm=st.just(MINIMAX), **PLAIN),
    st.builds(Settings, algorithm=st.just(ALPHA_BETA), order=st.sampled_from(ORDERS), **PLAIN),
    st.builds(Settings, algorithm=st.just(ALPHA_BETA), depth=DEPTHS, time=TIMES, table=TABLES),
    st.builds(Settings, algorithm=st.just(MCTS), simulations=st.integers(0, 10**8), time=TIMES, c=GROWN["c"]),
    st.builds(
        Settings,
        algorithm=st.just(MCTS),
        simulations=st.integers(1, 10**8),
        proven=st.booleans(),
        seed=st.integers(0, (1 << 63) - 1),
        **GROWN,
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


def test_a_time_is_the_only_limit_where_no_other_is_named() -> None:
    assert parse("alphabeta:time=0.5").name == "alphabeta:time=0.5"
    assert parse("alphabeta:time=.5,depth=-1,deepening=yes").name == "alphabeta:time=0.5"
    assert parse("alphabeta:time=2,depth=6,order=killer").name == "alphabeta:depth=6,time=2.0,order=killer"
    assert parse("mcts:time=0.5").name == "mcts:time=0.5,c=1.0"
    assert parse("mcts:time=0.5,simulations=500").name == "mcts:simulations=500,time=0.5,c=1.0"
    assert parse("alphabeta:time=0").name == "alphabeta:depth=4"
    assert parse("mcts:time=0,c=2").name == "mcts:simulations=500,c=2.0"


def test_a_time_that_cannot_be_is_refused_in_one_line() -> None:
    for time in ("-1", "0.0001", "3601", "nan", "soon"):
        for algorithm in ("alphabeta", "mcts"):
            line = "time must be a number of seconds from 0.001 to 3,600, not '"
            assert refusal(parse, f"{algorithm}:time={time}").startswith(line)


def test_only_what_may_stop_itself_has_a_time() -> None:
    with pytest.raises(InputError, match="unknown option of minimax 'time'"):
        parse("minimax:time=1")
    with pytest.raises(InputError, match="minimax has no time limit"):
        Settings(MINIMAX, time=1.0)
    with pytest.raises(InputError, match="simulations must be from 1"):
        parse("mcts:simulations=0")


WRONG = {
    "alphabet": "did you mean alphabeta?",
    "alphabeta:depth=0": "or −1 to the end",
    "alphabeta:depth=9999": "6,630",
    "alphabeta:depth=x": "whole number",
    "alphabeta:c=1": "unknown option of alphabeta 'c'",
    "alphabeta:order=worst": "natural, killer, best-first",
    "alphabeta:order": "invalid option of alphabeta",
    "alphabeta:depth=4,depth=5": "given twice",
    "alphabeta:deepening=maybe": "yes or no",
    "minimax:order=killer": "unknown option of minimax 'order'",
    "mcts:c=nan": "c must be from 0",
    "mcts:c=much": "c must be a number",
    "mcts:simulations=0": "simulations must be from 1",
}


def test_what_is_wrong_is_said_in_one_line() -> None:
    assert {text: line for text, line in WRONG.items() if line not in refusal(parse, text)} == {}


def test_settings_that_cannot_be_are_refused() -> None:
    with pytest.raises(InputError, match="minimax searches every move"):
        Settings(MINIMAX, order=KILLER)
    with pytest.raises(InputError, match="unknown heuristic 'best'"):
        Settings(heuristic="best")
