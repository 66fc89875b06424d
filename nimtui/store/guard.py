"""Guard the terminal: a small process that cleans up if this one crashes in native code or is killed.

The guard is a shell of some 2 MB that waits on one pipe and remembers the lines it receives. If the pipe closes without
a farewell, it restores the terminal and prints two lines. It keeps the terminal open from the start: opened by name
later, the terminal could belong to another person by then. It exits at once when this process ends normally.

Reports of internal errors are one text file each, for the person who fixes them.
"""

from __future__ import annotations

import atexit
import faulthandler
import os
import platform
import subprocess
import sys
import tempfile
import threading
import traceback
from collections.abc import Iterable, Mapping
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import TextIO

from nimtui.process import plugins, stopping
from nimtui.signs import visible
from nimtui.store import paths
from nimtui.version import __version__

PATIENCE = 0.2  # seconds that the guard has to exit
SCRIPT = r"""
trap '' INT HUP TERM QUIT TTOU TTIN TSTP PIPE
exec 3>&2 2>/dev/null
tty=$1 tidy=$2 trace=$3 report=$4 own=$5 saved= on= raw= before= why=
if [ -n "$tty" ]; then before=$(stty -g <&3); fi
echo
while IFS= read -r line; do
    case $line in
    farewell) exit ;;
    on) on=1 raw=$(stty -g <&3) ;;
    off) on= ;;
    saved\ *) saved="${line#saved } " ;;
    how\ *) why="${line#how }" ;;
    esac
done
how="nimtui was killed${own:+, or own code ended it}"
if [ -s "$trace" ]; then
    IFS= read -r how <"$trace"
    how="nimtui died: ${how#Fatal Python error: }" saved="${saved}Report: $report"
else
    rm -f "$trace"
    if [ -z "$tty$own" ]; then exit; fi  # the person's shell says so itself
fi
if [ -n "$why" ]; then how=$why; fi
{
    if [ -n "$on" ]; then printf "$tidy"; fi
    if [ -z "$tty" ] && [ -t 3 ]; then printf '\r\033[K\033[0m\033[?25h'; fi
    printf '%s\r\n' "$how${own:+. $own}" ${saved:+"$saved"}
} >&3
if [ -n "$on" ] && [ "$(stty -g <&3)" = "$raw" ]; then stty "$before" <&3; fi
if [ -s "$trace" ]; then mkdir -p "${report%/*}" && cat "$trace" >"$report"; fi
rm -f "$trace"
"""


class Guard:
    """The guard process, until it is dismissed."""

    def __init__(self, terminal: str = "", tidy: str = "") -> None:
        """Guard the app on this terminal, restored with `tidy`; without a terminal, a command. Raise OSError if that
        fails.
        """
        screen = os.open(terminal, os.O_RDWR | os.O_NOCTTY) if terminal else None
        here, there = os.pipe()
        self._trace, self._name = _trace()
        self._traced: list[int] = []  # signals that write a traceback, too
        try:
            report = paths.reports() / f"{datetime.now().astimezone():%Y-%m-%d-%H%M%S-%f}.txt"
            arguments = [terminal, tidy, self._name, str(report), own_files()]
            self._process = subprocess.Popen(
                ["/bin/sh", "-c", SCRIPT, "nimtui-guard", *arguments],
                stdin=here,
                stdout=subprocess.PIPE if terminal else subprocess.DEVNULL,
                stderr=screen,
                start_new_session=True,
                env={**os.environ, "LC_ALL": "C"},
                cwd="/",
            )
        except BaseException:
            os.close(there)
            self._forget_the_trace()
            raise
        finally:
            os.close(here)
            if screen is not None:
                os.close(screen)
        self.pipe = there
        self._lock, self._closed = threading.Lock(), False  # jobs report saved files from other threads

    def wait(self) -> None:
        """Wait until the guard has read the terminal's settings."""
        if self._process.stdout is not None:
            self._process.stdout.read(1)
            self._process.stdout.close()

    def trace(self, numbers: Iterable[int]) -> None:
        """Have these signals write a traceback before they do what they did."""
        if self._trace is None:
            return
        for number in numbers:
            faulthandler.register(number, self._trace, all_threads=True, chain=True)
            self._traced.append(number)

    def tell(self, line: str) -> None:
        """Send one line to the guard, with control characters made visible."""
        with self._lock, suppress(OSError):
            if not self._closed:
                os.write(self.pipe, f"{visible(line)}\n".encode(errors="replace"))

    def dismiss(self) -> None:
        """End the guard: this process ends normally."""
        self.tell("farewell")
        with self._lock, suppress(OSError):
            self._closed = True
            os.close(self.pipe)
        self._forget_the_trace()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(PATIENCE)

    def _forget_the_trace(self) -> None:
        while self._traced:
            faulthandler.unregister(self._traced.pop())
        if self._trace is not None:
            faulthandler.disable()
            with suppress(OSError):
                self._trace.close()
                Path(self._name).unlink(missing_ok=True)


_guard: Guard | None = None


def begin(terminal: str = "", tidy: str = "") -> None:
    """Start guarding this process if the system allows it, and dismiss an earlier guard."""
    global _guard
    end()
    if os.name != "posix":
        return
    with suppress(OSError):
        _guard = Guard(terminal, tidy)
    stopping.at_end(end)


def trace(numbers: Iterable[int]) -> None:
    """Have signals that end this process write a traceback for the guard's report."""
    if _guard is not None:
        _guard.trace(numbers)


def pipe() -> int:
    """Return the file to which the guard listens; -1 without a guard."""
    return -1 if _guard is None else _guard.pipe


def ready() -> None:
    """Wait until the guard has read the terminal's settings, which it usually has."""
    if _guard is not None:
        _guard.wait()


def tell(line: str) -> None:
    """Tell the guard 'on' when the app takes the terminal, and 'off' when it gives it back."""
    if _guard is not None:
        _guard.tell(line)


def saved(path: Path, games: int) -> None:
    """Tell the guard about a saved checkpoint."""
    tell(f"saved Last checkpoint: {path}, {games:,} {'game' if games == 1 else 'games'}.")


def end() -> None:
    """Dismiss the guard: this process ends normally or no longer needs it."""
    global _guard
    guard, _guard = _guard, None
    if guard is not None:
        guard.dismiss()


atexit.register(end)


def own_files() -> str:
    """Return a sentence that names the person's own files loaded in this process, or '' if there are none."""
    names = plugins.loaded_names()
    return f"Own files loaded: {visible(names)}." if names else ""


def _trace() -> tuple[TextIO | None, str]:
    """Return a file for Python's traceback of a fatal signal, and its name; no file if faulthandler already has one."""
    if faulthandler.is_enabled():
        return None, ""
    number, name = tempfile.mkstemp(prefix="nimtui-", suffix=".txt")
    trace = os.fdopen(number, "w")
    faulthandler.enable(trace)
    return trace, name


STATUS = 70  # EX_SOFTWARE of sysexits.h: an internal error
MOST_REPORTS = 50  # stored reports; the oldest are deleted


def write_report(error: BaseException, facts: Mapping[str, str]) -> Path | None:
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
        for old in stored[: max(0, len(stored) + 1 - MOST_REPORTS)]:
            old.unlink(missing_ok=True)
        path = folder / f"{now:%Y-%m-%d-%H%M%S-%f}.txt"
        path.write_text("\n".join(lines), encoding="utf-8", errors="backslashreplace")
    except Exception:  # noqa: BLE001 - a report that fails must not hide the fault it is about
        return None
    return path


def report_lines(error: BaseException, where: str, report: Path | None) -> tuple[str, str]:
    """Return what a person reads: what failed and where, and where the report lies."""
    what = " ".join(f"{type(error).__name__}: {error}".split())[:200]
    return f"nimtui failed {where}: {what}", f"Report: {report}" if report else "The report could not be written."
