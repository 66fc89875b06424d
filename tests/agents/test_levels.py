"""Levels, agents of rising strength by a recipe that saved games keep; and those that play by a learned table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from math import comb
from pathlib import Path

import pytest

from nimtui.agents import parse_agent
from nimtui.agents.learned import UNKNOWN, TableAgent
from nimtui.agents.levels import LEVELS, former_agents, recipe, recipes
from nimtui.arena.play.plan import Plan, plan
from nimtui.engine.rng import Stream
from nimtui.games import Record, base, parse_game
from nimtui.games.base import GOING_ON, WON, State, legal_moves, outcome
from nimtui.games.game import Game
from nimtui.games.registry import presets
from nimtui.learning import parse_learner
from nimtui.learning.table import PartialGraph, Table
from tests import levels as table
from tests.agents.chance import uniform
from tests.games.refusal import refusal

NIM, NOUGHTS = "nim:1,3,5,7", "noughts:3x3x3"
OLD_HARD = "reward:games=1000000,seed=1"  # of version 0.2.0, in every game
ALREADY_PERFECT = {"subtraction:21,3:misere", "octal:0.137:12", "grundy:12"}  # at medium


def test_every_game_on_offer_has_all_levels_by_the_names_of_agents_and_each_is_its_recipe() -> None:
    for preset in presets():
        game = parse_game(preset.game)
        for level in LEVELS:
            agent, made_by = parse_agent(level, game), recipe(level, game)
            assert (agent.name, agent.title.partition(" (")[0]) == (level, level.capitalize())
            other = parse_agent(made_by, game)
            assert other.name == made_by
            if (preset.game, level) in ((NIM, "easy"), (NIM, "medium"), (NOUGHTS, "medium")):
                for seed in range(3):
                    assert agent.choose(game.start, Stream(seed)) == other.choose(game.start, Stream(seed))
    assert {NIM, NOUGHTS} <= {parse_game(preset.game).name for preset in presets()}


def test_a_level_takes_no_parameters_and_its_tree_fits_into_the_memory() -> None:
    said = refusal(parse_agent, "hard:games=5", parse_game(NOUGHTS))
    assert "hard takes no parameters; here it is mcts:simulations=100000,c=" in said
    huge = parse_game("nim:" + ",".join(["255"] * 26))
    assert recipe("hard", huge) == "mcts:simulations=7040,c=1.0,proven=yes"
    assert parse_agent("hard", huge).name == "hard"


def better(line: str, column: int) -> float:
    """The chance of so few lost games, draws left out, between two agents of equal strength."""
    counts = line.split("|")[column].split(", ")[1].split()
    won, lost = int(counts[0]), -int(counts[1].replace("−", "-"))
    return sum(comb(won + lost, few) for few in range(lost + 1)) / 2 ** (won + lost)


def test_the_document_has_each_level_of_each_game_stronger_than_the_one_below() -> None:
    lines = table.shown()
    wanted = [(preset.game, level) for preset in presets() for level in LEVELS]
    assert [tuple(cell.strip(" `") for cell in line.split("|")[1:3]) for line in lines] == wanted
    for (game, level), line in zip(wanted, lines, strict=True):
        assert f"`{recipe(level, parse_game(game))}`" in line
        if level != "easy" and not (level == "hard" and game in ALREADY_PERFECT):
            assert better(line, 5) < 0.001, line


@pytest.mark.slow
def test_the_document_has_what_is_played_today() -> None:
    rows = [table.row("nim:7,5,3", level) for level in LEVELS]
    assert rows == [line for line in table.shown() if "`nim:7,5,3`" in line]


def replies(game: Game, first: bool) -> Iterator[int]:
    """The outcomes of hard's games against every play of the other; 1: hard won."""
    hard, seed = parse_agent("hard", game), 0

    def play(state: State, own: bool) -> Iterator[int]:
        nonlocal seed
        if (ended := outcome(state)) != GOING_ON:
            yield 0 if ended == 2 else ended * (-1 if own else 1)  # said of the player who moved last
        elif own:
            seed += 1
            yield from play(game.after(state, hard.choose(state, Stream(seed))), False)
        else:
            for move in legal_moves(state):
                yield from play(game.after(state, move), True)

    yield from play(game.start, first)


@pytest.mark.slow
def test_hard_never_loses_noughts_as_the_second_player_whatever_the_other_plays() -> None:
    results = list(replies(parse_game(NOUGHTS), False))
    assert len(results) > 50 and min(results) == 0 and max(results) == 1


def wins(game: Game, state: State) -> list[int]:
    """The moves that end the game with a win."""
    return [move for move in legal_moves(state) if outcome(game.after(state, move)) == WON]


def threatened(game: str, number: int) -> Iterator[tuple[State, list[int]]]:
    """Random positions of a game with a win in one move, or with one that only these moves keep the other from."""
    chosen, stream = parse_game(game), Stream(1)
    while number:
        state = chosen.start
        while outcome(state) == GOING_ON and number:
            moves = legal_moves(state)
            safe = [
                move
                for move in moves
                if outcome(then := chosen.after(state, move)) != GOING_ON or not wins(chosen, then)
            ]
            best = wins(chosen, state) or (safe if 0 < len(safe) < len(moves) else [])
            if best:
                number -= 1
                yield state, best
            state = chosen.after(state, stream.choose(moves))


@pytest.mark.slow
@pytest.mark.parametrize("game", [NOUGHTS, "connect4"])
def test_hard_wins_at_once_and_blocks(game: str) -> None:
    hard = parse_agent("hard", parse_game(game))
    for seed, (state, best) in enumerate(threatened(game, 6)):
        assert hard.choose(state, Stream(seed)) in best


# What saved tournaments keep.


def test_a_plan_keeps_the_recipe_of_its_levels_alone() -> None:
    made = plan([NIM, NOUGHTS], ["hard", "random"], number=2)
    assert (
        made.document()["recipes"]
        == {"hard": {NIM: OLD_HARD, NOUGHTS: "mcts:simulations=100000,c=1.0,proven=yes"}}
        == recipes(made.games, made.agents)
    )
    assert Plan.from_document(made.document()) == made
    assert "recipes" not in plan([NIM], ["perfect", "random"]).document()


def test_a_level_of_an_old_tournament_is_the_agent_that_played() -> None:
    old = {**plan([NOUGHTS], ["hard", "random"]).document(), "recipes": None}
    assert former_agents(old) == {level: f"reward:games={games},seed=1" for level, games in LEVELS.items()}
    assert Plan.from_document(old).agents == (OLD_HARD, "random")
    assert former_agents({**old, "games": [NIM]}) == {}  # the same recipe as now
    assert former_agents({**old, "games": ["gone:3"]})["hard"] == OLD_HARD  # a game that is not here
    changed = {**old, "recipes": {"hard": {NOUGHTS: "mcts:simulations=7,c=1.0"}}}
    assert Plan.from_document(changed).agents == ("mcts:simulations=7,c=1.0", "random")


TOWER = parse_game("tower:16")


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("NIMTUI_HOME", str(tmp_path))
    return tmp_path


def learned(spec: str, game: str = "tower:16") -> TableAgent:
    agent = parse_agent(spec, parse_game(game))
    return agent


def saved(tmp_path: Path, scores: dict[str, int], learner: str = "reward", position: str = "1,3,5,7") -> str:
    """A file with a table that has scores at one position, by the names of the moves."""
    state = TOWER.new(position)
    cells = dict.fromkeys(base.legal_moves(state), 0)
    cells |= {TOWER.parse_move(name, state): score for name, score in scores.items()}
    rule = parse_learner(learner)
    seen = PartialGraph(rule)
    seen.put(seen.node(state), list(cells.values()), [0] * len(cells), [])
    path = tmp_path / "my table, a=b.npz"
    Table.from_partial_graph(TOWER, rule, 0, 5, seen).save(path)
    return str(path)


def test_the_best_score_is_played_and_shown_and_equal_ones_are_as_likely(tmp_path: Path) -> None:
    agent = learned("table:" + saved(tmp_path, {"c3": 7, "d1": 2, "b2": -4}))
    assert agent.ready and agent.title == "Table my table, a=b.npz (reward, 5 games)"
    assert agent.name == f"table:{tmp_path / 'my table, a=b.npz'}"
    decision = agent.decide(TOWER.new(), Stream(0))
    assert TOWER.move_name(decision.move) == "c3" and decision.note == ""
    told = {TOWER.move_name(thought.move): thought.score for thought in decision.thoughts}
    assert (told["c3"], told["d1"], told["b2"], told["a1"]) == (7, 2, -4, 0)
    assert {thought.value for thought in decision.thoughts} == {None}
    agent = learned("table:" + saved(tmp_path, {"a1": 3, "c3": 3, "d7": 3, "d1": 2}))
    stream = Stream(2)
    counts = Counter(TOWER.move_name(agent.decide(TOWER.new(), stream).move) for _ in range(900))
    assert set(counts) == {"a1", "c3", "d7"} and uniform(list(counts.values()))


def test_without_a_score_above_0_a_random_row_then_a_random_count_is_played(tmp_path: Path) -> None:
    # source: the tower of 16
    agent, stream = learned("table:" + saved(tmp_path, {"c3": -1})), Stream(3)
    rows, counts = Counter[int](), Counter[int]()
    for _ in range(800):
        decision = agent.decide(TOWER.new(), stream)
        assert decision.note == UNKNOWN
        row = int(base.row(TOWER.start, decision.move))
        rows[row] += 1
        if row == 3:
            counts[decision.move] += 1
    assert len(rows) == 4 and uniform(list(rows.values()))
    assert len(counts) == 7 and uniform(list(counts.values()))


def test_a_table_for_another_game_and_another_file_are_refused(tmp_path: Path) -> None:
    path = saved(tmp_path, {})
    wrong = refusal(parse_agent, f"table:{path}", parse_game("nim:7,5,3"))
    assert "is for nim:1,3,5,7, not for nim:7,5,3" in wrong
    other = tmp_path / "notes.npz"
    other.write_text("not a table")
    assert refusal(parse_agent, f"table:{other}", TOWER) and other.read_text() == "not a table"


def test_easy_and_medium_are_the_reward_learner_after_10_and_1000_games_and_learn_from_a_game_just_played() -> None:
    for name, games in (("easy", 10), ("medium", 1000)):
        agent = learned(name)
        assert agent.ready and agent.table is None  # so few games are learned in a moment
        agent.prepare()
        assert (agent.table.games, agent.table.learner) == (games, "reward")
        record = Record(agent.game)
        while not record.over:
            record.push(base.nth(record.state, 0))
        changes = agent.table.learn(record)
        assert len(changes) == record.ply and changes[-1].after == changes[-1].before + 1


def test_a_table_of_qualities_plays_any_of_the_best_however_low(tmp_path: Path) -> None:
    # source: the quality learner; the same for every learner but the reward learner
    low = {TOWER.move_name(move): -1000 for move in base.legal_moves(TOWER.start)}
    agent = learned("table:" + saved(tmp_path, low | {"b2": 0, "d5": 0}, "quality"))
    decisions = [agent.decide(TOWER.new(), Stream(seed)) for seed in range(300)]
    counts = Counter(TOWER.move_name(decision.move) for decision in decisions)
    assert set(counts) == {"b2", "d5"} and uniform(list(counts.values()))
    assert {decision.note for decision in decisions} == {""}
    assert learned("table:" + saved(tmp_path, {"b2": 0.5}, "q")).decide(TOWER.new(), Stream(1)).thoughts[2].score == 0.5


@pytest.mark.parametrize("name", ["quality:games=300", "average:games=300,seed=2"])
def test_every_learner_is_an_opponent(name: str) -> None:
    agent = learned(name, "nim:7,5,3")
    decision = agent.decide(agent.game.new(), Stream(0))
    assert agent.table.games == 300
    assert decision.move in agent.table.best_moves(agent.game.new())
    assert len(decision.thoughts) == 15 and decision.note == ""
