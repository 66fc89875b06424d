"""Files of ours that a stranger has made: one line says what is wrong, and no more is read than there is room for."""

from __future__ import annotations

import json
import os
import struct
import zipfile
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import product
from pathlib import Path
from time import sleep

import pytest

from nimtui.foreign import reading
from nimtui.signs import visible
from nimtui.store import StoreError, arrays, files, sweeps
from nimtui.store.files import contents


def of_members(path: Path, members: dict[str, bytes], kind: int = zipfile.ZIP_STORED) -> Path:
    with zipfile.ZipFile(path, "w", kind) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return path


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
        tmp_path / "pipe.npz",
        tmp_path / "large.npz",
        tmp_path / "noise.npz",
        Path("/dev/zero"),
        tmp_path,
        tmp_path / "zero\0byte.npz",
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


def test_an_array_header_of_binary_is_not_repeated_whole(tmp_path: Path) -> None:
    import hashlib

    header = json.dumps({"nimtui": 1, "header": {}}).encode()
    array = b"\x93NUMPY\x01\x00" + struct.pack("<H", 2_000) + b"{\x1b\xff" + b"\x9b\x00\x80" * 600 + b"\n" * 197
    digest = hashlib.sha256()
    for name, content in (("header.json", header), ("a.npy", array)):
        digest.update(f"{name} {len(content)}\n".encode() + content)
    members = {"header.json": header, "a.npy": array, "sha256": digest.hexdigest().encode()}
    with pytest.raises(StoreError) as fault:
        arrays.load(of_members(tmp_path / "a.npz", members))
    said = str(fault.value)
    assert said == visible(said) and len(said) < len(str(tmp_path)) + 250


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


def test_a_file_that_grows_while_it_is_read_is_refused_not_cut_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "large").write_bytes(b"12345")
    monkeypatch.setattr(reading, "opened", lambda path, most, mode="rb": path.open(mode))  # it was smaller then
    with pytest.raises(StoreError, match="large cannot be read: it is larger than 4 bytes"):
        contents(tmp_path / "large", 4)
