"""Several processes at one file: it is set aside once, played by one, and free after its death."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from time import sleep

import pytest

from nimtui.store import StoreError, claims, files, tournaments
from nimtui.store.database import Database
from tests.store.sample import beside, child, games, said


@pytest.mark.slow
def test_several_processes_set_a_damaged_one_aside_once(path: Path) -> None:
    path.parent.mkdir()
    path.write_bytes(b"no database " * 1000)
    code = "saved_games.save_game(db, 'nim:1,2', 'human', 'perfect', row(1))\nsay(len(db.faults))"
    lines = [said(process) for process in [child(code, path) for _ in range(4)]]
    assert sorted(line for (line,) in lines) == ["0", "0", "0", "1"]
    assert games(path) == 4  # closed alone: of processes that end at once, SQLite may let the last leave its journal
    assert beside(path) == ["nimtui.damaged-1.sqlite", "nimtui.sqlite"]


@pytest.mark.slow
def test_only_one_process_plays_it_and_death_sets_it_free(db: Database, path: Path) -> None:
    pytest.importorskip("fcntl")
    process = child("kept = begin(db)\nsay(kept.id)\nsys.stdin.read()", path)
    assert process.stdout is not None
    assert process.stdout.readline() == "1\n"
    assert tournaments.info(db, 1).state == "running"
    for way in (lambda: tournaments.resume(db, 1), lambda: tournaments.resume(db)):
        with pytest.raises(StoreError, match="tournament 1 is in use by another nimtui"):
            way()
    with pytest.raises(StoreError, match="tournament 1 is being played: stop it first"):
        tournaments.delete(db, 1)
    process.kill()
    process.communicate(timeout=60)
    assert tournaments.info(db, 1).state == "stopped"
    with tournaments.resume(db) as kept:
        assert (kept.id, kept.info.state) == (1, "running")
    assert list((path.parent / "nimtui.sqlite-locks").iterdir()) == []


def test_whoever_dies_is_at_work_no_more(tmp_path: Path) -> None:
    path = tmp_path / "run.npz"
    code = (
        f"import os, pathlib; from nimtui.store import claims; claims.claim(pathlib.Path({str(path)!r})); os._exit(9)"
    )
    root = Path(__file__).resolve().parents[2]
    done = subprocess.run([sys.executable, "-c", code], env={**os.environ, "PYTHONPATH": str(root)}, check=False)
    assert done.returncode == 9 and not claims.is_claimed(path)
    claim = claims.claim(path)
    assert claim is not None
    claim.release()


def test_writing_into_a_full_pipe_waits_for_its_reader(tmp_path: Path) -> None:
    os.mkfifo(pipe := tmp_path / "pipe")
    reader, read = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK), 0
    with ThreadPoolExecutor(1) as pool:
        written = pool.submit(files.replace, pipe, lambda file: file.write(b"x" * 300_000))
        while read < 300_000 and not (written.done() and written.exception()):
            if not read:
                sleep(0.05)  # it is full, and the writer waits
            with suppress(BlockingIOError):
                read += len(os.read(reader, 300_000))
        written.result()
    os.close(reader)
    assert read == 300_000
