"""How a program is named: a command as a shell splits it, with the absolute paths of its files."""

from __future__ import annotations

import os
import shlex
import shutil
from pathlib import Path
from typing import NamedTuple

from nimtui.errors import InputError, shortened
from nimtui.sandbox.closing import SYSTEM, Bounds, holds_home


class Command(NamedTuple):
    """A program and its arguments."""

    words: tuple[str, ...]  # the program and every argument that is a file are absolute paths
    file: str  # the file that a person wrote: the program, or the script that an interpreter runs

    @property
    def text(self) -> str:
        """Return the command as a shell reads it; parses to the same command from any folder."""
        return shlex.join(self.words)

    @property
    def label(self) -> str:
        """Return the name of the file."""
        return Path(self.file).name

    @property
    def folder(self) -> str:
        """Return the folder of the file, in which the program runs."""
        return str(Path(self.file).parent)

    @property
    def bounds(self) -> Bounds:
        """Return what the program may read: its files, its folder, and the installation of its interpreter.

        No folder in which the home folder lies.
        """
        files = tuple(word for word in self.words if word.startswith(os.sep))
        folders = [self.folder]
        if self.file != self.words[0]:
            places = (self.words[0], os.path.realpath(self.words[0]))
            folders += [str(Path(place).parent.parent) for place in places]
        return Bounds((*files, *(folder for folder in folders if not holds_home(folder))))


def parse_command(text: str) -> Command:
    """Return the command of this text. Raises InputError if it cannot be split, or if there is no such program."""
    try:
        words = shlex.split(text)
    except ValueError as fault:
        raise InputError(f"invalid command '{shortened(text)}': {str(fault).lower()}") from None
    if not words:
        raise InputError("a program is missing: expected a command, for example cmd:./bot or cmd:python3 bot.py")
    program = _program(os.path.expanduser(words[0]))  # noqa: PTH111 - a plain path stays as it is
    rest = [_absolute(word) for word in words[1:]]
    file = program
    if program.startswith(SYSTEM) or str(Path(program).parent) in os.get_exec_path():  # an interpreter
        file = next((word for word in rest if Path(word).is_file()), program)
    return Command((program, *rest), file)


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


def _absolute(word: str) -> str:
    """Return an argument, as an absolute path if it is a file."""
    try:
        return os.path.abspath(word) if Path(word).is_file() else word  # noqa: PTH100
    except (OSError, ValueError):  # too long for a path
        return word
