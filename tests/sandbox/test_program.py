"""A program in lines, on pipes whose other ends are the test's and on a clock that stands still: no process runs."""

from __future__ import annotations

import errno
import gc
import os
import select
import signal
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from nimtui.sandbox import program, server
from nimtui.sandbox.closing import Bounds
from nimtui.sandbox.command import Command, ProgramFault
from nimtui.sandbox.program import Allowance, Program
from nimtui.sandbox.wire import BadMessage
from tests.opened import open_files, opened_since

COMMAND = Command(("/opt/bot", "x"), "/opt/bot")
IN, OUT, ERR = range(3)
ASKED = {"words": COMMAND.words, "folder": "/opt"}


class World:
    """The sandbox of a program, the other ends of its streams, its process, and what happens when."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.now, self.events, self.answer = 0.0, list[tuple[float, int, Any]](), EOFError  # type: Any
        self.calls, self.status, self.read, self.number, self.closed = list[Any](), 0, b"", 77, None
        self.streams, (self.process, self.dies) = list[int](), os.pipe()
        patch.setattr(program, "Sandbox", self.sandbox)
        patch.setattr(program, "monotonic", lambda: self.now)
        patch.setattr(program, "select", SimpleNamespace(**{**vars(select), "poll": lambda: Poll(self)}))
        patch.setattr(os, "pidfd_open", lambda number: os.dup({77: self.process}[number]), raising=False)

    def sandbox(self, *given: Any, streams: tuple[int, ...] = (), **more: Any) -> World:
        self.calls, self.streams = [given, more], [os.dup(file) for file in streams]
        return self

    def send(self, message: object) -> None:
        self.calls.append(message)

    def receive(self, seconds: float) -> Any:
        self.calls.append(seconds)
        if isinstance(self.answer, type):
            raise self.answer
        return self.answer

    def end(self) -> None:
        self.calls.append("end")

    def how_it_ended(self) -> int:
        self.calls.append("lost")
        return self.status

    def happens(self, file: int, what: bytes | int | None) -> None:
        """Let the program write these bytes, read so many, or close a stream (None); file 3: its process ends."""
        if file > ERR:
            os.write(self.dies, b"x")
        elif what is None:
            os.close(self.streams[file])
        elif isinstance(what, int):
            self.read += os.read(self.streams[file], what)
        else:
            os.write(self.streams[file], what)

    def started(self, *events: tuple[float, int, Any], ran: bool = True, **allowed: Any) -> Program:
        """Return a program that was asked, does this, and, if it `ran`, has read an earlier line."""
        found, self.events = Program(COMMAND, Allowance(start=1.0, **allowed)), [*events]
        found.started |= ran
        found.send("?")
        return found


class Poll:
    """A poll that lets the time of a world pass instead of waiting."""

    def __init__(self, world: World) -> None:
        self.world, self.files, self.poller = world, set[int](), select.poll()

    def register(self, file: int, kinds: int) -> None:
        self.files.add(file)
        self.poller.register(file, kinds)

    def unregister(self, file: int) -> None:
        self.files.remove(file)
        self.poller.unregister(file)

    def poll(self, milliseconds: float) -> list[tuple[int, int]]:
        world, until = self.world, self.world.now + milliseconds / 1000
        while not (ready := self.poller.poll(0)) and world.now < until:
            if world.events and world.events[0][0] <= until:
                when, *event = world.events.pop(0)
                world.now = max(world.now, when)
                world.happens(*event)
            else:
                world.now = until
        return ready


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> World:
    return World(monkeypatch)


def failed(deed: Callable[[], object]) -> tuple[str, str, tuple[str, ...], str]:
    with pytest.raises(ProgramFault) as fault:
        deed()
    return fault.value.kind, str(fault.value), fault.value.errors, fault.value.answer


@pytest.mark.parametrize("numbers", ["known", "refused", "unknown"])
def test_a_program_starts_with_what_it_may_use_and_ends_once(
    numbers: str, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where the system has no file for a process, or gives none."""
    if numbers == "unknown":
        monkeypatch.delattr(os, "pidfd_open")
    elif numbers == "refused":
        monkeypatch.setattr(os, "pidfd_open", lambda number: os.close(-1))
    before, running = open_files(), Program(COMMAND)
    watch = {"memory": 2 << 30, "processes": 64}
    given = {"environment": {"PYTHONUNBUFFERED": "1", "PYTHONHASHSEED": "0"}, "watch": watch}
    assert world.calls == [("nimtui.sandbox.program:serve", COMMAND.bounds), given, ASKED, 10.0]
    known = numbers == "known"
    assert len(running._poll.files) == 2 + known and running.runs and opened_since(before) == 6 + known
    for _ in range(2):
        running.end()
        assert world.calls[4:] == ["end"] and not running.runs and opened_since(before) == 3
    Program(COMMAND, Allowance())  # is forgotten
    gc.collect()
    assert opened_since(before) == 6 and world.calls[4:] == []


@pytest.mark.parametrize(
    ("made", "answer", "said"),
    [
        (OSError(errno.EACCES, "refused"), None, "did not start: refused"),
        (OSError("odd"), None, "did not start: odd"), (None, {"failed": "y" * 300}, f"did not start: {'y' * 200}"),
        (None, {}, "did not start: None"), (None, TimeoutError, "did not start in time"), (None, BadMessage, ""),
    ],
)  # fmt: skip
def test_what_does_not_start_says_why_and_leaves_no_file(
    made: OSError | None, answer: Any, said: str, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, world.answer = open_files(), answer
    if made is not None:
        monkeypatch.setattr(program, "Sandbox", lambda *given, **more: (_ for _ in ()).throw(made))
    if said:
        assert failed(lambda: Program(COMMAND)) == ("no-start", said, (), "")
    else:
        with pytest.raises(BadMessage):
            Program(COMMAND)
    assert world.calls[2:] == ([] if made else [ASKED, 10.0, "end"])
    assert opened_since(before) == (0 if made else 3)


@pytest.mark.parametrize(
    ("events", "ran", "told", "now"),
    [
        ([(0.5, OUT, b"a\nb\n")], True, ("a", 0.5), 0.5),
        ([(1.0, OUT, b" a \n")], True, ("a", 1.0), 1.0),
        ([(1.0625, OUT, b"a\n")], True, ("slow", "answered after 1.06 s", (), "a"), 1.0625),
        ([(1.25, ERR, b"x\n"), (1.26, OUT, b"a\n")], True, ("slow", "answered after 1.26 s", ("x",), "a"), 1.26),
        ([(0.25, OUT, b"a"), (1.25, ERR, b"x")], True, ("stall", "gave no answer", ("x",), "a"), 1.3),
        ([(0.301, IN, 1), (0.8, OUT, b"a\n")], False, ("a", 0.498), 0.8),  # it is looked after every 2 ms
        ([(0.8, OUT, b"a\n")], False, ("a", 0.0), 0.8),  # before it read
        ([(0.999, IN, 1), (1.75, OUT, b"a\n")], False, ("a", 0.75), 1.75),
        ([(1.0, ERR, b"x")], False, ("no-start", "did not start: it read nothing within 1 s", ("x",), ""), 1.002),
        ([(0.9, IN, 1)], False, ("stall", "gave no answer", (), ""), 2.2),
    ],
)
def test_an_answer_is_timed_from_the_question_and_the_first_one_from_when_it_was_read(
    events: list[Any], ran: bool, told: Any, now: float, world: World
) -> None:
    running = world.started(*events, ran=ran)
    if len(told) == 2:
        line, seconds = running.receive(1.0)
        assert (line, seconds) == (told[0], pytest.approx(told[1], abs=1e-6)) and running.started
    else:
        assert failed(lambda: running.receive(1.0)) == told and world.calls[4:] == ["end"] and not running.runs
    assert world.now == pytest.approx(now, abs=0.051 if told[0] == "stall" else 1e-6)
    assert now <= world.now + 0.051


def test_pauses_are_made_every_beat_and_count_for_nobody(world: World) -> None:
    running, pauses = world.started((10.18, OUT, b"a\n")), list[float]()

    def pause() -> None:
        pauses.append(world.now)
        world.now += 5

    line, seconds = running.receive(1.0, pause)
    assert (line, seconds) == ("a", pytest.approx(0.18)) and pauses == [0.05, pytest.approx(5.15)]

    def stops() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        running.answer("?", 1.0, stops)
    assert not running.runs and world.calls[4:] == ["end"]
    assert world.started((world.now, OUT, b"b\n")).answer("?", 1.0)[0] == "b"


SHORT = "ended: exit status 3, out of memory"
SAYS = "wrote more than 1,234 bytes to stderr for one answer"
ON_A_LINE, SO_MANY = "wrote more than 1,234 bytes in one line", "told more than 1,234 characters before it answered"


@pytest.mark.parametrize(
    ("file", "end", "allowed", "told", "answer"),
    [(OUT, b"\n", "talk", SO_MANY, ""), (OUT, b"", "line", ON_A_LINE, "x" * 200), (ERR, b"", "errors", SAYS, "")],
)
def test_a_program_may_write_so_much(file: int, end: bytes, allowed: str, told: str, answer: str, world: World) -> None:
    running = world.started(**{allowed: 1234})
    for beyond in (0, 0, 1):  # each answer has its own
        running.send("?")
        world.events += [(world.now, file, b"x" * (1234 + beyond) + end), (world.now + 0.5, OUT, b"\nok\n")]
        if not beyond:
            assert running.receive(1.0, answers=lambda line: line == "ok")[0] == "ok"
    errors = ("x" * 200,) * (file == ERR)
    assert failed(lambda: running.receive(1.0, answers=lambda line: line == "ok")) == ("output", told, errors, answer)


@pytest.mark.parametrize(
    ("status", "events", "ran", "told"),
    [
        (server.OVER_MEMORY, [], True, ("memory", "needed more than 3,000 MiB of memory", (), "")),
        (server.OVER_PROCESSES, [], True, ("memory", "ran more than 3 processes at once", (), "")),
        (None, [(0.1, OUT, b"half")], True, ("disconnect", "closed its output", (), "half")),
        (None, [(0.1, OUT, b"x" * 300)], True, ("disconnect", "closed its output", (), "x" * 200)),
        (9, [(0.1, ERR, b"bye\n")], True, ("disconnect", "ended: signal SIGKILL", ("bye",), "")),
        (3 << 8, [], False, ("no-start", "did not start: it ended: exit status 3", (), "")),
        (3 << 8, [(0.1, IN, 1)], False, ("disconnect", "ended: exit status 3", (), "")),
        (3 << 8, [(0.1, ERR, b"bad_alloc?")], False, ("memory", SHORT, ("bad_alloc?",), "")),
        (3 << 8, [(0.1, ERR, b"MemoryError")], True, ("memory", SHORT, ("MemoryError",), "")),
        (0, [(0.1, ERR, b"MemoryError")], True, ("disconnect", "ended: exit status 0", ("MemoryError",), "")),
    ],
)  # fmt: skip
@pytest.mark.parametrize("end", [(0.2, OUT, None), (0.2, 3, None)])
def test_a_program_that_ended_is_told_by_its_status_and_its_last_words(
    status: int | None, events: list[Any], ran: bool, told: Any, end: Any, world: World
) -> None:
    running, world.status = world.started(*events, end, ran=ran, memory=3000 << 20, processes=3), status  # type: ignore[assignment]
    assert failed(lambda: running.receive(1.0)) == told
    assert world.calls[4:] == ["lost"] and not running.runs and world.now == 0.2


def test_what_was_written_before_the_end_is_heard(world: World) -> None:
    running = world.started((0.1, 3, None), ran=True)
    os.write(world.streams[OUT], b"a\n")
    os.write(world.dies, b"x")
    assert running.receive(1.0)[0] == "a"


def test_a_long_line_is_written_as_it_is_read_and_one_that_nobody_reads_is_dropped(world: World) -> None:
    running = world.started((0.1, IN, 1 << 16), (0.2, IN, 1 << 16), (0.3, IN, 1 << 20), (0.4, OUT, b"ok\n"))
    running.send("é" * 70_000)
    assert running._in in running._poll.files
    assert running.receive(1.0)[0] == "ok" and running._in not in running._poll.files
    assert world.read == b"?\n" + "é".encode() * 70_000 + b"\n"
    os.close(world.streams[IN])
    running.send("?")
    world.events.append((0.5, OUT, b"bye\n"))
    assert running.receive(1.0)[0] == "bye" and running._in not in running._poll.files


def test_the_last_lines_of_errors_are_kept(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    for written, lines in (
        (b"1\n2\n\n \n3\n4\n5\n6 \x1b\xff\n", ("2", "3", "4", "5", "6  \ufffd")),
        (b"x" * 201, ("x" * 200,)),
        (b"AB" + b"\n" * 4095, ("B",)),  # the last 4,096 bytes
    ):
        running = world.started()
        os.write(world.streams[ERR], written)
        assert running.last_errors() == lines
    monkeypatch.setattr(program, "PART", 2)
    running = world.started()
    os.write(world.streams[ERR], b"".join(b"%c\n" % letter for letter in b"abcdefghijklmnopqrst"))
    assert running.last_errors() == tuple("lmnop"), "16 parts"
    world.events.append((0.1, ERR, None))
    world.events.append((0.2, OUT, b"a\n"))
    assert running.receive(1.0)[0] == "a" and running._err not in running._poll.files


def test_lines_that_nobody_asked_for_are_looked_at_and_stay(world: World) -> None:
    running = world.started((0.2, OUT, b"a\nb"))
    assert running.unasked() == [] and world.now == 0.0
    assert running.unasked(0.125) == [] and world.now == 0.125
    assert running.unasked(0.5) == ["a", "b"] and world.now == 0.2
    assert running.unasked(0.5) == running.unasked() == ["a", "b"] and world.now == 0.2
    assert running.receive(1.0) == ("a", 0.0)
    world.events.append((0.3, OUT, None))
    assert running.unasked(0.2) == running.unasked() == ["b"] and running.runs
    running = world.started((0.3, OUT, None))
    assert running.unasked(0.2) == [] and running.runs, "a closed output is nothing unasked"


def test_a_service_becomes_the_program_or_says_why_not(monkeypatch: pytest.MonkeyPatch) -> None:
    done, sent = list[Any](), list[Any]()
    wire: Any = SimpleNamespace(
        receive=lambda: {"words": ["/opt/bot", 7], "folder": Path("/opt")},
        link=SimpleNamespace(fileno=lambda: 9), send=sent.append,
    )  # fmt: skip
    for fault, said in (
        (OSError(errno.EACCES, "x"), "no permission to run it (chmod +x makes a file a program)"),
        (OSError(errno.ENOENT, "x"), "its interpreter is missing"),
        (OSError(errno.ENOEXEC, "x"), "a script needs a first line such as #!/usr/bin/env python3"),
        (OSError(errno.E2BIG, "too long"), "too long"),
        (OSError("odd"), "odd"),
    ):
        done.clear()
        noted = {name: lambda *given, name=name: done.append((name, *given)) for name in ("chdir", "set_inheritable")}

        def execv(*given: Any, fault: OSError = fault) -> None:
            done.append(given)
            raise fault

        monkeypatch.setattr(program, "os", SimpleNamespace(**{**vars(os), **noted, "execv": execv}))
        handlers = SimpleNamespace(**{**vars(signal), "signal": lambda *given: done.append(given)})
        monkeypatch.setattr(program, "signal", handlers)
        program.serve(wire, None)  # type: ignore[arg-type]
        usual = [(number, signal.SIG_DFL) for number in (signal.SIGPIPE, signal.SIGXFSZ, signal.SIGINT)]
        assert done == [("set_inheritable", 9, False), ("chdir", "/opt"), *usual, ("/opt/bot", ["/opt/bot", "7"])]
        assert sent.pop() == {"failed": said} and sent == []


def test_a_trial_says_what_closes_programs_in(world: World) -> None:
    for answer, closed, told in (
        ({}, ("Landlock", "seccomp"), ("Landlock", "seccomp")),
        ({}, None, ()),
        *((fault, ("seccomp",), ()) for fault in (OSError, EOFError, BadMessage)),
    ):
        world.answer, world.closed = answer, closed  # type: ignore[assignment]
        assert program.held.__wrapped__() == told
        assert world.calls[:4] == [(program.SERVICE, Bounds()), {}, {"words": ["/dev/null"], "folder": "/"}, 10.0]
        assert world.calls[4:] == (["end"] if answer == {} else [])
    assert program.USUAL == (10.0, 2 << 30, 64, 1 << 16, 1 << 20, 1 << 20)
