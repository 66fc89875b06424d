"""The dialogs of the Compare screen: presets, the form as a table of fields, and the file of an export."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Never

from nimtui.errors import InputError
from nimtui.ui.compare.presets import PRESETS
from nimtui.ui.kit.dialogs import ExportForm
from nimtui.ui.kit.draft import Draft, Entry, Offer
from nimtui.ui.kit.entries import game_entry, game_of, parse_seed, position_entry, seed_entry
from nimtui.ui.kit.form import SetupForm
from nimtui.ui.kit.start_dialog import StartDialog
from nimtui.ui.play.compare_setup import MOST_AGENTS, TABLE, CompareSetup
from nimtui.ui.play.fields import how_written
from nimtui.ui.search.form import position_means

if TYPE_CHECKING:
    from nimtui.games import Game


def _game(draft: CompareDraft) -> Game | None:
    """Return the game at the typed position, which `perfect` may need; None while either is invalid."""
    try:
        game = game_of(draft)
        return None if game is None else game.beginning(draft.texts["position"].strip() or None)
    except InputError:
        return None


def _agent(draft: CompareDraft, text: str) -> str:
    from nimtui.agents import parse_agent

    if not text.strip():
        return "none"
    game = _game(draft)
    return parse_agent(text, game).title if game is not None else ""


def _offers(draft: CompareDraft) -> Iterator[Offer]:
    from nimtui.agents import agent_choices

    yield Offer("", "none", "leave this place free")
    if (game := _game(draft)) is not None:
        yield from (Offer(preset.agent, preset.agent, preset.title) for preset in agent_choices(game))


def agent_field(place: int) -> str:
    """Return the name of the field of an agent, the first place is 0."""
    return f"agent{place + 1}"


AGENTS = tuple(agent_field(place) for place in range(MOST_AGENTS))
ENTRIES = (
    game_entry("any game: connect4:4x4, tower:16, nim:3,5,4,2,6, subtraction:21,3:misere"),
    position_entry(position_means("compare on this position")),
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


class CompareForm(SetupForm[CompareSetup]):
    """Edits a comparison, one field each, and checks the fields as you type."""

    HELP = "Type into a field, or choose with the up and down keys. Leave an agent's field empty for fewer agents."
    BINDING_GROUP_TITLE = "Comparison"
    DRAFT = CompareDraft


class CompareChoice(StartDialog[Never, CompareSetup]):
    """Offers presets."""

    BINDING_GROUP_TITLE = "New comparison"
    HELP = "Press Enter to start the marked comparison, or Tab to change its settings first."
    INTRO = "Sets agents beside each other on one position,\nwith the exact value of every move:"
    OWN = "any game, position and agents"
    FORM, PRESETS, USUAL = CompareForm, PRESETS, CompareSetup()


class CompareExport(ExportForm):
    """Asks for the file of an export; None if the person cancels."""

    EXAMPLE = "comparison.csv"
