"""What was found: an exception, or a rule that does not hold, with the place where it happened."""

from __future__ import annotations

import traceback
from asyncio import Task
from dataclasses import dataclass
from pathlib import Path
from types import FrameType, TracebackType
from typing import Any

ROOT = Path(__file__).parents[2]
INNERMOST = 4  # frames


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that went wrong. Faults of the same `key` count as the same."""

    kind: str  # the type of the exception, or the name of the rule
    text: str
    frames: tuple[str, ...] = ()  # 'nimtui/ui/app.py:12 name', the innermost last

    @property
    def key(self) -> tuple[str, str]:
        """By the kind, and the innermost frame of the program's own, its line left out; a rule by its name alone."""
        own = [frame for frame in self.frames if frame.startswith("nimtui/")] or list(self.frames)
        place, _, name = (own[-1] if own else "").partition(" ")
        return self.kind, f"{place.partition(':')[0]} {name}".strip()

    def __str__(self) -> str:
        places = "".join(f"\n    {frame}" for frame in self.frames)
        return f"{self.kind}: {self.text}{places}"


def of_exception(error: BaseException, trace: TracebackType | None = None) -> Fault:
    """The fault that this exception is."""
    trace = trace or error.__traceback__
    found = [(frame.filename, line, frame.name) for frame, line in _summary(trace)]
    return Fault(type(error).__name__, " ".join(str(error).split())[:200], _told(found))


def of_stack(kind: str, text: str, frame: FrameType | None) -> Fault:
    """A fault seen while this was being run; its innermost frames are those of one moment, and count for nothing."""
    found = [(one.filename, one.lineno or 0, one.name) for one in traceback.extract_stack(frame)]
    ours = [told for told in _told(found, len(found)) if told.startswith("nimtui/")]
    return Fault(kind, text + "; at one moment: " + ", ".join(_told(found)), tuple(ours[:1]))


def of_task(kind: str, text: str, task: Task[Any]) -> Fault:
    """A fault of a task that waits for something which does not come."""
    found, waiting = [], task.get_coro()
    while (frame := getattr(waiting, "cr_frame", None)) is not None:
        found.append((frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_name))
        waiting = waiting.cr_await
    return Fault(kind, text, _told(found))


def _summary(trace: TracebackType | None) -> list[tuple[traceback.FrameSummary, int]]:
    return [(frame, frame.lineno or 0) for frame in traceback.extract_tb(trace)]


def _told(found: list[tuple[str, int, str]], most: int = INNERMOST) -> tuple[str, ...]:
    """The innermost frames, and the innermost ones of the program if they are further out."""
    named = [f"{_short(name)}:{line} {function}" for name, line, function in found]
    ours = [frame for frame in named if frame.startswith("nimtui/")]
    inner = named[-most:]
    return tuple([frame for frame in ours[-2:] if frame not in inner] + inner)


def _short(name: str) -> str:
    path = Path(name)
    if path.is_relative_to(ROOT / ".venv") or "site-packages" in path.parts:
        parts = path.parts
        return "/".join(parts[parts.index("site-packages") + 1 :]) if "site-packages" in parts else path.name
    return path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else path.name
