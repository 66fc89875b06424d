"""Every number of every command passes one door."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from nimtui.cli.app import app, command_of, run
from nimtui.errors import InputError, shortened, whole_number
from tests.cli.conftest import Nimtui

WRONG = ("1,3", "1,2", ",5,", "1,00", "1,0000", "1_0", "1,000_000", "1e3", "nan", "x", "", "9" * 61)


def options_with_numbers(command: Any, words: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], str]]:
    for name, child in getattr(command, "commands", {}).items():
        yield from options_with_numbers(child, (*words, name))
    for param in command.params:
        if words and param.param_type_name == "option" and param.metavar == "N":
            yield words, param.opts[0]


NUMBERS = sorted(set(options_with_numbers(command_of(app))))


def test_there_are_such_options() -> None:
    assert {option for _, option in NUMBERS} >= {"--games", "--seed", "--workers", "--repeats", "--limit", "--to"}


@pytest.mark.parametrize(("words", "option"), NUMBERS, ids=lambda value: "".join(value).replace("-", ""))
def test_a_wrong_number_is_refused_in_one_line_with_its_value_and_the_range(
    words: tuple[str, ...], option: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for wrong in WRONG:
        assert run([*words, "nim:3", f"{option}={wrong}"]) == 2
        error = capsys.readouterr().err
        assert error.count("\n") == 1 and option.strip("-") in error
        assert "from" in error and "Input should" not in error
        assert shortened(wrong) in error


@pytest.mark.parametrize(
    ("text", "number"),
    [("0", 0), ("12", 12), ("1,000", 1000), ("12,345,678", 12345678), ("1_000", 1000), (" 7 ", 7), ("007", 7)],
)
def test_groups_of_three_are_one_number(text: str, number: int) -> None:
    assert whole_number(text, "it", 0, 10**9) == number


@pytest.mark.parametrize("wrong", [*WRONG, "-", "--1", "1,000,", "٣", "²", "1 000"])
def test_nothing_else_is(wrong: str) -> None:
    with pytest.raises(InputError, match="must be"):
        whole_number(wrong, "it", 0, 10**9)


@pytest.mark.parametrize("typed", ["1_0", "٣", "nan", "inf", "+5", "0x1", ""])
@pytest.mark.parametrize(
    "words",
    [
        "moves nim:3,4 -a mcts:c={}",
        "moves nim:3,4 -a mc:time={}",
        "search nim:3,4 --algorithm mcts:c={}",
        "tournament nim:3,4 -a random -a perfect --no-save --sprt elo0=0,elo1={}",
        "train nim:3,4 -l q:alpha={} --headless",
    ],
)
def test_decimal_numbers_are_read_as_people_write_them(nimtui: Nimtui, words: str, typed: str) -> None:
    answer = nimtui(*words.format(typed).split())
    assert answer.status == 2 and answer.out == "" and len(answer.err.splitlines()) == 1


def test_no_number_is_minus_zero(nimtui: Nimtui) -> None:
    assert nimtui("moves nim:3,4 -a mcts:c=-0 --json").document["agent"] == "mcts:simulations=500,c=0.0"
