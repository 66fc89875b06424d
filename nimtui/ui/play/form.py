"""The form of a new game: what people choose, in words, and the same game as a command below.

Each field shows a value of the game by its label. A person chooses another value, or types a part of its label or the
value itself; the command takes the whole game as text.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar, cast

from textual.app import ComposeResult
from textual.events import Resize

from nimtui.agents import agent_choices, parse_agent
from nimtui.errors import InputError, valid
from nimtui.games import Game, registry
from nimtui.games.rule_text import rules
from nimtui.playing.families import OTHER, Family, Size, families, goal_of, goals, place, sized
from nimtui.playing.setup import (
    COMMAND,
    ME,
    Players,
    PlaySetup,
    Seating,
    fresh_seed,
    how_written,
    last_option,
    parse_command,
    parse_game,
    parse_position,
    parse_seat,
)
from nimtui.report.lines import Ink, Line, fit, line
from nimtui.store.settings import LEVELS
from nimtui.ui.board import small_board
from nimtui.ui.board.cursor import NOBODY
from nimtui.ui.kit.contract.command import Command, family
from nimtui.ui.kit.contract.shell import shell
from nimtui.ui.kit.forms.draft import Choice, Draft, Field, best
from nimtui.ui.kit.forms.entries import position_example, positions
from nimtui.ui.kit.forms.form import FieldInput, FieldLine, Form, WrappedField
from nimtui.ui.kit.terminal.glyphs import Glyphs
from nimtui.ui.kit.widgets.page import NARROW
from nimtui.ui.kit.widgets.panel import Panel, painter

POSITIONS = {  # how to write a position, by the kind of board
    "rows": "the matches left in each row",
    "runs": "row by row, 1 for a standing match and 0 for none",
    "heaps": "the heaps in any order",
    "columns": "the columns played so far",
}
SHORTER = (  # what the titles of agents leave out in a field
    ("^Monte Carlo tree search", "Tree search"),
    ("^Flat Monte Carlo", "Monte Carlo"),
    (" a move$", ""),
    (" (against a|with) perfect", ", perfect"),
)
PLAYERS: dict[str, tuple[str, str]] = {
    "machine": ("you and a machine", "you play against a machine"),
    "people": ("two people", "both at this keyboard"),
    "machines": ("two machines", "you watch"),
}
STARTS = {"you": "you move first", "machine": "the machine moves first"}
SHOWN: dict[Players, tuple[str, ...]] = {
    "machine": ("opponent", "starts"),
    "people": (),
    "machines": ("first", "second"),
}
EDIT = "Edit the game as a command"


@dataclass(frozen=True)
class PlayDraft(Draft[PlaySetup]):
    """A valid game, and the text that the person types last, which may be wrong.

    `texts` has at most that text: all other fields, the command too, show the game.
    """

    name: str = "tower:16"  # of the game
    position: str = ""  # '': the game's start
    seating: Seating = field(default_factory=Seating)
    seed: int = 0
    last_seed: int | None = None  # of the game before
    wrong: str = ""  # the error of the typed text
    picked: str = ""  # the suggestion that the command took last
    begun: PlaySetup = field(default_factory=PlaySetup)  # comes back with its game
    _lists: dict[str, list[Choice]] = field(default_factory=dict, init=False, compare=False)

    @classmethod
    def of(cls, setup: PlaySetup, last_seed: int | None = None) -> PlayDraft:
        """Return the form of a setup. A game or a position that is invalid stands in the command, with its error."""
        draft = cls({}, seed=setup.seed, last_seed=last_seed)
        try:
            parse_position(setup.position or "", parse_game(setup.game))
        except InputError:
            return draft.with_text("command", setup.command.text)
        return replace(draft.with_setup(setup), begun=setup)

    @cached_property
    def game(self) -> Game:
        return parse_game(self.name).beginning(self.position or None)

    @cached_property
    def place(self) -> tuple[Family, Size | None]:
        """The family of the game, and its size if the form lists it."""
        return place(self.name)

    @property
    def entries(self) -> Sequence[Pick]:
        position = ["position"] if self.position or "position" in self.texts else []
        names = ("game", "size", "goal", "players", *SHOWN[self.seating.players], *position, "command")
        return [ENTRIES[name] for name in names]

    def entry(self, name: str) -> Pick:
        return ENTRIES[name]

    def text(self, name: str) -> str:
        if name in self.texts:
            return self.texts[name]
        if name == "command":  # that of no game while another field is wrong
            return "" if self.wrong else self._setup().command.text
        value = self.offered(name)
        labels = {offer.value: offer.label for offer in self.offers(name)}
        return value if name == "position" else labels.get(value, OTHER)

    def value(self, name: str) -> Any:
        if self.wrong and name in self.texts:
            raise InputError(self.wrong)
        return self.offered(name)

    def offered(self, name: str) -> str:
        return self.entry(name).read(self, "")

    def lists_for(self, name: str) -> str:
        """Return the game for the command: its text changes the game, and positions of another game are invalid."""
        return self.name if name == "command" else ""

    def offers(self, name: str) -> list[Choice]:
        if name not in self._lists:
            self._lists[name] = super().offers(name)
        return self._lists[name]

    def hint(self, name: str) -> str:
        """Return how a field is written; for a value that the form does not list, also what it is."""
        meaning = self.finding(name).text if self.text(name) == OTHER else ""
        return ". ".join(filter(None, (meaning, super().hint(name))))

    def with_text(self, name: str, text: str) -> PlayDraft:
        try:
            changed = self._typed(name, text)
        except InputError as wrong:
            return replace(self, texts={name: text}, wrong=str(wrong))
        return replace(changed, texts={name: text}, wrong="", picked="")

    def _typed(self, name: str, text: str) -> PlayDraft:
        """Return the draft with a typed text: a suggestion by a part of its name, or any value as text."""
        pick = self.entry(name)
        if name == "size":
            with contextlib.suppress(InputError):
                return self.of_size(text)
        if pick.labelled and ":" not in text and (offer := best(text, self.offers(name))) is not None:
            return pick.choose(self, offer.value)
        if pick.typed is None:
            raise InputError(f"choose one of: {', '.join(offer.label for offer in self.offers(name))}")
        return pick.typed(self, text)

    def with_choice(self, name: str, value: str) -> PlayDraft:
        """Return the draft with a suggestion: a value of a field, or an option for the command."""
        if name == "position":
            return self.with_text(name, value)
        changed = valid(lambda: self.entry(name).choose(self, value))
        if changed is None:  # a position of the game before: the list is drawn again
            return self
        return replace(changed, texts={}, wrong="", picked=value if name == "command" else "")

    def settled(self, name: str) -> PlayDraft:
        """Return the draft when the person enters this field: another field shows its value, no longer what was typed.

        A wrong text stays.
        """
        return self if self.wrong or name in self.texts else replace(self, texts={})

    def swapped(self) -> PlayDraft:
        """Return the draft with the two players swapped."""
        return replace(self, texts=self.texts if self.wrong else {}, seating=self.seating.swapped(), picked="")

    def setup(self) -> PlaySetup:
        if self.wrong:
            raise InputError(self.wrong)
        return self._setup().validate()

    def _setup(self) -> PlaySetup:
        return PlaySetup(self.name, self.position or None, self.seating.seats(self.game), self.seed)

    def with_setup(self, setup: PlaySetup) -> PlayDraft:
        """Return the draft with the game of a setup."""
        seating = Seating.of(setup.seats)
        return replace(self, name=setup.game, position=setup.position or "", seating=seating, seed=setup.seed)

    def at(self, name: str) -> PlayDraft:
        """Return the draft with a game, at its start, or at the position given with this game first."""
        game = parse_game(name)
        begun = game == parse_game(self.begun.game)
        position = self.position if game == self.game else (self.begun.position or "") if begun else ""
        return replace(self, name=name.strip(), position=position)

    def at_position(self, text: str) -> PlayDraft:
        return replace(self, position=parse_position(text, self.game) or "")

    def of_family(self, word: str) -> PlayDraft:
        """Return the draft with a family's game: the current or the first one if it belongs to the family."""
        if word == self.place[0].word:
            return self
        family = next(family for family in families() if family.word == word)
        return self.at(self.begun.game if place(self.begun.game)[0] == family else family.usual)

    def of_size(self, text: str) -> PlayDraft:
        """Return the draft with a size of its game as in the game's name: '3,5,4'."""
        game = f"{self.place[0].word}:{text.strip()}"
        parse_game(game)
        return self.at(sized(self.name, game))

    def seated(self, **seating: Any) -> PlayDraft:
        return replace(self, seating=replace(self.seating, **seating))

    def with_option(self, option: str) -> PlayDraft:
        """Return the draft with an option that the command offers."""
        name, _, value = option.partition(" ")
        return replace(self, seed=int(value)) if name == "--seed" else self.at_position(value)


# The fields.


@dataclass(frozen=True, kw_only=True)
class Pick(Field[str]):
    """A field whose value is part of the game; it is read from the draft, whatever is typed."""

    choose: Callable[[PlayDraft, str], PlayDraft]  # the draft with another value
    typed: Callable[[PlayDraft, str], PlayDraft] | None = None  # with a text; None: the field takes values of its list
    labelled: bool = True  # does a part of a label choose its value?


def _sizes(draft: PlayDraft) -> Iterator[Choice]:
    family, size = draft.place
    if size is None:
        yield Choice(draft.name, OTHER, draft.name)
    yield from (Choice(each.game, each.label, each.game) for each in family.sizes)


def _how_sizes_are_written(draft: PlayDraft) -> str:
    """Return how a size is typed, with the last listed one of this game as the example."""
    example = draft.place[0].sizes[-1].game.partition(":")[2]
    return f"Choose with the arrow keys{f', or type any size, as in {example}' if example else ''}"


def _play(draft: PlayDraft, misere: bool) -> str:
    """Return what games of matches call a goal."""
    return "" if draft.game.board_kind not in ("rows", "runs", "heaps") else "misère play" if misere else "normal play"


def _machine(name: str, label: str) -> Pick:
    """Return the field of a machine."""

    def offers(draft: PlayDraft) -> Iterator[Choice]:
        titles = {preset.agent: preset.title for preset in agent_choices(draft.game)}
        if (current := draft.offered(name)) not in titles:
            yield Choice(current, OTHER, current)
        places = {level: at for at, level in enumerate(LEVELS)}  # of Play now; all other agents come after them
        for agent in sorted(titles, key=lambda agent: places.get(agent.partition(":")[0], len(places))):
            title, _, more = titles[agent].partition(" (")
            for long, short in SHORTER:
                title = re.sub(long, short, title)
            yield Choice(agent, title, more.removesuffix(")"))

    def title(draft: PlayDraft, agent: str) -> str:
        return parse_agent(agent, draft.game).title

    def choose(draft: PlayDraft, agent: str) -> PlayDraft:
        return replace(draft, seating=draft.seating.with_machine(name, agent))

    def typed(draft: PlayDraft, text: str) -> PlayDraft:
        if (agent := parse_seat(text, draft.game)) is None:
            raise InputError("enter an agent, such as hard or perfect; the field Players seats people")
        return choose(draft, agent.name)

    return Pick(
        name,
        label,
        lambda draft, text: draft.seating.machine(draft.seating.role(name), draft.game),
        title,
        "How strong the machine plays. Choose with the arrow keys, or type part of a name or an agent: mc:playouts=500",
        offers,
        choose=choose,
        typed=typed,
    )


def _start(game: Game) -> str:
    return game.position_name(game.start) or "the empty board"


def _positions(draft: PlayDraft) -> Iterator[Choice]:
    """Yield the start and a few positions of play; they show how to write positions."""
    yield Choice("", "the game's start", _start(draft.game))
    yield from positions(draft.game)


def _how_positions_are_written(draft: PlayDraft) -> str:
    form, example = POSITIONS.get(draft.game.board_kind, ""), position_example(draft.game)
    return ", ".join(filter(None, (form, example and f"as in {example}")))


def _options(draft: PlayDraft) -> Iterator[Choice]:
    """Yield seeds and positions for the command."""
    seeds = {str(draft.seed): "current seed"}
    if draft.last_seed is not None:
        seeds.setdefault(str(draft.last_seed), "seed of the last game")
    for _ in range(3):
        seeds.setdefault(str(fresh_seed()), "new random seed")
    yield from (Choice(f"--seed {seed}", f"--seed {seed}", detail) for seed, detail in seeds.items())
    for offer in _positions(draft):
        text = f"--position {offer.value}".strip()
        yield Choice(text, text if offer.value else offer.label, offer.detail)


def _how_commands_are_written(draft: PlayDraft) -> str:
    if "command" not in draft.texts:
        return "The same game as text: change any word. The up and down keys choose a seed or a position."
    option, value = last_option(draft.texts["command"])
    if option == "--position":
        return f"--position: {_how_positions_are_written(draft)}"
    if option in ("--first", "--second"):
        return f"{option}: {how_written(value, f'{ME}, or ')}"
    return f"the game: one of {' · '.join(form.partition('[')[0] for form in registry.forms())}"


ENTRIES = {
    pick.name: pick
    for pick in (
        Pick(
            "game",
            "Game",
            lambda draft, text: draft.place[0].word,
            lambda draft, word: draft.place[0].rule,
            lambda draft: rules(draft.game),
            lambda draft: (
                Choice(family.word, family.label, family.rule)
                for family in dict.fromkeys((*families(), draft.place[0]))
            ),
            choose=PlayDraft.of_family,
            typed=PlayDraft.at,
        ),
        Pick(
            "size",
            "Size",
            lambda draft, text: draft.name if draft.place[1] is None else draft.place[1].game,
            lambda draft, game: draft.game.title.rpartition(" · ")[0] or draft.game.title,
            _how_sizes_are_written,
            _sizes,
            choose=lambda draft, game: draft.at(sized(draft.name, game)),
            typed=PlayDraft.of_size,
        ),
        Pick(
            "goal",
            "Goal",
            lambda draft, text: goal_of(draft.name).game,
            lambda draft, game: _play(draft, goal_of(game).misere),
            "Who wins the game",
            lambda draft: [Choice(goal.game, goal.label, _play(draft, goal.misere)) for goal in goals(draft.name)],
            choose=PlayDraft.at,
        ),
        Pick(
            "players",
            "Players",
            lambda draft, text: draft.seating.players,
            lambda draft, players: PLAYERS[players][1],
            "You play against a machine or a person, or watch two machines.",
            [Choice(value, label, about) for value, (label, about) in PLAYERS.items()],
            choose=lambda draft, players: draft.seated(players=cast(Players, players)),
        ),
        _machine("opponent", "Strength"),
        Pick(
            "starts",
            "Starts",
            lambda draft, text: "you" if draft.seating.you_start else "machine",
            lambda draft, starts: STARTS[starts],
            "Who makes the first move",
            [Choice(value, value, about) for value, about in STARTS.items()],
            choose=lambda draft, starts: draft.seated(you_start=starts == "you"),
        ),
        _machine("first", "First"),
        _machine("second", "Second"),
        Pick(
            "position",
            "Position",
            lambda draft, text: draft.position,
            lambda draft, position: "the first player is to move" if position else _start(draft.game),
            _how_positions_are_written,
            _positions,
            "the game's start",
            choose=PlayDraft.at_position,
            typed=PlayDraft.at_position,
            labelled=False,
        ),
        Pick(
            "command",
            "Command",
            lambda draft, text: draft.picked,
            "",
            _how_commands_are_written,
            _options,
            COMMAND,
            choose=PlayDraft.with_option,
            typed=lambda draft, text: draft.with_setup(parse_command(text, draft.seed)),
            labelled=False,
        ),
    )
}


# The form on the screen.


class PickInput(FieldInput, place="pick"):
    """A value of a list. The arrow keys change it; typing searches the list."""

    ROWS = family("step", FieldInput.step, ("left", "Previous value", "", -1), ("right", "Next value", "", 1))


class PickField(FieldLine):
    """A field of a form with values to choose from."""

    INPUT = PickInput

    def put(self, text: str) -> None:
        super().put(shell(self).glyphs.plain(text))


@painter
def of_start(columns: int, rows: int, signs: Glyphs, draft: PlayDraft) -> list[Line]:
    """Draw the board as it will be."""
    game = draft.game
    board = small_board.drawing(game, game.new(), NOBODY, columns, rows - 1, signs)
    return [line(("The board", Ink.TITLE)), *(board or [fit(line((_start(game), Ink.QUIET)), columns, signs)])]


class NewGame(Form[PlaySetup], place="new-game"):
    """Returns the game to start, or None if the person cancels. Beside the form stands the board, where it has room."""

    BESIDE = (PickInput,)
    HELP = """Change a value with the arrow keys, or type a part of its name. Tab goes to the next field. \
Press Enter in any field to start.

A field also takes a value as text: nim:3,5,4 as the game, 3,5,4 as the size, mc:playouts=500 as the strength.

The command below starts the same game in a shell, and shows every choice as text. Edit it to set a position, any \
agent with its options, or the seed: the fields above follow. The same seed repeats all random choices."""
    BINDING_GROUP_TITLE = "New game"
    SPARE = ("swap",)
    ROWS: ClassVar[tuple[Command[NewGame], ...]] = (
        Command("ctrl+t", "swap", "Swap", "Swap the players", lambda form: form.take(form._draft.swapped())),
        Command("ctrl+l", "command", "Command", EDIT, lambda form: form.field("command").input.focus()),
    )
    _draft: PlayDraft

    def __init__(self, setup: PlaySetup, field: str = "game", last_seed: int | None = None) -> None:
        super().__init__(PlayDraft.of(setup, last_seed), field)

    def compose(self) -> ComposeResult:
        yield from super().compose()
        yield Panel(id="start", classes="box")

    def show(self) -> None:
        super().show()
        if self.there:
            self.query_one("#start", Panel).fill(of_start(self._draft))

    def on_resize(self, event: Resize) -> None:
        self.set_class(event.size.width < NARROW, "-narrow")

    def kind_of(self, name: str) -> type[FieldLine]:
        return {"command": WrappedField, "position": FieldLine}.get(name, PickField)
