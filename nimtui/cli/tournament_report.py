"""The JSON document and the text report of `nimtui tournament`."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

from nimtui.arena import judge, statements
from nimtui.arena.columns import GAP, crosstable, table
from nimtui.arena.entrants import labels
from nimtui.arena.faults import lines as equal_faults
from nimtui.arena.figures import games_text
from nimtui.arena.verdict_words import errors_text, question, sentence
from nimtui.cli import output

if TYPE_CHECKING:
    from nimtui.arena.plan import Plan
    from nimtui.arena.tally import Field
    from nimtui.jobs.tournament import View

MOST_FAULTS = 20  # lines of different faults
WIDE = 120  # columns of text without a terminal


# As a document.


# As text: the report.


def show(view: View, remarks: list[str], seconds: float) -> None:
    """Print the standings, the crosstable, and remarks on them."""
    from nimtui.games import parse_game

    plan, standings = view.plan, view.standings
    for name in plan.games:
        output.heading(parse_game(name))
    output.say(f"{kind_text(plan)}, seed {plan.seed}")
    if plan.sprt is not None:
        for line in question(plan):
            output.say(line)
    if plan.limits.title:
        output.say(f"time limit: {plan.limits.title}")
    output.say(speed_text(view, seconds), "")
    show_tables(standings)
    for line in (*_notes(view), *remarks):
        output.paragraph(line)


def show_tables(field: Field) -> None:
    """Print the standings and the crosstable, each with an empty line below."""
    wide = shutil.get_terminal_size().columns if sys.stdout.isatty() else WIDE
    for columns in (table(field, wide), *crosstable(field, wide)):
        output.columns(
            [column.name for column in columns],
            zip(*(column.cells for column in columns), strict=True),
            left=[place for place, column in enumerate(columns) if column.left],
            gap=GAP,
        )
        output.say("")


def kind_text(plan: Plan) -> str:
    """Return the kind of tournament: 'round-robin of 4 agents, 100 games per pairing, from the start'."""
    from nimtui.arena.plan import ONE_SIDED, ORDERED

    agents = "1 agent" if len(plan.agents) == 1 else f"{len(plan.agents)} agents"
    kind = {ORDERED: "all ordered pairs", ONE_SIDED: "match"}.get(plan.pairs, plan.pairs)
    return f"{kind} of {agents}, {games_text(plan.number)} per pairing, {plan.openings.title}"


def speed_text(view: View, seconds: float) -> str:
    """Return the number of games, the time and the speed."""
    of = "" if view.finished else f" of {view.total:,}"
    games = "1 game" if view.done == 1 and not of else f"{view.done:,}{of} games"
    fast = f", {view.done / view.seconds:,.0f} a second" if view.seconds > 0 and view.done > 1 else ""
    now = f" ({output.seconds(seconds)} of it now)" if 0 < seconds < 0.9 * view.seconds else ""
    return f"{games} in {output.seconds(view.seconds)}{now}{fast}"


def _notes(view: View) -> Iterator[str]:
    plan, standings = view.plan, view.standings
    judged = judge.least_judged(plan.games)
    yield from statements.of_tables(standings, judged=None if judged is None or judged >= plan.number else judged)
    yield from statements.of_ratings(standings.ratings, standings.meetings, labels(plan.agents))
    for score in view.scores:
        if said := sentence(plan, score):
            yield said
    if plan.sprt is not None:
        yield errors_text(plan.sprt)
    if faults := sum(sum(score.faults) for score in view.scores):
        games = "1 game was" if faults == 1 else f"{faults:,} games were"
        yield f"{games} lost by a fault of an agent:"
        yield from equal_faults(view.kinds, MOST_FAULTS)
