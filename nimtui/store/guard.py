"""A small process that has the last word where this one dies of a crash in native code, or is killed.

It is a shell's, of some 2 MB, which waits for one pipe: what is told here is what it would say, and where the pipe ends
without a farewell it puts the terminal back and says it, in two lines. It holds the terminal open: opened by its name
after that, it could be somebody else's by then. It ends at once when this process does in good order.
"""

from __future__ import annotations

import atexit
import faulthandler
import os
import subprocess
import tempfile
import threading
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import TextIO

from nimtui import plugins
from nimtui.foreign.signs import visible
from nimtui.store import paths

PATIENCE = 0.2  # seconds for it to end
SCRIPT = r"""
trap '' INT HUP TERM QUIT TTOU TTIN TSTP PIPE
exec 3>&2 2>/dev/null
tty=$1 tidy=$2 trace=$3 report=$4 own=$5 saved= on= raw= before=
if [ -n "$tty" ]; then before=$(stty -g <&3); fi
echo
while IFS= read -r told; do
    case $told in
    farewell) exit ;;
    on) on=1 raw=$(stty -g <&3) ;;
    off) on= ;;
    saved\ *) saved="${told#saved } " ;;
    esac
done
how='nimtui was killed'
if [ -s "$trace" ]; then
    IFS= read -r how <"$trace"
    how="nimtui died: ${how#Fatal Python error: }" saved="${saved}Report: $report"
else
    rm -f "$trace"
    if [ -z "$tty" ]; then exit; fi  # the person's shell says so itself
fi
{
    if [ -n "$on" ]; then printf "$tidy"; fi
    printf '%s\r\n' "$how${own:+. $own}" ${saved:+"$saved"}
} >&3
if [ -n "$on" ] && [ "$(stty -g <&3)" = "$raw" ]; then stty "$before" <&3; fi
if [ -s "$trace" ]; then mkdir -p "${report%/*}" && cat "$trace" >"$report"; fi
rm -f "$trace"
"""


class Guard:
    """The process, as long as it is wanted."""

    def __init__(self, terminal: str = "", tidy: str = "") -> None:
        """Of the app on this terminal, which `tidy` puts in order; else of a command. OSError where there is none."""
        screen = os.open(terminal, os.O_RDWR | os.O_NOCTTY) if terminal else None
        here, there = os.pipe()
        self._trace, self._name = _trace()
        try:
            arguments = [terminal, tidy, self._name, str(_report()), own_files()]
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
        self._pipe = there
        self._lock, self._closed = threading.Lock(), False  # jobs tell of what they save

    def wait(self) -> None:
        """Until it knows how the terminal was."""
        if self._process.stdout is not None:
            self._process.stdout.read(1)
            self._process.stdout.close()

    def tell(self, line: str) -> None:
        """What it should know, one line, shown as it is."""
        with self._lock, suppress(OSError):
            if not self._closed:
                os.write(self._pipe, f"{visible(line)}\n".encode(errors="replace"))

    def dismiss(self) -> None:
        """All is in good order: it ends."""
        self.tell("farewell")
        with self._lock, suppress(OSError):
            self._closed = True
            os.close(self._pipe)
        self._forget_the_trace()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(PATIENCE)

    def _forget_the_trace(self) -> None:
        if self._trace is not None:
            faulthandler.disable()
            with suppress(OSError):
                self._trace.close()
                Path(self._name).unlink(missing_ok=True)


_guard: Guard | None = None


def begin(terminal: str = "", tidy: str = "") -> None:
    """Have this process guarded from now on, where that can be; another guard is dismissed."""
    global _guard
    end()
    if os.name != "posix":
        return
    with suppress(OSError):
        _guard = Guard(terminal, tidy)


def ready() -> None:
    """Wait until the guard knows how the terminal was: that is long done."""
    if _guard is not None:
        _guard.wait()


def tell(line: str) -> None:
    """'on' and 'off': the terminal is ours, or as it was."""
    if _guard is not None:
        _guard.tell(line)


def saved(path: Path, games: int) -> None:
    """A checkpoint was written."""
    tell(f"saved Last checkpoint: {path}, {games:,} games.")


def end() -> None:
    """This process ends in good order, or needs no guard any more."""
    global _guard
    guard, _guard = _guard, None
    if guard is not None:
        guard.dismiss()


atexit.register(end)


def own_files() -> str:
    """The person's own files that are loaded in this process, a sentence; '' where there are none."""
    found = sorted(f"{one.kind}s/{one.path.name}" for one in plugins.loaded())
    return f"Own files loaded in it: {visible(', '.join(found))}." if found else ""


def _trace() -> tuple[TextIO | None, str]:
    """A file for what Python can say while it dies of a signal, and its name; none where that is said elsewhere."""
    if faulthandler.is_enabled():
        return None, ""
    number, name = tempfile.mkstemp(prefix="nimtui-", suffix=".txt")
    trace = os.fdopen(number, "w")
    faulthandler.enable(trace)
    return trace, name


def _report() -> Path:
    now = datetime.now().astimezone()
    return paths.reports() / f"{now:%Y-%m-%d-%H%M%S-%f}.txt"
