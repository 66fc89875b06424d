"""What the table, the answers and the curves of Compare say of agents on a position, taken apart by brute force."""

from __future__ import annotations

import random
import re
from types import SimpleNamespace
from typing import Any

import pytest

from nimtui.agents import parse_agent
from nimtui.arena.compare.comparison import Column, Comparison, ask
from nimtui.arena.compare.effort_curve import curve_of
from nimtui.engine.rng import Stream
from nimtui.games import base
from nimtui.games.base import State
from nimtui.learning import opponents
from nimtui.learning.learner import parse_learner
from nimtui.report.lines import plain_text
from nimtui.theory.answers import known_moves
from nimtui.ui.compare import view
from nimtui.ui.kit.terminal.glyphs import UNICODE
from tests.patterns import COUNT, Patterns, check, real, same
from tests.theory.force import Force, is_true
from tests.ui.test_thought_sentences import NOTES, Facts, searched

GAMES = ["nim:3,2,1", "nim:2,3:misere", "kayles:1,3", "noughts:3x2x3", "connect:3x2x3"]
AGENTS = ("perfect", "random", "minimax:depth=-1", "alphabeta:depth=-1", "alphabeta:depth=2", "mcts:simulations=60",
          "mcts:simulations=40,proven=yes", "mcts:simulations=6", "mc:playouts=6", "mc:playouts=2",
          "proof:games=60,seed=1")  # fmt: skip
UNITS = {"minimax": "nodes", "alphabeta": "nodes", "mcts": "simulations", "mc": "playouts", "proof": "games"}
VERB = {1: "wins", 0: "draws", -1: "loses"}
SEED, WIDE = 3, 70


def tree_size(force: Force, state: State) -> int:
    """The positions that minimax visits to the end of every line."""
    if base.outcome(state) != base.GOING_ON:
        return 1
    return 1 + sum(tree_size(force, force.after(state, move)) for move in base.legal_moves(state))


class Scene:
    """Agents on one position, and what brute force says of each move."""

    def __init__(self, force: Force, state: State, agents: list[str], solved: bool) -> None:
        self.force, self.state, self.moves, self.specs = force, state, base.legal_moves(state), agents
        self.agents = [parse_agent(spec, force.game) for spec in agents]
        self.columns = [ask(agent, base.copy(state), SEED) for agent in self.agents]
        truths = known_moves(force.game, state) if solved else None
        self.compared = Comparison(force.game, state, tuple(self.columns), truths)
        worth = {move: force.value(force.after(state, move)) for move in self.moves}
        self.values = {self.name(move): (-sign, plies + 1) for move, (sign, plies) in worth.items()}  # for who moves
        self.played = [self.name(column.move or 0) for column in self.columns]
        self.keeping = force.keeping(state)
        self.decides = len(self.keeping) < len(self.moves)
        self.solved, self.sure = solved, solved and self.decides

    def name(self, move: int) -> str:
        return self.force.game.move_name(move, self.state)

    def sign(self, name: str) -> str:
        return "★" if not self.sure else "✓" if name in self.keeping else "✗"

    def conductor(self, **more: Any) -> Any:
        return SimpleNamespace(compared=self.compared, message="", waits_for=lambda place: None, **more)

    def facts(self, at: int) -> Facts:
        decision = self.agents[at].decide(base.copy(self.state), Stream(SEED))
        return Facts(self.force, self.state, self.specs[at], self.agents[at], decision)


def scenes(number: int) -> list[Scene]:
    found, chance = [], random.Random(1)
    for game in GAMES:
        force = Force(game)
        states = [state for state in force.positions(8) if base.outcome(state) == base.GOING_ON]
        for at, state in enumerate(chance.sample(states, min(number, len(states)))):
            few = [spec for spec in AGENTS if tree_size(force, state) < 3000 or "-1" not in spec]
            found.append(Scene(force, state, chance.sample(few, 4), at % 4 > 0))
    return found


# The answers.


def answer(scene: Scene, number: str, name: str, sign: str | None, verdict: str | None, effort: str) -> None:
    at = int(number) - 1
    assert name == scene.played[at] and (sign or "★") == scene.sign(name)
    check(effort, EFFORTS, scene, at)
    value, plies = scene.values[name]
    mistake = f"mistake: {VERB[value]}{f' in {plies}' * bool(value)}"
    true = {"★": f"every move {VERB[value]}", "✓": "right", "✗": mistake}[scene.sign(name)]
    assert verdict == (true if scene.solved else None)


def effort(scene: Scene, at: int, done: str, unit: str, nodes: str | None, _: str) -> None:
    """As many simulations and playouts as are asked for, and the nodes of a tree that is searched whole."""
    kind, _, text = scene.specs[at].partition(":")
    options = dict(option.split("=") for option in text.split(",") if option)
    number = int(real(done))
    if unit.startswith("simulation"):
        assert kind == "mcts" and number <= int(options["simulations"])
        assert number == int(options["simulations"]) or "proven" in options
    elif unit.startswith("playout"):
        assert kind == "mc" and number == int(options["playouts"]) * len(scene.moves)
    else:
        assert kind in ("minimax", "alphabeta") and nodes is None
        whole = tree_size(scene.force, scene.state)
        assert number == whole if kind == "minimax" else number <= whole
    assert (number == 1) == (not unit.endswith("s")) and (nodes is None or int(real(nodes)) > 1)


EFFORTS: Patterns = {
    rf"({COUNT}) (simulations?|playouts?|nodes?), (?:({COUNT}) nodes, )?(<?[\d.,]+ m?s)": effort,
    r"<?[\d.,]+ m?s": lambda scene, at: is_true(scene.specs[at].partition(":")[0] in ("perfect", "random", "proof")),
}


def expected(scene: Scene, line: str) -> None:
    """A line is legal; one of a search to the end keeps the outcome for both, and ends the game as soon as it can."""
    lines = [" ".join(scene.force.game.line_names(column.line, scene.state)) for column in scene.columns]
    places = [at for at, text in enumerate(lines) if text == line]
    assert places
    state, names = scene.state, line.split()
    assert {scene.played[at] for at in places} == {names[0]}
    for name in names:
        if any("depth=-1" in scene.specs[at] for at in places):
            assert name in scene.force.keeping(state)
        state = scene.force.after(state, scene.force.game.parse_move(name, state))


def disagreed(scene: Scene, parts: str) -> None:
    said: dict[int, str] = {}
    for who, verb, name in re.findall(r"((?:\d, )*(?:\d and )?\d) (plays?) (\S+?)(?:, |$)", parts):
        places = re.findall(r"\d", who)
        assert (verb == "plays") == (len(places) == 1)
        said |= {int(at): name for at in places}
    assert said == dict(enumerate(scene.played, 1)) and len(set(said.values())) > 1


def best(scene: Scene, names: str, verb: str) -> None:
    assert set(names.split(", ")) == scene.keeping and scene.decides
    assert {scene.values[name][0] for name in scene.keeping} == {{"win": 1, "draw": 0}[verb.rstrip("s")]}
    assert verb.endswith("s") == (len(scene.keeping) == 1)


ANSWERS: Patterns = {
    r"(\d) plays (\S+)(?:  (?:([✓✗]) )?(right|mistake: \w+(?: in \d+)?|every move \w+))? {2,}(.+)": answer,
    r"line (.+)": expected,
    r"All play (\S+)\.": lambda scene, name: same(set(scene.played), {name}),
    r"They disagree: (.+)\.": disagreed,
    r"Best: (.+) \((win|draw)\)\.": best,
    r"Only (\S+) (wins|draws)\.": best,
    r"Every move (wins|draws|loses): no mistake is possible\.": lambda scene, verb: same(
        ({VERB[value] for value, _ in scene.values.values()}, scene.decides), ({verb}, False)
    ),
}


# The table.


def row(scene: Scene, text: str, move: int) -> set[str]:
    """Check one row of the table; return the kinds of cells in it."""
    name, left = scene.name(move), 2 + max(4, *(len(scene.name(one)) for one in scene.moves)) + 1
    assert text[2:left].strip() == name
    assert (text[1] == "◐") == (len(set(scene.played)) > 1 and name in scene.played)
    value, plies = scene.values[name]
    truth = text[left : left + view.TRUTH].strip()
    assert truth == ("–" if not scene.solved else VERB[value] if not value else f"{VERB[value]} in {plies}")
    told = set[str]()
    for at, column in enumerate(scene.columns):
        cell = text[left + view.TRUTH + at * WIDE :][:WIDE].ljust(WIDE)
        match = re.fullmatch(
            r" ([ ✓✗★])([ \d]\d|  ) +(\S+(?: \S+)*?)?(?: +(\d[\d.]*|[<>][\d.]+) %)?(?: +[█▏▎▍▌▋▊▉░]+)? *", cell
        )
        assert match, f"a sentence without a pattern: {cell!r}"
        assert match[1] == (scene.sign(name) if column.move == move else " ")
        told.add(check(match[3] or "", CELLS, scene, at, name))
        shares = [one.share for one in column.cells if one.share is not None]
        if match[4]:
            assert sum(shares) == pytest.approx(1)
            mine = column.cell(move).share
            assert mine is not None and (match[4][0] in "<>" or abs(float(match[4]) - 100 * mine) <= 0.0501)
        if column.move == move and any(one.rank for one in column.cells):
            assert match[2].strip() == "1"
    return told


def bounded(bound: str | None, said: float, exact: int) -> None:
    assert {"≤ ": exact <= said, "≥ ": exact >= said, None: exact == said}[bound], (bound, said, exact)


def decided(scene: Scene, at: int, name: str, bound: str | None, verb: str, plies: str) -> None:
    """A search to the end knows the plies to the end; a bound holds for them."""
    value, true = scene.values[name]
    bounded(bound, (1000 - int(plies)) * (1 if verb == "wins" else -1), value * (1000 - true))


def valued(scene: Scene, at: int, name: str, text: str) -> None:
    """An expected result lies in its range, and is the outcome where it is proven."""
    value, true = real(text), scene.values[name][0]
    assert -1 <= value <= 1
    if scene.specs[at] == "perfect":
        assert value == true


def scored(scene: Scene, at: int, name: str, bound: str | None, text: str) -> None:
    """A score of alpha-beta is minimax's of the same depth, or bounds it; that of a learner is its table's."""
    move = scene.force.game.parse_move(name, scene.state)
    kind, _, options = scene.specs[at].partition(":")
    if kind == "proof":
        table = opponents.train_interpreted(scene.force.game, parse_learner("proof"), 60, 1)
        assert real(text) == table.scores(scene.state)[move]
        return
    depth = int(options.partition("depth=")[2]) % 99  # -1: to the end
    bounded(bound, real(text), -searched(scene.force.after(scene.state, move), depth - 1, False, 1))


CELLS: Patterns = {
    r"([≤≥] )?(wins|loses) in (\d+)": decided,
    r"(0\.000|[+−][01]\.\d{3})": valued,
    rf"([≤≥] )?(0|[+−]{COUNT})": scored,
    r"": lambda scene, at, name: is_true(scene.specs[at] == "random" or not scene.columns[at].cell(
        scene.force.game.parse_move(name, scene.state)).value),
}  # fmt: skip


def test_every_line_about_agents_on_a_position_is_true() -> None:
    told = set[str]()
    for scene in scenes(6):
        lines = [plain_text(one).rstrip() for one in view.answers(scene.conductor())(400, 60, UNICODE)]
        notes = {column.note: at for at, column in enumerate(scene.columns) if column.note}
        for text in map(str.strip, lines):
            if text in notes:
                check(text, NOTES, scene.facts(notes[text]))
            else:
                told.add(check(text, ANSWERS, scene))
        assert [text[0] for text in lines if re.match(r"\d plays", text)] == ["1", "2", "3", "4"]
        wide = 2 + max(4, *(len(scene.name(one)) for one in scene.moves)) + 1 + view.TRUTH + 4 * WIDE
        head, *rows, legend = view.table(scene.conductor(), view.Place())(wide, 90, UNICODE)
        assert all(f"{at} {column.agent}"[:60] in plain_text(head) for at, column in enumerate(scene.columns, 1))
        plays = "✓✗" if scene.sure else "★"
        assert plain_text(legend) == f"◐ they disagree   {plays} plays it   each: rank, value, share"
        for text, move in zip(map(plain_text, rows), scene.moves, strict=True):
            told |= row(scene, text, move)
    assert told == {*ANSWERS, *CELLS}


def test_a_game_that_is_over_says_how_it_ended() -> None:
    told = set[str]()
    for game in ("noughts:3x2x3", "nim:2,1"):
        for state in Force(game).positions(30):
            if (end := int(base.outcome(state))) == base.GOING_ON:
                continue
            conductor: Any = SimpleNamespace(compared=None, state=state)
            [text] = map(plain_text, view.table(conductor, view.Place())(80, 9, UNICODE))
            match = re.fullmatch(r"The game is over(?: here|(: a draw))\. Backspace goes back\.", text)
            assert match and bool(match[1]) == (end == base.DRAW)
            told.add(text)
    assert len(told) == 2


# The curves.


def settles(scene: Scene, match: re.Match[str], steps: list[tuple[int, str]]) -> None:
    """`steps`: effort and move of all."""
    name, last, since, wrong, right = match.groups()
    effort = int(real(last or since or ""))
    assert {move for done, move in steps if done >= effort} == {name}
    before = [move for done, move in steps if done < effort]
    assert not before or before[-1] != name
    assert bool(last) == (effort == steps[-1][0] and len(steps) > 1)
    assert bool(wrong) == (scene.sign(name) == "✗")
    good = [done for done, _ in steps if all(move in scene.keeping for later, move in steps if later >= done)]
    assert (right and int(real(right))) == (good[0] if scene.sure and good and good[0] < effort else None)


SETTLED = (
    rf"Plays (\S+) (?:after ({COUNT}) \w+, the last step|from ({COUNT}) \w+ on)(: a mistake)?\."
    rf"(?: Right from ({COUNT}) \w+ on\.)?"
)
STEP = rf" *({COUNT})(?: +(end|\d+)\b)? +(\S+) +((?:wins|loses) in \d+|0\.000|[+−]\S+|0|) *([✓✗]|) ?(right|mistake)?"


def less(spec: str, effort: int, moves: int) -> str:
    """The same agent with less effort."""
    if spec.startswith("mc:"):
        return f"mc:playouts={effort // moves}"
    return re.sub(r"simulations=\d+|games=\d+", lambda found: f"{found[0].partition('=')[0]}={effort}", spec)


def test_every_line_about_the_effort_of_an_agent_is_true() -> None:
    told = set[str]()
    for scene in scenes(4):
        curves = [curve_of(agent, base.copy(scene.state), SEED) for agent in scene.agents]
        for at in range(len(curves)):
            conductor = scene.conductor(curves=curves)
            lines = [plain_text(one).rstrip() for one in view.curves(conductor, at)(100, 60, UNICODE)]
            [text] = [one.partition("  ")[2] for one in lines if one.startswith(f"{at + 1}▸")]
            if scene.specs[at] in ("perfect", "random"):
                assert text == "has no effort to vary"
                continue
            head = next(place for place, one in enumerate(lines) if re.match(r" *\w+.* move +value$", one))
            unit, found = lines[head].split()[0], []
            for one in lines[head + 1 :]:
                match = re.fullmatch(STEP if "depth" in lines[head] else STEP.replace(r"end|\d+", "never", 1), one)
                assert match, f"a sentence without a pattern: {one!r}"
                step(scene, at, match)
                found.append((int(real(match[1])), match[3]))
            assert [effort for effort, _ in found] == sorted({effort for effort, _ in found})
            assert found[-1][1] == scene.played[at]
            assert unit == UNITS[scene.specs[at].partition(":")[0]]
            match = re.fullmatch(SETTLED, text)
            assert match, f"a sentence without a pattern: {text}"
            settles(scene, match, found)
            told |= {("last", "since", "wrong", "right")[place] for place in range(4) if match[place + 2]}
    assert told == {"last", "since", "wrong", "right"}


def step(scene: Scene, at: int, match: re.Match[str]) -> None:
    """The move is that of the same agent with this effort, the number and the word are true."""
    effort, depth, name, number, sign, word = match.groups()
    assert (sign or "★") == scene.sign(name) and word == {"✓": "right", "✗": "mistake", "": None}[sign]
    if depth is None:
        spec = less(scene.specs[at], int(real(effort)), len(scene.moves))
        column: Column = ask(parse_agent(spec, scene.force.game), base.copy(scene.state), SEED)
        assert scene.name(column.move or 0) == name
    elif (found := re.fullmatch(r"(wins|loses) in (\d+)", number)) and depth == "end":
        assert scene.values[name] == ({"wins": 1, "loses": -1}[found[1]], int(found[2]))
