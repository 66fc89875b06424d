"""The commands of a screen, a row each: key, name, what it is for, what it does, and when it is possible."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from inspect import iscoroutine
from typing import Any, ClassVar, Concatenate, Generic, Protocol, TypeAlias, TypeVar

from textual.actions import parse
from textual.binding import Binding

from nimtui.ui.kit.contract import keymap
from nimtui.ui.kit.terminal.textual_parts import own_bindings, rebind

Of = TypeVar("Of", contravariant=True)


@dataclass(frozen=True, slots=True)
class NotNow:
    """Why a command is not possible now: false, with a reason. Its key stays, dimmed, unless it is `absent`."""

    why: str
    absent: bool = False

    def __bool__(self) -> bool:
        return False


Possible: TypeAlias = bool | NotNow


def absent(why: str) -> NotNow:
    """Return why a command is not possible now; its key is shown nowhere until it is."""
    return NotNow(why, True)


@dataclass(frozen=True, slots=True)
class Command(Generic[Of]):
    """One command of a screen. Its bindings, and so footer, palette, help and keymap, come from this row.

    `action` is its name for Textual and for a person's keys, with parameters where several commands share the name.
    Without `do`, it is a method `action_…`. `when` returns True if the command is possible, or why it is not now; False
    hides a key that another row is for. A row without it is as the first row with its name.
    """

    key: str
    action: str
    name: str  # for the footer and the palette
    about: str = ""  # for the help
    do: Callable[[Of], object] | None = None
    when: Callable[[Of], Possible] | None = None
    show: bool = True  # in the footer
    display: str | None = None  # the key as it is shown, if Textual's name is wrong
    group: str = ""  # the footer shows the keys of a group together
    id: str | None = None  # its word in a person's keymap, if it is not the one that follows from the rest
    priority: bool = False  # before what has the focus
    system: bool = False  # nobody changes its keys, and no list names it

    @property
    def binding(self) -> Binding:
        group = Binding.Group(self.group, compact=True) if self.group else None
        more: dict[str, Any] = {"id": self.id, "tooltip": self.about, "group": group, "system": self.system}
        return Binding(self.key, self.action, self.name, self.show, self.display, self.priority, **more)


def when(possible: Callable[[Of], Possible], *commands: Command[Of]) -> tuple[Command[Of], ...]:
    """Return the commands, possible under this condition."""
    return tuple(replace(command, when=possible) for command in commands)


def family(
    action: str, do: Callable[Concatenate[Of, ...], object], *rows: tuple[Any, ...], **more: Any
) -> tuple[Command[Of], ...]:
    """Return a row for each (key, name, what it is for, parameters of `do`). Without a group the footer has none."""

    def row(key: str, name: str, about: str, *to: object) -> Command[Of]:
        named = f"{action}({','.join(map(repr, to))})"
        return Command(key, named, name, about, lambda screen: do(screen, *to), show="group" in more, **more)

    return tuple(row(*each) for each in rows)


PLACES: dict[str, type[Commanded]] = {}  # the imported classes with commands, by the names of their places


class Commanded:
    """A screen or widget with commands, or the app. `place` names a class that binds keys, in keymaps too."""

    PLACE: ClassVar[str] = ""
    BINDINGS: ClassVar[Any]  # Textual's, made of the rows
    BESIDE: ClassVar[Sequence[type]] = ()  # its widgets with keys of their own
    ROWS: ClassVar[Sequence[Command[Any]]] = ()
    # By action and parameters, and by action.
    _commands: ClassVar[dict[tuple[str, tuple[object, ...]], Command[Any]]] = {}

    def __init_subclass__(cls, place: str = "", **more: Any) -> None:
        cls.PLACE = place
        rows = vars(cls).get("ROWS", ())
        if place and not rows:
            raise TypeError(f"{cls.__name__} has a place, {place}, and no commands of its own: leave out the place")
        if rows:
            _check(cls, rows)
            cls.BINDINGS = keymap.identified(place, [row.binding for row in rows])
        cls._commands = dict(cls._commands)
        for row in reversed(rows):
            _, action, parameters = parse(row.action)
            cls._commands[action, ()] = cls._commands[action, parameters] = row
        if place:
            PLACES[place] = cls
        super().__init_subclass__(**more)

    def possible(self, action: str, parameters: tuple[object, ...] = ()) -> Possible:
        """Return True if the action is possible, or why it is not now; False hides it."""
        rows = (self._commands.get(key) for key in ((action, parameters), (action, ())))
        row = next((row for row in rows if row is not None and row.when is not None), None)
        return True if row is None or row.when is None else row.when(self)

    def allowed(self, action: str, parameters: tuple[object, ...]) -> Possible:
        """Return whether the action is possible here and now, with what the screen adds to its rows."""
        return self.possible(action, parameters)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        answer = self.allowed(action, parameters)
        return None if isinstance(answer, NotNow) and not answer.absent else bool(answer)

    def why_not(self, key: str) -> str:
        """Return why a key of this class does nothing now; '' if it does something, or is no key of it."""
        node: Any = self
        own = keymap.applied([(node, own_bindings(node))])[0][1].key_to_bindings.get(key, [])
        answers = [self.allowed(*parse(binding.action)[1:]) for binding in own]
        return "" if any(answers) else next((one.why for one in answers if isinstance(one, NotNow)), "")

    async def run_command(self, action: str, parameters: tuple[object, ...]) -> bool:
        """Do what the row says; return False if it says nothing."""
        row = self._commands.get((action, parameters))
        if row is None or row.do is None:
            return False
        if iscoroutine(result := row.do(self)):
            await result
        return True

    def turn_into(self, state: type[State]) -> None:
        """Take the commands and the keys of this state beside those of the class, and its help."""
        node: Any = self
        for name in ("BINDING_GROUP_TITLE", "HELP", "SPARE", "STARTS"):
            setattr(node, name, getattr(state, name))
        node._commands = {**type(self)._commands, **state._commands}
        rebind(node, state.BINDINGS)


class State(Commanded):
    """What a screen is for a while: commands with a place of their own, and what is said of them."""

    BINDING_GROUP_TITLE: ClassVar[str]
    HELP: ClassVar[str]
    SPARE: ClassVar[Sequence[str]] = ()
    STARTS: ClassVar[str] = ""  # characters that open its prompt


def _check(kind: type[Commanded], rows: Sequence[Command[Any]]) -> None:
    """Raise TypeError for rows without a place, and for a command that can never act: its key always has another."""
    if not kind.PLACE:
        raise TypeError(f"{kind.__name__} has commands and no place")
    earlier: dict[str, list[Command[Any]]] = {}
    for row in rows:
        for key in row.key.split(","):
            for other in earlier.setdefault(key, []):
                if other.when in (None, row.when):  # of the possible commands of a key the first one acts
                    raise TypeError(f"{kind.__name__}: {key} is {other.action}, so it is never {row.action}")
            earlier[key].append(row)


class WithCells(Protocol):
    """A screen with a table in which a cell is marked."""

    def has_cells(self) -> Possible: ...

    def move(self, down: int, across: int) -> None:
        """Mark another cell."""


def _move(screen: WithCells, down: int, across: int) -> None:
    screen.move(down, across)


CELLS: tuple[Command[WithCells], ...] = family(
    "move",
    _move,
    ("up,k", "Cell above", "The cell above", -1, 0),
    ("down,j", "Cell below", "The cell below", 1, 0),
    ("left,h", "Cell to the left", "The cell to the left", 0, -1),
    ("right,l", "Cell to the right", "The cell to the right", 0, 1),
    when=lambda screen: screen.has_cells(),
)
