"""`nimtui sequence`: the outcomes and Grundy values of one row of 0, 1, 2, … matches, with their period."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from nimtui.cli import completion, options
from nimtui.errors import InputError, whole_number

if TYPE_CHECKING:
    from nimtui.theory.sequence import Sequence

EXAMPLES = """\
nimtui sequence subtraction:21,3:misere
nimtui sequence kayles:21 --to 170 --json
nimtui sequence --set 1,3,4 --to 60 --line
nimtui sequence nim:1,2,N                   N runs from 0 to 20"""

OUTCOMES = {1: "N", 0: "D", -1: "P", None: "–"}  # the field's letters; D: drawn
MATCHES = "matches"

Name = Annotated[
    str | None,
    typer.Argument(
        metavar="[GAME]",
        show_default=False,
        autocompletion=completion.games,
        help="One row, e.g. subtraction:21,3, nim:21, kayles:21. Or any game whose name has one number, your own too:"
        " that number runs from 0 to --to. N marks it in a name with several: nim:1,2,N.",
    ),
]
Takes = Annotated[
    str | None,
    typer.Option(
        "--set",
        metavar="NUMBERS",
        show_default=False,
        help="Instead of GAME: one row from which a move takes one of these numbers of matches, e.g. 1,3,4.",
    ),
]
Misere = Annotated[
    bool, typer.Option("--misere", show_default=False, help="With --set: the player who moves last loses.")
]
To = Annotated[
    int,
    typer.Option(
        "--to", metavar="N", parser=options.whole("the largest number", 0, 1_000_000), help="The largest number."
    ),
]
Line = Annotated[bool, typer.Option("--line", show_default=False, help="Print the values on one line.")]


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

    if (game is None) == (takes is None):
        raise InputError("name either a game, such as subtraction:21,3, or a set: --set 1,3,4")
    if takes is not None:
        found = _of_set(takes, misere, to)
    elif misere:
        raise InputError(f"--misere goes with --set; the game itself is named {game}:misere")
    else:
        found = _of_game(game or "", to)
    if json:
        output.document(_document(found, to))
        return
    if line:
        _print_line(found.sequence)
    else:
        output.say(found.title, style="bold")
        _print_table(found)
    output.paragraph(_told(found.sequence, to))


@dataclass(frozen=True)
class _Found:
    sequence: Sequence
    title: str
    counted: str  # what the numbers count
    game: str | None = None
    takes: list[int] | None = None


def _of_set(text: str, misere: bool, to: int) -> _Found:
    from nimtui.theory.sequence import MOST, of_set

    takes = sorted({whole_number(part, "a number of --set", 1, MOST) for part in text.split(",")})
    return _Found(of_set(takes, misere, to), _set_title(takes, misere), MATCHES, takes=takes)


def _of_game(text: str, to: int) -> _Found:
    from nimtui.cli.bar import Bar
    from nimtui.cli.names import own_files
    from nimtui.theory import families
    from nimtui.theory.sequence import sequence as of_row

    own_files()
    if (row := families.row_of(text)) is not None:
        return _Found(of_row(row, to), f"{row.title}  ({row.name})", MATCHES, row.name)
    family = families.family(text)
    with Bar("sequence") as bar:
        values = families.values(family, to, bar)
    if family.of is not None:
        return _Found(values, f"{family.name}, positions 0 to {to:,}", "position", family.name)
    return _Found(values, f"{family.name}, {families.MARK} = 0 to {to:,}", families.MARK, family.name)


def _document(found: _Found, to: int) -> dict[str, Any]:
    values, period = found.sequence, found.sequence.period
    keys: dict[str, Any] | None = None
    if period is not None:
        keys = {"preperiod": period.preperiod, "length": period.length, "proven": period.proven}
        keys["proof"] = None if period.proof is None else period.proof.value
    return {
        "game": found.game,
        "set": found.takes,
        "to": to,
        "values": list(values.values),
        "outcomes": [None if value is None else OUTCOMES[value] for value in values.values],
        "grundy": None if values.grundy is None else list(values.grundy),
        "period": keys,
    }


def _set_title(takes: list[int], misere: bool) -> str:
    *most, last = map(str, takes)
    one_of = f"{', '.join(most)} or {last}" if most else last
    return f"One row, take {one_of} · the last match {'loses' if misere else 'wins'}"


def _print_line(found: Sequence) -> None:
    """Print the Grundy values on one line, or the outcomes where those are unknown."""
    from nimtui.cli import output

    shown = [OUTCOMES[value] for value in found.values]
    if found.grundy is not None:
        shown = ["–" if value is None else str(value) for value in found.grundy]
    output.say(" ".join(shown))


def _print_table(found: _Found) -> None:
    from nimtui.cli import output

    values, grundy = found.sequence.values, found.sequence.grundy
    rows = [
        [str(number), output.exact(value), OUTCOMES[value], "–" if grundy is None else str(grundy[number])]
        for number, value in enumerate(values)
        if value is not None
    ]
    output.columns([found.counted, "value", "outcome", "Grundy"], rows, left=())
    lost = [str(number) for number, value in enumerate(values) if value == -1]
    output.say("")
    output.paragraph(f"lost for the player to move: {', '.join(lost) or 'none'}")


def _told(found: Sequence, to: int) -> str:
    """Return what is known of the period: 'The Grundy values have period 4 from 0 on, proven: …'."""
    from nimtui.theory.periods import Proof

    what, period = "outcomes" if found.grundy is None else "Grundy values", found.period
    if period is None:
        return f"The values up to {to:,} prove no period of the {what}."
    why = {
        Proof.WINDOW: "proven: as many values in a row repeat as a move can take",
        Proof.GUY_SMITH: "proven by the bound of Guy and Smith",
        Proof.ANY: "proven: a move may take all matches but one",
        None: f"seen up to {to:,}, not proven",
    }[period.proof]
    return f"The {what} have period {period.length} from {period.preperiod} on ({why})."
