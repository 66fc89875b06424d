"""Reads what a person types after a prompt, from a terminal or a pipe."""

from __future__ import annotations

import io
import sys

from nimtui.cli import output
from nimtui.errors import InputError

LONGEST = 2_000  # characters of a line


class EndOfInput(Exception):
    """Stdin has ended: Ctrl+D, or the end of a pipe."""


class Asking:
    """Reads lines from stdin. A pipe's line is printed after its prompt, so that a log shows what was typed."""

    def __init__(self) -> None:
        self.terminal = sys.stdin is not None and sys.stdin.isatty()
        if isinstance(sys.stdin, io.TextIOWrapper):
            sys.stdin.reconfigure(errors="replace")

    def ask(self, prompt: str) -> str:
        """Return the next line without blanks around it. Raises EndOfInput, and InputError for an endless line."""
        output.prompt(f"{prompt}: ")
        try:
            line = sys.stdin.readline(LONGEST) if sys.stdin is not None else ""
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
