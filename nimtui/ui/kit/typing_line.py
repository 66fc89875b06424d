"""Text typed in a line of a screen: a move, a position, a name. Nothing typed is lost by a mistake in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from nimtui.ui.kit import ink
from nimtui.ui.kit.glyphs import Glyphs
from nimtui.ui.kit.ink import Ink, Line, keys

LONGEST = 60
CURSOR_KEYS = ("up", "down", "left", "right", "home", "end", "shift+left", "shift+right")


class Prompt(Enum):
    """What the text is for."""

    MOVE = "move"
    PLAYER = "player"
    POSITION = "position"
    NAME = "name"


@dataclass(slots=True)
class TypingLine:
    """The text so far; `open` while a person types."""

    starts: str = "0123456789:"  # what begins a move where nothing is typed yet, as a capital too
    open: bool = False
    asked: Prompt = Prompt.MOVE
    text: str = ""
    fault: str = ""  # what was wrong with it when Enter was pressed

    def begin(self, asked: Prompt, text: str = "") -> None:
        self.open, self.asked, self.text, self.fault = True, asked, text, ""

    def close(self) -> None:
        self.open, self.text, self.fault = False, "", ""

    def add(self, text: str) -> None:
        """Typed or pasted."""
        self.text = (self.text + "".join(sign for sign in text if sign.isprintable()))[:LONGEST]
        self.fault = ""

    def erase(self, word: bool = False) -> None:
        """The last sign goes, or all; where nothing is left there is nothing to type any more."""
        self.text = "" if word else self.text[:-1]
        self.fault = ""
        if not self.text and self.asked is Prompt.MOVE:
            self.close()

    def line(self, question: str, columns: int, signs: Glyphs) -> Line:
        """The question, what is typed, and the keys that end it or what was wrong with it."""
        end = [(f"  {signs.fault} {self.fault}", Ink.BAD)] if self.fault else keys("   ", "⏎", "  ", "esc")
        typed = ink.line((f"{question}: ", Ink.TEXT), (self.text, Ink.STRONG), (signs.full, Ink.PICK), *end)
        return ink.fit(typed, columns, signs)

    def offer(self, offers: Sequence[str], by: int) -> None:
        """Put in the next of these, or the one before."""
        at = offers.index(self.text) + by if self.text in offers else (0 if by > 0 else -1)
        self.text, self.fault = offers[at % len(offers)], ""

    def leaves(self, key: str) -> bool:
        """Does this key turn from a typed move to the board? Then what was typed is forgotten."""
        if not self.open or self.asked is not Prompt.MOVE or key not in CURSOR_KEYS:
            return False
        self.close()
        return True

    def takes(self, key: str, character: str | None) -> bool:
        """Is this key for the text? Then it has been taken in. Enter is not: it is for whoever asked."""
        if not self.open:
            if (
                character is None
                or not character.isprintable()
                or {character, character.lower()}.isdisjoint(self.starts)
            ):
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
        else:
            return key in ("left", "right", "home", "end", "delete")
        return True
