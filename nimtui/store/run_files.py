"""The files of runs: what runs, ran, and was cut off, one file a run. Its owner alone writes it, until that has ended.

Others ask something of a run by its socket, or by a file beside it; a `Remote` is a run that is watched from another
program. No number is used for two runs.
"""

from __future__ import annotations

import json
import threading
from collections import deque
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from time import monotonic, sleep, time
from typing import Any, Literal, TypeAlias, get_args, get_origin, get_type_hints

from nimtui.errors import InputError
from nimtui.foreign.reading import WrongDocument, parse_object
from nimtui.process import sockets
from nimtui.process.owner import Owner, this_process
from nimtui.progress import SILENT, Progress
from nimtui.store import claims, files, paths
from nimtui.store.errors import StoreError

State: TypeAlias = Literal["going", "paused", "stopped", "cut", "finished", "failed"]
Place: TypeAlias = Path | int | None

ON = ("going", "paused")
REQUESTS = ("stop", "take", "pause", "continue")  # by files
LOOK = 0.1  # seconds between two looks at the file of a run
PATIENCE = 30.0  # seconds that a run has to stop: it may compile, or save a large table
LARGEST = 100_000  # bytes of a file
MOST_ENDED = 100  # runs that have ended and stay in the list
LATELY = 7 * 86_400.0  # seconds for which a run that was cut off or failed is offered again
LATEST = 86_400.0  # the same where nothing was saved
SILENCE = 60.0  # seconds without news after which a run on another machine counts as gone, on drives without locks


@dataclass(frozen=True, slots=True, kw_only=True)
class RunFile:
    """One run as its owner described it last."""

    id: int
    kind: str  # training, tournament, sweep, book; of what the end of a link lost any other work
    name: str
    game: str = ""
    state: State
    done: int = 0
    goal: int | None = None  # None: unknown, or none
    unit: str = ""  # of `done`, such as games
    rate: float | None = None  # of `done`, a second
    seconds: float = 0.0  # of work
    seconds_left: float | None = None
    started: float  # seconds since 1970, as `written`
    written: float
    file: str | None = None  # in which the work is saved
    number: int | None = None  # of the tournament in that file
    background: bool = False
    workers: int = 1  # processes
    fault: str = ""
    address: str | None = None  # of its socket on its host; None: only this file tells of it
    watchers: int = 0  # others who watch it by the socket
    host: str
    boot: str
    pid: int
    birth: str

    @property
    def is_on(self) -> bool:
        """Return whether it is running or paused."""
        return self.state in ON

    @property
    def is_here(self) -> bool:
        """Return whether this process works on it."""
        return self.owner == this_process()

    @property
    def owner(self) -> Owner:
        return Owner(self.host, self.boot, self.pid, self.birth)

    @property
    def place(self) -> Place:
        """Return where its work is saved: a file, a tournament's number, None for nowhere."""
        return self.number if self.number is not None or self.file is None else Path(self.file)


HINTS = get_type_hints(RunFile)
folder = paths.place("running")


def output(id: int) -> Path:
    """Return the file that takes what a run in the background prints."""
    return _path(id, "txt")


def every() -> list[RunFile]:
    """Return all runs, the newest first. A run whose owner is gone is cut off from now on."""
    runs = [_read(path) for path in folder().glob("*.json")]
    return sorted((_settled(run) for run in runs if run is not None), key=lambda run: run.id, reverse=True)


def others() -> list[RunFile]:
    """Return the runs of other programs: saved ones that are on, then those that were cut off or failed lately."""
    runs = [run for run in every() if (run.place is not None or run.state == "cut") and not run.is_here]
    ended = [run for run in runs if run.state in ("cut", "failed")]
    lately = [run for run in ended if time() - run.written < (LATEST if run.place is None else LATELY)]
    there = [run for run in lately if not isinstance(run.place, Path) or run.place.exists()]
    return [*(run for run in runs if run.is_on), *there]


def read(id: int) -> RunFile:
    """Return the run with this number. Raises InputError if there is none."""
    if (run := _read(_path(id))) is None:
        raise InputError(f"there is no run {id}: 'nimtui runs' lists them")
    return _settled(run)


def saved_in(kind: str, place: Place) -> RunFile | None:
    """Return the run of this kind that is saved in this place; None if there is none."""
    return next((run for run in every() if place is not None and (run.kind, run.place) == (kind, place)), None)


def new_id(kind: str, place: Place) -> int:
    """Return the number for a run: that of an ended one that it continues, else a new one.

    Raises StoreError if the other one is on: two runs never work on one file.
    """
    same = saved_in(kind, place)
    if same is not None and same.is_on:
        raise StoreError(
            f"run {same.id} works on {place if same.number is None else f'tournament {place}'}: stop it first"
        )
    return _count() if same is None else same.id


def _count() -> int:
    """Return a number that no run had before. Raises StoreError."""
    path = folder() / "last"
    with claims.Claim(claims.lock_of(path), path, f"{path} is in use by another nimtui", claims.PATIENCE):
        used = [int(file.stem) for file in folder().glob("*.json") if file.stem.isdigit()]
        with suppress(OSError, StoreError, ValueError):
            used.append(int(files.contents(path, LARGEST)))
        number = max(used, default=0) + 1
        files.replace(path, lambda file: file.write(f"{number}\n".encode()))
    return number


def own(id: int) -> claims.Claim:
    """Claim the file of a run, which this process writes until it releases the claim. Raises StoreError."""
    return claims.Claim(claims.lock_of(_path(id)), _path(id), f"run {id} is in use by another nimtui")


def described(**values: Any) -> RunFile:
    """Return a run of this process."""
    return RunFile(**values, **this_process()._asdict(), written=time())


def lose(kind: str, name: str, done: int, unit: str) -> None:
    """List work that ended with the link, and had nowhere to save what it did. Raises StoreError."""
    paths.ensure(folder())
    fault, values = "The link was cut, and this work has no saved state", {"kind": kind, "name": name, "unit": unit}
    with suppress(OSError):
        write(described(**values, id=new_id(kind, None), done=done, state="cut", started=time(), fault=fault))


def write(run: RunFile) -> None:
    """Write the file of a run, whole at any moment. It is not synced: the next one follows. Raises OSError.

    On a full disk it is written over the old one, which takes no more room, so that others see why nothing is saved.
    """
    path, text = _path(run.id), json.dumps(asdict(run))
    temporary = path.with_name(f".{path.name}.tmp")
    try:
        temporary.write_text(text, encoding="utf-8")
        temporary.replace(path)
    except OSError:
        temporary.unlink(missing_ok=True)
        with path.open("r+", encoding="utf-8") as file:
            file.write(text)
            file.truncate()


def tidy() -> None:
    """Remove the oldest runs that have ended, and what killed processes left. Raises OSError."""
    for old in [run for run in every() if not run.is_on][MOST_ENDED:]:
        for path in (_path(old.id), output(old.id), _path(old.id, "request")):
            path.unlink(missing_ok=True)
    for lock in folder().glob(".*.lock"):
        with suppress(StoreError):  # a living process holds it
            claims.Claim(lock, lock, "", 0.0).release()


def ask(id: int, what: str) -> None:
    """Ask something of a run; its owner sees that within a second. Raises StoreError."""
    files.replace(_path(id, "request"), lambda file: file.write(what.encode()))


def end(run: RunFile, what: str, progress: Progress = SILENT) -> RunFile:
    """Ask a run to end, wait for that, and return it as it ended. Raises StoreError if it does not answer."""
    try:
        ask(run.id, what)
    except StoreError:  # a full disk: by its socket
        if run.address is None or run.host != this_process().host:
            raise
        with suppress(OSError, ValueError):
            sockets.Asker(run.address).ask({"ask": what})
    until = monotonic() + PATIENCE
    while run.is_on:
        progress.report(0, 0)
        if monotonic() > until:
            raise StoreError(f"run {run.id} on {run.host} has not stopped: its process {run.pid} does not answer")
        sleep(LOOK)
        run = read(run.id)
    return run


def take(run: RunFile, progress: Progress = SILENT) -> RunFile:
    """Take a run over: ask it to end if it is on, and return it as it ended, to be continued by the caller.

    Raises InputError if there is nothing to continue, StoreError if it does not answer, or another one takes it.
    """
    if run.place is None:
        why = "only the program that runs it can continue it" if run.is_on else "nothing of it is left to continue"
        raise InputError(f"run {run.id} is not saved in a file: {why}")
    taker = folder() / f".{run.id}.take.lock"
    with claims.Claim(taker, taker, f"another nimtui takes run {run.id} over", 0.0):
        if run.is_on:
            run = end(run, "take", progress)
        if run.state == "finished":
            raise InputError(f"run {run.id} is finished: there is nothing to continue")
    return run


def asked(id: int) -> str | None:
    """Return once what was asked of a run."""
    path = _path(id, "request")
    with suppress(OSError, ValueError):
        word = path.read_text(encoding="ascii")
        path.unlink()
        return word if word in REQUESTS else None
    return None


def _path(id: int, ending: str = "json") -> Path:
    return folder() / f"{id}.{ending}"


def _settled(run: RunFile) -> RunFile:
    """Return a run, cut off if its owner is gone; then its file says so."""
    if not run.is_on or (lives := run.owner.lives):
        return run
    if lives is None and (claims.is_claimed(_path(run.id)) or abs(time() - run.written) < SILENCE):
        return run  # on another machine
    cut = replace(run, state="cut", seconds_left=None, rate=None, address=None, watchers=0)
    with suppress(OSError, StoreError), own(run.id):  # another process may just continue it
        newest = _read(_path(run.id))
        if newest != run:
            return run if newest is None else newest
        write(cut)
        _path(run.id, "request").unlink(missing_ok=True)
    return cut


def _read(path: Path) -> RunFile | None:
    """Return the run in a file; None if there is none, or nobody can read it."""
    with suppress(OSError, StoreError, WrongDocument, TypeError, KeyError):
        values = parse_object(files.contents(path, LARGEST))
        fields = {name: values[name] for name in HINTS}
        if all(_fits(fields[name], hint) for name, hint in HINTS.items()) and path.stem == str(fields["id"]):
            return RunFile(**fields)
    return None


def _fits(value: Any, hint: Any) -> bool:
    """Return whether a value from a file is of this type: a plain one, a union of these, or one of some words."""
    kinds = get_args(hint) or (hint,)
    is_number = type(value) is int and float in kinds
    return value in kinds if get_origin(hint) is Literal else type(value) in kinds or is_number


EVERY = 0.5  # seconds between two questions


class Remote:
    """One run that is watched from here, by any threads."""

    def __init__(self, file: RunFile) -> None:
        self.file = file  # as it was read last
        self.requests: deque[tuple[str, float | None]] = deque()  # that the run has not heard yet
        self.now = threading.Event()  # set it to ask the next question at once
        self._state: State | None = None  # as the run said last by its socket
        self._asker: sockets.Asker | None = None
        self._asking = threading.RLock()

    def request(self, what: str, amount: float | None = None) -> None:
        """Ask something of the run; it hears that at once."""
        self.requests.append((what, amount))
        self.now.set()

    def wait(self, seconds: float = EVERY) -> None:
        """Wait until the next question is due, then read the run's file again, which may be older than its answer."""
        self.now.wait(seconds)
        self.now.clear()
        with suppress(InputError):  # forgotten meanwhile
            file = read(self.file.id)
            self.file = replace(file, state=self._state) if self._state is not None and file.is_on else file

    def picture(self, **about: Any) -> dict[str, Any] | None:
        """Send the requests, and return what the run shows; None if there is no way to it but files."""
        with self._asking:
            if (asker := self.greet()) is None:
                while self.requests:
                    what, _ = self.requests.popleft()
                    if what in REQUESTS:
                        with suppress(InputError):
                            ask(self.file.id, what)
                return None
            try:
                while self.requests:
                    what, amount = self.requests[0]
                    asker.ask({"ask": what, "amount": amount})
                    self.requests.popleft()
                answer = asker.ask({"ask": "picture", **about})
                picture, state = answer["picture"], answer["state"]
                if state in ON:
                    self._state = state
                    self.file = replace(self.file, state=state)
            except (OSError, ValueError, KeyError, TypeError):  # it ends, or another one continues it
                self.close()
                return None
            return picture if isinstance(picture, dict) else None

    def greet(self) -> sockets.Asker | None:
        """Be one of its watchers, and return who asks it; None if there is no way to it but files."""
        if self._asker is None and self.file.address is not None and self.file.host == this_process().host:
            with suppress(OSError):
                self._asker = sockets.Asker(self.file.address)
        return self._asker

    @property
    def is_heard(self) -> bool:
        """Return whether the run is on and answers by its socket."""
        return self.file.is_on and self._asker is not None

    def close(self) -> None:
        with self._asking:
            if self._asker is not None:
                self._asker.close()
            self._asker = self._state = None
