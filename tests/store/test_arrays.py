"""Files of arrays: whole or not there, and never believed when damaged."""

from __future__ import annotations

import errno
import json
import os
import random
import struct
import zipfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from hashlib import sha256
from itertools import product
from pathlib import Path
from time import sleep

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from nimtui.errors import InputError
from nimtui.foreign import reading
from nimtui.signs import visible
from nimtui.store import StoreError, arrays, files, sweeps
from nimtui.store.files import contents
from tests.examples import TIMES, examples

HEADER = {"game": "nim:1,3,5,7", "games": 3, "curve": [[0, 0.188], [1, 0.2]], "rng": (1 << 64) - 1}
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
    assert header == HEADER
    assert same(found, ARRAYS)
    found["scores"][0] = 7


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


def test_no_objects_are_kept(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="cannot be saved"):
        arrays.save(tmp_path / "x.npz", {}, {"o": np.array([object()])})
    assert list(tmp_path.iterdir()) == []


def harmed(whole: bytes) -> Iterator[tuple[bytes, bool]]:
    """Yield damaged files, and whether the damage must be noticed: in a date or comment of the zip it need not be."""
    chance = random.Random(5)
    for length in range(0, len(whole), 3 if TIMES > 1 else 7):
        yield whole[:length], True
    for place in range(0, len(whole), 1 if TIMES > 1 else 5):
        yield whole[:place] + bytes([whole[place] ^ 1 << place % 8]) + whole[place + 1 :], False
    for _ in range(60):
        begin = chance.randrange(len(whole))
        yield whole[:begin] + chance.randbytes(chance.randrange(80)) + whole[begin + chance.randrange(1, 80) :], False


def test_whatever_bytes_change_a_file_is_refused_in_a_line_or_unharmed(kept: Path) -> None:
    unnoticed = 0
    for damaged, certain in harmed(kept.read_bytes()):
        kept.write_bytes(damaged)
        try:
            header, found = arrays.load(kept)
        except StoreError as fault:
            assert "\n" not in str(fault) and str(kept) in str(fault)
        else:
            assert header == HEADER and same(found, ARRAYS) and not certain
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
    with pytest.raises(StoreError, match="there is no file"):
        arrays.load(tmp_path / "none.npz")
    with pytest.raises(InputError, match="cannot be read"):
        arrays.load(tmp_path)
    with pytest.raises(StoreError, match=r"^\S[^\n]*$"):
        arrays.load(tmp_path / "a\nb.npz")
    (tmp_path / "link.npz").symlink_to(tmp_path / "real.npz")
    arrays.save(tmp_path / "link.npz", HEADER, {})
    assert (tmp_path / "link.npz").is_symlink()
    assert arrays.load(tmp_path / "real.npz")[0] == HEADER


# Files of ours that a stranger has made: one line says what is wrong, and no more is read than there is room for.


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


@pytest.mark.slow
def test_no_table_of_a_stranger_is_more_than_one_line(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.npz")
    (tmp_path / "large.npz").write_bytes(b"PK")
    os.truncate(tmp_path / "large.npz", 10**10)
    (tmp_path / "noise.npz").write_bytes(b"PK\x03\x04" + bytes(range(256)) * 4)
    paths = [
        *(tmp_path / name for name in ("pipe.npz", "large.npz", "noise.npz", "zero\0byte.npz", ".")),
        Path("/dev/zero"),
        of_members(tmp_path / "text.npz", {"header.json": b"\xff\x1b]0;x\x07" * 90}),
        of_members(tmp_path / "deep.npz", {"header.json": b"[" * 200_000}),
        of_members(tmp_path / "bomb.npz", {"header.json": b'{"a": "' + b" " * 10**8 + b'"}'}, zipfile.ZIP_DEFLATED),
        of_members(tmp_path / "names.npz", {"\x1b[31m" + "x" * 900: b"", "header.json": b"{}"}),
    ]
    for path, read in product(paths, (arrays.load, arrays.head)):
        with pytest.raises(StoreError) as fault:
            read(path)
        said = str(fault.value)
        assert said == visible(said) and len(said) < len(str(path)) + 250, path.name


def test_members_that_share_their_bytes_are_not_read_again_and_again(tmp_path: Path) -> None:
    """Newer versions of Python refuse such a file themselves."""
    with pytest.raises(StoreError, match=r"impossible size|Overlapped entries"):
        arrays.load(overlapping(tmp_path / "a.npz", 5_000))


def test_a_sweep_is_a_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path, why in ((tmp_path / "pipe", "a pipe"), (Path("/dev/zero"), "a device"), (tmp_path, "folder|directory")):
        for read in (sweeps.read, sweeps.head, sweeps.Log):
            with pytest.raises(StoreError, match=why):
                read(path)


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


def test_a_file_that_grows_while_it_is_read_is_not_cut_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "large").write_bytes(b"12345")
    monkeypatch.setattr(reading, "opened", lambda path, most, mode="rb": path.open(mode))  # it was smaller then
    with pytest.raises(StoreError, match="large cannot be read: it is larger than 4 bytes"):
        contents(tmp_path / "large", 4)
