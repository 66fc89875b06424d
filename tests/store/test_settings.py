"""Settings and saved set-ups that last, what becomes of a file that is not right, and what was set aside."""

from __future__ import annotations

import errno
import json
import math
import os
from hashlib import sha256
from pathlib import Path
from zlib import crc32

import pytest

from nimtui.store import StoreError, errors, files, paths, settings, setups
from nimtui.store.claims import Claim
from nimtui.store.errors import Unwritable
from nimtui.store.settings import Glyphs, Settings


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("NIMTUI_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def written(content: str | bytes) -> Path:
    path = paths.settings()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def test_without_a_file_there_are_the_defaults_and_what_is_saved_comes_back(home: Path) -> None:
    assert settings.load() == (Settings(), []) and not home.exists()
    told = (Path(__file__).parents[2] / "docs" / "runs.md").read_text()
    assert f"for at most {Settings().background_hours} hours (`background_hours`" in told
    mine = Settings(theme="nord", glyphs=Glyphs.ASCII, animation=False, pace=2.5, slow=True)
    settings.save(mine)
    assert settings.load() == (mine, [])
    for pace, hours in ((0, 1), (60, 168), (0.25, 9)):
        settings.save(Settings(pace=pace, background_hours=hours))
        assert settings.load() == (Settings(pace=pace, background_hours=hours), [])
    assert [path.name for path in home.iterdir()] == ["settings.json"]
    assert isinstance(settings.load()[0].glyphs, Glyphs)


@pytest.mark.parametrize("content", [b"", b"{", b"\xff", b"[]", b"3", b"[" * 10**5, b'{"format":"x"}', b'{"format":0}'])
def test_a_damaged_file_is_set_aside_as_it_is_and_named(home: Path, content: bytes) -> None:
    path = written(content)
    found, faults = settings.load()
    assert found == Settings()
    assert len(faults) == 1 and "\n" not in faults[0]
    assert str(path) in faults[0] and "settings.damaged-1.json" in faults[0]
    assert (home / "settings.damaged-1.json").read_bytes() == content
    assert not path.exists()
    written("{")
    settings.load()
    assert (home / "settings.damaged-1.json").read_bytes() == content
    assert (home / "settings.damaged-2.json").read_bytes() == b"{"
    written('{"format": 2, "theme": "nord"}')
    found, faults = settings.load()
    assert found == Settings() and "newer" in faults[0] and (home / "settings.damaged-3.json").exists()
    written('{"format": 1, "slow": true, "sound": 3}')  # unknown names are passed over
    assert settings.load() == (Settings(slow=True), [])


def test_a_value_that_cannot_be_is_named_and_the_others_stay() -> None:
    for name, values in {
        "pace": (-1, 60.5, "fast", True, float("nan"), float("inf")),
        "background_hours": (0, 169, 8.0),
        "glyphs": ("emoji", 1),
        "animation": ("yes",),
        "slow": (0,),
        "theme": ("", "a\nb", None, ["x"] * 500),
    }.items():
        for value in values:
            path = written(json.dumps({"theme": "nord", "animation": False} | {name: value}))
            found, faults = settings.load()
            assert getattr(found, name) == getattr(Settings(), name)
            assert len(faults) == 1 and name in faults[0] and "\n" not in faults[0] and len(faults[0]) < 200
            assert name == "theme" or found.theme == "nord"
            assert path.exists()


def test_an_invalid_value_is_told_with_what_would_be_right_and_whether_it_was_saved() -> None:
    assert not settings.has("pace")
    for name, limits, wrong, right in (
        ("theme", ["x", "x" * 64], ["", "a\nb", None, ["x"] * 500, "x" * 65], "a theme's name"),
        ("glyphs", ["sextants"], ["emoji", 1], "auto or unicode or sextants or ascii"),
        ("pace", [0, 60], [-1, 60.1, "fast", True, math.nan, math.inf], "a number of seconds from 0 to 60"),
        ("level", ["easy", "perfect"], ["random"], "easy or medium or hard or perfect"),
        ("background", ["never", "always"], ["often"], "never or ask or always"),
        ("background_hours", [1, 168], [0, 169, 8.0], "a whole number of hours from 1 to 168"),
        ("notify", ["off", "osc777"], ["sms"], "off or bell or osc9 or osc777"),
        *((name, [True, False], ["yes", 0, 1], "true or false") for name in ("animation", "slow", "unchecked")),
    ):
        for value in limits:
            written(json.dumps({name: value}))
            assert settings.load() == (Settings().changed(**{name: value}), []) and settings.has(name)
            assert not settings.has("format")
        for value in wrong:
            path = written(json.dumps({"pace": 2.5, name: value}))
            usual = json.dumps(getattr(Settings(), name))
            told = f"setting {name} must be {right}, not {json.dumps(value)[:40]}; {usual} is used"
            assert settings.load() == (Settings() if name == "pace" else Settings(pace=2.5), [told])
            with pytest.raises(StoreError) as fault:
                settings.read(path)
            assert str(fault.value) == f"{path} {told}"
    written("{")
    assert settings.has("slow") and "; the defaults are used" in settings.load(aside=False)[1][0] and path.exists()


def test_a_file_that_cannot_be_read_or_set_aside_is_named_and_left(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (home / "settings.json").mkdir(parents=True)
    found, faults = settings.load()
    assert found == Settings() and "cannot be read" in faults[0]
    with pytest.raises(StoreError, match="cannot be written"):
        settings.save(Settings())
    (home / "settings.json").rmdir()
    os.mkfifo(paths.settings())
    assert "it is a pipe, not a file" in settings.load()[1][0]
    paths.settings().unlink()

    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "rename", refuse)
    path = written("{")
    found, faults = settings.load()
    assert found == Settings() and "cannot be set aside" in faults[0]
    assert path.read_text() == "{"


def test_the_home_is_the_platforms_or_the_one_named(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert paths.home() == home
    assert paths.games() == home / "games" and paths.tables() == home / "tables"
    monkeypatch.setenv("NIMTUI_HOME", "~/n")
    assert paths.home() == Path.home() / "n"
    monkeypatch.setenv("NIMTUI_HOME", " ")
    monkeypatch.setenv("XDG_DATA_HOME", str(home))
    assert paths.home().name == "nimtui"


def test_keys_are_read_from_tables_and_dots(home: Path) -> None:
    assert settings.read_keys() == ([], [])
    paths.keys().parent.mkdir()
    paths.keys().write_text('a.b = "f1"\nc = ["x", "y"]\nd = []\ne = 3\n[a]\nb2 = "z"\n[f]\ng = ["1", 2]\n')
    assert settings.read_keys()[1][0].startswith(f"{paths.keys()} is no TOML (")  # `a` is declared twice
    paths.keys().write_text(f'c = ["x", "y"]\nd = []\ne = 3\nm = {["k"] * 8}\nn = {["k"] * 9}\no=[2]\n[a]\nb = "f1"\n')
    lines, faults = settings.read_keys()
    assert lines == [("c", ("x", "y")), ("m", ("k",) * 8), ("a.b", ("f1",))]
    assert [fault.split(" must be ")[0] for fault in faults] == [f"keys.toml: {key}" for key in "deno"]


# Saved set-ups: what comes back, whose files are whose, and what happens to a file that is damaged.


DOCUMENT = {"games": ["tower:16"], "agents": ["easy", "hard"], "number": 100, "sprt": None}


def test_saved_setups_come_back_the_last_one_first(monkeypatch: pytest.MonkeyPatch) -> None:
    assert setups.saved_setups() == ([], [])
    first = setups.save("learners", DOCUMENT)
    setups.save("Große Runde / Nr. 2", {**DOCUMENT, "number": 7})
    os.utime(first, (1, 1))
    found, faults = setups.saved_setups()
    assert not faults
    assert [(saved.name, saved.document["number"]) for saved in found] == [
        ("Große Runde / Nr. 2", 7),
        ("learners", 100),
    ]
    assert found[1].document == DOCUMENT and found[1].path.name == "learners.json"
    told = {"nimtui": "setup", "format": 1, "name": "learners", "setup": DOCUMENT}
    assert first.read_text() == json.dumps(told, indent=2) + "\n"
    with pytest.raises(StoreError, match=r"^there is no file .*gone\.json$"):
        setups.load(first.with_name("gone.json"))
    for _ in range(2):
        setups.delete(found[1])  # once more changes nothing
    assert setups.saved_setups() == (found[:1], []) and not setups.taken("learners")
    assert setups.save(found[1].name, found[1].document) == first
    with monkeypatch.context() as patch:
        patch.setattr(Path, "glob", _full)
        assert setups.saved_setups() == ([], [])


@pytest.mark.parametrize(("name", "stem"), [
     ("../../etc/passwd", "etc-passwd"), ("a/b", "a-b"), ("a\\b", "a-b"), (".hidden", "hidden"), ("con", "con"),
     ("lpt1-x", "lpt1-x"), ("ÄÖÜ", ""), ("x" * 61, "x" * 60), ("A-B", "a-b"), ("-", ""), ("a\nb", "a-b")
])  # fmt: skip
def test_any_name_makes_a_file_in_the_folder_and_no_other_names_file(name: str, stem: str) -> None:
    path = setups.save(name, DOCUMENT)
    assert path == setups.folder() / f"setup-{stem}-{crc32(name.encode()):08x}.json"
    assert setups.load(path).name == name
    assert {setups.path_of(plain).stem for plain in ("a-b", "x" * 60)} == {"a-b", "x" * 60}


def test_another_set_up_is_never_replaced_unasked() -> None:
    path = setups.save("mine", DOCUMENT)
    with pytest.raises(StoreError, match="'mine' already"):
        setups.save("mine", {})
    assert setups.load(path).document == DOCUMENT
    setups.save("mine", {"number": 1}, replace=True)
    assert setups.load(path).document == {"number": 1}
    with pytest.raises(StoreError, match="needs a name"):
        setups.save(" ", DOCUMENT)


@pytest.mark.parametrize("text", [
    b"", b"\xff\xfe", b"[1, 2]", b"{", b"[" * 100_000, b'{"nimtui": "setup", "format": 1, "name": "", "setup": {}}',
    b'{"nimtui": "setup", "format": 1, "name": "a", "setup": 3}',
    b'{"nimtui": "setup", "format": 1, "name": 3, "setup": {}}',
    b'{"nimtui": "sweep", "format": 1, "name": "a", "setup": {}}',
])  # fmt: skip
def test_a_damaged_setup_is_named_and_set_aside_as_it_is_and_a_newer_one_stays(text: bytes) -> None:
    setups.save("good", DOCUMENT)
    odd = setups.folder() / "odd.json"
    odd.write_bytes(text)
    found, [fault] = setups.saved_setups()
    assert [saved.name for saved in found] == ["good"]
    assert str(odd) in fault and "odd.damaged-1.json" in fault and "\n" not in fault
    assert (setups.folder() / "odd.damaged-1.json").read_bytes() == text
    setups.delete(found[0])
    assert setups.saved_setups() == ([], [])  # said once
    path = setups.save("new", DOCUMENT)
    path.write_text(json.dumps({**json.loads(path.read_text()), "format": 2}))
    found, [fault] = setups.saved_setups()
    assert not found and "newer nimtui" in fault and path.exists()


def test_a_folder_that_cannot_be_made_is_said_in_one_line(home: Path) -> None:
    home.mkdir()
    (home / "setups").write_text("a file")
    with pytest.raises(StoreError, match="cannot be written"):
        setups.save("mine", DOCUMENT)
    assert setups.saved_setups() == ([], [])


# What was set aside is named until it was seen, and a refused file is named, not the one that was to become it.


def test_what_was_set_aside_is_named_until_it_was_seen(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home.mkdir()
    assert files.unseen_asides() == [] and files.lines_of_asides([]) == []
    paths.settings().write_text("{")
    settings.load()
    (home / "tables").mkdir()
    (home / "tables" / "mine.damaged-1.npz").write_bytes(b"")
    (home / "nimtui.damaged-1.sqlite-wal").write_bytes(b"")  # beside a database, no file of its own
    named = [home / "settings.damaged-1.json", home / "tables" / "mine.damaged-1.npz"]
    assert files.unseen_asides() == named == files.unseen_asides()
    assert files.lines_of_asides(named) == [f"damaged, set aside, and not yet looked at: {named[0]}, {named[1]}"]
    assert files.lines_of_asides([*named, *named])[0].endswith(" and 1 more")
    files.see_asides(named[:1])
    assert files.unseen_asides() == named[1:]
    with monkeypatch.context() as broken:
        broken.setattr(os, "fsync", _full)
        files.see_asides(named[1:])
        assert files.unseen_asides() == named[1:], "without room they are named again"
    files.see_asides(named[1:])
    assert files.unseen_asides() == []
    seen = home / files.SEEN_ASIDES
    for size, unseen in ((1 << 20, []), ((1 << 20) + 1, named)):
        seen.write_bytes(seen.read_bytes().ljust(size, b"x"))
        assert files.unseen_asides() == unseen, "a larger file is not of nimtui"


def test_a_name_is_a_files_without_the_space_around_it_if_no_system_forbids_it() -> None:
    for name in ("a" * files.LONGEST, "ä" * (files.LONGEST // 2), " mine ", "a.b", "-"):
        assert files.valid_stem(name) == name.strip()
    for name in ("a" * (files.LONGEST + 1), "ä" * 101, "", " ", ".mine", "a/b", "a\\b", "a\nb", "c:"):
        with pytest.raises(StoreError, match="invalid file name"):
            files.valid_stem(name)


def test_a_pipe_is_written_into_and_waits_for_its_reader(home: Path) -> None:
    home.mkdir()
    os.mkfifo(home / "pipe")
    with pytest.raises(Unwritable, match="pipe cannot be written: it is a socket, or a pipe that nobody reads"):
        files.replace(home / "pipe", lambda file: file.write(b"1"))
    reader = os.open(home / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    files.replace(home / "pipe", lambda file: file.write(b"%d" % os.get_blocking(file.fileno())))
    assert os.read(reader, 9) == b"1" and [*home.iterdir()] == [home / "pipe"]
    os.close(reader)


def test_what_a_killed_writer_left_goes_after_an_hour(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (home / "a").mkdir(parents=True)
    monkeypatch.setattr(files, "time", lambda: 10_000.0)
    old = {".y.3.tmp": 9999, ".x.4.txt": 9999, "x.5.tmp": 9999}
    for name, age in {".x.1.tmp": 3601, ".x.2.tmp": 3600, **old}.items():
        (home / "a" / name).touch()
        os.utime(home / "a" / name, (10_000 - age,) * 2)
    files.replace(home / "a" / "x", lambda file: file.write(b"new"))
    assert {path.name for path in (home / "a").iterdir()} == {"x", ".x.2.tmp", *old}


def test_a_long_text_is_stored_once_under_the_hash_of_its_content(home: Path) -> None:
    name = files.keep_text("((1,2),3)")
    assert name == sha256(b"((1,2),3)").hexdigest()[:10] and files.find_text(name) == "((1,2),3)"
    [stored] = paths.texts().iterdir()
    assert stored.name == f"{name}.txt" and files.keep_text("((1,2),3)") == name
    stored.write_text("((1,2),4)")
    assert files.find_text(name) is None and files.find_text("gone") is None
    assert files.keep_text("((1,2),3)") == name and files.find_text(name) == "((1,2),3)", "written again"
    stored.unlink()
    stored.mkdir()
    assert files.keep_text("((1,2),3)") is None
    (home / "file").touch()
    assert files.listed(home / "file") == [] and files.listed(home) != []


def test_a_refused_file_or_lock_is_named_by_what_it_was_to_become(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home.mkdir()
    with monkeypatch.context() as broken:
        broken.setattr(os, "fsync", _full)
        with pytest.raises(Unwritable) as refused:
            files.create(home / "mine.py", lambda file: file.write(b"1"))
    assert str(refused.value) == f"{home / 'mine.py'} cannot be written: no space left on device"
    assert list(home.iterdir()) == []
    (home / "process.locks").write_text("in the way")
    with pytest.raises(Unwritable, match=r"nimtui\.sqlite cannot be written: .*locks is a file, not a folder"):
        Claim(home / "process.locks" / "opening", paths.database(), "taken")


def test_what_is_in_the_way_of_a_folder_is_named(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home.mkdir()
    os.mkfifo(home / "pipe")
    (home / "letter").touch()
    for name, target in (("lost", "gone"), ("link", "."), ("alias", "letter")):
        (home / name).symlink_to(home / target)
    for name, said in (
        ("letter", "is a file, not a folder"), ("alias", "is a file, not a folder"), ("link", ""), ("gone", ""),
        ("pipe", "is a pipe, not a folder"), ("lost", "is a link that leads nowhere"),
    ):  # fmt: skip
        assert errors.in_the_way(home / name / "_" / "_") == (f"{home / name} {said}" if said else "")
        for within in (home / name, home / name / "within") if said else ():
            monkeypatch.setenv("NIMTUI_HOME", str(within))
            with pytest.raises(StoreError, match=f"^{within} cannot be written: {home / name} {said}$"):
                settings.save(settings.Settings())
    assert errors.in_the_way(Path("/")) == ""
    taken = errors.unwritable(home, FileExistsError(errno.EEXIST, "File exists"))
    assert str(taken) == f"{home} cannot be written: file exists" and errors.system_reason(OSError("Odd")) == "odd"
    errors.check_version(home, "2", 1)  # no number, so no newer one


def _full(*_: object) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
