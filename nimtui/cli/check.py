"""`nimtui check`: tests whether a game, learner or agent keeps its contract."""

from __future__ import annotations

from typing import Annotated

import typer

from nimtui.cli import options, output
from nimtui.cli.bar import Bar
from nimtui.cli.names import read_game
from nimtui.cli.own_code import find
from nimtui.errors import InputError

BROKEN = 1  # the exit status if a rule of the contract is broken


@options.examples("""\
nimtui check wythoff.py
nimtui check wythoff:4,8
nimtui check last:epsilon=0.2
nimtui check nim:1,3,5,7 --json
nimtui check 'cmd:python3 bot.py' --game connect4""")
def check(
    what: Annotated[
        str,
        options.argument(
            "FILE|GAME|AGENT|LEARNER|PROGRAM",
            "A Python file with a game, learner or agent, the name of one, or a program: cmd:./bot.",
        ),
    ],
    game: Annotated[
        str | None,
        options.filter_option("The game that a program plays. [default: nim:3,4,5, or that of its assignment]"),
    ] = None,
    json: options.Json = False,
) -> None:
    """Check a game, a learner, an agent or a program against its contract.

    Tests the rules on the positions nearest to the start and in random games, interpreted and compiled. The tests run
    in a separate process. Names each broken rule with an example; the exit status is then 1. nimtui checks your own
    files before it first uses them.

    A program plays some games against random moves, with 2 s for a move. The report names each kind of fault.
    """
    from nimtui.agents.home_programs import assignment_of, names_program
    from nimtui.arena.play import program_check
    from nimtui.check import quarantine
    from nimtui.check.report import PROGRAM, checked

    hand_in = assignment_of(what)
    with Bar("check") as bar:
        if names_program(what) or hand_in:
            verdict, path = program_check.check(what, read_game(game or hand_in or "nim:3,4,5"), bar)
            kind = PROGRAM
        elif game is not None:
            raise InputError("--game is for a program, such as cmd:./bot")
        else:
            own = find(what)
            path, kind, verdict = own.path, own.kind, quarantine.check(own.source, own.kind, own.wanted)
    if verdict.refused:
        raise InputError(verdict.refused)
    output.report(checked(path, kind, verdict), json)
    if not verdict.ok:
        raise typer.Exit(BROKEN)
