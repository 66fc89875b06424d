"""Checks a program: plays it through some games, and says which faults it commits."""

from __future__ import annotations

from pathlib import Path

from nimtui.agents import parse_agent
from nimtui.agents.agent import AgentFault, Judged
from nimtui.agents.program import file_of
from nimtui.arena.play.limits import Limits
from nimtui.arena.play.match import play_match
from nimtui.check.verdict import Check, Verdict
from nimtui.engine.rng import Stream
from nimtui.games import Game
from nimtui.progress import SILENT, Progress
from nimtui.sandbox.command import FaultKind
from nimtui.sandbox.program import held
from nimtui.store.rows import Fault

GAMES = 6  # against random moves, in both seats
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
    result = play_match(game, agent, other, GAMES, alternate=True, progress=progress, limits=limits)
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
