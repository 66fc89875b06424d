"""Stored verdicts: a damaged one is none."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from nimtui.check import verdict as verdict_cache
from nimtui.check.verdict import Check, Imported, Request, Verdict
from nimtui.process.plugins import OwnFile
from nimtui.store import paths


@pytest.mark.parametrize("number", [10**400, float("inf"), float("nan"), None, "soon", []])
@pytest.mark.parametrize("key", ["at", "waits", "imports"])
def test_a_damaged_verdict_on_a_late_file_is_none(
    key: str, number: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(verdict_cache.PLACE, str(tmp_path))
    file = tmp_path / "slow.py"
    request = Request(OwnFile("game", file, b""))
    late = Verdict(False, False, (Check("load", False, "late"),), certain=False, late=True)
    verdict_cache.keep_verdict(request, late._replace(imports=(Imported.now(str(file)),)))
    assert verdict_cache.find_verdict(request) is not None
    for stored in (*paths.verdicts().glob("*.json"), *tmp_path.glob("*.json")):
        keys = json.loads(stored.read_text())
        keys[key] = [[str(file), number, -1]] if key == "imports" else number
        stored.write_text(json.dumps(keys))
    assert verdict_cache.find_verdict(request) is None
