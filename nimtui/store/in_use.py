"""Files that somebody is at work on, and writes again and again: a lock beside each, which ends with its process."""

from __future__ import annotations

from pathlib import Path

from nimtui.store import claims
from nimtui.store.claims import Claim
from nimtui.store.errors import StoreError


def claim(path: Path) -> Claim | None:
    """Say that one is at work on this file, until the claim is released. None where that cannot be said, or is."""
    try:
        return Claim(_lock_of(path), f"{path} is in use by another nimtui")
    except StoreError:
        return None


def taken(path: Path) -> bool:
    """Is a living process at work on this file, this one included?"""
    return claims.held(_lock_of(path)) or claims.held(path)


def _lock_of(path: Path) -> Path:
    return path.with_name(f".{path.name}.lock")
