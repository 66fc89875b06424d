"""The fields of a comparison: game, position, up to four agents, seed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from nimtui.errors import InputError
from nimtui.ui.kit.draft import Draft, Entry, Offer
from nimtui.ui.kit.entries import game_entry, parse_game, parse_seed, position_entry, seed_entry
from nimtui.ui.play.compare_setup import MOST_AGENTS, TABLE, CompareSetup
from nimtui.ui.play.fields import how_written
from nimtui.ui.play.setup import parse_position


def _position(draft: CompareDraft, text: str) -> str:
    try:
        game = parse_game(draft.texts["game"])
    except InputError:
        return ""  # the position means nothing without a game
    return "the start of the game" if parse_position(text, game) is None else "compare on this position"


def _agent(draft: CompareDraft, text: str) -> str:
    from nimtui.agents import parse_agent

    if not text.strip():
        return "none"
    try:
        game = parse_game(draft.texts["game"])
    except InputError:
        return ""
    return parse_agent(text, game).title


def _offers(draft: CompareDraft) -> Iterator[Offer]:
    from nimtui.agents import agent_choices

    yield Offer("", "none", "leave this place free")
    try:
        game = parse_game(draft.texts["game"])
    except InputError:
        return
    for preset in agent_choices(game):
        yield Offer(preset.agent, preset.agent, preset.title)


def agent_field(place: int) -> str:
    """Return the name of the field of an agent, the first place is 0."""
    return f"agent{place + 1}"


AGENTS = tuple(agent_field(place) for place in range(MOST_AGENTS))
ENTRIES = (
    game_entry("any game: connect4:4x4, tower:16, nim:3,5,4,2,6, subtraction:21,3:misere"),
    position_entry(_position),
    *(
        Entry(
            name,
            f"Agent {at}",
            _agent,
            lambda draft, name=name: how_written(draft.text(name)),  # type: ignore[misc]
            _offers,
            "none",
        )
        for at, name in enumerate(AGENTS, 1)
    ),
    seed_entry("same seed, same random choices", "without a clock, the same seed gives the same answers"),
)


class CompareDraft(Draft[CompareSetup]):
    """The form of a comparison."""

    @classmethod
    def of(cls, setup: CompareSetup) -> CompareDraft:
        agents = dict.fromkeys(AGENTS, "") | dict(zip(AGENTS, setup.agents, strict=False))
        return cls({"game": setup.game, "position": setup.position or "", **agents, "seed": str(setup.seed)})

    @property
    def entries(self) -> Sequence[Entry]:
        return ENTRIES

    def setup(self) -> CompareSetup:
        agents = tuple(text for name in AGENTS if (text := self.texts[name].strip()))
        seed = parse_seed(self.texts["seed"])
        return CompareSetup(self.texts["game"], self.texts["position"] or None, agents, seed, TABLE).validate()

    def field_of(self, wrong: str) -> str:
        return AGENTS[0]
