"""The fault that ended a game, as one line of text: what happened, then the particulars as JSON if there are any."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any, NamedTuple

MARK = ' {"kind":'  # no JSON text holds it: its quotes would be escaped
OTHER = "other"  # the kind of a fault that an older nimtui saved


class Fault(NamedTuple):
    """How an agent lost a game, apart from the board."""

    text: str  # one sentence without its full stop, which names the agent
    kind: str = OTHER  # of `sandbox.program.FaultKind`
    position: str = ""  # in which it happened
    told: str = ""  # the line that a program was sent
    answer: str = ""  # what it wrote
    errors: tuple[str, ...] = ()  # its last lines on stderr

    def packed(self) -> str:
        """Return the line to store."""
        particulars = {key: value for key, value in self._asdict().items() if value and key != "text"}
        return f"{self.text} {json.dumps(particulars)}"

    @property
    def particulars(self) -> list[str]:
        """Return what a program was told and wrote, a line each; none for another agent."""
        if not self.told:
            return []
        lines = [f"{self.kind} at {self.position}", f"told: {self.told}", f"answered: {self.answer or 'nothing'}"]
        return lines + [f"stderr: {line}" for line in self.errors]

    def document(self) -> dict[str, Any]:
        """Return the fault as values of a document; null for what there is not."""
        return {key: list(value) if key == "errors" else value or None for key, value in self._asdict().items()}


def unpacked(line: str) -> Fault:
    """Return the fault of a stored line; of its text alone if that is all it has."""
    text, mark, rest = line.rpartition(MARK)
    if mark:
        with suppress(ValueError, TypeError, AttributeError):
            values = json.loads(mark.strip() + rest)
            kind, position, question, answer = (str(values.get(key, "")) for key in Fault._fields[1:5])
            return Fault(text, kind, position, question, answer, tuple(map(str, values.get("errors", ()))))
    return Fault(line)
