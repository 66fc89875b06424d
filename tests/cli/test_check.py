"""`nimtui games check` reads everything kept; a full disk and a read-only home are said in one line."""

from __future__ import annotations

import json
import os
import shutil
import sys
from contextlib import closing
from pathlib import Path

import pytest

from nimtui.cli import names
from nimtui.store import connections
from tests import forks
from tests.cli.conftest import Nimtui

LIMITED = """
import resource, runpy
resource.setrlimit(resource.RLIMIT_FSIZE, ({limit}, {limit}))
runpy.run_module("nimtui", run_name="__main__", alter_sys=True)
"""
TOURNAMENT = "tournament nim:3,4,5 -a random -a perfect -a easy --games 20 --headless"


@pytest.fixture
def home(nimtui: Nimtui, tmp_path: Path) -> Path:
    """A home with something of everything."""
    home = tmp_path / "home"
    (home / "tables").mkdir(parents=True)
    (home / "sweeps").mkdir()
    assert nimtui(TOURNAMENT).status == 0
    assert nimtui(f"train tower:16 --games 100 --save {home / 'tables' / 'x.npz'}").status == 0
    sweep = (
        f"sweep nim:3,5 --learner quality --grid margin=50 --repeats 2 --games 50 --workers 1 --save {home}/sweeps/s"
    )
    assert nimtui(f"{sweep}.jsonl").status == 0
    (home / "settings.json").write_text('{"pace": 1}')
    return home


def flip(path: Path, at: int) -> None:
    whole = bytearray(path.read_bytes())
    whole[at] ^= 4
    path.write_bytes(whole)


@pytest.mark.slow
def test_all_is_well_and_then_each_damage_is_a_line(nimtui: Nimtui, home: Path) -> None:
    well = nimtui("games check --json")
    assert well.status == 0 and well.document["damaged"] == []
    counts = well.document["checked"]
    assert (counts["games"], counts["tournaments"], counts["tables"], counts["sweeps"]) == (60, 1, 1, 1)
    assert "60 games" in nimtui("games check").out

    flip(home / "tables" / "x.npz", 2000)
    flip(home / "sweeps" / "s.jsonl", 250)
    (home / "settings.json").write_text('{"pace": "x"}')
    with closing(connections.connect(home / "nimtui.sqlite")) as other:
        other.execute("UPDATE games SET moves = x'0102' WHERE pairing = 2 AND number = 10")
        other.execute("UPDATE agents SET name = 'eazy' WHERE name = 'easy'")
    before = {path: path.read_bytes() for path in home.rglob("*") if path.is_file() and "-shm" not in path.name}
    found = nimtui("games check --json")
    assert found.status == 1
    assert [(one["what"], Path(one["id"]).name) for one in found.document["damaged"]][:5] == [
        ("table", "x.npz"),
        ("sweep", "s.jsonl"),
        ("settings", "settings.json"),
        ("agent name", "3"),
        ("game", "2:11"),
    ]
    lines = nimtui("games check").out.splitlines()
    assert ["damaged:", "game", "2:11", "its", "checksum", "is", "wrong"] in map(str.split, lines)
    assert {path: path.read_bytes() for path in before} == before
    listed = nimtui("games list --limit 100")
    assert listed.err == "nimtui: game 2:11 is damaged and left out: its checksum is wrong\n" and listed.status == 0
    assert nimtui("games show 2:11").err == "nimtui: game 2:11 is damaged: its checksum is wrong\n"
    assert nimtui(f"games export --to {home / 'all.txt'}").status == 1


@pytest.mark.slow
def test_a_damaged_database_is_read_where_it_lies(nimtui: Nimtui, home: Path) -> None:
    path = home / "nimtui.sqlite"
    path.write_bytes(bytes(4096) + path.read_bytes()[4096:])
    whole = path.read_bytes()
    found = nimtui("games check --json")
    assert found.status == 1 and found.document["checked"]["games"] == 60
    assert [one["what"] for one in found.document["damaged"]] == ["database"]
    assert path.read_bytes() == whole and not list(home.glob("*damaged*"))
    listed = nimtui("games list")
    assert (
        "all 60 games were copied to a new database" in listed.err
        and listed.err.count("\n") == 1
        and listed.status == 0
    )


def process(home: Path, words: str, limit: int | None = None, powers: str = "") -> tuple[int, str, str]:
    """A command in a process of its own; no file of it grows beyond `limit` bytes."""
    program = ("-m", "nimtui") if limit is None else ("-c", LIMITED.format(limit=limit))
    done = forks.run(
        [*powers.split(), sys.executable, *program, *words.split()],
        env={**os.environ, "NIMTUI_HOME": str(home)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        "tournament tower:16 -a random -a perfect --games 3000 --headless --json",
        "match tower:16 --first random --second perfect --games 3000 --save --json",
    ],
)
def test_on_a_full_disk_the_last_line_says_how_many_games_are_saved(tmp_path: Path, words: str) -> None:
    status, out, err = process(tmp_path, words, 250_000)
    saved = json.loads(out)["saved_games"]
    assert status == 1 and saved < 3000
    last = err.splitlines()[-1]
    assert f"it may be full: {saved:,} of 3,000 games are saved; nimtui tournament --resume 1 plays the others" in last
    status, out, err = process(tmp_path, "tournament --resume 1 --json")
    assert (status, json.loads(out)["saved_games"], json.loads(out)["games"]) == (0, 3000, 3000)


@pytest.mark.slow
def test_where_nothing_can_be_saved_that_is_said_last(tmp_path: Path) -> None:
    words = "tournament tower:16 -a random -a perfect --games 20 --headless"
    status, out, err = process(tmp_path, f"{words} --json", 10_000)
    assert (status, json.loads(out)["saved_games"], json.loads(out)["id"]) == (1, 0, None)
    assert err.splitlines()[-1].endswith("it may be full: none of 20 games are saved")
    assert json.loads(process(tmp_path, f"{words} --json --no-save", 10_000)[1])["saved_games"] is None


@pytest.mark.slow
def test_a_read_only_home_is_shown(home: Path, tmp_path: Path) -> None:
    powers = ""
    if os.geteuid() == 0:  # who may write whatever is forbidden, unless that power is given up
        if shutil.which("setpriv") is None:
            pytest.skip("root writes everywhere")
        powers = "setpriv --inh-caps=-all --bounding-set=-all"
    folders = [path for path in (home, *home.rglob("*")) if path.is_dir()]
    before = sorted(home.rglob("*"))
    for folder in folders:
        folder.chmod(0o555)
    try:
        for words in ("games list", "games show 1:4", "games export", f"table {home}/tables/x.npz", "games check"):
            status, out, err = process(home, words, powers=powers)
            assert (status, err) == (0, "") and out
        assert sorted(home.rglob("*")) == before
        for words in ("tournament --resume 1", "match nim:3,4 --first random --second random --save"):
            status, out, err = process(home, words, powers=powers)
            assert (status, out) == (1, "")
            assert err == f"nimtui: {home / 'nimtui.sqlite'} cannot be written: permission denied\n"
        status, out, err = process(home / "tables" / "new", "games list", powers=powers)
        assert (status, out, err) == (0, "no games saved yet\n", "")
    finally:
        for folder in folders:
            folder.chmod(0o755)


@pytest.mark.parametrize("words", ["config", "solve nim:3,4", "keys", "match nim:3 --first random --second random"])
def test_a_home_that_may_not_be_looked_into_is_no_fault(
    nimtui: Nimtui, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: str
) -> None:
    home, stat = tmp_path / "home", Path.stat

    def refused(self: Path, **more: bool) -> os.stat_result:
        if self == home or home in self.parents:
            raise PermissionError(13, "Permission denied", str(self))
        return stat(self, **more)

    monkeypatch.setattr(Path, "stat", refused)
    names.own_files.cache_clear()
    answer = nimtui(words)
    assert answer.status == 0 and answer.out
