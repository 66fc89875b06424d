"""How a program fails: the kinds of faults, and the exception that carries one."""

from __future__ import annotations

from enum import StrEnum


class FaultKind(StrEnum):
    """How a program failed."""

    NO_START = "no-start"
    STALL = "stall"
    DISCONNECT = "disconnect"
    ILLEGAL = "illegal"
    UNREADABLE = "unreadable"
    SLOW = "slow"
    MEMORY = "memory"
    OUTPUT = "output"


class ProgramFault(Exception):
    """A program failed: the message follows its name in a line. `errors` has its last lines of stderr."""

    def __init__(self, kind: FaultKind, text: str, errors: tuple[str, ...] = (), answer: str = "") -> None:
        super().__init__(text)
        self.kind, self.errors, self.answer = kind, errors, answer

    @property
    def whole(self) -> str:
        """The message with the last line of stderr: 'ended: exit status 1: SyntaxError: invalid syntax'."""
        return ": ".join([str(self), *self.errors[-1:]])
