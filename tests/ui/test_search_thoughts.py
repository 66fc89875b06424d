"""The thoughts of agents that search, on the Play screen: bounds, decided games, visits."""

from __future__ import annotations

from typing import Any

import pytest

from nimtui.agents import Decision, Thought
from nimtui.report import lines as ink
from nimtui.ui.kit.terminal.glyphs import ASCII, UNICODE, Glyphs
from nimtui.ui.play import thinking as thoughts
from tests.ui.playing import playing, settled

SEARCHED = Decision(
    2,
    (
        Thought(0, score=-4, bound="exact"),
        Thought(1, score=-2, bound="upper"),
        Thought(2, score=-2, bound="exact"),
        Thought(3, score=-999_996, value=-1.0, bound="exact"),
        Thought(4, score=-3, bound="upper"),
    ),
)


def painted(decision: Decision, columns: int = 34, signs: Glyphs = UNICODE) -> list[str]:
    unit = thoughts.legend(decision, None)
    return [
        ink.plain_text(one) for one in thoughts.reflection("Alpha-beta", decision, str, "", columns, 9, signs, unit)
    ]


def test_bounds_are_told_as_bounds_behind_the_move_that_was_played() -> None:
    lines = painted(SEARCHED)
    assert [line.split()[:2] for line in lines[2:4]] == [["▸", "2"], ["1", "≤"]]
    assert "≤ −2" in lines[3] and "≤ −3" in lines[4] and "≤" not in lines[2]
    assert "loses in 4" in lines[6]
    assert lines[-1] == "search score; ≤ means at most"
    assert all(len(line) <= 34 for line in lines)


def test_in_ascii_too_and_where_it_is_narrow() -> None:
    for columns in (20, 34):
        lines = painted(SEARCHED, columns, ASCII)
        assert all(line.isascii() and len(line) <= columns for line in lines)
        assert any("<= -2" in line for line in lines)


def test_a_won_game_has_a_full_bar_and_words() -> None:
    won = Decision(1, (Thought(0, score=3, bound="exact"), Thought(1, score=999_997, value=1.0, bound="exact")))
    lines = painted(won)
    assert "wins in 3" in lines[2] and lines[2].count("█") > lines[3].count("█") > 0
    assert lines[-1] == "search score"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("agent", "says"),
    [("alphabeta:depth=3", "search score"), ("mcts:simulations=200,c=1.0", "visits in the search")],
)
async def test_a_searching_agent_plays_and_its_thoughts_are_seen(make_app: Any, agent: str, says: str) -> None:
    async with playing(make_app, second=agent) as pilot:
        await pilot.press("d", "2", "enter")
        await settled(pilot)
        text = pilot.app.screen.query_one("#thoughts").text()
        assert says in text and "▸" in text
