"""Faults of agents, each as one line that starts with the agent's name."""

from __future__ import annotations

from nimtui.agents.agent import Agent
from nimtui.errors import InputError, shortened

LONGEST = 200  # characters of an agent's text


class AgentFault(InputError):
    """An own agent gave no answer, or an unusable one."""


class OverTime(AgentFault):
    """An agent exceeded its time limit."""


def raised_text(agent: Agent, fault: BaseException) -> str:
    """Return an agent's exception in one line: 'AGENT raised ValueError: no move'."""
    return f"{agent.name} raised {type(fault).__name__}: {short_text(fault)}".removesuffix(": ")


def short_text(what: object) -> str:
    """Return any object as one short, printable line."""
    try:
        text = str(what) if isinstance(what, BaseException) else repr(what)
    except Exception:  # noqa: BLE001 - a number may have too many digits, and an object may do anything
        return f"something of type {type(what).__name__}"
    line = " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())
    return shortened(line, LONGEST)
