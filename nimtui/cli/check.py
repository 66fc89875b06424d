"""`nimtui check`: tests whether a game, learner or agent keeps its contract."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from nimtui.cli import options

if TYPE_CHECKING:
    from nimtui.quarantine import Verdict

BROKEN = 1  # the exit status if a rule of the contract is broken

EXAMPLES = """\
nimtui check wythoff.py
nimtui check wythoff:4,8
nimtui check last:epsilon=0.2
nimtui check nim:1,3,5,7 --json"""


def check(
    what: Annotated[
        str,
        typer.Argument(
            metavar="FILE|GAME|AGENT|LEARNER",
            show_default=False,
            help="A Python file with a game, learner or agent, or the name of one.",
        ),
    ],
    json: options.Json = False,
) -> None:
    """Check a game, a learner or an agent against its contract.

    Tests the rules on the positions nearest to the start and in random games, interpreted and compiled. The tests run
    in a separate process. Names each broken rule with an example; the exit status is then 1. nimtui checks your own
    files before it first uses them.
    """
    from nimtui import quarantine
    from nimtui.cli import output
    from nimtui.cli.bar import Bar
    from nimtui.cli.own_code import find
    from nimtui.errors import InputError

    found = find(what)
    with Bar("check"):
        verdict = quarantine.check(found.source, found.kind, found.wanted)
    if verdict.refused:
        raise InputError(verdict.refused)
    if json:
        keys: dict[str, Any] = {"file": str(found.path), "kind": found.kind, "ok": verdict.ok}
        output.document({**keys, "checks": [one._asdict() for one in verdict.checks]})
    else:
        _show(f"{found.kind} {found.path}", verdict)
    if not verdict.ok:
        raise typer.Exit(BROKEN)


def _show(heading: str, verdict: Verdict) -> None:
    from nimtui.cli import output

    output.say(heading, style="bold")
    width = max((len(check.name) for check in verdict.checks), default=0)
    for check in verdict.checks:
        line = f"{'ok' if check.ok else 'broken':6}  {check.name:{width}}  {check.example or ''}"
        output.say(line.rstrip())
    if not verdict.ok and not verdict.certain:
        again = "in 10 minutes or later, or when the file changes" if verdict.late else "at its next start"
        why = "time ran out" if verdict.late else "the system failed"
        output.say("", f"The check may pass next time: {why}. nimtui repeats it {again}.")
    broken = sum(not check.ok for check in verdict.checks)
    output.say(
        "", f"{broken} of {len(verdict.checks)} checks failed" if broken else f"all {len(verdict.checks)} checks passed"
    )
