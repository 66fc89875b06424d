"""Files of arrays: whole or not there, and never believed when damaged."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import random
import zipfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from nimtui.errors import InputError
from nimtui.store import StoreError, arrays
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


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"hello", "not a file of nimtui"),
        (b"\x93NUMPY\x01\x00", "not a file of nimtui"),
        (b"PK\x03\x04rubbish", "is damaged"),
        (b"", "empty"),
    ],
)
def test_foreign_files_are_refused(tmp_path: Path, content: bytes, said: str) -> None:
    path = tmp_path / "x.npz"
    path.write_bytes(content)
    assert said in refused(path)
    np.savez(path, a=np.arange(3))
    assert "not a file of nimtui" in refused(path)


def rewritten(path: Path, header: object) -> None:
    """The same file with another header document, and a digest that is right."""
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    members["header.json"] = json.dumps(header).encode()
    digest = hashlib.sha256()
    for name, content in members.items():
        if name != "sha256":
            digest.update(f"{name} {len(content)}\n".encode() + content)
    members["sha256"] = digest.hexdigest().encode()
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)


def test_a_newer_format_is_named_as_such(kept: Path) -> None:
    rewritten(kept, {"nimtui": arrays.FORMAT, "header": {}})
    assert arrays.load(kept)[0] == {}
    rewritten(kept, {"nimtui": arrays.FORMAT + 1, "header": {}})
    assert "newer" in refused(kept)


@pytest.mark.parametrize(
    "header",
    [{}, [], {"nimtui": "1"}, {"nimtui": 1}, {"nimtui": None}, 3, {"nimtui": 1, "header": [1]}],
)
def test_a_header_that_says_nothing_is_refused(kept: Path, header: object) -> None:
    rewritten(kept, header)
    refused(kept)


def test_a_compressed_member_is_refused_before_it_grows(kept: Path) -> None:
    with zipfile.ZipFile(kept, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("header.json", b" " * 50_000_000)
    assert "size" in refused(kept)


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


def test_a_folder_that_is_none_is_refused(tmp_path: Path) -> None:
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


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "link.npz").symlink_to(tmp_path / "real.npz")
    arrays.save(tmp_path / "link.npz", HEADER, {})
    assert (tmp_path / "link.npz").is_symlink()
    assert arrays.load(tmp_path / "real.npz")[0] == HEADER
