"""The rules on the Play screen: shown until the first move of a person, whole at every size, gone afterwards."""

from __future__ import annotations

from typing import Any

import pytest

from nimtui.games import parse_game, rule_text
from nimtui.playing.setup import PlaySetup
from nimtui.report.lines import plain_text
from nimtui.ui.kit.terminal.glyphs import ASCII, UNICODE
from nimtui.ui.play import view
from tests.ui.conftest import SIZES, unframed
from tests.ui.playing import make_moves, moves, painted, played, playing, settled, until


@pytest.mark.parametrize(
    ("moves", "seats", "shows"),
    [
        ("", ("me", "random"), True),
        ("a1", ("me", "random"), False),
        ("a1", ("random", "me"), True),  # a person who moves second still reads them
        ("a1 b1", ("random", "me"), False),
        ("", ("random", "random"), True),
        ("a1", ("random", "random"), False),
    ],
)
def test_the_rules_are_shown_until_the_first_move_of_a_person(moves: str, seats: tuple[str, str], shows: bool) -> None:
    session = played("nim:3,3", moves, seats)
    assert view.shows_rules(session) == shows
    assert painted(view.latest_moves(session, False), 58)[0].startswith("Whoever takes") == shows
    assert not painted(view.latest_moves(session, False), 78)[0].startswith("Whoever takes")
    assert not painted(view.latest_moves(session, True), 58)[0].startswith("Whoever takes")
    session.goto(0)
    assert view.shows_rules(session) == (not moves)


def test_rules_without_room_name_the_key_that_shows_them() -> None:
    game = parse_game("kayles:1,3,5,7")
    assert plain_text(view.brief_rules(game, 58, 3, UNICODE)[-1]).endswith("matches 1 and 2.")
    alone = " ".join(plain_text(line) for line in view.brief_rules(game, 58, 2, UNICODE))
    assert alone == rule_text.rules(game)
    assert [plain_text(line) for line in view.brief_rules(game, 58, 1, ASCII)] == ["? shows the rules"]


def holds(text: str, words: str) -> bool:
    """Whether the words stand in one panel of the screen: line by line, from one column on."""
    lines = text.splitlines()
    for number, line in enumerate(lines):
        if (at := line.find(" ".join(words.split()[:2]))) >= 0:
            return " ".join(words.split()) in " ".join(" ".join(row[at:] for row in lines[number : number + 9]).split())
    return False


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES)
async def test_the_rules_are_seen_whole_until_the_first_move(make_app: Any, size: tuple[int, int]) -> None:
    async with playing(make_app, "nim:2", size=size) as pilot:
        for game in ("tower:16", "subtraction:21,3:misere", "kayles:1,3,5,7", "connect:12x4x4"):
            pilot.app.play(PlaySetup(game, None, ("me", "random"), 1))
            await settled(pilot)
            rules = rule_text.both(parse_game(game))
            await until(pilot, lambda rules=rules: holds(unframed(pilot.app), rules))
            await make_moves(pilot, "1" if game[0] in "sc" else "a1")
            assert len(moves(pilot)) == 2 and "In turn," not in unframed(pilot.app)
