"""Whatever a terminal sends, keys come through and nothing raises."""

from __future__ import annotations

import sys
from codecs import getincrementaldecoder

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual import events

if sys.platform == "win32":
    pytest.skip("the driver of Unix", allow_module_level=True)

from nimtui.ui.app.driver import InputParser


def keys(*reads: bytes) -> list[str]:
    """The keys that are heard of these reads."""
    decode, hearing = getincrementaldecoder("utf-8")("replace").decode, InputParser()
    messages = [message for read in reads for message in hearing.hear(decode(read))]
    return [message.key for message in messages if isinstance(message, events.Key)]


def test_arrows_are_heard_even_split_over_reads() -> None:
    assert keys(b"a\x1b[A", b"\x1b", b"[Bq") == ["a", "up", "down", "q"]


def test_a_sequence_that_cannot_be_is_lost_alone() -> None:
    assert keys(b"a\x1b[1114112u\x1b[Aq")[0] == "a"
    assert keys(b"a\x1b[1114112u\x1b[Aq")[-2:] == ["up", "q"]


def test_bytes_that_are_no_text_do_not_raise() -> None:
    heard = keys(b"a\xff\xfeq")
    assert heard[0] == "a" and heard[-1] == "q"


def messages(*reads: str) -> list[object]:
    """What is heard of these reads: keys by their names, pastes by their texts in a tuple."""
    hearing = InputParser()
    heard = [message for read in reads for message in hearing.hear(read)]
    return [
        message.key if isinstance(message, events.Key) else (message.text,)
        for message in heard
        if isinstance(message, events.Key | events.Paste)
    ]


SILENCE = [""] * 12


@pytest.mark.parametrize("at", range(1, 18))
def test_a_paste_is_one_wherever_its_reads_are_cut(at: int) -> None:
    whole = "\x1b[200~ab\x1bOPq\x1b[201~"
    assert messages("x", whole[:at], whole[at:], "y") == ["x", ("ab\x1bOPq",), "y"]
    assert at < 7 or messages(whole[:at], "", "", whole[at:], "y") == [("ab\x1bOPq",), "y"]


def test_a_paste_without_an_end_ends_in_silence_and_keys_are_heard_again() -> None:
    assert messages("\x1b[200~abc\x1b[20", *SILENCE, "1~", "q")[0] == ("abc",)
    assert messages("\x1b[200~abc", *SILENCE, "\x1b[201~", "q") == [("abc",), "q"]


def test_answers_of_the_terminal_are_no_keys() -> None:
    assert messages("\x1bP+q\x1b\\", "a") == ["a"]


def test_a_line_feed_is_enter_outside_of_a_paste() -> None:
    assert messages("\n", "\x1b[200~a\nb\x1b[201~") == ["enter", ("a\nb",)]


@given(st.lists(st.binary(max_size=40), max_size=6))
def test_nothing_that_is_sent_raises(reads: list[bytes]) -> None:
    keys(*reads)


@given(st.text(st.sampled_from("\x1b[]<;?0123456789MmuR$y~OPcn\x07\\ab"), max_size=60))
def test_nothing_that_looks_like_a_sequence_raises(text: str) -> None:
    keys(text.encode())
