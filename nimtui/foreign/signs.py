"""How foreign text is shown: every sign that a terminal would obey, hide or turn around is shown by its number.

An escape is shown as '‹1B›', a line break as '‹0A›', a right-to-left override as '‹202E›'; where a terminal knows ASCII
alone as '<1B>', by the tables of plain signs (`cli.output`, `ui.glyphs`). The result is printable, has one line, and
stays as it is when it is shown again.
"""

from __future__ import annotations

import re
from unicodedata import category

LEFT, RIGHT = "‹", "›"  # no less-than sign: these stand in few names
MOST_MARKS = 4  # accents on one letter; more of them would cover the lines above and below

# Signs without a width that Python calls printable: joiners, fillers, selectors of a variant.
_HIDDEN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\U0001d159\U000e0100-\U000e01ef]"
)
_ODD = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}  # controls, formats, surrogates, private, unassigned, separators
_MARKS = {"Mn", "Me"}
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")


def visible(text: str) -> str:
    """Return the text in one line of signs that can be seen; a text of ordinary signs is returned as it is."""
    if text.isascii():
        return text if text.isprintable() else _CONTROL.sub(_shown, text)
    if text.isprintable() and not _HIDDEN.search(text) and not _piled(text):
        return text
    found, marks = [], 0
    for sign in text:
        kind = category(sign)
        marks = marks + 1 if kind in _MARKS else 0
        odd = kind in _ODD or _HIDDEN.match(sign) or marks > MOST_MARKS
        found.append(numbered(sign) if odd else sign)
    return "".join(found)


def visible_lines(text: str) -> str:
    """Return the text with its line breaks and tabs as they are, and each line as `visible` shows it."""
    return "".join(visible(part) if part not in ("\n", "\t") else part for part in re.split(r"([\n\t])", text))


def numbered(sign: str) -> str:
    """Return a sign as its number in brackets."""
    return f"{LEFT}{ord(sign):02X}{RIGHT}"


def has_controls(text: str) -> bool:
    """Is there a sign in the text that no name may have: a control character, a line break, half a surrogate?"""
    if text.isprintable():
        return False
    return any(category(sign) in ("Cc", "Cs", "Zl", "Zp") for sign in text)


def _shown(found: re.Match[str]) -> str:
    return numbered(found[0])


def _piled(text: str) -> bool:
    """Does a letter have more accents than fit on a line?"""
    marks = 0
    for sign in text:
        marks = marks + 1 if sign > "\u02ff" and category(sign) in _MARKS else 0
        if marks > MOST_MARKS:
            return True
    return False
