"""Keeps the game of the Play screen in the database: with full names, every move, and the seed in its name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from nimtui.errors import InputError
from nimtui.games import Game, Record, base
from nimtui.games.base import Move
from nimtui.jobs import Job, Jobs
from nimtui.progress import Progress
from nimtui.ui.kit.latest_job import LatestJob
from nimtui.ui.play.session import Session

if TYPE_CHECKING:
    from nimtui.arena.review import Judgement
    from nimtui.store.database import Database
    from nimtui.store.rows import GameRow


@dataclass(frozen=True)
class Snapshot:
    """A game as it stands; the session may go on meanwhile."""

    game: Game
    position: str | None  # where it began
    seats: tuple[str, str]
    moves: tuple[Move, ...]
    seed: int | None  # None: nothing was left to chance

    @classmethod
    def of(cls, session: Session) -> Snapshot:
        """InputError where there is nothing to keep."""
        if not session.record.ply:
            raise InputError("no move has been made yet")
        first, second = (player.spec for player in session.players)
        people = all(player.is_person for player in session.players)
        moves = tuple(session.record.moves)
        return cls(session.game, session.position, (first, second), moves, None if people else session.seed)

    def row(self, progress: Progress) -> GameRow:
        """As the database keeps it. A position that is not the game's start is reached by moves of an opening.

        InputError where no moves lead there.
        """
        from nimtui.arena.batch import DRAWN, LOST, WON
        from nimtui.store.rows import GameRow

        opening = self._opening()
        record = Record(self.game, self.position)
        for move in self.moves:
            record.push(move)
        result = DRAWN if record.winner is None else WON if record.winner == 0 else LOST
        own = (len(self.moves) + 1) // 2, len(self.moves) // 2
        chances, mistakes = _counted(self._judged(record, progress))
        data = b"".join(move.to_bytes(2, "little", signed=True) for move in (*opening, *self.moves))
        return GameRow(0, 0, len(opening), data, result, own, chances, mistakes, "", 0.0)

    def _opening(self) -> tuple[Move, ...]:
        from nimtui.arena.line_to import line_to

        if self.position is None:
            return ()
        found = line_to(self.game, self.game.new(self.position))
        if found is None:
            raise InputError(f"no moves are found that lead from the start to {self.position}")
        return found

    def _judged(self, record: Record, progress: Progress) -> Sequence[Judgement]:
        """What its moves were worth, where that is known at once."""
        from nimtui import theory
        from nimtui.arena.review import review

        return review(record, progress) if theory.is_instant(self.game, record.state_at(0)) else ()


def _counted(judgements: Sequence[Judgement]) -> tuple[tuple[int, int], tuple[int, int]]:
    """Moves of the two seats that could be mistakes, and that were."""
    from nimtui.theory import Outcome

    could, wrong = [0, 0], [0, 0]
    for found in judgements:
        could[found.seat] += found.before is not Outcome.LOSS
        wrong[found.seat] += found.mistake
    return (could[0], could[1]), (wrong[0], wrong[1])


class Keeping:
    """Keeps one game after another, beside the event loop."""

    def __init__(self, jobs: Jobs, database: Callable[[], Database]) -> None:
        self._jobs, self._database = jobs, database
        self._errand: LatestJob[int] = LatestJob()

    def keep(self, session: Session, say: Callable[[str], object], then: Callable[[], object] = lambda: None) -> None:
        """Keep the game as it stands, and say under which number, or why not; `then` is called once it is kept."""
        try:
            snapshot = Snapshot.of(session)
        except InputError as fault:
            say(f"It is not kept: {fault}")
            return
        ended = base.outcome(session.state) != base.GOING_ON

        def write(progress: Progress) -> int:
            from nimtui.store.tournaments import save_game

            row = snapshot.row(progress)
            name = "" if snapshot.seed is None else f"seed {snapshot.seed}"
            return save_game(self._database(), snapshot.game.name, *snapshot.seats, row, name)

        def written(job: Job[int]) -> None:
            if job.result is None:
                say(f"It is not kept: {job.error_text or 'stopped'}")
            else:
                say(f"Kept as game {job.result}{'' if ended else ', as it stands'}: F6 Library shows it")
                then()

        self._errand.start(self._jobs, "keeping the game", write, written)
