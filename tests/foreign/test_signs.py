"""No sign reaches the terminal that it would obey, and ordinary text stays as it is."""

from __future__ import annotations

from unicodedata import category

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nimtui.signs import has_controls, visible, visible_lines
from nimtui.ui.kit.terminal.glyphs import ASCII


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("nim:3,5", "nim:3,5"),
        ("naïve ½ – 日本 👍", "naïve ½ – 日本 👍"),
        ("\x1b[31m", "‹1B›[31m"),
        ("\x1b]0;x\x07", "‹1B›]0;x‹07›"),
        ("a\r\nb\tc", "a‹0D›‹0A›b‹09›c"),
        ("\x00\x7f\x80\x9b", "‹00›‹7F›‹80›‹9B›"),
        ("\u202a\u202e\u2066\u2069\u200f", "‹202A›‹202E›‹2066›‹2069›‹200F›"),
        ("\u200b\u200d\ufeff\u2060\u00ad", "‹200B›‹200D›‹FEFF›‹2060›‹AD›"),
        ("\u2028\u2029", "‹2028›‹2029›"),
        ("\ufe0f\u3164\U000e0041", "‹FE0F›‹3164›‹E0041›"),
        ("\ud800\ue000\uffff", "‹D800›‹E000›‹FFFF›"),
        ("e\u0301", "e\u0301"),
        ("e" + "\u0301" * 6, "e" + "\u0301" * 4 + "‹301›‹301›"),
        ("a\u00a0b", "a\u00a0b"),
    ],
)
def test_a_text_is_shown_so(text: str, shown: str) -> None:
    assert visible(text) == shown == visible(shown)


@given(st.text(st.characters()))
def test_nothing_shown_has_a_control_a_format_or_a_line_break(text: str) -> None:
    shown = visible(text)
    assert not {category(sign) for sign in shown} & {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
    assert visible(shown) == shown
    assert ASCII.plain(text).replace("\n", "").isascii() and ASCII.plain(text).replace("\n", "").isprintable()
    assert visible_lines(text).count("\n") == text.count("\n")


def test_names_have_no_controls() -> None:
    assert has_controls("a\x1b") and has_controls("a\nb") and has_controls("\u2028") and has_controls("\ud800")
    assert not has_controls("a\u202eb") and not has_controls("日本 x")
