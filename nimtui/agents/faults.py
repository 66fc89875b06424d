"""What agents do wrong, each thing in one line that begins with the agent's name."""

from __future__ import annotations

from typing import Protocol

from nimtui.errors import InputError

LONGEST = 200  # characters of what an agent said


class AgentFault(InputError):
    """An agent of a person's own gave no answer, or none that can be used."""


class OverTime(AgentFault):
    """An agent took longer than it may."""


class Named(Protocol):
    """Whoever has a name."""

    @property
    def name(self) -> str: ...


def raised_text(agent: Named, fault: BaseException) -> str:
    """What an agent has done, in one line: 'AGENT raised ValueError: no move'."""
    return f"{agent.name} raised {type(fault).__name__}: {short_text(fault)}".removesuffix(": ")


def short_text(what: object) -> str:
    """What anything says of itself, on one line, not too long, and in signs that can be shown."""
    try:
        said = str(what) if isinstance(what, BaseException) else repr(what)
    except Exception:  # noqa: BLE001 - a number may be too long to be said, and an object do anything
        return f"something of type {type(what).__name__}"
    line = " ".join("".join(sign if sign.isprintable() else " " for sign in said).split())
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 1]}…"
