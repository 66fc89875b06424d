"""`nimtui.tournament`: ranks agents by their games."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from nimtui.agents.program import sandbox_line
from nimtui.api.call import Report, Watch, Watcher
from nimtui.api.door import checked, reading
from nimtui.api.entrants import AgentLike, FaultWatch, agent_name, is_local
from nimtui.api.games import GameLike, game, handed_in
from nimtui.arena.play.limits import Limits
from nimtui.arena.play.plan import LOSES_GAME, plan
from nimtui.arena.standings.standings import remark
from nimtui.errors import InputError
from nimtui.jobs.tournament import Tournament
from nimtui.jobs.tournament_report import tournament as report
from nimtui.jobs.work import Work


class TournamentResult(Report):
    """The standings of a tournament."""

    games: int
    """Games played; `of_games` were to be played."""
    of_games: int
    standings: list[dict[str, Any]]
    """A row per agent, the best first: points, wins, Elo, score and mistakes, with 95 % intervals."""
    crosstable: list[list[dict[str, int] | None]]
    pairings: list[dict[str, Any]]
    first_moves: list[dict[str, Any]]
    """How often each first move was played, and what the player who made it scored."""
    theory: list[str]
    """What theory says of these games, a sentence each."""


@checked
def tournament(
    on: GameLike | Sequence[GameLike],
    agents: Sequence[AgentLike],
    *,
    games: int = 100,
    pairs: str = "round-robin",
    openings: str = "start",
    sprt: str | None = None,
    seed: int = 0,
    workers: int = 1,
    move_time: float | None = None,
    game_time: float = 0.0,
    increment: float = 0.0,
    nodes: int = 0,
    fault: str = LOSES_GAME,
    sandbox: str = "possible",
    strict: bool = False,
    progress: Watch = None,
) -> TournamentResult:
    """Play a tournament: `nimtui.tournament("tower:16", ["random", "easy", "perfect"], games=50).standings`.

    `games` is per pairing and game; `pairs` is round-robin, gauntlet or ordered; `openings` is start, random:PLIES or
    balanced:PLIES; `sprt` is a test such as 'elo0=0,elo1=50'. The same seed gives the same games, with any number of
    `workers`: processes, which only agents with a name can use, and which a script may start only below
    `if __name__ == "__main__":`. The limits, `fault`, `sandbox` and `strict` are those of `nimtui.match`. `to_dict()`
    is the document of `nimtui tournament --no-save --json`. Nothing is saved. Raises InputError for invalid names and
    numbers. Ctrl+C returns the standings so far.
    """
    with reading("on"):
        several = [game(one) for one in (on if isinstance(on, Sequence) and not isinstance(on, str) else [on])]
    names = [agent_name(one) for one in agents]
    local = [one.name for one in several if one.rules.module in handed_in] + [name for name in names if is_local(name)]
    if workers != 1 and local:
        raise InputError(f"{local[0]} lives in this process only: leave out workers={workers}")
    limits = Limits(move_time, game_time, increment, nodes)
    planned = plan([one.name for one in several], names, pairs, games, openings, seed, sprt, limits, fault=fault)
    closed = sandbox_line(planned.agents, sandbox)
    task = Tournament(planned, workers=workers)
    remarks: list[str] = []
    watch = FaultWatch(strict)
    watcher = Watcher("tournament", progress, lambda: watch(kind.text for kind in task.view.kinds))
    with watcher, watcher.orderly(lambda: task.done):
        Work.here(task, watcher)
        watcher.look()
        remarks = remark(planned, watcher)
    return TournamentResult(report(task.view, remarks, 0.0, closed), id=None, saved_games=None)
