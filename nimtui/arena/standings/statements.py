"""What a tournament shows, in sentences. Each is computed from the counts or estimates that it states."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import isnan
from typing import TYPE_CHECKING

from nimtui.arena.rating.meetings import ENOUGH, decided_by_seat, seat_wins, swapped
from nimtui.games.notation import plural
from nimtui.report.values import Count, Elo, Share, nearest

if TYPE_CHECKING:
    from nimtui.arena.rating.goodness import Misfit
    from nimtui.arena.rating.meetings import Meeting
    from nimtui.arena.rating.ratings import HeadToHead, Ratings, Seat
    from nimtui.arena.standings.standings import Field

MISTAKES = "mistakes: moves that worsened the outcome, of all positions not lost"
WIDEST = 20  # agents of a crosstable in text
NOTHING = "These games say nothing about strength."
UNSWAPPED = "Nobody met an opponent in both seats"
UNSURE = 0.05  # p-value below which it is in doubt whether the ratings explain the results
SOME = 1e-6  # Elo: an interval has a width
NAMED = 3  # agents that a sentence names; of more it gives the number


def of_tables(field: Field, zero: str = "", judged: int | None = None) -> Iterator[str]:
    """Explain the columns and the crosstable; `zero` says what 0 Elo is [default: a mean]. Mistakes are counted in the
    first `judged` games of a pairing [default: in all].
    """
    if len(field.rows) > 1:
        if not any(row.rating.by_seat for row in field.rows):
            apart = {row.rating.bounded for row in field.rows if not isnan(row.rating.elo)} == {False, True}
            whose = "the agents that neither won nor lost all games" if apart else "the agents"
            counted = zero or f"above the mean of {whose}"
            yield f"Elo: {counted}. The difference of two ratings predicts what they score."
            yield (
                "LOS: probability that an agent is stronger than the next one. It counts all games, not only those"
                " between the two."
            )
        if len(field.rows) > WIDEST:
            yield f"The crosstable of {len(field.rows)} agents is too wide for text: use --json."
        else:
            drawn = any(cell is not None and cell.draws for row in field.cells for cell in row)
            yield f"Crosstable: the row moves first. Wins of the first–wins of the second{' =draws' if drawn else ''}."
    if any(row.mistake_rate is not None for row in field.rows):
        yield f"{MISTAKES.capitalize()}{'' if judged is None else f', in the first {judged} games of a pairing'}."


def of_ratings(ratings: Ratings, meetings: Sequence[Meeting], names: Sequence[str]) -> Iterator[str]:
    """Give what the ratings show: agents that won or lost everything, too few games, the seat, the fit."""
    seat = of_seat(ratings.seat, meetings)
    if decided_by_seat(meetings):
        yield seat
        return
    for name, rating, score in zip(names, ratings.ratings, ratings.scores, strict=True):
        if rating.bounded and score.points in (0, score.games):  # else the bound is the anchor's
            yield f"{name} {'won' if score.points else 'lost'} {all_of(score.games)}: {rating.range} Elo."
    yield from filter(None, (of_few(ratings, meetings, names), seat, *of_fit(ratings, names)))


def all_of(games: int, whose: str = "its") -> str:
    """Return 'all 300 games', or 'its only game'."""
    return f"{whose} only game" if games == 1 else f"all {plural(games, 'game', 'games')}"


def of_few(ratings: Ratings, meetings: Sequence[Meeting], names: Sequence[str]) -> str:
    """Say whose intervals rest on too few games; '' if all have enough. A bound is no interval, nor is 0 Elo itself."""
    exact = [one.by_seat or one.bounded or one.high - one.low <= SOME for one in ratings.ratings]
    few = [name for name, one, sure in zip(names, ratings.ratings, exact, strict=True) if one.few and not sure]
    if not few:
        return ""
    whose = "All Elo intervals are" if len(few) == len(names) else f"The Elo interval of {listed(few)} is"
    openings = f", and {2 * ENOUGH} openings" if any(meeting.openings is not None for meeting in meetings) else ""
    needs = f"{ENOUGH} pairs of games above and below the mean score{openings}"
    return f"{whose} uncertain: an interval needs {needs}."


def of_seat(seat: Seat, meetings: Iterable[Meeting]) -> str:
    """Say what moving first is worth, in Elo; or why these games say nothing about strength; '' if unknown."""
    played = [meeting for meeting in meetings if meeting.played]
    first, second = seat_wins(played)
    games = sum(meeting.played for meeting in played)
    nothing = f" {NOTHING}" if decided_by_seat(played) else ""
    if games and games in (first, second):
        return f"The player who moved {'first' if first else 'second'} won {all_of(games, 'the')}.{nothing}"
    if nothing:
        return f"{'In every pair of games the same seat won twice' if swapped(played) else UNSWAPPED}.{nothing}"
    if isnan(seat.elo):
        return ""
    itself = any(meeting.first == meeting.second for meeting in played)
    counted = ". Self-play counts for the seat, not for the ratings" if itself else ""
    return f"{advantage(seat)}{counted}."


def advantage(seat: Seat) -> str:
    """Return what moving first is worth: 'Moving second: +527 ± 41 Elo'; '' if unknown."""
    if isnan(seat.elo):
        return ""
    size = Elo(abs(seat.elo)).text
    return f"Moving {'second' if seat.elo < 0 and size != '0' else 'first'}: {size} ± {Count(seat.error)} Elo"


def of_fit(ratings: Ratings, names: Sequence[str]) -> Iterator[str]:
    """Say how well the ratings explain the results, and which results they do not explain; nothing if untested."""
    fit = ratings.fit
    if fit is None:
        return
    chance = "p < 0.001" if fit.p_value < 0.001 else f"p = {nearest(fit.p_value, 3 if fit.p_value < UNSURE else 2)}"
    explain = "do not explain all" if fit.doubtful else "may not explain all" if fit.p_value < UNSURE else "explain the"
    yield f"The ratings {explain} results (goodness of fit: {chance})."
    if fit.seat_by_strength:
        more = "strong" if fit.seat_by_strength > 0 else "weak"
        yield f"Moving first is worth more to {more} agents."
    for misfit in fit.worst:
        yield _misfit(misfit, names)


def _misfit(misfit: Misfit, names: Sequence[str]) -> str:
    first, second = names[misfit.first], names[misfit.second]
    scored = f"scored {Share(misfit.observed)}"
    if misfit.first == misfit.second:
        who = f"Moving first, {first} {scored} against itself"
    elif misfit.seat:
        who = f"Between {first} and {second}, moving first {scored}"
    else:
        who = f"{first} {scored} against {second}"
    return f"{who}; the ratings say {Share(misfit.expected)}."


def of_pair(pair: HeadToHead) -> str:
    """Say that there are too few games to tell who is stronger, or that all were drawn; '' if neither is so."""
    thin = pair.few and not pair.ahead.by_seat and pair.ahead.low <= 0 <= pair.ahead.high
    if thin and all(sum(meeting.draws) == meeting.played for meeting in pair.meetings):
        games = pair.score.games
        return f"All {games:,} games were drawn." if games > 1 else "The game was drawn."
    return f"Too few games to say: fewer than {ENOUGH} pairs above or below the mean score." if thin else ""


def listed(names: Sequence[str]) -> str:
    """Return 'a', 'a and b', 'a, b and c', 'a, b, c and 12 more'."""
    parts = list(names[:NAMED]) + ([f"{len(names) - NAMED:,} more"] if len(names) > NAMED else [])
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
