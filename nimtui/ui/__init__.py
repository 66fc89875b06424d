"""The app in the terminal. `run` opens it.

One room per screen. A room imports only the rooms below it; a test checks this:

    app > tour > tournament > library > sweep > compare > train > search > play > board > kit

A file name means the same in every room. A small room lacks some of the files.

- `__init__`: what the room is for, and its `MODE`: what it is called, its keys, and where its screen is found.
- `screen`: the Textual screen. It composes widgets, holds a row for each command (`kit.command`: key, names, what it
  does, when it is possible) and forwards; it holds no rules.
- `work` or `conductor`: what goes on, whichever screen is shown. It starts, pauses, ends and saves work as jobs,
  belongs to the app (`nimtui.jobs.work`), and knows no widget. All of it happens in the event loop; what takes long is
  a job.
- `stage`: where a screen is large, the composed picture and the way about in it.
- `view`: painters, pure functions of what is known, columns, rows and signs that give lines; nothing of Textual.
- `form`: the dialogs that ask for a setup, and its fields as a table (`kit.draft`): label, meaning, its syntax and
  suggestions, unless they stand in `screen`; `setup` is the result, with all that is needed to start, and the presets.
- `sentences`: what is said in words.

Other files are named after what they hold. A screen asks the app through the protocol `kit.shell.Shell`, never by
importing it. A new mode is a room with a `MODE` and a style sheet; header, start screen, keys, palette and
`nimtui SCREEN` find it there.

This file, `app.terminal` and `app.background` import nothing of Textual, which reads its environment when imported:
that comes last.
"""

from __future__ import annotations

import gc
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nimtui.playing.setup import PlaySetup
    from nimtui.ui.play.compare_setup import CompareSetup
    from nimtui.ui.train.setup import TrainSetup

__all__ = ["run"]

# Seconds that a thread in Python may go on while the screen's waits for its turn; 5 ms are usual. A frame takes some
# ten turns: while games are played in this process a key waited for 90 ms, with this for 30.
TURN = 0.001
PATIENCE = 5.0  # seconds that jobs have at most to reach the end of a chunk and save, when the app is closed


def run(
    setup: PlaySetup | TrainSetup | CompareSetup | None = None,
    *,
    mode: str = "",
    ascii: bool = False,
    slow: bool = False,
) -> None:
    """Open the app and return when it is closed.

    Start this game, training or comparison if one is given; otherwise show this mode.

    Raises InputError, one line, if the terminal cannot show the app or the game is invalid.
    """
    from nimtui.check.quarantine import add_own_files
    from nimtui.engine import activity, last_exit
    from nimtui.jobs.kernels import KernelProcess
    from nimtui.process import detached, stopping
    from nimtui.signs import visible
    from nimtui.store import guard
    from nimtui.store import settings as store
    from nimtui.ui.app import background, terminal

    terminal.check()
    if setup is not None:
        setup = setup.validate()
    settings, faults = store.load()
    left_out = add_own_files()
    surroundings = terminal.prepare(settings, ascii=ascii, slow=slow)

    if where := terminal.name():
        guard.begin(where, terminal.TIDY)
        guard.trace(stopping.watch_own_code(guard.pipe(), where, last_exit.prepare))

    from nimtui.ui.app.app import NimtuiApp
    from nimtui.ui.app.keymap import use_own

    faults += use_own()
    guard.ready()
    _get_ready_for_agents()
    settings, typed = background.at_first_start(settings, surroundings)
    app = NimtuiApp(
        settings,
        surroundings,
        setup=setup,
        mode=mode,
        faults=tuple(faults),
        left_out_files=left_out,
        typed_before=typed.decode(errors="replace"),
    )
    _calm_the_collector()
    detached.return_large_blocks()
    sys.setswitchinterval(TURN)
    stopping.full_screen(True)
    kernels = KernelProcess()
    activity.use(kernels)
    try:
        app.run()
    finally:
        stopping.full_screen(False)
        activity.use(None)
        kernels.close()
        if not app.jobs.shutdown(timeout=PATIENCE):
            app.release()
        app.continue_elsewhere()
        app.end_signals.leave()
        guard.end()
    for line in app.failure or ():
        print(visible(line), file=sys.stderr)
    if app.return_code:
        raise SystemExit(app.return_code)


def _get_ready_for_agents() -> None:
    """Start the fork server if the person has agents of their own, so that the first starts at once."""
    registry = sys.modules.get("nimtui.agents.registry")
    if registry is not None and registry.has_own():
        from nimtui.sandbox import client

        client.get_ready()


def _calm_the_collector() -> None:
    """Freeze what stays in memory and let the garbage collector run more rarely.

    A full collection stops every thread for as long as it lasts. While kernels are compiled beside the screen that
    made single keys wait for more than 200 ms; with this it was 147 ms at the worst.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 100)
