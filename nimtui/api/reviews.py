"""`nimtui.review`: judges the moves of a game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from nimtui.api.call import Report, Watch, Watcher
from nimtui.api.door import checked
from nimtui.api.games import GameLike, game
from nimtui.arena.review.review_report import blocks, read
from nimtui.games import Record
from nimtui.games.place import Place
from nimtui.report.blocks import Facts, Gap, Heading
from nimtui.report.blocks import Report as Told


class Review(Report):
    """A game move by move against perfect play."""

    game: str
    moves: list[dict[str, Any]]
    """A row per move: ply, agent, move, position after it, outcomes before and after, mistake, best moves."""
    turning_point: dict[str, Any] | None
    """The mistake that decided the game; None if there is none."""
    story: list[str]
    """What decided the game, in sentences."""

    @property
    def mistakes(self) -> list[dict[str, Any]]:
        """Return the rows of the moves that worsened the outcome."""
        return [row for row in self.moves if row["mistake"]]


@checked
def review(
    on: GameLike, moves: str | Sequence[str], *, players: tuple[str, str] = ("me", "me"), progress: Watch = None
) -> Review:
    """Judge the moves of a game from its start: `nimtui.review("nim:3,4,5", ["b2", "a1"]).mistakes`.

    `moves` are names, in a list or with spaces between; `players` names the first and the second player.
    `to_dict()` has the keys `game` and those of `nimtui games show --json` that tell of the moves. Outcomes are None
    where the position is too large to solve. Raises InputError for an invalid game or an illegal move. Ctrl+C raises
    KeyboardInterrupt.
    """
    rules = game(on).rules
    record = Record(rules)
    for move in moves.split() if isinstance(moves, str) else moves:
        record.push(rules.parse_move(move, record.state))
    with Watcher("review", progress) as watcher:
        played = read(rules, record.moves, 0, players, watcher)
    title = Heading(Place(rules, record.state, None).title)
    return Review(Told([title, Facts({"game": rules.name}), Gap(), *blocks(played)]))
