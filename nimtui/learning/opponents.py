"""The learned opponents `easy`, `medium`, `hard` and `reward:games=…,seed=…`.

A few games are learned interpreted, at once: no engine, nothing compiled, memory only for the positions seen. That
draws the same random numbers as the compiled kernel and so ends with the same table, cell by cell: tests compare the
kernel with it. Many games are learned compiled, and the table is saved.
"""

from __future__ import annotations

import hashlib
import importlib
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from nimtui.engine.rng import Stream
from nimtui.errors import InputError, options_of, whole_number
from nimtui.games import Game, base
from nimtui.games.base import Move
from nimtui.learning.graph_table import why_no_payoffs, why_unlearnable
from nimtui.learning.learner import Learner, has_function, learners, parse_learner, spec
from nimtui.learning.table import PartialGraph, Table, load_run
from nimtui.learning.training import Training
from nimtui.process import plugins
from nimtui.progress import SILENT, Progress
from nimtui.store import StoreError, files, paths

FUNCTIONS = (  # the modules of which functions are made
    *(f"nimtui.engine.{name}" for name in ("function_play", "ntuple", "network")),
    *(f"nimtui.learning.{name}" for name in ("sight", "steps", "tuples")),
)
SEED = 1  # of the levels
LEVELS = {"easy": 10, "medium": 1_000, "hard": 1_000_000}  # games of the reward learner
DEFAULT_GAMES, MOST_GAMES = 1_000_000, 10**12
AT_ONCE = 1_000  # up to this many games are learned interpreted, in some 0.1 s


@dataclass(frozen=True, slots=True)
class Opponent:
    """A learner after this many games of self-play."""

    learner: Learner
    games: int
    seed: int
    level: str = ""  # 'easy', 'medium', 'hard' or ''

    @property
    def name(self) -> str:
        """The canonical name, which parses to the same opponent."""
        if self.level:
            return self.level
        word, _, parameters = spec(self.learner).partition(":")
        return f"{word}:games={self.games},seed={self.seed}" + (parameters and f",{parameters}")

    @property
    def at_once(self) -> bool:
        """Does training take only a moment, without the engine?"""
        return self.games <= AT_ONCE and not has_function(self.learner)

    def why_not(self, game: Game) -> str | None:
        """Return why the opponent cannot learn this game, in one line; None if it can. Allocates nothing."""
        if not self.at_once or game.positions == 0:
            return why_unlearnable(game, self.learner)
        return why_no_payoffs(game, self.learner)

    def table_path(self, game: Game) -> Path:
        """Return the file of the opponent's table."""
        what = f"{game.name} {spec(self.learner)} {self.games} {self.seed}"
        rules = _source(game.module) + _source(sys.modules[type(self.learner).__module__])
        if has_function(self.learner):
            rules += "".join(_source(importlib.import_module(name)) for name in FUNCTIONS)
        digest = hashlib.sha256(f"{what} {rules}".encode()).hexdigest()[:8]
        readable = re.sub(r"[^a-z0-9.,=]+", "-", what.lower())[:120]
        return paths.tables() / f"{readable}-{digest}.npz"


def parse_opponent(text: str) -> Opponent:
    """Return the opponent of this name: 'hard', 'reward:games=5000000,seed=0,pick=uniform-move'."""
    word, colon, rest = text.strip().lower().partition(":")
    if word in LEVELS:
        if colon:
            raise InputError(f"{word} takes no parameters; use reward:games=…,seed=…")
        return Opponent(parse_learner("reward"), LEVELS[word], SEED, word)
    if word not in learners():
        raise plugins.unknown("learner", word, [*LEVELS, *learners()])
    parameters = options_of(rest, "parameter", word, ("games", "seed", *learners()[word].PARAMETERS))
    games = whole_number(parameters.pop("games", str(DEFAULT_GAMES)), "games", 1, MOST_GAMES)
    seed = whole_number(parameters.pop("seed", "0"), "seed", 0, 2**63 - 1)
    others = ",".join(f"{key}={value}" for key, value in parameters.items())
    return Opponent(parse_learner(f"{word}:{others}"), games, seed)


def trained(
    game: Game, opponent: Opponent | str, progress: Progress = SILENT, faults: list[str] | None = None
) -> Table:
    """Return the opponent's table, trained now or read from its file.

    Raises InputError if the game cannot be learned. A damaged file is set aside and the table trained again. That, and
    a table that cannot be saved, adds a line to `faults`.
    """
    lines = faults if faults is not None else []
    wanted = parse_opponent(opponent) if isinstance(opponent, str) else opponent
    if (reason := wanted.why_not(game)) is not None:
        raise InputError(reason)
    if wanted.at_once:
        return train_interpreted(game, wanted.learner, wanted.games, wanted.seed, progress)
    path = wanted.table_path(game)
    if (table := _saved_table(path, game, wanted, lines)) is not None:
        return table
    training = Training(game, wanted.learner, wanted.seed, measured=not has_function(wanted.learner))
    training.run(wanted.games, progress)
    try:
        paths.ensure(path.parent)
        training.save(path)
    except StoreError as fault:
        lines.append(f"{fault}; the table stays in memory")
    return training.table


def is_ready(game: Game, opponent: Opponent | str) -> bool:
    """Does `trained` take only a moment: few games, or a saved table?"""
    wanted = parse_opponent(opponent) if isinstance(opponent, str) else opponent
    return wanted.at_once or wanted.table_path(game).exists()


def _saved_table(path: Path, game: Game, wanted: Opponent, lines: list[str]) -> Table | None:
    """Return the table in the file; None if there is none, or not this opponent's."""
    if not path.exists():
        return None
    try:
        table, _ = load_run(path)
        identity = (table.game, table.learner, table.games, table.seed)
        if identity == (game, spec(wanted.learner), wanted.games, wanted.seed):
            return table
        wrong = f"{path} holds another table"
    except StoreError as fault:
        wrong = str(fault)
    try:
        lines.append(f"{wrong}: set aside as {files.set_aside(path).name}, trained again")
    except StoreError as fault:
        lines.append(f"{wrong}: {fault}; trained again")
    return None


def _source(module: ModuleType) -> str:
    """Return a digest of a module's file, so that a table of other rules or another learner is not used."""
    return hashlib.sha256(plugins.text_of(module)).hexdigest()


def train_interpreted(
    game: Game, learner: Learner | str, games: int, seed: int = 0, progress: Progress = SILENT
) -> Table:
    """Return the table after this many games of self-play.

    Raises InputError for a game without position numbers, and for one that repeats a position: it need not end.
    """
    if game.positions == 0:
        raise InputError(f"{game.name} has too many positions to number them: it can have no table")
    rule = parse_learner(learner) if isinstance(learner, str) else learner
    stream, seen = Stream(seed), PartialGraph(rule)
    state = game.new()
    for played in range(games):
        base.restore(state, game.start.board)
        nodes: dict[int, Move] = {}
        while (outcome := base.outcome(state)) == base.GOING_ON:
            node = seen.node(state)
            if node in nodes:
                raise InputError(f"no table for {game.name}: its rules allow endless games")
            nodes[node] = seen.choose(node, stream)
            base.play(state, nodes[node])
        seen.learn(list(nodes), list(nodes.values()), outcome, int(base.payoff(state)))
        progress.report(played + 1, games, "games")  # in the largest games each takes some 10 ms
    return Table.from_partial_graph(game, rule, seed, games, seen)
