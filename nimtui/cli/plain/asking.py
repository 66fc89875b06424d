"""Reads what a person types after a prompt, from a terminal or a pipe.

On a terminal that can move its cursor, arrow keys edit the line and bring back earlier ones, where Python has readline.
"""

from __future__ import annotations

import io
import sys

from nimtui.cli import output
from nimtui.errors import InputError
from nimtui.ui.app.terminal import has_cursor

LONGEST = 2_000  # characters of a line


class EndOfInput(Exception):
    """Stdin has ended: Ctrl+D, or the end of a pipe."""


class Asking:
    """Reads lines from stdin. A pipe's line is printed after its prompt, so that a log shows what was typed."""

    def __init__(self) -> None:
        self.terminal = sys.stdin is not None and sys.stdin.isatty()
        if isinstance(sys.stdin, io.TextIOWrapper):
            sys.stdin.reconfigure(errors="replace")
        self._edits = self.terminal and sys.stdout.isatty() and has_cursor() and _edited()

    def ask(self, prompt: str) -> str:
        """Return the next line without blanks around it. Raises EndOfInput, and InputError for an endless line."""
        try:
            line = self._line(f"{prompt}: ")
        except KeyboardInterrupt:
            output.say("")  # the message that follows has a line of its own
            raise
        whole = len(line) < LONGEST or line.endswith("\n")
        if not self.terminal or not line:
            output.say(line.strip())
        while not whole:
            whole = (more := sys.stdin.readline(LONGEST)).endswith("\n") or not more
            if whole:
                raise InputError(f"a line has at most {LONGEST:,} characters")
        if not line:
            raise EndOfInput
        return line.strip()

    def _line(self, prompt: str) -> str:
        """Return what is typed, '' at the end of the input."""
        if self._edits:
            try:
                return f"{input(output.encodable(prompt))}\n"[-LONGEST:]
            except EOFError:
                return ""
        output.prompt(prompt)
        return sys.stdin.readline(LONGEST) if sys.stdin is not None else ""


def _edited() -> bool:
    """Let `input` edit its line, without escape sequences that no key asks for; return whether Python can."""
    try:
        import readline
    except ImportError:
        return False
    for option in ("enable-bracketed-paste", "enable-meta-key"):
        readline.parse_and_bind(f"set {option} off")
    return True
