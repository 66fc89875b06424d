"""A person's own keys: what the file may say, where they hold, what is refused; and the commands that they run."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from typing import Any, ClassVar

import pytest
from textual.binding import Binding, BindingsMap
from textual.dom import DOMNode
from textual.geometry import Size

import nimtui.ui
from nimtui.cli.plain.commands import COMMANDS
from nimtui.playing.replay import KeptGame
from nimtui.playing.session import Session
from nimtui.playing.setup import PlaySetup
from nimtui.store import paths
from nimtui.store.settings import KeyLine, read_keys
from nimtui.ui.app import keymap as table
from nimtui.ui.app import modes
from nimtui.ui.app.app import NimtuiApp
from nimtui.ui.app.commands import BONUS, HelpScreen, _name, _start_bonus
from nimtui.ui.app.keymap import EVERYWHERE, inside, place, places, together
from nimtui.ui.kit.contract import keymap
from nimtui.ui.kit.contract.command import CELLS, PLACES, Command, Commanded, NotNow, State, absent, family, when
from nimtui.ui.kit.widgets.page import NARROW, SIZES, Page, closing, fits
from nimtui.ui.play.keys import rows_that_are_keys, typing_starts
from nimtui.ui.play.screen import PlayScreen
from tests.ui.conftest import screen_text
from tests.ui.playing import moves, playing, until


@pytest.fixture(autouse=True)
def default_keys() -> Iterator[None]:
    yield
    keymap.choose({})


def write(text: str) -> list[str]:
    """Write the file and let it hold; return its faults."""
    paths.ensure(paths.home())
    paths.keys().write_text(text, "utf-8")
    return table.use_own()


def footer(app: Any) -> str:
    return screen_text(app).splitlines()[-1]


def kinds(base: type) -> Iterator[type]:
    for kind in base.__subclasses__():
        yield kind
        yield from kinds(kind)


def test_every_class_of_nimtui_that_binds_keys_is_a_place() -> None:
    for module in walk_packages(nimtui.ui.__path__, "nimtui.ui."):
        import_module(module.name)
    bound = {
        kind
        for base in (DOMNode, Commanded)
        for kind in kinds(base)
        if kind.__module__.startswith("nimtui.") and "BINDINGS" in vars(kind)
    }
    assert {f"{kind.__module__}:{kind.__qualname__}" for kind in bound if not vars(kind).get("PLACE")} == set()
    assert bound == set(places().values())


def test_no_class_binds_a_key_that_the_app_takes_first() -> None:
    first = {key: row.action for row in NimtuiApp.ROWS if row.priority for key in row.key.split(",")}
    rows = [(name, row) for name, kind in places().items() if kind is not NimtuiApp for row in kind.ROWS]
    assert len(rows) > 300
    assert [(name, row.action, first[key]) for name, row in rows for key in row.key.split(",") if key in first] == []


def test_the_letters_of_plain_mode_are_the_keys_of_the_app() -> None:
    keys = {row.action: row.key for kind in (PlayScreen, NimtuiApp) for row in reversed(kind.ROWS)}
    letters = {command.name: keymap.key_name(command.key) for command in COMMANDS if command.key}
    assert len(letters) > 8
    assert {name: key for name, key in letters.items() if key not in keys[name].split(",")} == {}


def test_every_action_has_an_id_of_its_own_that_names_its_place() -> None:
    found = table.every()
    assert len({key.id for key in found}) == len(found) > 300
    assert all(key.id.partition(".")[0] == key.place and key.keys and key.does for key in found)
    known = {key.id: key.keys for key in found}
    assert known["play.hint"] == ("h",) and known["list.down"] == ("down", "j")
    assert known["everywhere.leave"] == ("ctrl+q", "ctrl+c") and known["everywhere.quit"] == ("q",)


@pytest.mark.slow
async def test_keys_of_the_file_act_in_the_place_of_others_and_footer_help_and_palette_show_them(make_app: Any) -> None:
    assert write('[play]\nhint = "x"\nundo = "y"\nredo = "u"\n[new-game]\nswap = "x"\n') == []
    async with playing(make_app, "nim:3,4,5", second="me") as pilot:
        app = pilot.app
        assert "x hint" in footer(app) and "h hint" not in footer(app)
        await pilot.press("h")
        assert "best" not in str(app.screen.query_one("#prompt").text()).lower()
        await pilot.press("x")
        await until(pilot, lambda: bool(app.screen.conductor.message))
        hint = [one.help for one in app.get_system_commands(app.screen) if one.title.startswith("Hint")]
        assert hint == ["key x"]
        await pilot.press("f1")
        assert isinstance(app.screen, HelpScreen)
        assert "the list below yours" in app.screen._words
        [line] = [keys for _, lines in app.screen._keys for keys, said in lines if said.startswith("Show a good move")]
        assert line == "x"
        await pilot.press("escape", "c", "2", "enter", "y")
        assert moves(pilot) == []
        await pilot.press("u")
        assert moves(pilot) == ["c2"]
        await pilot.press("n")
        await until(pilot, lambda: "New game" in screen_text(app))
        before = app.focused.value
        await pilot.press("end", "x")
        assert app.focused.value in (before + "x", "x"), "a letter still goes into a field"


async def test_a_replay_and_its_review_have_keys_of_their_own(make_app: Any) -> None:
    """What is typed in the one may be a key of the other; each has the key that a person gave it there alone."""
    assert (
        write('[review]\nturn = "p"\nmistake = "3"\nback = ["f12", "b"]\n[replay]\nreview = "h"\nback-left = "r"') == []
    )
    async with make_app().run_test(size=(80, 24)) as pilot:
        pilot.app.show_game(KeptGame("nim:1,2", "me", "mc", (0, 2)))  # b1 would have won
        await until(pilot, lambda: bool(getattr(pilot.app.screen, "judgements", [])))
        screen = pilot.app.screen
        await pilot.press("3", "escape", "end", "r")
        assert screen.replay.record.ply == 1 and not screen.reviewing and "h review" in footer(pilot.app)
        await pilot.press("h")
        await until(pilot, lambda: "turning point" in screen.query_one("#prompt").text())
        assert screen.reviewing and "p turning point" in footer(pilot.app) and "3 mistake" in footer(pilot.app)
        for key in "p3":
            await pilot.press("end")
            assert screen._at == 1
            await pilot.press(key)
            assert screen._at == 0 and not screen.typing.open
        await pilot.press("r", "escape", "x")
        assert screen.reviewing, "these are its keys no more"
        await pilot.press("b")
        assert not screen.reviewing and screen.replay.record.ply == 1


def test_the_letters_of_rows_follow_the_keys() -> None:
    session = Session(PlaySetup("nim:1,1,1,1,1,1,1,1", None, ("me", "me"), 0))
    assert rows_that_are_keys(session) == "h"
    assert write('play.hint = "c"') == []
    assert rows_that_are_keys(session) == "c"
    assert {"h", "C"} <= set(typing_starts(session)) and "c" not in typing_starts(session)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ('play.hnt = "x"', "unknown action 'play.hnt' (did you mean play.hint?): see nimtui keys"),
        ('ply.hint = "x"', "unknown action 'ply.hint' (did you mean play.hint?): see nimtui keys"),
        ('play.hint = "f99"', "play.hint: unknown key 'f99': expected a key such as f10, ctrl+y, A, ? or space"),
        ('play.hint = "w"', "play.hint: w is already the key of play.why"),
        ('play.hint = "f1"', "play.hint: f1 is already the key of everywhere.help"),
        ('play.hint = "ctrl+q"', "play.hint: ctrl+q is already the key of everywhere.leave"),
        ('play.hint = "3"', "play.hint: 3 starts a typed move or place on the screen play"),
        ('everywhere.leave = "x"', "everywhere.leave always has ctrl+q and ctrl+c"),
        ("play.hint = 3", 'play.hint must be a key, as "f10", or a list of 1 to 8 keys'),
        ("play.hint = []", 'play.hint must be a key, as "f10", or a list of 1 to 8 keys'),
        ('play.hint = "x"\nplay.why = "x"', "play.why: x is already the key of play.hint"),
        ('"play\\u001b[2J" = "x"', "unknown action 'play‹1B›[2J'"),
    ],
)
def test_a_wrong_line_is_one_fault_and_the_others_hold(text: str, fault: str) -> None:
    [said] = write(f'{text}\n[search]\nfind = "f10"\n')
    assert said.startswith(f"keys.toml: {fault}") and "\n" not in said
    assert keymap.current("search.find", ()) == ("f10",)
    assert keymap.current("play.hint", ("h",)) in (("h",), ("x",))


@pytest.mark.parametrize("content", [b"play.hint = ", b"\xff\xfe", b"a" * 1_000_001, b"[" * 5000])
def test_a_damaged_file_is_one_fault_and_the_defaults_hold(content: bytes) -> None:
    paths.ensure(paths.home())
    paths.keys().write_bytes(content)
    [said] = table.use_own()
    assert said.endswith("; the default keys hold") and "\n" not in said
    assert read_keys()[0] == [] and paths.keys().read_bytes() == content


def test_keys_are_written_as_people_write_them_and_what_is_none_has_no_name() -> None:
    written = {
        "?": "question_mark", "Ctrl+Y": "ctrl+y", "esc": "escape", "F10": "f10", "+": "plus", " pgdn ": "pagedown",
    }  # fmt: skip
    written |= {key: key for key in ("A", "shift+alt+left", "ctrl+5", "ctrl+enter")}
    written |= dict.fromkeys(["", "f99", "ctrl+", "hyper+a", "ctrl+ctrl+a", "ab", "\x1b", "ctrl+q+q", "ctrl+é"])
    assert {text: keymap.key_name(text) for text in written} == written


def test_a_key_of_a_list_must_be_free_on_every_screen_with_a_list_and_those_that_share_one_may_share_another() -> None:
    assert write('[tournament]\npause = "p"\ngo-on = "p"\n') == []
    chosen, faults = table.checked([KeyLine("list.down", ("x", "down")), KeyLine("list.up", ("ctrl+up", "ctrl+up"))])
    assert chosen == {"list.up": ("ctrl+up",)}
    [fault] = faults
    assert fault.startswith("list.down: x is already the key of ")


async def test_ctrl_q_leaves_whatever_the_file_says(make_app: Any) -> None:
    assert len(write('everywhere.leave = "x"\neverywhere.quit = "f12"\nplay.hint = "ctrl+c"\n')) == 2
    app: NimtuiApp = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("ctrl+q")
        await until(pilot, lambda: not app.is_running or app._exit)


def test_sentences_name_the_keys_that_hold() -> None:
    """Every `key_of(id, default)` in the source names an action and its first key; no other sentence names a letter."""
    known = {key.id: keymap.shown(key.default[0]) for key in table.every()}
    named, literal = {}, []
    for module in walk_packages(nimtui.ui.__path__, "nimtui.ui."):
        source = Path(str(import_module(module.name).__file__))
        text = source.read_text("utf-8")
        named |= dict(re.findall(r"""key_of\(["']([\w.-]+)["'], ["']([\w+]+)["']\)""", text))
        literal += [f"{source.name}: {said}" for said in re.findall(r"[Pp]ress (?:\w|space|ctrl\+\w)\b[^\n]*", text)]
    assert len(named) > 10 and named == {id: known.get(id) for id in named}
    assert literal == []
    assert keymap.key_of("search.new", "N") == "N"
    keymap.choose({"search.new": ("ctrl+n", "z")})
    assert keymap.key_of("search.new", "N") == "ctrl+n"


# Commands are rows: what binds, hides, dims and runs them; their ids, and the palette.

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
        "f10": ["open"], "p": ["open"], "o": ["other"], "ctrl+k": ["knock"], "x": ["leave"], "left": ["turn(-1,'a')"],
        "right": ["turn(1,'b')"],
    }  # fmt: skip
    field = type("Field", (DOMNode,), {"check_consume_key": lambda self, key, sign: key == "p"})()
    inner = keymap.applied([(field, BindingsMap()), (door, door._bindings)])[1][1].key_to_bindings
    assert "p" not in inner and "f10" in inner  # a letter goes into the field
    assert (keymap.current("door.open", ("o",)), keymap.current("door.leave", ("x",))) == (("f10", "p"), ("x",))
    assert (keymap.key_of("door.open", "O"), keymap.key_of("door.leave", "X")) == ("f10", "X")


def test_ids_are_the_words_of_actions_and_a_key_where_those_are_alike() -> None:
    made = [
        Binding("a,b", "app.go_back", "Back"), Binding("c", "go(1)", "Go on, now"), Binding("d", "go(2)", "Same"),
        Binding("e", "go(3)", "Same"), Binding("f", "any", id="own"), Binding("g", "quit", system=True),
        Binding("h", "go(4)"),
    ]  # fmt: skip
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
