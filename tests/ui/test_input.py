"""Whatever a terminal sends: keys come through, its answers are no keys, pastes are one text, and nothing raises."""

from __future__ import annotations

import sys
from codecs import getincrementaldecoder
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual import events

if sys.platform == "win32":
    pytest.skip("the driver of Unix", allow_module_level=True)

import os
import termios

from nimtui.ui.app import background, driver
from nimtui.ui.app.driver import PATIENCE, SILENCE, Answered, Answers, CellSize, Heard, InputParser

STATUS = "\x1b[0n"
OTHERS = {
    "what it is": "\x1b[?62;4;22c", "what it is, by its second name": "\x1b[>41;354;0c",
    "a colour": "\x1b]11;rgb:ffff/ffff/dddd\x1b\\", "a colour, ended by a bell": "\x1b]11;rgb:0000/0000/0000\x07",
    "a setting": "\x1bP1$r0m\x1b\\", "its version": "\x1bP>|XTerm(379)\x1b\\",
}  # fmt: skip
QUIET = [""] * 12
PASTED = "\x1b[200~ab\x1bOPq\x1b[201~"


def heard(*reads: str) -> list[object]:
    """What is heard of these reads: keys by their names, pastes by their texts in a tuple, an answer as None."""
    hearing, found = InputParser(), list[object]()
    for read in reads:
        for message in hearing.hear(read):
            if isinstance(message, events.Key | events.Paste):
                found.append(message.key if isinstance(message, events.Key) else (message.text,))
            elif isinstance(message, Answered):
                found.append(None)
    return found


def split(text: str, *cuts: int) -> list[str]:
    places = sorted({0, *(cut % (len(text) + 1) for cut in cuts), len(text)})
    return [text[begin:end] for begin, end in pairwise(places)]


def test_keys_are_heard_even_split_over_reads_and_what_cannot_be_is_lost_alone() -> None:
    assert heard("a\x1b[A", "\x1b", "[Bq") == ["a", "up", "down", "q"]
    keys = heard("a\x1b[1114112u\x1b[Aq")
    assert keys[0] == "a" and keys[-2:] == ["up", "q"]
    assert heard("\n", "\x1b[200~a\nb\x1b[201~", "\n") == ["enter", ("a\nb",), "enter"], "a line feed is Enter"
    assert heard("a\x1b]11;rgb:ff", *QUIET, "b") == ["a", "b"], "an answer without an end ends in silence"


@pytest.mark.parametrize("at", range(1, 18))
def test_a_paste_is_one_wherever_its_reads_are_cut(at: int) -> None:
    pasted = ("ab\x1bOPq",)
    assert heard("x", PASTED[:at], PASTED[at:], "y") == ["x", pasted, "y"]
    assert at < 7 or heard(PASTED[:at], "", "", PASTED[at:], "y") == [pasted, "y"]


def test_a_paste_without_an_end_ends_in_silence_or_when_it_is_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    assert heard("\x1b[200~abc\x1b[20", *QUIET, "1~", "q")[0] == ("abc",)
    assert heard("\x1b[200~abc", *[""] * (PATIENCE - 1)) == []
    assert heard("\x1b[200~abc", *[""] * PATIENCE, "\x1b[201~", "q") == [("abc",), "q"]
    assert heard("\x1b[200~a\x00b", *[""] * (PATIENCE - 1), "c", *[""] * PATIENCE) == [("abc",)]
    monkeypatch.setattr(driver, "MOST_PASTED", 3)
    assert heard("\x1b[200~abc") == [] and heard("\x1b[200~abc", "d") == [("abcd",)]


@given(st.lists(st.binary(max_size=40), max_size=6))
def test_nothing_that_is_sent_raises(reads: list[bytes]) -> None:
    decode = getincrementaldecoder("utf-8")("replace").decode
    heard(*map(decode, reads))


@given(st.text(st.sampled_from("\x1b[]<;?0123456789MmuR$y~OPcn\x07\\ab"), max_size=60))
def test_nothing_that_looks_like_a_sequence_raises(text: str) -> None:
    heard(text)


@pytest.mark.parametrize("answer", [STATUS, *OTHERS.values()], ids=["its status", *OTHERS])
def test_an_answer_is_no_key_wherever_its_reads_are_cut(answer: str) -> None:
    told = [None] * (answer == STATUS)
    for first in range(len(answer) + 1):
        for second in range(first, len(answer) + 1):
            reads = split(answer, first, second)
            assert heard("a", *reads, "b", *QUIET) in (["a", *told, "b"], ["a", "b", *told]), reads
    assert heard(f"a{answer}{answer}b", *QUIET) == [*told, *told, "a", "b"]  # twice


@given(st.lists(st.sampled_from([STATUS, *OTHERS.values()]), max_size=6), st.lists(st.integers(0, 400), max_size=8))
def test_answers_between_keys_are_taken_out_of_them(answers: list[str], cuts: list[int]) -> None:
    keys = "".join(f"{'abcdef'[place]}{answer}" for place, answer in enumerate(answers)) + "\x1b[Bz"
    reads = split(keys, *cuts)
    if any(before.endswith("\x1b") for before in reads[:-1]):  # that cut is tried above, one at a time
        reads = [keys]
    found = heard(*reads, *QUIET)
    assert [key for key in found if key] == [*"abcdef"[: len(answers)], "down", "z"]
    assert found.count(None) == answers.count(STATUS)


@pytest.mark.parametrize(
    "text", ["\x1b", "\x1b]x", "\x1bPab", "\x1bXy", "\x1b^y", "\x1b[A", "\x1bOPab", "\x1b[<35;2;3M", "é"]
)
def test_what_is_no_answer_is_passed_on(text: str) -> None:
    assert Answers().hear(text) == Heard(text, 0, False)


@pytest.mark.parametrize("begun", ["\x1b[", "\x1b[1;2", "\x1b]", "\x1bP"])
def test_what_may_be_an_answer_is_passed_on_after_a_silence(begun: str) -> None:
    answers = Answers()
    passed = [answers.hear(text).text for text in (begun, *QUIET)]
    assert passed == ["" if at != SILENCE else begun for at in range(len(passed))]
    assert [answers.hear(text) for text in ("\x1b", "[0n", "x")] == [
        Heard("\x1b", 0, False), Heard("", 1, True), Heard("x", 0, False),
    ]  # fmt: skip


@pytest.mark.parametrize("cut", range(len("\x1b[6;20;9t")))
def test_the_size_of_a_cell_is_an_answer_however_it_is_cut(cut: int) -> None:
    answers, sent = Answers(), "ab\x1b[6;20;9tc"
    reads = [answers.hear(text) for text in (sent[: 2 + cut], sent[2 + cut :])]
    assert "".join(read.text for read in reads).replace("\x1b", "") == "abc"
    assert [read.cell for read in reads if read.cell] == [(9, 20)]
    messages = [*InputParser().hear("\x1b[6;20;9tx")]
    assert [(message.across, message.down) for message in messages if isinstance(message, CellSize)] == [(9, 20)]
    assert [message.key for message in messages if isinstance(message, events.Key)] == ["x"]


@pytest.mark.parametrize(
    ("key", "name"), [("\x1b[A", "up"), ("\x1bOQ", "f2"), ("\x1b[15~", "f5"), ("\x1b[1;2A", "shift+up")]
)
def test_keys_between_answers_are_heard(key: str, name: str) -> None:
    assert heard(STATUS + key + STATUS, *QUIET) == [None, None, name]
    for cut in range(2, len(key)):
        assert heard(STATUS + key[:cut], key[cut:] + STATUS) == [None, None, name]


# The question for the background, before Textual starts.


def test_the_rest_of_an_answer_that_has_begun_is_waited_for_as_long_again(monkeypatch: pytest.MonkeyPatch) -> None:
    ours, theirs = os.openpty()
    clock, waits, parts = iter((10.0, 10.05, 10.25, 10.45)), list[float](), iter((b"n\x1b]11;rgb:", b"ff"))

    def ready(reads: list[int], writes: object, errors: object, seconds: float) -> tuple[object, ...]:
        waits.append(round(seconds, 6))
        os.write(ours, next(parts))
        return reads, [], []

    with background._silent(theirs), monkeypatch.context() as patch:
        patch.setattr(background.time, "monotonic", lambda: next(clock))
        patch.setattr(background.select, "select", ready)
        assert background._heard(theirs, 0.2) == b"n\x1b]11;rgb:ff"
    assert waits == [0.15, 0.15]
    os.close(ours)
    os.close(theirs)


def test_a_terminal_is_silent_while_it_is_asked_and_without_one_nothing_is(monkeypatch: pytest.MonkeyPatch) -> None:
    ours, theirs = os.openpty()
    before = termios.tcgetattr(theirs)
    with background._silent(theirs):
        silent = termios.tcgetattr(theirs)
        assert silent[3] == before[3] & ~(termios.ICANON | termios.ECHO) and silent[:3] == before[:3]
        assert (silent[6][termios.VMIN], silent[6][termios.VTIME]) == (1, 0)
    assert termios.tcgetattr(theirs) == before
    os.close(ours)
    os.close(theirs)
    with open(os.devnull) as nowhere:  # noqa: PTH123 - as a standard stream
        for stdin in (None, nowhere):
            monkeypatch.setattr(sys, "__stdin__", stdin)
            monkeypatch.setattr(sys, "__stderr__", nowhere)
            assert background.ask(20.0) == background.UNASKED == (None, b"", False)
