"""Reads lines and obeys them, until the person quits or the input ends."""

from __future__ import annotations

from nimtui.cli import output
from nimtui.cli.plain import choosing, commands
from nimtui.cli.plain.asking import EndOfInput
from nimtui.cli.plain.dialogue import Dialogue
from nimtui.cli.plain.working import Stopped
from nimtui.errors import InputError
from nimtui.ui.play.setup import PlaySetup


def talk(setup: PlaySetup | None, seed: int | None = None) -> None:
    """Start with this game, or let the person choose one. `seed` is that of the next game without one."""
    dialogue = Dialogue(seed)
    output.paragraph("nimtui, line by line. 'help' lists the commands, 'quit' ends.")
    try:
        dialogue.start(setup or choosing.choose(dialogue.asking, dialogue.next_seed()))
        while not dialogue.ended:
            _turn(dialogue)
    except EndOfInput:
        output.paragraph("End of input.")
    except (choosing.Quit, choosing.Back):
        pass


def _turn(dialogue: Dialogue) -> None:
    """Let the agents move, then read a line and obey it. Invalid input leads back to the prompt.

    Raises InputError if the rules of an own game fail before a line is read: they would fail again.
    """
    try:
        dialogue.let_agents_move()
        line = dialogue.asking.ask(dialogue.prompt)
        try:
            commands.obey(dialogue, line)
        except InputError as wrong:
            output.paragraph(f"Error: {wrong}")
    except Stopped:
        output.paragraph("Stopped.")
