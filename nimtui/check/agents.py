"""Check an agent on small games: its moves are legal, in time and repeatable, and it leaves the state unchanged.

`nimtui.agents.isolated.values` decides, for games and for this check, which answers an agent may give.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from random import Random
from types import ModuleType
from typing import Any

import numpy as np

from nimtui.agents import registry
from nimtui.agents.agent import USUAL_SECONDS, Deterministic, Memoryless
from nimtui.agents.isolated import values
from nimtui.agents.isolated.child import seed_global_generators
from nimtui.agents.isolated.values import WrongAnswer
from nimtui.agents.parse import PARTS
from nimtui.check.games import names_to_check
from nimtui.check.rules import value_text
from nimtui.check.trial import Broken, Late, Overdue, Trial, at_most, own_code
from nimtui.engine.graph import Graph
from nimtui.engine.limits import why_no_graph
from nimtui.engine.policy import Policy
from nimtui.engine.rng import Stream
from nimtui.errors import InputError
from nimtui.games import base
from nimtui.games.base import State
from nimtui.games.game import Game
from nimtui.games.registry import families, parse_game, presets
from nimtui.progress import SILENT
from nimtui.report.values import Seconds
from nimtui.theory.truth import truth

GAMES = ("nim:1,2,3", "connect:3x3x3", "subtraction:9,3:misere", "adjacent:1,3")
SECONDS = 5.0  # for one move
TO_PREPARE = 20.0
POSITIONS = 6  # of each game
OTHER_NUMBERS = 1_000  # added to a seed to get a different one
NAMES = ("parse", "name", "prepare", "decide", "legal", "state", "same", "choose", "policy")


def check_agent(module: ModuleType, trial: Trial, wanted: str = "") -> None:
    """Check the agents that a module names, or only the agent `wanted`."""
    trial.stage("agents")
    trial.tries(*NAMES)
    own = [module for module in families() if not module.__name__.startswith("nimtui.")]
    games = [[parse_game(name)] for name in GAMES] + [list(_sizes(one)) for one in own]
    for text in [wanted] if wanted else registry.names_of(module):
        refused = ""
        played = 0
        for sizes in chain(games, ([parse_game(preset.game)] for preset in presets())):
            if played and sizes not in games:
                break  # the presets are for an agent made for one game
            for game in sizes:
                with trial.noting():
                    try:
                        agent = _parsed(module, text, game, trial)
                    except InputError as fault:
                        refused = refused or str(fault)
                        continue
                    played += 1
                    _try(agent, text, game, trial)
                break
            if trial.broken:
                return
        if not played and not trial.broken:
            if wanted:
                raise InputError(refused)
            names = ", ".join(sizes[0].name for sizes in games if sizes)
            trial.fail("parse", f"{text} can play none of {names}: {refused}")


def _sizes(module: ModuleType) -> Iterator[Game]:
    """Yield a person's own games, the smallest first; an agent need not support each of them."""
    for name in reversed(names_to_check(module)):
        try:
            game = parse_game(name)
            if base.outcome(game.start) == base.GOING_ON:
                yield game
        except InputError:
            continue


def _parsed(module: ModuleType, text: str, game: Game, trial: Trial) -> Any:
    word, _, rest = text.partition(":")
    where = f"for {text} and {game.name}"
    trial.at("parse", f"{text} on {game.name}")
    try:
        with at_most(SECONDS), own_code("parse", lambda fault: f"parse raises {fault} {where}", passing=(InputError,)):
            agent = module.parse(word, rest, game)
    except Overdue:
        raise Late("parse", f"parse does not return within {Seconds(SECONDS)} {where}") from None
    if lacking := _do("name", SECONDS, text, trial, lambda: [word for word in PARTS if not hasattr(agent, word)]):
        raise Broken("parse", f"parse returns {value_text(agent)} for {text}, which lacks {', '.join(lacking)}")
    _do("name", SECONDS, text, trial, values.description, agent)
    return agent


def _try(agent: Any, text: str, game: Game, trial: Trial) -> None:
    _do("prepare", TO_PREPARE, f"{text} on {game.name}", trial, agent.prepare, SILENT)
    policy = _written(agent, game, text, trial)
    for number, state in enumerate(_states(game)):
        where = f"{text} on {game.name} (position {game.position_name(state) or 'at the start'})"
        first = _decided(agent, where, state, number, trial)
        if _decided(agent, where, state, number, trial) != first:
            raise Broken("same", f"{where}: the same random numbers give a different move")
        if isinstance(agent, Deterministic) and _decided(agent, where, state, number + OTHER_NUMBERS, trial) != first:
            raise Broken("same", f"{where}: it is Deterministic, but different random numbers give a different move")
        if hasattr(agent, "choose"):
            stream = _stream(number, state)
            move = _do("choose", SECONDS, where, trial, agent.choose, base.copy(state), stream, SILENT)
            if move != first:
                raise Broken("choose", f"{where}: choose returns {value_text(move)}, but decide {first}")
        if policy is not None and not _plays(policy, truth(game).graph, state, first):
            raise Broken("policy", f"{where}: decide plays {first}, which is not in its policy")


def _written(agent: Any, game: Game, text: str, trial: Trial) -> Policy | None:
    """Return the agent's policy for every position of this game, or None if it has none."""
    if not isinstance(agent, Memoryless) or not agent.memoryless or why_no_graph(game.start) is not None:
        return None
    solution, where = truth(game), f"{text} on {game.name}"
    answer = _do("policy", USUAL_SECONDS, where, trial, lambda: values.encode_policy(agent.policy(solution)))
    policy: Policy | None = _do("policy", SECONDS, where, trial, values.decode_policy, answer, solution.graph)
    return policy


def _plays(policy: Policy, graph: Graph, state: State, move: int) -> bool:
    """Return whether this policy may play this move."""
    node = int(graph.node_of[base.index(state)])
    first, last = policy.ptr[node : node + 2].tolist()
    return bool(policy.casual[node]) or move in graph.move[policy.edges[first:last]]


def _stream(seed: int, state: State) -> Stream:
    """Return the random numbers that the agent gets in a game, and seed `random` and NumPy as in a game."""
    seed_global_generators(seed, state.board.tobytes())
    return Stream(seed)


def _decided(agent: Any, where: str, state: State, seed: int, trial: Trial) -> int:
    """Return the move that the agent chooses. Raise Broken for an illegal move or a changed state."""
    copy = base.copy(state)
    arrays = {name: value for name, value in copy._asdict().items() if isinstance(value, np.ndarray)}  # type: ignore[attr-defined]
    before = {name: value.copy() for name, value in arrays.items()}
    decision = _do("decide", SECONDS, where, trial, agent.decide, copy, _stream(seed, state), SILENT)
    for name, value in arrays.items():
        if not np.array_equal(value, before[name]):
            np.copyto(value, before[name])
            raise Broken("state", f"{where}: decide changes the state's {name}: play on a copy")
    answer = _do("decide", SECONDS, where, trial, values.encode_decision, decision)
    return int(_do("legal", SECONDS, where, trial, values.decode_decision, answer, state, 0.0).move)


def _do(word: str, seconds: float, where: str, trial: Trial, function: Any, *given: Any) -> Any:
    """Return what the agent answers. Raise Broken if it raises an exception, Late if it takes too long."""
    trial.at(word, where)
    try:
        with at_most(seconds), own_code(word, lambda fault: f"{where}: {word} raises {fault}", passing=(WrongAnswer,)):
            return function(*given)
    except WrongAnswer as fault:
        raise Broken(word, f"{where}: it {fault}") from None
    except Overdue:
        raise Late(word, f"{where}: {word} takes longer than {Seconds(seconds)}") from None


def _states(game: Game) -> list[State]:
    """Return the start and positions of random games that are not over."""
    random, states = Random(0), [game.new()]
    while len(states) < POSITIONS:
        state = base.copy(states[random.randrange(len(states))])
        base.play(state, random.choice(base.legal_moves(state)))
        states.append(state if base.outcome(state) == base.GOING_ON else game.new())
    return states
