"""A training is followed and steered from another program: what is sent makes the same map, curve and scores."""

from __future__ import annotations

import json
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from nimtui.games import base, parse_game
from nimtui.jobs import recording, runs_report
from nimtui.jobs.work import Work
from nimtui.learning import evaluate
from nimtui.learning.evaluate import visits_of
from nimtui.learning.mirror import Mirror
from nimtui.learning.run import Run
from nimtui.learning.training import Training
from nimtui.learning.views import UNCHANGED, History, Live, Numbers, applied, moves_of, runs_of
from nimtui.process import sockets
from nimtui.progress import SILENT, Cancelled
from nimtui.store import run_files
from nimtui.store.run_files import Remote, RunFile
from tests.games.refusal import refusal
from tests.learning.running import of, until

if sys.platform == "win32":
    pytest.skip("needs Unix sockets", allow_module_level=True)

PATIENCE = 60.0


def test_the_runs_of_changes_make_the_new_map_of_the_old_one() -> None:
    draw = np.random.default_rng(5)
    old = None
    for share in (1.0, 0.5, 0.01, 0.0):
        new = draw.integers(0, 4, 500).astype(np.int8)
        if old is not None:
            new = np.where(draw.random(500) < share, new, old).astype(np.int8)
        runs = runs_of(old, new)
        assert sum(runs[::2]) == 500 and (applied(old, json.loads(json.dumps(runs))) == new).all()
        told = [verdict for length, verdict in zip(runs[::2], runs[1::2], strict=True) for _ in range(length)]
        assert all(verdict in (UNCHANGED, now) for verdict, now in zip(told, new.tolist(), strict=True))
        old = new
    assert runs_of(old, old) == [500, UNCHANGED]
    with pytest.raises(ValueError, match="another map"):
        applied(None, [500, UNCHANGED])


def test_a_full_history_keeps_every_second_copy_and_then_takes_fewer() -> None:
    for history, most, then in ((History(), 64, 75), (History(80), 10, 18)):  # 8 bytes each
        for games in range(1, 81):
            history.add(games, np.full(1, games))
        kept = [*range(1, most + 2, 2), then]  # the next one has at least last · (last / 1) ^ (2 / most) games
        assert [games for games, _ in history.pictures(slice(None))][: len(kept)] == kept and history.last > most
    for games in (5, 6, 6, 9):  # 5: the training started over
        history.add(games, np.array([games, -games]))
    assert [(games, scores.tolist()) for games, scores in history.pictures(slice(1))] == [(5, [5]), (6, [6]), (9, [9])]
    assert [history.of(1, 7.0, cells) for cells in (1, 2, 3, 9)] == [[7], [-5, 7], [-5, -9, 7], [-5, -6, -9, 7]]
    history.clear()
    history.see(SimpleNamespace(games=3, scores=np.zeros(1)), "quality")  # all start at 50
    assert [(games, scores.tolist()) for games, scores in history.pictures(slice(None))] == [(0, [50]), (3, [0])]
    history.clear()
    tiny = History(7)
    tiny.add(1, np.zeros(1))
    assert len(history) == len(tiny) == 0 and tiny.of(0, 7.0, 7) == [7.0] and tiny.last == -1


def test_steps_of_a_function_come_back_as_they_were_sent() -> None:
    training = Training(parse_game("connect:3x3x3"), "linear", 3)
    training.prepare()
    training.watch(1)
    steps = training.game_steps()
    sent = json.loads(json.dumps([*steps[:3], [step[1:] for step in steps.moves], steps.outcome]))
    back = Mirror._steps(SimpleNamespace(training=training), {"steps": sent})
    assert back._replace(moves=[]) == steps._replace(moves=[]) and sent[3] == [[*step[1:]] for step in back.moves]
    assert [step.state.board.tolist() for step in back.moves] == [step.state.board.tolist() for step in steps.moves]
    assert Mirror._steps(SimpleNamespace(training=training), {"steps": None}) is None


def test_what_is_asked_of_a_mirror_is_done_by_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    asked, did = list[tuple[Any, ...]](), list[tuple[Any, ...]]()
    mirror = Mirror(described_run("reward, seed 3", "nim:1,2"))
    mirror.remote = SimpleNamespace(request=lambda *words: asked.append(words), file=SimpleNamespace(fault="full"))
    assert (mirror.led, mirror.stepping, mirror.unsaved, mirror.fault) == (True, False, False, "full")
    mirror.keep_going()  # asks for nothing
    mirror.stop_after(3)
    mirror.stop_after(1)
    mirror.stop_at_change()
    assert mirror.stepping
    mirror.set_speed(2.5)
    mirror.train_to(9)
    mirror.save()
    assert asked == [("step", 3), ("step", 1), ("change", None), ("speed", 2.5), ("goal", 9), ("save",)]
    names = ("stop_after", "stop_at_change", "set_speed", "train_to", "save", "checkpoint")
    run = SimpleNamespace(**{name: lambda *words, name=name: did.append((name, *words)) for name in names}, led=False)
    run.training, run.job = SimpleNamespace(games=8), SimpleNamespace(obey=lambda what: did.append((what,)))
    for words in (*asked, ("save",), ("save",), ("step",), ("pause",), ("goal",)):
        run.held, run.unsaved, run.following = lambda: len(did) != 6, len(did) != 7, False
        Live(run).steer(*(*words, None)[:2])
        did[-1] += (run.following,)
    assert did == [
        *(("stop_after", 3, False), ("stop_after", 1, True), ("stop_at_change", True), ("set_speed", 2.5, False)),
        *(("train_to", 9, False), ("save", False), ("checkpoint", False), ("checkpoint", False)),
        *(("stop_after", 1, True), ("pause", False), ("goal", False)),
    ]
    assert run.led and refusal(Live(run).steer, "goal", 8) == "the run has played 8 games already"
    clock = [0.0]
    monkeypatch.setattr("nimtui.learning.mirror.monotonic", lambda: clock[0])
    monkeypatch.setattr("nimtui.learning.mirror.sleep", lambda seconds: clock.append(clock.pop() + seconds))
    mirror.training.table.games = 3
    for mirror.remote.is_heard, waited in ((False, 0.0), (True, 5.0)):  # for a save that does not come
        assert mirror.copy_table().games == 0 and waited <= clock[0] < waited + 0.06


def test_a_picture_tells_all_of_a_run_and_what_has_changed_since_one_of_the_last_eight(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    run = of("reward", game="nim:1,2")
    run.training.prepare()
    training, run.job, nodes = run.training, SimpleNamespace(paused=True), [2, 0]
    truth, maps, past = training.truth, dict[int, Any](), list[list[Any]]()
    moves, first = moves_of(truth, nodes), slice(int(truth.graph.ptr[2]), int(truth.graph.ptr[3]))

    def asked(**more: Any) -> dict[str, Any]:
        return dict(json.loads(run.picture({"points": 0, "nodes": nodes, "past": -1, "since": 0, **more})))

    for number in range(1, 11):
        if number > 1:
            training.run(1)
        view = run.copy()[1]
        standing = training.listed_standing(view.scores)
        maps[number] = standing.verdicts
        past.append([number - 1, view.scores[first].tolist()])
        known = json.loads(json.dumps(training.curve))
        assert asked(since=1, points=2, past=0) == asked(since=1, points=2, past=0) == {
            "saved": None, "speed": None, "stepping": False, "last": None, "perfect": False, "points": len(known),
            "curve": known[2:] if len(known) >= 2 else known, "games": number - 1, "plies": training.plies,
            "seconds": training.seconds, "standing": [*standing[:-1]], "scores": view.scores[moves].tolist(),
            "visits": view.visits[moves].tolist(), "number": number, "past": past[1:], "game": None,
            "map": runs_of(maps[1] if number <= 8 else None, maps[number]),
        }  # fmt: skip
    assert asked()["past"] == past and asked(nodes=[])["past"] == asked(nodes=[])["scores"] == []
    best = [float(max(view.scores[slice(*truth.graph.ptr[node : node + 2])])) for node in range(5)]
    for most, told in ((5, {"numbers": [best, visits_of(truth, view.visits).tolist()]}), (4, {})):
        monkeypatch.setattr("nimtui.learning.views.MOST_LISTED", most)
        run._live._sent.clear()
        assert asked(of="numbers") == told
    assert asked(of="reasons", board=None, move=None) == asked(of="nothing") == {}
    for learner, of_it in (("reward", "numbers"), ("linear", "reasons")):  # before anything is seen
        assert Live(of(learner)).picture({"of": of_it, "board": None, "move": None}) == "{}"
    met, training.table.function = np.arange(len(view.visits)) < 2, SimpleNamespace()  # type: ignore[assignment]
    unmet = visits_of(truth, met) == 0
    assert (
        run._live._states(view._replace(visits=met, standing=standing)) == maps[10] + 4 * unmet
    ).all() and 0 < unmet.sum() < len(unmet)


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for sockets with a short path."""
    folder = tmp_path_factory.getbasetemp() / "s"
    folder.mkdir(exist_ok=True)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(folder))
    return folder / "nimtui"


def test_a_socket_answers_many_and_is_the_users_alone_and_the_address_of_a_killed_run_is_cleared(short: Path) -> None:
    server = sockets.Server("a.sock", lambda question: json.dumps({"twice": 2 * question["number"]}).encode())
    assert short.stat().st_mode & 0o777 == 0o700 and server.path.stat().st_mode & 0o777 == 0o600
    killed = sockets.socket.socket(sockets.socket.AF_UNIX)
    killed.bind(str(short / "killed.sock"))
    killed.close()
    sockets.clear()
    assert [path.name for path in short.iterdir()] == ["a.sock"]
    askers = [sockets.Asker(str(server.path)) for _ in range(3)]
    assert [one.ask({"number": at}) for at, one in enumerate(askers)] == [{"twice": 0}, {"twice": 2}, {"twice": 4}]
    assert len(server.askers) == 3
    nested = sockets.Asker(str(server.path))
    nested._socket.sendall(b"[" * 9_000 + b"\n")
    askers[0]._socket.sendall(b"no question\n")
    askers[1].close()
    until(lambda: len(server.askers) == 1)
    assert askers[2].ask({"number": 21}) == {"twice": 42}
    server.close()
    with pytest.raises(OSError):
        askers[2].ask({"number": 1})
    assert not list(short.iterdir())


@contextmanager
def followed(path: Path, game: str, learner: str, speed: float) -> Iterator[tuple[Run, Mirror]]:
    """Train, and follow that once more than 100 games are played; stop at the end."""
    run = of(learner, path, game)
    run.goal(10**9)
    run.set_speed(speed)

    def train() -> None:
        with pytest.raises(Cancelled):
            Work.here(run, SILENT)

    threads = [threading.Thread(target=train)]
    threads[0].start()
    until(lambda: bool(run_files.every()) and run.done > 100)
    mirror = Mirror(run_files.every()[0])
    threads.append(threading.Thread(target=mirror.work))
    threads[1].start()
    try:
        yield run, mirror
    finally:
        mirror.remote.request("stop")
        for thread in threads:
            thread.join(PATIENCE)
    assert mirror.remote.file.state == "stopped" and mirror.done == run.done


def test_reasons_lists_and_saves_are_those_of_the_moment(short: Path, tmp_path: Path) -> None:
    with followed(tmp_path / "run.npz", "nim:3,4,5", "ntuple", 1_000) as (run, mirror):
        until(lambda: mirror.views.newest is not None)
        mirror.remote.request("pause")
        mirror.look_at([0])
        until(lambda: mirror.remote.file.state == "paused" and mirror.done == run.done)
        until(lambda: mirror.history.last == run.done)
        run.writer.games = run.done  # so that nothing is saved
        view, start = run.copy()[1], run.training.game.start
        truth, move = run.training.truth, base.legal_moves(run.training.game.start)[0]
        assert truth is not None and mirror._saved_games < run.done
        for asked in ((start, move), (None, None)):
            ours, theirs = mirror.account(*asked), run.account(*asked)
            assert ours.games == run.done and ours.text == theirs.text and (ours.reasons or ours.heaviest)
        numbers, true = mirror.numbers(), Numbers.of(view, truth)
        assert numbers.saved is None
        assert (numbers.best == true.best).all() and (numbers.plays == true.plays).all()
        assert len(mirror.history) > 10 and 10 in [games for games, _ in mirror.history.pictures(slice(None))]
        run.writer.games = 0  # now it can be saved
        table = mirror.copy_table()
        assert table.games == run.done and (table.visits == view.visits).all()
        mirror.remote.picture = lambda **about: None  # the link is gone
        mirror.training.table.games += 5
        assert mirror.account(start, move).games == run.done
        assert (again := mirror.numbers()) is not None and again.text == f", by the save at {run.done:,} games"
        del mirror.remote.picture
        mirror.training.table.games -= 5


@pytest.mark.slow
def test_positions_that_a_function_never_met_are_told_live(short: Path, tmp_path: Path) -> None:
    with followed(tmp_path / "run.npz", "tower:16", "ntuple", 100) as (run, mirror):
        mirror.remote.request("pause")
        until(lambda: mirror.remote.file.state == "paused" and mirror.views.newest is not None)
        until(lambda: mirror.done == run.done)
        truth, view = run.training.truth, mirror.views.newest
        met = visits_of(truth, run.copy()[1].visits) > 0
        assert not met.all() and ((visits_of(truth, view.visits) > 0) == met).all()


def test_a_changed_clock_changes_no_run(short: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    true = time.time
    with followed(tmp_path / "run.npz", "nim:1,3,5", "reward", 1_000) as (run, mirror):
        file = mirror.remote.file
        for shift in (-3e7, 3e7):
            for module in (run_files, recording, runs_report):
                monkeypatch.setattr(module, "time", lambda: true() + shift)  # noqa: B023
            until(lambda: abs(run_files.read(file.id).written - true() - shift) < PATIENCE)  # noqa: B023
            games, now = run.done, run_files.read(file.id)
            assert now.state == "going" and file.seconds < now.seconds < PATIENCE and [*run_files.every()] == [now]
            assert now.rate < 10_000 and now.seconds_left is not None
            assert "since you left" in runs_report.brief(replace(now, background=True))
            until(lambda: mirror.done > games)  # noqa: B023


def test_a_training_is_followed_and_steered_from_outside(short: Path, tmp_path: Path) -> None:
    with followed(tmp_path / "run.npz", "tower:16", "reward", 1_000) as (run, mirror):
        steers(mirror, run)
    last = mirror.views.newest
    assert (last.scores == run.copy()[1].scores).all() and not list(short.iterdir())


def steers(mirror: Mirror, run: Run) -> None:
    mirror.look_at([1, 2])
    until(lambda: mirror.views.newest is not None and mirror.done > 100)
    mirror.remote.request("pause")
    until(lambda: mirror.remote.file.state == "paused" and mirror.views.newest.games == mirror.done == run.done)
    games, own = run.done, run.copy()[1]
    assert run.training.truth is not None
    looked = moves_of(run.training.truth, [1, 2])
    until(lambda: (mirror.views.newest.scores[looked] == own.scores[looked]).all())  # the picture before was without
    view = mirror.views.newest
    assert view.games == games and (view.visits[looked] == own.visits[looked]).all()
    true = evaluate.standing(run.training.truth, own.scores)
    assert (view.standing.verdicts == true.verdicts).all() and view.standing[:-1] == true[:-1]
    assert mirror.training.curve == run.training.curve
    until(lambda: run_files.read(mirror.remote.file.id).watchers == 1)
    mirror.stop_after(7)  # as of an own run: it waits until it continues
    mirror.remote.request("continue")
    until(lambda: mirror.done == run.done == games + 7 and run.held())
    follows_a_game(mirror, run)
    mirror.set_speed(100.0)
    until(lambda: run.speed == 100.0 and run.led)
    assert "already" in refusal(run.steer, "goal", 5)
    mirror.remote.request("goal", games + 1000.0)
    until(lambda: mirror.last == games + 1000)


def follows_a_game(mirror: Mirror, run: Run) -> None:
    """Play until a best move changes, then one game: both are seen as by the run, and so are the scores before them."""
    truth = run.training.truth
    mirror.following = True
    for ask in (mirror.stop_at_change, lambda: mirror.stop_after(1)):
        before = mirror.followed_game
        ask()
        mirror.remote.request("continue")
        assert mirror.stepping
        until(lambda: mirror.followed_game is not before and not mirror.stepping)  # noqa: B023
        ours, theirs = mirror.followed_game, run.followed_game
        assert all(np.array_equal(*parts) for parts in zip(ours.episode, theirs.episode, strict=True))
        moves = moves_of(truth, ours.episode.nodes)
        for mine, their in ((ours.before, theirs.before), (ours.after, theirs.after)):
            assert mine.games == their.games and (mine.standing.verdicts == their.standing.verdicts).all()
            assert (mine.scores[moves] == their.scores[moves]).all() and mine.standing[:-1] == their.standing[:-1]
        change = evaluate.changed(truth, theirs.before.scores, theirs.after.scores)
        assert evaluate.changed(truth, ours.before.scores, ours.after.scores) == change
    moves = moves_of(truth, [1])
    until(lambda: mirror.history.last == run.done)
    assert len(mirror.history) > 2
    assert (mirror.history.pictures(slice(None))[-1][1][moves] == run.copy()[1].scores[moves]).all()


def described_run(name: str, game: str) -> RunFile:
    about = {"kind": "training", "name": name, "game": game, "state": "going", "done": 5, "goal": None}
    numbers = {"rate": None, "seconds": 1.0, "seconds_left": None, "started": time.time(), "number": None}
    numbers |= {"id": 7, "unit": "games", "file": None, "background": True, "fault": "", "watchers": 0}
    return run_files.described(address="/nowhere.sock", **about, **numbers)


def test_a_run_of_another_machine_is_asked_by_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NIMTUI_HOME", str(tmp_path))
    run_files.folder().mkdir()
    remote = Remote(replace(described_run("reward", "nim:1,3,5"), host="elsewhere"))
    remote.request("speed", 3.0)  # there is no way to it but the socket
    remote.request("pause")
    assert remote.picture() is None and run_files.asked(7) == "pause" and run_files.asked(7) is None


@pytest.mark.slow
def test_a_run_whose_disk_is_full_still_obeys(short: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = of("reward", tmp_path / "run.npz", "nim:1,3,5")
    run.goal(10**9)
    run.set_speed(5_000)
    write, full = run_files.write, threading.Event()

    def no_room(file: run_files.RunFile) -> None:
        if full.is_set():
            raise OSError(28, "no space left")
        write(file)

    monkeypatch.setattr(run_files, "write", no_room)

    def train() -> None:
        with pytest.raises(Cancelled):
            Work.here(run, SILENT)

    thread = threading.Thread(target=train)
    thread.start()
    until(lambda: any(one.is_on for one in run_files.every()) and run.done > 100)
    full.set()
    time.sleep(1.5)
    [file] = [one.file for one in recording.going]
    run_files.ask(file.id, "stop")
    thread.join(PATIENCE)
    assert not thread.is_alive() and Training.load(tmp_path / "run.npz").games == run.done
