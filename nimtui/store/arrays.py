"""Store arrays with a header in one file: an .npz without pickle, with a format version and a checksum.

The file is a zip of uncompressed members: `header.json`, one `NAME.npy` per array, and `sha256`, the digest of all
other members in this order. NumPy's own `load` reads the arrays too. Nothing in a file is trusted before its digest is
verified. The header alone is read without NumPy, which takes time that the start screen does not have.
"""

from __future__ import annotations

import hashlib
import io
import json
import struct
import zipfile
from collections.abc import Mapping
from pathlib import Path
from tokenize import TokenError
from typing import TYPE_CHECKING, Any, BinaryIO, TypeAlias, cast

from nimtui.foreign.reading import parse_object
from nimtui.foreign.values import reason
from nimtui.store import files
from nimtui.store.errors import StoreError, check_version, raising, unreadable

if TYPE_CHECKING:
    import numpy.typing as npt

    Array: TypeAlias = npt.NDArray[Any]

LARGEST = 4_000_000_000  # bytes of a file
LONGEST = 100_000_000  # bytes of a header
HEADER = "header.json"

Header: TypeAlias = dict[str, Any]

# What zipfile and NumPy raise for damaged bytes.
DAMAGE = (
    zipfile.BadZipFile,
    LookupError,
    ValueError,
    EOFError,
    RuntimeError,
    OverflowError,
    MemoryError,
    SyntaxError,
    TokenError,  # NumPy parses the header of an array as Python source
    TypeError,
    struct.error,
)


def head(path: Path) -> Header:
    """Return the header alone, quickly however large the file is. Use it for display only: no digest is verified.

    Raise StoreError if the file has no header.
    """
    try:
        with raising(unreadable, path), files.opened(path, LARGEST) as file, zipfile.ZipFile(file) as archive:
            info = archive.getinfo(HEADER)
            if info.compress_type != zipfile.ZIP_STORED or info.file_size > LONGEST:
                raise ValueError("its header has an impossible size")
            header: Header = parse_object(archive.read(info), finite=False)["header"]
    except StoreError:
        raise
    except DAMAGE as fault:
        raise StoreError(f"{path} is damaged or not a file of nimtui: {reason(fault)}") from None
    if not isinstance(header, dict):
        raise StoreError(f"{path} is damaged: its header is not a JSON object")
    return header


FORMAT = 1
DIGEST, ARRAY = "sha256", ".npy"
NUMBERS = "biuf"  # the allowed kinds of arrays: booleans, integers, floats


def save(path: Path, header: Mapping[str, Any], arrays: Mapping[str, Array], new: bool = False) -> None:
    """Replace the file by this header (any JSON values) and these arrays.

    Raise StoreError if writing fails, for example on a full disk, or if the file must be `new` and exists. The old
    file then stays unchanged.
    """
    text = json.dumps({"nimtui": FORMAT, "header": dict(header)}, ensure_ascii=False)
    members = {HEADER: [memoryview(text.encode())]}
    for name, array in arrays.items():
        if array.dtype.kind not in NUMBERS:
            raise ValueError(f"array {name} of {array.dtype} cannot be saved")
        members[name + ARRAY] = _npy(array)
    digest = hashlib.sha256()
    for name, parts in members.items():
        _add(digest, name, parts)
    members[DIGEST] = [memoryview(digest.hexdigest().encode())]

    def fill(file: BinaryIO) -> None:
        with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
            for name, parts in members.items():
                with archive.open(zipfile.ZipInfo(name), "w", force_zip64=True) as member:
                    for part in parts:
                        member.write(part)

    (files.create if new else files.replace)(path, fill)


def load(path: Path) -> tuple[Header, dict[str, Array]]:
    """Return the header and the arrays of a file. Raise StoreError if the file is damaged; leave it unchanged."""
    with raising(unreadable, path), files.opened(path, LARGEST) as file:
        return _read(path, file)


def _read(path: Path, file: BinaryIO) -> tuple[Header, dict[str, Array]]:
    beginning = file.read(2)
    if beginning != b"PK":
        raise StoreError(f"{path} is {'not a file of nimtui' if beginning else 'empty'}")
    try:
        with zipfile.ZipFile(file) as archive:
            if HEADER not in archive.namelist():
                raise StoreError(f"{path} is not a file of nimtui")
            return _sound(path, archive)
    except StoreError:
        raise
    except DAMAGE as fault:
        raise StoreError(f"{path} is damaged: {reason(fault)}") from None


def _sound(path: Path, archive: zipfile.ZipFile) -> tuple[Header, dict[str, Array]]:
    room = path.stat().st_size  # the most that all members together may need; members of a hostile file can overlap
    digest = hashlib.sha256()
    contents: dict[str, bytearray] = {}
    for info in archive.infolist():
        room -= info.file_size
        if info.compress_type != zipfile.ZIP_STORED or room < 0:
            raise ValueError(f"its member {info.filename} has an impossible size")
        content = bytearray(info.file_size)  # the arrays share this memory: no further copy
        with archive.open(info) as member:
            if cast(zipfile.ZipExtFile, member).readinto(content) != info.file_size:
                raise ValueError(f"its member {info.filename} is truncated")
        if info.filename == HEADER:
            version = parse_object(content, finite=False)["nimtui"]
            if not isinstance(version, int):
                raise ValueError("its header has no format version")
            check_version(path, version, FORMAT, "reads up to")
        if info.filename != DIGEST:
            _add(digest, info.filename, [memoryview(content)])
        contents[info.filename] = content
    if bytes(contents.get(DIGEST, b"")) != digest.hexdigest().encode():
        raise ValueError("its checksum is wrong")
    arrays = {name.removesuffix(ARRAY): _array(content) for name, content in contents.items() if name.endswith(ARRAY)}
    header: Header = parse_object(contents[HEADER], finite=False)["header"]
    if not isinstance(header, dict):
        raise ValueError("its header is not a JSON object")
    return header, arrays


def _add(digest: Any, name: str, parts: list[memoryview]) -> None:
    digest.update(f"{name} {sum(part.nbytes for part in parts)}\n".encode())
    for part in parts:
        digest.update(part)


def _npy(array: Array) -> list[memoryview]:
    """Return an array as an .npy file: its header, and the array's own memory."""
    import numpy as np

    little = np.ascontiguousarray(array, array.dtype.newbyteorder("<"))
    start = io.BytesIO()
    np.lib.format.write_array_header_1_0(start, np.lib.format.header_data_from_array_1_0(little))
    return [start.getbuffer(), little.ravel().view(np.uint8).data]


def _array(content: bytearray) -> Array:
    """Return an array over the bytes of an .npy member whose digest has been verified."""
    import numpy as np

    start = io.BytesIO(content[: 1 << 16])
    version = np.lib.format.read_magic(start)
    if version != (1, 0):
        raise ValueError(f"an array has the unknown format {version}")
    shape, fortran, dtype = np.lib.format.read_array_header_1_0(start)
    if fortran or dtype.kind not in NUMBERS:
        raise ValueError(f"an array of type {dtype} is not allowed")
    return np.frombuffer(content, dtype, offset=start.tell()).reshape(shape)
