"""The prompt: reads what a person types, asks which game to play and who plays it, and works between two prompts.

On a terminal that can move its cursor, arrow keys edit the line and bring back earlier ones, where Python has readline.
Long work tells in occasional lines how far it is, and Ctrl+C leads back to the prompt.
"""

from __future__ import annotations

import io
import signal
import sys
from collections.abc import Callable
from threading import Thread
from typing import TypeVar

from nimtui.cli import output
from nimtui.cli.bar import Bar
from nimtui.cli.names import read_game
from nimtui.cli.plain import telling
from nimtui.errors import InputError
from nimtui.games import Game
from nimtui.games.registry import presets
from nimtui.jobs.job import Job, Snapshot
from nimtui.playing.setup import ME, USUAL_OPPONENT, PlaySetup, seat_name
from nimtui.progress import Cancelled, Progress
from nimtui.ui.app.terminal import has_cursor

LONGEST = 2_000  # characters of a line


class EndOfInput(Exception):
    """Stdin has ended: Ctrl+D, or the end of a pipe."""


class Asking:
    """Reads lines from stdin. A pipe's line is printed after its prompt, so that a log shows what was typed."""

    def __init__(self) -> None:
        self.terminal = sys.stdin is not None and sys.stdin.isatty()
        if isinstance(sys.stdin, io.TextIOWrapper):
            sys.stdin.reconfigure(errors="replace")
        self._edits = self.terminal and sys.stdout.isatty() and has_cursor() and _edited()

    def ask(self, prompt: str) -> str:
        """Return the next line without blanks around it. Raises EndOfInput, and InputError for an endless line."""
        try:
            line = self._line(f"{prompt}: ")
        except KeyboardInterrupt:
            output.say("")  # the message that follows has a line of its own
            raise
        whole = len(line) < LONGEST or line.endswith("\n")
        if not self.terminal or not line:
            output.say(line.strip())
        while not whole:
            whole = (more := sys.stdin.readline(LONGEST)).endswith("\n") or not more
            if whole:
                raise InputError(f"a line has at most {LONGEST:,} characters")
        if not line:
            raise EndOfInput
        return line.strip()

    def _line(self, prompt: str) -> str:
        """Return what is typed, '' at the end of the input."""
        if self._edits:
            try:
                return f"{input(output.encodable(prompt))}\n"[-LONGEST:]
            except EOFError:
                return ""
        output.prompt(prompt)
        return sys.stdin.readline(LONGEST) if sys.stdin is not None else ""


def _edited() -> bool:
    """Let `input` edit its line, without escape sequences that no key asks for; return whether Python can."""
    try:
        import readline
    except ImportError:
        return False
    for option in ("enable-bracketed-paste", "enable-meta-key"):
        readline.parse_and_bind(f"set {option} off")
    return True


T = TypeVar("T")
AWAY = ("quit", "exit", "q")


class Back(Exception):
    """The person goes back to the game on the board."""


class Quit(Exception):
    """The person quits instead of choosing."""


def choose(asking: Asking, seed: int) -> PlaySetup:
    """Ask for a game and its players. Raises Quit, Back and EndOfInput."""
    say_games()
    name = _asked(asking, "Game, by number or name", "1", _named)
    game = read_game(name)
    output.paragraph(f"{telling.title(game)} Each player is 'me' or an agent; 'agents' lists the agents.")

    def seat(text: str) -> str:
        if text.lower() == "agents":
            say_agents(game)
            raise InputError("")
        return seat_name(text, game)

    first = _asked(asking, "First player", ME, seat)
    second = _asked(asking, "Second player", USUAL_OPPONENT if first == ME else ME, seat)
    return PlaySetup(name, None, (first, second), seed)


def say_games() -> None:
    """Print the games that lists offer, with their names."""
    output.paragraphs(f"{number}. {preset.title}: {preset.game}" for number, preset in enumerate(presets(), 1))


def say_agents(game: Game) -> None:
    """Print the agents that can play a game, with their names."""
    from nimtui.agents import agent_choices

    output.paragraphs(f"{preset.agent}: {preset.title}" for preset in agent_choices(game))


def _named(text: str) -> str:
    """Return the name of a game by its number or name."""
    if text.isascii() and text.isdigit() and len(text) < 4:
        if not 1 <= int(text) <= len(presets()):
            raise InputError(f"choose a number from 1 to {len(presets())}, or type a name such as nim:3,4,5")
        return presets()[int(text) - 1].game
    read_game(text)
    return text


def _asked(asking: Asking, question: str, default: str, read: Callable[[str], T]) -> T:
    """Ask until the answer is valid. An empty line stands for the default."""
    while True:
        try:
            text = asking.ask(f"{question} [{default}]") or default
            if text.lower() in AWAY:
                raise Quit
            if text.lower() == "back":
                raise Back
            return read(text)
        except InputError as wrong:
            if error := str(wrong):
                output.paragraph(f"Error: {error}")


PATIENCE, EVERY = 0.8, 5.0  # seconds before the first line of progress, and between two


class Stopped(Exception):
    """A person stopped the work by Ctrl+C."""


def work(name: str, function: Callable[[Progress], T], told: Callable[[Snapshot], str] | None = None) -> T:
    """Return what the function returns; `told` puts into words how far it is. Raises Stopped after Ctrl+C.

    Another signal ends the program. What own games and agents print meanwhile is discarded.
    """
    bar, stdout = Bar(name, shown=False), sys.stdout
    job = Job(name, function, bar)

    def speak() -> None:
        wait = PATIENCE
        while not job.join(wait):
            output.paragraph(f"{name}: {counted(job.snapshot)}." if told is None else told(job.snapshot), to=stdout)
            wait = EVERY

    stdout.flush()
    speaking = Thread(target=speak, daemon=True)
    try:
        with bar, output.others_silent():
            speaking.start()
            job.run()
            speaking.join()
            return job.value()
    except (Cancelled, KeyboardInterrupt):
        if bar.stopped_by not in (0, signal.SIGINT):
            raise
        if sys.stdin is not None and sys.stdin.isatty():
            output.say("")  # ends the line of the ^C that the terminal shows
        raise Stopped from None


def counted(snapshot: Snapshot) -> str:
    """Return a report in words: '412,000 of 1,000,000 games'."""
    if snapshot.done or snapshot.total:
        return f"{snapshot.far} {snapshot.what}".rstrip()
    return snapshot.what or "at work"
