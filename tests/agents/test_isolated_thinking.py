"""A person's own agent is seen thinking; an invalid thought is dropped and told in a line, and harms nothing else."""

from __future__ import annotations

from typing import Any

import pytest

from nimtui.agents import Thinking, Thought, parse_agent
from nimtui.agents.isolated.remote import RemoteAgent
from nimtui.agents.isolated.values import WrongAnswer, decode_thinking
from nimtui.engine.rng import Stream
from nimtui.games import parse_game
from nimtui.sandbox import client
from tests.jobs.test_thinking import Listener

pytestmark = [
    pytest.mark.skipif(not client.possible(), reason="processes cannot be forked here"),
    pytest.mark.usefixtures("own_agents"),
]
GAME = parse_game("nim:3,4,5")


def heard(how: str) -> tuple[list[Any], RemoteAgent]:
    """Return what a watcher hears of an agent's thoughts, and the agent after it has decided."""
    agent, listener = parse_agent(how, GAME), Listener()
    assert isinstance(agent, RemoteAgent)
    assert agent.decide(GAME.start, Stream(1), listener).move in range(100)
    return listener.heard, agent


def test_its_thoughts_arrive_as_it_offered_them() -> None:
    thoughts, agent = heard("wayward:aloud-good")
    assert thoughts and not agent.faults
    assert set(thoughts) == {Thinking((Thought(0, value=0.5, visits=7),), 0, (0,), 7, "dreams", 3.5, 2)}


def test_its_line_ends_before_the_first_illegal_move() -> None:
    thoughts, agent = heard("wayward:aloud-cut")
    assert thoughts[0].line == (0,) and not agent.faults


def test_the_example_of_the_documentation_thinks_aloud() -> None:
    thoughts, agent = heard("stifle")
    assert thoughts and not agent.faults
    assert {thought.move for thought in thoughts[0].thoughts} <= set(range(12))


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ("word", "thinks 'the first one', which is not a Thinking"),
        ("foreign", "thinks of the move 99, which is not legal"),
        ("plays", "thinks of the move 99, which is not legal"),
        ("nan", "says for the value of a move nan, which is not a finite number"),
        ("huge", "too large"),
        ("negative", "below 0"),
        ("lines", "expects a line that is not a sequence of moves: 7"),
        ("unit", "is not a short name of a unit"),
        ("raises", "raised ZeroDivisionError while it thought aloud"),
    ],
)
def test_an_invalid_thought_is_dropped_and_told(how: str, said: str) -> None:
    thoughts, agent = heard(f"wayward:aloud-{how}")
    assert thoughts == []
    [fault] = agent.faults
    assert fault.startswith(f"wayward:aloud-{how} ") and said in fault


def test_its_choice_is_the_same_whether_it_is_watched_or_not() -> None:
    agent = parse_agent("wayward:aloud-good", GAME)
    seen = agent.decide(GAME.start, Stream(5), Listener())
    assert seen.move == agent.decide(GAME.start, Stream(5)).move
    assert isinstance(agent, RemoteAgent) and seen.move == agent.choose(GAME.start, Stream(5))


@pytest.mark.parametrize(
    "sent",
    [
        {"thoughts": [{"move": 0, "value": True}], "line": [], "unit": ""},
        {"thoughts": [{"move": 0, "value": float("inf")}], "line": [], "unit": ""},
        {"thoughts": [{"move": "0"}], "line": [], "unit": ""},
        {"thoughts": [], "line": ["0"], "unit": ""},
        {"thoughts": [], "line": [], "unit": "a\nb"},
        {"thoughts": [], "line": [], "unit": "", "depth": 1.5},
        {"thoughts": [], "line": [], "unit": "", "per_second": "fast"},
        {"thoughts": [], "line": [], "unit": "", "searching": -1},
        {"line": [], "unit": ""},
        7,
    ],
)
def test_what_its_process_sends_is_checked_again(sent: Any) -> None:
    with pytest.raises((WrongAnswer, ValueError, LookupError, TypeError)):
        decode_thinking(sent, GAME.start)
