"""The terminal's answers to questions: taken out of what it sends, so that none of them becomes a key.

An answer may come late, twice, cut into several reads, or never. A terminal reports its status as CSI 0 n, what it is
as CSI ? … c, a colour as OSC 11 … (ECMA-48; xterm's control sequences). All other sequences are left to the parser of
keys. A cursor position, CSI … R, looks like a modified F3: nimtui never asks for one.
"""

from __future__ import annotations

import re
from typing import NamedTuple

ASK = "\x1b[5n"  # the question for the status
SILENCE = 5  # silent reads in a row until an answer without an end is taken to be over

BODY = r"[^\x1b\x07\x9c]"  # of a string
STATUS = re.compile(r"\x1b\[[03]n")
OTHERS = re.compile(rf"\x1b(?:\[[?>=][\d;]*[cn]|[]PX^_]{BODY}*(?:\x1b\\|[\x07\x9c]))")  # what it is; colours, settings
STRING = re.compile(rf"\x1b(?:\]\d{{1,4}};|P[\d;]{{0,8}}[$+>|!]){BODY}{{0,4096}}\x1b?\Z")  # without its end
BEGUN = re.compile(rf"{STRING.pattern}|\x1b(?:\[[?>=]?[\d;]{{0,32}}|\]\d{{0,4}}|P[\d;]{{0,8}})\Z")


class Heard(NamedTuple):
    """What a read held."""

    text: str  # without the answers
    statuses: int  # answers to `ASK`
    escaped: bool  # whether the text takes up the Escape that ended the read before


class Answers:
    """Finds answers in what a terminal sends, read by read."""

    def __init__(self) -> None:
        self._begun = ""  # the beginning of a sequence that the next read may complete
        self._escape = False  # whether the read before ended with an Escape, which was passed on
        self._silent = 0

    def hear(self, text: str) -> Heard:
        """Return what a read held ('' if it brought nothing)."""
        if not text:
            return self._silence()
        self._silent = 0
        escaped = self._escape and text[0] in "[]P"
        self._escape = False
        if escaped:
            text = "\x1b" + text
        text, self._begun = self._begun + text, ""
        text, statuses = STATUS.subn("", text)
        text = OTHERS.sub("", text)
        if (begun := BEGUN.search(text)) is not None:
            text, self._begun = text[: begun.start()], begun[0]
        else:
            self._escape = text.endswith("\x1b")
        return Heard(text, statuses, escaped)

    def _silence(self) -> Heard:
        """Give up waiting for an end: half a string is dropped, and half a key is left to the parser of keys."""
        self._silent += 1
        self._escape = False  # it was a key
        if not self._begun or self._silent < SILENCE:
            return Heard("", 0, False)
        begun, self._begun = self._begun, ""
        return Heard("" if STRING.match(begun) else begun, 0, False)
