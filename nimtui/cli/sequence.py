"""`nimtui sequence`: the outcomes and Grundy values of one row of 0, 1, 2, … matches, with their period."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from nimtui.cli import completion, options
from nimtui.errors import InputError, whole_number

if TYPE_CHECKING:
    from nimtui.theory.sequence_report import Row

EXAMPLES = """\
nimtui sequence subtraction:21,3:misere
nimtui sequence kayles:21 --to 170 --json
nimtui sequence --set 1,3,4 --to 60 --line
nimtui sequence nim:1,2,N                   N runs from 0 to 20"""

MATCHES = "matches"

Name = Annotated[
    str | None,
    options.argument(
        "[GAME]",
        "One row, e.g. subtraction:21,3, nim:21, kayles:21. Or any game whose name has one number, your own too:"
        " that number runs from 0 to --to. N marks it in a name with several: nim:1,2,N.",
        complete=completion.games,
    ),
]
Takes = Annotated[
    str | None,
    options.option(
        "--set",
        "NUMBERS",
        "Instead of GAME: one row from which a move takes one of these numbers of matches, e.g. 1,3,4.",
    ),
]
Misere = Annotated[bool, options.flag("--misere", "With --set: the player who moves last loses.")]
To = Annotated[
    int,
    options.option(
        "--to", "N", "The largest number.", parser=options.whole("the largest number", 0, 1_000_000), default=True
    ),
]
Line = Annotated[bool, options.flag("--line", "Print the values on one line.")]


def sequence(
    game: Name = None,
    takes: Takes = None,
    misere: Misere = False,
    to: To = 20,
    line: Line = False,
    json: options.Json = False,
) -> None:
    """Print the values of one row of 0 to N matches.

    Shows who wins, the Grundy values of normal play, and the period of the sequence."""
    from nimtui.cli import output
    from nimtui.theory.sequence_report import listed, one_line, period_text

    if (game is None) == (takes is None):
        raise InputError("name either a game, such as subtraction:21,3, or a set: --set 1,3,4")
    if takes is not None:
        row = _of_set(takes, misere, to)
    elif misere:
        raise InputError(f"--misere goes with --set; the game itself is named {game}:misere")
    else:
        row = _of_game(game or "", to)
    if line and not json:
        output.say(one_line(row.sequence))
        output.paragraph(period_text(row.sequence, to))
    else:
        output.report(listed(row, to), json)


def _of_set(text: str, misere: bool, to: int) -> Row:
    from nimtui.theory.sequence import MOST, of_set
    from nimtui.theory.sequence_report import Row

    takes = sorted({whole_number(part, "a number of --set", 1, MOST) for part in text.split(",")})
    *most, last = map(str, takes)
    one_of = f"{', '.join(most)} or {last}" if most else last
    title = f"One row, take {one_of} · the last match {'loses' if misere else 'wins'}"
    return Row(of_set(takes, misere, to), title, MATCHES, takes=takes)


def _of_game(text: str, to: int) -> Row:
    from nimtui.cli.bar import Bar
    from nimtui.cli.names import own_files
    from nimtui.theory import families
    from nimtui.theory.sequence import sequence as of_row
    from nimtui.theory.sequence_report import Row

    own_files()
    if (row := families.row_of(text)) is not None:
        return Row(of_row(row, to), f"{row.title}  ({row.name})", MATCHES, row.name)
    family = families.family(text)
    with Bar("sequence") as bar:
        values = families.values(family, to, bar)
    if family.of is not None:
        return Row(values, f"{family.name}, positions 0 to {to:,}", "position", family.name)
    return Row(values, f"{family.name}, {families.MARK} = 0 to {to:,}", families.MARK, family.name)
