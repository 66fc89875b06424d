"""A game that was played: gone through by hand and by itself, judged, played on from; and games that are kept."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from nimtui.games import parse_game
from nimtui.playing.replay import KeptGame, Replay
from nimtui.store import paths, tournaments
from nimtui.store.database import Database
from nimtui.ui.app.terminal import TerminalInfo
from nimtui.ui.play.conductor import PACES
from nimtui.ui.play.form import NewGame
from nimtui.ui.play.replay_screen import ReplayScreen
from nimtui.ui.play.review import ReviewScreen
from tests.ui.conftest import SIZES, screen_text
from tests.ui.playing import CALM, playing, until
from tests.ui.shelving import codes

TOWER = "tower:16"
MOVES = "a1 b1 d7 c2"  # the first is the opening's; the last one gives the win away


async def shown(
    pilot: Any, moves: str = MOVES, opening: int = 1, game: str = TOWER, ply: int = 0, **more: Any
) -> ReplayScreen:
    """The replay of a game whose players are not here."""
    told = parse_game(game)
    played = tuple(codes(told, moves))
    kept = KeptGame(told.name, "mc:playouts=9", "table:/gone/x.npz", played, opening, "game 3", **more)
    pilot.app.show_game(kept, ply)
    await until(pilot, lambda: isinstance(pilot.app.screen, ReplayScreen) and bool(pilot.app.screen.query("Board")))
    return pilot.app.screen


def board(pilot: Any) -> list[list[int]]:
    replay = pilot.app.screen.replay
    return replay.game.cells(replay.state)


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES)
async def test_step_by_step_there_and_back(make_app: Any, size: Any) -> None:
    app = make_app(CALM)
    async with app.run_test(size=size) as pilot:
        await shown(pilot)
        assert "0 of 4" in screen_text(app) and "next: the opening takes 1 from A" in screen_text(app)
        await until(pilot, lambda: "✗" in screen_text(app))  # in words only where there is room beside the bars
        await pilot.press("right", "right")
        assert "2 of 4   mc took 1 from B" in screen_text(app) and board(pilot)[1] == [1, 1, 0]
        await pilot.press("right")
        assert "3 of 4   table took 7 from D" in screen_text(app)
        await pilot.press("right", "right")
        assert "4 of 4   mc took 2 from C" in screen_text(app) and "The game is not finished" in screen_text(app)
        await pilot.press("left", "home")
        assert "0 of 4" in screen_text(app) and [sum(row) for row in board(pilot)] == [1, 3, 5, 7]
        await pilot.press("3", "enter")
        assert "3 of 4" in screen_text(app)
        await pilot.press("9", "enter")
        assert "the move must be from 0 to 4, not 9" in screen_text(app)
        await pilot.press("escape", "home", "x")
        assert "4 of 4" in screen_text(app) and (size[0] < 80 or "c3 keeps the win" in screen_text(app))
        lines = screen_text(app).splitlines()
        assert len(lines) == size[1] and max(map(len, lines)) <= size[0]


def test_after_an_odd_opening_the_second_player_sits_on_the_first_seat() -> None:
    game = parse_game(TOWER)
    moves = tuple(codes(game, MOVES))
    odd = Replay(KeptGame(TOWER, "perfect", "random", moves, 1), 4)
    assert odd.labels == ["opening", "perfect", "random", "perfect"]
    even = Replay(KeptGame(TOWER, "perfect", "random", moves, 2), 4)
    assert even.labels == ["opening", "opening", "perfect", "random"]
    alike = Replay(KeptGame(TOWER, "mc", "mc", moves, 1), 4)
    assert alike.labels[1:] == ["first", "second", "first"] and alike.called(1) == "mc (first)"


@pytest.mark.parametrize(
    ("first", "second", "short", "called"),
    [
        ("mc:playouts=1000,policy=perfect-opponent", "random", ("mc", "random"), ("mc 1k", "random")),
        (
            "mc:playouts=1000,policy=perfect-opponent",
            "mc:playouts=10",
            ("mc 1k", "mc 10"),
            ("mc 1k perfect-opponent", "mc 10"),
        ),
        ("mcts:simulations=500,c=1.0", "mcts:simulations=500,c=2.0", ("c=1.0", "c=2.0"), ("mcts c=1.0", "mcts c=2.0")),
        (
            "alphabeta:depth=2",
            "alphabeta:depth=4",
            ("first", "second"),
            ("alphabeta 2 (first)", "alphabeta 4 (second)"),
        ),
    ],
)
def test_two_of_one_kind_are_told_apart(first: str, second: str, short: Any, called: Any) -> None:
    moves = tuple(codes(parse_game(TOWER), MOVES))
    replay = Replay(KeptGame(TOWER, first, second, moves, 2), 4)
    assert tuple(map(replay.short, (0, 1))) == short == tuple(replay.labels[2:])
    assert tuple(map(replay.called, (0, 1))) == called
    swapped = Replay(KeptGame(TOWER, first, second, moves, 1), 4)
    assert tuple(map(swapped.short, (1, 0))) == short and tuple(map(swapped.called, (1, 0))) == called
    assert first in replay.in_full(0) and second in replay.in_full(1)


def test_a_game_lost_by_a_fault_is_won_by_the_other() -> None:
    moves = tuple(codes(parse_game(TOWER), MOVES))
    fault = "odd played 99, which is not legal"
    replay = Replay(KeptGame(TOWER, "perfect", "odd", moves[:2], 1, fault=fault))
    assert replay.result == f"{fault}: perfect wins."


@pytest.mark.slow
async def test_a_game_that_plays_itself_can_be_held_and_paced(make_app: Any) -> None:
    app = make_app(replace(CALM, pace=PACES[-1]))
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await shown(pilot)
        await pilot.press("space")
        assert "space pause" in screen_text(app)
        await pilot.press(*["plus"] * len(PACES))
        await until(pilot, lambda: screen.replay.at_end)
        assert not screen.going and "space play" in screen_text(app)
        await pilot.press(*["minus"] * len(PACES), "space")
        assert screen.going and screen.replay.record.ply == 0
        await pilot.press("space")
        assert not screen.going
        await pilot.press("space", "right")
        assert not screen.going and screen.replay.record.ply == 1


@pytest.mark.slow
async def test_review_comes_back_to_the_move_it_was_left_at(make_app: Any) -> None:
    app = make_app(CALM)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await shown(pilot)
        await pilot.press("r")
        await until(pilot, lambda: "Move 4, c2, was the turning" in screen_text(app))
        assert isinstance(app.screen, ReviewScreen)
        assert "show in replay" in screen_text(app)
        await pilot.press("home", "down", "enter")
        await until(pilot, lambda: app.screen is screen)
        assert screen.replay.record.ply == 2


@pytest.mark.slow
async def test_playing_on_begins_there_against_whom_one_likes(make_app: Any) -> None:
    app = make_app(CALM)
    async with app.run_test(size=(80, 24)) as pilot:
        await shown(pilot)
        await pilot.press("1", "enter", "p")
        await until(pilot, lambda: isinstance(app.screen, NewGame))
        await pilot.press("enter")
        await until(pilot, lambda: app.setup is not None and not isinstance(app.screen, ReplayScreen | NewGame))
        assert app.setup.position == "0,3,5,7" and app.setup.seats == ("me", "hard")  # the table is gone


@pytest.mark.slow
async def test_the_game_on_the_play_screen_waits(make_app: Any) -> None:
    async with playing(make_app, "nim:3,2,1", "me", "perfect") as pilot:
        mine = pilot.app.screen.session
        await shown(pilot)
        await pilot.press("end", "f7", "f2")
        assert isinstance(pilot.app.screen, ReplayScreen) and pilot.app.screen.replay.at_end
        await pilot.press("escape")
        await until(pilot, lambda: not isinstance(pilot.app.screen, ReplayScreen))
        assert pilot.app.screen.session is mine


@pytest.mark.slow
async def test_what_cannot_be_shown_is_said_in_a_line(make_app: Any) -> None:
    app = make_app(CALM)
    async with app.run_test(size=(80, 24)) as pilot:
        app.show_game(KeptGame("nim:3,2,1", "a", "b", tuple(codes(parse_game("nim:3,2,1"), "a3")) * 2))
        app.show_game(KeptGame("martian:3", "a", "b", (0,)))
        await pilot.pause()
        assert not isinstance(app.screen, ReplayScreen)
        said = [note.message for note in app._notifications]
        assert "move 2 of this game (code 2) is not legal in nim:3,2,1" in said and "unknown game" in said[1]


@pytest.mark.slow
async def test_nothing_but_ascii_where_that_is_asked(make_app: Any) -> None:
    app = make_app(CALM, TerminalInfo(unicode=False))
    async with app.run_test(size=(80, 24)) as pilot:
        await shown(pilot)
        for key in ("right", "end", "x", "space"):
            await pilot.press(key)
            assert screen_text(app).isascii()


# Keeping.


async def test_a_game_is_kept_with_all_its_moves_and_shown_again(make_app: Any) -> None:
    async with playing(make_app, "nim:3,2,1", "me", "random") as pilot:
        await pilot.press("ctrl+s")
        assert "ctrl+s" not in screen_text(pilot.app)  # there is nothing to keep yet: it does nothing
        await pilot.press("a", "2", "enter")
        await until(pilot, lambda: pilot.app.screen.session.record.ply == 2)
        await pilot.press("ctrl+s")
        await until(pilot, lambda: "Saved" in screen_text(pilot.app))
        moves = list(pilot.app.screen.session.record.moves)
    [found] = tournaments.games(Database())
    assert (found.first, found.second, found.name, found.row.own) == ("me", "random", "seed 1", (1, 1))
    assert f"Saved the unfinished game as {found.id}." and found.row.moves == b"".join(
        move.to_bytes(2, "little") for move in moves
    )


async def test_a_game_begun_elsewhere_is_kept_from_the_start(make_app: Any) -> None:
    async with playing(make_app, "nim:7,5,3", "me", "me", position="2,5,1") as pilot:
        await pilot.press("b", "2", "enter", "ctrl+s")
        await until(pilot, lambda: "Saved" in screen_text(pilot.app))
        place = pilot.app.screen.session.game.position_name(pilot.app.screen.session.state)
    [found] = tournaments.games(Database())
    assert found.row.opening == 2 and found.name == ""
    data = [found.row.moves[at] for at in range(0, len(found.row.moves), 2)]
    again = Replay(KeptGame(found.game, found.first, found.second, tuple(data), 2), 9)
    assert again.game.position_name(again.state) == place == "2,3,1"


async def test_where_nothing_can_be_kept_that_is_said_in_a_line(make_app: Any) -> None:
    paths.database().mkdir()
    async with playing(make_app, "nim:3,2,1", "me", "me") as pilot:
        await pilot.press("a", "2", "enter", "ctrl+s")
        await until(pilot, lambda: "Not saved:" in screen_text(pilot.app))
        assert pilot.app.screen.session.record.ply == 1
