"""The constants of learners as they are typed: any that is allowed comes back, what is not gets one line."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nimtui.errors import InputError
from nimtui.learning import parse_learner
from nimtui.learning.learner import learners, make, spec
from nimtui.learning.parameter import Parameter, value_text

WORDS = ("reward", "quality", "q", "average", "proof")


def values_of(parameter: Parameter) -> st.SearchStrategy[Any]:
    if parameter.choices is not None:
        return st.sampled_from(parameter.choices)
    if parameter.real:
        return st.floats(parameter.low, parameter.high).map(lambda value: value + 0.0)
    return st.integers(int(parameter.low), int(parameter.high))


@pytest.mark.slow
@pytest.mark.parametrize("word", WORDS)
@given(data=st.data())
def test_every_learner_that_is_allowed_comes_back_from_its_name(word: str, data: st.DataObject) -> None:
    module = learners()[word]
    values = {name: data.draw(values_of(parameter), name) for name, parameter in module.PARAMETERS.items()}
    if word == "quality":
        values["low"], values["start"], values["high"] = sorted(values[name] for name in ("low", "start", "high"))
        values["sure"] = max(-values["low"], values["high"]) + 1
    learner = make(module, values)
    found = parse_learner(spec(learner))
    assert found == learner and spec(found) == spec(learner)
    assert [type(value) for value in found] == [type(value) for value in learner]


@given(st.floats())
def test_a_share_is_from_0_to_1_whatever_the_float(value: float) -> None:
    for name in ("q:epsilon", "q:alpha", "average:epsilon"):
        text = f"{name}={value!r}"
        if 0 <= value <= 1:
            assert parse_learner(text)[-1 if "epsilon" in name else 0] == value
        else:
            with pytest.raises(InputError, match=r"must be from 0 to 1, not -?[\dni]"):
                parse_learner(text)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("q:epsilon=nan", "epsilon must be from 0 to 1, not nan"),
        ("q:alpha=inf", "alpha must be from 0 to 1, not inf"),
        ("average:epsilon=-inf", "epsilon must be from 0 to 1, not -inf"),
        ("average:epsilon=1.5", "epsilon must be from 0 to 1, not 1.5"),
        ("q:epsilon=-0.001", "epsilon must be from 0 to 1, not -0.001"),
        ("q:epsilon=often", "epsilon must be a number from 0 to 1, not 'often'"),
        ("q:epsilon=", "epsilon must be a number from 0 to 1, not ''"),
        ("q:epsilon=0x1", "epsilon must be a number"),
        ("quality:margin=0", "from 1 to 2,000,000"),
        ("quality:margin=1.5", "whole number"),
        ("quality:margin=nan", "whole number"),
        ("quality:low=60", "start must be from low to high, 60 to 100, not 50"),
        ("quality:high=40", "start must be from low to high, 0 to 40, not 50"),
        ("quality:low=80,high=20", "start must be from low to high"),
        ("quality:start=101", "start must be from low to high, 0 to 100, not 101"),
        ("quality:start=-1", "start must be from low to high, 0 to 100, not -1"),
        ("quality:sure=100", "sure must be beyond low and high, more than 100"),
        ("quality:low=-1000", "sure must be beyond low and high, more than 1,000"),
        ("proof:memory=all", "successors"),
    ],
)
def test_what_is_not_allowed_gets_one_line(text: str, said: str) -> None:
    with pytest.raises(InputError) as fault:
        parse_learner(text)
    assert said in str(fault.value) and "\n" not in str(fault.value)


def test_zero_has_one_name() -> None:
    assert spec(parse_learner("q:epsilon=-0.0")) == spec(parse_learner("q:epsilon=0")) == "q:epsilon=0.0"
    assert spec(parse_learner("q:alpha=1e-3")) == "q:alpha=0.001"


def test_what_is_allowed_is_told_as_it_is_typed() -> None:
    found = {name: parameter.allowed for name, parameter in learners()["quality"].PARAMETERS.items()}
    assert found["win"] == "0 to 100,000" and found["start"] == "-100,000 to 100,000"
    assert learners()["q"].PARAMETERS["epsilon"].allowed == "0 to 1"
    assert learners()["reward"].PARAMETERS["pick"].allowed == "uniform-move or row-then-count"
    assert [value_text(value) for value in (1_000, 0.25, 1.0)] == ["1,000", "0.25", "1"]
