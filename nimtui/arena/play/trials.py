"""Games that try one agent: a learner against a shallow search, and a program for its faults.

`met` returns the positions that a learner meets against the search, with their exact values: where it errs, and how
often. Search leaves the paths that a learner knows from games against itself, so it loses more to it than to perfect
play. `check` plays a program through some games, and says which faults it commits.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from nimtui.agents import parse_agent
from nimtui.agents.agent import AgentFault, Judged
from nimtui.agents.learned import OfTable
from nimtui.agents.program import file_of
from nimtui.arena.play.limits import Limits
from nimtui.arena.play.match import play_match
from nimtui.arena.play.plan import RANDOM, Openings
from nimtui.check.verdict import Check, Verdict
from nimtui.engine.rng import Stream
from nimtui.errors import InputError
from nimtui.games import Game, base
from nimtui.games.base import Move, State
from nimtui.games.notation import plural
from nimtui.learning import sample
from nimtui.learning.sample import NOT_LEGAL, Results, Sample
from nimtui.learning.table import Table
from nimtui.progress import SILENT, Progress, Relay
from nimtui.report.values import Share
from nimtui.sandbox.command import FaultKind
from nimtui.sandbox.program import held
from nimtui.store.rows import Fault

OPPONENT = "alphabeta:depth=2"
GAMES, SEED = 60, 1
OPENINGS = Openings(RANDOM, 2)  # the same for both seats: two games from the start would be alike


class Met(NamedTuple):
    """Positions with a choice in which the learner had to move, each once, by plies."""

    sample: Sample  # of these positions
    times: npt.NDArray[np.int64]  # [positions]: how often each was met
    wrong: npt.NDArray[np.int64]  # [positions]: how often the learner's move there gave its result away
    games: int
    points: float  # the learner's share, 0 to 1

    @property
    def errors(self) -> int:
        """In how many positions the learner gave its result away."""
        return int((self.wrong > 0).sum())

    @property
    def share(self) -> Share:
        """The learner's share of the points."""
        return Share(self.points)

    @property
    def opponent(self) -> str:
        return OPPONENT

    def unmet(self, times: npt.NDArray[np.int64]) -> int:
        """Return how many of its mistakes are in positions that it met no time in other games, [positions]."""
        return int(((self.wrong > 0) & (times == 0)).sum())

    @property
    def text(self) -> str:
        """Say how the games ended, and in how many positions the learner erred."""
        took = f"{self.share} of the points in {plural(self.games, 'game', 'games')} against {OPPONENT}"
        return (
            f"{took}; it erred in {self.errors:,} of {plural(len(self.times), 'position', 'positions')} with a choice"
        )


class _Solving(Relay):
    """Reports how many positions are solved, instead of how far the solver is with one of them."""

    at = 0, 1

    def report(self, done: float, total: float, what: str = "") -> None:
        super().report(*self.at, "solving its positions")


class _Place(NamedTuple):
    """A position of the games, and the moves that the learner made there."""

    ply: int
    state: State
    moves: list[Move]


def met(table: Table, games: int = GAMES, seed: int = SEED, progress: Progress = SILENT) -> Met:
    """Play so many games against the search, half of them moving first, and solve the positions of the learner.

    Raises InputError if the game cannot be solved, or no position has a choice.
    """
    game = table.game
    if (fault := sample.why_none(game)) is not None:
        raise InputError(f"the positions of {game.name} have no exact values: {fault}")
    learner, search = OfTable(table, "learner", "Learner"), parse_agent(OPPONENT, game)
    match = play_match(game, learner, search, games, seed, True, progress, OPENINGS)
    places: dict[bytes, _Place] = {}
    for row in match.batch.rows():
        state = game.new()
        for ply, move in enumerate(row.codes()):
            if ply >= row.opening and (ply - row.opening) % 2 == row.opener:
                place = places.setdefault(state.board.tobytes(), _Place(ply, base.copy(state), []))
                place.moves.append(move)
            base.play(state, move)
    solving, solved = _Solving(progress), list[tuple[_Place, Results]]()
    results_of = sample.judge(game, solving)
    for place in sorted(places.values(), key=lambda each: -each.ply):  # from the end: that is fastest
        solving.at = len(solved), len(places)
        solved.append((place, results_of(place.state)))
    some = [each for each in reversed(solved) if len(set(each[1][each[1] != NOT_LEGAL].tolist())) > 1]
    if not some:
        raise InputError(f"no position of {plural(match.games, 'game', 'games')} against {OPPONENT} had a choice")
    boards, results = (np.stack(parts) for parts in zip(*((each.state.board, row) for each, row in some), strict=True))
    positions = Sample(game, seed, boards, np.array([each.ply for each, _ in some], np.int16), results)
    times = np.array([len(each.moves) for each, _ in some])
    wrong = np.array([int((row[each.moves] < row.max()).sum()) for each, row in some])
    score = match.by_agent[0]
    return Met(positions, times, wrong, match.games, (score.wins + score.draws / 2) / match.games)


TRIAL_GAMES = 6  # against random moves, in both seats
SECONDS = 2.0  # for a move
REPEAT = "repeat"


def check(name: str, game: Game, progress: Progress = SILENT) -> tuple[Verdict, Path]:
    """Return whether a program plays this game without faults, and its file.

    The verdict has a rule for each kind, and one that equal lines get equal answers. Raises InputError if there is no
    such program.
    """
    agent = parse_agent(name, game)
    assert isinstance(agent, Judged)
    other, limits = parse_agent("random", game), Limits(SECONDS)
    result = play_match(game, agent, other, TRIAL_GAMES, alternate=True, progress=progress, limits=limits)
    faults = {fault.kind: fault for _, loser, fault in reversed(result.sums.faults) if loser == 0}
    checks = [Check(kind, kind not in faults, _story(faults.get(kind))) for kind in FaultKind]
    if not faults:
        checks.append(_repeated(agent, game))
    verdict = Verdict(True, all(one.ok for one in checks), tuple(checks), closed=held())
    return verdict, file_of(agent.name)


def _repeated(agent: Judged, game: Game) -> Check:
    """Return whether the program answers the first question of a game twice alike."""
    state = game.new()
    try:
        moves = [game.move_name(agent.choose(state, Stream(0)), state) for _ in range(2)]
    except AgentFault as fault:
        return Check(REPEAT, False, str(fault))
    if moves[0] == moves[1]:
        return Check(REPEAT, True, None)
    return Check(REPEAT, False, f"one line was answered {moves[0]}, then {moves[1]}: games cannot be repeated")


def _story(fault: Fault | None) -> str | None:
    """Return a fault with its particulars in one line; None without one."""
    return None if fault is None else "; ".join([fault.text, *fault.particulars])
