"""Reads the header of a file of arrays (`arrays`) without its arrays, and without NumPy."""

from __future__ import annotations

import struct
import zipfile
from pathlib import Path
from tokenize import TokenError
from typing import Any, TypeAlias

from nimtui.foreign.reading import parse_object
from nimtui.foreign.values import reason
from nimtui.store import files
from nimtui.store.errors import StoreError, unreadable

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
        with files.opened(path, LARGEST) as file, zipfile.ZipFile(file) as archive:
            info = archive.getinfo(HEADER)
            if info.compress_type != zipfile.ZIP_STORED or info.file_size > LONGEST:
                raise ValueError("its header has an impossible size")
            header: Header = parse_object(archive.read(info), finite=False)["header"]
    except OSError as fault:
        raise unreadable(path, fault) from None
    except StoreError:
        raise
    except DAMAGE as fault:
        raise StoreError(f"{path} is damaged or not a file of nimtui: {reason(fault)}") from None
    if not isinstance(header, dict):
        raise StoreError(f"{path} is damaged: its header is not a JSON object")
    return header
