"""How a program is named: a command as a shell splits it, with the absolute paths of its files; and how it fails."""

from __future__ import annotations

import os
import shlex
import shutil
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from nimtui.errors import InputError, shortened
from nimtui.sandbox.closing import Bounds, holds_home

CLASS = "class.toml"  # in a folder of hand-ins, none of which reads another
PLACES = ("bin", "sbin", "shims")  # names of the folders with interpreters


class Command(NamedTuple):
    """A program and its arguments."""

    words: tuple[str, ...]  # the program and every argument that is a file are absolute paths
    file: str  # the file that a person wrote: the program, or the script that an interpreter runs

    @property
    def text(self) -> str:
        """Return the command as a shell reads it; parses to the same command from any folder."""
        return shlex.join(self.words)

    @property
    def folder(self) -> str:
        """Return the folder in which the program runs: that of the file."""
        return self.file if Path(self.file).is_dir() else str(Path(self.file).parent)

    @property
    def bounds(self) -> Bounds:
        """Return what the program may read: its files, its folder, and the installation of its interpreter.

        No folder in which the home folder lies. In the folder of a class its own file or folder alone.
        """
        files = tuple(word for word in self.words if word.startswith(os.sep))
        hidden = class_of(self.folder)
        folders = [] if self.folder == hidden else [self.folder]
        if self.file != self.words[0]:
            places = (self.words[0], os.path.realpath(self.words[0]))
            folders += [str(Path(place).parent.parent) for place in places]
        return Bounds((*files, *(folder for folder in folders if not holds_home(folder))), hides=hidden)


def class_of(folder: str) -> str:
    """Return the folder of the class that this folder is or lies in, '' if there is none."""
    own = Path(folder)
    return next((str(above) for above in (own, *own.parents) if (above / CLASS).is_file()), "")


def within(folder: str, text: str) -> str:
    """Return a command of files in a folder with their absolute paths; options before the program stay.

    Raises InputError if it cannot be split, or if there is no such program.
    """
    words = _split(text)
    first = next((at for at, word in enumerate(words) if not word.startswith("--")), len(words))
    return " ".join([*words[:first], parse_command(shlex.join(words[first:]), folder).text])


def _split(text: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError as fault:
        raise InputError(f"invalid command '{shortened(text)}': {str(fault).lower()}") from None


def parse_command(text: str, folder: str = "") -> Command:
    """Return the command of this text, whose files are in a folder [default: the current one].

    Raises InputError if it cannot be split, or if there is no such program.
    """
    words = _split(text)
    if not words:
        raise InputError("a program is missing: expected a command, for example cmd:./bot or cmd:python3 bot.py")
    first = os.path.expanduser(words[0])  # noqa: PTH111 - a plain path stays as it is
    program = _program(os.path.join(folder, first) if os.sep in first else first)  # noqa: PTH118
    rest = [_absolute(folder, word) for word in words[1:]]
    return Command((program, *rest), _file([program, *rest]))


def file_of(text: str) -> str:
    """Return the path of the file in a command that has absolute paths; options before the program do not count."""
    try:
        words = shlex.split(text)
    except ValueError:
        return text
    while words and words[0].startswith("--"):
        del words[0]
    return _file(words) if words else text


def _file(words: Sequence[str]) -> str:
    """Return the program, or the first file or folder among the arguments if the program is an interpreter."""
    if Path(words[0]).parent.name not in PLACES:
        return words[0]
    return next((word for word in words[1:] if word.startswith(os.sep)), words[0])


def _program(word: str) -> str:
    """Return the absolute path of a program. Raises InputError if it cannot be run."""
    path = shutil.which(word)
    if path is not None:
        return os.path.abspath(path)  # noqa: PTH100 - a link stays a link: programs look at their names
    if not Path(word).exists():
        where = "" if os.sep in word else f" (a program in this folder is ./{word})"
        raise InputError(f"no program '{shortened(word)}'{where}")
    if Path(word).is_dir():
        raise InputError(f"'{shortened(word)}' is a folder, not a program")
    raise InputError(f"no permission to run '{shortened(word)}': chmod +x makes a file a program")


def _absolute(folder: str, word: str) -> str:
    """Return an argument, as an absolute path if it is a file, or a folder that is written as one."""
    try:
        path = Path(folder, word)
        here = path.is_file() or ((os.sep in word or word in (".", "..")) and path.is_dir())
        return os.path.abspath(path) if here else word  # noqa: PTH100
    except (OSError, ValueError):  # too long for a path
        return word


class FaultKind(StrEnum):
    """How a program failed."""

    NO_START = "no-start"
    STALL = "stall"
    DISCONNECT = "disconnect"
    ILLEGAL = "illegal"
    UNREADABLE = "unreadable"
    SLOW = "slow"
    MEMORY = "memory"
    OUTPUT = "output"


class ProgramFault(Exception):
    """A program failed: the message follows its name in a line. `errors` has its last lines of stderr."""

    def __init__(self, kind: FaultKind, text: str, errors: tuple[str, ...] = (), answer: str = "") -> None:
        super().__init__(text)
        self.kind, self.errors, self.answer = kind, errors, answer

    @property
    def whole(self) -> str:
        """The message with the last line of stderr: 'ended: exit status 1: SyntaxError: invalid syntax'."""
        return ": ".join([str(self), *self.errors[-1:]])
