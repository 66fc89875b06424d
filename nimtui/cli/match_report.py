"""The report of `nimtui match`: one game move by move, or the score of several with its intervals."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

from nimtui.arena import faults, figures, statements
from nimtui.cli import output

if TYPE_CHECKING:
    from nimtui.arena import ratings as arena
    from nimtui.arena.match import MatchResult, Score
    from nimtui.arena.ratings import Rating

SEATS = ("first", "second")
MOST_FAULTS = 6  # different faults that are shown


def document(result: MatchResult, asked: int) -> dict[str, Any]:
    """Return the JSON document: wins by seat and by agent, and the moves of a single game.

    `score`, its bounds and `los` are the first agent's against the second.
    """
    found = result.head_to_head
    share, low, high = _share(found.score)
    keys: dict[str, Any] = {
        "game": result.game.name,
        "games": result.games,
        "first_wins": result.first_wins,
        "second_wins": result.second_wins,
        "draws": result.draws,
        "score": share,
        "score_low": low,
        "score_high": high,
        "los": None if result.agents[0] == result.agents[1] else found.los,
        "first_move_advantage": output.finite(found.seat.elo),
        "first_move_advantage_error": output.finite(found.seat.error),
        "pentanomial": result.sums.pentanomial.tolist(),
        "agents": [_agent(*each) for each in _each(result)],
        "faults": list(result.faults),
        "seconds": result.seconds,
        "plies": result.plies,
    }
    if asked == 1:
        keys["opening"] = int(result.batch.opening[0]) if result.games else 0
        keys["transcript"] = list(result.transcript)
    return keys


def _agent(counts: Score, score: arena.Score, ahead: Rating) -> dict[str, Any]:
    share, low, high = _share(score)
    return {**asdict(counts), "score": share, "score_low": low, "score_high": high, **output.elo_keys(ahead)}


def _each(result: MatchResult) -> Iterator[tuple[Score, arena.Score, Rating]]:
    """Give each agent's counts, its score, and its Elo lead over the other."""
    found = result.head_to_head
    first, second = result.by_agent
    ahead = replace(found.ahead, by_seat=True) if first.agent == second.agent else found.ahead  # of equals: the seat
    yield first, found.score, ahead
    yield second, found.score.turned(), ahead.turned()


def _share(score: arena.Score) -> tuple[float | None, float, float]:
    """Return the points per game, and the bounds of their 95 % interval."""
    return score.points / score.games if score.games else None, score.low, score.high


def show(result: MatchResult, asked: int, alternate: bool) -> None:
    output.heading(result.game)
    if asked == 1:
        _show_game(result)
        return
    output.columns(
        ["agent", "wins", "losses", "draws", "score", "95 %", "Elo ahead", "95 %"],
        [_row(*each) for each in _each(result)],
        left=(0, 5, 7),
        joined=(5, 7),
    )
    output.say(
        "",
        f"{output.grouped(result.games)} games in {output.seconds(result.seconds)}: the first to move won"
        f" {output.grouped(result.first_wins)}, the second {output.grouped(result.second_wins)}",
    )
    for line in _notes(result, alternate):
        output.paragraph(line)
    output.say(
        *faults.lines(faults.joined((), (faults.EqualFaults(text, 1, "") for text in result.faults)), MOST_FAULTS)
    )


def _notes(result: MatchResult, alternate: bool) -> Iterator[str]:
    """Give what the result shows, a sentence or two each."""
    found, (first, second) = result.head_to_head, result.agents
    if not result.games:
        return
    if first != second and not found.ahead.by_seat:
        yield f"LOS (the probability that {first} is stronger than {second}): {figures.likely(found.los)}."
        yield "Elo ahead: the difference of the two agents. A tournament rates each against the mean, here half of it."
        yield from filter(None, [statements.of_pair(found)])
    if first == second:
        yield "The agents are the same: there is no Elo lead."
    yield from filter(None, [statements.of_seat(found.seat, found.meetings)])
    if not alternate and first != second:
        yield f"{first} moved first in every game, and its Elo includes that: --alternate swaps seats."


def _row(counts: Score, score: arena.Score, ahead: Rating) -> list[str]:
    share, low, high = _share(score)
    cells = [counts.agent, f"{counts.wins:,}", f"{counts.losses:,}", f"{counts.draws:,}"]
    if share is None:
        return [*cells, figures.UNKNOWN, "", figures.UNKNOWN, ""]
    return [
        *cells,
        figures.percent(share),
        figures.score_interval(low, high),
        figures.rated(ahead),
        figures.elo_interval(ahead),
    ]


def _show_game(result: MatchResult) -> None:
    """Print one game move by move, and its winner."""
    from nimtui.arena.beliefs import of_game
    from nimtui.arena.judge import is_judged
    from nimtui.cli import game_text
    from nimtui.progress import SILENT

    if not result.games:
        return
    played = result.batch.game(0)
    seats = result.agents if played.opener == 0 else result.agents[::-1]
    known = SILENT if is_judged(result.game) else None
    codes = played.codes()
    believed = of_game(played.beliefs, len(codes))
    text = game_text.read(result.game, codes, played.opening, seats, known, played.fault, believed)
    game_text.show(text, history=bool(believed))
    if played.winner is None:
        output.say("", "a draw")
        return
    seat = played.winner ^ played.opener
    fault = f": {played.fault}" if played.fault else ""
    output.say("", f"{result.agents[played.winner]} won, moving {SEATS[seat]}{fault}")
