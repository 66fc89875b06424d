"""The Tournament screen: what is offered, its panels, its controls, what is kept; pairings, and looking on."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from math import inf
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from nimtui.arena.standings.games_report import move_texts
from nimtui.games import base
from nimtui.jobs.job import Job
from nimtui.jobs.live_games import LiveGame
from nimtui.jobs.work import State
from nimtui.store import saved_games, seals
from nimtui.store.database import Database
from nimtui.store.tournaments import delete, info, resume, tournaments
from nimtui.ui.kit.forms.dialogs import Confirm, ExportForm, QuitScreen
from nimtui.ui.library.screen import LibraryScreen
from nimtui.ui.play.replay_screen import ReplayScreen
from nimtui.ui.tournament.form import TournamentForm
from nimtui.ui.tournament.pages import LookingOn, PairingScreen
from nimtui.ui.tournament.screen import TournamentScreen
from nimtui.ui.tournament.setup import PRESETS, TournamentSetup
from tests.ui.conftest import SIZES, screen_text
from tests.ui.playing import click_head, until
from tests.ui.tournaments import GAME, SMALL, Gate, add_awkward, finished, lines, panel, tournament
from tests.ui.tournaments import gate as gate


@pytest.mark.slow
async def test_standings_cells_and_first_moves_at_every_size_and_files_of_them_and_of_all_games(
    make_app: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    async with tournament(make_app) as pilot:
        conductor = await finished(pilot)
        [pairing] = [score for score in conductor.view.scores if score.pairing[1:] == (0, 1)]
        won = sum(pairing.wins)
        for size in SIZES:
            await pilot.resize_terminal(*size)
            text = screen_text(pilot.app)
            for words in ("21 matches", "60 of 60 games", "finished", "agent", "score", "Elo", "perfect against"):
                assert words in text
            shown = text.splitlines()
            assert len(shown) == size[1] and max(map(len, shown)) <= size[0]
            assert "⏎ games" in shown[-1] and "n new" in shown[-1]
            head, best, *_, last = table = lines(pilot, "table")[-4:]  # a frame has its title above them
            assert head.split()[-3:] == ["P", "M", "R"] and len(table) == 4
            assert best.split()[:2] == ["1", "perfect"] and "random" in last
            assert best.split()[-1] == {20: "100"}.get(won, str(round(5 * won)))
            await pilot.press("m")
            await until(pilot, lambda: "First moves of 60 finished games." in screen_text(pilot.app))
            assert "first move" in screen_text(pilot.app)
            await pilot.press("escape")
            await until(pilot, lambda: isinstance(pilot.app.screen, TournamentScreen))
        for name in ("mine.json", "mine.txt"):
            await pilot.press("e")
            await until(pilot, lambda: isinstance(pilot.app.screen, ExportForm))
            pilot.app.screen.query_one("FieldLine").input.value = name
            await pilot.press("enter")
            await until(pilot, lambda: isinstance(pilot.app.screen, TournamentScreen))
            await until(pilot, lambda name=name: name in panel(pilot, "said").replace("\n", ""))
    assert len(json.loads((tmp_path / "mine.json").read_text())["standings"]) == 3
    assert (tmp_path / "mine.txt").read_text().count("Result: ") == 60


async def test_cells_are_marked_told_and_changed_by_keys_and_clicks(make_app: Any) -> None:
    async with tournament(make_app) as pilot:
        conductor = await finished(pilot)
        await until(pilot, lambda: "The start is lost for the player to move" in panel(pilot, "words"))
        before = lines(pilot, "table")
        assert "both seats" in panel(pilot, "words")
        await pilot.press("v")
        assert "row moving first" in panel(pilot, "words")
        await pilot.press("tab")
        assert "LOS of the row" in panel(pilot, "words") and lines(pilot, "table") != before
        await pilot.press("v", "down", "down", "left", "left", "right", "right")
        assert "random against itself" in panel(pilot, "words")
        await pilot.press("left")
        [score] = [score for score in conductor.view.scores if score.pairing[1:] == (1, 2)]
        assert f"won {sum(score.wins)} of 20" in panel(pilot, "words") and "LOS " in panel(pilot, "words")
        await pilot.press("s")
        assert "↓Elo" in lines(pilot, "table")[0] and "Sorted by Elo" in panel(pilot, "said")
        await pilot.press("s", "s", "s")
        assert [line.split()[1] for line in lines(pilot, "table")[1:]] == ["mc", "perfect", "random"]
        at = lines(pilot, "table")[0].rindex("R") - 1
        await pilot.click("#table", offset=(at, 2))
        assert "perfect against random" in panel(pilot, "words")
        await pilot.click("#table", offset=(at, 2))
        await until(pilot, lambda: "perfect against random" in screen_text(pilot.app).splitlines()[1])


@pytest.mark.slow
async def test_what_can_be_begun_is_offered_changed_and_begun(make_app: Any, gate: Gate) -> None:
    async with tournament(make_app, None) as pilot:
        text = screen_text(pilot.app)
        assert "who is stronger" in text and "Every game is saved" in text
        assert all(preset.title in text for preset in PRESETS)
        for keys, words in ((("down", "n"), "tower:16"), (("n",), "tower:167"), (("end", "enter"), "name an agent")):
            await pilot.press(*keys)
            await until(pilot, lambda: isinstance(pilot.app.screen, TournamentForm))
            assert words in screen_text(pilot.app)  # the marked one, what was left, nobody
            await pilot.press("end", "7", "escape")
            await until(pilot, lambda: isinstance(pilot.app.screen, TournamentScreen))
        await pilot.press("down", "up", "home", "enter")
        conductor = pilot.app.tournament
        await until(pilot, lambda: conductor.task is not None)
        assert conductor.plan == PRESETS[0].setup.plan() and len(conductor.plan.pairings) == 36
        assert not [notice for notice in pilot.app._notifications if "No tournament is shown" in notice.message]
        await pilot.press("x")
        gate.open.set()
        await until(pilot, lambda: conductor.state.stopped)


def open_once_stopping(gate: Gate, job: Job[Any]) -> None:
    """Let the games go on when they are asked to stop, not before: all of them would take a moment."""
    while not job.cancelling:
        time.sleep(0.002)
    gate.open.set()


@pytest.mark.slow
async def test_an_unfinished_one_is_offered_at_the_next_start(make_app: Any, gate: Gate) -> None:
    async with tournament(make_app) as pilot:
        await until(pilot, lambda: pilot.app.tournament.state.runs)
        assert pilot.app.unfinished == ""
        begun = time.perf_counter()
        await pilot.press("q")
        assert not isinstance(pilot.app.screen, QuitScreen)
        job = pilot.app.tournament.job
        assert job is not None
        Thread(target=open_once_stopping, args=(gate, job)).start()
    job.join(30.0)  # another program would find it released by the end of this one
    assert time.perf_counter() - begun < 25, "it has not waited for the gate"
    async with tournament(make_app, None) as pilot:
        await until(pilot, lambda: "Resume: tournament 1, 3 agents" in screen_text(pilot.app))
        await pilot.press("r")
        conductor = await finished(pilot)
        assert conductor.plan == SMALL.plan() and conductor.number == 1
        await pilot.press("escape")
        await until(pilot, lambda: "Show: tournament 1, 3 agents" in screen_text(pilot.app))
        assert "Resume:" not in screen_text(pilot.app)
        await pilot.press("end", "enter")
        await until(pilot, lambda: conductor.task is not None and conductor.number == 1)
        assert conductor.state is State.FINISHED


@pytest.mark.slow
async def test_it_is_paused_continued_elsewhere_and_taken_over_by_other_workers(
    make_app: Any, gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("nimtui.jobs.processes.cores", lambda: 4)
    async with tournament(make_app) as pilot:
        conductor = pilot.app.tournament
        await until(pilot, lambda: "space pause" in screen_text(pilot.app))
        await pilot.press("space")
        await until(pilot, lambda: "paused" in panel(pilot, "progress"))
        assert "space continue" in screen_text(pilot.app).splitlines()[-1]
        first, stop, said = conductor.task, conductor.stop, list[str]()
        monkeypatch.setattr(conductor, "stop", lambda: (said.append(conductor.message), stop()))
        await pilot.press("w")
        assert conductor.workers == 1 and said == ["Plays on 1 of 4 cores"]  # until its games are read again
        gate.open.set()
        await until(pilot, lambda: conductor.task is not first)
        assert conductor.state is State.PAUSED
        gate.open.clear()
        await pilot.press("space", "f7")
        await until(pilot, lambda: "▶ tourn" in screen_text(pilot.app).splitlines()[0])  # cut where much is played
        gate.open.set()
        await until(pilot, lambda: conductor.state is State.FINISHED)
        await pilot.press("f5")
        await finished(pilot)
        assert conductor.view.done == 60 and "1 of 4 cores" not in panel(pilot, "said")


@pytest.mark.slow
async def test_games_that_cannot_be_saved_are_played_all_the_same_and_not_lost_unasked(
    make_app: Any, home: Path
) -> None:
    (home / "nimtui.sqlite").mkdir()
    async with tournament(make_app) as pilot:
        app, conductor = pilot.app, pilot.app.tournament
        await until(pilot, lambda: conductor.state is State.FINISHED)
        await until(pilot, lambda: "Its games are not saved" in panel(pilot, "said"))
        await until(pilot, lambda: conductor.standings is not None)
        await pilot.press("enter")
        await until(pilot, lambda: "not saved" in panel(pilot, "games"))
        await pilot.press("escape")
        for key, kind in (("escape", Confirm), ("q", QuitScreen)):
            await pilot.press(key)
            await until(pilot, lambda kind=kind: type(app.screen) is kind)
            assert "not saved: its games will be lost" in screen_text(app)
            await pilot.press("escape")
        assert conductor.view.done == 60
        await pilot.press("escape", "enter")
        await until(pilot, lambda: conductor.state is State.READY)
        assert GAME not in screen_text(app) and conductor.lost_by_leaving == ""


@pytest.mark.slow
async def test_games_lost_by_a_fault_are_counted_and_listed(
    make_app: Any, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_awkward(home, monkeypatch)
    setup = TournamentSetup((GAME,), ("perfect", "awkward:raises", "random"), number=10)
    async with tournament(make_app, setup) as pilot:
        conductor = await finished(pilot)
        met = [score for score in conductor.view.scores if 1 in score.pairing[1:]]
        faults = sum(score.faults[score.pairing[1:].index(1)] for score in met)
        head, *rows = lines(pilot, "table")[-4:]
        [row] = [row for row in rows if "awkward" in row]
        assert "faults" in head and faults > 0 and f" {faults} " in row
        assert "raised ValueError: three is too many" in " ".join(screen_text(pilot.app).split())
        await pilot.press("enter", "f", "f", "f", "f")
        await until(pilot, lambda: "ended by a fault" in panel(pilot, "games"))
        await until(pilot, lambda: "raised" in panel(pilot, "games") or "No such games" in panel(pilot, "games"))


async def opened(pilot: Any) -> None:
    await pilot.press("enter")
    await until(pilot, lambda: isinstance(pilot.app.screen, PairingScreen) and len(lines(pilot, "games")) > 2)


@pytest.mark.slow
async def test_a_pairing_has_its_results_and_its_games_at_every_size_which_are_filtered_and_sorted(
    make_app: Any,
) -> None:
    async with tournament(make_app, replace(SMALL, openings="random:2")) as pilot:
        conductor, table = await finished(pilot), pilot.app.screen
        await pilot.press("down", "down", "left", "left", "right", "right", "left", "left")  # random against perfect
        await opened(pilot)
        pairing = pilot.app.screen
        [score] = [score for score in conductor.view.scores if score.pairing[1:] == (0, 1)]
        for size in SIZES:
            await pilot.resize_terminal(*size)
            text = screen_text(pilot.app)
            assert "random against perfect" in text and max(map(len, text.splitlines())) <= size[0]
            shown = lines(pilot, "results")
            at = next(at for at, text in enumerate(shown) if text.split()[:1] == ["won"])  # a frame has its title above
            for line, seat in zip(shown[at + 1 :], (slice(1, 2), slice(0, 1), slice(2)), strict=False):
                assert line.split()[2:5] == [str(sum(score.losses[seat])), "0", str(sum(score.wins[seat]))]
            assert "Mistakes: random" in panel(pilot, "results") and "Pairs with" in panel(pilot, "results")
            shown = lines(pilot, "games")
            at = next(at for at, text in enumerate(shown) if "moves first" in text)  # below what is listed
            head, *games = shown[at:]
            ends = "moves" if size[0] >= 200 else ("mistakes", "newest first")
            assert ("opening" in head) is (size[0] >= 80) and head.rstrip().endswith(ends)
            info = pairing._listed[0]
            assert ends != "moves" or games[0].endswith(" ".join(move_texts(info)[info.row.opening :]))
            assert "All games, newest first" in panel(pilot, "games")
            assert games[0].startswith("▸     20  random") and all("won" in line for line in games)
        await pilot.press("s")
        wrong = [info.row.mistakes for info in pairing._listed]
        assert wrong == sorted(wrong, key=lambda two: (-two[1], -two[0])) and len(wrong) == 20
        newest = sorted((info.id for info in pairing._listed), reverse=True)
        for head, listed in (("game", newest), ("plies", newest), ("mistakes", None)):
            await click_head(pilot, head, "games")
            assert ([info.id for info in pairing._listed] == newest) is (listed is newest), head
        assert [info.row.mistakes for info in pairing._listed] == wrong
        await pilot.press("f")
        await until(pilot, lambda: pairing._found is not None)
        assert len(pairing._listed) == sum(score.wins)
        await pilot.press("f")
        await until(pilot, lambda: len(pairing._listed) == sum(score.losses))
        await pilot.press("f", "f")
        await until(pilot, lambda: "No such games" in panel(pilot, "games"))
        await pilot.press("f")
        await until(pilot, lambda: len(pairing._listed) == 20)
        assert table._ticker is None and pairing._ticker is not None, "what another screen covers does not tick"
        await pilot.press("down", "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, ReplayScreen))
        assert "perfect" in screen_text(pilot.app) and "of 20" in screen_text(pilot.app)
        assert table._ticker is None and pairing._ticker is None
        await pilot.press("f5")
        await until(pilot, lambda: pilot.app.screen is pairing and pairing._ticker is not None)
        await pilot.press("escape")
        await until(pilot, lambda: pilot.app.screen is table)


async def test_the_two_orders_of_two_agents_are_two_pairings(make_app: Any) -> None:
    setup = TournamentSetup((GAME,), ("perfect", "random"), "ordered", 10)
    async with tournament(make_app, setup) as pilot:
        await finished(pilot)
        await opened(pilot)
        assert "perfect (first) against random (second)" in screen_text(pilot.app)
        assert "moving second" not in panel(pilot, "results")
        await pilot.press("tab")
        await until(pilot, lambda: "perfect (second) against random (first)" in screen_text(pilot.app))
        await until(pilot, lambda: len(lines(pilot, "games")) > 5)
        await pilot.press("escape")
        await pilot.press("left")
        await opened(pilot)
        assert "perfect (first) against perfect (second)" in screen_text(pilot.app)


@pytest.mark.slow
async def test_a_cell_of_two_who_never_meet_opens_nothing(make_app: Any) -> None:
    setup = TournamentSetup((GAME,), ("random", "perfect", "value"), "gauntlet", 10)
    async with tournament(make_app, setup) as pilot:
        await finished(pilot)
        await pilot.press(*("up",) * 3, *("left",) * 3)
        await pilot.press("s", "s", "s", "s")  # by name: perfect, random, value
        cursor = pilot.app.screen._place.cursor
        order = [1, 0, 2]
        await pilot.press(*("up",) * order.index(cursor[0]), *("left",) * 3, "right", "right")
        assert "no games: in a gauntlet only random plays the others" in panel(pilot, "words")
        await pilot.press("enter")
        assert isinstance(pilot.app.screen, TournamentScreen)


@pytest.mark.slow
async def test_looking_on_follows_a_game_and_then_the_next(make_app: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    going: list[LiveGame] = []
    async with tournament(make_app) as pilot:
        conductor = await finished(pilot)
        monkeypatch.setattr(LookingOn, "_going", property(lambda self: tuple(going)))
        monkeypatch.setattr("nimtui.ui.tournament.pages.LINGER", 0.0)
        pilot.app.push_screen(LookingOn(conductor))
        await until(pilot, lambda: "No game is being played" in screen_text(pilot.app))
        going[:] = [LiveGame(0, 0, (0, 1)), LiveGame(1, 5, (2,))]
        await until(pilot, lambda: "perfect – random  game 1" in screen_text(pilot.app))
        game = pilot.app.screen.query_one("Board")
        assert game.position.board.tolist() != game.game.start.board.tolist()
        going[0] = LiveGame(0, 0, (0, 1, 2))
        await until(pilot, lambda: "3 plies" in screen_text(pilot.app))
        await pilot.press("right")
        await until(pilot, lambda: "mc 20 – perfect  game 6" in screen_text(pilot.app))
        monkeypatch.setattr("nimtui.ui.tournament.pages.LINGER", inf)  # until it has been seen
        monkeypatch.setattr("nimtui.ui.tournament.pages.PATIENCE", inf)
        going.pop()
        won = "perfect" if conductor.task.results(1)[5] > 0 else "mc 20"
        await until(pilot, lambda: f"over: {won} won" in screen_text(pilot.app))
        board = pilot.app.screen.query_one("Board")
        assert base.outcome(board.position) != base.GOING_ON  # never an end beside a board that is not at its end
        monkeypatch.setattr("nimtui.ui.tournament.pages.LINGER", 0.0)
        await until(pilot, lambda: "perfect – random  game 1" in screen_text(pilot.app))
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, TournamentScreen))


# One in the place of another: asked first, nothing lost, what is only shown stays as it is.

OTHER = replace(SMALL, agents=("perfect", "random"), number=4, name="the other one")


async def stopped(pilot: Any, gate: Gate) -> None:
    """The tournament at work is stopped before its end."""
    await pilot.press("x")
    gate.open.set()
    await until(pilot, lambda: pilot.app.tournament.state.stopped)


@pytest.mark.slow
async def test_a_kept_one_is_shown_as_it_stands_and_goes_on_when_asked(make_app: Any, gate: Gate, home: Path) -> None:
    async with tournament(make_app) as pilot:
        await until(pilot, lambda: pilot.app.tournament.state.runs)
        await stopped(pilot, gate)
        assert pilot.app.tournament.view.done < 60 and "games are saved" in panel(pilot, "said")
        assert "r resume" in screen_text(pilot.app).splitlines()[-1]
    database = Database()
    before = info(database, 1)
    async with tournament(make_app, None) as pilot:
        app, conductor = pilot.app, pilot.app.tournament
        app.begin("tournament", 1)
        await until(pilot, lambda: "r to resume" in panel(pilot, "said"))
        assert conductor.state.stopped and "stopped" in panel(pilot, "progress")
        assert conductor.view.done == before.played and "3 pairs × 20" in screen_text(app)
        assert info(database, 1) == before  # it was looked at, no more
        resume(database, 1).close()  # anybody may resume it
        app.begin("tournament", 1)
        await until(pilot, lambda: not conductor.opening)
        assert conductor.state.stopped
        await pilot.press("r")
        whole = (await finished(pilot)).view.scores
        assert conductor.view.done == 60
        await pilot.press("n")
        await until(pilot, lambda: isinstance(app.screen, TournamentForm))
        assert "mc:playouts=20" in screen_text(app)  # the last one, to be changed
    done = info(database, 1)
    async with tournament(make_app, None) as pilot:
        pilot.app.begin("tournament", 1)
        conductor = await finished(pilot)
        assert conductor.view.seconds == done.seconds and "r resume" not in screen_text(pilot.app)
        await pilot.press("enter")
        await until(pilot, lambda: len(lines(pilot, "games")) > 2)
    assert info(database, 1) == done
    database.close()
    async with tournament(make_app) as pilot:
        assert (await finished(pilot)).view.scores == whole, "as if it had never been stopped"


@pytest.mark.slow
async def test_another_one_takes_its_place_only_if_it_can_be_opened_and_is_asked_for_twice(
    make_app: Any, gate: Gate
) -> None:
    async with tournament(make_app) as pilot:
        app, conductor = pilot.app, pilot.app.tournament
        await until(pilot, lambda: conductor.state.runs)
        for nothing in (7, replace(SMALL, agents=("nobody",))):
            app.begin("tournament", nothing)
            await pilot.press("enter")
            await until(pilot, lambda: "Cannot " in panel(pilot, "said"))
            assert conductor.state.runs and conductor.number == 1 and conductor.plan == SMALL.plan()
        app.begin("tournament", OTHER)
        await until(pilot, lambda: isinstance(app.screen, Confirm))
        assert "It will stop" in screen_text(app)
        await pilot.press("escape")
        assert conductor.state.runs and conductor.number == 1
        app.begin("tournament", OTHER)
        await pilot.press("enter")
        await until(pilot, lambda: conductor.number == 2)
        gate.open.set()
        await finished(pilot)
        assert "the other one" in screen_text(app) and conductor.view.done == 4
    assert [(found.id, found.state) for found in tournaments(Database())] == [(2, "done"), (1, "stopped")]


@pytest.mark.slow
async def test_one_that_another_nimtui_plays_is_shown_and_not_gone_on_with(make_app: Any) -> None:
    async with tournament(make_app) as pilot:
        await finished(pilot)
    with Database().writing() as connection:
        for (pairing,) in connection.execute("SELECT id FROM pairings").fetchall():
            saved_games.remove_from(connection, pairing, 10)
        seals.change(connection, "tournaments", "1", {"state": "'stopped'"}, {})
    other = Database()
    with resume(other, 1):
        async with tournament(make_app, None) as pilot:
            pilot.app.begin("tournament", 1)
            await until(pilot, lambda: "30 of 60" in panel(pilot, "progress"))
            await pilot.press("r")
            await until(pilot, lambda: "in use by another nimtui" in panel(pilot, "said"))
            assert pilot.app.tournament.state.stopped and "30 of 60" in panel(pilot, "progress")


@pytest.mark.slow
async def test_one_that_was_deleted_while_it_is_shown_is_not_gone_on_with(make_app: Any, gate: Gate) -> None:
    async with tournament(make_app) as pilot:
        await until(pilot, lambda: pilot.app.tournament.state.runs)
        await stopped(pilot, gate)
        delete(Database(), 1)
        await until(pilot, lambda: pilot.app.tournament.standings is not None)
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, PairingScreen))
        await pilot.press("f", "s", "end", "escape", "r")
        await until(pilot, lambda: "was deleted" in panel(pilot, "said"))


@pytest.mark.slow
async def test_screens_above_the_table_never_show_another_one(make_app: Any, gate: Gate) -> None:
    gate.open.set()
    async with tournament(make_app, OTHER) as pilot:
        await finished(pilot)
    async with tournament(make_app) as pilot:
        app = pilot.app
        await finished(pilot)
        for above in (PairingScreen, LookingOn):
            app.push_screen(
                PairingScreen(app.tournament, (1, 2)) if above is PairingScreen else LookingOn(app.tournament)
            )
            await until(pilot, lambda above=above: isinstance(app.screen, above))
            screen, now = app.screen, app.tournament.number
            await pilot.press("f6")
            await until(pilot, lambda: isinstance(app.screen, LibraryScreen))
            app.tournament.show(3 - now)  # by whatever way
            await until(pilot, lambda now=now: app.tournament.number != now)
            await pilot.press("f5")
            await until(pilot, lambda screen=screen: app.screen is screen)
            await pilot.press(*("f", "s", "right", "left") if above is PairingScreen else ("right", "left"))
            app.begin("tournament", now)
            await until(pilot, lambda: isinstance(app.screen, TournamentScreen))
            await until(pilot, lambda now=now: app.tournament.number == now)


@pytest.mark.slow
async def test_two_asked_for_at_once_are_one_and_nothing_stays_claimed(make_app: Any, gate: Gate) -> None:
    async with tournament(make_app, None) as pilot:
        conductor = pilot.app.tournament
        conductor.start(OTHER)
        conductor.start(SMALL)
        await until(pilot, lambda: conductor.plan == SMALL.plan())
        await stopped(pilot, gate)
        await until(pilot, lambda: all(found.state != "running" for found in tournaments(conductor.database())))
        await pilot.press("r", "r")
        await finished(pilot)
        assert conductor.message == ""
