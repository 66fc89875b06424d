"""How agents are named: read, refused, and found in the package."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from nimtui import agents
from nimtui.agents import agent_choices, agent_forms, parse_agent, presets
from nimtui.engine.rng import Stream
from nimtui.errors import InputError
from nimtui.games import parse_game
from nimtui.learning.opponents import LEVELS

TOWER = parse_game("tower:16")


@pytest.mark.parametrize(
    ("given", "name", "title"),
    [
        ("random", "random", "Random"),
        (" Perfect ", "perfect", "Perfect"),
        ("value", "value", "Exact values"),
        ("mc", "mc", "Flat Monte Carlo (1,000 playouts a move)"),
        ("mc:playouts=1000", "mc", "Flat Monte Carlo (1,000 playouts a move)"),
        (
            "MC: pick=Row-Then-Count , playouts=40_000",
            "mc:playouts=40000,pick=row-then-count",
            "Flat Monte Carlo (40,000 playouts a move, row, then count)",
        ),
        (
            "mc:policy=perfect-opponent,pick=uniform-move",
            "mc:policy=perfect-opponent",
            "Flat Monte Carlo (1,000 playouts a move, perfect opponent)",
        ),
        (
            "mc:playouts=1,policy=perfect-both",
            "mc:playouts=1,policy=perfect-both",
            "Flat Monte Carlo (1 playouts a move, perfect playouts)",
        ),
        ("easy", "easy", "Easy (10 games)"),
        ("medium", "medium", "Medium (1,000 games)"),
        ("hard", "hard", "Hard (1,000,000 games)"),
        ("reward", "reward:games=1000000,seed=0", "Reward learner (1,000,000 games)"),
        ("reward:seed=0,games=7", "reward:games=7,seed=0", "Reward learner (7 games)"),
        (
            "Reward:pick=Uniform-Move,games=7",
            "reward:games=7,seed=0,pick=uniform-move",
            "Reward learner (7 games, pick uniform-move)",
        ),
        ("reward:seed=3,games=7", "reward:games=7,seed=3", "Reward learner (7 games, seed 3)"),
    ],
)
def test_a_name_is_read_and_made_canonical(given: str, name: str, title: str) -> None:
    agent = parse_agent(given, TOWER)
    assert (agent.name, agent.title) == (name, title)
    assert parse_agent(agent.name, TOWER).name == name


@pytest.mark.parametrize(
    ("given", "line"),
    [
        ("", "unknown agent ''"),
        ("prefect", "did you mean perfect?"),
        ("random:1", "random has no options"),
        ("easy:games=3", "easy takes no parameters"),
        ("mc:1000", "invalid option of mc '1000'"),
        ("mc:playouts=", "playouts must be a whole number from 1 to 1,000,000,000, not ''"),
        ("mc:playout=5", "did you mean playouts?"),
        ("mc:playouts=0", "playouts must be from 1 to"),
        ("mc:playouts=many", "playouts must be a whole number"),
        ("mc:playouts=5,playouts=6", "given twice"),
        ("mc:policy=best", "unknown policy 'best'"),
        ("mc:pick=uniform", "did you mean uniform-move?"),
        ("mc:policy=perfect-opponent,pick=row-then-count", "leave out pick=row-then-count"),
        ("mc:policy=perfect-both,pick=row-then-count", "policy=perfect-both draws moves uniformly"),
        ("reward:games=5,games=6", "given twice"),
        ("reward:games=0", "games must be from 1 to"),
        ("reward:games=5,sed=1", "did you mean seed?"),
        ("reward:games=5,seed=-1", "seed must be from 0 to"),
        ("table", "name the table's file"),
        ("table:  ", "name the table's file"),
        ("table:/no/such/file.npz", "there is no file /no/such/file.npz"),
    ],
)
def test_a_wrong_name_is_refused_in_one_line(given: str, line: str) -> None:
    with pytest.raises(InputError) as refused:
        parse_agent(given, TOWER)
    said = str(refused.value)
    assert line in said
    assert "\n" not in said


def test_an_unknown_agent_is_told_all_that_there_are() -> None:
    with pytest.raises(InputError) as refused:
        parse_agent("nobody", TOWER)
    for name in ("random", "easy", "medium", "hard", "reward", "perfect", "value", "mc", "table"):
        assert name in str(refused.value)


def test_every_preset_is_canonical_and_plays_the_tower() -> None:
    assert [preset.agent for preset in presets()][:6] == [
        "random",
        "easy",
        "medium",
        "hard",
        "reward:games=5000000,seed=0",
        "perfect:lost=longest",
    ]
    for title, name in presets():
        assert title
        assert parse_agent(name, TOWER).name == name
    assert [choice.agent for choice in agent_choices(TOWER)] == [preset.agent for preset in presets()]


def test_only_those_that_can_play_a_game_are_offered_for_it() -> None:
    offered = {preset.agent for preset in agent_choices(parse_game("connect4:8x6"))}
    searching = {preset.agent for preset in presets() if preset.agent.startswith(("mcts", "minimax", "alphabeta"))}
    assert len(searching) >= 4 and offered == {"random", *LEVELS, "mc", "mc:time=0.5"} | searching
    huge = "nim:" + ",".join(["255"] * 26)  # too many positions to number them
    offered = {preset.agent for preset in agent_choices(parse_game(huge))}
    assert offered - searching == {"random", *LEVELS, "perfect:lost=longest", "value", "mc", "mc:time=0.5"}
    small = {preset.agent for preset in agent_choices(parse_game("connect4:4x4"))}
    assert {"perfect:lost=longest", "value"} <= small


@pytest.mark.parametrize("name", ["reward", "perfect", "value", "mc:policy=perfect-opponent"])
def test_an_agent_refuses_a_game_it_cannot_play_and_says_why(name: str) -> None:
    with pytest.raises(InputError) as refused:
        parse_agent(name, parse_game("connect4:8x6"))
    assert "connect:8x6x4" in str(refused.value)
    assert "\n" not in str(refused.value)


def test_each_agent_has_forms_for_help() -> None:
    forms = dict(agent_forms())
    for name in ("random", "easy", "medium", "hard", "perfect", "value"):
        assert forms[name]
    assert all("\n" not in told and told[0].islower() for told in forms.values())


ADDED = """
from nimtui.agents.agent import AlwaysReady, Decision, Thought, moves_of

NAMES = ("greedy",)
FORMS = (("greedy", "the last of all moves"),)
PRESETS = (("Greedy", "greedy"),)


class Greedy(AlwaysReady):
    name = "greedy"
    title = "Greedy"

    def decide(self, state, stream, progress=None):
        moves = moves_of(state)
        return Decision(moves[-1], tuple(Thought(move) for move in moves))


def parse(word, text, game):
    return Greedy()
"""


def test_adding_an_agent_is_adding_one_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "greedy_for_this_test.py").write_text(ADDED)
    monkeypatch.setattr(agents, "__path__", [*agents.__path__, str(tmp_path)])
    agent = parse_agent("greedy", TOWER)
    assert TOWER.move_name(agent.decide(TOWER.new(), Stream(0)).move) == "d7"
    assert ("greedy", "the last of all moves") in agent_forms()
    assert ("Greedy", "greedy") in agent_choices(TOWER)

    from nimtui.arena import play_match

    result = play_match(TOWER, agent, parse_agent("random", TOWER), games=3, seed=1)
    assert result.games == 3
    assert result.transcript[0] == "d7"


def test_naming_agents_and_a_game_against_a_simple_one_load_no_numba() -> None:
    program = (
        "import sys\n"
        "from nimtui.agents import agent_choices, parse_agent, agent_forms\n"
        "from nimtui.arena import play_match\n"
        "from nimtui.games import parse_game\n"
        "game = parse_game('tower:16')\n"
        "agent_forms(); agent_choices(game); agent_choices(parse_game('connect4'))\n"
        "players = [parse_agent(name, game) for name in ('easy', 'perfect')]\n"
        "play_match(game, *players, games=2)\n"
        "print([name for name in ('numba', 'textual', 'rich', 'typer') if name in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, timeout=60, text=True)
    assert run.stdout.strip() == "[]", run.stderr
