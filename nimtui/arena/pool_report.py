"""What a pool of tournaments shows: standings as those of a tournament, and what is special about the pool."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from math import isnan
from typing import Any

from nimtui.arena import judge, statements
from nimtui.arena.entrants import labels
from nimtui.arena.pool import Part, Pool
from nimtui.arena.standings_report import field_blocks, headings
from nimtui.games.notation import plural
from nimtui.report.blocks import Gap, Report, Sentence
from nimtui.report.values import Named, Typed
from nimtui.version import __version__

NUMBERED = 10  # tournaments that the heading names
REPEATS = 3  # pairs of tournaments with the same games that are named


def ratings(pool: Pool) -> Report:
    """Return the report of a pool. In the document unknown numbers are null, and `superiority` is head to head,
    [row][column].
    """
    anchor, notes = pool.anchor, tuple(of_pool(pool))
    facts = {
        "game_names": list(pool.gathered.games),
        "agents": list(pool.agents),
        "tournaments": [_part(part) for part in pool.gathered.parts],
        "anchor": None if anchor is None else {"agent": pool.agents[anchor.agent], "elo": anchor.elo},
        "games": pool.played,
        "notes": list(notes),
        "version": __version__,
    }
    kind = Sentence(kind_text(pool), facts)
    return Report([*headings(pool.gathered.games), kind, Gap(), *field_blocks(pool), *map(Sentence, notes)])


def _part(part: Part) -> dict[str, Any]:
    plan = part.info.document
    return {
        "id": part.info.id,
        "kind": part.info.kind,
        "name": part.info.name,
        "games": plan.get("games") or [],
        "openings": plan.get("openings"),
        "seed": plan.get("seed"),
        "counted_games": part.games,
        "repeated_games": [{"id": other, "games": games} for other, games in part.repeats],
    }


def kind_text(pool: Pool) -> str:
    """Return 'pool of 2 tournaments (1, 4), 5 agents, 1,200 games'."""
    numbers = [str(part.info.id) for part in pool.gathered.parts]
    listed = ", ".join(numbers[:NUMBERED]) + (", …" if len(numbers) > NUMBERED else "")
    many, agents = Named(len(numbers), "tournament", "tournaments"), Named(len(pool.agents), "agent", "agents")
    return f"pool of {many} ({listed}), {agents}, {Named(pool.played, 'game', 'games')}"


def of_pool(pool: Pool) -> Iterator[str]:
    """Give all sentences below the tables of a pool."""
    names = labels(pool.agents)
    yield from statements.of_tables(pool, zero_text(pool), judge.least_judged(pool.gathered.games))
    yield from statements.of_ratings(pool.ratings, pool.meetings, names)
    yield from _of_members(pool, names)
    yield from _of_repeats(pool)
    empty = (part.info.id for part in pool.gathered.parts if not part.games and not part.repeats)
    yield from (f"Tournament {id} has no finished games." for id in empty)


def zero_text(pool: Pool) -> str:
    """Return what 0 Elo is, or what all ratings are counted from."""
    if pool.anchor is None:
        return "above the mean of the agents"
    return f"counted from {labels(pool.agents)[pool.anchor.agent]} = {Typed(pool.anchor.elo)}"


def _of_members(pool: Pool, names: Sequence[str]) -> Iterator[str]:
    """Say if the games do not tell how far the anchor is away, because it won or lost them all; who met nobody; and
    what the tournaments differ in although one rating counts for all.
    """
    score = None if pool.anchor is None else pool.ratings.scores[pool.anchor.agent]
    if pool.anchor is not None and score is not None and score.points in (0, score.games):
        who = f"{names[pool.anchor.agent]} {'won' if score.points else 'lost'} {statements.all_of(score.games)}"
        side = "below" if score.points else "above"
        yield f"{who}: how far the others are {side} the anchor is uncertain."
    unrated = [names[row.entrant] for row in pool.rows if isnan(row.rating.elo)]
    if len(unrated) == len(pool.rows):
        yield "No two agents met: no ratings."
    elif unrated:
        yield f"{statements.listed(unrated)} met none of the others: no rating."
    sources = pool.gathered.saved.sources
    kinds: dict[str, Collection[object]] = {
        "games": {source.game for source in sources},
        "openings": {source.openings for source in sources},
        "time limits": {source.limits for source in sources},
    }
    if mixed := [what for what, values in kinds.items() if len(values) > 1]:
        yield f"The pool mixes {statements.listed(mixed)}: each agent has one rating for all, moving first one worth."


def _of_repeats(pool: Pool) -> Iterator[str]:
    found = [(part.info.id, *repeat) for part in pool.gathered.parts for repeat in part.repeats]
    for number, other, games in found[:REPEATS]:
        are = "is" if games == 1 else "are"
        yield f"{plural(games, 'game', 'games')} of tournament {number} {are} also in tournament {other}: counted once."
    if more := sum(games for _, _, games in found[REPEATS:]):
        yield f"{plural(more, 'game', 'games')} more are saved twice: counted once."
