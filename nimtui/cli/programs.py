"""What the commands that play games say of programs: what closes them in."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from nimtui.agents.home_programs import programs
from nimtui.agents.path import is_hand_in
from nimtui.agents.program import CS50
from nimtui.agents.program import is_program as names_command
from nimtui.errors import InputError


def is_program(text: str) -> bool:
    """Return whether this names a program: a command, or one in the folder of programs."""
    return names_command(text) or text.strip().lower() in programs()


def assignment_of(text: str) -> str:
    """Return the game of a student's hand-in, '' for any other path or name."""
    from nimtui.learning.students.assignment import likeliest

    path = programs().get(text.strip().lower()) or Path(text.removeprefix(f"{CS50}:").strip()).expanduser()
    one = likeliest(path) if is_hand_in(path) else None
    return "" if one is None else one.trained or one.game


def sandbox_line(agents: Iterable[str], wanted: str | None = None) -> str:
    """Return the line on what closes the programs among the agents in, '' without programs.

    Raises InputError if it is `wanted` as "required", and the system leaves something open.
    """
    if not any(map(names_command, agents)):
        return ""
    from nimtui.sandbox.closing import account, open_to
    from nimtui.sandbox.program import held

    ways = open_to(held())
    if wanted == "required" and ways:
        raise InputError(f"--sandbox required: this system leaves open to programs: {', '.join(ways)}")
    return account(held())
