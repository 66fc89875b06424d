"""Commands are rows: what binds, hides, dims and runs them; their ids, a person's keys, and the palette."""

from __future__ import annotations

from typing import Any, ClassVar

import pytest
from textual.binding import Binding, BindingsMap
from textual.dom import DOMNode
from textual.geometry import Size

from nimtui.ui.app import modes
from nimtui.ui.app.commands import BONUS, _name, _start_bonus
from nimtui.ui.app.keymap import EVERYWHERE, inside, place, places, together
from nimtui.ui.kit.contract import keymap
from nimtui.ui.kit.contract.command import CELLS, PLACES, Command, Commanded, NotNow, State, absent, family, when
from nimtui.ui.kit.widgets.page import NARROW, SIZES, Page, closing, fits
from tests.ui.conftest import screen_text
from tests.ui.playing import until

SHUT, GONE = NotNow("it is shut"), absent("it is gone")


def can_open(door: Any) -> Any:
    return door.opened or SHUT


class Door(Commanded, DOMNode, place="door"):
    """A thing with commands."""

    opened, locked = False, False
    done: ClassVar[list[Any]] = []

    def turn(self, by: int, way: str) -> None:
        self.done.append((by, way))

    async def knock(self) -> None:
        self.done.append("knocked")

    ROWS: ClassVar[tuple[Command[Any], ...]] = (
        Command("o", "open", "Open", "Open it", lambda door: door.done.append("opened"), can_open),
        Command("o", "other", "Other", when=lambda door: not door.opened and GONE),
        Command("k", "knock", "Knock", "", knock),
        Command("x", "leave", "Leave", when=lambda door: door.locked),
        *family("turn", turn, ("left", "Turn", "Turn it", -1, "a"), ("right", "Turn", "Turn back", 1, "b")),
    )


assert PLACES.pop("door") is Door  # it is no place of nimtui


class Bolted(State, place="bolted"):
    """What a door may be for a while."""

    BINDING_GROUP_TITLE, HELP, SPARE = "Bolted", "Nobody comes in.", ("knock",)
    ROWS = (Command("k", "knock", "Knock", "Knock in vain", lambda door: door.done.append("nobody hears")),)


class Unbolted(State, place="unbolted"):
    BINDING_GROUP_TITLE, HELP = "Unbolted", "Push it."
    ROWS = (Command("p", "push", "Push", "Push it", lambda door: door.done.append("pushed")),)


assert {PLACES.pop("bolted"), PLACES.pop("unbolted")} == {Bolted, Unbolted}


@pytest.fixture
def door() -> Any:
    del Door.done[:]
    yield Door()
    keymap.choose({})


async def test_a_row_runs_hides_or_dims_its_command(door: Any) -> None:
    assert door.possible("open") == SHUT == door.allowed("open", ()) and not SHUT
    assert (door.check_action("open", ()), door.check_action("other", ())) == (None, False)
    assert [door.check_action(action, ()) for action in ("leave", "knock", "?")] == [False, True, True]
    assert (door.why_not("o"), door.why_not("k"), door.why_not("x"), door.why_not("?")) == ("it is shut", "", "", "")
    door.opened = door.locked = True
    assert (door.check_action("open", ()), door.why_not("o"), door.check_action("leave", ())) == (True, "", True)
    for action, parameters in (("open", ()), ("knock", ()), ("turn", (1, "b")), ("turn", (-1, "a"))):
        assert await door.run_command(action, parameters)
    assert door.done == ["opened", "knocked", (1, "b"), (-1, "a")]
    assert not await door.run_command("leave", ()) and not await door.run_command("turn", (2, "a"))


async def test_a_state_brings_its_commands_its_keys_and_its_help_and_the_next_takes_them_away(door: Any) -> None:
    own = door._bindings.key_to_bindings.keys() - {"k"}
    door.turn_into(Bolted)
    assert (door.BINDING_GROUP_TITLE, door.HELP, door.SPARE) == ("Bolted", "Nobody comes in.", ("knock",))
    assert [one.id for one in door._bindings.key_to_bindings["k"]] == ["door.knock", "bolted.knock"]
    assert await door.run_command("knock", ()) and not await door.run_command("push", ())
    assert door.possible("open") == SHUT, "what the class can do stays"
    door.turn_into(Unbolted)
    assert (door.BINDING_GROUP_TITLE, door.HELP, door.SPARE) == ("Unbolted", "Push it.", ())
    assert door._bindings.key_to_bindings.keys() == own | {"k", "p"}
    assert await door.run_command("push", ()) and await door.run_command("knock", ())
    assert door.done == ["nobody hears", "pushed", "knocked"]
    assert Door.BINDING_GROUP_TITLE is None and "p" not in Door()._bindings.key_to_bindings, "another door has no state"


def test_rows_become_bindings_with_ids() -> None:
    bindings = {binding.id: binding for binding in Door.BINDINGS}
    ids = ["open", "other", "knock", "leave", "turn-left", "turn-right"]
    assert list(bindings) == [f"door.{id}" for id in ids]
    assert bindings["door.turn-left"].action == "turn(-1,'a')" and not bindings["door.turn-left"].show
    opens = bindings["door.open"]
    assert (opens.key, opens.description, opens.tooltip, opens.show) == ("o", "Open", "Open it", True)
    grouped = family("a", print, ("x", "X", "", 1), group="some")[0].binding
    assert grouped.show and grouped.group is not None and grouped.group.description == "some"
    [row] = when(lambda door: False, Door.ROWS[2])
    assert row.when is not None and not row.when(None) and row.do is Door.ROWS[2].do
    assert [row.key for row in closing()] == ["escape,backspace", "f1,question_mark"]


def test_the_cells_of_a_table_are_left_by_arrows_and_letters() -> None:
    moved = list[tuple[int, int]]()
    table = type("Table", (), {"move": lambda self, *by: moved.append(by), "has_cells": lambda self: True})()
    for row in CELLS:
        assert row.do is not None and row.when is not None and row.when(table)
        row.do(table)
    assert moved == [(-1, 0), (1, 0), (0, -1), (0, 1)]


SHAKE: Command[Any] = Command("x", "shake", "a")


@pytest.mark.parametrize(
    ("rows", "place", "fault"),
    [
        ((SHAKE, Command("p,x", "pick", "a", when=bool)), "two", "x is shake, so it is never pick"),
        ((Command("x", "shake", "a", when=bool), Command("x", "pick", "a", when=bool)), "two", "x is shake, so it is"),
        ((SHAKE,), "", "has commands and no place"),
        ((), "two", "has a place, two, and no commands of its own"),
    ],
)
def test_rows_that_could_never_act_or_have_no_place_cannot_be_written(rows: Any, place: str, fault: str) -> None:
    with pytest.raises(TypeError, match=fault):
        type("Two", (Page,), {"ROWS": rows}, place=place)


# Keys.


def test_a_person_s_keys_take_the_place_of_the_default_ones(door: Any) -> None:
    assert keymap.held("door", [row.binding for row in Door.ROWS]) == {"o", "k", "x", "left", "right"}
    assert not keymap.changed() and keymap.applied([(door, door._bindings)]) == [(door, door._bindings)]
    keymap.choose({"door.open": ("f10", "p"), "door.knock": ("ctrl+k",)})
    assert keymap.changed() and keymap.held("door", [row.binding for row in Door.ROWS]) >= {"f10", "p", "ctrl+k", "x"}
    keys = keymap.applied([(door, door._bindings)])[0][1].key_to_bindings
    assert {key: [one.action for one in bound] for key, bound in keys.items()} == {
        "f10": ["open"],
        "p": ["open"],
        "o": ["other"],
        "ctrl+k": ["knock"],
        "x": ["leave"],
        "left": ["turn(-1,'a')"],
        "right": ["turn(1,'b')"],
    }
    field = type("Field", (DOMNode,), {"check_consume_key": lambda self, key, sign: key == "p"})()
    inner = keymap.applied([(field, BindingsMap()), (door, door._bindings)])[1][1].key_to_bindings
    assert "p" not in inner and "f10" in inner  # a letter goes into the field
    assert (keymap.current("door.open", ("o",)), keymap.current("door.leave", ("x",))) == (("f10", "p"), ("x",))
    assert (keymap.key_of("door.open", "O"), keymap.key_of("door.leave", "X")) == ("f10", "X")


def test_ids_are_the_words_of_actions_and_a_key_where_those_are_alike() -> None:
    made = [
        Binding("a,b", "app.go_back", "Back"),
        Binding("c", "go(1)", "Go on, now"),
        Binding("d", "go(2)", "Same"),
        Binding("e", "go(3)", "Same"),
        Binding("f", "any", id="own"),
        Binding("g", "quit", system=True),
        Binding("h", "go(4)"),
    ]
    words = ["go-back", "go-on-now", "same-d", "same-e", "own", "leave", "go-4"]
    assert [one.id for one in keymap.identified("p", made)] == [f"p.{word}" for word in words]
    assert [keymap.shown(key) for key in ("question_mark", "space", "f10", "ctrl+y", "A", "plus", "up")] == [
        *("?", "space", "f10", "ctrl+y", "A", "plus", "up")
    ]


def test_places_that_work_together_are_a_screen_its_widgets_and_what_is_everywhere() -> None:
    assert place("play") is places()["play"] and place("no such place") is None
    assert list(places())[:2] == [EVERYWHERE, "start"] and together(EVERYWHERE) == set(places())
    assert {"play", EVERYWHERE} <= together("play") and "train" not in together("play")
    assert {"form", "field", "new-game"} <= together("field")
    assert inside(PLACES["form"]) == {"form", "field", "choices"} and "form" not in inside(PLACES["export"])


# The palette.


def test_a_name_that_starts_with_what_is_typed_comes_first() -> None:
    names = ("Theme", "Themes of all", "The theme", "Show all themes", "A cathemed")
    assert [_start_bonus(name, "theme") / BONUS for name in names] == [3, 2, 1, 1, 0]
    assert _start_bonus("a+b", "a+") == 3 * BONUS
    assert [_name(*each) for each in (("undo", ""), ("undo", "Undo it"), ("hint", "Show a move"))] == [
        *("Undo", "Undo it", "Hint: show a move")
    ]


async def test_the_palette_has_one_frame_with_nothing_directly_beside_it(make_app: Any) -> None:
    app = make_app()
    async with app.run_test(size=(200, 60)) as pilot:
        await pilot.press("ctrl+p")
        await until(pilot, lambda: "New game: choose" in screen_text(app))
        lines = [text.ljust(200) for text in screen_text(app).splitlines()]
        at = next(y for y, text in enumerate(lines) if "New game: choose" in text)
        left = lines[at].rindex("│", 0, lines[at].index("New game"))
        right = lines[at].index("│", lines[at].index("key n"))
        assert (lines[at - 4][left], lines[at - 4][right]) == ("╭", "╮")
        assert {text[x] for text in lines[at - 4 : at] for x in (left - 1, right + 1)} == {" "}
        assert all(text[left] == text[right] == "│" for text in lines[at - 3 : at + 5])


# Modes and sizes.


def test_every_room_with_a_mode_is_one_in_the_order_of_their_keys() -> None:
    keys = [mode.key for mode in modes.found()]
    assert [key for key in keys if key] == sorted(filter(None, keys)) and keys[-1] == "f6"
    names = "play train search tournament compare sweep library"
    assert " ".join(mode.name for mode in modes.MODES) == names
    assert tuple(mode for mode in modes.MODES if mode.key) == modes.HEADER
    assert [bool(modes.presets_of(mode)) for mode in modes.MODES] == [bool(mode.presets) for mode in modes.MODES]


def test_a_screen_has_a_class_from_its_least_columns_and_lines_on() -> None:
    for kind, (columns, lines) in SIZES.items():
        assert fits(Size(columns, lines), kind) and not fits(Size(columns - 1, 99), kind)
        assert columns > NARROW and (lines == 0 or not fits(Size(999, lines - 1), kind))
