"""The door of the library: every value of a call has its type and its range, by the name of its parameter.

What a call has in common with others, too: its progress, Ctrl+C, which ends it with the results so far, and the base of
its results.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from copy import deepcopy
from functools import wraps
from inspect import signature
from numbers import Real
from operator import index
from typing import TYPE_CHECKING, Any, ParamSpec, TypeAlias, TypeVar

from nimtui.agents.agent import short_text
from nimtui.errors import InputError, shortened
from nimtui.foreign import values
from nimtui.process.stopping import Stoppable
from nimtui.progress import Cancelled
from nimtui.report import blocks
from nimtui.report.bar import ProgressBar
from nimtui.report.cells import cells
from nimtui.report.document import document, html_of, markdown, read_back
from nimtui.report.lines import plain_text

P = ParamSpec("P")
R = TypeVar("R")


def wrong(what: str, right: str, given: object) -> InputError:
    """Return the error for a value that is not what is `right`."""
    quoted = f"'{shortened(given)}'" if isinstance(given, str) else type(given).__name__
    if isinstance(given, float):
        quoted = f"{float(given):g}"
    return InputError(f"{what} must be {right}, not {quoted}")


@contextmanager
def reading(what: str) -> Iterator[None]:
    """Turn whatever an object of the caller raises while it is read into an InputError."""
    try:
        yield
    except InputError:
        raise
    except Exception as fault:
        raise InputError(f"{what} cannot be read: it raises {type(fault).__name__}: {short_text(fault)}") from fault


def checked(call: Callable[P, R]) -> Callable[P, R]:
    """Let a function take the values of PARAMETERS only. Anything else raises InputError before the call begins."""
    form = signature(call)

    @wraps(call)
    def checking(*args: P.args, **kwargs: P.kwargs) -> R:
        bound = form.bind(*args, **kwargs)
        for name, value in bound.arguments.items():
            if name in PARAMETERS:
                with reading(name):
                    bound.arguments[name] = PARAMETERS[name](value, name)
        return call(*bound.args, **bound.kwargs)

    return checking


def _whole(value: object, name: str) -> int:
    """Return a whole number of Python or NumPy as an int, if it is in its range."""
    low, high = values.RANGES[name]
    right = f"a whole number from {low:,} to {high:,}"
    try:
        number = int.__index__(index(value))  # type: ignore[arg-type]
    except TypeError:
        raise wrong(name, right, value) from None
    if isinstance(value, bool):
        raise wrong(name, right, value)
    if not low <= number <= high:
        raise InputError(f"{name} must be from {low:,} to {high:,}, not {_short(number)}")
    return number


def _short(number: int) -> str:
    return f"{number:,}" if abs(number) < 10**30 else f"a number of {number.bit_length():,} bits"


def _seconds(value: object, name: str) -> float:
    try:
        if isinstance(value, Real) and not isinstance(value, bool):
            return float(value)
    except OverflowError:
        pass
    raise wrong(name, "a number of seconds", value)


def _flag(value: object, name: str) -> bool:
    if type(value).__name__ not in ("bool", "bool_"):  # of Python, of NumPy
        raise wrong(name, "True or False", value)
    return bool(value)


def _text(value: object, name: str) -> str:
    if not isinstance(value, str):
        raise wrong(name, "a text", value)
    return str.__str__(value)


def _file(value: object, name: str) -> str:
    """Return a path as text: not empty, and one that the file system can spell."""
    path = os.fspath(value) if isinstance(value, str | os.PathLike) else None
    if not isinstance(path, str):
        raise wrong(name, "a path as text or Path", value)
    try:
        encoded = os.fsencode(path)
    except UnicodeError:
        encoded = b""
    if not path.strip() or not encoded or b"\0" in encoded:
        raise wrong(name, "the path of a file", path)
    return str.__str__(path)


def _list(value: object, name: str) -> Sequence[Any]:
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise wrong(name, "a list", value)
    return list(value)


def _moves(value: object, name: str) -> str | list[str]:
    return _text(value, name) if isinstance(value, str) else [_text(move, "a move") for move in _list(value, name)]


def _texts(value: object, name: str) -> list[str]:
    """Return a list of texts, also of an array of NumPy or pandas."""
    return [_text(one, f"each of {name}") for one in _list(value.tolist() if hasattr(value, "tolist") else value, name)]


def _players(value: object, name: str) -> tuple[str, str]:
    players = _list(value, name)
    if len(players) != 2:
        raise InputError(f"{name} must be two names, not {len(players):,}")
    first, second = (values.name(_text(player, "a player"), "a player") for player in players)
    return first, second


def _progress(value: object, name: str) -> object:
    if value is None or isinstance(value, bool):
        return value
    try:
        if callable(value) and not isinstance(value, type):
            signature(value).bind(0.0, 0.0, "")
            return value
    except TypeError:
        pass
    except ValueError:  # a function of C without a signature
        return value
    raise wrong(name, "True, False, None or a function of done, total and what is counted", value)


def _or_none(check: Callable[[object, str], object]) -> Callable[[object, str], object]:
    return lambda value, name: None if value is None else check(value, name)


PARAMETERS: dict[str, Callable[[object, str], Any]] = {
    **dict.fromkeys(("games", "nodes", "seed", "workers"), _whole),
    **dict.fromkeys(("alternate", "force", "until_perfect"), _flag),
    **dict.fromkeys(("algorithm", "fault", "openings", "pairs", "sandbox"), _text),
    **dict.fromkeys(("position", "sprt"), _or_none(_text)),
    "agents": _list,
    "file": _file,
    **dict.fromkeys(("game_time", "increment"), _seconds),
    "move_time": _or_none(_seconds),
    "moves": _moves,
    "players": _players,
    "positions": _texts,
    "progress": _progress,
}


Watch: TypeAlias = bool | Callable[[float, float, str], object] | None
"""How a call reports: True shows a bar; a function is called with done, total (0: unknown) and what is counted."""


class Watcher(Stoppable):
    """`with Watcher("train", progress) as watcher: work(watcher)`.

    Whatever the function of `progress` or `look`, called beside it, raises stops the work, and is raised again at the
    end of the block.
    """

    def __init__(self, what: str, progress: Watch = None, look: Callable[[], object] = lambda: None) -> None:
        super().__init__(what, (signal.SIGINT,))
        self._bar: ProgressBar | None = None
        self._shown = progress is True
        self._tell = progress if callable(progress) else None
        self._fault: Exception | None = None
        self.look = look

    def show(self, done: float, total: float, what: str) -> None:
        if self._fault is not None:
            return
        try:
            self.look()
            if self._shown:
                self._bar = self._bar or ProgressBar()
                self._bar.show(done, total, what or self.what)
            elif self._tell is not None:
                self._tell(done, total, what or self.what)
        except Exception as fault:
            self._fault = fault
            raise Cancelled(self.what) from fault

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()

    def __exit__(self, kind: object, *more: object) -> None:
        super().__exit__(kind, *more)
        if self._fault is not None:
            raise self._fault
        if kind is Cancelled:  # nothing is there to return
            raise KeyboardInterrupt from None


class Report:
    """A result: each key of its document is an attribute, too. Its text, also in a Python shell, is the command's."""

    def __init__(self, report: blocks.Report | dict[str, Any], **more: Any) -> None:
        """Take a report, and `more` keys that only the command knows otherwise."""
        self._report = report if isinstance(report, blocks.Report) else blocks.Report(())
        self._keys = read_back({**(document(report) if isinstance(report, blocks.Report) else report), **more})

    def __str__(self) -> str:
        return "\n".join(plain_text(line).rstrip() for line in cells(self._report))

    __repr__ = __str__

    def _repr_html_(self) -> str:
        """Return the result for a notebook."""
        return html_of(self._report)

    def to_markdown(self) -> str:
        """Return the text of the result as Markdown: headings, sentences and whole tables."""
        return markdown(self._report)

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON document of the command as plain values, which the caller may change."""
        return deepcopy(self._keys)

    if not TYPE_CHECKING:  # a subclass declares the keys that it promises

        def __getattr__(self, name: str) -> Any:
            """Return the value of a key of the document, which the caller may change."""
            if name.startswith("_") or name not in self._keys:
                raise AttributeError(f"{type(self).__name__} has no attribute {name!r}")
            return deepcopy(self._keys[name])

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self._keys})
