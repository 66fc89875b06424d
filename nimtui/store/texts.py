"""Store long texts, such as trees, by their content: each in a file named after its hash."""

from __future__ import annotations

from contextlib import suppress
from hashlib import sha256

from nimtui.store import files, paths
from nimtui.store.errors import StoreError

LARGEST = 1 << 24  # bytes of a text
DIGITS = 10  # of a hash


def name_of(text: str) -> str:
    """Return the name of a text: the first digits of its hash."""
    return sha256(text.encode()).hexdigest()[:DIGITS]


def keep(text: str) -> str | None:
    """Store a text unless it is stored, and return its name; None if it cannot be written."""
    name = name_of(text)
    try:
        if find(name) is None:
            files.replace_text(paths.ensure(paths.texts()) / f"{name}.txt", lambda file: file.write(text))
    except (OSError, StoreError):
        return None
    return name if find(name) == text else None


def find(name: str) -> str | None:
    """Return the stored text of this name; None if there is none, or it was changed."""
    with suppress(OSError, StoreError, UnicodeDecodeError):
        text = files.contents(paths.texts() / f"{name}.txt", LARGEST).decode()
        return text if name_of(text) == name else None
    return None
