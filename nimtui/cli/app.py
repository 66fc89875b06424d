"""All commands as one program, and how each ends: with a status, and on failure with one line on stderr.

Statuses:

- 0: done.
- 1: the system refused something, or the reader of a pipe left (`| head`), which prints no line.
- 2: invalid input.
- 70: a bug of nimtui, with a crash report.
- 130, 143 …: stopped by Ctrl+C, SIGTERM …: 128 + the signal.
"""

from __future__ import annotations

import codecs
import io
import os
import sys
import warnings
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Annotated
from unicodedata import normalize

import typer

from nimtui.cli import (
    bar,
    benchmarks,
    games,
    names,
    new,
    options,
    output,
    play,
    runs,
    search,
    solve,
    table,
    tournament,
    tournaments,
    train,
    words,
)
from nimtui.cli.completion import LearnerCommand
from nimtui.cli.options import Ascii, Plain, Slow, Unchecked
from nimtui.errors import LONGEST_WORD, InputError, shortened
from nimtui.process import plugins, stopping
from nimtui.progress import Cancelled
from nimtui.signs import visible
from nimtui.store import guard
from nimtui.store.errors import Refused
from nimtui.ui.app.modes import MODES
from nimtui.ui.kit.contract import Mode
from nimtui.version import __version__

WRONG, BROKEN, TYPERS_STOPPED = 2, 1, 130
OF_SCREENS = ("--ascii", "--slow", "--unchecked")  # options that a screen's name may stand with

EXAMPLES = """\b
Examples:
  nimtui                                       open the app
  nimtui tour                                  see it all in one minute
  nimtui play tower:16 --second hard           play against a learned opponent
  nimtui solve nim:3,5,4,2,6:misere            who wins, and why
  nimtui moves nim:7,5,3 --agent mc            how flat Monte Carlo rates them
  nimtui compare tower:16 -a mc -a mcts        set agents beside each other
  nimtui train tower:16 --games 5000000        train on five million games
  nimtui match tower:16 --first easy --second perfect --games 100
  nimtui tournament tower:16 -a random -a hard -a perfect   rank the agents
  nimtui ratings --anchor perfect=0            rate saved tournaments together
  nimtui games list                            list the saved games

Most commands accept --json. 'nimtui COMMAND --help' explains a command.
"""

app = typer.Typer(
    add_completion=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)


def _version(wanted: bool) -> None:
    if wanted:
        output.say(f"nimtui {__version__}")
        raise typer.Exit


def _use(ascii: bool, slow: bool, unchecked: bool, plain: bool = False) -> None:
    """Obey the options that hold for every command."""
    if unchecked:
        from nimtui.check import quarantine

        os.environ[quarantine.UNCHECKED] = "1"
    output.draw_as(ascii, slow, plain)


@app.callback(invoke_without_command=True, epilog=EXAMPLES)
def nimtui(
    context: typer.Context,
    ascii: Ascii = False,
    slow: Slow = False,
    plain: Plain = False,
    unchecked: Unchecked = False,
    version: Annotated[
        bool, typer.Option("--version", "-V", is_eager=True, callback=_version, help="Print the version.")
    ] = False,
) -> None:
    """A laboratory in the terminal for how machines learn and search small games.

    Without a command, nimtui opens the app.
    """
    _use(ascii, slow, unchecked, plain)
    if context.invoked_subcommand is None:
        play.open_app()


for command in (
    play.play,
    play.tour,
    solve.solve,
    solve.serve,
    solve.sequence,
    solve.quotient,
    search.moves,
    search.search,
    search.compare,
    tournament.match,
    tournament.tournament,
    tournament.class_,
    tournaments.ratings,
    train.train,
    train.sweep,
    table.table,
    table.export,
    new.check,
    new.grade,
    new.new,
    solve.book,
    table.sample,
    benchmarks.bench,
    words.keys,
    words.config,
    words.words,
):
    kind = LearnerCommand if command is train.train else None
    options.command(app, command.__name__.rstrip("_"), kind)(command)


def _add_screen(mode: Mode) -> None:
    """Add a command that opens the app on this screen, for a screen without a command of its own."""

    def opens(ascii: Ascii = False, slow: Slow = False) -> None:
        output.draw_as(ascii, slow)
        play.open_app(mode.name)

    opens.__doc__ = f"Open the {mode.title} screen. {mode.about}."
    opens.__name__ = mode.name
    app.command()(opens)


OWN_COMMANDS = {getattr(command.callback, "__name__", "") for command in app.registered_commands}
for mode in MODES:
    if mode.name not in OWN_COMMANDS:
        _add_screen(mode)


app.add_typer(games.games)
app.add_typer(tournaments.tournaments)
app.add_typer(runs.runs)


def _alone(arguments: Sequence[str]) -> str | None:
    """Return the screen that no command opens: '' without arguments, its name if nothing else is said; else None.

    Raises InputError if the terminal cannot show it and the command needs a game.
    """
    words = [word for word in arguments if word not in OF_SCREENS]
    if not words and "_NIMTUI_COMPLETE" not in os.environ:  # the shell asks for completions
        return ""  # without the library of commands, which takes 10 MB and 0.1 s
    name = next((mode.name for mode in MODES if mode.letter and words == [mode.name]), None)
    if name is not None and name in OWN_COMMANDS and not play.at_a_terminal():
        raise InputError(
            f"name the game (see 'nimtui {name} --help'); 'nimtui {name}' alone opens the {name.title()}"
            " screen, which needs a terminal"
        )
    return name


command_of = cache(typer.main.get_command)  # some 70 ms: once for all runs of a process


def run(arguments: Sequence[str]) -> int:
    """Run one command and return its exit status. No invalid input raises."""
    _speak_any_encoding()
    warnings.showwarning = _warn
    output.forget()
    bar.arguments = tuple(arguments)
    stopping.forget()
    try:
        if (alone := _alone(arguments)) is not None:
            _use(ascii="--ascii" in arguments, slow="--slow" in arguments, unchecked="--unchecked" in arguments)
            play.open_app(alone)
            return 0
        status = command_of(app).main(list(arguments), prog_name="nimtui", standalone_mode=False)
        sys.stdout.flush()
        if status == TYPERS_STOPPED:  # typer's silent answer to a second Ctrl+C
            raise KeyboardInterrupt
        return status if isinstance(status, int) else 0
    except Refused as refused:
        return _fail(str(refused), BROKEN)
    except (InputError, typer.TyperException) as wrong:
        return _fail(_one_line(wrong, arguments), WRONG)
    except BrokenPipeError:
        output.discard_output()
        return BROKEN
    except (Cancelled, KeyboardInterrupt, typer.Abort):
        return _fail("stopped", stopping.status())
    except MemoryError:
        return _fail("not enough memory", BROKEN)
    except OSError as fault:
        return _fail(
            f"{fault.strerror or fault}{f': {shortened(str(fault.filename), LONGEST_WORD)}' if fault.filename else ''}",
            BROKEN,
        )
    except plugins.RAISED as fault:  # a bug of nimtui or of own code: two lines and a report, never a traceback
        if isinstance(fault, SystemExit) and not names.raised(fault):
            raise  # the shell's completion ends so
        return _failed(fault, arguments)


def _failed(fault: BaseException, arguments: Sequence[str]) -> int:
    if fault_line := names.compiled_fault(fault):
        return _fail(fault_line, WRONG)
    command = next((word for word in arguments if not word.startswith("-")), "")
    where = f"in the command {visible(command)}" if command else "at the start"
    what, report = guard.report_lines(fault, where, guard.write_report(fault, {"arguments": repr(list(arguments))}))
    output.tell(what.removeprefix("nimtui "))
    if files := plugins.loaded_names():
        from nimtui.check import quarantine

        if quarantine.unchecked():
            report = f"--unchecked used {files} without a check, which may be the cause. {report}"
    return _fail(report, guard.STATUS)


def _one_line(wrong: Exception, arguments: Sequence[str]) -> str:
    if isinstance(wrong, typer.TyperException):
        message = wrong.format_message().replace("Value error, ", "")  # words of pydantic
        for argument in arguments:  # line breaks of the argument are shown, those of the message are not
            for part in (argument, *argument.split("=", 1)):
                message = message.replace(part, shortened(part, LONGEST_WORD)) if part.strip() else message
        context = getattr(wrong, "ctx", None)
        where = context.command_path if context is not None else "nimtui"
        return f"{' '.join(message.split()).rstrip('.')} (see '{where} --help')"
    return str(wrong)


def _fail(line: str, status: int) -> int:
    output.fail(line)
    return status


def _warn(message: Warning | str, *_: object, **__: object) -> None:
    """Print a warning of a library in one line."""
    output.tell(f"warning: {message}")


def _plain(fault: UnicodeError) -> tuple[str, int]:
    if not isinstance(fault, UnicodeEncodeError):
        raise fault
    text = fault.object[fault.start : fault.end].translate(output.PLAIN)
    bare = (normalize("NFKD", sign)[0] for sign in text)  # a letter without its accent
    return "".join(sign if sign.isascii() else "?" for sign in bare), fault.end


def _speak_any_encoding() -> None:
    """Make stdout and stderr replace signs that they cannot encode; replace a closed one by the null device."""
    codecs.register_error("nimtui.plain", _plain)
    if sys.stdout is None or sys.stderr is None:  # closed by the shell: >&-
        silence = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 - open until the end
        sys.stdout, sys.stderr = sys.stdout or silence, sys.stderr or silence
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="nimtui.plain")
