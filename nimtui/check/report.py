"""What a check of a game, a learner, an agent or a program tells."""

from __future__ import annotations

from pathlib import Path

from nimtui.check.verdict import Verdict
from nimtui.games.notation import plural
from nimtui.report.blocks import Block, Facts, Figure, Figures, Gap, Heading, Report, Sentence
from nimtui.report.values import Word

PROGRAM = "program"  # a kind that only reports have
CLOSED = {  # what each part of the system does to own code
    "bubblewrap": "sees only the system, its libraries and its own folder (bubblewrap)",
    "Landlock": "writes only to {} folder (Landlock)",
    "seccomp": "no network (seccomp)",
}


def checked(path: Path, kind: str, verdict: Verdict) -> Report:
    """Return whether each rule of the contract holds, with an example of each broken one."""
    checks = verdict.checks
    broken = sum(not one.ok for one in checks)
    blocks: list[Block] = [
        Facts({"file": str(path), "kind": kind, "ok": verdict.ok, "closed_in": verdict.closed}),
        Facts({"checks": [one._asdict() for one in checks]}),
        Heading(f"{kind} {path}"),
        Figures([Figure(one.name, Word("ok" if one.ok else f"broken: {one.example}")) for one in checks]),
        Gap(),
        Sentence(_closed(verdict, "a temporary" if kind == PROGRAM else "its own")),
        Gap(),
    ]
    if not verdict.ok and not verdict.certain:
        again = "in 10 minutes or later, or when the file changes" if verdict.late else "at its next start"
        why = "time ran out" if verdict.late else "the system failed"
        blocks += [Sentence(f"The check may pass next time: {why}. nimtui repeats it {again}."), Gap()]
    many = plural(len(checks), "check", "checks")
    failed = f"{broken} of {many} failed" if broken else f"all {many} passed"
    return Report([*blocks, Sentence(failed)])


def _closed(verdict: Verdict, whose: str) -> str:
    """Return what kept the checked code from the network and from other files than those of a folder."""
    if not verdict.closed:
        return "Not closed in: only its time, memory and processes were limited."
    return f"Closed in: {', '.join(CLOSED[one].format(whose) for one in verdict.closed)}."
