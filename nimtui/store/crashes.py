"""Write reports of internal errors: one text file each, for the person who fixes them."""

from __future__ import annotations

import platform
import sys
import traceback
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path

from nimtui.store import paths
from nimtui.version import __version__

STATUS = 70  # EX_SOFTWARE of sysexits.h: an internal error
MOST = 50  # stored reports; the oldest are deleted


def save(error: BaseException, facts: Mapping[str, str]) -> Path | None:
    """Write a report and return its file, or None if none can be written.

    It names the version, these facts and the traceback. The values of variables stay out: they may be private.
    """
    now = datetime.now().astimezone()
    lines = [
        f"time       {now.isoformat(timespec='seconds')}",
        f"version    nimtui {__version__}, Python {platform.python_version()}, {sys.platform}",
        *(f"{name:<10} {fact}" for name, fact in facts.items()),
        "",
        *traceback.format_exception(error),
    ]
    try:
        folder = paths.ensure(paths.reports())
        stored = sorted(folder.glob("*.txt"))
        for old in stored[: max(0, len(stored) + 1 - MOST)]:
            old.unlink(missing_ok=True)
        path = folder / f"{now:%Y-%m-%d-%H%M%S-%f}.txt"
        path.write_text("\n".join(lines), encoding="utf-8", errors="backslashreplace")
    except Exception:  # noqa: BLE001 - a report that fails must not hide the fault it is about
        return None
    return path


def lines(error: BaseException, where: str, report: Path | None) -> tuple[str, str]:
    """Return what a person reads: what failed and where, and where the report lies."""
    what = " ".join(f"{type(error).__name__}: {error}".split())[:200]
    return f"nimtui failed {where}: {what}", f"Report: {report}" if report else "The report could not be written."
