"""How agents are named: read, refused, offered for a game, and found in the package or a folder."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from nimtui import agents
from nimtui.agents import agent_choices, agent_forms, parse_agent, presets, registry
from nimtui.agents.searching import depends_on_the_machine
from nimtui.arena.play.match import play_match
from nimtui.engine.rng import Stream
from nimtui.games import parse_game
from nimtui.learning.opponents import LEVELS
from tests.agents import stifle
from tests.games.refusal import refusal

TOWER, FOUR = parse_game("tower:16"), parse_game("connect4")
MC, TREE = "Flat Monte Carlo", "Tree search"
NAMES = {  # as typed: the canonical name, the title
    "random": ("random", "Random"),
    " Perfect ": ("perfect", "Perfect"),
    "value": ("value", "Exact values"),
    "mc": ("mc", f"{MC} (1,000 playouts a move)"),
    "mc:playouts=1000": ("mc", f"{MC} (1,000 playouts a move)"),
    "MC: pick=Row-Then-Count , playouts=40_000": (
        "mc:playouts=40000,pick=row-then-count",
        f"{MC} (40,000 playouts a move, row, then count)",
    ),
    "mc:policy=perfect-opponent,pick=uniform-move": (
        "mc:policy=perfect-opponent",
        f"{MC} (1,000 playouts a move, perfect opponent)",
    ),
    "mc:policy=perfect-both": ("mc:policy=perfect-both", f"{MC} (1,000 playouts a move, perfect playouts)"),
    "mc:time=0.5": ("mc:time=0.5", f"{MC} (0.5 s a move)"),
    "mc:time=60,playouts=20": ("mc:playouts=20,time=60.0", f"{MC} (20 playouts a move, 60 s a move)"),
    "easy": ("easy", "Easy (10 games)"),
    "hard": ("hard", "Hard (1,000,000 games)"),
    "reward": ("reward:games=1000000,seed=0", "Reward learner (1,000,000 games)"),
    "Reward:pick=Uniform-Move,games=7": (
        "reward:games=7,seed=0,pick=uniform-move",
        "Reward learner (7 games, pick uniform-move)",
    ),
    "reward:seed=3,games=7": ("reward:games=7,seed=3", "Reward learner (7 games, seed 3)"),
    "mcts": ("mcts:simulations=500,c=1.0", f"{TREE} (500 simulations)"),
    "MCTS: c=0.5, simulations=10_000": ("mcts:simulations=10000,c=0.5", f"{TREE} (10,000 simulations, c 0.5)"),
    "mcts:log=root,policy=perfect-opponent,proven=yes": (
        "mcts:simulations=500,c=1.0,log=root,policy=perfect-opponent,proven=yes",
        f"{TREE} (500 simulations, root's count, perfect opponent, proving)",
    ),
    "mcts:time=0.5": ("mcts:time=0.5,c=1.0", f"{TREE} (0.5 s a move)"),
    "minimax": ("minimax:depth=4", "Minimax (depth 4)"),
    "AlphaBeta: depth=6": ("alphabeta:depth=6", "Alpha-beta (depth 6)"),
    "alphabeta:depth=-1": ("alphabeta:depth=-1", "Alpha-beta (to the end)"),
    "alphabeta:order=killer,heuristic=original,depth=3": (
        "alphabeta:depth=3,order=killer,heuristic=original",
        "Alpha-beta (depth 3, killer moves first, the document's heuristic)",
    ),
    "alphabeta:depth=5,table=1000,deepening=yes,order=best-first": (
        "alphabeta:depth=5,order=best-first,table=1024,deepening=yes",
        "Alpha-beta (depth 5, best first, deepening, with a table)",
    ),
    "alphabeta:time=0.5": ("alphabeta:time=0.5", "Alpha-beta (0.5 s a move)"),
    "alphabeta:time=2,depth=6": ("alphabeta:depth=6,time=2.0", "Alpha-beta (depth 6, 2 s a move)"),
    "perfect:won=random,lost=longest": ("perfect:lost=longest", "Perfect (holds out longest)"),
}
WRONG = {
    "": "unknown agent ''",
    "prefect": "did you mean perfect?",
    "random:1": "random has no options",
    "easy:games=3": "easy takes no parameters",
    "mc:1000": "invalid option of mc '1000'",
    "mc:playouts=": "playouts must be a whole number from 1 to 1,000,000,000, not ''",
    "mc:playout=5": "did you mean playouts?",
    "mc:playouts=0": "playouts must be from 1 to",
    "mc:playouts=5,playouts=6": "given twice",
    "mc:policy=best": "unknown policy 'best'",
    "mc:pick=uniform": "did you mean uniform-move?",
    "mc:policy=perfect-opponent,pick=row-then-count": "leave out pick=row-then-count",
    "mc:policy=perfect-both,pick=row-then-count": "policy=perfect-both draws moves uniformly",
    **{
        f"mc:time={wrong}": "time must be a number of seconds from 0.001 to 3,600, not"
        for wrong in ("0", "nan", "4000")
    },
    "reward:games=5,games=6": "given twice",
    "reward:games=0": "games must be from 1 to",
    "reward:games=5,sed=1": "did you mean seed?",
    "reward:games=5,seed=-1": "seed must be from 0 to",
    "table": "name the table's file",
    "table:/no/such/file.npz": "there is no file /no/such/file.npz",
    "mcts:simulations=0": "simulations must be from 1 to",
    "mcts:simulation=5": "did you mean simulations?",
    "mcts:c=-1": "c must be from 0 to 1,000, not -1",
    "mcts:policy=random": "unknown policy 'random'",
    "mcts:seed=3": "has no seed",
    "alphabeta:depth=0": "depth must be from",
    "alphabeta:order=killers": "did you mean killer?",
    "minimax:order=killer": "minimax",
}
WRONG_FOR_FOUR = {
    "mcts:policy=perfect-opponent": "no perfect opponent for the playouts",
    "mcts:simulations=100000000": "simulations could need",
    "alphabeta:depth=-1": "give a smaller depth",
    "mc:policy=perfect-opponent": "is not possible here: connect:7x6x4 is too large for a table",
}


def test_a_name_is_read_and_made_canonical() -> None:
    for typed, names in NAMES.items():
        agent = parse_agent(typed, TOWER)
        assert (agent.name, agent.title) == names and parse_agent(agent.name, TOWER).name == agent.name
        assert depends_on_the_machine(agent) == ("time" in typed)


def test_a_wrong_name_is_refused_in_one_line() -> None:
    for wrong, game in ((WRONG, TOWER), (WRONG_FOR_FOUR, FOUR)):
        for typed, line in wrong.items():
            assert line in refusal(parse_agent, typed, game), typed
    told = refusal(parse_agent, "nobody", TOWER)
    assert all(
        name in told for name in ("random", "easy", "medium", "hard", "reward", "perfect", "value", "mc", "table")
    )
    for name in ("reward", "perfect", "value", "mc:policy=perfect-opponent"):
        assert "connect:8x6x4" in refusal(parse_agent, name, parse_game("connect4:8x6"))


def test_every_preset_is_canonical_and_offered_for_the_games_it_can_play_and_every_agent_has_a_form() -> None:
    first = ["random", "easy", "medium", "hard", "reward:games=5000000,seed=0", "perfect:lost=longest"]
    assert [preset.agent for preset in presets()][:6] == first
    assert all(title and parse_agent(name, TOWER).name == name for title, name in presets())
    assert [choice.agent for choice in agent_choices(TOWER)] == [preset.agent for preset in presets()]
    searching = {preset.agent for preset in presets() if preset.agent.startswith(("mcts", "minimax", "alphabeta"))}
    plain, exact = {"random", *LEVELS, "mc", "mc:time=0.5"}, {"perfect:lost=longest", "value"}
    assert len(searching) >= 4
    unnumbered = "nim:" + ",".join(["255"] * 26)
    for name, offered in (("connect4:8x6", plain | searching), (unnumbered, plain | exact | searching)):
        assert {preset.agent for preset in agent_choices(parse_game(name))} | searching == offered
    assert exact <= {preset.agent for preset in agent_choices(parse_game("connect4:4x4"))}
    forms = dict(agent_forms())
    assert all(forms[name] for name in ("random", "easy", "medium", "hard", "perfect", "value"))
    assert all("\n" not in text and text[0].islower() for text in forms.values())


# Adding an agent is one new file; one that is wrong gets a line.


def test_an_agent_of_the_package_or_elsewhere_takes_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_added", [])
    assert "unknown agent 'stifle'" in refusal(parse_agent, "stifle", TOWER)
    registry.add(stifle)
    registry.add(stifle)  # once more changes nothing
    text = Path(stifle.__file__).read_text().replace('"stifle"', '"narrow"')
    (tmp_path / "narrow_for_this_test.py").write_text(text)
    monkeypatch.setattr(agents, "__path__", [*agents.__path__, str(tmp_path)])
    assert agent_forms()[-1] == stifle.FORMS[0] and agent_choices(TOWER)[-1] == stifle.PRESETS[0]
    assert ("Stifle", "narrow") in agent_choices(TOWER) and agent_forms().count(stifle.FORMS[0]) == 1
    for name in ("Stifle", "narrow"):
        decision = parse_agent(name, TOWER).decide(TOWER.new("0,0,2,3"), Stream(0))
        assert TOWER.move_name(decision.move) == "d3"  # two moves are left then, three or more after any other
    assert "did you mean stifle" in refusal(parse_agent, "stiffle", TOWER)
    unnamed, odd = stifle.Stifle(), ModuleType("odd")
    unnamed.name = 7
    vars(odd).update(NAMES=("odd",), FORMS=stifle.FORMS)
    for parse, said in (
        (lambda *_: 1 / 0, "parse raised ZeroDivisionError: division by zero"),
        (lambda *_: None, "parse returned no agent for 'odd': it lacks name, title, "),
        (lambda *_: unnamed, "parse returned no agent for 'odd': its name and title must be text"),
    ):
        odd.parse = parse
        registry.add(odd)
        assert refusal(parse_agent, "odd", TOWER).startswith(f"the agent file odd: {said}")
    result = play_match(TOWER, parse_agent("stifle", TOWER), parse_agent("random", TOWER), games=3, seed=1)
    assert result.games == 3


def test_each_wrong_agent_of_a_folder_gets_a_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_added", [])
    source = Path(stifle.__file__).read_text()
    taken = {name: source.replace('"stifle"', f'"{name}"') for name in ("mcts", "hard")}
    wrong = {
        "lame": ("NAMES = ('lame',)\n", "lacks: FORMS, parse"),
        **{file: (text, f"the name '{file}' is taken by nimtui.agents") for file, text in taken.items()},
        "broken": ("def parse(:\n", "SyntaxError"),
    }
    for name, text in {"mobility": source, **{name: text for name, (text, _) in wrong.items()}}.items():
        (tmp_path / f"{name}.py").write_text(text)
    faults = registry.add_folder(tmp_path)
    assert len(faults) == len(wrong)
    for name, (_, said) in wrong.items():
        [mine] = [fault for fault in faults if f"{name}.py" in fault]
        assert said in mine and "\n" not in mine
    assert parse_agent("stifle", TOWER).title == "Stifle"


@pytest.mark.slow
def test_naming_agents_and_a_game_against_a_simple_one_load_no_numba(tmp_path: Path) -> None:
    program = (
        "import sys\n"
        "from nimtui.agents import agent_choices, parse_agent, agent_forms\n"
        "from nimtui.arena.play.match import play_match\n"
        "from nimtui.games import parse_game\n"
        "game = parse_game('tower:16')\n"
        "agent_forms(); agent_choices(game); agent_choices(parse_game('connect4'))\n"
        "players = [parse_agent(name, game) for name in ('easy', 'perfect')]\n"
        "play_match(game, *players, games=2)\n"
        "print([name for name in ('numba', 'textual', 'rich', 'typer') if name in sys.modules])"
    )
    home = {**os.environ, "NIMTUI_HOME": str(tmp_path)}  # without a saved function
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, timeout=60, text=True, env=home)
    assert run.stdout.strip() == "[]", run.stderr
