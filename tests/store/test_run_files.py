"""The files of runs: which are offered again, when one counts as cut off, its number, and what is asked of it."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import asdict, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from nimtui.errors import InputError
from nimtui.process.owner import Owner, this_process
from nimtui.store import StoreError, claims, paths, run_files
from nimtui.store.run_files import LATELY, LATEST, SILENCE, Remote, RunFile

NOW = 1_700_000_000.0
LIVES = {10: True, 11: False, 12: None}  # whether the process with this number is there; None: on another machine


@pytest.fixture(autouse=True)
def saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file in which work is saved."""
    monkeypatch.setenv("NIMTUI_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(run_files, "time", lambda: NOW)
    monkeypatch.setattr(Owner, "lives", property(lambda owner: LIVES.get(owner.pid, True)))
    paths.ensure(run_files.folder())
    (tmp_path / "saved.npz").touch()
    return tmp_path / "saved.npz"


def run(id: int, state: str, pid: int | None = 10, age: float = 0.0, **about: Any) -> RunFile:
    """Write the file of a run; with no `pid` it is one of this process."""
    made = run_files.described(id=id, kind="training", name="n", state=state, started=NOW, **about)
    made = replace(made, written=NOW - age, **({} if pid is None else {"pid": pid}))
    run_files.write(made)
    return made


def test_others_are_saved_runs_that_are_on_and_what_was_cut_off_or_failed_lately(saved: Path) -> None:
    file = str(saved)
    run(1, "going", file=file)
    run(2, "cut", file=file, age=LATELY - 1)
    run(3, "cut", file=file, age=LATELY)
    run(4, "failed", file="nimtui.sqlite", number=3)
    run(5, "failed", file=f"{file}.gone")
    run(6, "cut", age=LATEST - 1)
    run(7, "cut", age=LATEST)
    run(8, "failed")  # nothing was saved
    run(9, "stopped", file=file)
    run(10, "paused", None, file=file)  # is here
    run(11, "going")
    assert [one.id for one in run_files.others()] == [1, 6, 4, 2]
    assert [one.id for one in run_files.every()] == list(range(11, 0, -1))
    assert run_files.read(4).place == 3 and run_files.read(9).place == saved and run_files.read(8).place is None
    run_files.lose("search", "minimax", 7, "nodes")
    lost = run_files.read(12)
    assert (lost.state, lost.done, lost.unit, lost.place) == ("cut", 7, "nodes", None) and lost.fault


def test_a_run_is_cut_off_when_its_owner_is_gone_or_silent_on_another_machine() -> None:
    for id, pid, age, cut in (
        (1, 10, 1e6, False), (2, 11, 0.0, True), (3, 12, SILENCE - 1, False), (4, 12, SILENCE, True),
        (5, 12, -SILENCE, True), (6, 12, 1e6, False),
    ):  # fmt: skip
        made = run(id, "paused", pid, age, rate=2.5, seconds_left=3, watchers=2, address="x")
        run_files.ask(id, "stop")
        owned = run_files.own(id) if id == 6 else None
        found = run_files.read(id)
        gone = replace(made, state="cut", rate=None, seconds_left=None, watchers=0, address=None)
        assert found == (gone if cut else made) == run_files.read(id)
        assert run_files.asked(id) == (None if cut else "stop") and run_files.asked(id) is None
        if owned is not None:
            owned.release()
    run_files.ask(1, "dance")
    assert run_files.asked(1) is None, "no word of theirs"


def test_no_number_is_used_for_two_runs_and_one_file_has_one_run(saved: Path) -> None:
    assert [run_files.new_id("training", saved) for _ in range(2)] == [1, 2]
    run(7, "stopped", file=str(saved))
    run(8, "going", file="nimtui.sqlite", number=3)
    assert run_files.new_id("training", saved) == 7 and run_files.new_id("sweep", saved) == 9
    with pytest.raises(StoreError, match="run 8 works on tournament 3: stop it first"):
        run_files.new_id("training", 3)
    run(7, "paused", file=str(saved))
    with pytest.raises(StoreError, match=rf"run 7 works on {saved}: stop it first"):
        run_files.new_id("training", saved)
    for path in run_files.folder().glob("*.json"):
        path.unlink()
    assert run_files.new_id("training", None) == 10


def test_a_run_is_taken_over_by_one_if_there_is_something_to_continue(
    saved: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_files, "PATIENCE", 0.0)
    monkeypatch.setattr(run_files, "LOOK", 0.001)
    for made, said in (
        (run(1, "going"), "only the program that runs it can continue it"),
        (run(2, "cut"), "nothing of it is left to continue"),
        (run(3, "finished", file=str(saved)), "run 3 is finished"),
    ):
        with pytest.raises(InputError, match=said):
            run_files.take(made)
    stopped, deaf = run(4, "stopped", file=str(saved)), run(5, "going", file=str(saved))
    assert run_files.take(stopped) == stopped
    with pytest.raises(StoreError, match=r"run 5 on .* has not stopped: its process 10 does not answer"):
        run_files.take(deaf)
    assert run_files.asked(5) == "take"
    taker = run_files.folder() / ".4.take.lock"
    with claims.Claim(taker, taker, ""), pytest.raises(StoreError, match="another nimtui takes run 4 over"):
        run_files.take(stopped)
    monkeypatch.setattr(run_files, "PATIENCE", 60.0)
    monkeypatch.setattr(run_files, "sleep", lambda seconds: run(5, "stopped", file=str(saved)))
    told = Counter[tuple[float, float]]()
    progress: Any = SimpleNamespace(report=lambda *far: told.update([far]))
    assert run_files.take(deaf, progress).state == "stopped" and told == {(0, 0): 1}


def test_a_new_run_is_of_this_process_and_the_rest_is_unknown() -> None:
    made = run_files.described(id=3, kind="sweep", name="n", state="going", started=5.0)
    unknown = dict.fromkeys(("goal", "rate", "seconds_left", "file", "number", "address"))
    none = {"game": "", "done": 0, "unit": "", "seconds": 0.0, "background": False, "fault": "", "watchers": 0}
    given = {"id": 3, "kind": "sweep", "name": "n", "state": "going", "started": 5.0, "written": NOW, "workers": 1}
    assert asdict(made) == given | none | unknown | this_process()._asdict() and made.is_here and made.is_on
    assert not replace(made, pid=1).is_here and not replace(made, state="cut").is_on


def test_a_file_that_nobody_can_read_is_no_run() -> None:
    good = asdict(run(1, "going", goal=5, seconds=3))
    assert run_files.read(1).seconds == 3
    for wrong in ({"id": 2}, {"state": "sleeping"}, {"done": True}, {"done": 1.5}, {"name": None}, {"goal": "5"}):
        (run_files.folder() / "1.json").write_text(json.dumps({**good, **wrong}))
        with pytest.raises(InputError, match="there is no run 1: 'nimtui runs' lists them"):
            run_files.read(1)
    del good["host"]
    for text in ("", "[]", json.dumps(good)):
        (run_files.folder() / "1.json").write_text(text)
        assert run_files.every() == []


def test_the_oldest_runs_that_have_ended_are_removed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_files, "MOST_ENDED", 2)
    for id, state in enumerate(("going", "stopped", "finished", "cut", "failed"), start=1):
        run(id, state)
        run_files.output(id).touch()
        run_files.ask(id, "stop")
    for name in (".left.lock", ".held.lock"):
        (run_files.folder() / name).touch()
    with claims.Claim(run_files.folder() / ".held.lock", Path("x"), ""):
        run_files.tidy()
        left = {path.name for path in run_files.folder().iterdir()}
    assert left == {f"{id}.{ending}" for id in (1, 4, 5) for ending in ("json", "txt", "request")} | {".held.lock"}


def test_a_watcher_asks_by_one_socket_and_where_there_is_none_by_files(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[object] = []
    answers: list[Any] = [{}, {}, {"picture": {"n": 1}, "state": "paused"}, OSError()]

    class Asker:
        def __init__(self, address: str) -> None:
            said.append(address)

        def ask(self, question: dict[str, Any]) -> dict[str, Any]:
            said.append(question)
            if isinstance(answer := answers.pop(0), OSError):
                raise answer
            return answer  # type: ignore[no-any-return]

        def close(self) -> None:
            said.append("closed")

    monkeypatch.setattr(run_files.sockets, "Asker", Asker)
    remote = Remote(run(1, "going", address="here.sock"))
    remote.request("pause")
    remote.request("speed", 2.0)
    assert remote.greet() is remote.greet() is not None
    assert remote.picture(width=3) == {"n": 1} and remote.is_heard and not remote.requests
    asked = [{"ask": "pause", "amount": None}, {"ask": "speed", "amount": 2.0}, {"ask": "picture", "width": 3}]
    assert said == ["here.sock", *asked]
    remote.wait(0.0)
    assert remote.file.state == "paused", "the answer is newer than the file"
    assert remote.picture() is None and not remote.is_heard and said[-1] == "closed"
    remote.wait(0.0)
    assert remote.file.state == "going"
    for about in ({"address": None}, {"host": "another"}):
        silent = Remote(replace(remote.file, **about))
        silent.request("dance")
        silent.request("stop")
        assert silent.picture() is None and run_files.asked(1) == "stop" and not silent.requests
