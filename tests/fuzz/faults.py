"""What was found: an exception, or a rule that does not hold, with the place where it happened."""

from __future__ import annotations

import traceback
from asyncio import Task
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any

ROOT = Path(__file__).parents[2]
INNERMOST = 4  # frames
Place = tuple[str, int, str]  # file, line, function


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
        return f"{self.kind}: {self.text}" + "".join(f"\n    {frame}" for frame in self.frames)


class Broken(Exception):
    """A rule does not hold."""

    def __init__(self, kind: str, text: str, frames: tuple[str, ...] = ()) -> None:
        self.fault = Fault(kind, text, frames)
        super().__init__(str(self.fault))


def of_exception(error: BaseException) -> Fault:
    """The fault that this exception is."""
    frames = traceback.extract_tb(error.__traceback__)
    return Fault(type(error).__name__, " ".join(str(error).split())[:200], _innermost(_places(frames)))


def of_stack(kind: str, text: str, frame: FrameType | None) -> Fault:
    """A fault seen while this was being run; its innermost frames are those of one moment, and count for nothing."""
    places = _places(traceback.extract_stack(frame))
    ours = [place for place in _innermost(places, len(places)) if place.startswith("nimtui/")]
    return Fault(kind, text + "; at one moment: " + ", ".join(_innermost(places)), tuple(ours[:1]))


def of_task(task: Task[Any]) -> tuple[str, ...]:
    """The frames of a task that waits for something which does not come."""
    places, waiting = list[Place](), task.get_coro()
    while (frame := getattr(waiting, "cr_frame", None)) is not None:
        places.append((frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_name))
        waiting = waiting.cr_await
    return _innermost(places)


def _places(frames: traceback.StackSummary) -> list[Place]:
    return [(frame.filename, frame.lineno or 0, frame.name) for frame in frames]


def _innermost(places: list[Place], most: int = INNERMOST) -> tuple[str, ...]:
    """The innermost frames, and the innermost ones of the program if they are further out."""
    named = [f"{_short(Path(file))}:{line} {function}" for file, line, function in places]
    ours, inner = [frame for frame in named if frame.startswith("nimtui/")], named[-most:]
    return tuple([frame for frame in ours[-2:] if frame not in inner] + inner)


def _short(path: Path) -> str:
    if "site-packages" in path.parts:
        return "/".join(path.parts[path.parts.index("site-packages") + 1 :])
    return path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else path.name
