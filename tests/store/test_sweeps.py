"""A file of results loses nothing that was finished, and is known to be in use while somebody has it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from nimtui.store import StoreError, claims
from nimtui.store.sweeps import FORMAT, Log

ENTRIES = [{"learner": "quality:margin=50", "accuracy": 0.1 + number / 7, "perfect": None} for number in range(5)]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "sweep.jsonl"
    with Log.create(path, {"game": "nim:1,2"}) as log:
        log.append(ENTRIES[:2])
        log.append(ENTRIES[2:])
    return path


def test_what_was_kept_is_there_again_and_two_cannot_write_at_once(path: Path) -> None:
    with Log(path) as log, pytest.raises(StoreError, match="in use by another nimtui"):
        assert (log.header["game"], log.entries, log.fault) == ("nim:1,2", ENTRIES, "")
        log.append([{"more": 1}])
        Log(path)
    with Log(path) as log:
        assert log.entries == [*ENTRIES, {"more": 1}]
    assert [json.loads(line)["nimtui"] for line in path.read_text().splitlines()[:1]] == ["sweep"]


@pytest.mark.parametrize("cut", [1, 2, 10, 60])
def test_a_torn_last_line_does_not_count(path: Path, cut: int) -> None:
    whole = path.read_bytes()
    path.write_bytes(whole[:-cut])
    with Log(path) as log:
        assert log.entries == ENTRIES[:-1]
        log.append(ENTRIES[-1:])
    assert path.read_bytes() == whole


def test_each_flipped_bit_is_noticed_and_the_file_left_alone(path: Path) -> None:
    whole = path.read_bytes()
    for place in range(0, len(whole) - 1, 3):
        damaged = bytearray(whole)
        damaged[place] ^= 1
        path.write_bytes(damaged)
        try:
            with Log(path) as log:
                assert log.entries == ENTRIES[: len(log.entries)]  # a line break that is none tears the last line
                assert len(log.entries) == len(ENTRIES) - 1
        except StoreError as fault:
            assert "\n" not in str(fault) and str(path) in str(fault)
            line = 1 + whole[:place].count(b"\n")
            if "damaged" in str(fault) and whole[place] != ord("\n"):
                assert str(fault).endswith(f"is damaged in line {line}")
        assert path.read_bytes() == damaged


def test_any_other_file_is_refused_and_one_that_is_there_not_begun_anew(path: Path, tmp_path: Path) -> None:
    for content, said in (
        (b"", "is empty"),
        (b"PK\x03\x04 a zip", "is not a sweep of nimtui"),
        (b"\xff\xfe" * 100, "is not a sweep of nimtui"),
        (f'{{"nimtui":"sweep","format":{FORMAT + 1},"sum":0}}\n'.encode(), "was written by a newer nimtui"),
        (b'{"nimtui":"sweep","format":1', "is damaged in line 1"),
        (b'{"nimtui":"sweep"}\n', "is damaged in line 1"),
    ):
        (tmp_path / "other").write_bytes(content)
        with pytest.raises(StoreError, match=said):
            Log(tmp_path / "other")
        assert (tmp_path / "other").read_bytes() == content
    before = path.read_bytes()
    with pytest.raises(StoreError, match="already exists"):
        Log.create(path, {})
    assert path.read_bytes() == before
    with pytest.raises(StoreError, match="there is no file"):
        Log(tmp_path / "nowhere")
    with pytest.raises(StoreError, match="cannot be written"):
        Log(tmp_path)


def test_a_full_disk_is_told_and_what_it_refused_is_written_later(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    with Log(path) as log:
        with monkeypatch.context() as broken:
            broken.setattr(os, "fsync", full)
            log.append([{"number": 1}])
            assert log.fault == f"{path} cannot be written: no space left on device"
        log.append([{"number": 2}])
        assert log.fault == ""
    with Log(path) as log:
        assert log.entries == [*ENTRIES, {"number": 1}, {"number": 2}]


def test_a_claim_is_seen_and_leaves_nothing_behind(tmp_path: Path) -> None:
    path = tmp_path / "run.npz"
    path.write_bytes(b"1")
    assert not claims.is_claimed(path)
    claim = claims.claim(path)
    assert claim is not None and claims.is_claimed(path)
    link = tmp_path / "link.npz"
    link.symlink_to(path)
    for name in (path, link):
        with pytest.raises(StoreError, match=f"{name.name} is in use by another nimtui: stop that one first"):
            claims.claim(name)
    link.unlink()
    claim.release()
    assert not claims.is_claimed(path) and list(tmp_path.iterdir()) == [path]
    with Log.create(tmp_path / "s.jsonl", {"grid": {}}) as log:
        assert claims.is_claimed(log.path)
    assert not claims.is_claimed(log.path)
    (tmp_path / "file").write_text("in the way")
    assert claims.claim(tmp_path / "file" / "run.npz") is None, "it is kept without a claim"


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
