"""What the Play screen says an agent thinks, taken apart: own searches, exact chances and brute force answer for it."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from math import sqrt

import pytest

from nimtui.agents import Agent, Decision, parse_agent
from nimtui.agents.mc import BLIND, EXACT
from nimtui.agents.mcts import thinking_of as mcts_thinking
from nimtui.agents.searching import thinking_of
from nimtui.engine.rng import Stream
from nimtui.engine.windows import WIN
from nimtui.games import base
from nimtui.games.base import State
from nimtui.learning.table import Table
from nimtui.playing.advice import best_by
from nimtui.report.lines import plain_text
from nimtui.theory.answers import known_moves
from nimtui.trees import search_of
from nimtui.trees.mcts import MonteCarloSearch
from nimtui.trees.settings import parse
from nimtui.ui.kit.terminal.glyphs import UNICODE
from nimtui.ui.play import thinking as thoughts
from nimtui.ui.play.thinking import Belief, brief, depths_of, facts_of, settled
from tests.examples import examples, few
from tests.patterns import COUNT, NUMBER, Patterns, check, real, same
from tests.theory.force import Force, is_true

pytestmark = pytest.mark.slow

GAMES = [
    "nim:3,2,2",
    "nim:2,3,1:misere",
    "nim:5,4:max=2",
    "subtraction:12,3:misere",
    "adjacent:2,4",
    "kayles:1,3,2:misere",
    "chomp:2x4",
    "noughts:3x3x3",
    "connect:3x3x3",
]
AGENTS = [
    "random",
    "perfect",
    "value",
    "mc:playouts=60",
    "mc:playouts=60,policy=perfect-opponent",
    "mc:playouts=3,policy=perfect-both",
    "mcts:simulations=150",
    "mcts:simulations=4",
    "mcts:simulations=150,proven=yes",
    "alphabeta:depth=2",
    "alphabeta:depth=3,table=64,order=killer,deepening=yes",
    "alphabeta:depth=-1",
    "minimax:depth=2,heuristic=flat",
    "alphabeta:time=0.01",
    "reward:games=100,seed=1,win=2,loss=3",
    "q:games=100,seed=1",
    "average:games=100,seed=1",
    "proof:games=100,seed=1",
]


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


def chances(force: Force, state: State, perfect: bool, known: dict[bytes, tuple[float, float]]) -> tuple[float, float]:
    """How often the player to move wins and loses if both play at random; with `perfect`, that player plays perfectly.

    Perfect means: at random among the moves that keep the outcome.
    """
    key = state.board.tobytes() + bytes([perfect])
    if key not in known:
        if (over := int(base.outcome(state))) != base.GOING_ON:
            known[key] = {base.WON: (0.0, 1.0), base.LOST: (1.0, 0.0), base.DRAW: (0.0, 0.0)}[over]
        else:
            moves = base.legal_moves(state)
            if perfect:
                keeping = force.keeping(state)
                moves = [move for move in moves if force.game.move_name(move, state) in keeping]
            won = lost = 0.0
            for move in moves:
                after = force.after(state, move)
                if not perfect:
                    wins, losses = chances(force, after, False, known)
                else:
                    wins, losses = replied(force, after, known)
                won, lost = won + losses, lost + wins
            known[key] = won / len(moves), lost / len(moves)
    return known[key]


def replied(force: Force, state: State, known: dict[bytes, tuple[float, float]]) -> tuple[float, float]:
    """The chances of a random player to move against a perfect one."""
    if int(base.outcome(state)) != base.GOING_ON:
        return chances(force, state, False, known)
    both = [chances(force, force.after(state, move), True, known) for move in base.legal_moves(state)]
    return sum(lost for _, lost in both) / len(both), sum(won for won, _ in both) / len(both)


KNOWN: dict[str, dict[bytes, tuple[float, float]]] = {}


def tallied(facts: Facts, move: str, won: str, drawn: str | None, lost: str, *about: str) -> None:
    """Check the results of playouts: their number, that chance explains them, and their mean with its interval."""
    thought = facts.thoughts[move]
    for text, value in zip(about, (thought.value, thought.low, thought.high), strict=True):
        assert value is not None and abs(real(text) - value) <= 0.00501
    wins, draws, losses = (int(real(text or "0")) for text in (won, drawn, lost))
    playouts, policy = int(facts.options["playouts"]), facts.options.get("policy", "random")
    assert wins + draws + losses == playouts
    after = facts.after(move)
    if policy == "perfect-both":
        exact = -facts.force.value(after)[0]
        assert (wins, draws, losses) == tuple(playouts * (exact == value) for value in (1, 0, -1))
        return
    known = KNOWN.setdefault(facts.force.game.name, {})
    lose, win = chances(facts.force, after, policy == "perfect-opponent", known)
    for count, chance in ((wins, win), (losses, lose)):
        assert abs(count - playouts * chance) <= 6 * sqrt(playouts * chance * (1 - chance)) + 1e-6, (move, chance)


def visited(facts: Facts, move: str, visits: str, share: str, *about: str) -> None:
    """Check the visits, their share, the mean result or the proven one, and the bound that the search chooses by."""
    assert facts.options.get("simulations") or facts.agent.name == "mcts"
    thought, whole = facts.thoughts[move], sum(each.visits or 0 for each in facts.decision.thoughts)
    assert int(real(visits)) == (thought.visits or 0) and (share == "–") == (not thought.visits)
    if thought.visits:
        assert share.strip("<>") != share or abs(real(share) - 100 * thought.visits / whole) <= 0.0501
    for text, value in zip(about, (thought.value, thought.ucb), strict=True):
        if text in ("wins", "draws", "loses"):
            exactly(facts, move, text)
        elif text != "–":
            assert value is not None and abs(real(text) - value) <= 0.00501
        else:
            assert not thought.visits or value is None


def scored(facts: Facts, move: str, bound: str | None, number: str) -> None:
    """Check a score of a search, or of a table; a move without a visit has 0, too."""
    if facts.thoughts[move].bound is not None:
        bounded(facts, move, bound, int(real(number)))
        return
    table = getattr(facts.agent, "table", None)
    assert isinstance(table, Table) and not bound, facts.agent.name
    score = facts.thoughts[move].score
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
    r"visits in the search tree": lambda facts: visits_sum(facts),
    r"search score((?:; .+)?)": search_bounds,
    rf"Trained on ({COUNT}) games(?:: a win adds (\d+), a loss takes (\d+))?": trained,
    rf"Trained on ({COUNT}) games: ({NUMBER}) is a proven win": lambda facts, games, sure: proven_wins(facts, sure),
}


def visits_sum(facts: Facts) -> None:
    """The visits of the moves are the simulations, unless a proof ended the search early."""
    visits = sum(thought.visits or 0 for thought in facts.decision.thoughts)
    assert visits <= int(facts.options["simulations"])
    assert visits == int(facts.options["simulations"]) or facts.options.get("proven") == "yes"


def proven_wins(facts: Facts, sure: str) -> None:
    for move, thought in facts.thoughts.items():
        if thought.score is not None and abs(thought.score) == real(sure):
            assert -facts.force.value(facts.after(move))[0] == (1 if thought.score > 0 else -1)


def proof(facts: Facts, how: str, after: str, of: str) -> None:
    assert facts.force.value(facts.state)[0] == {"won": 1, "drawn": 0, "lost": -1}[how]
    assert int(real(after)) <= int(real(of)) == int(facts.options["simulations"])


def untried(facts: Facts, some: str, of: str) -> None:
    assert int(some) == sum(not thought.visits for thought in facts.decision.thoughts) > 0
    assert int(of) == int(base.count(facts.state)) > int(facts.options["simulations"])


def halves(facts: Facts) -> None:
    known = KNOWN.setdefault(facts.force.game.name, {})
    for move in facts.thoughts:
        assert chances(facts.force, facts.after(move), False, known) == pytest.approx((0.5, 0.5))


NOTES: Patterns = {
    rf"Proven (won|lost|drawn) after ({COUNT}) of ({COUNT}) simulations\.": proof,
    r"(\d+) of (\d+) moves were not tried: too few simulations\.": untried,
    r"Searched (\d+) (ply|plies) deep in that time\.": lambda facts, plies, unit: same(unit == "ply", plies == "1"),
    re.escape(BLIND): halves,
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
    rf"depth (\d+) searched(?: · {COUNT} table hits)?": lambda facts, depth: deep(facts, int(depth)),
}
SPEED: Patterns = {  # which of these is shown depends on the machine
    rf"(?:{NUMBER}(?: [kM])?/s)(?: · ([\d.]+) s)?": lambda facts, seconds: speed(facts, seconds),
    r"([\d.]+) s": lambda facts, seconds: speed(facts, seconds),
}


def speed(facts: Facts, seconds: str | None) -> None:
    assert not seconds or abs(float(seconds) - facts.decision.seconds) <= 0.0501


def deep(facts: Facts, depth: int) -> None:
    limit = re.search(r"depth=(-?\d+)", facts.agent.name)
    assert depth == facts.decision.depth and (limit is None or int(limit[1]) < 0 or 0 < depth <= int(limit[1]))


def worked(facts: Facts, done: str, unit: str) -> None:
    visits = [thought.visits for thought in facts.decision.thoughts if thought.visits is not None]
    assert unit == ("simulations" if visits else "nodes")
    assert int(real(done)) == (sum(visits) if visits else facts.decision.nodes)


def positions(force: Force, number: int) -> Iterator[State]:
    found = [state for state in force.positions(6) if base.outcome(state) == base.GOING_ON]
    yield from random.Random(force.game.name).sample(found, min(number, len(found)))


def lines_of(facts: Facts, columns: int = 200) -> list[str]:
    """The lines of the panel without its title, heads and bars, its unit and note in one line each."""
    unit = thoughts.legend(facts.decision, facts.agent)
    shown = thoughts.reflection("T", facts.decision, facts.name, "no opinion", columns, 90, UNICODE, unit)
    if facts.decision.thoughts and any("▸" in plain_text(line) for line in shown):
        shown = shown[1:]
    return [re.sub(r" *[█▏▎▍▌▋▊▉░]+ *$", "", plain_text(line)).rstrip() for line in shown[1:]]


@pytest.mark.slow
def test_every_line_about_what_an_agent_thinks_is_true() -> None:
    told, agents = set[str](), set[str]()
    for turn, game in enumerate(GAMES):
        force = Force(game)
        for spec in few([spec for at, spec in enumerate(AGENTS, turn + 1) if at % 3], AGENTS):
            agent = parse_agent(spec, force.game)
            for number, state in enumerate(positions(force, examples(3))):
                facts = Facts(force, state, spec, agent, agent.decide(state, Stream(number)))
                told |= said_of(facts)
                agents.add(spec)
    assert agents == set(AGENTS)
    assert told - set(SPEED) == {*MOVES, *LEGENDS, *NOTES, *FACTS}


def said_of(facts: Facts) -> set[str]:
    decision, told = facts.decision, set[str]()
    unit = thoughts.legend(decision, facts.agent)
    note = decision.note
    lines = lines_of(facts)
    if lines[-1] == "no opinion":
        assert facts.agent.name == "random"
        return told
    rated = [line for line in lines if re.match(r"[▸ ] ", line)]
    assert len(rated) == int(base.count(facts.state))
    assert sum(line.startswith("▸") for line in rated) == 1
    told |= {check(line, MOVES, facts) for line in rated}
    rest = " ".join(line for line in lines if line not in rated and line)
    belief = Belief(0, "T", settled(decision), facts.name, base.legal_moves(facts.state))
    assert rest == " ".join(text for text in (*facts_of(belief, 200), unit, note) if text)
    if unit:
        told.add(check(unit, LEGENDS, facts))
    if note:
        told.add(check(note, NOTES, facts))
    told |= {check(text, {**FACTS, **SPEED}, facts) for text in facts_of(belief, 30)}
    if text := brief(settled(decision), facts.name):
        check_brief(facts, text, next(line for line in rated if line.startswith("▸")))
    return told


def check_brief(facts: Facts, text: str, marked: str) -> None:
    """Check '3 +0.12, 150 simulations': the move, its rating as in the panel or its mean, and the work."""
    found = re.fullmatch(rf"(\S+) (.+?)(?:, ({COUNT}) (simulations|nodes))?", text)
    assert found and found[1] == facts.name(facts.decision.move)
    thought = facts.thoughts[found[1]]
    if thought.value is not None and thought.score is None and re.fullmatch(r"[+−]?\d\.\d\d", found[2]):
        assert abs(real(found[2]) - thought.value) <= 0.00501
    elif thought.mean is not None and thought.value in (1.0, 0.0, -1.0):
        assert found[2] == {1.0: "wins", 0.0: "draws", -1.0: "loses"}[thought.value]
        exactly(facts, found[1], found[2])
    else:
        assert marked.endswith(f" {found[2]}")
    if found[3]:
        worked(facts, found[3], found[4])


def test_a_line_beside_exact_values_is_called_best_only_if_it_is() -> None:
    """A tree search of few simulations often begins with another move than the best one."""
    others = 0
    for game in GAMES:
        force = Force(game)
        for state in positions(force, 20):
            name, search = partial(force.game.move_name, state=state), MonteCarloSearch(force.game, state, 30)
            search.run()
            truths = known_moves(force.game, state)
            assert truths is not None
            thinking = replace(mcts_thinking(search, 1.0), move=best_by(truths, None))
            if len(thinking.line) < 2:
                continue
            belief = Belief(0, "T", thinking, name, base.legal_moves(state), truths)
            found = re.fullmatch(r"(best line|the search expects) (.+)", facts_of(belief, 80)[0])
            assert found and found[2].split() == [name(move) for move in thinking.line]
            is_best = found[2].split()[0] in force.keeping(state)
            assert is_best or found[1] == "the search expects"
            assert facts_of(replace(belief, truths={}), 80)[0] == f"best line {found[2]}"
            others += not is_best
    assert others


DEPTH = rf"depth (\d+) +(\S+) (?:(wins|loses) in (\d+)|([+−]?{COUNT})) · ({COUNT}) nodes"


@pytest.mark.parametrize("game", GAMES)
def test_every_finished_depth_of_a_deepening_search_has_the_value_of_minimax(game: str) -> None:
    force = Force(game)
    for state in positions(force, 3):
        search = search_of(force.game, state, parse("alphabeta:depth=4,table=64,deepening=yes"), record=False).run()
        name = partial(force.game.move_name, state=state)
        belief = Belief(0, "T", thinking_of(search.result, 1.0), name, base.legal_moves(state))
        done = re.fullmatch(rf"depth (\d+) searched · ({COUNT}) table hits", facts_of(belief, 30)[-1])
        assert done and int(done[1]) == search.result.depth and real(done[2]) < search.result.nodes
        nodes = 0
        for at, line in enumerate(depths_of(belief, UNICODE), 1):
            found = re.fullmatch(DEPTH, plain_text(line))
            assert found and int(found[1]) == at
            said = (1 if found[3] == "wins" else -1) * (WIN - int(found[4])) if found[3] else int(real(found[5]))
            after = force.after(state, force.game.parse_move(found[2], state))
            assert said == searched(state, at, False) == -searched(after, at - 1, False, 1)
            assert int(real(found[6])) > 0
            nodes += 1
        assert nodes != 1  # one depth alone is not listed
