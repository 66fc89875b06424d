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
nimtui check nim:1,3,5,7 --json
nimtui check 'cmd:python3 bot.py' --game connect4"""


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
    from nimtui.check import quarantine
    from nimtui.check.report import checked
    from nimtui.cli import output
    from nimtui.cli.bar import Bar
    from nimtui.cli.own_code import find
    from nimtui.errors import InputError

    hand_in = assignment_of(what)
    if names_program(what) or hand_in:
        _check_program(what, game or hand_in or "nim:3,4,5", json)
        return
    if game is not None:
        raise InputError("--game is for a program, such as cmd:./bot")
    own = find(what)
    with Bar("check"):
        verdict = quarantine.check(own.source, own.kind, own.wanted)
    if verdict.refused:
        raise InputError(verdict.refused)
    output.report(checked(own.path, own.kind, verdict), json)
    if not verdict.ok:
        raise typer.Exit(BROKEN)


def _check_program(name: str, on: str, json: bool) -> None:
    """Play a program through some games and print its faults."""
    from pathlib import Path

    from nimtui.agents import parse_agent
    from nimtui.arena.play.program_check import check
    from nimtui.check.report import checked
    from nimtui.cli import output
    from nimtui.cli.bar import Bar
    from nimtui.cli.names import read_game
    from nimtui.sandbox.command import file_of

    game = read_game(on)
    with Bar("check") as bar:
        verdict = check(name, game, bar)
    path = Path(file_of(parse_agent(name, game).name.partition(":")[2]))
    output.report(checked(path, "program", verdict), json)
    if not verdict.ok:
        raise typer.Exit(BROKEN)
