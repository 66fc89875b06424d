"""The style sheets: inside the installed package, or beside it in a checkout."""

from __future__ import annotations

from pathlib import Path

SHARED = ("app", "form")
_PACKAGE = Path(__file__).resolve().parents[2]


def folder() -> Path:
    """Return the folder of the style sheets."""
    inside = _PACKAGE / "styles"
    return inside if inside.is_dir() else _PACKAGE.parent / "styles"


def sheets() -> list[Path]:
    """Return all style sheets, the general ones first. Each other file's rules are nested under its screen's type."""
    return sorted(folder().glob("*.tcss"), key=lambda path: (path.stem not in SHARED, path.stem))
