"""The base classes of all screens: faster at Tab than Textual's, and redrawn when the signs change.

The screen of a mode shows the work of a conductor and has a prompt, a line for a text: a move, a position, a name. An
error never loses the typed text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from inspect import isawaitable
from typing import Any, ClassVar, Generic, TypeAlias, TypeVar

from textual import events
from textual.app import ComposeResult
from textual.geometry import Size
from textual.reactive import Reactive
from textual.screen import ModalScreen, Screen
from textual.timer import Timer
from textual.widget import Widget

from nimtui.errors import InputError
from nimtui.jobs.conductor import Conductor
from nimtui.report import lines as ink
from nimtui.report.lines import Ink, Line, keys
from nimtui.store.settings import Settings
from nimtui.ui.kit.contract.command import Command, Commanded, Possible
from nimtui.ui.kit.contract.shell import shell
from nimtui.ui.kit.contract.stack import Answering
from nimtui.ui.kit.terminal.glyphs import Glyphs
from nimtui.ui.kit.widgets.bars import Footer, Header
from nimtui.ui.kit.widgets.panel import Paint, Panel, Panels
from nimtui.ui.kit.widgets.virtual_list import VirtualList

LONGEST = 60
LONGEST_PATH = 4_096  # characters of a file's path
CURSOR_KEYS = ("up", "down", "left", "right", "home", "end", "shift+left", "shift+right")


class Prompt(Enum):
    """The purposes of a typed text, each with the question in front of it; a screen may have purposes of its own."""

    MOVE = "Move"
    PLAYER = "Who plays for"
    ANALYST = "Estimate by"
    TABLE = "Save its table as"
    POSITION = "Go to position"
    GOAL = "Train to so many games"
    NODE = "Find moves or position"
    FILTER = "Show only"
    NAME = "New name"
    FILE = "Import file"
    VERSIONS = "Compare versions"


@dataclass(slots=True)
class TypingLine:
    """Holds the text so far; `open` while a person types."""

    starts: str = "0123456789:"  # what begins a move where nothing is typed yet
    open: bool = False
    asked: Enum = Prompt.MOVE
    text: str = ""
    fault: str = ""  # what was wrong with it when Enter was pressed
    proposed: bool = False  # is the text a proposal, which the first typed character replaces?

    def begin(self, asked: Enum, text: str = "") -> None:
        """Ask for a text. `text` is a proposal, except for a move."""
        self.open, self.asked, self.text, self.fault = True, asked, text, ""
        self.proposed = bool(text) and asked is not Prompt.MOVE

    def close(self) -> None:
        self.open, self.text, self.fault = False, "", ""

    def add(self, text: str) -> None:
        """Add typed or pasted text."""
        most = LONGEST_PATH if self.asked is Prompt.FILE else LONGEST
        before = "" if self.proposed else self.text
        self.text = (before + "".join(sign for sign in text if sign.isprintable()))[:most]
        self.fault, self.proposed = "", False

    def erase(self, word: bool = False) -> None:
        """Delete the last character, or all; an empty move closes the line."""
        self.text = "" if word else self.text[:-1]
        self.fault, self.proposed = "", False
        if not self.text and self.asked is Prompt.MOVE:
            self.close()

    @property
    def ink(self) -> Ink:
        return Ink.PICK if self.proposed else Ink.STRONG

    def paint(self, columns: int, rows: int, signs: Glyphs) -> list[Line]:
        """Paint the question, the text, and the keys that end it or its error."""
        question = self.asked.value
        end = [(f"  {signs.fault} {self.fault}", Ink.BAD)] if self.fault else keys("   ", "⏎", "  ", "esc")
        room = max(1, columns - len(question) - 16)
        begin = room // 3  # of a text that is cut in the middle
        text = self.text if len(self.text) <= room else self.text[:begin] + signs.hidden + self.text[begin - room + 1 :]
        typed = ink.line((f"{question}: ", Ink.TEXT), (text, self.ink), (signs.full, Ink.PICK), *end)
        return [ink.fit(typed, columns, signs)]

    def offer(self, offers: Sequence[str], by: int) -> None:
        """Put in the next offer, or the previous one."""
        at = offers.index(self.text) + by if self.text in offers else (0 if by > 0 else -1)
        self.text, self.fault = offers[at % len(offers)], ""

    def leaves(self, key: str) -> bool:
        """Return whether this key leaves a typed move for the board; then the text is dropped."""
        if not self.open or self.asked is not Prompt.MOVE or key not in CURSOR_KEYS:
            return False
        self.close()
        return True

    def takes(self, key: str, character: str | None) -> bool:
        """Take this key if it is for the text, and return whether it was. Enter is for the screen."""
        if not self.open:
            if character is None or not character.isprintable() or character not in self.starts:
                return False
            self.begin(Prompt.MOVE, "" if character == ":" else character)
            return True
        if key == "escape":
            self.close()
        elif key in ("backspace", "ctrl+h"):
            self.erase()
        elif key in ("ctrl+u", "ctrl+w"):
            self.erase(word=True)
        elif character is not None and character.isprintable():
            self.add(character)
        elif key in ("left", "right", "home", "end", "delete"):
            self.proposed = False  # the person edits the proposal
        else:
            return False
        return True


Answer = TypeVar("Answer")
Lines: TypeAlias = Mapping[str, Callable[[Any], Paint]]
"""The panels of one line each, by their names, and what they show of a screen."""

NARROW = 76  # columns; below, a screen has no room for panels beside each other
SIZES = {  # the classes of a screen: least columns and lines; the larger ones come on top of the smaller
    "-wide": (120, 0),
    "-framed": (100, 28),  # panels have frames
    "-large": (120, 36),  # and a layout of their own
    "-huge": (160, 48),
}


def fits(size: Size, kind: str) -> bool:
    """Return whether a screen of this size has this class."""
    columns, rows = SIZES[kind]
    return size.width >= columns and size.height >= rows


class Sized(Screen[Answer]):
    """A screen that knows by its classes how much room it has, and draws its widgets again when a setting changes."""

    # Textual's draws the whole screen when the focus changes; the widgets that lose and gain it draw themselves anyway.
    focused: Reactive[Widget | None] = Reactive(None, repaint=False)

    def on_mount(self) -> None:
        def draw(_: object) -> None:
            for widget in self.query("*"):
                widget.refresh()

        shell(self).settings_changed.subscribe(self, draw)
        self._classify(self.app.size)  # now: what is painted first has the layout that it keeps

    def on_key(self, event: events.Key) -> None:
        """Say why a key of this screen, which nothing else has taken, does nothing now."""
        if isinstance(self, Commanded) and (why := self.why_not(event.key)):
            acting = self.active_bindings.get(event.key)  # bindings act after this, those of the focused widget first
            if acting is None or acting.node is self or not acting.enabled:
                self.notify(why)

    def on_resize(self, event: events.Resize) -> None:  # before Textual's, which has no classes for both dimensions
        self._classify(event.size)

    def _classify(self, size: Size) -> None:
        fitting = {name: fits(size, name) for name in SIZES}
        self.update_classes({"-narrow": size.width < NARROW, **fitting}, animate=False)


class Page(Panels, Answering[Answer], Sized[Answer]):
    """A screen of a mode, or one that covers another: lines above and below its parts. It has the look of each ink."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {f"ink--{kind}" for kind in Ink}
    ABOVE: ClassVar[Lines] = {}
    BELOW: ClassVar[Lines] = {}
    _ticker: Timer | None = None  # while it is shown

    def content(self) -> ComposeResult:
        """Yield the widgets between header and footer."""
        yield from (Panel(id=name) for name in self.ABOVE)
        yield from self.parts()
        yield from (Panel(id=name) for name in self.BELOW)

    def parts(self) -> ComposeResult:
        """Yield the widgets between the lines."""
        return ()

    def panels(self) -> Iterable[tuple[str, Paint]]:
        """Return what the panels among the parts show now, by their names."""
        return ()

    def draw(self) -> None:
        """Draw the whole screen: when it is shown again, and after a change of settings. Only changes are sent."""
        if self.there:
            for name, paint in self.panels():
                self.fill(name, paint)
            self.draw_lines()

    def draw_lines(self) -> None:
        for name, paint in (*self.ABOVE.items(), *self.BELOW.items()):
            self.fill(name, paint(self))

    def tick(self) -> object:
        """Show what has changed: a few times a second, while the page is shown."""

    async def _tick_and_look(self) -> None:
        """Tick, then let the header look: both tell of the same moment."""
        drawn = self.tick()
        if isawaitable(drawn):
            await drawn
        for header in self.query(Header):  # a page of one's own may have none
            header.look()

    def _let_tick(self, shown: bool) -> None:
        """Tick at the pace of the current settings, or no more."""
        if self._ticker is not None:
            self._ticker.stop()
        self._ticker = self.set_interval(self.shell.tick, self._tick_and_look) if shown else None

    def settings_changed(self, settings: Settings) -> None:
        """Draw again with the new signs and at the new pace."""
        self._let_tick(self._ticker is not None)
        self.draw()

    def on_mount(self) -> None:
        self.shell.settings_changed.subscribe(self, self.settings_changed)

    def on_screen_resume(self) -> None:
        self._let_tick(True)
        self.draw()

    def on_screen_suspend(self) -> None:
        self._let_tick(False)

    def compose(self) -> ComposeResult:
        yield Header()
        yield from self.content()
        yield Footer()


class Dialog(ModalScreen[Answer], Answering[Answer], Sized[Answer]):
    """A screen that asks a question and returns the answer."""

    COMPONENT_CLASSES = Page.COMPONENT_CLASSES


def closing(keys: str = "escape,backspace") -> tuple[Command[Any], ...]:
    """Return the commands of every dialog: back, and help."""
    return Command(keys, "dismiss(None)", "Back"), Command("f1,question_mark", "app.help", "Help")


class Framed(Dialog[Answer]):
    """A dialog in a frame, its widget #form: fields, a hint on their syntax, a list; each is optional."""


Of = TypeVar("Of", bound=Conductor)
DIGITS = "0123456789"


def is_typing(screen: Typing[Any]) -> bool:
    """Return whether a prompt is open."""
    return screen.typing.open


def is_filtering(screen: Typing[Any]) -> bool:
    """Return whether the words of a filter are typed."""
    return screen.typing.open and screen.typing.asked is Prompt.FILTER


APPLY: Command[Typing[Any]] = Command(
    "enter", "apply", "apply", "Apply the filter", lambda s: s.action_typed(), is_filtering
)
UNTYPE: Command[Typing[Any]] = Command(
    "escape", "untype", "cancel", "Discard what you typed", lambda s: s.action_untype(), is_typing
)


def going_to(place: str) -> tuple[Command[Typing[Any]], ...]:
    """Return the keys of a prompt in which a person types a place, such as a node, to go to."""
    return Command("enter", "typed", "go there", f"Go to the {place} you typed", when=is_typing), UNTYPE


def filtering(lines: str, when: Callable[[Any], Possible] | None = None, id: str = "filter") -> Sequence[Command[Any]]:
    """Return the keys that list only some of the lines, and all again."""
    about = f"Show only {lines} with these words"
    return (
        Command("escape", "unfilter", "show all", "Clear the filter", lambda s: s.narrow(""), lambda s: bool(s.words)),
        Command("slash", "filter", "filter", about, Typing.ask_words, when, id=id),
    )


EDITING = {"left", "right", "home", "end", "delete", "backspace"}  # keys that change the text of a prompt


class Typing(Page[Answer]):
    """A page with a prompt, in its last line. While it is open, Enter runs `action_typed`; Escape has a binding."""

    STARTS = ""  # characters that open the prompt by themselves
    TYPED: ClassVar[Sequence[str]] = ("apply", "typed", "untype")  # the only actions while the prompt is open
    _before = ""  # the filter before it was edited

    def __init__(self) -> None:
        super().__init__()
        self.typing = TypingLine(starts=self.STARTS)
        self._possible: tuple[bool | None, ...] = ()

    def typing_changed(self) -> None:
        """Show what is typed. The words of a filter apply at once."""
        if is_filtering(self):
            self.narrow(self.typing.text)
        self.draw_lines()

    def draw_lines(self) -> None:
        super().draw_lines()
        if self.typing.open and self.BELOW:
            self.fill([*self.BELOW][-1], self.typing.paint)
        self.draw_footer()

    def ask_for(self, asked: Enum, text: str = "") -> None:
        """Open the prompt for this; `text` is a proposal."""
        self.typing.begin(asked, text)
        self.typing_changed()

    @property
    def words(self) -> str:
        """The filter of the list; '' for none."""
        return self.query_one(VirtualList).words if self.there else ""

    def narrow(self, words: str) -> None:
        """List only the lines with these words."""
        self.query_one(VirtualList).narrow(words)
        self.draw_footer()

    def ask_words(self) -> None:
        """Ask for the words of a filter."""
        self._before = self.words
        self.ask_for(Prompt.FILTER)

    def take(self, text: str) -> None:
        """Do what was typed, unless it is a filter. Raises InputError for invalid input."""

    def action_typed(self) -> None:
        """Do what was typed, or show its error in the prompt."""
        try:
            if not is_filtering(self):
                self.take(self.typing.text)
            self.typing.close()
        except InputError as fault:
            self.typing.fault = str(fault)
        self.typing_changed()

    def on_key(self, event: events.Key) -> None:
        """Put typed characters into the prompt. All other keys are bindings."""
        typing = self.typing
        if typing.leaves(event.key):
            self.typing_changed()  # and the key goes on to the board
        elif typing.open and event.key == "enter":
            event.stop()
            event.prevent_default()
            self.action_typed()
        elif event.key not in ("enter", "escape") and typing.takes(event.key, event.character):
            event.stop()
            event.prevent_default()
            self.typing_changed()

    def check_consume_key(self, key: str, character: str | None) -> bool:
        """Return whether an open prompt takes the key: the app's binding of it does not apply then."""
        return self.typing.open and (key in EDITING or (character is not None and character.isprintable()))

    def on_resize(self, event: events.Resize) -> None:
        self.call_after_refresh(self.draw)  # what a screen shows, and where, may depend on the room

    def on_paste(self, event: events.Paste) -> None:
        if self.typing.open:
            self.typing.add(event.text)
            self.typing_changed()

    def action_untype(self) -> None:
        if is_filtering(self):
            self.narrow(self._before)
        self.typing.close()
        self.typing_changed()

    # What can be done now.

    def allowed(self, action: str, parameters: tuple[object, ...]) -> Possible:
        """Allow only the prompt's actions while the prompt is open."""
        if (action, ()) not in self._commands:
            return True
        return self.typing.open == (action in self.TYPED) and super().allowed(action, parameters)

    def draw_footer(self) -> None:
        """Redraw the footer if its content has changed, the tour's sentence with the screen that it is about."""
        if self.shell.guide is not None:
            self.shell.show_tour()
        possible = tuple(self.check_action(action, parameters) for action, parameters in self._commands)
        if possible != self._possible:
            self._possible = possible
            self.refresh_bindings()


class ModeScreen(Typing[None], Generic[Of]):
    """Draws its conductor a few times a second while shown, and whenever the conductor reports a change."""

    CONDUCTOR: type[Of]

    @property
    def conductor(self) -> Of:
        return self.shell.conductor(self.CONDUCTOR)

    def on_mount(self) -> None:
        self.conductor.changed = self.draw

    def on_unmount(self) -> None:
        self.conductor.changed = lambda: None
