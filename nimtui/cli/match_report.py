"""The report of `nimtui match`: one game move by move, or the score of several with its intervals."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from nimtui.arena import faults, figures, statements
from nimtui.cli import output
from nimtui.documents.match import each, share
from nimtui.report.values import UNKNOWN, Likelihood, Share, Within

if TYPE_CHECKING:
    from nimtui.arena import ratings as arena
    from nimtui.arena.match import MatchResult, Score
    from nimtui.arena.ratings import Rating

MOST_FAULTS = 6  # different faults that are shown


def show(result: MatchResult, asked: int, alternate: bool) -> None:
    output.heading(result.game)
    if asked == 1:
        _show_game(result)
        return
    output.columns(
        ["agent", "wins", "losses", "draws", "score", "95 %", "Elo ahead", "95 %"],
        [_row(*each) for each in each(result)],
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
    if first != second and found.los is not None:
        yield f"LOS (the probability that {first} is stronger than {second}): {Likelihood(found.los).text}."
        yield "Elo ahead: the difference of the two agents. A tournament rates each against the mean, here half of it."
        yield from filter(None, [statements.of_pair(found)])
    if first == second:
        yield "The agents are the same: there is no Elo lead."
    seat = statements.of_seat(found.seat, found.meetings)
    if seat and not (first == second and seat.startswith(statements.UNSWAPPED)):
        yield seat
    if not alternate and first != second:
        yield f"{first} moved first in every game: --alternate swaps seats."


def _row(counts: Score, score: arena.Score, ahead: Rating) -> list[str]:
    points, low, high = share(score)
    cells = [counts.agent, f"{counts.wins:,}", f"{counts.losses:,}", f"{counts.draws:,}"]
    if points is None:
        return [*cells, UNKNOWN, "", UNKNOWN, ""]
    return [
        *cells,
        Share(points).text,
        Within(low, high).text,
        figures.rated(ahead),
        figures.elo_interval(ahead),
    ]


def _show_game(result: MatchResult) -> None:
    """Print one game move by move, and its winner."""
    from nimtui.arena.games_report import won
    from nimtui.arena.judge import is_judged
    from nimtui.arena.review_report import blocks, of_row
    from nimtui.progress import SILENT
    from nimtui.report.blocks import Gap, Report, Sentence

    if not result.games:
        return
    played = result.batch.game(0)
    game = of_row(result.game, played, result.agents, SILENT if is_judged(result.game) else None)
    believed = any(moment.belief for moment in game.story.moments)
    winner = played.winner
    end = "a draw" if winner is None else won(result.agents[winner], winner ^ played.opener, played.fault)
    output.report(Report([*blocks(game, drawn=believed), Gap(), Sentence(end)]))
