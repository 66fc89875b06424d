"""Time limits within time limits; what a check asks, in which order and of which games."""

from __future__ import annotations

from contextlib import suppress
from functools import reduce
from time import monotonic
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from nimtui.agents.agent import AlwaysReady, Decision, moves_of
from nimtui.check import agents, games
from nimtui.check.games import MOST_GAMES
from nimtui.check.trial import LONGEST, Overdue, Trial, at_most
from nimtui.engine import probe
from nimtui.games import base, heaps, parse_game


def loop() -> None:
    while True:
        pass


def test_the_outer_time_runs_on_after_an_inner_limit_is_left() -> None:
    with pytest.raises(Overdue), at_most(0.2):
        for _ in range(3):
            with at_most(100):
                pass
        loop()


def test_an_inner_limit_that_is_reached_leaves_the_outer_one() -> None:
    reached = []
    with pytest.raises(Overdue), at_most(0.3):
        with suppress(Overdue), at_most(0.1):
            loop()
        reached.append("inner")
        loop()
    assert reached == ["inner"]


def test_an_outer_limit_ends_an_inner_one_that_is_longer_even_if_somebody_swallows_it() -> None:
    with pytest.raises(Overdue), at_most(0.1):
        with suppress(Overdue), at_most(100):
            loop()
        loop()
    with at_most(0.05):
        pass
    until = monotonic() + 0.2
    while monotonic() < until:  # a limit that was left never rings
        pass


def test_an_example_is_one_line_of_some_hundred_signs() -> None:
    told: list[dict[str, object]] = []
    Trial(told.append, lambda doing, where: None).fail("name", "x\n" * 1_000_000)
    assert len(str(told[-1]["example"])) <= LONGEST and str(told[-1]["example"]).endswith("x x (1,999,999 characters)")


class Asked:
    """Notes each step and its place, and what is told."""

    def __init__(self) -> None:
        self.steps: list[tuple[str, str | None]] = []
        self.told: list[dict[str, Any]] = []
        self.trial = Trial(self.told.append, lambda doing, where: self.steps.append((doing, where)))


class First(AlwaysReady):
    """Plays the first move, and remembers the positions that it saw."""

    name = title = "first"

    def __init__(self) -> None:
        self.seen: list[list[int]] = []

    def decide(self, state: Any, stream: Any, progress: Any = None) -> Decision:
        self.seen.append(state.board.tolist())
        return Decision(moves_of(state)[0], ())


def test_an_agent_is_asked_twice_about_six_positions_of_a_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(agents, "GAMES", ("nim:1,2,3",))
    monkeypatch.setattr("nimtui.games.registry._added", [])
    agent, asked = First(), Asked()
    module: Any = SimpleNamespace(NAMES=("first",), FORMS=(), PRESETS=(), parse=lambda word, text, game: agent)
    agents.check_agent(module, asked.trial)
    assert asked.trial.broken == {} and asked.told[0] == {"stage": "agents"}
    states = agent.seen[::2]
    assert agent.seen == [board for board in states for _ in range(2)]
    assert len(states) == agents.POSITIONS and states[0][:3] == [1, 2, 3]
    assert len({tuple(board) for board in states}) > 2, "random games"
    game = parse_game("nim:1,2,3")
    of = [f"first on nim:1,2,3 (position {game.position_name(game.at(board))})" for board in np.array(states)]
    assert asked.steps == [
        ("parse", "first on nim:1,2,3"),
        *[("name", "first")] * 2,
        ("prepare", "first on nim:1,2,3"),
        *((word, place) for place in of for _ in range(2) for word in ("decide", "decide", "legal")),
    ]


@pytest.mark.parametrize(("exact", "others", "asked_for"), [(10, 3, 10), (3, 12, MOST_GAMES), (0, 3, 3)])
def test_so_many_games_are_tried_but_every_form_is_parsed(
    exact: int, others: int, asked_for: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = [f"nim:{rows}" for rows in range(1, exact + 1)]
    monkeypatch.setattr(heaps, "FORMS", (*names, "nim:ROWS"))
    assert games.named_forms(heaps) == names
    asked = Asked()
    found = games._parsed(heaps, [*names, *(f"nim:1,{rows}" for rows in range(1, others + 1))], asked.trial)
    assert [doing for doing, _ in asked.steps] == ["parse"] * asked_for and asked.trial.broken == {}
    assert len(found) == min(MOST_GAMES, exact + others)


def test_forms_are_made_smaller_and_tried_with_each_option() -> None:
    module: Any = SimpleNamespace(NAMES=("own",), FORMS=("own:7,2[:max=K][:misere]", "own"))
    assert games.names_to_check(module) == [
        "own:7,2", "own", "own:7,2:max=2", "own:7,2:misere", "own:3,2", "own:2,2", "own:1,1",
    ]  # fmt: skip
    assert games.named_forms(module) == ["own"]
    assert list(games.guesses(module))[:4] == ["own", "own:3", "own:2,3", "own:3x3"]


@pytest.mark.parametrize("name", ["nim:2,3", "noughts:3x3x3"])
def test_the_answers_that_are_compared_hold_all_moves_in_their_order_and_their_number(name: str) -> None:
    state = base.copy(parse_game(name).start)
    moves = base.legal_moves(state)
    [answers] = probe.interpreted_answers(state, np.array([state.board]), 100)
    mixed = reduce(lambda number, move: (number * 1_000_003 + move) % probe.PRIME, moves, 0)
    found = dict(zip(probe.WORDS, answers.tolist(), strict=True))
    assert (found["legal"], found["following"], found["count"]) == (mixed, mixed, len(moves))
