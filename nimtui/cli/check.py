"""`nimtui check`: tests whether a game, learner or agent keeps its contract.

`nimtui grade`: says which rules of an assignment a student's file breaks.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from nimtui.cli import options, output
from nimtui.cli.bar import Bar
from nimtui.cli.names import find, read_game
from nimtui.errors import InputError, unknown
from nimtui.foreign.reading import absolute

BROKEN = 1  # the exit status if a rule of the contract, or of the assignment, is broken


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
    from nimtui.arena.play import trials
    from nimtui.check import quarantine
    from nimtui.check.report import PROGRAM, checked

    hand_in = assignment_of(what)
    with Bar("check") as bar:
        if names_program(what) or hand_in:
            verdict, path = trials.check(what, read_game(game or hand_in or "nim:3,4,5"), bar)
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


@options.examples("""\
nimtui grade nim.py
nimtui grade tictactoe.py --json
nimtui grade hand_in.py --assignment sorting.toml""")
def grade(
    file: Annotated[
        Path, options.argument("FILE", "A student's Python file. It runs in the sandbox.", options.file_name)
    ],
    assignment: Annotated[
        str | None,
        options.option(
            "",
            "NAME|FILE",
            "nim, tictactoe, or a file with an assignment of your own. [default: the one that the file resembles]",
        ),
    ] = None,
    json: options.Json = False,
) -> None:
    """Try the rules of an assignment on a student's file.

    Names each broken rule with the smallest example; the exit status is then 1. Knows the Nim and the tic-tac-toe of
    Harvard's CS50 AI course. The file stays as it is: what it prints is dropped.
    """
    from nimtui.check.grade import Grade, Rule, report, tried
    from nimtui.learning.students.learner import BUILT_IN, likeliest, parsed, read

    if not file.is_file():
        raise InputError(f"no file '{file}'")
    if assignment is None:
        rules = likeliest(file)
        if rules is None:
            parsed(file)  # raises what keeps it from being read
            raise InputError(f"{file} resembles no assignment: name one by --assignment ({', '.join(BUILT_IN)})")
    elif assignment in BUILT_IN or Path(assignment).is_file():
        rules = read(BUILT_IN.get(assignment, Path(assignment)))
    else:
        raise unknown("assignment", assignment, BUILT_IN)
    every: list[Rule] = []
    with Bar("grade") as bar:
        with bar.orderly(lambda: every):
            for rule in tried(absolute(file), rules, bar):
                every.append(rule)  # a stop leaves those before it
        result = Grade(rules, absolute(file), tuple(every))
        bar.print(report(result), json)
        bar.leave()
    if result.broken:
        raise typer.Exit(BROKEN)
