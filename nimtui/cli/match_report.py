"""The report of `nimtui match`: one game move by move, or the score of several with its intervals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict
from math import isfinite
from typing import TYPE_CHECKING, Any

from nimtui.arena import figures
from nimtui.cli import output

if TYPE_CHECKING:
    from nimtui.arena.match import MatchResult, Score
    from nimtui.arena.ratings import Rating

SEATS = ("first", "second")
MOST_FAULTS = 5  # different faults that are shown


def document(result: MatchResult, asked: int) -> dict[str, Any]:
    """Return the JSON document: wins by seat and by agent, and the moves of a single game. Infinite Elo is null."""
    keys: dict[str, Any] = {
        "game": result.game.name,
        "games": result.games,
        "first_wins": result.first_wins,
        "second_wins": result.second_wins,
        "draws": result.draws,
        "agents": [_agent(score, result.games, elo) for score, elo in _each(result)],
        "faults": list(result.faults),
        "seconds": result.seconds,
        "plies": result.plies,
    }
    if asked == 1:
        keys["opening"] = int(result.batch.opening[0]) if result.games else 0
        keys["transcript"] = list(result.transcript)
    return keys


def _agent(score: Score, games: int, ahead: Rating) -> dict[str, Any]:
    share, low, high = _share(score, games)
    return {
        **asdict(score),
        "score": share,
        "score_low": low,
        "score_high": high,
        **output.elo_keys(*ahead),
    }


def _each(result: MatchResult) -> Iterator[tuple[Score, Rating]]:
    """Give each agent's score and its Elo lead over the other."""
    first, second = result.by_agent
    elo, low, high = ahead = result.ratings.ahead()
    yield first, ahead
    yield second, type(ahead)(-elo, -high, -low)


def _share(score: Score, games: int) -> tuple[float | None, float, float]:
    """Return the points per game, and the bounds of their 95 % interval."""
    from nimtui.arena.wilson import interval

    points = score.wins + score.draws / 2
    return (points / games if games else None, *interval(points, games))


def show(result: MatchResult, asked: int, alternate: bool) -> None:
    output.heading(result.game)
    if asked == 1:
        _show_game(result)
        return
    output.columns(
        ["agent", "wins", "losses", "draws", "score", "95 %", "Elo ahead", "95 %"],
        [_row(score, result.games, elo) for score, elo in _each(result)],
        left=(0, 5, 7),
    )
    output.say(
        "",
        f"{output.grouped(result.games)} games in {output.seconds(result.seconds)}: the first to move won"
        f" {output.grouped(result.first_wins)}, the second {output.grouped(result.second_wins)}",
    )
    if isfinite(result.ratings.advantage):
        worth = figures.advantage(result.ratings.advantage, result.ratings.advantage_error)
        output.say(f"{worth} (not part of the agents' Elo)")
    if not alternate and result.games and result.agents[0] != result.agents[1]:
        output.say(f"{result.agents[0]} moved first in every game, and its Elo includes that: --alternate swaps seats")
    for fault, times in Counter(result.faults).most_common(MOST_FAULTS):
        output.say(f"lost by a fault{f' in {output.grouped(times)} games' if times > 1 else ''}: {fault}")


def _row(score: Score, games: int, ahead: Rating) -> list[str]:
    share, low, high = _share(score, games)
    cells = [score.agent, f"{score.wins:,}", f"{score.losses:,}", f"{score.draws:,}"]
    if share is None:
        return [*cells, figures.UNKNOWN, "", figures.UNKNOWN, ""]
    return [
        *cells,
        figures.percent(share),
        figures.score_interval(low, high),
        figures.elo(ahead.elo),
        figures.elo_interval(*ahead),
    ]


def _show_game(result: MatchResult) -> None:
    """Print one game move by move, and its winner."""
    from nimtui.arena.judge import is_judged
    from nimtui.cli import game_text
    from nimtui.progress import SILENT

    if not result.games:
        return
    played = result.batch.game(0)
    seats = result.agents if played.opener == 0 else result.agents[::-1]
    known = SILENT if is_judged(result.game) else None
    game_text.show(game_text.read(result.game, played.codes(), played.opening, seats, known, played.fault))
    if played.winner is None:
        output.say("", "a draw")
        return
    seat = played.winner ^ played.opener
    fault = f": {played.fault}" if played.fault else ""
    output.say("", f"{result.agents[played.winner]} won, moving {SEATS[seat]}{fault}")
