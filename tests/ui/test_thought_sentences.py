"""What the Play screen says an agent thinks, taken apart: its decision, own searches and brute force answer for it.

That the numbers of a decision are right is shown where agents and searches are tested.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import pytest

from nimtui.agents import Agent, Decision, parse_agent
from nimtui.agents.mc import BLIND, EXACT
from nimtui.agents.searching import thinking_of
from nimtui.engine.rng import Stream
from nimtui.engine.windows import WIN
from nimtui.games import base
from nimtui.games.base import State
from nimtui.learning.table import Table
from nimtui.report.lines import plain_text
from nimtui.theory.answers import known_moves
from nimtui.trees import search_of
from nimtui.trees.settings import parse
from nimtui.ui.kit.terminal.glyphs import UNICODE
from nimtui.ui.play import thinking as thoughts
from nimtui.ui.play.thinking import Belief, brief, depths_of, facts_of, settled
from tests.examples import examples, few
from tests.patterns import COUNT, NUMBER, Patterns, check, near, real, same
from tests.theory.force import Force, is_true

GAMES = ("nim:3,2,2", "nim:2,3,1:misere", "nim:5,4:max=2", "subtraction:12,3:misere", "adjacent:2,4",
         "kayles:1,3,2:misere", "chomp:2x4", "noughts:3x3x3", "connect:3x3x3")  # fmt: skip
AGENTS = ("random", "perfect", "value", "mc:playouts=60", "mc:playouts=60,policy=perfect-opponent",
          "mc:playouts=3,policy=perfect-both", "mcts:simulations=150", "mcts:simulations=4",
          "mcts:simulations=150,proven=yes", "alphabeta:depth=2", "alphabeta:depth=-1",
          "alphabeta:depth=3,table=64,order=killer,deepening=yes", "minimax:depth=2,heuristic=flat",
          "alphabeta:time=0.01", "reward:games=100,seed=1,win=2,loss=3", "q:games=100,seed=1",
          "average:games=100,seed=1", "proof:games=100,seed=1")  # fmt: skip


class Facts:
    """A position, who decides, and what is found without nimtui's agents: search values, chances, exact values."""

    def __init__(self, force: Force, state: State, spec: str, agent: Agent, decision: Decision) -> None:
        self.force, self.state, self.agent, self.decision = force, state, agent, decision
        self.learner, _, text = spec.partition(":")
        self.options = dict(option.split("=") for option in text.split(",") if option)
        self.name = partial(force.game.move_name, state=state)
        self.thoughts = {self.name(thought.move): thought for thought in decision.thoughts}

    def after(self, name: str) -> State:
        return self.force.after(self.state, self.force.game.parse_move(name, self.state))


def searched(state: State, depth: int, flat: bool, ply: int = 0) -> int:
    """The value of minimax for the player to move."""
    if (over := int(base.outcome(state))) != base.GOING_ON:
        return 0 if over == base.DRAW else -over * (1000 if flat else WIN - ply)
    if not depth:
        return int(base.evaluate(state))
    best = -(10**12)
    for move in base.legal_moves(state):
        after = base.copy(state)
        base.play(after, move)
        best = max(best, -searched(after, depth - 1, flat, ply + 1))
    return best


def tallied(facts: Facts, move: str, *numbers: str | None) -> None:
    """Check the results of playouts, and their mean with its interval."""
    thought, counts, about = facts.thoughts[move], numbers[:3], (text or "" for text in numbers[3:])
    assert [int(real(text or "0")) for text in counts] == [thought.wins, thought.draws or 0, thought.losses]
    assert all(map(near, about, (thought.value, thought.low, thought.high)))
    if facts.options.get("policy") == "perfect-both":
        exact = -facts.force.value(facts.after(move))[0]
        assert thought.value == exact and thought.wins == int(facts.options["playouts"]) * (exact == 1)


def visited(facts: Facts, move: str, visits: str, share: str, *about: str) -> None:
    """Check the visits, their share, the mean result or the proven one, and the bound that the search chooses by."""
    thought, whole = facts.thoughts[move], sum(each.visits or 0 for each in facts.decision.thoughts)
    assert int(real(visits)) == (thought.visits or 0) and (share == "–") == (not thought.visits)
    if thought.visits:
        assert share.strip("<>") != share or abs(real(share) - 100 * thought.visits / whole) <= 0.0501
    for text, value in zip(about, (thought.value, thought.ucb), strict=True):
        if text in ("wins", "draws", "loses"):
            exactly(facts, move, text)
        else:
            assert near(text, value) if text != "–" else not thought.visits or value is None


def scored(facts: Facts, move: str, bound: str | None, number: str) -> None:
    """Check a score of a search, or of a table; a move without a visit has 0, too."""
    if facts.thoughts[move].bound is not None:
        bounded(facts, move, bound, int(real(number)))
    else:
        score = facts.thoughts[move].score
        assert isinstance(getattr(facts.agent, "table", None), Table) and not bound
        assert score is not None and abs(real(number) - score) <= 0.0005 + 1e-9


def bounded(facts: Facts, move: str, bound: str | None, said: int) -> None:
    if "time" in facts.options:
        return  # to what depth depends on the machine
    depth, flat = int(facts.options["depth"]), facts.options.get("heuristic") == "flat"
    depths = range(1, depth + 1) if "deepening" in facts.options else [depth]  # it ends as soon as a win is sure
    values = [-searched(facts.after(move), depth - 1, flat, 1) for depth in depths]
    holds = {None: said in values, "≤ ": min(values) <= said, "≥ ": max(values) >= said}
    assert holds[bound], (facts.agent.name, facts.force.game.name, move, bound, said, values)


def decided(facts: Facts, move: str, bound: str | None, how: str, plies: str) -> None:
    sign = 1 if how == "wins" else -1
    bounded(facts, move, bound, sign * (WIN - int(plies)))
    if not bound and facts.options.get("heuristic") != "flat" and "time" not in facts.options:
        assert -facts.force.value(facts.after(move))[0] == sign


def exactly(facts: Facts, move: str, word: str) -> None:
    assert {"wins": 1, "draws": 0, "loses": -1}[word] == -facts.force.value(facts.after(move))[0]


MOVE, MEAN = r"[▸ ] +(\S+) +", r"([+−]\d\.\d\d\d?|0\.000?)"
MOVES: Patterns = {
    rf"{MOVE}({COUNT}) +(?:({COUNT}) +)?({COUNT}) +{MEAN} +{MEAN} … {MEAN}(?: +[├┤│┼─ ]+)?": tallied,
    rf"{MOVE}({COUNT}) +(–|[<>\d.]+)(?: %)? +(–|wins|draws|loses|{MEAN[1:-1]}) +(–|[+−]?{NUMBER})": visited,
    rf"{MOVE}(≤ |≥ )?([+−][\d,]+(?:\.\d\d\d)?|0(?:\.000)?)": scored,
    rf"{MOVE}(≤ |≥ )?(wins|loses) in (\d+)": decided,
    rf"{MOVE}(wins|draws|loses)": exactly,
}


def games_of(facts: Facts, kind: str, drawn: str | None) -> None:
    assert bool(drawn) == any(thought.draws for thought in facts.decision.thoughts)
    policy = facts.options.get("policy", "random")
    assert kind == {"random": "random games", "perfect-opponent": "games against a perfect opponent"}.get(
        policy, "games of perfect players"
    )


def search_bounds(facts: Facts, bounds: str | None) -> None:
    """The bounds that are shown are explained, and no others."""
    signs = {"upper": "≤ means at most", "lower": "≥ means at least"}
    shown = {thought.bound for thought in facts.decision.thoughts} - {"exact", None}
    assert (bounds or "").split("; ")[1:] == [signs[bound] for bound in ("upper", "lower") if bound in shown]


def trained(facts: Facts, games: str, win: str | None, loss: str | None) -> None:
    assert int(real(games)) == int(facts.options["games"])
    assert bool(win) == (facts.learner == "reward")
    assert not win or (win, loss) == (facts.options["win"], facts.options["loss"])


LEGENDS: Patterns = {
    r"(random games|games .+?) won – (drawn – )?lost": games_of,
    r"visits in the search tree": lambda facts: is_true(
        facts.options.get("proven") == "yes"  # which may end the search early
        or sum(each.visits or 0 for each in facts.decision.thoughts) == int(facts.options["simulations"])
    ),
    r"search score((?:; .+)?)": search_bounds,
    rf"Trained on ({COUNT}) games(?:: a win adds (\d+), a loss takes (\d+))?": trained,
    rf"Trained on ({COUNT}) games: ({NUMBER}) is a proven win": lambda facts, games, sure: [
        exactly(facts, move, "wins" if (thought.score or 0) > 0 else "loses")
        for move, thought in facts.thoughts.items()
        if abs(thought.score or 0) == real(sure)
    ],
}


def proof(facts: Facts, how: str, after: str, of: str) -> None:
    assert facts.force.value(facts.state)[0] == {"won": 1, "drawn": 0, "lost": -1}[how]
    assert int(real(after)) <= int(real(of)) == int(facts.options["simulations"])


NOTES: Patterns = {
    rf"Proven (won|lost|drawn) after ({COUNT}) of ({COUNT}) simulations\.": proof,
    r"(\d+) of (\d+) moves were not tried: too few simulations\.": lambda facts, some, of: same(
        (int(some), int(of)),
        (sum(not each.visits for each in facts.decision.thoughts), int(base.count(facts.state))),
    ),
    r"Searched (\d+) (ply|plies) deep in that time\.": lambda facts, plies, unit: same(unit == "ply", plies == "1"),
    re.escape(BLIND): lambda facts: same(facts.options.get("policy", "random"), "random"),
    r"No move scores above 0, so the learner picks a random move\.": lambda facts: is_true(
        facts.learner == "reward" and all((thought.score or 0) <= 0 for thought in facts.decision.thoughts)
    ),
    re.escape(EXACT): lambda facts: same(facts.options["policy"], "perfect-both"),
}


def line_of(facts: Facts, line: str) -> None:
    """The expected line is legal; a search to the end expects best play of both."""
    names, state = line.split(), facts.state
    assert names[0] == facts.name(facts.decision.move)
    for name in names:
        if facts.options.get("depth") == "-1":
            assert name in facts.force.keeping(state)
        state = facts.force.after(state, facts.force.game.parse_move(name, state))


FACTS: Patterns = {
    r"best line (.+)": line_of,
    rf"({COUNT}) (simulations|nodes)(?: · .+)?": lambda facts, done, unit: worked(facts, done, unit),
    rf"depth (\d+) searched(?: · {COUNT} table hits)?": lambda facts, depth: same(int(depth), facts.decision.depth),
}
SPEED: Patterns = {
    rf"({NUMBER})( [kM])?/s(?: · (\d+\.\d) s)?": lambda facts, *said: speed(facts, *said),
    r"(\d+\.\d) s": lambda facts, seconds: speed(facts, None, None, seconds),
}


def speed(facts: Facts, rate: str | None, unit: str | None, seconds: str | None) -> None:
    if rate:
        assert real(rate) * {" k": 1e3, " M": 1e6, None: 1}[unit] == pytest.approx(
            facts.decision.nodes_per_second, 0.05
        )
    assert bool(seconds) == (facts.decision.seconds >= 0.05)
    assert not seconds or abs(float(seconds) - facts.decision.seconds) <= 0.0501


def worked(facts: Facts, done: str, unit: str) -> None:
    visits = [thought.visits for thought in facts.decision.thoughts if thought.visits is not None]
    assert unit == ("simulations" if visits else "nodes")
    assert int(real(done)) == (sum(visits) if visits else facts.decision.nodes)


def positions(force: Force, number: int) -> Iterator[State]:
    yield force.game.start
    found = [state for state in force.positions(6) if base.outcome(state) == base.GOING_ON]
    yield from random.Random(force.game.name).sample(found, min(number - 1, len(found)))


def said_of(facts: Facts) -> set[str]:
    """Check the panel behind a move, 200 columns wide, and the belief in a few words; return the forms."""
    decision, unit = facts.decision, thoughts.legend(facts.decision, facts.agent)
    shown = thoughts.reflection("T", decision, facts.name, "no opinion", 200, 90, UNICODE, unit)
    lines = [re.sub(r" *[█▏▎▍▌▋▊▉░]+ *$", "", plain_text(line)).rstrip() for line in shown[1:]]
    if lines[-1] == "no opinion":
        assert facts.agent.name == "random"
        return set()
    rated = [line for line in lines if re.match(r"[▸ ] \S", line)]
    assert len(rated) == int(base.count(facts.state))
    [marked] = [line for line in rated if line.startswith("▸")]
    belief = Belief(0, "T", settled(decision), facts.name, base.legal_moves(facts.state))
    rest = " ".join(line for line in lines[1:] if line not in rated and line)
    assert rest == " ".join(text for text in (*facts_of(belief, 200), unit, decision.note) if text)
    found = {check(line, MOVES, facts) for line in rated}
    found |= {check(unit, LEGENDS, facts)} if unit else set()
    found |= {check(decision.note, NOTES, facts)} if decision.note else set()
    found |= {check(text, {**FACTS, **SPEED}, facts) for text in facts_of(belief, 30)}
    beside = facts_of(replace(belief, truths=known_moves(facts.force.game, facts.state) or {}), 200)
    assert beside == [re.sub("^best line", "the search expects", text) for text in facts_of(belief, 200)]
    in_brief(facts, brief(settled(decision), facts.name), marked)
    return found


def in_brief(facts: Facts, text: str, marked: str) -> None:
    """Check '3 +0.12, 150 simulations': the move, its rating as in the panel or its mean, and the work."""
    found = re.fullmatch(rf"(\S+) (.+?)(?:, ({COUNT}) (simulations|nodes))?", text)
    assert found and found[1] == facts.name(facts.decision.move)
    thought = facts.thoughts[found[1]]
    if thought.score is None and re.fullmatch(r"[+−]?\d\.\d\d", found[2]):
        assert near(found[2], thought.value)
    else:
        assert re.search(rf" {re.escape(found[2])}\b", marked)
    if found[3]:
        worked(facts, found[3], found[4])


@pytest.mark.slow
def test_every_line_about_what_an_agent_thinks_is_true() -> None:
    told, agents = set[str](), set[str]()  # forms, names
    for turn, game in enumerate(few(GAMES[:6] + GAMES[7:], GAMES)):  # agents are compiled for each kind of game
        force = Force(game)
        for spec in few(AGENTS[turn % 2 :: 2], AGENTS):
            agent = parse_agent(spec, force.game)
            for number, state in enumerate(positions(force, examples(2))):
                decision = agent.decide(state, Stream(number))
                pace = decision.nodes and 10 ** (number % 2 * 4 + 2.5)  # these depend on the machine
                decision = replace(decision, seconds=(0.01, 1.26)[number % 2], nodes_per_second=pace)
                told |= said_of(Facts(force, state, spec, agent, decision))
                agents.add(spec)
    assert agents == set(AGENTS)
    assert told == {*MOVES, *LEGENDS, *NOTES, *FACTS, *SPEED}


DEPTH = rf"depth (\d+) +(\S+) (?:(wins|loses) in (\d+)|([+−]?{COUNT})) · ({COUNT}) nodes"


@pytest.mark.parametrize("game", few(GAMES[:4] + GAMES[7:], GAMES))
def test_every_finished_depth_of_a_deepening_search_has_the_value_of_minimax(game: str) -> None:
    force = Force(game)
    for state in positions(force, 3):
        search = search_of(force.game, state, parse("alphabeta:depth=4,table=64,deepening=yes"), record=False).run()
        name = partial(force.game.move_name, state=state)
        belief = Belief(0, "T", thinking_of(search.result, 1.0), name, base.legal_moves(state))
        done = re.fullmatch(rf"depth (\d+) searched · ({COUNT}) table hits", facts_of(belief, 30)[-1])
        assert done and int(done[1]) == search.result.depth and real(done[2]) < search.result.nodes
        for at, line in enumerate(depths_of(belief, UNICODE), 1):
            found = re.fullmatch(DEPTH, plain_text(line))
            assert found and int(found[1]) == at
            said = (1 if found[3] == "wins" else -1) * (WIN - int(found[4])) if found[3] else int(real(found[5]))
            after = force.after(state, force.game.parse_move(found[2], state))
            assert said == searched(state, at, False) == -searched(after, at - 1, False, 1)
            assert int(real(found[6])) > 0
