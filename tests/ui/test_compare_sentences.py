"""What Compare says of agents on one position and on all, in games with and without draws, taken apart by brute force.

What an agent thinks of a move, and what it would do with less effort, is held by tests/arena.
"""

from __future__ import annotations

import re
from types import SimpleNamespace
from typing import Any

import pytest

from nimtui.agents import parse_agent
from nimtui.arena.compare.comparison import Comparison, ask
from nimtui.games import base
from nimtui.games.base import State
from nimtui.progress import SILENT
from nimtui.report.lines import plain_text
from nimtui.theory.answers import known_moves
from nimtui.ui.compare import parts_view, view
from nimtui.ui.compare.work import positions
from nimtui.ui.kit.terminal.glyphs import UNICODE
from tests.patterns import Patterns, check, same
from tests.theory.force import Force

GAMES = ["nim:3,2,1", "nim:2,3:misere", "kayles:1,3", "noughts:3x2x3", "connect:3x2x3"]
AGENTS = ("perfect", "random", "alphabeta:depth=-1", "mcts:simulations=40,proven=yes")
VERB = {1: "wins", 0: "draws", -1: "loses"}
WIDE = 70  # columns of an agent in the table


class Scene:
    """Agents on one position, and what brute force says of each move."""

    def __init__(self, force: Force, state: State) -> None:
        self.force, self.state, self.moves = force, state, base.legal_moves(state)
        self.columns = [ask(parse_agent(spec, force.game), base.copy(state), 3) for spec in AGENTS]
        self.compared = Comparison(force.game, state, tuple(self.columns), known_moves(force.game, state))
        worth = {move: force.value(force.after(state, move)) for move in self.moves}
        self.values = {self.name(move): (-sign, plies + 1) for move, (sign, plies) in worth.items()}
        self.played = [self.name(column.move or 0) for column in self.columns]
        self.keeping = force.keeping(state)
        self.decides = len(self.keeping) < len(self.moves)

    def name(self, move: int) -> str:
        return self.force.game.move_name(move, self.state)

    def sign(self, name: str) -> str:
        return "★" if not self.decides else "✓" if name in self.keeping else "✗"


def answer(scene: Scene, number: str, name: str, sign: str | None, verdict: str) -> None:
    value, plies = scene.values[name]
    assert name == scene.played[int(number) - 1] and (sign or "★") == scene.sign(name)
    mistake = f"mistake: {VERB[value]}{f' in {plies}' * bool(value)}"
    assert verdict == {"★": f"every move {VERB[value]}", "✓": "right", "✗": mistake}[scene.sign(name)]


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
    r"(\d) plays (\S+)  (?:([✓✗]) )?(right|mistake: \w+(?: in \d+)?|every move \w+) {2,}.+": answer,
    r"All play (\S+)\.": lambda scene, name: same(set(scene.played), {name}),
    r"They disagree: (.+)\.": disagreed,
    r"Best: (.+) \((win|draw)\)\.": best,
    r"Only (\S+) (wins|draws)\.": best,
    r"Every move (wins|draws|loses): no mistake is possible\.": lambda scene, verb: same(
        ({VERB[value] for value, _ in scene.values.values()}, scene.decides), ({verb}, False)
    ),
}


def row(scene: Scene, text: str, move: int) -> None:
    """Check what stands before the cells of a row of the table, and the sign in each cell."""
    name, left = scene.name(move), 2 + max(4, *(len(scene.name(one)) for one in scene.moves)) + 1
    value, plies = scene.values[name]
    assert text[2:left].strip() == name and (text[1] == "◐") == (len(set(scene.played)) > 1 and name in scene.played)
    assert text[left:].startswith((f"{VERB[value]} in {plies} ", "draws ")) and ("draws" in text[left:]) == (not value)
    for at, played in enumerate(scene.played):
        cell = text[left + view.TRUTH + at * WIDE :].ljust(2)
        assert cell[1] == (scene.sign(name) if played == name else " ")


def test_every_verdict_on_agents_on_a_position_is_true() -> None:
    told = set[str]()
    for force in map(Force, GAMES):
        states = [state for state in force.positions(8) if base.outcome(state) == base.GOING_ON]
        for state in states[:: max(1, len(states) // 6)]:
            scene = Scene(force, state)
            conductor: Any = SimpleNamespace(compared=scene.compared, waits_for=lambda place: None)
            lines = [plain_text(one).strip() for one in view.answers(conductor)(400, 60, UNICODE)]
            besides = {column.note for column in scene.columns} | {text for text in lines if text.startswith("line ")}
            told |= {check(text, ANSWERS, scene) for text in lines if text not in besides}
            assert [text[0] for text in lines if re.match(r"\d plays", text)] == ["1", "2", "3", "4"]
            wide = 2 + max(4, *(len(scene.name(one)) for one in scene.moves)) + 1 + view.TRUTH + 4 * WIDE
            _, *rows, _ = view.table(conductor, view.Place())(wide, 90, UNICODE)
            for text, move in zip(map(plain_text, rows), scene.moves, strict=True):
                row(scene, text, move)
    assert told == set(ANSWERS)


@pytest.mark.parametrize("game", GAMES)
def test_every_line_about_all_positions_is_true(game: str) -> None:
    force, agents = Force(game), ("perfect", "random")
    found = positions(force.game, tuple(parse_agent(spec, force.game) for spec in agents), 1, SILENT)  # type: ignore[arg-type]
    shown: Any = SimpleNamespace(result=found, pair=(0, 1))
    listed: Any = parts_view.rows(shown, 0, lambda place: None, lambda: None)
    head, *rows = map(plain_text, listed.paint(range(found.compared.positions), 200, UNICODE))
    assert head.split() == ["position", "plies", "right", "1", "2"]
    order = []
    for node, text in zip(found.listed, rows, strict=True):
        state = found.atlas.state(node)
        value, plies = force.value(state)
        keeping, moves = len(force.keeping(state)), int(base.count(state))
        word = "right" if keeping == moves else "undecided"
        kind = "nothing to decide" if value < 0 else "both" if keeping == moves else "first only"
        name, far = found.atlas.name(node) or "the start", str(plies) if value else "draw"
        verdicts = ["✓", "right", "✓" if word == "right" else "◐", word]
        assert [part for part in text[1:].split() if len(part) > 1 or part.isalnum()] == [
            *name.split(), far, *kind.split(), *(each for each in verdicts[1::2] if value >= 0)
        ]  # fmt: skip
        order.append(kind)
        [said] = [line for line in map(plain_text, parts_view.counts(shown, node)(120, 60, UNICODE)) if ": " in line]
        end = f"{plies} {'ply' if plies == 1 else 'plies'} of perfect play to the end" if value else "a draw"
        assert said.strip() == f"{name}: {kind}, {end}"
    sections = ["first only", "both", "nothing to decide"]
    assert [sections.index(kind) for kind in order] == sorted(sections.index(kind) for kind in order)
    counts = (
        plain_text(parts_view.counts(shown, -1)(120, 60, UNICODE)[2]).replace("lost", "nothing to decide").split("  ")
    )
    assert counts[:5] == [
        f"{kind} {order.count(kind)}" for kind in ("both", "first only", "second only", "neither", "nothing to decide")
    ]
