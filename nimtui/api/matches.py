"""`nimtui.match`: two agents play a number of games. `nimtui.tournament`: ranks agents by their games.

`nimtui.review`: judges the moves of a game.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from nimtui.agents import parse_agent
from nimtui.agents.program import sandbox_line
from nimtui.api.agents import AgentLike, FaultWatch, agent_name, is_local
from nimtui.api.door import Report, Watch, Watcher, checked, reading
from nimtui.api.games import GameLike, game, handed_in
from nimtui.arena.play.batch import Batch
from nimtui.arena.play.limits import Limits
from nimtui.arena.play.match import play_match
from nimtui.arena.play.plan import LOSES_GAME, check_rule, parse_openings, plan
from nimtui.arena.review.review_report import blocks, read
from nimtui.arena.standings.match_report import match as report
from nimtui.arena.standings.standings import remark
from nimtui.errors import InputError
from nimtui.games import Record
from nimtui.games.rule_text import Place
from nimtui.jobs.tournament import Tournament
from nimtui.jobs.tournament_report import tournament as tournament_report
from nimtui.jobs.work import Work
from nimtui.report.blocks import Facts, Gap, Heading
from nimtui.report.blocks import Report as Told
from nimtui.store.rows import unpacked


class MatchResult(Report):
    """The games of a match, counted. `score` and its bounds are the first agent's."""

    game: str
    games: int
    """Games played: fewer than asked for if Ctrl+C stopped the match."""
    draws: int
    score: float
    """Points per game of the first agent, a draw half a point."""
    score_low: float
    """The bounds of the 95 % interval of the score."""
    score_high: float
    agents: list[dict[str, Any]]
    """Wins, losses, draws, score and Elo lead of each agent, with 95 % intervals."""
    faults: list[dict[str, Any]]
    """The illegal moves and errors that ended games: `game`, `agent`, `kind`, `text` and more of each."""

    @property
    def wins(self) -> int:
        """Return the games that the first agent won."""
        return int(self._keys["agents"][0]["wins"])

    @property
    def losses(self) -> int:
        """Return the games that the first agent lost."""
        return int(self._keys["agents"][0]["losses"])


@checked
def match(
    on: GameLike,
    first: AgentLike,
    second: AgentLike,
    *,
    games: int = 1,
    seed: int = 0,
    alternate: bool = False,
    openings: str = "start",
    move_time: float | None = None,
    game_time: float = 0.0,
    increment: float = 0.0,
    nodes: int = 0,
    fault: str = LOSES_GAME,
    sandbox: str = "possible",
    strict: bool = False,
    progress: Watch = None,
) -> MatchResult:
    """Let two agents play: `nimtui.match("nim:3,4,5", "perfect", "random", games=100, alternate=True).score`.

    `first` moves first, with `alternate` in every other game. `openings` is start, random:PLIES or balanced:PLIES.
    An agent commits a fault if it takes longer than `move_time` per move or `game_time` per game, in seconds, plays an
    illegal move or raises. `increment` adds seconds to the game's time after each move; programs are told `nodes`.
    `fault` is what a fault costs: game, match or void. The first one is a RuntimeWarning, which `strict` raises.
    `sandbox` is possible or required. The same seed gives the same games. `to_dict()` is the document of `nimtui match
    --json`. Nothing is saved. Raises InputError for invalid names and numbers, and if an agent cannot play the game.
    Ctrl+C returns the games so far.
    """
    chosen = game(on).rules
    opener, other = parse_agent(agent_name(first), chosen), parse_agent(agent_name(second), chosen)
    begun, limits = parse_openings(openings), Limits(move_time, game_time, increment, nodes)
    rule, closed = check_rule(fault), sandbox_line((opener.name, other.name), sandbox)
    begun.check(chosen)
    watch = FaultWatch(strict)

    def look(batch: Batch) -> None:
        watch(unpacked(line).text for line in batch.faults.values())

    with Watcher("match", progress) as watcher:
        terms = chosen, opener, other, games, seed, alternate, watcher, begun
        result = play_match(*terms, keep=look, limits=limits, fault=rule)
    if not result.sums.games:
        raise KeyboardInterrupt
    return MatchResult(report(result, games, limits, rule, closed), id=None, saved_games=None)


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
    return TournamentResult(tournament_report(task.view, remarks, 0.0, closed), id=None, saved_games=None)
