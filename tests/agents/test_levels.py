"""Easy, medium and hard: an agent of rising strength in every game on offer, by a recipe that saved games keep."""

from __future__ import annotations

from collections.abc import Iterator
from math import comb

import pytest

from nimtui.agents import parse_agent
from nimtui.agents.levels import LEVELS, former_agents, recipe, recipes
from nimtui.arena.play.plan import Plan, plan
from nimtui.engine.rng import Stream
from nimtui.games import parse_game
from nimtui.games.base import GOING_ON, WON, State, legal_moves, outcome
from nimtui.games.game import Game
from nimtui.games.registry import presets
from tests import levels as table
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
