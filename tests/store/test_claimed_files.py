"""Files that somebody is at work on are known to be so, for as long as the process lives."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from nimtui.store import StoreError, claims
from nimtui.store.sweeps import Log


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


def test_an_open_sweep_is_in_use(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    with Log.create(path, {"grid": {}}):
        assert claims.is_claimed(path)
    assert not claims.is_claimed(path)


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


def test_where_nothing_can_be_claimed_one_goes_on_without(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    assert claims.claim(tmp_path / "file" / "run.npz") is None
