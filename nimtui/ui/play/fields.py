"""The fields of a new game: what each offers, what its value means, and how a person types it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from nimtui.store.settings import LEVELS
from nimtui.ui.kit.draft import Draft, Entry, Offer
from nimtui.ui.kit.entries import fresh_seed, parse_game, position_example, positions
from nimtui.ui.play.command import FORM, last_option
from nimtui.ui.play.families import OTHER, Family, Goal, Size, families, goal_of, goals, place
from nimtui.ui.play.setup import ME, Players, PlaySetup, Seating, parse_position, parse_seat

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
    from nimtui.games.rule_text import told

    return told(draft.game)


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
