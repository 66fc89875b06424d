"""Text typed in a line of a screen: a move, a position, a name. An error never loses the typed text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from nimtui.report import lines as ink
from nimtui.report.lines import Ink, Line, keys
from nimtui.ui.kit.terminal.glyphs import Glyphs

LONGEST = 60
LONGEST_PATH = 4_096  # characters of a file's path
CURSOR_KEYS = ("up", "down", "left", "right", "home", "end", "shift+left", "shift+right")


class Prompt(Enum):
    """The purposes of a typed text, each with the question in front of it; a screen may have purposes of its own."""

    MOVE = "Move"
    PLAYER = "Who plays for"
    ANALYST = "Estimate by"
    TABLE = "Save its table as"
    POSITION = "Go to position"
    GOAL = "Train to so many games"
    NODE = "Find moves or position"
    FILTER = "Show only"
    NAME = "New name"
    FILE = "Import file"
    VERSIONS = "Compare versions"


@dataclass(slots=True)
class TypingLine:
    """Holds the text so far; `open` while a person types."""

    starts: str = "0123456789:"  # what begins a move where nothing is typed yet
    open: bool = False
    asked: Enum = Prompt.MOVE
    text: str = ""
    fault: str = ""  # what was wrong with it when Enter was pressed
    proposed: bool = False  # is the text a proposal, which the first typed character replaces?

    def begin(self, asked: Enum, text: str = "") -> None:
        """Ask for a text. `text` is a proposal, except for a move."""
        self.open, self.asked, self.text, self.fault = True, asked, text, ""
        self.proposed = bool(text) and asked is not Prompt.MOVE

    def close(self) -> None:
        self.open, self.text, self.fault = False, "", ""

    def add(self, text: str) -> None:
        """Add typed or pasted text."""
        most = LONGEST_PATH if self.asked is Prompt.FILE else LONGEST
        before = "" if self.proposed else self.text
        self.text = (before + "".join(sign for sign in text if sign.isprintable()))[:most]
        self.fault, self.proposed = "", False

    def erase(self, word: bool = False) -> None:
        """Delete the last character, or all; an empty move closes the line."""
        self.text = "" if word else self.text[:-1]
        self.fault, self.proposed = "", False
        if not self.text and self.asked is Prompt.MOVE:
            self.close()

    @property
    def ink(self) -> Ink:
        return Ink.PICK if self.proposed else Ink.STRONG

    def paint(self, columns: int, rows: int, signs: Glyphs) -> list[Line]:
        """Paint the question, the text, and the keys that end it or its error."""
        question = self.asked.value
        end = [(f"  {signs.fault} {self.fault}", Ink.BAD)] if self.fault else keys("   ", "⏎", "  ", "esc")
        room = max(1, columns - len(question) - 16)
        begin = room // 3  # of a text that is cut in the middle
        text = self.text if len(self.text) <= room else self.text[:begin] + signs.hidden + self.text[begin - room + 1 :]
        typed = ink.line((f"{question}: ", Ink.TEXT), (text, self.ink), (signs.full, Ink.PICK), *end)
        return [ink.fit(typed, columns, signs)]

    def offer(self, offers: Sequence[str], by: int) -> None:
        """Put in the next offer, or the previous one."""
        at = offers.index(self.text) + by if self.text in offers else (0 if by > 0 else -1)
        self.text, self.fault = offers[at % len(offers)], ""

    def leaves(self, key: str) -> bool:
        """Return whether this key leaves a typed move for the board; then the text is dropped."""
        if not self.open or self.asked is not Prompt.MOVE or key not in CURSOR_KEYS:
            return False
        self.close()
        return True

    def takes(self, key: str, character: str | None) -> bool:
        """Take this key if it is for the text, and return whether it was. Enter is for the screen."""
        if not self.open:
            if character is None or not character.isprintable() or character not in self.starts:
                return False
            self.begin(Prompt.MOVE, "" if character == ":" else character)
            return True
        if key == "escape":
            self.close()
        elif key in ("backspace", "ctrl+h"):
            self.erase()
        elif key in ("ctrl+u", "ctrl+w"):
            self.erase(word=True)
        elif character is not None and character.isprintable():
            self.add(character)
        elif key in ("left", "right", "home", "end", "delete"):
            self.proposed = False  # the person edits the proposal
        else:
            return False
        return True
