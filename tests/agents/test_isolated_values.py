"""An own agent's answers as plain values: what comes through unchanged, and the line for each invalid one."""

from __future__ import annotations

import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from nimtui.agents import registry
from nimtui.agents.agent import Decision, Thinking, Thought
from nimtui.agents.isolated import child
from nimtui.agents.isolated.values import (
    WrongAnswer,
    decode_decision,
    decode_policy,
    decode_thinking,
    description,
    encode_decision,
    encode_policy,
    encode_thinking,
)
from nimtui.engine.policy import Policy
from nimtui.engine.rng import Stream
from nimtui.games import base, parse_game
from nimtui.process.plugins import OwnFile
from nimtui.theory.truth import truth
from tests.agents import wayward

GAME = parse_game("nim:1,2")
FULL = Thought(
    1, value=0.5, wins=3, losses=2, draws=1, visits=6, low=-1, high=1.0, score=7, mean=0.25, ucb=2.0, bound="upper"
)
THINKING = Thinking((FULL,), 1, (1,), 7, "dreams", 3.5, 2.5, 4, 0, 2)


def through(decision: Any) -> Decision:
    return decode_decision(encode_decision(decision), GAME.start, 9.0)


def thought_through(thinking: Any) -> Thinking:
    return decode_thinking(encode_thinking(thinking), GAME.start)


def test_a_decision_comes_through_with_a_thought_for_every_move() -> None:
    decision = through(Decision(np.int64(2), (FULL,), "x" * 2_001, 1.5))
    assert decision == Decision(2, (Thought(0), FULL, Thought(2)), "x" * 2_000, 1.5)
    assert [type(decision.thoughts[1].score), type(decision.thoughts[1].low)] == [int, int]
    assert [through(Decision(0, (), "", seconds)).seconds for seconds in (0.0, -1.0, 2)] == [9.0, 9.0, 2.0]


def test_a_thinking_comes_through_and_its_line_ends_before_the_first_illegal_move() -> None:
    assert thought_through(THINKING) == THINKING
    assert thought_through(Thinking(())) == Thinking(())
    lines = {(1, 0, 0): (1, 0), (99,): (), (2, 0, 1): (2, 0), (-1,): ()}
    assert {line: thought_through(Thinking((), line=line)).line for line in lines} == lines
    assert len(encode_thinking(Thinking((), line=[0] * 600))["line"]) == 500
    assert thought_through(Thinking((Thought(2), Thought(0)))).thoughts == (Thought(0), Thought(2))
    assert thought_through(Thinking((), unit="x" * 20)).unit == "x" * 20


def test_an_agent_says_its_name_its_title_and_whether_it_is_ready() -> None:
    whole = {"name": "n" * 200, "title": "T", "ready": 1}
    assert description(SimpleNamespace(**whole)) == {**whole, "ready": True}
    for words, line in (
        ({**whole, "name": ""}, "says for its name '', which is not a line of text"),
        ({**whole, "name": "n" * 201}, "which is not a line of text"),
        ({**whole, "title": "a\nb"}, "which is not a line of text"),
        ({**whole, "title": 7}, "says for its title 7, which is not a line of text"),
        ({"name": "n", "title": "T"}, "lacks a name, a title or ready"),
    ):
        with pytest.raises(WrongAnswer, match=re.escape(line)):
            description(SimpleNamespace(**words))


NAN, INFINITE = float("nan"), float("inf")
WRONG: list[tuple[Any, str]] = [
    (None, "decided None, which is not a Decision"),
    (Decision("b1", ()), "played 'b1', which is not a move"),
    (Decision(99, ()), "played 99, which is not legal"),
    (Decision(-1, ()), "played -1, which is not legal"),
    (Decision(10**5000, ()), "played something of type int, which is not legal"),
    (Decision(2**63, ()), f"played {2**63}, which is not legal"),
    (Decision(0, ("x",)), "has thoughts that are not Thoughts: ('x',)"),
    (Decision(0, 7), "has thoughts that are not Thoughts: 7"),
    (Decision(0, (Thought(0),) * 100_001), "has 100,001 thoughts; 100,000 are allowed"),
    (Decision(0, (Thought(99),)), "thinks of the move 99, which is not legal"),
    (Decision(0, (Thought("a"),)), "thinks of 'a', which is not a move"),
    (Decision(0, (Thought(0, visits=1.5),)), "says for the visits of a move 1.5, which is not a whole number"),
    (Decision(0, (Thought(0, value=NAN),)), "says for the value of a move nan, which is not a finite number"),
    (Decision(0, (Thought(0, ucb=INFINITE),)), "says for the ucb of a move inf, which is not a finite number"),
    (Decision(0, (Thought(0, score="high"),)), "says for the score of a move 'high', which is not a number"),
    (Decision(0, (Thought(0, low=()),)), "says for the low of a move (), which is not a number"),
    (Decision(0, (Thought(0, bound="high"),)), "with the bound 'high', not one of exact, upper, lower"),
    (Decision(0, (), 7), "has a note that is not text: 7"),
    (Decision(0, (), "", NAN), "says for the seconds of its decision nan, which is not a finite number"),
    (Thinking((Thought(99),)), "thinks of the move 99, which is not legal"),
    (Thinking((), 99), "thinks of the move 99, which is not legal"),
    (Thinking((), 0, searching=-1), "thinks of the move -1, which is not legal"),
    (Thinking((), 0, 7), "expects a line that is not a sequence of moves: 7"),
    (Thinking((), unit="x" * 21), "which is not a short name of a unit"),
    (Thinking((), done=2**62), "says a number that is too large, or below 0, in its thinking"),
    (Thinking((), depth=-1), "says a number that is too large, or below 0, in its thinking"),
    (Thinking((), depth=1.5), "says for the depth of its thinking 1.5, which is not a whole number"),
    (Thinking((), seconds=NAN), "says for the seconds of its thinking nan, which is not a finite number"),
]


@pytest.mark.parametrize(("answer", "line"), WRONG, ids=[line[:40] for _, line in WRONG])
def test_an_invalid_answer_is_told_in_a_line(answer: Any, line: str) -> None:
    with pytest.raises(WrongAnswer) as fault:
        (thought_through if isinstance(answer, Thinking) else through)(answer)
    assert line in str(fault.value) and "\n" not in str(fault.value)


def test_what_its_process_sends_is_checked_again() -> None:
    with pytest.raises(WrongAnswer, match="thinks 'x', which is not a Thinking"):
        encode_thinking("x")
    plain: dict[str, Any] = {"thoughts": [], "line": [], "unit": ""}
    thoughts = ({"move": 0, "value": True}, {"move": 0, "value": INFINITE}, {"move": "0"}, {"move": 0, "bound": "x"})
    wrong: list[Any] = [{**plain, "thoughts": [thought]} for thought in (*thoughts, {"move": 0, "wins": 1.0})]
    wrong += [{**plain, "line": ["0"]}, {**plain, "unit": "a\nb"}, {**plain, "unit": "x" * 21}, {**plain, "depth": 1.5}]
    wrong += [{**plain, "per_second": "fast"}, {"line": [], "unit": ""}, 7]
    for sent in wrong:
        with pytest.raises((WrongAnswer, ValueError, LookupError, TypeError)):
            decode_thinking(sent, GAME.start)
    sent = encode_decision(Decision(0, ()))
    for change in ({"move": True}, {"move": "0"}, {"move": None}):
        with pytest.raises(ValueError):
            decode_decision({**sent, **change}, GAME.start, 1.0)
    assert decode_decision({**sent, "note": 7, "seconds": "x"}, GAME.start, 1.0) == Decision(
        0, tuple(map(Thought, range(3))), "", 1.0
    )


def test_a_policy_fits_the_graph_or_is_refused() -> None:
    graph = truth(GAME).graph
    nodes, edges = len(graph.ptr) - 1, graph.ptr[:-1]
    good = Policy(np.arange(nodes + 1), edges, np.zeros(nodes, np.bool_))
    again = decode_policy(encode_policy(good), graph)
    assert again is not None and all(map(np.array_equal, again, good))
    assert encode_policy(None) is None is decode_policy(None, graph)
    casual = Policy(np.zeros(nodes + 1, np.int64), edges[:0], np.ones(nodes, np.bool_))
    assert decode_policy(encode_policy(casual), graph) is not None
    first = np.arange(nodes + 1)
    for policy, line in (
        (7, "has a policy that is not a Policy: 7"),
        (good._replace(ptr=good.ptr[None]), "has a policy with a wrong ptr"),
        (good._replace(edges=edges * 1.0), "has a policy with a wrong edges"),
        (good._replace(casual=edges), "has a policy with a wrong casual"),
        (good._replace(ptr=first[:-1]), f"has a policy of {nodes - 1:,} positions, and the game has {nodes:,}"),
        (good._replace(casual=good.casual[1:]), f"has a policy of {nodes:,} positions, and the game has {nodes:,}"),
        (good._replace(ptr=first + 1), "has a policy that has no move in some position"),
        (good._replace(edges=edges[1:]), "has a policy that has no move in some position"),
        (good._replace(ptr=np.where(first == 1, 0, first)), "has a policy that has no move in some position"),
        (good._replace(edges=edges - 1), "has a policy with a move that is not legal"),
        (good._replace(edges=graph.ptr[1:]), "has a policy with a move that is not legal"),
    ):
        with pytest.raises(WrongAnswer, match=re.escape(line)):
            decode_policy(encode_policy(policy), graph)


def test_the_process_of_an_agent_answers_each_question_or_says_what_went_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    """Here in this process, without its sandbox."""
    monkeypatch.setattr(registry, "isolate", True)
    monkeypatch.setenv(wayward.MARK, "none")
    board = GAME.start.board.tobytes().hex()

    def answers(how: str, *deeds: str) -> list[Any]:
        own = OwnFile("agent", Path(wayward.__file__), Path(wayward.__file__).read_bytes()).packed()
        made = {"do": "parse", "own": own, "others": [], "game": GAME.name, "word": "wayward", "text": how}
        asked = iter([made, *({"do": deed, "board": board, "counter": 7} for deed in deeds)])
        sent: list[Any] = []

        def receive() -> Any:
            if (question := next(asked, None)) is None:
                raise EOFError
            return question

        with pytest.raises(EOFError):
            child.serve(SimpleNamespace(send=sent.append, receive=receive), None)
        return sent

    about = {"name": "wayward:plays", "title": "Wayward (plays)", "ready": True, "kinds": []}
    parsed, prepared, decided, chosen = answers("plays", "prepare", "decide", "choose")
    assert (parsed, prepared) == ({"ok": about}, {"ok": None}) and not registry.isolate
    stream = Stream(0)
    stream.counter[0] = 7
    move = stream.choose(base.legal_moves(GAME.start))
    thought = {"move": move, "score": 1}
    decision = {"move": move, "thoughts": [thought], "note": "why not", "seconds": 0.0}
    assert decided == {"ok": decision, "counter": int(stream.counter[0])}
    assert chosen == {"ok": move, "counter": int(stream.counter[0])}
    described, *_, policy = answers("written", "policy")
    assert described["ok"]["kinds"] == ["Memoryless"] and policy["ok"].keys() == {"ptr", "edges", "casual"}
    for how, deed, wrong in (
        ("none", "decide", {"fault": "decided None, which is not a Decision"}),
        ("none", "choose", {"fault": "decided None, which is not a Decision"}),
        ("raise", "choose", {"fault": "raised ZeroDivisionError: division by zero"}),
        ("plays", "policy", {"fault": "raised AttributeError: 'Wayward' object has no attribute 'policy'"}),
    ):
        assert answers(how, deed)[1] == wrong
    assert answers("unwanted") == [{"wrong": "nobody wants that"}]
    assert answers("parse-none") == [{"fault": "is not an agent: None lacks a name, a title or ready"}]
    thinks = {"thoughts": [{"move": 0, "value": 0.5, "visits": 7}], "line": [0], "unit": "dreams"}
    more = {"move": 0, "done": 7, "per_second": 3.5, "seconds": 2}
    _, first, far, *_ = answers("aloud-good", "decide")
    assert first == {"thinks": thinks | more} and far == {"far": [0.0, 3.0, "dreams"]}
    assert answers("aloud-foreign", "decide")[1]["thinks"]["thoughts"] == [{"move": 99, "value": 0.5}]
    assert answers("aloud-raises", "decide")[1] == {"not_thinking": "raised ZeroDivisionError while it thought aloud"}
    assert answers("aloud-word", "decide")[1] == {"not_thinking": "thinks 'the first one', which is not a Thinking"}
    assert not any("thinks" in one for one in answers("aloud-good", "choose"))
    draws = [answers("random", "choose")[1]["ok"] for _ in range(2)]
    assert draws[0] == draws[1]
