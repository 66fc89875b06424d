"""A game that was played: gone through by hand and by itself, judged, played on from; and games that are kept."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from nimtui.arena.review.review import review
from nimtui.errors import InputError
from nimtui.games import parse_game
from nimtui.playing.replay import KeptGame, Replay, Snapshot, briefs
from nimtui.playing.session import Author
from nimtui.progress import SILENT
from nimtui.store import game_list, paths
from nimtui.store.database import Database
from nimtui.theory.answers import TooSlow
from nimtui.ui.app.terminal import TerminalInfo
from nimtui.ui.play.conductor import PACES, PlayConductor, paced
from nimtui.ui.play.form import NewGame
from nimtui.ui.play.replay_screen import ReplayScreen
from nimtui.ui.play.view import replayed, replayed_title
from tests.ui.conftest import SIZES, screen_text
from tests.ui.playing import CALM, at_rest, conducted, painted, played, playing, until
from tests.ui.shelving import codes

TOWER = "tower:16"
MOVES = "a1 b1 d7 c2"  # the first is the opening's; the last one gives the win away


def replay_of(
    first: str = "mc:playouts=9", second: str = "table:/gone/x.npz", opening: int = 1, ply: int = 4, **more: Any
) -> Replay:
    """The replay of a game whose players are not here."""
    moves = tuple(codes(parse_game(TOWER), MOVES))
    return Replay(KeptGame(TOWER, first, second, moves, opening, **more), ply)


async def shown(pilot: Any) -> ReplayScreen:
    pilot.app.show_game(replay_of(title="game 3").kept, 0)
    await until(pilot, lambda: isinstance(pilot.app.screen, ReplayScreen) and bool(pilot.app.screen.query("Board")))
    return pilot.app.screen


@pytest.mark.slow
async def test_step_by_step_there_and_back_and_to_a_typed_move(make_app: Any) -> None:
    app = make_app(CALM)
    async with app.run_test(size=(80, 24)) as pilot:
        await shown(pilot)
        for size in SIZES:
            await pilot.resize_terminal(*size)
            await until(pilot, lambda: "✗" in screen_text(app))
            lines = screen_text(app).splitlines()
            assert "0 of 4" in screen_text(app) and "next: the opening takes 1 from A" in screen_text(app)
            assert len(lines) == size[1] and max(map(len, lines)) <= size[0]
        for keys, ply in (("right right", 2), ("right right", 4), ("left home", 0), ("3 enter", 3), ("9 enter", 3)):
            await pilot.press(*keys.split())
            assert app.screen.replay.record.ply == ply
        assert "the move must be from 0 to 4, not 9" in screen_text(app)
        texts = {copy.what: copy.text for copy in app.screen.copies()}
        assert texts == {"position": "0,2,5,0", "moves": "a1 b1 d7", "whole game": MOVES}
        await pilot.press("escape", "home", "x")
        assert "4 of 4" in screen_text(app)
        await pilot.press("x")
        assert "4 of 4" in screen_text(app) and "No other mistake" in screen_text(app)
        await pilot.resize_terminal(200, 60)  # there it says by itself why
        why = app.screen.query_one("#why")
        for keys, verdict in (
            ("home", "P-position: player to move loses."),
            ("3 enter", "N-position: player to move wins."),
        ):
            await pilot.press(*keys.split())
            await until(pilot, lambda verdict=verdict: verdict in why.text())
        assert why.text().splitlines()[0] == "Why" and "sum     1 1 1" in why.text(), "2 ^ 5 without a1, b1 and d7"
        await pilot.resize_terminal(80, 24)
        assert not why.region.area and "Mistakes" in screen_text(app)


def test_what_is_said_of_each_move() -> None:
    replay = replay_of()
    replay.judgements = review(replay.whole().record)
    told = list[str]()
    for ply in range(5):
        replay.look_at(ply)
        told += painted(replayed(replay, None, "", None), 90, 2)
    assert told == [
        "0 of 4   the start", "Next: the opening takes 1 from A", "1 of 4   the opening took 1 from A  was lost anyway",
        "Next: mc takes 1 from B", "2 of 4   mc took 1 from B           keeps the win", "Next: table takes 7 from D",
        "3 of 4   table took 7 from D        was lost anyway", "Next: mc takes 2 from C",
        "4 of 4   mc took 2 from C           ✗ win → loss; c3 keeps the win", "The game is not finished.",
    ]  # fmt: skip
    steps = {(0.8, 1): 0.4, (0.8, -1): 1.5, (0.9, 0): 0.8, (PACES[0], 1): PACES[0], (60.0, -1): PACES[-1]}
    assert {key: paced(*key) for key in steps} == steps
    assert painted(replayed(replay, 0.5, "Said.", None), 60, 2)[1] == "Said." + "▶ 0.5 s per move".rjust(55)
    assert painted(replayed_title(replay), 100)[0].startswith("Tower of 16 · the last match wins")
    for ply, there in ((9, 4), (-1, 0)):
        replay.look_at(ply)
        assert (replay.record.ply, replay.at_end) == (there, there == 4)


def test_after_an_odd_opening_the_second_player_sits_on_the_first_seat() -> None:
    odd = replay_of("perfect", "random", 1)
    assert odd.labels == ["opening", "perfect", "random", "perfect"] and odd.kept.seats == ("random", "perfect")
    assert odd.authors[0] == Author("opening", False, 0, ("random", "perfect"))
    assert replay_of("perfect", "random", 2).labels == ["opening", "opening", "perfect", "random"]
    alike = replay_of("mc", "mc", 1)
    assert alike.labels[1:] == ["first", "second", "first"] and alike.called(1) == "mc (first)"
    assert odd.other == "perfect" and odd.past
    assert replay_of("me", "random", 2, 2).played_on("hard").seats == ("me", "hard")
    assert replay_of(ply=0).played_on("hard").position is None
    assert replay_of(ply=2).played_on("hard").position == "0,2,5,7"
    assert Replay(KeptGame("nim:1,1", "mc", "random", (0, 1))).labels == ["mc", "random"]
    people = replay_of("me", "me", 2)
    assert people.labels[2:] == ["first", "second"] and replay_of("me", "mc", 2).labels[2:] == ["you", "mc"]


POLICY = "mc:playouts=1000,policy=perfect-opponent"


@pytest.mark.parametrize(
    ("first", "second", "short", "called"),
    [
        (POLICY, "random", ("mc", "random"), ("mc 1k", "random")),
        (POLICY, "mc:playouts=10", ("mc 1k", "mc 10"), ("mc 1k perfect-opponent", "mc 10")),
        ("mcts:simulations=9,c=1.0", "mcts:simulations=9,c=2.0", ("c=1.0", "c=2.0"), ("mcts c=1.0", "mcts c=2.0")),
        (
            "alphabeta:depth=2", "alphabeta:depth=4", ("first", "second"),
            ("alphabeta 2 (first)", "alphabeta 4 (second)"),
        ),
    ],
)  # fmt: skip
def test_two_of_one_kind_are_told_apart(first: str, second: str, short: Any, called: Any) -> None:
    replay, swapped = replay_of(first, second, 2), replay_of(first, second, 1)
    assert tuple(map(replay.short, (0, 1))) == short == tuple(replay.labels[2:])
    assert tuple(map(replay.called, (0, 1))) == called
    assert tuple(map(swapped.short, (1, 0))) == short and tuple(map(swapped.called, (1, 0))) == called
    assert first in replay.in_full(0) and second in replay.in_full(1)


def test_labels_of_a_word_or_two_and_the_end_by_a_fault() -> None:
    assert briefs(("mc 1k", "random")) == ("mc", "random") and briefs(("averylongname a", "b")) == ("averylon", "b")
    assert briefs(("mc 10", "mc 20")) == ("mc 10", "mc 20") and briefs(("mc", "mc")) == ()
    fault = "odd played 99, which is not legal"
    moves = tuple(codes(parse_game(TOWER), "a1 b1"))
    assert Replay(KeptGame(TOWER, "perfect", "odd", moves, 1, fault=fault)).result == f"{fault}: perfect wins."
    with pytest.raises(InputError, match=r"move 4 of this game \(code 0\) is not legal in nim:3,2,1"):
        Replay(KeptGame("nim:3,2,1", "a", "b", (0, 0, 0, 0)))


def test_at_the_end_of_a_replay_stands_what_a_program_was_told_and_wrote() -> None:
    particulars = ["illegal at 1,2", 'told: {"game": "nim:3"}', "answered: c9", "stderr: last words"]
    moves = tuple(codes(parse_game(TOWER), "a1 b1"))
    kept = KeptGame(TOWER, "perfect", "odd", moves, 1, fault="odd played c9", particulars=particulars)
    for ply, rows, number in ((1, 8, 0), (2, 8, 4), (2, 5, 2), (2, 2, 0)):
        lines = painted(replayed(Replay(kept, ply), None, "", None), 80, rows)
        assert lines[len(lines) - number :] == particulars[:number] and len(lines) == number + 2 + (rows > 2)


@pytest.mark.slow
async def test_a_game_that_plays_itself_can_be_held_and_paced_and_is_ascii_where_that_is_asked(make_app: Any) -> None:
    app = make_app(replace(CALM, pace=PACES[-1]), TerminalInfo(unicode=False))
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await shown(pilot)
        await pilot.press("space")
        assert "space pause" in screen_text(app) and screen_text(app).isascii()
        await pilot.press(*["plus"] * len(PACES))
        await until(pilot, lambda: screen.replay.at_end)
        assert not screen.going and "space play" in screen_text(app)
        await pilot.press(*["minus"] * len(PACES), "space")
        assert screen.going and screen.replay.record.ply == 0
        await pilot.press("space", "space", "right")
        assert not screen.going and screen.replay.record.ply == 1
        await pilot.press("end", "x")
        assert screen_text(app).isascii()


@pytest.mark.slow
async def test_a_review_comes_back_to_its_move_and_playing_on_asks_against_whom(make_app: Any) -> None:
    app = make_app(CALM)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await shown(pilot)
        await pilot.press("r")
        await until(pilot, lambda: "Move 4, c2, was the turning" in screen_text(app))
        assert app.screen is screen and screen.reviewing and "show in replay" in screen_text(app)
        await pilot.press("home")
        assert not {"■", "□"} & set(screen_text(app))  # the last move is marked on the board, if there is one
        await pilot.press("down", "enter")
        await until(pilot, lambda: not screen.reviewing)
        assert screen.replay.record.ply == 2 and {"■", "□"} & set(screen_text(app))
        await pilot.press("1", "enter", "p")
        await until(pilot, lambda: isinstance(app.screen, NewGame))
        await pilot.press("enter")
        await until(pilot, lambda: app.setup is not None and not isinstance(app.screen, ReplayScreen | NewGame))
        assert app.setup.position == "0,3,5,7" and app.setup.seats == ("me", "hard")  # the table is gone


@pytest.mark.slow
async def test_the_game_on_the_play_screen_waits_and_what_cannot_be_shown_is_said(make_app: Any) -> None:
    async with playing(make_app, "nim:3,2,1", "me", "perfect") as pilot:
        mine = pilot.app.screen.session
        await shown(pilot)
        await pilot.press("end", "f7", "f2")
        assert isinstance(pilot.app.screen, ReplayScreen) and pilot.app.screen.replay.at_end
        await pilot.press("escape")
        await until(pilot, lambda: not isinstance(pilot.app.screen, ReplayScreen))
        assert pilot.app.screen.session is mine
        pilot.app.show_game(KeptGame("martian:3", "a", "b", (0,)))
        await pilot.pause()
        assert not isinstance(pilot.app.screen, ReplayScreen)
        assert "unknown game" in [notice.message for notice in pilot.app._notifications][-1]


# Keeping.


async def kept(conductor: PlayConductor) -> str:
    conductor.keep(Database, lambda: None)
    await at_rest(conductor)
    return conductor.message


async def test_a_game_is_kept_with_all_its_moves_from_the_start_or_not_at_all() -> None:
    conductor = await conducted("nim:3,2,1", "a2", second="random")
    assert await kept(conductor) == "Saved the unfinished game as 1. Open it in the Library (F6)"
    [found] = game_list.games(Database())
    assert (found.first, found.second, found.name, found.row.own) == ("me", "random", "seed 1", (1, 1))
    assert found.row.moves == b"".join(move.to_bytes(2, "little") for move in conductor.session.record.moves)
    elsewhere = await conducted("nim:7,5,3", "b2", position="2,5,1")
    await kept(elsewhere)
    [found, _] = game_list.games(Database())
    assert found.row.opening == 2 and found.name == ""
    data = tuple(found.row.moves[at] for at in range(0, len(found.row.moves), 2))
    again = Replay(KeptGame(found.game, found.first, found.second, data, 2), 9)
    assert again.game.position_name(again.state) == "2,3,1"
    assert await kept(await conducted("nim:1", "a1")) == "Saved as game 3. Open it in the Library (F6)"
    assert await kept(await conducted("nim:1")) == "Not saved: no move has been made yet"
    paths.database().rename(paths.database().with_suffix(".old"))
    paths.database().mkdir()
    assert (await kept(elsewhere)).startswith("Not saved: ") and elsewhere.session.record.ply == 1


@pytest.mark.parametrize(
    ("game", "moves", "result", "own", "chances", "mistakes"),
    [
        ("nim:1,2", "a1 b2", -1, (1, 1), (1, 1), (1, 0)),
        ("nim:1,1,1", "a1 b1 c1", 1, (2, 1), (2, 0), (0, 0)),
        ("connect4:9x6", "1 2", 0, (1, 1), (0, 0), (0, 0)),  # too large to judge
    ],
)
def test_the_row_of_a_game(
    game: str, moves: str, result: int, own: Any, chances: Any, mistakes: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    snapshot = Snapshot.of(played(game, moves, ("me", "me")))
    row = snapshot.row(SILENT)
    assert (*row[:3], row.packed_fault, row.seconds) == (0, 0, 0, "", 0.0)
    assert (row.result, row.own, row.chances, row.mistakes) == (result, own, chances, mistakes)

    def slow(*given: object) -> None:
        raise TooSlow("it takes long")

    monkeypatch.setattr("nimtui.playing.replay.review", slow)
    assert snapshot.row(SILENT) == row._replace(chances=(0, 0), mistakes=(0, 0)), "saved without a judgement"
