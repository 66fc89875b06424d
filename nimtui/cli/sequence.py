"""`nimtui sequence`: the outcomes and Grundy values of one row of 0, 1, 2, … matches, with their period."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from nimtui.cli import completion, options, output
from nimtui.cli.bar import Bar
from nimtui.cli.names import own_files
from nimtui.errors import InputError

if TYPE_CHECKING:
    from nimtui.theory.sequence_report import Row

MATCHES = "matches"

Name = Annotated[
    str | None,
    options.argument(
        "[GAME]",
        "One heap, with or without its size: subtraction:21,3, kayles, octal:0.56, grundy:misere, nim:take=1,3. Or any"
        " game whose name has one number, your own too: that number runs from 0 to --to. N marks it in a name with"
        " several: nim:1,2,N.",
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
        "--to", "N", "The largest number.", parser=options.whole("the largest number", 0, 1 << 23), default=True
    ),
]
Summary = Annotated[bool, options.flag("--summary", "Leave the values out: print the period and what else is known.")]
Line = Annotated[bool, options.flag("--line", "Print the values on one line.")]


@options.examples("""\
nimtui sequence subtraction:21,3:misere
nimtui sequence kayles:21 --to 170 --json
nimtui sequence --set 1,3,4 --to 60 --line
nimtui sequence octal:0.56 --to 700000 --summary
nimtui sequence octal:0.123:misere --to 60
nimtui sequence nim:1,2,N                   N runs from 0 to 20""")
def sequence(
    game: Name = None,
    takes: Takes = None,
    misere: Misere = False,
    to: To = 20,
    line: Line = False,
    summary: Summary = False,
    json: options.Json = False,
) -> None:
    """Print the values of one heap of 0 to N matches.

    Shows who wins, the Grundy values of normal play, and the period of the sequence."""
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
        output.report(listed(row, to, summary), json)


def _of_set(text: str, misere: bool, to: int) -> Row:
    from nimtui.theory.sequence import of_set, parse_set
    from nimtui.theory.sequence_report import Row

    takes = parse_set(text)
    *most, last = map(str, takes)
    one_of = f"{', '.join(most)} or {last}" if most else last
    title = f"One row, take {one_of} · the last match {'loses' if misere else 'wins'}"
    with Bar("sequence") as bar:
        return Row(of_set(takes, misere, to, bar), title, MATCHES, takes=takes)


def _of_game(text: str, to: int) -> Row:
    from nimtui.theory import families
    from nimtui.theory.sequence import row_of
    from nimtui.theory.sequence_report import Row

    own_files()
    heap = row_of(text)
    with Bar("sequence") as bar:
        if heap is not None:
            return Row(heap.values(to, bar), f"{heap.title}  ({heap.name})", MATCHES, heap.name)
        family = families.family(text)
        values = families.values(family, to, bar)
    if family.of is not None:
        return Row(values, f"{family.name}, positions 0 to {to:,}", "position", family.name)
    return Row(values, f"{family.name}, {families.MARK} = 0 to {to:,}", families.MARK, family.name)
