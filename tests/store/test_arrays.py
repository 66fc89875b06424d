"""Files of arrays and of results: whole or not there, never believed when damaged; and locks on files."""

from __future__ import annotations

import errno
import io
import json
import math
import os
import random
import re
import struct
import zipfile
from collections.abc import Callable
from hashlib import sha256
from itertools import product
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from zlib import crc32

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from nimtui.errors import InputError
from nimtui.foreign import reading
from nimtui.signs import visible
from nimtui.store import StoreError, arrays, claims, setups, sweeps
from nimtui.store import settings as settings_file
from nimtui.store.files import contents
from nimtui.store.sweeps import FORMAT, Log
from tests.examples import TIMES, examples
from tests.opened import open_files, opened_since

HEADER = {"game": "nim:1,3", "é": float("inf"), "curve": [[0, 0.188], [1, 0.2]], "rng": (1 << 64) - 1}
ARRAYS = {
    "scores": np.arange(-40, 40, dtype=np.int32),
    "boards": np.arange(12, dtype=np.int16).reshape(3, 4),
    "nothing": np.empty(0, np.int64),
}


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    path = tmp_path / "a table.npz"
    arrays.save(path, HEADER, ARRAYS)
    return path


def refused(path: Path) -> str:
    """The one line with which a file is refused; it must be as it was."""
    before = path.read_bytes()
    with pytest.raises(StoreError) as fault:
        arrays.load(path)
    assert path.read_bytes() == before
    line = str(fault.value)
    assert "\n" not in line and str(path) in line
    return line


def same(found: dict[str, np.ndarray], given: dict[str, np.ndarray]) -> bool:
    return found.keys() == given.keys() and all(
        found[name].dtype == given[name].dtype and np.array_equal(found[name], given[name]) for name in given
    )


def test_what_is_saved_comes_back_and_may_be_written_to(kept: Path) -> None:
    header, found = arrays.load(kept)
    assert header == HEADER == arrays.head(kept)
    assert same(found, ARRAYS)
    found["scores"][0] = 7
    with zipfile.ZipFile(kept) as archive:
        assert archive.namelist() == ["header.json", *(f"{name}.npy" for name in ARRAYS), "sha256"]
        assert {member.extract_version for member in archive.infolist()} == {45}, "room for members of 4 GB"
        assert archive.read("header.json") == json.dumps({"nimtui": 1, "header": HEADER}, ensure_ascii=False).encode()
    with pytest.raises(StoreError, match="already exists"):
        arrays.save(kept, {}, {}, new=True)


@settings(max_examples=examples(30), deadline=None)
@given(
    data=hnp.arrays(
        st.sampled_from(["<i1", "<i2", "<i4", "<i8", "<u8", "<f4", "<f8", "|b1"]),
        hnp.array_shapes(min_dims=1, max_dims=3, max_side=5),
        elements=None,
    )
)
def test_every_array_of_numbers_makes_the_round_trip(
    tmp_path_factory: pytest.TempPathFactory, data: np.ndarray
) -> None:
    path, other = (tmp_path_factory.getbasetemp() / name for name in ("trip.npz", "other.npz"))
    arrays.save(path, {}, {"data": data})
    found = arrays.load(path)[1]["data"]
    assert (found.dtype, found.shape, found.tobytes()) == (data.dtype, data.shape, data.tobytes())
    arrays.save(other, {}, {"data": found})
    assert other.read_bytes() == path.read_bytes(), "the same content is the same file"
    with np.load(path, allow_pickle=False) as plain:
        assert plain["data"].tobytes() == data.tobytes()


def test_no_objects_are_kept_and_only_plain_arrays_read(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="cannot be saved"):
        arrays.save(tmp_path / "x.npz", {}, {"o": np.array([object()])})
    assert list(tmp_path.iterdir()) == []
    for array in (np.zeros((2, 2)), np.zeros((2, 2), order="F"), np.zeros(2, np.complex64)):
        np.save(npy := io.BytesIO(), array)
        path = sealed(tmp_path / "y.npz", {"nimtui": 1, "header": {}}, npy.getvalue())
        if array.flags.c_contiguous and array.dtype == float:
            assert same(arrays.load(path)[1], {"a": array})
        else:
            assert refused(path) == f"{path} is damaged: an array of type {array.dtype} is not allowed"


def test_whatever_bytes_change_a_file_is_refused_in_a_line_or_unharmed(kept: Path) -> None:
    """In a date or a comment of the zip damage need not be noticed."""
    whole, chance, unnoticed = kept.read_bytes(), random.Random(5), 0
    cut = [whole[:length] for length in range(0, len(whole), 3 if TIMES > 1 else 7)]
    bits = range(0, len(whole), 1 if TIMES > 1 else 5)
    flipped = [whole[:place] + bytes([whole[place] ^ 1 << place % 8]) + whole[place + 1 :] for place in bits]
    begins = [(chance.randrange(len(whole)), chance.randrange(1, 80)) for _ in range(60)]
    torn = [whole[:begin] + chance.randbytes(size) + whole[begin + 80 - size :] for begin, size in begins]
    for damaged in (*cut, *flipped, *torn):
        kept.write_bytes(damaged)
        try:
            header, found = arrays.load(kept)
        except StoreError as fault:
            assert "\n" not in str(fault) and str(kept) in str(fault)
        else:
            assert header == HEADER and same(found, ARRAYS) and damaged not in cut
            unnoticed += 1
        assert kept.read_bytes() == damaged
    assert unnoticed < 100


def of_members(path: Path, members: dict[str, bytes], kind: int = zipfile.ZIP_STORED) -> Path:
    with zipfile.ZipFile(path, "w", kind) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return path


def sealed(path: Path, header: object, array: bytes = b"") -> Path:
    """A file with a digest that is right."""
    members, digest = {"header.json": json.dumps(header).encode(), **({"a.npy": array} if array else {})}, sha256()
    for name, content in members.items():
        digest.update(f"{name} {len(content)}\n".encode() + content)
    return of_members(path, {**members, "sha256": digest.hexdigest().encode()})


def test_foreign_files_other_formats_and_bombs_are_refused(kept: Path) -> None:
    for content, said in ((b"hello", "not a file of nimtui"), (b"\x93NUMPY\x01\x00", "not a file of nimtui"),
                          (b"PK\x03\x04rubbish", "is damaged"), (b"", "empty")):  # fmt: skip
        kept.write_bytes(content)
        assert said in refused(kept)
    np.savez(kept, a=np.arange(3))
    assert "not a file of nimtui" in refused(kept)
    assert arrays.load(sealed(kept, {"nimtui": arrays.FORMAT, "header": {}})) == ({}, {})
    assert "newer" in refused(sealed(kept, {"nimtui": arrays.FORMAT + 1, "header": {}}))
    for header in ({}, [], {"nimtui": "1"}, {"nimtui": 1}, {"nimtui": None}, 3, {"nimtui": 1, "header": [1]}):
        refused(sealed(kept, header))
    assert "size" in refused(of_members(kept, {"header.json": b" " * 50_000_000}, zipfile.ZIP_DEFLATED))
    binary = b"\x93NUMPY\x01\x00" + struct.pack("<H", 2_000) + b"{\x1b\xff" + b"\x9b\x00\x80" * 600 + b"\n" * 197
    said = refused(sealed(kept, {"nimtui": 1, "header": {}}, binary))
    assert said == visible(said) and len(said) < len(str(kept)) + 250, "not repeated whole"


@pytest.mark.parametrize("step", ["fsync", "replace"])
@pytest.mark.parametrize("why", [errno.ENOSPC, errno.EIO, 0])
def test_a_failure_or_an_interrupt_at_any_step_leaves_the_old_file(
    kept: Path, monkeypatch: pytest.MonkeyPatch, step: str, why: int
) -> None:
    def fail(*_: object) -> None:
        raise OSError(why, os.strerror(why)) if why else KeyboardInterrupt

    before = kept.read_bytes()
    monkeypatch.setattr(*((os, "fsync") if step == "fsync" else (Path, "replace")), fail)
    with pytest.raises(StoreError if why else KeyboardInterrupt, match=os.strerror(why).lower() if why else None):
        arrays.save(kept, {}, {})
    assert kept.read_bytes() == before
    assert [path.name for path in kept.parent.iterdir()] == [kept.name]


def test_a_folder_that_is_none_is_refused_and_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for path in (tmp_path / "missing" / "x.npz", tmp_path / "file" / "x.npz", tmp_path):
        with pytest.raises(StoreError, match="cannot be written"):
            arrays.save(path, {}, {})
    with pytest.raises(InputError, match="cannot be read"):
        arrays.load(tmp_path)
    (tmp_path / "link.npz").symlink_to(tmp_path / "real.npz")
    arrays.save(tmp_path / "link.npz", HEADER, {})
    assert (tmp_path / "link.npz").is_symlink()
    assert arrays.load(tmp_path / "real.npz")[0] == HEADER


# Files of ours that a stranger has made: one line says what is wrong, and no more is read than there is room for.


def declaring(path: Path, size: int) -> Path:
    """A zip of one member, whose directory says that it has this size."""
    whole = bytearray(of_members(path, {"header.json": b'{"nimtui": 1, "header": {}}'}).read_bytes())
    struct.pack_into("<II", whole, whole.index(b"PK\x01\x02") + 20, size, size)
    path.write_bytes(whole)
    return path


def test_no_table_of_a_stranger_is_more_than_one_line(tmp_path: Path) -> None:
    (tmp_path / "noise.npz").write_bytes(b"PK\x03\x04" + bytes(range(256)) * 4)
    paths = [
        *(tmp_path / name for name in ("noise.npz", "zero\0byte.npz", "a\nb.npz")),
        of_members(tmp_path / "text.npz", {"header.json": b"\xff\x1b]0;x\x07" * 90}),
        of_members(tmp_path / "deep.npz", {"header.json": b"[" * 200_000}),
        of_members(tmp_path / "list.npz", {"header.json": b'{"nimtui": 1, "header": []}'}),
        of_members(tmp_path / "names.npz", {"\x1b[31m" + "x" * 900: b"", "header.json": b"{}"}),
    ]
    for path, read in product(paths, (arrays.load, arrays.head)):
        with pytest.raises(StoreError) as fault:
            read(path)
        said = str(fault.value)
        assert said == visible(said) and len(said) < len(str(path)) + 250, path.name


def overlapping(path: Path, times: int) -> Path:
    """A zip whose directory names the same bytes again and again."""
    of_members(path, {"header.json": b'{"nimtui": 1, "header": {}}', "a.npy": b"\0" * 100_000})
    whole = path.read_bytes()
    end = whole.rindex(b"PK\x05\x06")
    start = struct.unpack("<I", whole[end + 16 : end + 20])[0]
    directory = whole[start:end]
    last = directory[directory.rindex(b"PK\x01\x02") :]
    more = directory + last * times
    tail = struct.pack("<4sHHHHIIH", b"PK\x05\x06", 0, 0, 2 + times, 2 + times, len(more), start, 0)
    path.write_bytes(whole[:start] + more + tail)
    return path


def test_members_that_share_their_bytes_are_not_read_again_and_again(tmp_path: Path) -> None:
    """Newer versions of Python refuse such a file themselves."""
    with pytest.raises(StoreError, match=r"impossible size|Overlapped entries"):
        arrays.load(overlapping(tmp_path / "a.npz", 5_000))


@pytest.mark.slow
def test_no_file_of_a_stranger_that_is_none_or_has_no_end_is_more_than_one_line(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.npz")
    (tmp_path / "large.npz").write_bytes(b"PK")
    os.truncate(tmp_path / "large.npz", 10**10)
    packed = {"header.json": b'{"a": "' + b" " * 10**8 + b'"}'}
    paths = [*(tmp_path / name for name in ("pipe.npz", "large.npz", ".")), Path("/dev/zero")]
    for path in (*paths, of_members(tmp_path / "bomb.npz", packed, zipfile.ZIP_DEFLATED)):
        for read in (arrays.load, arrays.head):
            with pytest.raises(StoreError) as fault:
                read(path)
            said = str(fault.value)
            assert said == visible(said) and len(said) < len(str(path)) + 250, path.name


def test_members_are_as_large_as_the_file_has_room_for_and_not_packed(tmp_path: Path) -> None:
    length = declaring(path := tmp_path / "a.npz", 0).stat().st_size
    for read, most in ((arrays.head, 100_000_000), (arrays.load, length)):
        for size in (most, most + 1):
            with pytest.raises(StoreError, match=f"^{path} is damaged") as fault:
                read(declaring(path, size))
            assert ("has an impossible size" in str(fault.value)) is (size > most)
        packed = of_members(path, {"header.json": b'{"nimtui": 1, "header": {}}'}, zipfile.ZIP_DEFLATED)
        with pytest.raises(StoreError, match="has an impossible size"):
            read(packed)


@pytest.mark.parametrize(("read", "most"), [
    (arrays.load, 4 * 10**9), (arrays.head, 4 * 10**9), (sweeps.read, 10**9), (sweeps.head, 10**9),
    (sweeps.Log, 10**9), (setups.read, 10**6), (settings_file.read, 10**6),
])  # fmt: skip
def test_only_a_file_is_read_and_only_up_to_its_limit(
    tmp_path: Path, read: Callable[[Path], object], most: int
) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path, why in (
        (tmp_path / "pipe", "a pipe"),
        (Path("/dev/zero"), "a device"),
        (tmp_path, "folder|directory"),
        (tmp_path / "none", f"^there is no file {tmp_path}/none$"),
    ):
        with pytest.raises(StoreError, match=why):
            read(path)
    (path := tmp_path / "large").write_bytes(b"\n")
    for size in (most, most + 1):
        os.truncate(path, size)  # without taking room on the disk
        with pytest.raises(StoreError) as fault:
            read(path)
        assert ("; the limit is " in str(fault.value)) is (size > most)


def test_a_file_that_grows_while_it_is_read_is_not_cut_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "large").write_bytes(b"12345")
    monkeypatch.setattr(reading, "opened", lambda path, most, mode="rb": path.open(mode))  # it was smaller then
    with pytest.raises(StoreError, match="large cannot be read: it is larger than 4 bytes"):
        contents(tmp_path / "large", 4)


# Results that arrive one by one lose nothing that was finished, and whoever has them open is known.


ABOUT = {"game": "nim:1,2", "é": 1}
ENTRIES = [{"learner": "quality:margin=50", "accuracy": 0.1 + number / 7, "perfect": None} for number in range(5)]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "sweep.jsonl"
    with Log.create(path, ABOUT) as log:
        log.append(ENTRIES[:2])
        log.append(ENTRIES[2:])
    return path


def written(keys: dict[str, Any]) -> bytes:
    text = json.dumps(keys, ensure_ascii=False).replace(": ", ":").replace(", ", ",")
    return f'{text[:-1]},"sum":{crc32(text.encode())}}}\n'.encode()


def test_what_was_kept_is_there_again_and_two_cannot_write_at_once(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = {"nimtui": "sweep", "format": 1, **ABOUT}
    assert path.read_bytes() == b"".join(map(written, (first, *ENTRIES)))
    with Log(path) as log:
        assert (log.header, log.entries, log.unsaved, log.fault) == (first, ENTRIES, 0, "")
        log.append([{"more": 1}])
        assert sweeps.read(path) == (first, [*ENTRIES, {"more": 1}]) and sweeps.head(path) == first
        with pytest.raises(ValueError, match="not JSON compliant"):
            log.append([{"nan": math.nan}])
        with pytest.raises(StoreError, match="is in use by another nimtui: stop that one first"):
            Log(path)
    with monkeypatch.context() as broken, pytest.raises(StoreError) as fault:
        broken.setattr(sweeps, "_sound", _fails)
        Log(path)
    assert str(fault.value) == f"{path} cannot be read: input/output error" and not claims.is_claimed(path)
    log = Log(path)
    log.delete()
    assert not path.exists()
    with pytest.raises(ValueError, match="closed"):
        log.append([])
    assert sweeps.usual_path().parent == sweeps.folder()
    assert re.fullmatch(rf"sweep-\d{{8}}-\d{{6}}-{os.getpid()}\.jsonl", sweeps.usual_path().name)


def _fails(*_: object) -> None:
    raise OSError(5, "Input/output error")


@pytest.mark.parametrize("cut", [1, 2, 10, 60])
def test_a_torn_last_line_does_not_count(path: Path, cut: int) -> None:
    whole = path.read_bytes()
    path.write_bytes(whole[:-cut])
    with Log(path) as log:
        assert log.entries == ENTRIES[:-1]
        log.append([{}])  # shorter than what is torn
    assert path.read_bytes() == b"".join(whole.splitlines(keepends=True)[:-1]) + written({})


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
    with pytest.raises(StoreError, match="cannot be written"):
        Log(tmp_path)


def test_a_full_disk_is_told_and_what_it_refused_is_written_later(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    with Log(path) as log:
        with monkeypatch.context() as broken:
            broken.setattr(os, "fsync", full)
            log.append([{"number": 1}])
            assert log.unsaved == 1 and log.fault == f"{path} cannot be written: no space left on device"
        log.append([{"number": 2}])
        assert log.unsaved == 0 and log.fault == ""
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
    assert claims.claim(path / "run.npz") is None, "it is kept without a claim"
    with pytest.raises(StoreError, match=f"^{path} cannot be written: is a directory$"):
        claims.Claim(tmp_path, path, "")


def test_whoever_waits_for_a_lock_looks_every_hundredth_of_a_second_and_holds_no_other_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    slept: list[float] = []
    monkeypatch.setattr(claims, "time", SimpleNamespace(monotonic=lambda: len(slept) / 100, sleep=slept.append))
    path, before = tmp_path / "lock", open_files()
    for again in (Path.touch, lambda path: None):  # another one has taken it, or removed it
        tries = list[int]()

        def lock(handle: int, again: Callable[[Path], None] = again, tries: list[int] = tries) -> bool:
            tries.append(handle)
            if len(tries) == 1:
                path.unlink()
                again(path)
            return True

        monkeypatch.setattr(claims, "lock", lock)
        with claims.Claim(path, path, "") as claim:
            assert len(tries) == 2 and claims.stamp(path) is not None and not path.stat().st_mode & 0o111
        claim.release()
        assert claims.stamp(path) is None and not opened_since(before)
    monkeypatch.setattr(claims, "lock", lambda handle: False)
    slept.clear()
    with pytest.raises(StoreError, match="taken"):
        claims.Claim(path, path, "taken")
    assert slept == [0.01] * 21 and not opened_since(before), "0.2 seconds, and once more"
    status = path.stat()
    assert claims.stamp(path) == (status.st_ino, status.st_size, status.st_mtime_ns)
