"""The New game form: what each field offers, what its value means, and how a person types it; and the form filled in.

The fields are for people; the same game stands as a command below them.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, cast

from nimtui.errors import InputError
from nimtui.store.settings import LEVELS
from nimtui.ui.kit.draft import Draft, Entry, Finding, Offer
from nimtui.ui.kit.entries import fresh_seed, parse_game, position_example, positions
from nimtui.ui.play.command import FORM, copy_of, last_option, parse_command
from nimtui.ui.play.families import OTHER, Family, Goal, Size, families, goal_of, goals, place, sized
from nimtui.ui.play.setup import ME, Players, PlaySetup, Seating, parse_position, parse_seat, seat_name

if TYPE_CHECKING:
    from nimtui.agents import Agent
    from nimtui.games import Game

POSITIONS = {  # how to write a position, by the kind of board
    "rows": "the matches left in each row",
    "runs": "row by row, 1 for a standing match and 0 for none",
    "columns": "the columns played so far",
}
SHORTER = (  # what the titles of agents leave out in a field
    ("^Monte Carlo tree search", "Tree search"),
    ("^Flat Monte Carlo", "Monte Carlo"),
    (" a move$", ""),
    (" (against a|with) perfect", ", perfect"),
)
PLAYERS: dict[Players, tuple[str, str]] = {
    "machine": ("you and a machine", "you play against a machine"),
    "people": ("two people", "both at this keyboard"),
    "machines": ("two machines", "you watch"),
}
STARTS = {"you": "you move first", "machine": "the machine moves first"}


@dataclass(frozen=True)
class Chosen(Draft[PlaySetup]):
    """The values of the New game form, for its fields to read."""

    name: str = "tower:16"  # of the game
    position: str = ""  # '': the game's start
    seating: Seating = field(default_factory=Seating)
    seed: int = 0
    last_seed: int | None = None  # of the game before

    @property
    def game(self) -> Game:
        return parse_game(self.name).beginning(self.position or None)

    @property
    def place(self) -> tuple[Family, Size | None]:
        """The family of the game, and its size if the form lists it."""
        return place(self.name)

    @property
    def goal(self) -> Goal:
        return goal_of(self.name)

    def machine(self, name: str) -> str:
        """Return the agent of a field."""
        return self.seating.machine(self.seating.role(name), self.game)

    def agent(self, name: str) -> Agent:
        """Return the agent of a field, ready to be asked for its title."""
        agent = parse_seat(self.machine(name), self.game)
        assert agent is not None  # a machine's field never holds a person
        return agent


def how_written(seat: str, also: str = "") -> str:
    """Return what the named agent does and which options its name takes; for any other text, the allowed names.

    `also`: what else the field accepts.
    """
    from nimtui.agents import agent_forms

    word = seat.strip().lower().partition(":")[0]
    words = []
    for form, about in agent_forms():
        words.append(re.split(r"[\[:]", form)[0])
        if words[-1] == word:
            return about if form == word else f"{about} · {form}"
    return f"{also}one of {' · '.join(words)}"


def short_title(title: str) -> str:
    """Return an agent's title as its field shows it: 'Tree search, 500 simulations'."""
    for long, short in SHORTER:
        title = re.sub(long, short, title)
    return title


def found(text: str, offers: Sequence[Offer]) -> Offer | None:
    """Return the first offer that fits a typed text: its label, the start of the label or of a word, any part."""
    text = text.strip().casefold()
    labels = [(offer.label.casefold(), offer) for offer in offers]
    tests = (
        lambda label: label == text,
        lambda label: label.startswith(text),
        lambda label: any(word.startswith(text) for word in label.split()),
        lambda label: text in label,
    )
    return next((offer for test in tests for label, offer in labels if text and test(label)), None)


def _sizes(draft: Chosen) -> Iterator[Offer]:
    family, size = draft.place
    if size is None:
        yield Offer(draft.name, OTHER, draft.name)
    yield from (Offer(each.game, each.label, each.game) for each in family.sizes)


def _goals(draft: Chosen) -> Iterator[Offer]:
    for goal in goals(draft.name):
        yield Offer(goal.game, goal.label, _play(draft, goal.misere))


def _play(draft: Chosen, misere: bool) -> str:
    """Return what games of matches call a goal."""
    return "" if draft.game.board_kind not in ("rows", "runs") else "misère play" if misere else "normal play"


def _machines(draft: Chosen, name: str) -> Iterator[Offer]:
    from nimtui.agents import agent_choices

    offers = {preset.agent: preset.title for preset in agent_choices(draft.game)}
    current = draft.machine(name)
    if current not in offers:
        yield Offer(current, OTHER, current)
    for agent in sorted(offers, key=_level):
        title, _, more = offers[agent].partition(" (")
        yield Offer(agent, short_title(title), more.removesuffix(")"))


def _level(agent: str) -> int:
    """Return the place of an agent among the levels of Play now; all others come after them."""
    word = agent.partition(":")[0]
    return LEVELS.index(word) if word in LEVELS else len(LEVELS)


def _positions(draft: Chosen) -> Iterator[Offer]:
    """Yield the start and a few positions of play; they show how to write positions."""
    yield Offer("", "the game's start", _start(draft.game))
    yield from positions(draft.game)


def _start(game: Game) -> str:
    return game.position_name(game.start) or "the empty board"


def _options(draft: Chosen) -> Iterator[Offer]:
    """Yield seeds and positions for the command."""
    seeds = {str(draft.seed): "current seed"}
    if draft.last_seed is not None:
        seeds.setdefault(str(draft.last_seed), "seed of the last game")
    for _ in range(3):
        seeds.setdefault(str(fresh_seed()), "new random seed")
    yield from (Offer(f"--seed {seed}", f"--seed {seed}", detail) for seed, detail in seeds.items())
    for offer in _positions(draft):
        text = f"--position {offer.value}".strip()
        yield Offer(text, text if offer.value else offer.label, offer.detail)


def _how_positions_are_written(draft: Chosen) -> str:
    said, example = POSITIONS.get(draft.game.board_kind, ""), position_example(draft.game)
    return ", ".join(filter(None, (said, example and f"as in {example}")))


def _rules(draft: Chosen) -> str:
    from nimtui.games.rule_text import rules

    return rules(draft.game)


def _how_commands_are_written(draft: Chosen) -> str:
    from nimtui.games import registry

    if "command" not in draft.texts:
        return "The same game as text: change any word. The up and down keys choose a seed or a position."
    option, value = last_option(draft.texts["command"])
    if option == "--position":
        return f"--position: {_how_positions_are_written(draft)}"
    if option in ("--first", "--second"):
        return f"{option}: {how_written(value, f'{ME}, or ')}"
    plain = (form.partition("[")[0] for form in registry.forms())
    return f"the game: one of {' · '.join(plain)}"


def _machine_entry(name: str, label: str) -> Entry:
    return Entry(
        name,
        label,
        lambda draft, text: draft.agent(name).title,
        "How strong the machine plays. Choose with the arrow keys, or type part of a name or an agent: mc:playouts=500",
        lambda draft: _machines(draft, name),
    )


def _how_sizes_are_written(draft: Chosen) -> str:
    """Return how a size is typed, with the last listed one of this game as the example."""
    example = draft.place[0].sizes[-1].game.partition(":")[2]
    return f"Choose with the arrow keys{f', or type any size, as in {example}' if example else ''}"


ENTRIES = {
    entry.name: entry
    for entry in (
        Entry(
            "game",
            "Game",
            lambda draft, text: draft.place[0].rule,
            _rules,
            lambda draft: (Offer(family.word, family.label, family.rule) for family in families()),
        ),
        Entry(
            "size",
            "Size",
            lambda draft, text: draft.game.title.rpartition(" · ")[0] or draft.game.title,
            _how_sizes_are_written,
            _sizes,
        ),
        Entry("goal", "Goal", lambda draft, text: _play(draft, draft.goal.misere), "Who wins the game", _goals),
        Entry(
            "players",
            "Players",
            lambda draft, text: PLAYERS[draft.seating.players][1],
            "You play against a machine or a person, or watch two machines.",
            [Offer(value, label, about) for value, (label, about) in PLAYERS.items()],
        ),
        _machine_entry("opponent", "Strength"),
        Entry(
            "starts",
            "Starts",
            lambda draft, text: STARTS["you" if draft.seating.you_start else "machine"],
            "Who makes the first move",
            [Offer(value, value, about) for value, about in STARTS.items()],
        ),
        _machine_entry("first", "First"),
        _machine_entry("second", "Second"),
        Entry(
            "position",
            "Position",
            lambda draft, text: (
                "the first player is to move" if parse_position(text, draft.game) else _start(draft.game)
            ),
            _how_positions_are_written,
            _positions,
            "the game's start",
        ),
        Entry("command", "Command", lambda draft, text: "", _how_commands_are_written, _options, FORM),
    )
}
FIELDS: dict[Players, tuple[str, ...]] = {
    "machine": ("opponent", "starts"),
    "people": (),
    "machines": ("first", "second"),
}


# The form while a person fills it in.

CLOSED = ("goal", "players", "starts")  # fields without other values than those of the list


@dataclass(frozen=True)
class PlayDraft(Chosen):
    """A valid game, and the text that the person types last, which may be wrong.

    `texts` has at most that text: all other fields, the command too, show the game.
    """

    wrong: str = ""  # the error of the typed text
    picked: str = ""  # the suggestion that the command took last
    begun: PlaySetup = field(default_factory=PlaySetup)  # comes back with its game

    @classmethod
    def of(cls, setup: PlaySetup, last_seed: int | None = None) -> PlayDraft:
        """Return the form of a setup. A game or a position that is invalid stands in the command, with its error."""
        draft = cls({}, seed=setup.seed, last_seed=last_seed)
        try:
            game = parse_game(setup.game)
            parse_position(setup.position or "", game)
        except InputError:
            return draft.with_text("command", copy_of(setup).text)
        seating = Seating.of(setup.seats)
        return replace(draft, name=setup.game, position=setup.position or "", seating=seating, begun=setup)

    @property
    def entries(self) -> Sequence[Entry]:
        shown = ["game", "size", "goal", "players", *FIELDS[self.seating.players]]
        if self.position or "position" in self.texts:
            shown.append("position")
        return [ENTRIES[name] for name in (*shown, "command")]

    def text(self, name: str) -> str:
        if name in self.texts:
            return self.texts[name]
        if name == "command":  # that of no game while another field is wrong
            return "" if self.wrong else copy_of(self._setup()).text
        if name == "position":
            return self.position
        value = self.offered(name)
        return next((offer.label for offer in self.offers(name) if offer.value == value), OTHER)

    @cached_property
    def _lists(self) -> dict[str, list[Offer]]:
        return {}

    def lists_for(self, name: str) -> str:
        """Return the game for the command: its text changes the game, and positions of another game are invalid."""
        return self.name if name == "command" else ""

    def offers(self, name: str) -> list[Offer]:
        if name not in self._lists:
            self._lists[name] = super().offers(name)
        return self._lists[name]

    def offered(self, name: str) -> str:
        family, size = self.place
        match name:
            case "game":
                return family.word
            case "size":
                return size.game if size is not None else self.name
            case "goal":
                return self.goal.game
            case "players":
                return self.seating.players
            case "starts":
                return "you" if self.seating.you_start else "machine"
            case "position":
                return self.position
            case "command":
                return self.picked
        return self.machine(name)

    def hint(self, name: str) -> str:
        """Return how a field is written; for a value that the form does not list, also what it is."""
        said = self.finding(name).text if self.text(name) == OTHER else ""
        return ". ".join(filter(None, (said, super().hint(name))))

    def finding(self, name: str) -> Finding:
        if self.wrong and name in self.texts:
            return Finding(False, self.wrong)
        if self.wrong and name == "command":
            return Finding(True, "")
        return Finding(True, self.entry(name).meaning(self, self.text(name)))

    def with_text(self, name: str, text: str) -> PlayDraft:
        try:
            changed = self._typed(name, text)
        except InputError as wrong:
            return replace(self, texts={name: text}, wrong=str(wrong))
        return replace(changed, texts={name: text}, wrong="", picked="")

    def with_choice(self, name: str, value: str) -> PlayDraft:
        """Return the draft with a suggestion: a value of a field, or an option for the command."""
        if name == "position":
            return self.with_text(name, value)
        try:
            changed = self._chosen(name, value)
        except InputError:  # a position of the game before: the list is drawn again
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

    def examine(self) -> None:
        """Do nothing: valid fields of this form cannot contradict each other."""

    def _setup(self) -> PlaySetup:
        return PlaySetup(self.name, self.position or None, self.seating.seats(self.game), self.seed)

    def _typed(self, name: str, text: str) -> PlayDraft:
        """Return the draft with a typed text: a suggestion by a part of its name, or any value as text."""
        if name == "command":
            setup = parse_command(text, self.seed)
            changed = replace(self, name=setup.game, position=setup.position or "", seed=setup.seed)
            return replace(changed, seating=Seating.of(setup.seats))
        if name == "position":
            return replace(self, position=parse_position(text, self.game) or "")
        if name == "size":
            with contextlib.suppress(InputError):
                return self._size_written(text)
        offer = found(text, self.offers(name))
        if offer is not None and ":" not in text:
            return self._chosen(name, offer.value)
        if name in CLOSED:
            raise InputError(f"choose one of: {', '.join(offer.label for offer in self.offers(name))}")
        return self._written(name, text)

    def _written(self, name: str, text: str) -> PlayDraft:
        """Return the draft with a value that the field does not list, in the syntax of names."""
        match name:
            case "game":
                parse_game(text)
                return self._at(text.strip())
            case "size":
                return self._size_written(text)
        if parse_seat(text, self.game) is None:
            raise InputError("enter an agent, such as hard or perfect; the field Players seats people")
        return self._chosen(name, seat_name(text, self.game))

    def _size_written(self, text: str) -> PlayDraft:
        """Return the draft with a size of its game as in the game's name: '3,5,4'."""
        game = f"{self.place[0].word}:{text.strip()}"
        parse_game(game)
        return self._at(sized(self.name, game))

    def _chosen(self, name: str, value: str) -> PlayDraft:
        """Return the draft with a suggested value."""
        match name:
            case "game":
                return self._of_family(value)
            case "size":
                return self._at(sized(self.name, value))
            case "goal":
                return self._at(value)
            case "players":
                return replace(self, seating=replace(self.seating, players=cast(Players, value)))
            case "starts":
                return replace(self, seating=replace(self.seating, you_start=value == "you"))
            case "command":
                option, _, given = value.partition(" ")
                if option == "--seed":
                    return replace(self, seed=int(given))
                return replace(self, position=parse_position(given, self.game) or "")
        return replace(self, seating=self.seating.with_machine(name, value))

    def _of_family(self, word: str) -> PlayDraft:
        """Return the draft with a family's game: the current or the first one if it belongs to the family."""
        family = next(family for family in families() if family.word == word)
        if family == self.place[0]:
            return self
        return self._at(self.begun.game if place(self.begun.game)[0] == family else family.usual)

    def _at(self, name: str) -> PlayDraft:
        """Return the draft with a game, at its start, or at the position given with this game first."""
        game = parse_game(name)
        if game == self.game:
            return replace(self, name=name)
        return replace(
            self, name=name, position=self.begun.position or "" if game == parse_game(self.begun.game) else ""
        )
