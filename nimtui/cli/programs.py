"""What the commands that play games say of programs: what closes them in, and whether they changed."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from typing import Any

from nimtui.agents.home_programs import programs
from nimtui.agents.program import is_program as names_command
from nimtui.cli.output import tell
from nimtui.errors import InputError
from nimtui.sandbox.command import file_of

PROGRAMS = "programs"  # the key of a saved tournament: the digest of each program's file


def is_program(text: str) -> bool:
    """Return whether this names a program: a command, or one in the folder of programs."""
    return names_command(text) or text.strip().lower() in programs()


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


def digests(agents: Iterable[str]) -> dict[str, dict[str, str]]:
    """Return the part of a saved tournament's document that says how its programs were."""
    programs = {agent: _digest(agent) for agent in agents if names_command(agent)}
    return {PROGRAMS: programs} if programs else {}


def compare(document: dict[str, Any]) -> None:
    """Tell which programs of a saved tournament changed. Raises InputError if one is gone."""
    for agent, digest in dict(document.get(PROGRAMS, {})).items():
        file = file_of(agent.partition(":")[2])
        if not Path(file).exists():
            raise InputError(f"the program {file} is gone: put it back to resume")
        if digest != _digest(agent):
            tell(f"{file} has changed since the tournament started: the missing games are played by the new one")


def _digest(agent: str) -> str:
    """Return the digest of a program's file, '' if it is a folder or unreadable."""
    try:
        return sha256(Path(file_of(agent.partition(":")[2])).read_bytes()).hexdigest()
    except OSError:
        return ""
