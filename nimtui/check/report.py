"""What a check of a game, a learner or an agent tells."""

from __future__ import annotations

from pathlib import Path

from nimtui.check.verdict import Verdict
from nimtui.games.notation import plural
from nimtui.report.blocks import Block, Facts, Figure, Figures, Gap, Heading, Report, Sentence
from nimtui.report.values import Word


def checked(path: Path, kind: str, verdict: Verdict) -> Report:
    """Return whether each rule of the contract holds, with an example of each broken one."""
    checks = verdict.checks
    broken = sum(not one.ok for one in checks)
    blocks: list[Block] = [
        Facts({"file": str(path), "kind": kind, "ok": verdict.ok, "checks": [one._asdict() for one in checks]}),
        Heading(f"{kind} {path}"),
        Figures([Figure(one.name, Word("ok" if one.ok else f"broken: {one.example}")) for one in checks]),
        Gap(),
    ]
    if not verdict.ok and not verdict.certain:
        again = "in 10 minutes or later, or when the file changes" if verdict.late else "at its next start"
        why = "time ran out" if verdict.late else "the system failed"
        blocks += [Sentence(f"The check may pass next time: {why}. nimtui repeats it {again}."), Gap()]
    many = plural(len(checks), "check", "checks")
    failed = f"{broken} of {many} failed" if broken else f"all {many} passed"
    return Report([*blocks, Sentence(failed)])
