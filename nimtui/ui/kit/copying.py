"""Ctrl+Y: copies what fits the screen, or asks which of several things.

The terminal copies, not this machine, by escape sequences (OSC 52): so it works over SSH. A terminal does not answer
whether it obeyed. Sources: XTerm Control Sequences (OSC 52); tmux(1), allow-passthrough and set-clipboard.
"""

from __future__ import annotations

import os
from base64 import b64encode
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from nimtui.report.copies import COMMAND, Copy, command
from nimtui.ui.kit.contract import START
from nimtui.ui.kit.forms.choices import Choice, Choices
from nimtui.ui.kit.forms.dialogs import ListDialog
from nimtui.ui.kit.terminal.textual_parts import AppParts
from nimtui.ui.kit.widgets.page import closing

if TYPE_CHECKING:
    from nimtui.jobs import Jobs
    from nimtui.ui.kit.contract.stack import Answering


NO_CLIPBOARD = ("linux", "cons25", "vt100", "vt102", "vt220")  # values of TERM for consoles without a clipboard


def sequences(text: str, environment: Mapping[str, str]) -> str:
    """Return what makes the terminal copy this text; inside tmux also the sequence that passes through it.

    tmux obeys the plain sequence with `set-clipboard on`, and hands on the other one with `allow-passthrough on`.
    '' for a console without a clipboard.
    """
    plain = f"\x1b]52;c;{b64encode(text.encode('utf-8', 'replace')).decode('ascii')}\x07"
    if environment.get("TMUX"):
        doubled = plain.replace("\x1b", "\x1b\x1b")
        return f"{plain}\x1bPtmux;{doubled}\x1b\\"
    return "" if environment.get("TERM", "") in NO_CLIPBOARD else plain


class CopyMenu(ListDialog[Copy], place="copy"):
    """Asks what to copy."""

    HELP = "Press Enter to copy the marked line. The terminal puts the text on the clipboard, over SSH too."
    BINDING_GROUP_TITLE = "Copy"
    ROWS = closing()

    def __init__(self, copies: Sequence[Copy]) -> None:
        super().__init__()
        self._copies = copies

    def choices(self) -> Sequence[Choice]:
        return [Choice(str(at), one.what, one.detail) for at, one in enumerate(self._copies)]

    def on_choices_taken(self, message: Choices.Taken) -> None:
        self.dismiss(self._copies[int(message.choice.value)])


class Copying(AppParts):
    """The part of the app that copies."""

    jobs: Jobs

    def copy_to_clipboard(self, text: str) -> None:
        """Have the terminal copy the text; Textual's own way does not pass through tmux."""
        self.note_copied(text)
        if self.own_driver is not None:
            self.own_driver.write(sequences(text, os.environ))

    def copies(self) -> list[Copy]:
        """Return what the shown screen offers, and always a command that opens it."""
        copies = [*cast("Answering[Any]", self.screen).copies()]
        if not any(one.what == COMMAND for one in copies):
            copies.append(command(*([] if self.current_mode == START else [self.current_mode])))
        return copies

    def copy_shown(self) -> None:
        """Copy what the screen offers; ask if that is more than one thing."""
        if not self._has_clipboard():
            return
        copies = self.copies()
        if len(copies) == 1:
            self._copy(copies[0])
        else:
            self.push_screen(CopyMenu(copies), lambda chosen: self._copy(cast("Copy", chosen)) if chosen else None)

    def put_on_clipboard(self, text: str, notice: str) -> None:
        """Have the terminal copy this text, and say so."""
        if self._has_clipboard():
            self._put((text, notice))

    def _has_clipboard(self) -> bool:
        """Return whether the terminal can copy; if not, say so."""
        if sequences("", os.environ):
            return True
        term = os.environ.get("TERM", "")
        self.notify(f"Not copied: a console with TERM={term} has no clipboard", severity="warning")
        return False

    def _copy(self, one: Copy) -> None:
        """Copy a text at once; make lines in a job first."""
        if one.lines is None:
            self._put(one.read())
        else:
            job = self.jobs.start("copying", lambda progress: one.read())
            job.add_done_callback(lambda job: job.hand_over(self._put, self._not_copied))

    def _not_copied(self, why: str) -> None:
        self.notify(f"Not copied: {why or 'stopped'}", severity="warning")

    def _put(self, read: tuple[str, str]) -> None:
        text, notice = read
        self.copy_to_clipboard(text)
        self.notify(notice)
