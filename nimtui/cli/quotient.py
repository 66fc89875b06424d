"""`nimtui quotient`: the misère quotient of all sums of heaps up to N."""

from __future__ import annotations

from typing import Annotated

from nimtui.cli import completion, options, output
from nimtui.cli.bar import Bar
from nimtui.errors import InputError, whole_number

Name = Annotated[
    str,
    options.argument(
        "GAME", "One heap of any size: octal:0.123, kayles, dawson, grundy, nim:take=1,3.", complete=completion.games
    ),
]
To = Annotated[
    int,
    options.option("--to", "N", "The largest heap.", parser=options.whole("the largest heap", 0, 255), default=True),
]
MostElements = Annotated[
    int,
    options.option(
        "--most-elements",
        "N",
        "The largest order: a larger quotient is not closed.",
        parser=options.whole("the number of elements", 1, 2_000),
        default=True,
    ),
]
Sum = Annotated[
    str | None, options.option("--sum", "HEAPS", "Also print the element of this sum of heaps, e.g. 8,5,3.")
]


@options.examples("""\
nimtui quotient octal:0.123 --to 11
nimtui quotient octal:0.123 --to 11 --sum 8,5,3 --json
nimtui quotient kayles --to 20 --most-elements 40""")
def quotient(
    game: Name, to: To = 10, most_elements: MostElements = 200, sum: Sum = None, json: options.Json = False
) -> None:
    """Print the misère quotient of all sums of heaps up to N.

    The quotient is verified for all sums before it counts as closed. Source: T. Plambeck and A. Siegel (2008)."""
    from nimtui.theory.quotient import quotients
    from nimtui.theory.quotient_report import listed
    from nimtui.theory.sequence import row_of

    heap = row_of(game)
    if heap is None or heap.rule is None:
        raise InputError(f"{game} is not one heap of an octal game: name one such as octal:0.123, kayles or grundy")
    heaps = None if sum is None else [whole_number(part, "a heap of --sum", 0, to) for part in sum.split(",")]
    with Bar("quotient") as bar:
        [*_, last] = quotients(heap.rule, to, most_elements, progress=bar)
    title = f"Misère quotient of {heap.rule.title}, heaps up to {to}  ({heap.quotient_name})"
    output.report(listed(title, heap.quotient_name, to, last, heaps), json)
