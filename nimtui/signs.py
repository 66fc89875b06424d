"""Safe display of foreign text: a character that a terminal would obey, hide or reorder is shown by its number.

An escape becomes '‹1B›', a line break '‹0A›', a right-to-left override '‹202E›'. On an ASCII terminal the tables of
plain signs (`cli.output`, `ui.glyphs`) turn that into '<1B>'. The result is one printable line, and `visible` does not
change it again.
"""

from __future__ import annotations

import re
from itertools import groupby
from unicodedata import category

LEFT, RIGHT = "‹", "›"  # instead of < and >: few names contain these
MOST_MARKS = 4  # accents on one letter; more would cover the lines above and below

# Signs of our own texts, and what stands for them wherever there is only ASCII. The tables of plain signs add others.
COMMON = dict(zip("·–−─×✗█‹›├┤│┼●’", "----xx#<>|||+o'", strict=True))
COMMON |= {"≤": "<=", "≥": ">=", "∞": "inf", "α": "alpha", "β": "beta"}

# Characters without width that Python calls printable: joiners, fillers, variation selectors.
_HIDDEN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\U0001d159\U000e0100-\U000e01ef]"
)
_ODD = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}  # controls, formats, surrogates, private, unassigned, separators
_MARKS = {"Mn", "Me"}
_PILE = re.compile(f"[\u0300-\u20ff\u2c00-\U0010ffff]{{{MOST_MARKS + 1}}}")  # marks, and others: no arrow, no bar
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")


def visible(text: str) -> str:
    """Return the text as one line of visible characters. Ordinary text is returned unchanged."""
    if text.isascii():
        return text if text.isprintable() else _CONTROL.sub(lambda match: numbered(match[0]), text)
    if text.isprintable() and not _HIDDEN.search(text) and not _piled(text):
        return text
    parts = []
    marks = 0
    for sign in text:
        kind = category(sign)
        marks = marks + 1 if kind in _MARKS else 0
        odd = kind in _ODD or _HIDDEN.match(sign) or marks > MOST_MARKS
        parts.append(numbered(sign) if odd else sign)
    return "".join(parts)


def visible_lines(text: str) -> str:
    """Return the text with its line breaks and tabs, each other part passed through `visible`."""
    return "".join(visible(part) if part not in ("\n", "\t") else part for part in re.split(r"([\n\t])", text))


def numbered(sign: str) -> str:
    """Return the code of a character in brackets."""
    return f"{LEFT}{ord(sign):02X}{RIGHT}"


def has_controls(text: str) -> bool:
    """Return whether the text has a character that names must not have: a control, a line break, half a surrogate."""
    if text.isprintable():
        return False
    return any(category(sign) in ("Cc", "Cs", "Zl", "Zp") for sign in text)


def _piled(text: str) -> bool:
    """Return whether a letter has more than MOST_MARKS accents."""
    kinds = groupby(text if _PILE.search(text) else "", lambda sign: category(sign) in _MARKS)
    return any(marks and len(list(run)) > MOST_MARKS for marks, run in kinds)
