"""`nimtui check`: tests whether a game, learner or agent keeps its contract."""

from __future__ import annotations

from typing import Annotated

import typer

from nimtui.cli import options

BROKEN = 1  # the exit status if a rule of the contract is broken

EXAMPLES = """\
nimtui check wythoff.py
nimtui check wythoff:4,8
nimtui check last:epsilon=0.2
nimtui check nim:1,3,5,7 --json"""


def check(
    what: Annotated[
        str,
        options.argument("FILE|GAME|AGENT|LEARNER", "A Python file with a game, learner or agent, or the name of one."),
    ],
    json: options.Json = False,
) -> None:
    """Check a game, a learner or an agent against its contract.

    Tests the rules on the positions nearest to the start and in random games, interpreted and compiled. The tests run
    in a separate process. Names each broken rule with an example; the exit status is then 1. nimtui checks your own
    files before it first uses them.
    """
    from nimtui.check import quarantine
    from nimtui.check.report import checked
    from nimtui.cli import output
    from nimtui.cli.bar import Bar
    from nimtui.cli.own_code import find
    from nimtui.errors import InputError

    own = find(what)
    with Bar("check"):
        verdict = quarantine.check(own.source, own.kind, own.wanted)
    if verdict.refused:
        raise InputError(verdict.refused)
    output.report(checked(own.path, own.kind, verdict), json)
    if not verdict.ok:
        raise typer.Exit(BROKEN)
