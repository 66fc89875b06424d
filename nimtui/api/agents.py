"""`nimtui.agent`: an agent, its moves and what it thinks of them.

Whatever plays: a name, a trained run, a table, a function or an agent of a person's own. `nimtui.match`: two agents
play a number of games. `nimtui.tournament`: ranks agents by their games. `nimtui.review`: judges the moves of a game.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Sequence
from types import ModuleType
from typing import Any, Protocol, TypeAlias, runtime_checkable

from nimtui import agents
from nimtui.agents import Decision, Thought, parse_agent, registry
from nimtui.agents.agent import AgentFault, AlwaysReady, short_text
from nimtui.agents.parse import PARTS
from nimtui.agents.program import sandbox_line
from nimtui.agents.report import rated as rated_moves
from nimtui.api.door import Report, Watch, Watcher, checked, reading
from nimtui.api.games import Game, GameLike, game, handed_in, own_files
from nimtui.arena.play.batch import Batch
from nimtui.arena.play.limits import Limits
from nimtui.arena.play.match import play_match
from nimtui.arena.play.plan import LOSES_GAME, check_rule, parse_openings, plan
from nimtui.arena.review.review_report import blocks, read
from nimtui.arena.standings.match_report import match as report
from nimtui.arena.standings.standings import remark
from nimtui.engine.rng import Stream
from nimtui.errors import InputError
from nimtui.games import Game as Rules
from nimtui.games import Record, base
from nimtui.games.base import State
from nimtui.games.rule_text import Place
from nimtui.jobs.tournament import Tournament
from nimtui.jobs.tournament_report import tournament as tournament_report
from nimtui.jobs.work import Work
from nimtui.learning.learner import learners
from nimtui.process import plugins
from nimtui.progress import SILENT, Progress
from nimtui.report.blocks import Facts, Gap, Heading
from nimtui.report.blocks import Report as Told
from nimtui.store.rows import unpacked
from nimtui.theory.answers import known_moves


class RatedMoves(Report):
    """The move that an agent plays, and its rating of every move."""

    game: str
    position: str
    agent: str
    best_move: str
    """The move that the agent plays."""
    moves: list[dict[str, Any]]
    """Every legal move with the agent's numbers, and its exact outcome if the game can be solved."""
    note: str
    """A limit of the method in this position, as one sentence; '' if there is none."""


class Agent:
    """An agent for any game that it can play."""

    def __init__(self, one: AgentLike) -> None:
        self.name = agent_name(one)
        self._made: dict[Game, Any] = {}  # by the games that it played

    @checked
    def choose(self, on: GameLike, position: str | None = None, *, seed: int = 0, progress: Watch = None) -> str:
        """Return the move that the agent plays at a position [default: the start].

        The same seed gives the same move, unless the agent has a time limit. Raises InputError if the agent cannot
        play the game, and for a position that is invalid or over.
        """
        return self._decide(game(on), position, seed, progress, rated=False)[0]

    @checked
    def rate(self, on: GameLike, position: str | None = None, *, seed: int = 0, progress: Watch = None) -> RatedMoves:
        """Return the same move with the agent's rating of every move: the document of `nimtui moves --json`."""
        return RatedMoves(self._decide(game(on), position, seed, progress, rated=True)[1])

    def _decide(self, chosen: Game, position: str | None, seed: int, progress: Watch, rated: bool) -> tuple[str, Told]:
        rules, state = chosen.rules, chosen.state(position)
        if base.outcome(state) != base.GOING_ON:
            raise InputError(f"the game is over at {rules.position_name(state)}: choose a position with moves")
        agent = self._made.get(chosen) or parse_agent(self.name, rules.beginning(position))
        self._made[chosen] = agent
        with Watcher("think", progress) as watcher:
            agent.prepare(watcher)
            decision = agent.decide(state, Stream(seed), watcher)
            truths = known_moves(rules, state, watcher) if rated else None
        place = Place(rules, state, position)
        return place.move(decision.move), rated_moves(place, agent.name, decision, truths) if rated else Told(())

    def as_agent(self) -> str:
        """Return its name."""
        return self.name

    def __repr__(self) -> str:
        return f"<agent {self.name}>"


def agent(one: AgentLike) -> Agent:
    """Return an agent: `nimtui.agent("mcts:simulations=500").choose("nim:3,4,5", "1,4,5", seed=1)`.

    An agent is a name, a run of `nimtui.train`, a table, a function of the names of a game and a position that returns
    a move, an object with the methods of `nimtui.agents.Agent`, or the module of an own agent. `nimtui match --help`
    says where the names are listed. Raises InputError for an unknown name.
    """
    return Agent(one)


@runtime_checkable
class Plays(Protocol):
    """A result that can play: a run, a table, an agent."""

    def as_agent(self) -> str:
        """Return the name of its agent in this process."""


AgentLike: TypeAlias = str | Plays | agents.Agent | ModuleType | Callable[[str, str], str]
"""An agent wherever one is taken: its name ('mc:playouts=1000'), a run, a table, an object with the methods of
`nimtui.agents.Agent`, a module of an own agent, or a function of a game's and a position's name that returns a move."""


@reading("an agent")
def agent_name(one: AgentLike) -> str:
    """Return the name of an agent in this process. Raises InputError if nothing of this kind plays."""
    own_files()
    if isinstance(one, str):
        named = registry.by_name()
        if (word := one.strip().partition(":")[0].strip().lower()) not in named:
            raise plugins.unknown("agent", word, named)
        return str.__str__(one)  # a subclass may raise whatever it is asked
    if isinstance(one, ModuleType):
        registry.add(one)
        handed_in.append(one)
        return str(one.NAMES[0])
    if isinstance(one, Plays) and not isinstance(one, type) and isinstance(name := one.as_agent(), str):
        return name
    if not isinstance(one, type) and all(hasattr(one, part) for part in PARTS) and isinstance(one.name, str):  # type: ignore[union-attr]
        return registry.enter(one, str(one.name), lambda game, name: Renamed(one, name))  # type: ignore[union-attr, arg-type]
    if callable(one) and not isinstance(one, type):
        called = getattr(one, "__name__", type(one).__name__)
        return registry.enter(one, called, lambda game, name: FunctionAgent(one, game, name))
    raise InputError(
        f"no agent: {type(one).__name__}. An agent is a name such as 'mc', a run, a table, a function of a game's and"
        f" a position's name, or an object with {', '.join(PARTS)}"
    )


def is_local(name: str) -> bool:
    """Return whether only this process knows the agent of this name: it is an object, or of a module handed in."""
    word = name.strip().partition(":")[0].strip().lower()
    return registry.has(word) or registry.by_name()[word] in handed_in or learners().get(word) in handed_in


class FaultWatch:
    """Warns of the first fault that loses an agent its game; raises it instead if `strict`."""

    def __init__(self, strict: bool) -> None:
        self._strict, self._warned = strict, False

    def __call__(self, faults: Iterable[str]) -> None:
        """Look at the faults so far. Raises InputError."""
        first = None if self._warned else next(iter(faults), None)
        if first is None:
            return
        if self._strict:
            raise InputError(first)
        self._warned = True
        warnings.warn(f"a game ended by a fault: {first}", RuntimeWarning, stacklevel=2)


class FunctionAgent(AlwaysReady):
    """Plays the moves that a function of a game's and a position's name returns."""

    def __init__(self, function: Callable[[str, str], str], game: Rules, name: str) -> None:
        self._function, self._game = function, game
        self.name = self.title = name

    def decide(self, state: State, stream: Stream, progress: Progress = SILENT) -> Decision:
        named = self._function(self._game.name, self._game.position_name(state))
        if not isinstance(named, str):
            raise AgentFault(f"{self.name} returned {short_text(named)}, not the name of a move")
        try:
            move = self._game.parse_move(named, state)
        except InputError as fault:
            raise AgentFault(f"{self.name} returned {short_text(named)}: {fault}") from fault
        return Decision(move, tuple(Thought(legal) for legal in base.legal_moves(state)))


class Renamed:
    """An agent under the name that it has in this process."""

    def __init__(self, agent: agents.Agent, name: str) -> None:
        self._agent = agent
        self.name = name

    def __getattr__(self, word: str) -> Any:
        return getattr(self._agent, word)


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
