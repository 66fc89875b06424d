"""The rules on the Play screen: shown until the first move, whole at every size, gone afterwards."""

from __future__ import annotations

from typing import Any

import pytest

from nimtui.games import base, parse_game, rule_text
from nimtui.games.game import Game
from nimtui.report.lines import plain_text
from nimtui.ui.kit.terminal.glyphs import ASCII, UNICODE
from nimtui.ui.play.view import brief_rules
from tests.games import wythoff
from tests.ui.conftest import SIZES, screen_text, unframed
from tests.ui.playing import moves, playing, settled

GAMES = ["tower:16", "subtraction:21,3:misere", "kayles:1,3,5,7", "adjacent:7,7", "connect4", "connect:12x4x4"]


def words(text: str) -> list[str]:
    return text.replace("\n", " ").split()


def holds(text: str, said: str) -> bool:
    """Whether the words stand in one panel of the screen: line by line, from one column on."""
    lines = text.splitlines()
    first = " ".join(words(said)[:2])
    for number, found in enumerate(lines):
        if (at := found.find(first)) >= 0:
            return " ".join(words(said)) in " ".join(words(" ".join(line[at:] for line in lines[number : number + 9])))
    return False


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("game", GAMES)
async def test_the_rules_are_shown_whole_until_the_first_move(make_app: Any, game: str, size: tuple[int, int]) -> None:
    told = rule_text.both(parse_game(game))
    async with playing(make_app, game, second="random", size=size) as pilot:
        assert holds(unframed(pilot.app), told)
        await pilot.press("enter")
        await settled(pilot)
        assert len(moves(pilot)) == 2
        assert "In turn," not in screen_text(pilot.app)


async def test_a_person_who_moves_second_still_reads_the_rules(make_app: Any) -> None:
    async with playing(make_app, first="easy", second="me") as pilot:
        await settled(pilot)
        assert len(moves(pilot)) == 1
        assert "In turn," in screen_text(pilot.app)
        assert "What Easy thought" in screen_text(pilot.app)
        await pilot.press("enter")
        await settled(pilot)
        assert "In turn," not in screen_text(pilot.app)


@pytest.mark.parametrize("game", [*GAMES, "nim:1", "kayles:1,1", "nim:1,1,5:max=1", "adjacent:1,4:max=1"])
def test_the_example_of_the_notation_is_a_legal_move_that_does_what_is_said(game: str) -> None:
    found = parse_game(game)
    said = rule_text.notation(found)
    typed = [said.split()[1], *(word for word in said.split() if "-" in word)]
    for text in typed:
        move = found.parse_move(text, found.start)
        assert base.legal(found.start, move)
        taken = len(found.touched(found.start, move))
        if found.board_kind == "rows":
            assert f"take {taken}" in said
        if "-" in text:
            assert taken == 2


def test_a_game_of_ones_own_tells_its_own_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    game = Game(wythoff, wythoff.parse("wythoff", ["3,5"]))
    monkeypatch.setattr(
        wythoff, "RULES", "Take the last match.\n  Take from one heap, or alike from both.", raising=False
    )
    assert rule_text.both(game) == "Take the last match. Take from one heap, or alike from both."
    monkeypatch.delattr(wythoff, "RULES")
    assert "does not tell its rules" in rule_text.both(game)


def test_rules_without_room_name_the_key_that_shows_them() -> None:
    game = parse_game("kayles:1,3,5,7")
    assert plain_text(brief_rules(game, 58, 3, UNICODE)[-1]).endswith("matches 1 and 2.")
    alone = " ".join(plain_text(line) for line in brief_rules(game, 58, 2, UNICODE))
    assert alone == rule_text.rules(game)
    assert [plain_text(line) for line in brief_rules(game, 58, 1, ASCII)] == ["? shows the rules"]
