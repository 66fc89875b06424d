"""What a field of agents tells: standings and crosstable of a tournament or a pool, what a pool mixes, first moves."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from math import isnan, nan
from typing import TYPE_CHECKING, Any, NamedTuple

from nimtui.agents.program import called
from nimtui.arena.play import judge
from nimtui.arena.play.entrants import initials, labels
from nimtui.arena.play.plan import Plan
from nimtui.arena.rating.goodness import Fit
from nimtui.arena.rating.meetings import decided_by_seat
from nimtui.arena.rating.ratings import Seat
from nimtui.arena.standings import statements
from nimtui.errors import InputError
from nimtui.games import parse_game
from nimtui.games.notation import plural
from nimtui.games.rule_text import Place
from nimtui.report.blocks import Block, Column, Facts, Gap, Heading, Report, Sentence, Table
from nimtui.report.document import csv, rows_of
from nimtui.report.values import NOTHING, Count, Keys, Likelihood, Mean, Named, Raw, Share, Typed, Value, Word
from nimtui.version import __version__

if TYPE_CHECKING:
    from nimtui.arena.standings.pool import Part, Pool
    from nimtui.arena.standings.standings import Cell, Field, PairingScore, Standing

GAP = 2  # between two columns
WIDE = 120  # columns of text where nothing limits them
EVEN = 1e-6  # from a LOS of one half: no game tells the two agents apart
NUMBERED = 10  # tournaments that the heading names
REPEATS = 3  # pairs of tournaments with the same games that are named
MOST_FIRST_MOVES = 10  # first moves in the report of a tournament


class Tenths(Share):
    """A share of many games: as exact in narrow columns."""

    SHORT_PLACES = 1


class Cents(Mean):
    """Half of an interval of payoffs: '0.42'."""

    SIGNED = False


class Superiority(Likelihood):
    """A likelihood of superiority: as exact in narrow columns, since 97.5 % is where a lead counts."""

    SHORT_PLACES = 1


PAYOFF = (  # the columns of a row with payoffs
    Column("payoff", lambda row: Mean(row.payoff.mean)),
    Column("± 95 %", lambda row: Cents(row.payoff.error)),
)


def headings(games: Sequence[str]) -> Iterator[Heading]:
    """Give a heading for each game."""
    for name in games:
        try:
            game = parse_game(name)
        except InputError:  # an own game that is missing here
            yield Heading(name)
        else:
            yield Heading(Place(game, game.start, None).title)


def field_blocks(field: Field) -> list[Block]:
    """Return standings and crosstable, each with an empty line below, and what only documents say of the ratings."""
    facts = {
        "crosstable": [[None if cell is None else asdict(cell) for cell in row] for row in field.cells],
        "superiority": [[None if field.paid else value for value in values] for values in field.superiority],
        **(Seat(nan, nan) if field.paid else field.seat).keys,
        "fit": None if field.paid else fit_keys(field.ratings.fit, field.agents),
    }
    blocks: list[Block] = [standings(field), Gap(), Facts(facts)]
    if 1 < len(field.rows) <= statements.WIDEST:
        blocks += [crosstable(field), Gap()]
    return blocks


def fit_keys(fit: Fit | None, agents: Sequence[str]) -> dict[str, Any] | None:
    """Return the goodness of fit: p-value, degrees of freedom, the worst misfits; None if untested."""
    if fit is None:
        return None
    names = ("first", "second", "about", "observed", "expected", "standard_errors")
    worst = [
        (agents[first], agents[second], "seat" if seat else "score", *figures)
        for first, second, seat, *figures in fit.worst
    ]
    misfits = [dict(zip(names, misfit, strict=True)) for misfit in worst]
    return {"p_value": fit.p_value, "degrees_of_freedom": fit.freedom, "worst": misfits}


def standings(field: Field) -> Table:
    """Return a row for each agent, the best first."""
    rows, names = field.rows, labels(field.agents)
    whole = [names[at] if called(agent) == names[at] else agent for at, agent in enumerate(field.agents)]
    places = {row.entrant: at for at, row in enumerate(rows)}
    drawn, judged = any(any(row.draws) for row in rows), any(row.judged for row in rows)
    columns = [
        Column("", lambda row: Word(field.place(places[row.entrant]))),
        Column("agent", lambda row: Word(whole[row.entrant], names[row.entrant]), left=True),
        Column(None, lambda row: Keys(row.keys), "agent"),
        Column("points", lambda row: Word(points(row)), rank=2),
        Column("W-D-L" if drawn else None, lambda row: Word(results(row)), rank=7),
        Column("first", lambda row: Tenths(seat_score(row, 0)), rank=8),
        Column("second", lambda row: Tenths(seat_score(row, 1)), rank=9),
        Column("score", lambda row: Tenths(row.score)),
        Column("score 95 %", lambda row: row.scored.interval, left=True, rank=6),
        *_strength(field, places),
        Column("mistakes" if judged else None, lambda row: Tenths(row.mistake_rate), rank=3),
        Column("faults" if any(row.faults for row in rows) else None, lambda row: Count(row.faults), rank=4),
    ]
    return Table("standings", columns, rows, lambda row: row.entrant, GAP, wide=WIDE)


def _strength(field: Field, places: Mapping[int, int]) -> list[Column]:
    """Return the columns of the ratings, or of the payoffs where games end with a number."""
    if field.paid:
        return [*PAYOFF]
    return [
        Column("Elo", lambda row: row.rating.value),
        Column("Elo 95 %", lambda row: row.rating.range, left=True, rank=1),
        Column("LOS", lambda row: _ahead(field, places[row.entrant]), rank=5),
    ]


def sheet(field: Field) -> str:
    """Return the standings as CSV, one line per agent after its place. Unknown and infinite numbers are empty."""
    table = standings(field)
    place = Column(None, lambda row: Raw(1 + table.rows.index(row)), "place")
    return csv(replace(table, columns=[place, *table.columns]))


def points(row: Standing) -> str:
    """Return the points of the games played: '834/1,000', '12.5/20'."""
    return f"{Typed(row.points)}/{Count(row.played)}"


def results(row: Standing) -> str:
    """Return the counts of wins, draws and losses: '834-0-166'."""
    return "-".join(Count(sum(some)).text for some in (row.wins, row.draws, row.losses))


def seat_score(row: Standing, seat: int) -> float | None:
    """Return the points per game in a seat, first (0) or second (1); None without games."""
    games = row.wins[seat] + row.draws[seat] + row.losses[seat]
    return (row.wins[seat] + row.draws[seat] / 2) / games if games else None


def _ahead(field: Field, place: int) -> Value:
    """Return the LOS of the agent at this place over the next one."""
    if place + 1 == len(field.rows):
        return NOTHING
    one, other = field.rows[place : place + 2]
    los = field.ratings.superiority[one.entrant][other.entrant]
    # Perhaps between the two the seat won, and they scored the same against the others.
    seat = abs(los - 0.5) < EVEN and decided_by_seat(field.between(one.entrant, other.entrant))
    return Superiority(los if one.played and other.played and not one.rating.by_seat and not seat else None)


def crosstable(field: Field) -> Table:
    """Return the results of each agent moving first against each other one, in the order of the standings."""
    order, names = [row.entrant for row in field.rows], labels(field.agents)
    letters = initials(names)
    wide = max(map(len, letters))

    def against(column: int) -> Column:
        return Column(names[column], lambda row: Word(_result(field.cells[row][column])), brief=letters[column])

    first = Column(
        "first",
        lambda row: Word(names[row], f"{letters[row]:<{wide}}  {names[row]}"),
        left=True,
        brief=f"{'':<{wide}}  first",
    )
    return Table("", [first, *map(against, order)], order, gap=GAP, wide=WIDE)


def _result(cell: Cell | None) -> str:
    if cell is None:
        return "·"
    if not cell.played:
        return ""
    return f"{cell.first_wins:,}–{cell.second_wins:,}" + (f" ={cell.draws:,}" if cell.draws else "")


# A pool of tournaments.


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
    if not pool.paid:
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
    unrated = [names[row.entrant] for row in pool.rows if isnan(row.rating.elo) and not pool.paid]
    if pool.rows and len(unrated) == len(pool.rows):
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
        one = "one mean payoff for all" if pool.paid else "one rating for all, moving first one worth"
        yield f"The pool mixes {statements.listed(mixed)}: each agent has {one}."


def _of_repeats(pool: Pool) -> Iterator[str]:
    repeats = [(part.info.id, *repeat) for part in pool.gathered.parts for repeat in part.repeats]
    for number, other, games in repeats[:REPEATS]:
        are = "is" if games == 1 else "are"
        yield f"{plural(games, 'game', 'games')} of tournament {number} {are} also in tournament {other}: counted once."
    if more := sum(games for _, _, games in repeats[REPEATS:]):
        yield f"{plural(more, 'game', 'games')} more are saved twice: counted once."


# First moves.


class FirstMove(NamedTuple):
    """A first move, and how the games that began with it ended for the player who made it."""

    game: str
    move: str
    won: int
    drawn: int
    lost: int

    @property
    def games(self) -> int:
        return self.won + self.drawn + self.lost


def openings(plan: Plan, scores: Sequence[PairingScore]) -> Report:
    """Return the report of all first moves."""
    games = plural(sum(score.played for score in scores), "finished game", "finished games")
    summary = f"First moves of {games}{', chosen by the openings' if plan.openings.plies else ''}."
    return Report([*headings(plan.games), Sentence(summary), Gap(), first_moves(plan, scores)])


def brief(plan: Plan, scores: Sequence[PairingScore]) -> list[Block]:
    """Return the most frequent first moves, for the report of a tournament; its document has all of them."""
    table = first_moves(plan, scores)
    facts = Facts({table.key: rows_of(table)})
    if not table.rows:
        return [facts]
    rest = sorted(table.rows, key=lambda row: -row.games)[MOST_FIRST_MOVES:]
    most = [row for row in table.rows if row not in rest]
    games = plural(sum(row.games for row in rest), "game", "games")
    others = f"{plural(len(rest), 'other first move', 'other first moves')}: {games}."
    return [facts, replace(table, key="", rows=most), *([Sentence(others)] if rest else []), Gap()]


def first_moves(plan: Plan, scores: Sequence[PairingScore]) -> Table:
    """Return a row for each first move that was played, the most frequent of each game first."""
    sums: defaultdict[tuple[int, int], list[int]] = defaultdict(lambda: [0, 0, 0])
    for score in scores:
        for move, result, games in score.firsts:
            sums[score.pairing.game, move][1 - result] += games
    boards = [parse_game(name) for name in plan.games]
    order = sorted(sums, key=lambda key: (key[0], -sum(sums[key]), key[1]))
    names = [(boards[at].name, boards[at].move_name(move, boards[at].start)) for at, move in order]
    rows = [FirstMove(*name, *sums[key]) for name, key in zip(names, order, strict=True)]
    drawn = any(row.drawn for row in rows)
    columns = [
        Column("first move", lambda row: Word(row.move), "move", left=True),
        Column("game" if len(boards) > 1 else None, lambda row: Word(row.game), "game", left=True),
        Column("games", lambda row: Count(row.games), "games"),
        Column("won", lambda row: Count(row.won), "wins"),
        Column("drawn" if drawn else None, lambda row: Count(row.drawn), "draws", rank=2),
        Column("lost", lambda row: Count(row.lost), "losses", rank=2),
        Column("score", lambda row: Tenths((row.won + row.drawn / 2) / row.games), "score"),
    ]
    return Table("first_moves", columns, rows)
