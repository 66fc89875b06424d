"""Random events find no fault, and what holds on every screen: no stale cells, panels of any size, marks, keys.

All run in forks of one process that has loaded and compiled what they need: so they are in one file. The suite takes a
few states of screens; NIMTUI_FUZZ=5 takes every state of every screen, and five times as many events.
"""

from __future__ import annotations

import asyncio
import os
import re
import sys
import threading
import traceback
from collections.abc import Awaitable, Callable, Iterable, Iterator
from functools import partial
from itertools import product
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from typing import Any

import pytest
from rich.color import ColorSystem
from textual.actions import parse
from textual.keys import _character_to_key
from textual.screen import ModalScreen
from textual.widget import Widget
from textual.widgets._toast import Toast

from nimtui.jobs import JobState
from nimtui.ui.app.commands import key_groups
from nimtui.ui.app.terminal import TerminalInfo
from nimtui.ui.kit.terminal.glyphs import ASCII, UNICODE
from nimtui.ui.kit.terminal.pen import Look, look
from nimtui.ui.kit.widgets.bars import ARROWS, hints
from nimtui.ui.kit.widgets.panel import Panel
from nimtui.ui.library.screen import REST, LibraryScreen
from tests.fuzz.choose import Chooser
from tests.fuzz.drive import Broken, Drive, driven
from tests.fuzz.home import template
from tests.fuzz.hunt import TIMES, hunt
from tests.fuzz.starts import STARTS, reach
from tests.fuzz.steps import KEYS, Step, click
from tests.fuzz.trial import SIZE, Outcome, Trial, apart, run
from tests.ui.repainting import Difference, Screenful

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform == "win32", reason="needs to fork")]

RESIZED = ((200, 60), (60, 20), (80, 24)) if TIMES == 1 else ((200, 60), (120, 36), (60, 20), (100, 30), (80, 24))
RANDOM_STEPS, SEED = 10 * TIMES, 7
QUIET = [name for name, start in STARTS.items() if not start.under_way]
WALKED = ("PlayScreen", "TrainScreen", "SearchScreen", "LibraryScreen")
COLUMNS, ROWS = (1, 2, 5, 20, 79), (1, 2, 3, 8)
MOVING = ("down", "down", "up", "right", "left", "end", "home")[: 4 if TIMES == 1 else None]
NO_COLOR, VT100, LINUX = "NO_COLOR", "vt100", "TERM=linux"
TERMINALS = {
    "": TerminalInfo(),
    NO_COLOR: TerminalInfo(no_color=True, colors=16),
    VT100: TerminalInfo(no_color=True, colors=16, all_signs=False),
    LINUX: TerminalInfo(colors=16, all_signs=False),
}
SYSTEMS = {"": ColorSystem.TRUECOLOR, LINUX: ColorSystem.STANDARD}
POOR = (VT100, LINUX) if TIMES == 1 else (NO_COLOR, VT100, LINUX)
SEEN = {"4", "7"}  # attributes that every terminal shows: underlined, reversed
Work = Callable[[Drive, Trial], Awaitable[Any]]


def states(*few: str, many: Iterable[str] = QUIET) -> pytest.MarkDecorator:
    """The suite takes a few states of screens, the long run many."""
    return pytest.mark.parametrize("start", few if TIMES == 1 else sorted(many))


@pytest.fixture(scope="module")
def home() -> Iterator[Path]:
    """In the place of an empty home: one with something of every kind."""
    with template() as folder:
        yield folder


def terminal_of(trial: Trial) -> str:
    """Return the name of the terminal that a trial asks for as its only step."""
    return str(trial.steps[0][0]) if trial.steps and isinstance(trial.steps[0], tuple) else ""


async def rest(drive: Drive) -> None:
    """Wait until no job and no look-up runs, none is about to start, and all that they brought is drawn."""
    if isinstance(drive.app.screen, LibraryScreen):
        await asyncio.sleep(1.2 * REST)  # the cursor has to rest before an item is read
    await drive.until(lambda: not working(drive))
    await asyncio.sleep(1.5 * drive.app.tick)
    await drive.settle()


def working(drive: Drive) -> bool:
    """Return whether a job or a thread works on what a screen will show."""
    jobs = [job for job in drive.app.jobs.running() if job.state is not JobState.PAUSED]
    return bool(jobs) or any(thread.name == "look-up" for thread in threading.enumerate())


async def _done(work: Work, trial: Trial) -> Any:
    answer, terminal = None, TERMINALS[terminal_of(trial)]
    if terminal.no_color:
        os.environ["NO_COLOR"] = "1"  # Textual looks, too
    async with driven(trial.size, terminal) as drive:
        await reach(drive, trial.start)
        drive.app.jobs.slow_down()
        await rest(drive)
        try:
            answer = await work(drive, trial)
        except Broken:
            raise
        except Exception as fault:  # noqa: BLE001 - of the test itself: it is no fault of the app
            answer = "".join(traceback.format_exception(fault))
    return str(drive.app.found[0]) if drive.app.found else answer


def _child(work: Work, there: Connection, trial: Trial, home: Path) -> None:
    """Bring an app to the start of a trial, do this work and send its answer."""
    there.send(asyncio.run(_done(work, trial)))
    os._exit(0)  # threads of jobs may still be at something


def answer(work: Work, trial: Trial, home: Path) -> Any:
    """Return the answer of this work, done in a process of its own. AssertionError with the fault that ended it."""
    found: Any = apart(trial, home, partial(_child, work))
    fault = found.fault if isinstance(found, Outcome) else found if isinstance(found, str) else None
    assert fault is None, fault
    return found


# Stale cells.


def shown(cells: list[Difference]) -> list[str]:
    """Return the rows in which cells are stale: what is shown there, and what a repaint shows."""
    rows = {y: [cell for cell in cells if cell[1] == y] for y in sorted({y for _, y, _, _ in cells})}
    texts = {y: ["".join(str(cell[at][0]) for cell in row) for at in (2, 3)] for y, row in rows.items()}
    return [f"row {y}: {stale!r}, not {fresh!r}" for y, (stale, fresh) in texts.items()]


async def _resize(drive: Drive, trial: Trial) -> dict[Step, list[str]]:
    """First every panel paints itself in sizes that a layout may give it for a moment."""
    painters = [panel._paint for panel in drive.app.screen.query(Panel) if panel._paint is not None]
    assert painters or isinstance(drive.app.screen, ModalScreen), "no panel"
    for paint, columns, rows, signs in product(painters, COLUMNS, ROWS, (UNICODE, ASCII)):
        paint(columns, rows, signs)
    screenful, faults = Screenful(drive), {}
    for size in RESIZED:
        await drive.do(size)
        await rest(drive)
        screenful.resized()
        if cells := await screenful.stale() or await screenful.outdated():
            faults[size] = shown(cells)
    return faults


async def _walk(drive: Drive, trial: Trial) -> tuple[list[Step], list[str]]:
    screenful, chooser = Screenful(drive), Chooser(drive.app, Random(f"{trial.seed} {trial.start}"))
    steps: list[Step] = []
    while len(steps) < trial.events:
        size = drive.app.size
        steps.append(chooser.step())
        await drive.do(steps[-1])
        if drive.ended:
            break
        if drive.app.size != size:
            screenful.resized()
        if cells := await screenful.stale():
            return steps, shown(cells)
    return [], []


@states("train ended", "taught", "replay thoughts")
def test_panels_of_any_size_are_painted_and_a_resized_screen_is_as_a_repaint_gives_it(start: str, home: Path) -> None:
    assert answer(_resize, Trial(start, SIZE), home) == {}


@states("values", "search grown", many=(name for name in QUIET if STARTS[name].screen in WALKED))
def test_random_steps_leave_no_stale_cell(start: str, home: Path) -> None:
    size = Random(start).choice([(80, 24), (120, 36), (200, 60)])
    assert answer(_walk, Trial(start, size, events=RANDOM_STEPS, seed=SEED), home) == ([], [])


# Marks.


def name_of(widget: Widget) -> str:
    """Return the type of a widget and its id, or where it stands: a message that comes renames no other widget."""
    nodes = reversed(widget.ancestors_with_self[:-2])  # without the screen and the app
    place = "/".join(node.id or str(node.parent.children.index(node)) for node in nodes if node.parent is not None)
    return f"{type(widget).__name__} {widget.id or place}"


def pictures(drive: Drive, terminal: str) -> dict[str, object]:
    """Return what such a terminal shows of each widget, by its name: the signs, and how they are drawn.

    But for messages: they come by themselves, as the question does that a long run asks.
    """
    app, system = drive.app, SYSTEMS.get(terminal)

    def drawn(sign: str, looks: tuple[Look, Look]) -> object:
        own = looks[sign == " "]
        return sign, own if system is not None else own.attributes & SEEN

    rows = [
        [drawn(sign, look(style, system)) for text, style, _ in strip for sign in text]
        for strip in app.screen._compositor.render_strips(app.size)
    ]
    found: dict[str, object] = {}
    for widget in app.screen.walk_children():
        places = app.screen._compositor.visible_widgets.get(widget)
        if places is not None and widget.display and not widget.children and not isinstance(widget, Toast):
            at = places[0].intersection(places[1])
            picture = [row[at.x : at.right] for row in rows[at.y : at.bottom]]
            found[name_of(widget)] = picture
    return found


async def _move(drive: Drive, trial: Trial) -> list[str]:
    """Return the widgets that keys change on this terminal."""
    terminal, screen = terminal_of(trial), drive.app.screen
    changes, before = list[str](), pictures(drive, terminal)
    for key in MOVING:
        if drive.app.screen is screen:
            await drive.do(KEYS[key])
            await rest(drive)
            after = pictures(drive, terminal)
            changes += [name for name, picture in after.items() if before.get(name) != picture]
            before = after
    return changes


def moved(start: str, terminal: str, home: Path) -> set[str]:
    """Return the widgets that keys change on this terminal."""
    return set(answer(_move, Trial(start, SIZE, ((terminal,),)), home))


@states("settings", "train list")
def test_what_a_key_changes_is_seen_without_colour_and_with_16(start: str, home: Path) -> None:
    # The line of messages marks nothing: its words stay when its colour goes.
    changed = moved(start, "", home) - {"Panel said"}
    assert changed
    for name in POOR:
        if not changed <= (seen := moved(start, name, home)):  # what comes by itself may have come between two keys
            changed &= moved(start, "", home)
            seen |= moved(start, name, home)
        assert changed <= seen, name


# Keys. Letters stand for themselves, `^x` for Ctrl+X; these have names.

SPELT = {"Enter": "enter", "esc": "escape", "del": "delete", "pgup": "pageup", "pgdn": "pagedown"}
SPELT |= {name: name for name in ("up", "down", "left", "right", "home", "end", "tab", "space", "backspace")}
ONE_EACH = sorted({start.screen: name for name, start in STARTS.items() if name in QUIET and name != "small"}.values())
ONE_EACH += ["another player", "replay", "library filter", "compare map", "compare trees", "train list"]
ONE_EACH += ["search deepening"]
IN_PROSE = re.compile(r"(?<![\w'’/:@])([b-zB-Z])(?![\w'’:/]|-\d)")  # a letter alone, but the article


def spelt(shown: str) -> str:
    """Return Textual's name of a key that an ASCII terminal shows. Fails if none is shown so."""
    ctrl, shift = re.fullmatch(r"\^(\w)", shown), shown.removeprefix("shift+")
    if ctrl:
        return f"ctrl+{ctrl[1]}"
    if shift != shown:
        return f"shift+{spelt(shift)}"
    if re.fullmatch(r"F\d+", shown):
        return shown.lower()
    return SPELT[shown] if len(shown) > 1 else _character_to_key(shown)


async def _keys(drive: Drive, trial: Trial) -> list[str]:
    """Return what footer, help and keys say that is not so."""
    app, screen, faults, done = drive.app, drive.app.screen, list[str](), list[tuple[str, object]]()
    footer, helped = hints(screen), [line for _, lines in key_groups(screen) for line in lines]
    now = {key: active for key, active in screen.active_bindings.items() if active.enabled and key != "ctrl+c"}
    in_help = {spelt(key): said for shown, said in helped for key in shown.split()}
    for hint in footer:
        for shown, pressed in hint.keys:
            named = {spelt(key) for key in shown.split("/" if len(shown) > 1 else None)}
            ours = pressed in now and bool(now[pressed].binding.id)
            if hint.enabled and ours and (not named <= set(in_help) or not named <= set(now)):
                faults.append(f"the footer shows {shown} for {hint.label}; help has {sorted(in_help)}")
    shown_keys = [(pressed, shown) for hint in footer for shown, pressed in hint.keys if pressed in now]
    in_footer = {now[pressed].binding.action: shown for pressed, shown in shown_keys}
    for letter in IN_PROSE.findall(getattr(screen, "HELP", None) or ""):
        key = _character_to_key(letter)
        action = now[key].binding.action if key in now else ""
        if in_footer.get(action, letter) != letter:
            faults.append(f"the text of F1 says {letter}, the footer {in_footer[action]}, for {action}")

    async def noted(namespace: object, action: str, parameters: object) -> bool:
        done.append((action, parameters))
        return True

    app._dispatch_action = noted  # type: ignore[method-assign]
    for key, said in in_help.items():
        if key not in now:
            faults += [f"help says {key}: {said}; it has no binding"] * (key not in screen.active_bindings)
        elif key not in ("enter", "escape"):  # which a prompt takes by itself
            done.clear()
            await drive.do(KEYS[key])
            await drive.settle()
            _, action, parameters = parse(now[key].binding.action)
            if done != [(action, parameters)]:
                faults.append(f"help says {key}: {said}; it does {done}")
    return faults


@states("play neighbours", "new game", "library filter", many=ONE_EACH)
def test_footer_and_help_name_the_same_keys_in_ascii_and_each_does_what_help_says(start: str, home: Path) -> None:
    assert answer(_keys, Trial(start, SIZE, ((LINUX,),)), home) == []


# What the footer offers.

QUITTING = {"quit", "help_quit", "command_palette"}  # which tests of their own take
SIZES, COLOURS = ((80, 24), (200, 60)), ("", NO_COLOR)
ROUNDS = 20  # apps of one start: a key may lead to another screen


def seen(drive: Drive) -> tuple[object, ...]:
    """Return what a key can change: what is shown, on which screen, what is said, copied and worked at."""
    app = drive.app
    texts = tuple(strip.text for strip in app.screen._compositor.render_strips(app.size))
    return texts, app.screen, app.current_mode, app.clipboard, len(app.jobs.running())


def said(drive: Drive) -> set[str]:
    return {note.identity for note in drive.app._notifications}


async def _press(drive: Drive, trial: Trial) -> tuple[list[str], list[str]]:
    """Press the keys of the footer that are not among the steps, until one leads away: faults, and what was pressed."""
    app, screen, faults = drive.app, drive.app.screen, list[str]()
    assert trial.steps is not None
    pressed = [str(step) for step in trial.steps[1:]]
    while not drive.ended and app.screen is screen:
        offers = (hint for hint in hints(screen) if hint.label not in pressed and hint.action not in QUITTING)
        if (hint := next(offers, None)) is None:
            break
        pressed.append(hint.label)
        before, notes = seen(drive), said(drive)
        for _, key in hint.keys if any(key not in ARROWS for _, key in hint.keys) else ():
            await drive.do(KEYS[key])
            if await drive.until(lambda before=before: seen(drive) != before, 2):  # type: ignore[misc]
                break
        else:
            faults += [f"{hint.label} ({hint.keys}): nothing happens"] * (hint.keys[0][1] not in ARROWS)
        if not hint.enabled:
            await drive.until(lambda notes=notes: bool(said(drive) - notes), 2)  # type: ignore[misc]
            faults += [f"{hint.label}: dimmed, and no reason is said"] * (said(drive) <= notes)
    return faults, pressed


@states("over", many=STARTS.keys() - {"small"})
def test_what_the_footer_offers_acts_and_what_it_dims_says_why(start: str, home: Path) -> None:
    chance, done, faults = Random(start), list[str](), list[str]()
    for _ in range(ROUNDS):
        steps = ((chance.choice(COLOURS),), *done)
        wrong, pressed = answer(_press, Trial(start, chance.choice(SIZES), steps), home)  # type: ignore[arg-type]
        faults += wrong
        if pressed == done:
            break
        done = pressed
    assert not faults and done == pressed != []


# Random events, and sequences that once brought the app down, as `python -m tests.fuzz` printed them. The tests of
# single keys in tests/ui hold more of them.


def test_the_screens_bear_120_random_events() -> None:
    report = hunt(101, 120 * TIMES, shrinking=20, lengths=(40,))
    assert report.events >= 120 * TIMES
    assert not report.found, report.told


DOWN = b"\x1b[B"
F1, F3, F4, F7, F9 = (KEYS[f"f{number}"] for number in (1, 3, 4, 7, 9))
LATE = (b"\x1b[5^" + DOWN, (120, 40), b"\x1b[7$", b"\x1b[A", click(2, 72, 10), b"\x1b[<67;72;13M", b"\r", b"\x1b[C" * 5)
LATE += (F9, click(2, 37, 14), F7, b"\r\r\x10\x1b[A" + F9 + DOWN * 3 + click(0, 23, 4))
UNBORN = (b"\r" + DOWN, F3 * 4, b"\x08", DOWN, F1 + click(0, 47, 18), DOWN, b"\x1b[A\x1b[5~", b"\x1b[6~" * 2)
UNBORN += (F4 + b" \t " + click(1, 41, 17) + b"\x08 \x1b[5~",)
FOUND = [
    # A palette that has no room.
    Trial("start", SIZE, ((40, 10), b"\x10", b"\x10")),
    # The mark of one game is asked of the next.
    Trial("start", SIZE, (b"p", 0.3, *[DOWN] * 3, b"n", *[DOWN] * 9, b"\r", 0.3)),
    # What had the focus is hidden when its screen comes back.
    Trial("train", (200, 60), (b"\t", F4, SIZE, F3)),
    # Curves of a comparison that has been started again end late.
    Trial("sweep form", (60, 20), LATE),
]


UNBORN_FORM = Trial("new game", SIZE, UNBORN)  # is closed before it is there: takes long


@pytest.mark.parametrize("found", FOUND if TIMES == 1 else [*FOUND, UNBORN_FORM], ids=lambda found: found.start)
def test_what_was_found_is_mended(found: Trial, home: Path) -> None:
    outcome = run(found, home)
    assert outcome.fault is None, f"{outcome.fault}\n{outcome.text}"
