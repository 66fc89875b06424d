"""`nimtui sequence`: the outcomes and Grundy values of one row of 0, 1, 2, … matches, with their period."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from nimtui.cli import options

if TYPE_CHECKING:
    from nimtui.theory.sequence import Period

EXAMPLES = """\
nimtui sequence subtraction:21,3:misere
nimtui sequence kayles:21 --to 170 --json"""

To = Annotated[int, typer.Option("--to", metavar="N", help="The largest number of matches.")]


def sequence(game: options.Game, to: To = 20, json: options.Json = False) -> None:
    """Print the values of one row of 0 to N matches.

    Shows who wins, the Grundy values of normal play, and the period of the sequence."""
    from nimtui.cli import output
    from nimtui.cli.names import read_game
    from nimtui.theory.sequence import sequence as computed

    chosen = read_game(game)
    found = computed(chosen, to)
    outcomes = ["N" if value > 0 else "P" for value in found.values]
    if json:
        period = found.period
        keys = None
        if period is not None:
            keys = {"preperiod": period.preperiod, "length": period.length, "proven": period.proven}
        output.document(
            {
                "game": chosen.name,
                "to": to,
                "values": list(found.values),
                "outcomes": outcomes,
                "grundy": None if found.grundy is None else list(found.grundy),
                "period": keys,
            }
        )
        return
    output.heading(chosen)
    grundy = found.grundy
    rows = [
        [str(matches), output.exact(value), outcomes[matches], "–" if grundy is None else str(grundy[matches])]
        for matches, value in enumerate(found.values)
    ]
    output.columns(["matches", "value", "outcome", "Grundy"], rows, left=())
    output.say("", f"lost for the player to move: {', '.join(str(at) for at, v in enumerate(found.values) if v < 0)}")
    output.say(_told(found.period, "outcomes" if grundy is None else "Grundy values"))


def _told(period: Period | None, what: str) -> str:
    if period is None:
        return f"No period of the {what} within this range."
    proven = "proven" if period.proven else "not proven: it holds as far as computed"
    return f"The {what} have period {period.length} from {period.preperiod} on ({proven})."
