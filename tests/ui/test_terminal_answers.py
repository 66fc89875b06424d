"""No answer of a terminal becomes a key, and no key is lost beside one."""

from __future__ import annotations

import sys
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual import events

if sys.platform == "win32":
    pytest.skip("the driver of Unix", allow_module_level=True)

from nimtui.ui.app.driver import Answered, InputParser
from nimtui.ui.app.input_queue import Answers

STATUS = "\x1b[0n"
OTHERS = {
    "what it is": "\x1b[?62;4;22c",
    "what it is, by its second name": "\x1b[>41;354;0c",
    "a colour": "\x1b]11;rgb:ffff/ffff/dddd\x1b\\",
    "a colour, ended by a bell": "\x1b]11;rgb:0000/0000/0000\x07",
    "a setting": "\x1bP1$r0m\x1b\\",
    "its version": "\x1bP>|XTerm(379)\x1b\\",
}
SILENCE = [""] * 12


def heard(*reads: str) -> tuple[list[str], int]:
    """The keys that are heard of these reads, and the number of answered questions."""
    hearing = InputParser()
    messages = [message for read in (*reads, *SILENCE) for message in hearing.hear(read)]
    keys = [message.key for message in messages if isinstance(message, events.Key)]
    return keys, sum(isinstance(message, Answered) for message in messages)


def split(text: str, *cuts: int) -> list[str]:
    places = sorted({0, *(cut % (len(text) + 1) for cut in cuts), len(text)})
    return [text[begin:end] for begin, end in pairwise(places)]


@pytest.mark.parametrize("answer", [STATUS, *OTHERS.values()], ids=["its status", *OTHERS])
def test_an_answer_is_no_key_wherever_its_reads_are_cut(answer: str) -> None:
    answered = int(answer == STATUS)
    for first in range(len(answer) + 1):
        for second in range(first, len(answer) + 1):
            reads = split(answer, first, second)
            assert heard("a", *reads, "b") == (["a", "b"], answered), reads
    assert heard(f"a{answer}{answer}b") == (["a", "b"], 2 * answered)  # twice


@given(st.lists(st.sampled_from([STATUS, *OTHERS.values()]), max_size=6), st.lists(st.integers(0, 400), max_size=8))
def test_answers_between_keys_are_taken_out_of_them(answers: list[str], cuts: list[int]) -> None:
    keys = "".join(f"{'abcdef'[place]}{answer}" for place, answer in enumerate(answers)) + "\x1b[Bz"
    reads = split(keys, *(cut for cut in cuts))
    if any(before.endswith("\x1b") for before in reads[:-1]):  # that cut is tried above, one at a time
        reads = [keys]
    assert heard(*reads) == ([*"abcdef"[: len(answers)], "down", "z"], answers.count(STATUS))


def test_an_answer_without_an_end_ends_in_silence() -> None:
    hearing = InputParser()
    reads = ["a\x1b]11;rgb:ff", *SILENCE, "b"]
    messages = [message for read in reads for message in hearing.hear(read)]
    assert [message.key for message in messages if isinstance(message, events.Key)] == ["a", "b"]


@pytest.mark.parametrize(
    "text", ["\x1b", "\x1b]x", "\x1bPab", "\x1bXy", "\x1b^y", "\x1b[A", "\x1bOPab", "\x1b[<35;2;3M", "é"]
)
def test_what_is_no_answer_is_passed_on(text: str) -> None:
    assert Answers().hear(text) == (text, 0, False)


@pytest.mark.parametrize("begun", ["\x1b[", "\x1b[1;2", "\x1b]", "\x1bP"])
def test_what_may_be_an_answer_is_passed_on_after_a_silence(begun: str) -> None:
    answers = Answers()
    passed = [answers.hear(text).text for text in (begun, *SILENCE)]
    assert "".join(passed) == begun and passed[0] == ""


@pytest.mark.parametrize(
    "key, name", [("\x1b[A", "up"), ("\x1bOQ", "f2"), ("\x1b[15~", "f5"), ("\x1b[1;2A", "shift+up")]
)
def test_keys_between_answers_are_heard(key: str, name: str) -> None:
    assert heard(STATUS + key + STATUS) == ([name], 2)
    for cut in range(2, len(key)):
        assert heard(STATUS + key[:cut], key[cut:] + STATUS) == ([name], 2)
