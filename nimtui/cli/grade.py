"""`nimtui grade`: says which rules of an assignment a student's file breaks."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from nimtui.cli import options
from nimtui.cli.bar import Bar
from nimtui.errors import InputError, unknown
from nimtui.foreign.reading import absolute

BROKEN = 1  # the exit status if a rule is broken


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
    from nimtui.learning.students.assignment import BUILT_IN, likeliest, parsed, read

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
