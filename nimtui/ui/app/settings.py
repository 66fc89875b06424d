"""The settings dialog. A change applies at once and is saved for the next start."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar, NamedTuple

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Static

from nimtui.process import detached
from nimtui.report.lines import BLANK, Ink, Line, Run, aimed, beside, line
from nimtui.report.values import Seconds
from nimtui.store import settings as store
from nimtui.store.settings import LEVELS, Settings
from nimtui.store.settings import Glyphs as Signs
from nimtui.ui.board.cursor import Owned
from nimtui.ui.board.discs import Discs
from nimtui.ui.board.preview import INKS
from nimtui.ui.kit.contract.command import Command
from nimtui.ui.kit.forms.choices import Choice, Choices
from nimtui.ui.kit.terminal.glyphs import Glyphs
from nimtui.ui.kit.widgets.bars import Footer
from nimtui.ui.kit.widgets.page import Dialog, closing
from nimtui.ui.kit.widgets.panel import Panel, painter

PACES = (0.0, 0.2, 0.4, 0.8, 1.5, 3.0, 6.0)  # seconds per move


WON = ("       ", "       ", "  2  1 ", "  121  ", " 2112  ", " 212121")  # by columns 3 to 6, upwards
THEMES = "okabe-ito suits colour-blind eyes; terminal uses the terminal's 16 colours."
BACKGROUND = "always: a long run outlives a cut link, in the background. ask: the first one asks."
LIMITS = (1, 2, 4, 8, 24, 72, 168)  # hours
HOURS = "The most hours that a run works in the background. Then it is saved and stops."
NOTICES = "When a long run ends or fails: a bell, or a message that some terminals show."
UNCHECKED = "Use your own games and learners even if their check fails. Applies from the next start."


def _switch(on: Any) -> str:
    return "on" if on else "off"


def _pace(seconds: Any) -> str:
    return f"{Seconds(seconds)} per move" if seconds else "at once"


class Setting(NamedTuple):
    """One line: the setting, its label, its explanation, its values and how to show them."""

    name: str
    label: str
    about: str
    values: Sequence[Any] = (False, True)
    shown: Callable[[Any], str] = str


def all_settings(themes: Sequence[str]) -> tuple[Setting, ...]:
    """Return the lines of the dialog, for an app with these themes."""
    return (
        Setting("theme", "Theme", THEMES, themes),
        Setting("glyphs", "Signs", "Characters of the boards: auto picks them for this terminal.", tuple(Signs)),
        Setting("animation", "Animation", "Machines pause briefly before they reply.", (True, False), _switch),
        Setting("pace", "Pace", "Pause before each move when you watch two machines.", PACES, _pace),
        Setting("level", "Level", "Your opponent in Play now. A win raises the level.", LEVELS, str.capitalize),
        Setting("slow", "Slow line", "Send fewer and smaller updates, for a slow connection.", (False, True), _switch),
        Setting("background", "Background", BACKGROUND, store.BACKGROUND),
        Setting("background_hours", "Hours", HOURS, LIMITS),
        Setting("notify", "Notices", NOTICES, detached.NOTICES),
        Setting("unchecked", "Unchecked", UNCHECKED, (False, True), _switch),
    )


def preview(columns: int, rows: int, signs: Glyphs) -> list[Line]:
    """Draw what colours and signs look like: a swatch for each meaning, a board, a bar, a map of positions."""
    first, second = signs.discs
    swatches = (
        (signs.cursor, "where you are", Ink.WHERE),
        (signs.chosen, "what Enter does", Ink.PICK),
        (signs.right, "right", Ink.RIGHT),
        (signs.wrong, "wrong", Ink.WRONG),
        (signs.verdicts[-1], "undecided", Ink.OPEN),
        (signs.running, "a running job", Ink.JOB),
        (first, "the first player", Ink.FIRST),
        (second, "the second player", Ink.SECOND),
        (signs.bar(1, 2), "an amount, a curve", Ink.ONE),
        (signs.bar(1, 2), "the second curve", Ink.TWO),
    )
    grounds = dict.fromkeys((Ink.FIRST, Ink.SECOND), Ink.BOARD) if signs.grounds else {}
    meanings = [
        line(" ", Run(sign, ink, grounds.get(ink)), " " * (4 - len(sign)), word) for sign, word, ink in swatches
    ]
    matches = line((f" {signs.match}  " * 5, Ink.STICK), (f" {signs.chosen}  " * 2, Ink.PICK), ("take 2", Ink.KEY))
    discs = line(
        " " * bool(grounds),
        *(Run(f" {disc}  ", ink, grounds.get(ink)) for disc, ink in ((first, Ink.FIRST), (second, Ink.SECOND)) * 3),
        (" discs", Ink.QUIET),
    )
    share = line(" ", (signs.bar(0.8, 24), Ink.BAR), (" visits", Ink.QUIET))
    verdicts = zip(signs.verdicts, INKS, (5, 12, 3, 1), strict=True)
    table = line(" ", *((f"{sign * times} ", ink) for sign, ink, times in verdicts), ("positions", Ink.QUIET))
    title, every = line(("What they look like", Ink.TITLE)), [*meanings, matches, discs, share, table]
    if rows > 2 * len(every):
        return [title, *(each for one in every for each in (BLANK, one))]
    half = [columns // 2] * 2
    samples = beside([[matches, discs], [share, table]], half)
    return [title, *beside([meanings[::2], meanings[1::2]], half), BLANK, *samples]


@painter
def board(columns: int, rows: int, signs: Glyphs) -> list[Line]:
    """Draw a game of Connect Four that is won, as large as the room allows."""
    discs = [[" 12".index(disc) for disc in row] for row in WON]
    winning = frozenset((5 - at, 2 + at) for at in range(4))
    picture, marks = Discs(len(WON[0]), len(WON), columns, rows, signs), Owned({}, winning, frozenset({(2, 5)}))
    return [aimed(each, None) for each in picture.paint(discs, frozenset({(3, 1)}), marks, 1)]


class SettingsScreen(Dialog[None], place="settings"):
    """Shows a line per setting; left and right change its value. Below, where there is room, what they look like."""

    BESIDE = (Choices,)
    HELP = "Choose a setting with up and down. Change it with left and right. Changes apply at once and are saved."
    BINDING_GROUP_TITLE = "Settings"

    def __init__(self) -> None:
        super().__init__()
        self._lines: tuple[Setting, ...] = ()

    def compose(self) -> ComposeResult:
        with Vertical(id="form") as form:
            form.border_title = "Settings"
            yield Choices()
            yield Static(id="about", markup=False)
        yield Panel(id="board", classes="box").headed("Board")
        yield Panel(id="preview", classes="box")
        yield Footer()

    def on_mount(self) -> None:
        self._lines = all_settings(sorted(self.app.available_themes))
        self._show()
        self.shell.settings_changed.subscribe(self, lambda _: self._show())

    def _show(self) -> None:
        line = self._marked()
        choices = [Choice(each.name, each.label, self._value(each)) for each in self._lines]
        self.query_one(Choices).show(choices, line.name)
        self.query_one("#about", Static).update(self.shell.glyphs.plain(self._about(line)))
        self.query_one("#preview", Panel).fill(preview)
        self.query_one("#board", Panel).fill(board())

    def _value(self, line: Setting) -> str:
        signs = self.shell.glyphs
        value = line.shown(getattr(self.shell.settings, line.name))
        return f"{signs.more_left} {value} {signs.more_right}"

    def _about(self, line: Setting) -> str:
        app = self.shell
        if line.name == "theme" and app.theme != app.settings.theme:
            return f"{line.about} This terminal uses {app.theme}."
        if line.name == "glyphs":
            return f"{line.about} Now: {app.glyphs.name}."
        return line.about

    def _marked(self) -> Setting:
        marked = self.query_one(Choices).marked
        return next((line for line in self._lines if marked and line.name == marked.value), self._lines[0])

    def on_choices_marked(self, message: Choices.Marked) -> None:
        self._show()

    def on_choices_taken(self, message: Choices.Taken) -> None:
        self.change(1)

    def change(self, by: int) -> None:
        """Set the marked setting to its next or previous value."""
        line = self._marked()
        now = getattr(self.shell.settings, line.name)
        values = list(line.values)
        if now not in values:  # edited by hand in the file
            values = sorted([*values, now])
        self.shell.change_settings(**{line.name: values[(values.index(now) + by) % len(values)]})

    def reset(self) -> None:
        name = self._marked().name
        self.shell.change_settings(**{name: getattr(Settings(), name)})

    ROWS: ClassVar[tuple[Command[SettingsScreen], ...]] = (
        Command("right,l", "change(1)", "Change", "", lambda screen: screen.change(1), display="←→"),
        Command("left,h", "change(-1)", "Change", "", lambda screen: screen.change(-1), show=False),
        Command("d", "default", "Default", "Reset the marked setting to its default", reset),
        *closing("escape,q,backspace"),
    )
