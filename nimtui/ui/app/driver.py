"""The terminal's driver: Textual's for Unix, made safe against any input."""

from __future__ import annotations

import os
import re
import select
import termios
import threading
import time
from codecs import getincrementaldecoder
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, NamedTuple

from textual import events
from textual.drivers.linux_driver import LinuxDriver
from textual.message import Message

from nimtui.process import stopping
from nimtui.store import guard
from nimtui.ui.app.endings import EndSignals
from nimtui.ui.app.painting import Painting
from nimtui.ui.app.terminal import cell_ratio
from nimtui.ui.kit.contract.keymap import LEAVING
from nimtui.ui.kit.terminal.textual_parts import DriverParts, XTermParser

TURN = 0.1  # seconds between two looks whether the app has ended
MOST = 4096  # bytes a read
ANSWERS_END = 1.0  # seconds to wait for the last answers at the end
PATIENCE = 10  # silent turns until a paste without an end is taken to be over
MOST_PASTED = 1_000_000  # signs
PASTE, PASTE_END = "\x1b[200~", "\x1b[201~"
SEQUENCES = re.compile("(?=\x1b)")


class SteadyDriver(DriverParts, LinuxDriver):
    """Reads keys and answers of the terminal, and skips invalid input."""

    _raw: list[Any] | None = None  # the terminal's settings while the app runs
    _open_questions = 0  # `ASK` that the terminal has not answered
    _answers = False  # it has answered one

    def start_application_mode(self) -> None:
        super().start_application_mode()  # type: ignore[no-untyped-call]
        with suppress(termios.error):
            self._raw = termios.tcgetattr(self.fileno)
        guard.tell("on")
        stopping.reads_keys(True)
        self._open_questions = 0
        if isinstance(self.app, Painting):
            self.app.begin_painting()
        if cell_ratio() is None:
            self.write(ASK_CELL)

    def stop_application_mode(self) -> None:
        self._await_answers()
        stopping.reads_keys(False)
        super().stop_application_mode()
        guard.tell("off")

    def continue_running(self) -> bool:
        """Restore the settings and the picture after a SIGCONT that does not follow our own stop.

        Textual starts all of it each time: with every SIGCONT one more thread that reads keys, and settings "from
        before" that are its own.
        """
        if self._raw is not None and not self.exit_event.is_set():
            with suppress(termios.error):
                termios.tcsetattr(self.fileno, termios.TCSANOW, self._raw)
            self.in_loop(getattr(self.app, "redraw", self.app.refresh))
        return True

    def run_input_thread(self) -> None:
        try:
            self._read()
        except Exception as fault:  # noqa: BLE001 - of ours: reported and told like any other
            self.fail(fault)

    def _read(self) -> None:
        decode = getincrementaldecoder("utf-8")("replace").decode
        hearing = InputParser(self.is_debugged)
        while not self.exit_event.is_set():
            ready, _, _ = select.select([self.fileno], [], [], TURN)
            try:
                data = os.read(self.fileno, MOST) if ready else b""
            except OSError:  # the terminal is gone
                data = b""
            if ready and not data:
                time.sleep(TURN)
            for message in hearing.hear(decode(data)):
                if isinstance(message, Answered):
                    self._open_questions = max(0, self._open_questions - 1)
                    self._answers = True
                    if isinstance(self.app, Painting):
                        self.in_loop(self.app.answered, time.monotonic())
                    continue
                if isinstance(message, events.Key) and message.key in LEAVING:
                    self._insist()
                self.process_message(message)

    def ask(self) -> None:
        """Ask the terminal to answer when it has drawn all that was written before."""
        self._open_questions += 1
        self.write(ASK)

    def _await_answers(self) -> None:
        """Wait until the terminal has answered: what comes later would be typed into the shell."""
        until = time.monotonic() + ANSWERS_END
        while self._answers and self._open_questions and time.monotonic() < until:
            time.sleep(0.01)

    def _insist(self) -> None:
        """Have the app ended if its event loop does not react, because a rule of an own file never returns."""
        reacted = threading.Event()
        self.in_loop(reacted.set)
        signals: EndSignals | None = getattr(self.app, "end_signals", None)
        if signals is not None:
            signals.insist_unless(reacted)


class Answered(Message):
    """The terminal has answered `ASK`: all that was written before it is on the screen."""


ASK = "\x1b[5n"  # the question for the status
ASK_CELL = "\x1b[16t"  # for the height and width of a cell in pixels
SILENCE = 5  # silent reads in a row until an answer without an end is taken to be over

BODY = r"[^\x1b\x07\x9c]"  # of a string
STATUS = re.compile(r"\x1b\[[03]n")
CELL = re.compile(r"\x1b\[6;(\d{1,4});(\d{1,4})t")
OTHERS = re.compile(rf"\x1b(?:\[[?>=][\d;]*[cn]|[]PX^_]{BODY}*(?:\x1b\\|[\x07\x9c]))")  # what it is; colours, settings
STRING = re.compile(rf"\x1b(?:\]\d{{1,4}};|P[\d;]{{0,8}}[$+>|!]){BODY}{{0,4096}}\x1b?\Z")  # without its end
BEGUN = re.compile(rf"{STRING.pattern}|\x1b(?:\[[?>=]?[\d;]{{0,32}}|\]\d{{0,4}}|P[\d;]{{0,8}})\Z")


class CellSize(Message):
    """The terminal has answered `ASK_CELL`."""

    def __init__(self, across: int, down: int) -> None:
        super().__init__()
        self.across, self.down = across, down  # pixels


class Heard(NamedTuple):
    """What a read held."""

    text: str  # without the answers
    statuses: int  # answers to `ASK`
    escaped: bool  # whether the text takes up the Escape that ended the read before
    cell: tuple[int, int] | None = None  # the answer to `ASK_CELL`: across and down


class Answers:
    """Finds answers in what a terminal sends, read by read."""

    def __init__(self) -> None:
        self._begun = ""  # the beginning of a sequence that the next read may complete
        self._escape = False  # whether the read before ended with an Escape, which was passed on
        self._silent = 0

    def hear(self, text: str) -> Heard:
        """Return what a read held ('' if it brought nothing)."""
        if not text:
            return self._silence()
        self._silent = 0
        escaped = self._escape and text[0] in "[]P"
        self._escape = False
        if escaped:
            text = "\x1b" + text
        text, self._begun = self._begun + text, ""
        text, statuses = STATUS.subn("", text)
        cells = CELL.findall(text)
        text = OTHERS.sub("", CELL.sub("", text))
        if (begun := BEGUN.search(text)) is not None:
            text, self._begun = text[: begun.start()], begun[0]
        else:
            self._escape = text.endswith("\x1b")
        return Heard(text, statuses, escaped, (int(cells[-1][1]), int(cells[-1][0])) if cells else None)

    def _silence(self) -> Heard:
        """Give up waiting for an end: half a string is dropped, and half a key is left to the parser of keys."""
        self._silent += 1
        self._escape = False  # it was a key
        if not self._begun or self._silent < SILENCE:
            return Heard("", 0, False)
        begun, self._begun = self._begun, ""
        return Heard("" if STRING.match(begun) else begun, 0, False)


class InputParser:
    """Makes messages of what a terminal sends, read by read.

    Pastes are gathered here: what is pasted is no key, whatever it holds, and one whose end never comes ends by itself.
    """

    def __init__(self, debug: bool = False) -> None:
        self._debug = debug
        self._parser = XTermParser(debug)
        self._answers = Answers()
        self._rest = ""  # the beginning of a mark that the next read may complete
        self._tail = ""  # the last two signs of the read before
        self._pasted: str | None = None  # what was pasted so far; None: no paste is under way
        self._silent = 0  # reads in a row that brought nothing

    def hear(self, text: str) -> Iterator[Message]:
        """Yield the messages of a read ('' if it brought nothing), and those that are due."""
        self._silent = 0 if text else self._silent + 1
        text, self._rest = self._rest + text, ""
        if self._pasted is None:
            for cut in (1, 2):  # an Escape is not held back: a mark that was cut behind it is known by its rest
                if self._tail.endswith(PASTE[:cut]) and text.startswith(PASTE[cut:]):
                    self._parser, self._answers = XTermParser(self._debug), Answers()
                    text = PASTE[:cut] + text
            self._tail = text[-2:] if text else self._tail
            text, mark, pasted = text.partition(PASTE)
            if mark:
                self._pasted = ""
            elif not self._silent:
                text, self._rest = _without_half(text, PASTE)
            yield from self._typed(text)
            text = pasted
        if self._pasted is not None:
            yield from self._paste(text)

    def _paste(self, text: str) -> Iterator[Message]:
        """Yield the pasted text once it ends: by its mark, by a silence, or by its size."""
        pasted, mark, after = f"{self._pasted}{text}".partition(PASTE_END)
        if mark or self._silent >= PATIENCE or len(pasted) > MOST_PASTED:
            self._pasted = None
            yield events.Paste((pasted if mark else _without_half(pasted, PASTE_END)[0]).replace("\x00", ""))
            yield from self.hear(after) if after else ()
        else:
            self._pasted = pasted

    def _typed(self, text: str) -> Iterator[Message]:
        """Yield keys, clicks and the terminal's answers.

        A sequence that Textual's parser fails at is lost, and what comes after it is not. A terminal that is not in
        raw mode yet, at the start, sends a line feed for Enter.
        """
        heard = self._answers.hear(text.replace(PASTE_END, ""))
        if heard.escaped:
            self._parser = XTermParser(self._debug)
        for _ in range(heard.statuses):
            yield Answered()
        if heard.cell:
            yield CellSize(*heard.cell)
        text = heard.text.replace("\n", "\r")
        for piece in (*filter(None, SEQUENCES.split(text)), ""):  # the last: what is due
            try:
                yield from self._parser.feed(piece) if piece else self._parser.tick()
            except Exception:  # noqa: BLE001 - a terminal may send anything
                self._parser = XTermParser(self._debug)


def _without_half(text: str, mark: str) -> tuple[str, str]:
    """Return a text without the beginning of a mark at its end, and that beginning, of three signs or more."""
    for length in range(len(mark) - 1, 2, -1):
        if text.endswith(mark[:length]):
            return text[:-length], mark[:length]
    return text, ""


class EarlyKeysDriver(SteadyDriver):
    """The driver of an app that starts with keys already read: passes on the app's `typed_before` first."""

    def start_application_mode(self) -> None:
        early, self.app.typed_before = self.app.typed_before, ""  # type: ignore[attr-defined]
        for message in InputParser(self.is_debugged).hear(early):
            if not isinstance(message, Answered):
                self.process_message(message)
        super().start_application_mode()
